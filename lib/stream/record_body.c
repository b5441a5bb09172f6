/*
 * record_body.c - bodies in records
 *
 *	native  {"at","missing","attributes":{"name":EXPR+"name_at",…},
 *		 "blocks":[{"type","labels","at","header","body"},…]}
 *	JSON    {"at","syntax":"json","expr":"{…}","hidden":["count",…]}
 *	merged  {"merge":"union"|"override","first":BODY,"second":BODY}
 *
 * name_at is left out where the text reads `name = EXPR` with single spaces;
 * header (the text of a block's type and labels) where it is written in the
 * usual way; missing (where a missing argument is reported) where it is the
 * start.  record_body writes, record_body_read reads.
 */
#include "stream/record.h"
#include "base/str.h"
#include "json/tree.h"
#include "json/write.h"
#include "lang/syntax/body.h"

enum { BODY_DEPTH_MAX = 1000 };

static void write_name_at(struct jw *w, const struct attribute *at)
{
	const struct source *src = at->src ? at->src : at->expr.src;
	uint32_t start = at->expr.root->span.start;
	struct range name;
	struct pos expr;

	if (src == at->expr.src && at->name_span.end + 3 == start &&
	    memcmp(src->text.p + start - 3, " = ", 3) == 0)
		return;
	name = source_range(src, at->name_span);
	expr = source_pos(at->expr.src, start);
	if (name.end.line == expr.line && name.end.byte + 3 == expr.byte)
		return;
	record_at(w, "name_at", &name);
}

static void write_attribute(struct jw *w, const struct attribute *at)
{
	jw_key_str(w, at->name);
	jw_object(w);
	record_expression_members(w, at->expr);
	write_name_at(w, at);
	jw_object_end(w);
}

static void usual_header(struct buf *b, struct str type,
			 const struct label *labels, size_t n)
{
	buf_str(b, type);
	for (size_t i = 0; i < n; i++) {
		buf_putc(b, ' ');
		addr_print_quoted(b, labels[i].text);
	}
}

static void write_block(struct jw *w, const struct block *bl)
{
	struct buf usual = BUF_INIT;
	struct str text;

	jw_object(w);
	jw_member_str(w, "type", bl->type);
	jw_key(w, "labels");
	jw_array(w);
	for (size_t i = 0; i < bl->nlabels; i++)
		jw_str(w, bl->labels[i].text);
	jw_array_end(w);
	record_span(w, bl->src, bl->header);
	text = str_sub(bl->src->text, bl->header.start, bl->header.end);
	usual_header(&usual, bl->type, bl->labels, bl->nlabels);
	if (!bl->src->opaque_end.line && !str_eq(text, buf_view(&usual)))
		jw_member_str(w, "header", text);
	buf_release(&usual);
	jw_key(w, "body");
	record_body(w, bl->body);
	jw_object_end(w);
}

static void write_missing(struct jw *w, const struct body *b)
{
	struct range span = source_range(b->src, b->span);
	struct range end = source_range(b->src, b->end);

	if (end.start.byte != span.start.byte ||
	    end.end.byte != span.start.byte)
		record_at(w, "missing", &end);
}

static void write_json_body(struct jw *w, const struct body *b)
{
	struct arena a = ARENA_INIT;
	struct str_vec hidden = { 0 };

	jw_member_str(w, "syntax", STR("json"));
	jw_member_str(w, "expr",
		      str_sub(b->src->text, b->span.start, b->span.end));
	body_hidden_names(&a, b, &hidden);
	if (hidden.len) {
		jw_key(w, "hidden");
		jw_array(w);
		for (size_t i = 0; i < hidden.len; i++)
			jw_str(w, hidden.items[i]);
		jw_array_end(w);
	}
	arena_release(&a);
}

static void write_native_body(struct jw *w, const struct body *b)
{
	write_missing(w, b);
	jw_key(w, "attributes");
	jw_object(w);
	for (size_t i = 0; i < b->attrs.len; i++)
		if (!body_hides_attr(b, b->attrs.items[i].name))
			write_attribute(w, &b->attrs.items[i]);
	jw_object_end(w);
	jw_key(w, "blocks");
	jw_array(w);
	for (size_t i = 0; i < b->blocks.len; i++)
		if (!body_hides_block(b, b->blocks.items[i].type))
			write_block(w, &b->blocks.items[i]);
	jw_array_end(w);
}

/* Depth is bounded by the parser's limit. */
void record_body(struct jw *w, const struct body *b)
{
	jw_object(w);
	if (b->merged) {
		jw_member_str(w, "merge",
			      b->merged->kind == BODY_UNION ? STR("union")
							    : STR("override"));
		jw_key(w, "first");
		record_body(w, b->merged->first);
		jw_key(w, "second");
		record_body(w, b->merged->second);
		jw_object_end(w);
		return;
	}
	record_span(w, b->src, b->span);
	if (b->json)
		write_json_body(w, b);
	else
		write_native_body(w, b);
	jw_object_end(w);
}

/* --- reading --- */

static struct body *read_body(struct record_reader *r, const struct json *j,
			      int depth);

/* The range of `name` if the record has none: before " = EXPR". */
static struct range usual_name_at(struct str name, struct pos expr,
				  struct str file)
{
	struct range r = { file, expr, expr };
	uint32_t columns = 0;

	for (struct str s = name; s.n; columns++) {
		size_t n = grapheme_len(s);

		s = str_sub(s, n, s.n);
	}
	if (expr.byte < name.n + 3 || expr.column <= columns + 3)
		return r;
	r.end.byte -= 3;
	r.end.column -= 3;
	r.start = r.end;
	r.start.byte -= (uint32_t)name.n;
	r.start.column -= columns;
	return r;
}

/* The name's source is opaque: it ends where the name does. */
static void place_apart(struct record_reader *r, struct attribute *at,
			const struct range *name)
{
	struct range usual, expr;

	if (!range_present(name)) {
		expr = expression_range(at->expr);
		usual = usual_name_at(at->name, expr.start, expr.file);
		name = &usual;
	}
	at->src = source_opaque(r->arena, name);
	at->name_span = at->span = (struct span){ 0, 1 };
}

/* Finds the name in the file that the expression is a part of; false: it is not
 * there. */
static bool place_in_file(struct record_reader *r, struct attribute *at,
			  const struct range *name)
{
	const struct source *file = at->expr.src;
	struct span expr = at->expr.root->span, span;

	if (file != r->last || file->opaque_end.line)
		return false;
	span = (struct span){ name->start.byte, name->end.byte };
	if (!range_present(name)) {
		if (expr.start < at->name.n + 3)
			return false;
		span.end = expr.start - 3;
		span.start = span.end - (uint32_t)at->name.n;
	}
	if (span.end > file->text.n ||
	    !str_eq(str_sub(file->text, span.start, span.end), at->name))
		return false;
	at->name_span = span;
	at->span = (struct span){ span.start, expr.end };
	at->name = str_sub(file->text, span.start, span.end);
	return true;
}

static int read_attribute(struct record_reader *r, const struct json_member *m,
			  struct attribute *out)
{
	struct range name;

	*out = (struct attribute){ .name = m->name };
	if (record_expression_read(r, &m->value, &out->expr))
		return -1;
	if (!out->expr.root)
		return record_invalid(r->ds, "an attribute has no expression");
	record_at_read(r, json_get(&m->value, "name_at"), &name);
	if (!place_in_file(r, out, &name)) {
		out->name = str_dup(r->arena, m->name);
		place_apart(r, out, &name);
	}
	return 0;
}

static int read_attributes(struct record_reader *r, const struct json *j,
			   struct body *b)
{
	int rc = 0;

	if (!j)
		return 0;
	if (j->kind != JSON_OBJECT)
		return record_invalid(r->ds, "\"attributes\" is not an object");
	b->attrs.items = ARENA_ARRAY(r->arena, struct attribute, j->len);
	b->attrs.cap = j->len;
	for (size_t i = 0; i < j->len; i++) {
		struct attribute *at = &b->attrs.items[b->attrs.len];

		if (read_attribute(r, &j->members[i], at))
			rc = -1;
		else
			b->attrs.len++;
	}
	return rc;
}

/* Finds the labels in the header's text, which begins at `base` of the source;
 * the whole header where the text is not as expected. */
static void place_labels(struct block *bl, struct label *labels,
			 struct str text, uint32_t base)
{
	size_t i = bl->type.n;

	bl->header = (struct span){ base, base + (uint32_t)text.n };
	bl->type_span = (struct span){ base, base + (uint32_t)bl->type.n };
	for (size_t k = 0; k < bl->nlabels; k++) {
		size_t start;

		while (i < text.n && (text.p[i] == ' ' || text.p[i] == '\t'))
			i++;
		start = i;
		if (i < text.n && text.p[i] == '"') {
			for (i++; i < text.n && text.p[i] != '"'; i++)
				if (text.p[i] == '\\')
					i++;
			i++;
		} else {
			while (i < text.n && text.p[i] != ' ' &&
			       text.p[i] != '\t')
				i++;
		}
		if (i > text.n)
			i = text.n;
		labels[k].span = (struct span){ base + (uint32_t)start,
						base + (uint32_t)i };
	}
}

static int read_labels(struct record_reader *r, const struct json *j,
		       struct block *out, struct label **labels)
{
	if (j && j->kind != JSON_ARRAY)
		return record_invalid(r->ds, "\"labels\" is not an array");
	out->nlabels = j ? j->len : 0;
	*labels = ARENA_ARRAY(r->arena, struct label, out->nlabels);
	for (size_t i = 0; i < out->nlabels; i++) {
		if (j->items[i].kind != JSON_STRING)
			return record_invalid(r->ds, "a label is not a string");
		(*labels)[i].text = str_dup(r->arena, j->items[i].text);
	}
	out->labels = *labels;
	return 0;
}

/* The header's text in its file, or apart from it; the brace is where it
 * usually is. */
static void place_header(struct record_reader *r, struct block *bl,
			 struct label *labels, struct buf *text,
			 const struct range *at)
{
	struct span span = { at->start.byte, at->end.byte };
	struct str header = buf_view(text);

	bl->src = record_file(r, at);
	if (!bl->src || span.end + 2 > bl->src->text.n ||
	    !str_eq(str_sub(bl->src->text, span.start, span.end), header)) {
		span = (struct span){ 0, (uint32_t)text->len };
		buf_puts(text, " {");
		bl->src = source_fragment(r->arena, at->file,
					  buf_dup(r->arena, text), at->start);
	}
	header = str_sub(bl->src->text, span.start, span.end);
	place_labels(bl, labels, header, span.start);
	bl->open = bl->close = (struct span){ span.end + 1, span.end + 2 };
}

static int read_block(struct record_reader *r, const struct json *j, int depth,
		      struct block *out)
{
	struct str header = json_get_str(j, "header");
	struct buf text = BUF_INIT;
	struct label *labels = NULL;
	struct range at;

	*out = (struct block){ .type = str_dup(r->arena,
					       json_get_str(j, "type")) };
	if (!out->type.n || record_at_read(r, json_get(j, "at"), &at))
		return record_invalid(r->ds,
				      "a block lacks \"type\" or \"at\"");
	if (read_labels(r, json_get(j, "labels"), out, &labels))
		return -1;
	if (header.p)
		buf_str(&text, header);
	else
		usual_header(&text, out->type, labels, out->nlabels);
	place_header(r, out, labels, &text, &at);
	buf_release(&text);
	out->body = read_body(r, json_get(j, "body"), depth + 1);
	return out->body ? 0 : -1;
}

static int read_blocks(struct record_reader *r, const struct json *j, int depth,
		       struct body *b)
{
	int rc = 0;

	if (!j)
		return 0;
	if (j->kind != JSON_ARRAY)
		return record_invalid(r->ds, "\"blocks\" is not an array");
	b->blocks.items = ARENA_ARRAY(r->arena, struct block, j->len);
	b->blocks.cap = j->len;
	for (size_t i = 0; i < j->len; i++) {
		struct block *bl = &b->blocks.items[b->blocks.len];

		if (read_block(r, &j->items[i], depth, bl))
			rc = -1;
		else
			b->blocks.len++;
	}
	return rc;
}

static struct body *read_json_body(struct record_reader *r,
				   const struct json *j, const struct range *at)
{
	const struct json *hidden = json_get(j, "hidden");
	struct str text = str_dup(r->arena, json_get_str(j, "expr"));
	size_t errors = r->ds->errors, n = 0;
	struct str_vec names = { 0 };
	struct body *b;

	b = parse_json_part(
		r->arena, source_fragment(r->arena, at->file, text, at->start),
		r->ds);
	if (!b || r->ds->errors > errors)
		return NULL;
	n = hidden && hidden->kind == JSON_ARRAY ? hidden->len : 0;
	for (size_t i = 0; i < n; i++)
		if (hidden->items[i].kind == JSON_STRING)
			vec_push(r->arena, &names,
				 str_dup(r->arena, hidden->items[i].text));
	return names.len ? body_hide(r->arena, b, names.items, names.len) : b;
}

static void place_body(struct record_reader *r, struct body *b,
		       const struct range *at, const struct range *missing)
{
	bool differs = range_present(missing);

	b->src = record_file(r, at);
	if (b->src) {
		b->span = (struct span){ at->start.byte, at->end.byte };
		b->end = (struct span){ at->start.byte, at->start.byte };
		if (differs && missing->end.byte <= b->src->text.n)
			b->end = (struct span){ missing->start.byte,
						missing->end.byte };
		return;
	}
	/* The missing item's place is another piece of text in general, but
	 * within one opaque source only two positions are known. */
	b->src = source_opaque(r->arena, at);
	b->span = (struct span){ 0, 1 };
	if (differs && missing->end.byte == at->end.byte)
		b->end = (struct span){ 1, 1 };
}

static struct body *read_native_body(struct record_reader *r,
				     const struct json *j,
				     const struct range *at, int depth)
{
	struct body *b = ARENA_NEW(r->arena, struct body);
	struct range missing;

	record_at_read(r, json_get(j, "missing"), &missing);
	place_body(r, b, at, &missing);
	if (read_attributes(r, json_get(j, "attributes"), b) ||
	    read_blocks(r, json_get(j, "blocks"), depth, b))
		return NULL;
	return b;
}

static struct body *read_merged(struct record_reader *r, const struct json *j,
				int depth)
{
	struct str how = json_get_str(j, "merge");
	struct body *first = read_body(r, json_get(j, "first"), depth + 1);
	struct body *second =
		first ? read_body(r, json_get(j, "second"), depth + 1) : NULL;

	if (!second)
		return NULL;
	return body_merge(r->arena,
			  str_is(how, "union") ? BODY_UNION : BODY_OVERRIDE,
			  first, second);
}

static struct body *read_body(struct record_reader *r, const struct json *j,
			      int depth)
{
	struct range at;

	if (depth > BODY_DEPTH_MAX) {
		record_invalid(r->ds, "a body is nested too deeply");
		return NULL;
	}
	if (json_get(j, "merge"))
		return read_merged(r, j, depth);
	if (record_at_read(r, json_get(j, "at"), &at)) {
		record_invalid(r->ds, "a body lacks \"at\"");
		return NULL;
	}
	if (json_get_str(j, "expr").p)
		return read_json_body(r, j, &at);
	return read_native_body(r, j, &at, depth);
}

int record_body_read(struct record_reader *r, const struct json *j,
		     struct body **out)
{
	*out = NULL;
	if (!j)
		return 0;
	*out = read_body(r, j, 0);
	return *out ? 0 : -1;
}
