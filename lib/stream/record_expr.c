/*
 * record_expr.c - expressions in records
 *
 * A scalar, or a collection of scalars, travels as its value if JSON says
 * exactly the same; everything else as its source text, which the evaluating
 * stage parses again.  record_expression writes, record_expression_read reads.
 */
#include <stdalign.h>

#include "stream/record.h"
#include "json/tree.h"
#include "json/write.h"
#include "lang/syntax/body.h"
#include "lang/syntax/parse.h"
#include "lang/syntax/walk.h"
#include "addr/reference.h"
#include "lang/eval/eval.h"
#include "value/value.h"
#include "value/number.h"

/* Numbers that programs such as jq hold exactly. */
static bool plain_number(const struct value *v)
{
	int64_t n;

	return value_get_int(v, &n) && n <= (INT64_C(1) << 53) &&
	       n >= -(INT64_C(1) << 53);
}

static bool plain_literal(const struct value *v)
{
	if (v->marks || v->state == VALUE_UNKNOWN)
		return false;
	return v->type != &type_number || value_is_null(v) || plain_number(v);
}

static bool plain_key(const struct object_item *item)
{
	if (item->key_is_name)
		return true;
	return item->key->kind == EXPR_LITERAL &&
	       item->key->literal->type == &type_string &&
	       value_usable(item->key->literal);
}

static struct str key_text(struct expression e, const struct object_item *item)
{
	if (item->key->kind == EXPR_LITERAL)
		return item->key->literal->string;
	return str_sub(e.src->text, item->key->span.start, item->key->span.end);
}

/* Whether a key occurs twice; objects that long are written as text. */
static bool repeats_key(struct expression e, size_t i)
{
	const struct object_item *items = e.root->object.items;
	struct str key = key_text(e, &items[i]);

	for (size_t k = 0; k < i; k++)
		if (str_eq(key_text(e, &items[k]), key))
			return true;
	return false;
}

enum { PLAIN_OBJECT_MAX = 64 };

static bool plain(struct expression e);

static bool plain_object(struct expression e)
{
	const struct expr *x = e.root;

	if (x->object.nitems > PLAIN_OBJECT_MAX)
		return false;
	for (size_t i = 0; i < x->object.nitems; i++) {
		const struct object_item *item = &x->object.items[i];
		struct expression v = { e.src, item->value };

		if (!plain_key(item) || repeats_key(e, i) || !plain(v))
			return false;
	}
	return true;
}

/* Depth is bounded by the parser's limit. */
static bool plain(struct expression e)
{
	const struct expr *x = e.root;

	switch (x->kind) {
	case EXPR_LITERAL:
		return plain_literal(x->literal);
	case EXPR_TUPLE:
		for (size_t i = 0; i < x->nitems; i++)
			if (!plain((struct expression){ e.src, x->items[i] }))
				return false;
		return true;
	case EXPR_OBJECT:
		return plain_object(e);
	default:
		return false;
	}
}

static void write_literal(struct jw *w, const struct value *v)
{
	struct arena a = ARENA_INIT;
	int64_t n = 0;

	if (value_is_null(v)) {
		jw_null(w);
	} else if (v->type == &type_bool) {
		jw_bool(w, v->boolean);
	} else if (v->type == &type_string) {
		jw_str(w, v->string);
	} else if (value_get_int(v, &n)) {
		jw_int(w, n);
	} else {
		jw_raw(w, value_number_text(&a, v));
	}
	arena_release(&a);
}

static void write_plain(struct jw *w, struct expression e)
{
	const struct expr *x = e.root;

	if (x->kind == EXPR_LITERAL) {
		write_literal(w, x->literal);
	} else if (x->kind == EXPR_TUPLE) {
		jw_array(w);
		for (size_t i = 0; i < x->nitems; i++)
			write_plain(w,
				    (struct expression){ e.src, x->items[i] });
		jw_array_end(w);
	} else {
		jw_object(w);
		for (size_t i = 0; i < x->object.nitems; i++) {
			const struct object_item *item = &x->object.items[i];

			jw_key_str(w, key_text(e, item));
			write_plain(w,
				    (struct expression){ e.src, item->value });
		}
		jw_object_end(w);
	}
}

/* The published list: what each variable refers to, in order, without those
 * that are no references (a type keyword, a loop's variable). */
static void write_references(struct jw *w, struct expression e)
{
	alignas(16) char room[2048];
	struct arena a = ARENA_IN(room);
	struct diags ignored = DIAGS_INIT(&a);
	struct traversal_vec vars = { 0 };
	struct str_vec names = { 0 };
	struct reference ref;

	expression_variables(&a, e, &vars);
	for (size_t i = 0; i < vars.len; i++) {
		const struct traversal *t = &vars.items[i].traversal;

		/* Nothing else is complete without an attribute: the keywords
		 * of types end here, without a message about them. */
		if (!t->nsteps && !str_is(t->root, "self"))
			continue;
		if (!reference_parse(&a, &vars.items[i], &ref, &ignored))
			reference_publish(&a, &ref, &names);
	}
	jw_key(w, "references");
	jw_array(w);
	for (size_t i = 0; i < names.len; i++)
		jw_str(w, names.items[i]);
	jw_array_end(w);
	arena_release(&a);
}

void record_expression_members(struct jw *w, struct expression e)
{
	/* An expression that was read as a value has no text. */
	if (e.src->opaque_end.line || plain(e)) {
		jw_key(w, "constant_value");
		write_plain(w, e);
	} else {
		jw_member_str(w, "expr", expression_text(e));
		write_references(w, e);
		if (e.root->kind == EXPR_JSON)
			jw_member_str(w, "syntax", STR("json"));
	}
	record_span(w, e.src, e.root->span);
}

void record_expression(struct jw *w, struct expression e)
{
	jw_object(w);
	record_expression_members(w, e);
	jw_object_end(w);
}

void record_expression_member(struct jw *w, const char *member,
			      struct expression e)
{
	if (!e.root)
		return;
	jw_key(w, member);
	record_expression(w, e);
}

/* --- reading --- */

static const struct value *read_scalar(struct arena *a, const struct json *j)
{
	switch (j->kind) {
	case JSON_BOOL:
		return value_bool(j->boolean);
	case JSON_NUMBER:
		return value_number_parse(a, j->text);
	case JSON_STRING:
		return value_string(a, str_dup(a, j->text));
	default:
		return &value_null_dynamic;
	}
}

static enum expr_kind plain_kind(const struct json *j)
{
	return j->kind == JSON_ARRAY    ? EXPR_TUPLE
	       : j->kind == JSON_OBJECT ? EXPR_OBJECT
					: EXPR_LITERAL;
}

/* All nodes have the range of the whole constant; NULL: a number that is too
 * large.  Depth is bounded by the JSON reader's limit. */
static const struct expr *read_plain(struct arena *a, const struct json *j,
				     struct span at)
{
	struct expr *x = expr_new(a, plain_kind(j), at);
	bool bad = false;

	if (j->kind == JSON_ARRAY) {
		const struct expr **items =
			ARENA_ARRAY(a, const struct expr *, j->len);

		for (size_t i = 0; i < j->len; i++)
			bad |= !(items[i] = read_plain(a, &j->items[i], at));
		x->items = items;
		x->nitems = j->len;
	} else if (j->kind == JSON_OBJECT) {
		struct object_item *items =
			ARENA_ARRAY(a, struct object_item, j->len);

		for (size_t i = 0; i < j->len; i++) {
			struct expr *key = expr_new(a, EXPR_LITERAL, at);

			key->literal =
				value_string(a, str_dup(a, j->members[i].name));
			items[i].key = key;
			items[i].value =
				read_plain(a, &j->members[i].value, at);
			bad |= !items[i].value;
		}
		x->object.items = items;
		x->object.nitems = j->len;
		x->object.open = at;
	} else {
		x->literal = read_scalar(a, j);
		bad = !x->literal;
	}
	return bad ? NULL : x;
}

/* The text as a source with its original position.  A heredoc's end mark needs
 * the newline that followed it in the file. */
static const struct source *text_source(struct arena *a, struct str text,
					const struct range *at)
{
	char *p;

	if (!text.n || !memchr(text.p, '\n', text.n))
		return source_fragment(a, at->file, str_dup(a, text),
				       at->start);
	p = arena_alloc(a, text.n + 2);
	memcpy(p, text.p, text.n);
	p[text.n] = '\n';
	p[text.n + 1] = '\0';
	return source_fragment(a, at->file, (struct str){ p, text.n + 1 },
			       at->start);
}

/* Does the file say text there? */
static bool stands_in(const struct source *file, struct span span,
		      struct str text)
{
	return str_eq(str_sub(file->text, span.start, span.end), text);
}

/* The part of a file, parsed once for modules that are called again. */
static struct expression parse_part(struct record_reader *r,
				    struct source *file, struct span span)
{
	const struct str key = { (const char *)&span, sizeof(span) };
	struct map_entry *known = map_slot(r->arena, &file->parts, key);
	struct expression e = { file, known->value };

	if (e.root)
		return e;
	known->key = str_dup(r->arena, key);
	e = parse_expression_part(r->arena, file, span, r->ds);
	known->value = (void *)e.root;
	return e;
}

static int read_text(struct record_reader *r, const struct json *j,
		     struct str text, const struct range *at,
		     struct expression *out)
{
	struct span span = { at->start.byte, at->end.byte };
	struct source *file = record_file(r, at);
	size_t errors = r->ds->errors;
	struct arena *a = r->arena;

	if (str_is(json_get_str(j, "syntax"), "json"))
		*out = parse_json_expression(a,
					     source_fragment(a, at->file,
							     str_dup(a, text),
							     at->start),
					     r->ds);
	else if (file && stands_in(file, span, text))
		*out = r->share ? parse_part(r, file, span)
				: parse_expression_part(a, file, span, r->ds);
	else
		*out = parse_expression(a, text_source(a, text, at), r->ds);
	return r->ds->errors > errors || !out->root ? -1 : 0;
}

static int read_constant(struct record_reader *r, const struct json *j,
			 const struct range *at, struct expression *out)
{
	const struct source *file = record_file(r, at);
	struct span span = { 0, 1 };

	if (file)
		span = (struct span){ at->start.byte, at->end.byte };
	else
		file = source_opaque(r->arena, at);
	out->src = file;
	out->root = read_plain(r->arena, j, span);
	if (out->root)
		return 0;
	return record_invalid(r->ds,
			      "a number in \"constant_value\" is out of range");
}

int record_expression_read(struct record_reader *r, const struct json *j,
			   struct expression *out)
{
	const struct json *constant = json_get(j, "constant_value");
	struct str text = json_get_str(j, "expr");
	struct range at;

	*out = EXPRESSION_NONE;
	if (!j)
		return 0;
	/* `at` is optional, for expressions written by hand. */
	if (record_at_read(r, json_get(j, "at"), &at))
		at = (struct range){ STR("<stream>"),
				     { 1, 1, 0 },
				     { 1, 1, 0 } };
	if (text.p)
		return read_text(r, j, text, &at, out);
	if (!constant)
		return record_invalid(
			r->ds,
			"an expression has neither \"expr\" nor \"constant_value\"");
	return read_constant(r, constant, &at, out);
}

static bool same_span(struct span a, struct span b)
{
	return a.start == b.start && a.end == b.end;
}

/* Have its parts no places of their own, but that of the whole, as read_plain
 * makes them? */
static bool is_placeless(const struct expr *x)
{
	if (x->kind == EXPR_TUPLE)
		return x->nitems && same_span(x->items[0]->span, x->span);
	return x->kind == EXPR_OBJECT && x->object.nitems &&
	       same_span(x->object.items[0].value->span, x->span);
}

struct expression record_expression_placed(struct arena *a, struct expression e)
{
	struct diags quiet = DIAGS_INIT(a);
	struct expression written;

	if (!is_placeless(e.root) || e.src->opaque_end.line)
		return e;
	written = parse_expression_part(a, e.src, e.root->span, &quiet);
	if (diags_failed(&quiet) || !written.root ||
	    !value_equal_unmarked(eval_expression(a, NULL, written, &quiet),
				  eval_expression(a, NULL, e, &quiet)))
		return e;
	return written;
}

/* --- traversals --- */

void record_traversal(struct jw *w, const struct traversal_ref *t)
{
	alignas(16) char room[512];
	struct arena a = ARENA_IN(room);
	struct buf b = BUF_INIT;

	traversal_print(&a, &b, &t->traversal);
	jw_object(w);
	jw_member_str(w, "expr", buf_view(&b));
	record_span(w, t->src, t->span);
	jw_object_end(w);
	buf_release(&b);
	arena_release(&a);
}

/* .root.steps instead of root.steps */
static void make_relative(struct arena *a, struct traversal *t)
{
	struct step *steps = ARENA_ARRAY(a, struct step, t->nsteps + 1);

	steps[0] = (struct step){ .kind = STEP_ATTR,
				  .name = t->root,
				  .span = t->root_span };
	if (t->nsteps)
		memcpy(steps + 1, t->steps, t->nsteps * sizeof(*steps));
	*t = (struct traversal){ .steps = steps, .nsteps = t->nsteps + 1 };
}

int record_traversal_read(struct record_reader *r, const struct json *j,
			  bool relative, struct traversal_ref *out)
{
	struct arena *a = r->arena;
	struct str text = json_get_str(j, "expr");
	struct source *src;
	struct range at;

	memset(out, 0, sizeof(*out));
	if (!text.p || record_at_read(r, json_get(j, "at"), &at))
		return record_invalid(r->ds,
				      "a reference lacks \"expr\" or \"at\"");
	/* A reference is printed without the spaces and comments that it may
	 * have. */
	src = source_fragment(a, at.file, str_dup(a, text), at.start);
	src->text_end = at.end;
	out->src = src;
	out->span = (struct span){ 0, (uint32_t)text.n };
	if (parse_traversal(a, out->src, &out->traversal, r->ds))
		return -1;
	if (relative)
		make_relative(a, &out->traversal);
	return 0;
}
