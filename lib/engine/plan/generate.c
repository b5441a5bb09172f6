/*
 * generate.c - see plan_int.h
 *
 * Written without regard to layout; the formatter sees to that.  Sensitive
 * values are left for the author to fill in.  How deep it goes is limited by
 * the schema.
 */
#include "engine/plan/plan_int.h"
#include "json/json.h"
#include "json/read.h"
#include "lang/format/format.h"
#include "lang/syntax/ident.h"
#include "value/codec_json.h"
#include "value/number.h"

enum { MOST_DEPTH = 100 };

struct gen {
	struct arena *a;
	struct buf *b;
	struct diags *ds;
};

/* By its schema, too: values have the marks of theirs. */
static bool is_sensitive(const struct value *v)
{
	return v && value_has_mark(v, MARK_SENSITIVE);
}

/* --- values as expressions --- */

static void put_value(struct gen *g, const struct value *v, int depth);

static void put_key(struct gen *g, struct str k)
{
	if (ident_valid(k))
		buf_str(g->b, k);
	else
		addr_print_quoted(g->b, k);
}

static void put_object(struct gen *g, const struct value *v, int depth)
{
	buf_puts(g->b, v->len ? "{\n" : "{");
	for (uint32_t i = 0; i < v->len; i++) {
		put_key(g, v->type->kind == TYPE_OBJECT ? v->type->attrs[i].name
							: v->keys[i]);
		buf_puts(g->b, " = ");
		put_value(g, v->elems[i], depth);
		buf_putc(g->b, '\n');
	}
	buf_putc(g->b, '}');
}

static void put_value(struct gen *g, const struct value *v, int depth)
{
	if (!value_usable(v) || depth > MOST_DEPTH ||
	    value_has_mark(v, MARK_SENSITIVE)) {
		buf_puts(g->b, "null");
		return;
	}
	switch (v->type->kind) {
	case TYPE_BOOL:
		buf_puts(g->b, v->boolean ? "true" : "false");
		break;
	case TYPE_NUMBER:
		buf_str(g->b, value_number_text(g->a, v));
		break;
	case TYPE_STRING:
		addr_print_quoted(g->b, v->string);
		break;
	case TYPE_LIST:
	case TYPE_SET:
	case TYPE_TUPLE:
		buf_putc(g->b, '[');
		for (uint32_t i = 0; i < v->len; i++) {
			if (i)
				buf_puts(g->b, ", ");
			put_value(g, v->elems[i], depth + 1);
		}
		buf_putc(g->b, ']');
		break;
	case TYPE_MAP:
	case TYPE_OBJECT:
		put_object(g, v, depth + 1);
		break;
	default:
		buf_puts(g->b, "null");
		break;
	}
}

/* A string that holds a JSON object or array is better read as
 * jsonencode(...). */
static bool put_encoded(struct gen *g, const struct value *v)
{
	struct json_error error;
	const struct value *inner;
	const struct json *j;
	struct str s;

	if (v->type != &type_string || !value_usable(v))
		return false;
	s = v->string;
	while (s.n && strchr(" \t\r\n", *s.p))
		s = str_sub(s, 1, s.n);
	if (!s.n || (*s.p != '{' && *s.p != '['))
		return false;
	j = json_parse(g->a, s, &error);
	inner = j ? value_from_json_implied(g->a, j) : NULL;
	if (!inner)
		return false;
	buf_puts(g->b, "jsonencode(");
	put_value(g, inner, 0);
	buf_putc(g->b, ')');
	return true;
}

/* --- attributes --- */

static void put_attrs(struct gen *g, const struct schema_block *b,
		      const struct value *v, bool outermost, int depth);

static void end_attr(struct gen *g, const struct schema_attr *at)
{
	buf_puts(g->b, at->write_only ? " # write-only\n" : "\n");
}

static void put_sensitive(struct gen *g, const struct schema_attr *at,
			  const char *instead)
{
	buf_puts(g->b, instead);
	buf_puts(g->b, " # sensitive");
	buf_puts(g->b, at->write_only ? " write-only\n" : "\n");
}

static void put_elements(struct gen *g, const struct schema_attr *at,
			 const struct value *v, int depth)
{
	const struct schema_nested *n = at->nested;
	bool map = n->nesting == NESTING_MAP;

	buf_puts(g->b, map ? "{\n" : "[\n");
	for (uint32_t i = 0; i < v->len; i++) {
		if (map) {
			put_key(g, v->type->kind == TYPE_OBJECT
					   ? v->type->attrs[i].name
					   : v->keys[i]);
			buf_puts(g->b, " = ");
		}
		buf_putc(g->b, '{');
		if (is_sensitive(v->elems[i])) {
			buf_puts(g->b,
				 map ? "} # sensitive\n" : "}, # sensitive\n");
			continue;
		}
		buf_putc(g->b, '\n');
		put_attrs(g, n->block, v->elems[i], false, depth);
		buf_puts(g->b, map ? "}\n" : "},\n");
	}
	buf_putc(g->b, map ? '}' : ']');
	end_attr(g, at);
}

static void put_nested(struct gen *g, const struct schema_attr *at,
		       const struct value *v, int depth)
{
	const struct schema_nested *n = at->nested;

	if (is_sensitive(v)) {
		put_sensitive(g, at,
			      n->nesting == NESTING_LIST ||
					      n->nesting == NESTING_SET
				      ? "[]"
				      : "{}");
	} else if (!v || !value_usable(v) || depth > MOST_DEPTH) {
		buf_puts(g->b, "null");
		end_attr(g, at);
	} else if (nesting_single(n->nesting)) {
		buf_puts(g->b, "{\n");
		put_attrs(g, n->block, v, false, depth);
		buf_putc(g->b, '}');
		end_attr(g, at);
	} else {
		put_elements(g, at, v, depth);
	}
}

/* An argument "id" that providers may set as well is in many schemas without
 * being an argument at all. */
static bool is_legacy_id(const struct schema_attr *at)
{
	return str_is(at->name, "id") && at->optional && at->computed;
}

static void put_attrs(struct gen *g, const struct schema_block *b,
		      const struct value *v, bool outermost, int depth)
{
	for (size_t i = 0; i < b->nattrs; i++) {
		const struct schema_attr *at = &b->attrs[i];
		const struct value *x = value_get(v, at->name);

		if ((!at->required && !at->optional) || at->deprecated ||
		    (outermost && is_legacy_id(at)))
			continue;
		put_key(g, at->name);
		buf_puts(g->b, " = ");
		if (at->nested) {
			put_nested(g, at, x, depth + 1);
			continue;
		}
		if (is_sensitive(x)) {
			put_sensitive(g, at, "null");
			continue;
		}
		if (!x)
			buf_puts(g->b, "null");
		else if (!put_encoded(g, x))
			put_value(g, x, 0);
		end_attr(g, at);
	}
}

/* --- blocks --- */

static void put_body(struct gen *g, const struct schema_block *s,
		     const struct value *v, bool outermost, int depth);

static void put_block(struct gen *g, const struct schema_nested *n,
		      const struct str *label, const struct value *v, int depth)
{
	buf_str(g->b, n->type_name);
	if (label) {
		buf_putc(g->b, ' ');
		addr_print_quoted(g->b, *label);
	}
	buf_puts(g->b, " {");
	if (is_sensitive(v)) {
		buf_puts(g->b, "} # sensitive\n");
		return;
	}
	buf_putc(g->b, '\n');
	put_body(g, n->block, v, false, depth + 1);
	buf_puts(g->b, "}\n");
}

static void put_blocks(struct gen *g, const struct schema_nested *n,
		       const struct value *v, int depth)
{
	if (!value_usable(v) || depth > MOST_DEPTH)
		return;
	if (is_sensitive(v) || nesting_single(n->nesting)) {
		put_block(g, n, NULL, v, depth);
		return;
	}
	for (uint32_t i = 0; i < v->len; i++) {
		const struct str *label = NULL;

		if (n->nesting == NESTING_MAP)
			label = v->type->kind == TYPE_OBJECT
					? &v->type->attrs[i].name
					: &v->keys[i];
		put_block(g, n, label, v->elems[i], depth);
	}
}

static void put_body(struct gen *g, const struct schema_block *s,
		     const struct value *v, bool outermost, int depth)
{
	put_attrs(g, s, v, outermost, depth);
	for (size_t i = 0; i < s->nblocks; i++) {
		const struct schema_nested *n = &s->blocks[i];
		const struct value *x = value_get(v, n->type_name);

		if (x && !n->block->deprecated)
			put_blocks(g, n, x, depth);
	}
}

/* --- */

static struct str formatted(struct arena *a, struct buf *text, struct diags *ds)
{
	struct source *src =
		source_new(a, STR("generated.tf"), buf_dup(a, text));
	struct buf out = BUF_INIT;
	struct str done = src->text;

	if (!format_source(src, &out, ds))
		done = buf_dup(a, &out);
	buf_release(&out);
	buf_release(text);
	return done;
}

struct str generate_body(struct arena *a, const struct schema_block *schema,
			 const char *provider, const struct value *v,
			 struct diags *ds)
{
	struct buf b = BUF_INIT;
	struct gen g = { a, &b, ds };

	if (provider)
		buf_addf(&b, "provider = %s\n", provider);
	put_body(&g, schema, v, true, 0);
	return formatted(a, &b, ds);
}

struct str generate_block(struct arena *a, const struct resource_addr *r,
			  struct str body, struct diags *ds)
{
	struct buf b = BUF_INIT;

	buf_addf(&b, "resource \"%.*s\" \"%.*s\" {\n", STR_ARG(r->type),
		 STR_ARG(r->name));
	buf_str(&b, body);
	buf_putc(&b, '}');
	return formatted(a, &b, ds);
}
