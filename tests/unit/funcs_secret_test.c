/* funcs_secret_test.c - no error of a function, or of an operator, tells a
 * sensitive or ephemeral value
 *
 * Every function of the table is called with values of all kinds, whole or in
 * part marked, most of which it refuses.  Each value has in it, wherever a text
 * can have it, one of the tokens below, which no message has by itself; nor
 * may a message have a number of several digits but those of our own words.
 */
#include <ctype.h>
#include <float.h>

#include "funcs/table.h"
#include "lang/eval/eval.h"
#include "lang/syntax/parse.h"
#include "test.h"
#include "value/marks.h"
#include "value/number.h"
#include "value/set.h"

static const char *const tokens[] = { "zqx", "qzj", "ZQX", "enF4" };

static char largest[400]; /* double */

/* Numbers that messages have of their own. */
static const char *const constants[] = {
	"-9223372036854775808", "9223372036854775807", "RFC3339", "IPv4",
	"IPv6", "UTF-8", "base64", "more than 32 bits", "between 2 and 62",
	"more than 1024 values", "range 4..31", "exceeds 72 bytes",
	"sha256", "sha512", "v0.12", largest,
};

static const char *const strings[] = {
	"zqx", "", "8317", "-8317.5", "true",
	/* networks, times */
	"10.83.17.0/83", "10.83.17.8/29", "83.17.83.17", "fd83:17::/83",
	"::ffff:83.17.83.17/117", "2083-17-83T00:00:00Z",
	"2083-08-17T08:31:17Z", "2083-08-17T08:31:17", "8317h", "83zqx",
	"9e8317h", "'zqx", "YYYYYYY zqx", "zqxYYYY-MM-DD",
	/* patterns, formats, templates */
	"(zqx8317", "[z-a]zqx", "\\p{zqx8317}", "(?zqx)", "/(zqx8317/",
	"zqx{8317,83171}", "(?P<zqx>a)(b)", "%8317d", "%zqx", "%[8317]q",
	"%d zqx8317", "zqx8317 %", "${zqx8317}", "${zqx8317", "${zqx8317()}",
	"${\"zqx\" + 8317}", "%{ if zqx8317 }",
	/* documents */
	"{\"zqx\": 8317", "{\"zqx\": {\"qzj\": 8317, \"x\": y}}",
	"{\"zqx\":1,\"zqx\":2}", "zqx: [8317", "*zqx8317", "!zqx8317 8317",
	"&zqx [*zqx]", "? [zqx8317]", "!!int zqx", "<<: zqx", "!!float .nan",
	"zqx8317,zqx8317\n1,2", "zqx\n\"qzj8317", "zqx,qzj\n8317",
	"-----BEGIN zqx8317-----",
	/* encodings */
	"!zqx8317", "enF4ODMxNw==", "H4sIzqx8", "/w==", "%zq", "ISO-8859-1",
	"\xc3\xbc zqx8317 \xe4\xb8\x96", "6ba7b810-zqx8-11d1-8317",
	/* paths */
	"~zqx8317/x", "/zqx8317/qzj", "/", "zqx[8317", "{zqx,8317",
};

enum {
	NSTRINGS = sizeof(strings) / sizeof(strings[0]),
	NOTHERS = 24,
	NVALUES = NSTRINGS + NOTHERS,
	HOWS = 3,
};

/* Of a function with so many arguments, at most.  Memory is seen to with fewer. */
#ifdef __SANITIZE_ADDRESS__
enum { CALLS = 300 };
#else
enum { CALLS = 2000 };
#endif

enum how { WHOLE, PARTS, EPHEMERAL, PLAIN };

static struct arena pool_arena = ARENA_INIT;
static const struct value *pool[HOWS + 1][NVALUES];
static size_t failures, told;

static const struct value *text(const char *s)
{
	return value_string(&pool_arena, str_c(s));
}

static const struct value *number(const char *s)
{
	return value_number_parse(&pool_arena, str_c(s));
}

/* x and y as collections of each kind.  m: marks of x and y; then it is not the
 * keys that are secret, as the names in an object's type never are. */
static void add_collections(const struct value **to, const struct value *x,
			    const struct value *y, const struct marks *m)
{
	struct arena *a = &pool_arena;
	static const struct str names[] = { STR_INIT("k"), STR_INIT("l-8") },
				keys[] = { STR_INIT("zqx"),
					   STR_INIT("qzj-8") };
	const struct value *xy[2] = { x, y }, *of[2];

	if (m) {
		xy[0] = value_with_marks(a, x, m);
		xy[1] = value_with_marks(a, y, m);
	}
	to[0] = value_list(a, x->type, xy, 2);
	to[1] = value_set(a, x->type, xy, 2);
	to[2] = value_map(a, x->type, m ? names : keys, xy, 2);
	of[0] = xy[0];
	of[1] = to[2];
	to[3] = value_tuple(a, of, 2);
	to[4] = value_object(a, names, of, 2);
	to[5] = value_list(a, to[0]->type, to, 1);
	to[6] = value_map(a, to[0]->type, m ? names : keys, to, 1);
}

static void make_pool(enum how how, const struct marks *m, bool parts)
{
	struct arena *a = &pool_arena;
	const struct marks *inner = parts ? m : NULL;
	const struct value **v = pool[how];
	size_t n = 0;

	for (; n < NSTRINGS; n++)
		v[n] = text(strings[n]);
	v[n++] = number("8317");
	v[n++] = number("-8317");
	v[n++] = number("83.17");
	v[n++] = number("8317e8317");
	v[n++] = number("33");
	v[n++] = number("0");
	v[n++] = &value_true;
	v[n++] = value_null(a, &type_string);
	v[n++] = value_list(a, &type_string, NULL, 0);
	v[n++] = value_tuple(a, NULL, 0);
	add_collections(v + n, text("zqx8317"), text("qzj"), inner);
	n += 7;
	add_collections(v + n, number("8317"), number("33"), inner);
	n += 7;
	CHECK(n == NVALUES);
	for (size_t i = 0; m && i < n; i++)
		if (!v[i]->inner_marks)
			v[i] = value_with_marks(a, v[i], m);
}

/* --- what errors show --- */

static bool has_token(struct str s)
{
	for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++)
		if (str_find(s, str_c(tokens[i])) >= 0)
			return true;
	return false;
}

/* Does the digit at i belong to words of our own? */
static bool is_constant(struct str s, size_t i)
{
	for (size_t k = 0; k < sizeof(constants) / sizeof(constants[0]); k++) {
		struct str c = str_c(constants[k]);
		size_t from = i < c.n ? 0 : i - c.n;

		for (size_t at = from; at <= i && at + c.n <= s.n; at++)
			if (at + c.n > i && !memcmp(s.p + at, c.p, c.n))
				return true;
	}
	return false;
}

static bool has_number(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (i && isdigit((unsigned char)s.p[i]) &&
		    isdigit((unsigned char)s.p[i - 1]) && !is_constant(s, i))
			return true;
	return false;
}

static bool tells(const struct diag *d, bool numbers)
{
	for (size_t i = 0; i < d->nvalues; i++)
		if (has_token(d->values[i].statement) ||
		    has_number(d->values[i].statement))
			return true;
	return has_token(d->detail) || has_token(d->summary) ||
	       has_token(d->difference) || (numbers && has_number(d->detail));
}

/* --- the calls --- */

struct call { /* the values of a, b, c */
	const struct value *const *values;
	size_t index[3];
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
		       ? c->values[c->index[r->root.p[0] - 'a']]
		       : NULL;
}

static const struct func *function(void *data, struct str name)
{
	(void)data;
	return funcs_lookup(name);
}

/* Does the expression fail?  Adds to *telling if it tells what it must not.
 * numbers: these neither. */
static bool try_call(const char *expr, struct call *c, enum how how,
		     bool numbers, size_t *telling)
{
	const struct scope s = { .resolve = resolve, .function = function,
				 .data = c, .base_dir = ".",
				 .console = true };
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct expression e = parse_expression(
		&a, source_new(&a, STR("test"), str_c(expr)), &ds);
	bool bad = false, failed;

	eval_expression(&a, &s, e, &ds);
	failed = diags_failed(&ds);
	for (size_t i = 0; i < ds.len && !bad; i++) {
		bad = tells(&ds.items[i], numbers);
		if (bad && how != PLAIN)
			test_note("%s: a = %zu, b = %zu, c = %zu, marked %d: "
				  "%.*s\n", expr, c->index[0], c->index[1],
				  c->index[2], how, STR_ARG(ds.items[i].detail));
	}
	failures += failed;
	if (how == PLAIN)
		told += bad;
	else
		*telling += bad;
	arena_release(&a);
	return failed;
}

/* expr with all values for its n names, or with many that are chosen by
 * chance, the same every time. */
static void try_values(const char *expr, size_t n, size_t most, enum how how,
		       bool numbers)
{
	static unsigned long seed = 8317;
	struct call c = { .values = pool[how] };
	size_t all = 1, failed = 0;
	char within[256];

	for (size_t i = 0; i < n; i++)
		all *= NVALUES;
	snprintf(within, sizeof(within), "try(%s)", expr);
	for (size_t i = 0; i < all && i < most; i++) {
		size_t rest = i;

		for (size_t k = 0; k < n; k++, rest /= NVALUES) {
			seed = seed * 6364136223846793005 + 1442695040888963407;
			c.index[k] = all <= most ? rest % NVALUES
						 : (seed >> 33) % NVALUES;
		}
		if (try_call(expr, &c, how, numbers, &failed))
			try_call(within, &c, how, false, &failed);
	}
	CHECK_ROW(failed == 0, expr);
}

static void try_function(const struct func *f, enum how how)
{
	static const char *const arguments[] = { "", "a", "a, b", "a, b, c" };
	size_t least = 0, most, calls = CALLS;
	char expr[128];

	while (f->params && f->params[least].name)
		least++;
	most = f->variadic ? 3 : least;
	if (strcmp(f->name, "bcrypt") == 0)
		calls = 8; /* which takes its time, on purpose */
	for (size_t n = least; n <= most && n <= 3; n++) {
		snprintf(expr, sizeof(expr), "%s(%s)", f->name, arguments[n]);
		try_values(expr, n, calls, how, true);
		if (n == 0 || f->flags & FUNC_LAZY)
			continue;
		snprintf(expr, sizeof(expr), "%s(%s...)", f->name,
			 n == 1 ? "a" : "[a, b]");
		try_values(expr, n == 1 ? 1 : 2, calls, how, true);
	}
}

static const char *const operators[] = {
	"a + b", "a / b", "a % b", "-a", "!a", "a && b", "a == b ? a : b",
	"a ? b : c", "a[b]", "a.zq", "a[*].zq", "a.*.zq", "\"${a} ${b}\"",
	"\"%{ if a }x%{ endif }\"", "\"%{ for x in a }${x}%{ endfor }\"",
	"[for x in a : x]", "[for x in a : x if b]",
	"{ for k, v in a : v => k }", "{ (a) = b }", "{ for x in a : x => x }",
	"a < b", "a[b][c]", "a[0]", "[a, b][c]",
};

static void test_all(enum how how)
{
	const struct func *f;

	for (size_t i = 0; (f = funcs_at(i)); i++)
		if (strcmp(f->name, "nonsensitive"))
			try_function(f, how);
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
		try_values(operators[i], 3, CALLS, how, false);
}

/* No error shows a marked value. */
static void test_errors(enum how how)
{
	failures = 0;
	test_all(how);
	test_note("%zu errors", failures);
	CHECK(failures > CALLS * 25);
}

/* Errors do show values that are not marked. */
static void test_told(void)
{
	test_all(PLAIN);
	test_note("%zu tell a value that is not marked", told);
	CHECK(told > CALLS * 5);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	snprintf(largest, sizeof(largest), "%f", DBL_MAX);
	make_pool(WHOLE, &marks_sensitive, false);
	make_pool(PARTS, &marks_sensitive, true);
	make_pool(EPHEMERAL, &marks_ephemeral, false);
	make_pool(PLAIN, NULL, false);
	RUN(test_errors(WHOLE));
	RUN(test_errors(PARTS));
	RUN(test_errors(EPHEMERAL));
	RUN(test_told());
	arena_release(&pool_arena);
	return test_done("funcs_secret");
}
