/* funcs_unknown_test.c - what a function, or an operator, makes of a value that
 * is not known admits what it makes of any value there, and is marked as that is
 *
 * Every call that succeeds with known values is made again with each part of
 * each argument unknown.  The results are compared: what is known of the second
 * must be true of the first.
 */
#include "base/loop.h"
#include "funcs/table.h"
#include "lang/eval/eval.h"
#include "lang/syntax/parse.h"
#include "provider/provider_int.h"
#include "test.h"
#include "value/convert.h"
#include "value/value.h"
#include "value/marks.h"
#include "value/number.h"
#include "value/refine.h"
#include "value/set.h"

enum {
	CALLS = 8000,    /* of an expression, at most */
	SUCCESSES = 150, /* of these, at most, are made again */
	TOLD = 3,        /* complaints of an expression */
	NAMES = 3,
};

static const char *const strings[] = {
	"b", "", "a,b", "ab-c", "7", "true", "a b c", "%s-%v", "%d", "k",
	"10.1.2.0/24", "10.1.2.3", "fd00::/64", "2001-02-03T04:05:06Z", "90m",
	"(a)(b)?", "[a-z]+", "/[bc]/", "YYYY-MM", "{\"a\":[1,\"b\"]}", "a: [1]",
	"a,b\n1,2", "YWI=", "UTF-8", "x = 1\n", "${k}",
	"%{ for x in k }${x}%{ endfor }", "./plain.txt", "./t.tpl", "*.tpl",
	"6ba7b810-9dad-11d1-80b4-00c04fd430c8",
};

enum {
	NSTRINGS = sizeof(strings) / sizeof(strings[0]),
	NNUMBERS = 5,
	NCOLLECTIONS = 9,
	NVALUES = NSTRINGS + NNUMBERS + 2 + 3 + 4 * NCOLLECTIONS,
};

static struct arena pool_arena = ARENA_INIT;
static const struct value *pool[NVALUES];
static const struct map *provider_functions;
static char base_dir[] = "/tmp/funcs_unknown.XXXXXX";
static const char *const files[] = { "plain.txt", "t.tpl" };
static size_t tried, changed;

static const struct value *text(const char *s)
{
	return value_string(&pool_arena, str_c(s));
}

static size_t add_collections(size_t n, const struct value *x,
			      const struct value *y)
{
	static const struct str names[] = { STR_INIT("k"), STR_INIT("l") };
	const struct value *xy[2] = { x, y }, *of[2];
	const struct value **to = pool + n;
	struct arena *a = &pool_arena;

	to[0] = value_list(a, x->type, xy, 2);
	to[1] = value_set(a, x->type, xy, 2);
	to[2] = value_map(a, x->type, names, xy, 2);
	of[0] = x;
	of[1] = to[2];
	to[3] = value_tuple(a, of, 2);
	to[4] = value_object(a, names, of, 2);
	to[5] = value_list(a, to[0]->type, to, 1);
	to[6] = value_map(a, to[0]->type, names, to, 1);
	to[7] = value_tuple(a, xy, 2);
	to[8] = value_object(a, names, xy, 2);
	return n + NCOLLECTIONS;
}

static void make_pool(void)
{
	static const char *const numbers[] = { "0", "1", "2", "-3.5", "16" };
	struct arena *a = &pool_arena;
	size_t n = 0;

	for (; n < NSTRINGS; n++)
		pool[n] = text(strings[n]);
	for (size_t i = 0; i < NNUMBERS; i++)
		pool[n++] = value_number_parse(a, str_c(numbers[i]));
	pool[n++] = &value_true;
	pool[n++] = value_null(a, &type_string);
	pool[n++] = value_list(a, &type_string, NULL, 0);
	pool[n++] = value_map(a, &type_string, NULL, NULL, 0);
	pool[n++] = value_tuple(a, NULL, 0);
	n = add_collections(n, text("b"), text("a"));
	n = add_collections(n, text("10.1.2.0/24"), text("10.9.0.0/16"));
	n = add_collections(n, value_int(a, 1), value_int(a, 2));
	n = add_collections(n, &value_true, &value_false);
	CHECK(n == NVALUES);
}

static void make_file(const char *name, const char *content)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", base_dir, name);
	f = fopen(path, "w");
	CHECK(f && fputs(content, f) >= 0 && fclose(f) == 0);
}

/* --- parts of values, in preorder --- */

static size_t count_parts(const struct value *v)
{
	size_t n = 1;

	if (value_usable(v) && !type_is_primitive(v->type))
		for (uint32_t i = 0; i < v->len; i++)
			n += count_parts(v->elems[i]);
	return n;
}

typedef const struct value *change_fn(struct arena *a, const struct value *v);

static const struct value *unknown(struct arena *a, const struct value *v)
{
	return value_unknown(a, v->type);
}

/* Unknown, but something true is known of it. */
static const struct value *refined(struct arena *a, const struct value *v)
{
	struct refinement r = refinement_none;

	if (!value_usable(v))
		return unknown(a, v);
	r.not_null = true;
	if (v->type == &type_string)
		r.prefix = str_sub(v->string, 0, v->string.n ? 1 : 0);
	if (type_is_collection(v->type)) {
		r.len_min = v->len ? v->len - 1 : 0;
		r.len_max = v->len + 1;
	}
	return value_unknown_refined(a, v->type, &r);
}

static const struct value *untyped(struct arena *a, const struct value *v)
{
	(void)a;
	(void)v;
	return &value_unknown_dynamic;
}

static const struct value *ephemeral(struct arena *a, const struct value *v)
{
	return value_with_marks(a, v, &marks_ephemeral);
}

static const struct value *ephemeral_unknown(struct arena *a,
					     const struct value *v)
{
	return ephemeral(a, unknown(a, v));
}

static const struct value *ephemeral_untyped(struct arena *a,
					     const struct value *v)
{
	return ephemeral(a, untyped(a, v));
}

static const struct value *remade(struct arena *a, const struct value *v,
				  const struct value *const *elems)
{
	struct str *names = ARENA_ARRAY(a, struct str, v->len);
	const struct type *t = v->type;

	switch (t->kind) {
	case TYPE_LIST:
		return value_list(a, t->elem, elems, v->len);
	case TYPE_SET:
		return value_set(a, t->elem, elems, v->len);
	case TYPE_MAP:
		return value_map(a, t->elem, v->keys, elems, v->len);
	case TYPE_TUPLE:
		return value_tuple(a, elems, v->len);
	default:
		for (uint32_t i = 0; i < v->len; i++)
			names[i] = t->attrs[i].name;
		return value_object(a, names, elems, v->len);
	}
}

/* v with its n-th part changed; NULL: the type of what it is in does not allow
 * it. */
static const struct value *change_part(struct arena *a, const struct value *v,
				       size_t n, change_fn *change)
{
	const struct value **elems;
	uint32_t i = 0;

	if (n-- == 0)
		return change(a, v);
	while (n >= count_parts(v->elems[i]))
		n -= count_parts(v->elems[i++]);
	elems = arena_dup(a, v->elems, v->len * sizeof(*elems));
	elems[i] = change_part(a, v->elems[i], n, change);
	if (!elems[i] || (type_is_collection(v->type) &&
			  elems[i]->type != v->type->elem))
		return NULL;
	return remade(a, v, elems);
}

static bool has_set_in_part(const struct value *v)
{
	if (!value_usable(v) || type_is_primitive(v->type))
		return false;
	if (v->type->kind == TYPE_SET)
		return v->inner_unknown;
	for (uint32_t i = 0; i < v->len; i++)
		if (has_set_in_part(v->elems[i]))
			return true;
	return false;
}

/* --- is what is known of u true of v? --- */

static bool admits(const struct value *u, const struct value *v);

static bool within(const struct value *u, const struct value *v)
{
	const struct refinement *r = value_refinement(u);
	uint64_t lo, hi;

	if (value_is_null(v))
		return !r->not_null;
	if (v->type == &type_string)
		return r->prefix.n <= v->string.n &&
		       str_eq(r->prefix, str_sub(v->string, 0, r->prefix.n));
	if (v->type == &type_number)
		return !(r->min && number_cmp(r->min, v) > 0) &&
		       !(r->max && number_cmp(r->max, v) < 0);
	if (!type_is_collection(v->type))
		return true;
	value_length_bounds(u, &lo, &hi);
	return v->len >= lo && v->len <= hi;
}

static bool admits_elements(const struct value *u, const struct value *v)
{
	if (u->len != v->len)
		return false;
	for (uint32_t i = 0; i < u->len; i++) {
		if (u->type->kind == TYPE_MAP && !str_eq(u->keys[i], v->keys[i]))
			return false;
		if (!admits(u->elems[i], v->elems[i]))
			return false;
	}
	return true;
}

static bool admits_set(const struct value *u, const struct value *v)
{
	if (v->len > u->len)
		return false;
	for (uint32_t i = 0; i < u->len; i++)
		if (value_wholly_known(u->elems[i]) &&
		    !value_set_has(v, u->elems[i]))
			return false;
	return true;
}

static bool admits(const struct value *u, const struct value *v)
{
	if (!value_is_known(u) && u->type == &type_dynamic)
		return true;
	if (!type_conforms(v->type, u->type) && u->type->kind != v->type->kind)
		return false;
	if (!value_is_known(u))
		return within(u, v);
	if (value_is_null(u) || value_is_null(v))
		return value_is_null(u) && value_is_null(v);
	if (type_is_primitive(u->type))
		return value_equal_unmarked(u, v);
	return u->type->kind == TYPE_SET ? admits_set(u, v)
					 : admits_elements(u, v);
}

/* --- what is as OpenTofu has it, though it may turn out to be wrong --- */

static bool has_word(const char *expr, const char *const *words)
{
	for (; *words; words++)
		if (strstr(expr, *words))
			return true;
	return false;
}

/* Goes through a set of which a part is unknown as if that came last and were
 * equal to no other element. */
static bool goes_through(const char *expr)
{
	static const char *const words[] = { "for ",    "[*]",        ".*", "...",
					     "reverse", "setproduct", NULL };

	return has_word(expr, words);
}

/* Finds a common type without those that are not known, and keeps to it. */
static bool unifies(const char *expr)
{
	static const char *const words[] = { "coalesce(", "?", NULL };

	return has_word(expr, words);
}

/* Asks for what is wholly known. */
static bool refuses(const char *expr)
{
	static const char *const words[] = { "encode_expr", NULL };

	return has_word(expr, words);
}

/* Says that it has no attribute or element, where for null it has no elements. */
static bool is_splat(const char *expr)
{
	static const char *const words[] = { "[*]", ".*", NULL };

	return has_word(expr, words);
}

/* The first argument that is unknown counts as the result: that a later one may
 * come to be it shows when applying. */
static bool chooses(const char *expr)
{
	static const char *const words[] = { "try(", NULL };

	return has_word(expr, words);
}

/* --- the calls --- */

struct call {
	const char *expr;
	size_t n;                           /* names in it */
	const struct value *values[NAMES];  /* of a, b, c */
	size_t untrue, lost;                /* complaints */
};

static const struct value *resolve(void *data, struct eval *ev,
				   const struct ref *r, size_t *used,
				   struct diags *ds)
{
	const struct call *c = data;

	(void)ev;
	(void)ds;
	*used = 0;
	return r->root.n == 1 && r->root.p[0] >= 'a' && r->root.p[0] <= 'c'
		       ? c->values[r->root.p[0] - 'a']
		       : NULL;
}

static const struct func *function(void *data, struct str name)
{
	const struct func *f = map_get(provider_functions, name);

	(void)data;
	return f ? f : funcs_lookup(name);
}

/* NULL: it fails. */
static const struct value *evaluate(struct arena *a, struct call *c)
{
	const struct scope s = { .resolve = resolve, .function = function,
				 .data = c, .base_dir = base_dir };
	struct diags ds = DIAGS_INIT(a);
	struct expression e = parse_expression(
		a, source_new(a, STR("test"), str_c(c->expr)), &ds);
	const struct value *v = eval_expression(a, &s, e, &ds);

	return diags_failed(&ds) ? NULL : v;
}

static const char *shown(struct arena *a, const struct value *v)
{
	struct buf b = BUF_INIT;
	const char *s;

	if (!v)
		return "an error";
	value_render(&b, value_unmark_deep(a, v, NULL));
	s = arena_printf(a, "%.*s%s", STR_ARG(buf_view(&b)),
			 value_has_mark_deep(v, MARK_EPHEMERAL) ? " (ephemeral)"
								: "");
	buf_release(&b);
	return s;
}

static void complain(struct arena *a, size_t *count, const char *what,
		     const struct call *c, const struct value *u,
		     const struct value *v)
{
	if ((*count)++ >= TOLD)
		return;
	test_note("%s: %s", c->expr, what);
	for (size_t i = 0; i < c->n; i++)
		test_note("  %c = %s", (char)('a' + i), shown(a, c->values[i]));
	test_note("  gives %s, known %s", shown(a, u), shown(a, v));
}

/* With part p of argument i unknown: v, the result with all known, must be one
 * that can come of it. */
static void check_true(struct call *c, size_t i, size_t p, change_fn *how,
		       const struct value *v)
{
	struct arena a = ARENA_INIT;
	struct call with = *c;
	const struct value *u, *x = change_part(&a, c->values[i], p, how);
	struct verror why = { 0 };

	if (x && !(how == untyped && unifies(c->expr)) &&
	    !(goes_through(c->expr) && has_set_in_part(x))) {
		with.values[i] = x;
		changed++;
		u = evaluate(&a, &with);
		if (u && convert(&a, v, u->type, &why))
			v = convert(&a, v, u->type, &why);
		if (u ? !admits(u, v) : !is_splat(c->expr))
			complain(&a, &c->untrue, "untrue", &with, u, v);
	}
	arena_release(&a);
}

static void check_mark(struct arena *a, struct call *c, struct call *with,
		       const struct value *v)
{
	const struct value *u;

	changed++;
	u = evaluate(a, with);
	if (u && !value_has_mark_deep(u, MARK_EPHEMERAL))
		complain(a, &c->lost, "not ephemeral", with, u, v);
}

/* With part p of argument i ephemeral the result is: then also if that is
 * unknown, or a part of another argument. */
static void check_marks(struct call *c, size_t i, size_t p)
{
	static change_fn *const ways[] = { ephemeral_unknown,
					   ephemeral_untyped };
	struct arena a = ARENA_INIT;
	struct call with = *c, other;
	const struct value *v;

	with.values[i] = change_part(&a, c->values[i], p, ephemeral);
	v = evaluate(&a, &with);
	if (!v || !value_has_mark_deep(v, MARK_EPHEMERAL)) {
		arena_release(&a);
		return;
	}
	for (size_t k = 0; k < c->n && !chooses(c->expr); k++)
		for (size_t q = 0; k != i && q < count_parts(c->values[k]); q++) {
			other = with;
			other.values[k] =
				change_part(&a, c->values[k], q, unknown);
			check_mark(&a, c, &other, v);
		}
	for (size_t w = 0; w < 2; w++) {
		with.values[i] = change_part(&a, c->values[i], p, ways[w]);
		if (with.values[i])
			check_mark(&a, c, &with, v);
	}
	arena_release(&a);
}

static void check_call(struct call *c, const struct value *v)
{
	static change_fn *const ways[] = { unknown, refined, untyped };

	for (size_t i = 0; i < c->n; i++)
		for (size_t p = 0; p < count_parts(c->values[i]); p++) {
			for (size_t w = 0; w < 3 && !refuses(c->expr); w++)
				check_true(c, i, p, ways[w], v);
			check_marks(c, i, p);
		}
}

/* expr with all values for its names, or with many chosen by chance, the same
 * every time. */
static size_t try_values(const char *expr, size_t n)
{
	static unsigned long seed = 1;
	size_t all = 1, made = 0;
	struct call c = { .expr = expr, .n = n };

	for (size_t i = 0; i < n; i++)
		all *= NVALUES;
	for (size_t i = 0; i < all && i < CALLS && made < SUCCESSES; i++) {
		struct arena a = ARENA_INIT;
		size_t rest = i;
		const struct value *v;

		for (size_t k = 0; k < n; k++, rest /= NVALUES) {
			seed = seed * 6364136223846793005 + 1442695040888963407;
			c.values[k] =
				pool[all <= CALLS ? rest % NVALUES
						  : (seed >> 33) % NVALUES];
		}
		v = evaluate(&a, &c);
		if (v) {
			made++;
			check_call(&c, v);
		}
		arena_release(&a);
	}
	tried++;
	CHECK_ROW(c.untrue == 0, expr);
	CHECK_ROW(c.lost == 0, expr);
	return made;
}

/* Other things come of the same arguments, or nothing by chance (then they are
 * among the expressions below); the console's. */
static bool skipped(const struct func *f)
{
	static const char *const names[] = { "base64gunzip", "cidrsubnet", "list",
					     "map",          "rsadecrypt", "slice", "type" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(f->name, names[i]) == 0)
			return true;
	return f->flags & FUNC_IMPURE;
}

static void try_function(const char *name, const struct func *f)
{
	static const char *const arguments[] = {
		"a", "a, b", "a, b, c", "[a]...", "a, b...", "a, [b, c]..."
	};
	size_t least = 0, most, made = 0;
	char expr[128];

	if (skipped(f))
		return;
	while (f->params && f->params[least].name)
		least++;
	most = f->variadic ? 3 : least;
	for (size_t n = least ? least : 1; n <= most && n <= 3; n++) {
		snprintf(expr, sizeof(expr), "%s(%s)", name, arguments[n - 1]);
		made += try_values(expr, n);
		if (n != 1 && !f->variadic)
			continue;
		snprintf(expr, sizeof(expr), "%s(%s)", name, arguments[n + 2]);
		try_values(expr, n);
	}
	CHECK_ROW(made > 0 || most == 0, name);
}

static void test_functions(void)
{
	const struct map *p = provider_functions;
	const struct func *f;

	for (size_t i = 0; (f = funcs_at(i)); i++)
		try_function(f->name, f);
	for (size_t i = 0; i < p->len; i++) {
		f = p->entries[i].value;
		try_function(f->name, f);
	}
}

/* n: names in it. */
static const struct {
	const char *expr;
	size_t n;
} expressions[] = {
	{ "a + b", 2 },
	{ "a - b", 2 },
	{ "a * b", 2 },
	{ "a / b", 2 },
	{ "a % b", 2 },
	{ "-a", 1 },
	{ "!a", 1 },
	{ "a && b", 2 },
	{ "a || b", 2 },
	{ "a == b", 2 },
	{ "a != b", 2 },
	{ "a < b", 2 },
	{ "a >= b", 2 },
	{ "a == b ? a : b", 2 },
	{ "a ? b : c", 3 },
	{ "c ? a : b", 3 },
	{ "a[b]", 2 },
	{ "a.k", 1 },
	{ "a[\"k\"]", 1 },
	{ "a[0]", 1 },
	{ "a[*]", 1 },
	{ "a.*", 1 },
	{ "a[*].k", 1 },
	{ "a[*].k.l", 1 },
	{ "a[*][b]", 2 },
	{ "[a, b][*]", 2 },
	{ "\"${a}\"", 1 },
	{ "\"${a} ${b}\"", 2 },
	{ "\"x${a ? b : c}\"", 3 },
	{ "\"%{ if a }${b}%{ endif }\"", 2 },
	{ "\"%{ for x in a }${x}%{ endfor }\"", 1 },
	{ "\"%{ for x in a }${b}%{ endfor }\"", 2 },
	{ "[for x in a : x]", 1 },
	{ "[for x in a : b]", 2 },
	{ "[for x in a : x if b]", 2 },
	{ "[for x in a : c if x == b]", 3 },
	{ "[for k, v in a : k]", 1 },
	{ "{ for x in a : \"k\" => x... }", 1 },
	{ "{ for k, v in a : k => v }", 1 },
	{ "{ for k, v in a : v => k }", 1 },
	{ "{ for k, v in a : v => b... }", 2 },
	{ "{ (a) = b }", 2 },
	{ "{ k = a, l = b }", 2 },
	{ "{ k = a, l = b }[c]", 3 },
	{ "[a, b]", 2 },
	{ "[a, [b]][c]", 3 },
	{ "try(a.k, b)", 2 },
	{ "try(a[b], c)", 3 },
	{ "try(a.zz, b)", 2 },
	{ "can(a[b])", 2 },
	{ "base64gunzip(base64gzip(a))", 1 },
	{ "cidrsubnet(\"10.1.2.0/24\", a, b)", 2 },
	{ "cidrsubnet(a, 4, b)", 2 },
	{ "cidrsubnets(\"10.1.0.0/16\", a, b)", 2 },
	{ "range(a, 9, b)", 2 },
	{ "slice(a, 1, b)", 2 },
	{ "templatestring(\"$${k}\", { k = a })", 1 },
};

static void test_expressions(void)
{
	for (size_t i = 0; i < sizeof(expressions) / sizeof(expressions[0]); i++)
		CHECK_ROW(try_values(expressions[i].expr, expressions[i].n) > 0,
			  expressions[i].expr);
}

/* While validating, variables are unknown that may turn out to be null: nothing
 * is refused for what may not come to be. */
static void test_validating(void)
{
	struct arena a = ARENA_INIT;
	const struct value *e = ephemeral(&a, &value_unknown_dynamic);
	struct call c = { .expr = "try(a.k, \"none\")", .values = { e } };
	struct scope s = { .resolve = resolve, .function = function,
			   .data = &c };
	struct diags ds = DIAGS_INIT(&a);
	struct expression x = parse_expression(
		&a, source_new(&a, STR("test"), str_c(c.expr)), &ds);

	CHECK(value_has_mark(eval_expression(&a, &s, x, &ds), MARK_EPHEMERAL));
	s.validating = true;
	CHECK(!value_has_mark(eval_expression(&a, &s, x, &ds), MARK_EPHEMERAL));
	arena_release(&a);
}

int main(int argc, char **argv)
{
	struct loop *loop = loop_new();
	char path[64];

	test_begin(argc, argv);
	CHECK(mkdtemp(base_dir));
	for (size_t i = 0; i < 2; i++)
		make_file(files[i], "${k}");
	make_pool();
	provider_functions = &provider_builtin_new(&pool_arena, loop, 0, false)
				      ->schema->functions;
	RUN(test_functions());
	RUN(test_expressions());
	RUN(test_validating());
	test_note("%zu expressions, evaluated %zu times with something unknown",
		  tried, changed);
	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", base_dir, files[i]);
		CHECK(unlink(path) == 0);
	}
	CHECK(rmdir(base_dir) == 0);
	arena_release(&pool_arena);
	loop_free(loop);
	return test_done("funcs_unknown");
}
