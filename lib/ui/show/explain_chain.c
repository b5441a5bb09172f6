/*
 * explain_chain.c - the way back along references, from an expression to what
 * somebody can change (show_int.h)
 *
 * What a reference leads to is told where it can have changed: an attribute
 * that the plan changes, a variable, a constant that is written somewhere.  A
 * part of the way that ends at objects that stay as they are is left out.
 */
#include <stdlib.h>

#include "addr/reference.h"
#include "json/read.h"
#include "json/tree.h"
#include "lang/syntax/walk.h"
#include "stream/record.h"
#include "ui/show/show_int.h"
#include "value/codec_json.h"

/* --- expressions --- */

/* On one line. */
static struct str one_line(struct arena *a, struct str text)
{
	struct buf b = BUF_INIT;
	bool space = false;

	for (size_t i = 0; i < text.n; i++) {
		if (memchr(" \t\r\n", text.p[i], 4)) {
			space = true;
			continue;
		}
		if (space)
			buf_putc(&b, ' ');
		space = false;
		buf_putc(&b, text.p[i]);
	}
	return buf_take(a, &b);
}

/* A key that is written as a name or a string; STR_NONE: it is neither. */
static struct str literal_key(const struct object_item *it)
{
	const struct expr *k = it->key;

	if (it->key_is_name)
		return k->scope.root;
	if (k->kind == EXPR_LITERAL && value_usable(k->literal) &&
	    k->literal->type == &type_string)
		return k->literal->string;
	return STR_NONE;
}

/* The part of a constructor that the step leads to; NULL: there is none. */
static const struct expr *constructed(const struct expr *e, struct str step)
{
	if (e->kind == EXPR_OBJECT)
		for (size_t i = 0; i < e->object.nitems; i++)
			if (str_eq(literal_key(&e->object.items[i]), step))
				return e->object.items[i].value;
	if (e->kind == EXPR_TUPLE)
		for (size_t i = 0; i < e->nitems; i++)
			if (step.n && strtoul(step.p, NULL, 10) == i &&
			    step.p[0] >= '0' && step.p[0] <= '9')
				return e->items[i];
	return NULL;
}

/* The part of the expression that makes the part of its value; rest: the steps
 * that are left. */
static struct expression narrow(struct explain *x, struct expression e,
				const struct why_path *path,
				struct why_path *rest)
{
	size_t i = 0;

	*rest = (struct why_path){ 0 };
	if (!path || !path->len)
		return e;
	e = record_expression_placed(x->a, e);
	for (; i < path->len; i++) {
		const struct expr *part;

		while (e.root->kind == EXPR_PARENS)
			e.root = e.root->items[0];
		part = constructed(e.root, path->items[i]);
		if (!part)
			break;
		e.root = part;
	}
	*rest = (struct why_path){ path->items + i, path->len - i, 0 };
	return e;
}

/* Does the text name things alone?  Then it may be shown where its value may
 * not. */
static bool only_names(const struct expr *e)
{
	while (e->kind == EXPR_PARENS || e->kind == EXPR_WRAP)
		e = e->items[0];
	return e->kind == EXPR_SCOPE;
}

/* Is something in it made secret here? */
static bool makes_secret(const struct call_vec *calls)
{
	for (size_t i = 0; i < calls->len; i++)
		if (str_is(calls->items[i].name, "sensitive") ||
		    str_is(calls->items[i].name, "core::sensitive"))
			return true;
	return false;
}

void explain_expression(struct explain *x, const struct why_scope *in,
			struct expression e, const struct why_path *path,
			struct why *w)
{
	struct traversal_vec refs = { 0 };
	struct call_vec calls = { 0 };
	struct why_scope scope = *in;
	struct why_path rest;
	struct range at;

	if (!e.root)
		return;
	e = narrow(x, e, path, &rest);
	scope.rest = e.root->kind == EXPR_SCOPE ? &rest : NULL;
	at = expression_range(e);
	w->at = explain_at(x, &at);
	w->expr = one_line(x->a, expression_text(e));
	expression_uses(x->a, e, &refs, &calls);
	scope.secret |=
		!x->show_sensitive && (w->secret || makes_secret(&calls));
	w->expr_secret = scope.secret && !only_names(e.root);
	explain_references(x, &scope, &refs, w);
}

/* --- values in records --- */

/* The value that the record of this address has; NULL: none, or it is not
 * shown, and *secret says so. */
static const struct json *recorded(struct explain *x, struct str address,
				   const struct json **rec, bool *secret)
{
	const struct str *line = map_get(&x->records->values, address);
	const struct json *value, *marks;

	*rec = line ? json_slice_tree(x->a, *line, NULL) : NULL;
	value = json_get(*rec, "value");
	marks = json_get(value, "sensitive");
	if ((marks && marks->len) || json_get_bool(*rec, "ephemeral", false))
		*secret = !x->show_sensitive ||
			  json_get_bool(*rec, "ephemeral", false);
	return json_get(value, "value");
}

static struct str in_module(struct explain *x, const struct why_scope *in,
			    const char *root, struct str name)
{
	struct buf b = BUF_INIT;

	module_addr_print(&b, in->addr);
	buf_addf(&b, "%s%s.%.*s", b.len ? "." : "", root, STR_ARG(name));
	return buf_take(x->a, &b);
}

const struct json *explain_constant(struct explain *x,
				    const struct why_scope *in,
				    struct expression e, bool *secret)
{
	struct diags quiet = DIAGS_INIT(x->a);
	struct traversal_vec refs = { 0 };
	const struct json *rec;
	struct reference r;
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	if (e.root->kind == EXPR_LITERAL && value_usable(e.root->literal)) {
		value_to_json(&w, e.root->literal, NULL);
		return json_parse(x->a, buf_take(x->a, &b),
				  &(struct json_error){ 0 });
	}
	if (!only_names(e.root))
		return NULL;
	expression_variables(x->a, e, &refs);
	if (refs.len != 1 ||
	    reference_parse(x->a, &refs.items[0], &r, &quiet) || r.nrest)
		return NULL;
	if (r.kind == REF_VARIABLE)
		return recorded(x, in_module(x, in, "var", r.name), &rec,
				secret);
	return r.kind == REF_LOCAL
		       ? recorded(x, in_module(x, in, "local", r.name), &rec,
				  secret)
		       : NULL;
}

/* --- nodes --- */

/* Can what the node tells of have changed?  Its sources can, or it is itself
 * one: the expression refers to nothing. */
static bool counts(const struct why *w, const struct expression *e)
{
	struct arena scratch = ARENA_INIT;
	struct traversal_vec refs = { 0 };
	bool constant;

	expression_variables(&scratch, *e, &refs);
	constant = !refs.len;
	arena_release(&scratch);
	return w->from.len || constant;
}

/* What is met again is not followed again: else the paths through locals that
 * name each other would be without number. */
static bool met(struct explain *x, const struct why *w)
{
	return map_has(&x->seen, w->name);
}

/* It is about what the path leads to in it. */
static void name_part(struct explain *x, struct why *w,
		      const struct why_path *path)
{
	w->name = explain_path_in(x, w->name, path);
}

static struct why *met_again(struct explain *x, struct why *w)
{
	if (!map_get(&x->seen, w->name))
		return NULL;
	w->says = STR("explained above");
	return w;
}

/* NULL: it does not count, now and whenever it is met again. */
static struct why *settled(struct explain *x, struct why *w, bool kept)
{
	map_put(x->a, &x->seen, w->name, kept ? w : NULL);
	return kept ? w : NULL;
}

static void steps(struct explain *x, const struct step *s, size_t n,
		  struct why_path *out)
{
	for (size_t i = 0; i < n; i++) {
		struct verror err = { 0 };
		const struct value *v;

		if (s[i].kind == STEP_ATTR) {
			vec_push(x->a, out, s[i].name);
			continue;
		}
		v = s[i].kind == STEP_INDEX
			    ? convert(x->a, s[i].key, &type_string, &err)
			    : NULL;
		if (!v || !value_usable(v))
			return;
		vec_push(x->a, out, v->string);
	}
}

/* Where the value of a root variable was given. */
static struct str given_by(struct explain *x, const struct json *rec)
{
	static const char *const words[][2] = {
		{ "default", "the default" },
		{ "env", "from the environment (TF_VAR_)" },
		{ "cli", "given by -var" },
		{ "file", "from a file" },
		{ "prompt", "typed in answer to the question" },
		{ "stream", "from the stream" },
	};
	struct str source = json_get_str(rec, "source");

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (str_is(source, words[i][0]))
			return str_c(words[i][1]);
	(void)x;
	return STR_NONE;
}

/* FILE:LINE of an `at`. */
static struct str place_of(struct str at)
{
	ptrdiff_t comma = str_chr(at, ',');

	return comma < 0 ? at : str_sub(at, 0, (size_t)comma);
}

static void root_variable(struct explain *x, const struct cfg_variable *c,
			  struct why *w, const struct json *rec)
{
	struct range at = c->default_value.root
				  ? expression_range(c->default_value)
				  : c->at;

	w->says = given_by(x, rec);
	w->at = json_get_str(rec, "at").n
			? place_of(json_get_str(rec, "at"))
			: explain_at(x, str_is(json_get_str(rec, "source"),
					       "default")
						? &at
						: &c->at);
}

static const struct attribute *argument_of(struct explain *x,
					   const struct cfg_call *call,
					   struct str name)
{
	struct attribute_vec attrs = { 0 };
	struct diags quiet = DIAGS_INIT(x->a);

	if (call->body)
		body_attributes(x->a, call->body, &attrs, &quiet);
	for (size_t i = 0; i < attrs.len; i++)
		if (str_eq(attrs.items[i].name, name))
			return arena_dup(x->a, &attrs.items[i],
					 sizeof(attrs.items[i]));
	return NULL;
}

/* The scope around the module that in is in. */
static struct why_scope caller_of(const struct why_scope *in)
{
	const struct module_step *last = &in->addr.steps[in->addr.len - 1];

	return (struct why_scope){
		.module = in->module->call->module,
		.addr = { in->addr.steps, in->addr.len - 1 },
		.call = in->module->call,
		.key = last->key,
		.secret = in->secret,
		.depth = in->depth,
	};
}

static struct why *chain_variable(struct explain *x, const struct why_scope *in,
				  struct str name, const struct why_path *path)
{
	const struct cfg_variable *c = map_get(&in->module->variables, name);
	struct str address = in_module(x, in, "var", name);
	struct why *w = why_new(x, "variable", address);
	const struct attribute *arg = NULL;
	const struct json *rec;
	struct why_scope outer;

	if (!c)
		return NULL;
	w->secret = in->secret || (c->sensitive && !x->show_sensitive) ||
		    c->ephemeral;
	w->after =
		explain_json_at(recorded(x, address, &rec, &w->secret), path);
	name_part(x, w, path);
	if (!in->module->call || !in->addr.len) {
		root_variable(x, c, w, rec);
		return w;
	}
	if (met(x, w))
		return met_again(x, w);
	outer = caller_of(in);
	arg = argument_of(x, outer.call, name);
	if (!arg && !c->default_value.root)
		return NULL;
	w->says = arg ? STR_NONE : STR("the default");
	explain_expression(x, arg ? &outer : in,
			   arg ? arg->expr : c->default_value, path, w);
	return settled(x, w, !arg || counts(w, &arg->expr));
}

static struct why *chain_local(struct explain *x, const struct why_scope *in,
			       struct str name, const struct why_path *path)
{
	const struct cfg_local *c = map_get(&in->module->locals, name);
	struct str address = in_module(x, in, "local", name);
	struct why *w = why_new(x, "local", address);
	const struct json *rec;

	if (!c)
		return NULL;
	w->secret = in->secret;
	w->after =
		explain_json_at(recorded(x, address, &rec, &w->secret), path);
	name_part(x, w, path);
	if (met(x, w))
		return met_again(x, w);
	explain_expression(x, in, c->value, path, w);
	return settled(x, w, counts(w, &c->value));
}

static struct why *chain_output(struct explain *x, const struct why_scope *in,
				struct str name, const struct why_path *path)
{
	const struct cfg_output *c = map_get(&in->module->outputs, name);
	struct why *w;

	if (!c)
		return NULL;
	w = why_new(x, "output", in_module(x, in, "output", name));
	w->secret = in->secret || (c->sensitive && !x->show_sensitive);
	name_part(x, w, path);
	if (met(x, w))
		return met_again(x, w);
	explain_expression(x, in, c->value, path, w);
	return settled(x, w, counts(w, &c->value));
}

/* --- instances --- */

/* The key that an index in an expression is, where that is count.index or
 * each.key; KEY_NONE: it may be any. */
static struct inst_key picked(const struct why_scope *in, const struct expr *e)
{
	const struct traversal *t = &e->scope;

	if (e->kind == EXPR_SCOPE && t->nsteps == 1 &&
	    t->steps->kind == STEP_ATTR &&
	    ((str_is(t->root, "count") && str_is(t->steps->name, "index")) ||
	     (str_is(t->root, "each") && str_is(t->steps->name, "key"))))
		return in->key;
	return KEY_ABSENT;
}

/* What is behind the index, or the splat, that ends the traversal: names, which
 * the walk over the tree does not give. */
static void steps_behind(struct explain *x, const struct traversal_ref *t,
			 struct why_path *out)
{
	struct str rest = str_sub(t->src->text,
				  t->picks ? t->picks->span.end : t->span.end,
				  t->src->text.n);

	if (t->picks ? !str_take(&rest, STR("]"))
		     : !str_take(&rest, STR("[*]")) &&
			       !str_take(&rest, STR(".*")))
		return;
	while (str_take(&rest, STR("."))) {
		size_t n = 0;

		while (n < rest.n && rest.p[n] != '.' &&
		       !memchr(" \t\r\n[](){},:?+-*/%&|=<>!\"", rest.p[n], 24))
			n++;
		vec_push(x->a, out, str_sub(rest, 0, n));
		rest = str_sub(rest, n, rest.n);
	}
}

static struct inst_key key_from(const struct json *j)
{
	if (j->kind == JSON_NUMBER)
		return (struct inst_key){ KEY_INT, strtoll(j->text.p, NULL, 10),
					  STR_NONE };
	return (struct inst_key){ KEY_STRING, 0, j->text };
}

struct key_vec VEC_OF(struct inst_key);

/* The instances of a module call, by its `expansion`. */
static void call_keys(struct explain *x, const struct why_scope *in,
		      struct str name, struct key_vec *out)
{
	const struct str *line = map_get(&x->records->expansions,
					 in_module(x, in, "module", name));
	const struct json *rec =
		line ? json_slice_tree(x->a, *line, NULL) : NULL;
	const struct json *keys = json_get(rec, "for_each");
	const int64_t count = json_get_int(rec, "count", -1);

	for (int64_t i = 0; i < count && i < EXPLAIN_WIDTH; i++)
		vec_push(x->a, out,
			 ((struct inst_key){ KEY_INT, i, STR_NONE }));
	for (uint32_t i = 0; keys && keys->kind == JSON_ARRAY && i < keys->len;
	     i++)
		if (i < EXPLAIN_WIDTH)
			vec_push(x->a, out, key_from(&keys->items[i]));
	if (!out->len)
		vec_push(x->a, out, KEY_ABSENT);
}

static void chain_outputs(struct explain *x, const struct why_scope *in,
			  const struct why_path *path, struct why_vec *out)
{
	const struct map *all = &in->module->outputs;
	struct why_path rest = { 0 };

	for (size_t i = 1; i < path->len; i++)
		vec_push(x->a, &rest, path->items[i]);
	if (path->len) {
		why_add(x, out, chain_output(x, in, path->items[0], &rest));
		return;
	}
	for (size_t i = 0; i < all->len; i++)
		why_add(x, out, chain_output(x, in, all->entries[i].key, path));
}

static void chain_module(struct explain *x, const struct why_scope *in,
			 const struct reference *r,
			 const struct traversal_ref *t,
			 const struct why_path *path, struct why_vec *out)
{
	const struct cfg_call *call = map_get(&in->module->calls, r->name);
	struct inst_key key = t->picks ? picked(in, t->picks) : r->key;
	struct key_vec keys = { 0 };
	struct why_path whole = { 0 };

	if (!call || !call->child)
		return;
	if (r->output.n)
		vec_push(x->a, &whole, r->output);
	for (size_t i = 0; i < path->len; i++)
		vec_push(x->a, &whole, path->items[i]);
	if (key.kind != KEY_NONE)
		vec_push(x->a, &keys, key);
	else
		call_keys(x, in, r->name, &keys);
	for (size_t i = 0; i < keys.len; i++) {
		const struct why_scope child = {
			.module = call->child,
			.addr = module_addr_child(x->a, in->addr, r->name,
						  keys.items[i]),
			.secret = in->secret,
			.depth = in->depth,
		};

		chain_outputs(x, &child, &whole, out);
	}
}

static void chain_resource(struct explain *x, const struct why_scope *in,
			   const struct reference *r,
			   const struct traversal_ref *t,
			   const struct why_path *path, struct why_vec *out)
{
	const struct explained_vec *all =
		explain_instances(x, in->addr, r->resource);
	const struct inst_key key = t->picks ? picked(in, t->picks) : r->key;

	for (size_t i = 0; all && i < all->len; i++) {
		struct explained *e = all->items[i];
		struct why *w;

		if (e->c.deposed.n || (key.kind != KEY_NONE &&
				       !inst_key_means(key, e->scope.key)))
			continue;
		w = explain_part(x, e, path, in->depth);
		if (w && in->secret)
			w->secret = true;
		why_add(x, out, w);
	}
}

/* What each.value is from: the repetition of the resource or the call. */
static void chain_each(struct explain *x, const struct why_scope *in,
		       const struct reference *r, struct why_vec *out)
{
	const struct expression e = in->resource ? in->resource->for_each
				    : in->call   ? in->call->for_each
						 : EXPRESSION_NONE;
	struct why_path path = { 0 };
	struct why_scope outer = *in;
	struct why *w;

	if (!e.root || !str_is(r->name, "value"))
		return;
	outer.resource = NULL;
	outer.call = NULL;
	outer.rest = NULL;
	if (in->key.kind == KEY_STRING)
		vec_push(x->a, &path, in->key.s);
	steps(x, r->rest, r->nrest, &path);
	w = why_new(x, "repetition", STR("for_each"));
	w->secret = in->secret;
	explain_expression(x, &outer, e, &path, w);
	why_add(x, out, counts(w, &e) ? w : NULL);
}

static void follow(struct explain *x, const struct why_scope *in,
		   const struct traversal_ref *t, struct why_vec *out)
{
	struct diags quiet = DIAGS_INIT(x->a);
	struct why_path path = { 0 };
	struct reference r;

	if (reference_parse(x->a, t, &r, &quiet))
		return;
	steps(x, r.rest, r.nrest, &path);
	steps_behind(x, t, &path);
	for (size_t i = 0; in->rest && i < in->rest->len; i++)
		vec_push(x->a, &path, in->rest->items[i]);
	switch (r.kind) {
	case REF_VARIABLE:
		why_add(x, out, chain_variable(x, in, r.name, &path));
		break;
	case REF_LOCAL:
		why_add(x, out, chain_local(x, in, r.name, &path));
		break;
	case REF_MODULE:
		chain_module(x, in, &r, t, &path, out);
		break;
	case REF_RESOURCE:
		chain_resource(x, in, &r, t, &path, out);
		break;
	case REF_EACH:
		chain_each(x, in, &r, out);
		break;
	default:
		break;
	}
}

void explain_references(struct explain *x, const struct why_scope *in,
			const struct traversal_vec *refs, struct why *w)
{
	struct why_scope deeper = *in;
	struct map told = { 0 };

	if (++deeper.depth > EXPLAIN_DEPTH && refs->len) {
		struct why *cut = why_new(x, "cut", STR_NONE);

		/* It may well have changed: it counts. */
		cut->says = STR("and so on");
		why_add(x, &w->from, cut);
		return;
	}
	for (size_t i = 0; i < refs->len; i++) {
		const struct traversal_ref *t = &refs->items[i];
		struct str text =
			str_sub(t->src->text, t->span.start,
				t->picks ? t->picks->span.end : t->span.end);

		if (map_has(&told, text))
			continue;
		map_put(x->a, &told, text, x);
		follow(x, &deeper, t, &w->from);
	}
	if (w->from.len > EXPLAIN_WIDTH) {
		w->more += w->from.len - EXPLAIN_WIDTH;
		w->from.len = EXPLAIN_WIDTH;
	}
}
