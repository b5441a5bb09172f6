/*
 * write.c - JSON text out; see json.h
 *
 * A struct jw keeps only where commas go.  Output is compact unless jw.indent
 * is set, when each member and element is on its own line.
 */
#include "json/write.h"
#include "json/json.h"
#include "json/json_int.h"

void jw_newline_(struct jw *w)
{
	size_t n = (size_t)w->indent * (size_t)(w->depth > 0 ? w->depth : 0);
	struct buf *b = w->out;

	buf_grow(b, n + 1);
	b->p[b->len++] = '\n';
	memset(b->p + b->len, ' ', n);
	b->len += n;
	b->p[b->len] = '\0';
}

static inline void before(struct jw *w)
{
	if (w->keyed) {
		w->keyed = false;
		return;
	}
	if (!w->depth)
		return;
	if (w->comma)
		buf_putc(w->out, ',');
	jw_newline(w);
	w->comma = true;
}

void jw_before(struct jw *w)
{
	before(w);
}

static void open_with(struct jw *w, char c)
{
	before(w);
	buf_putc(w->out, c);
	w->depth++;
	w->comma = false;
}

static void close_with(struct jw *w, char c)
{
	w->depth--;
	if (w->comma)
		jw_newline(w);
	buf_putc(w->out, c);
	w->comma = true;
}

void jw_object(struct jw *w)
{
	open_with(w, '{');
}

void jw_object_end(struct jw *w)
{
	close_with(w, '}');
}

void jw_array(struct jw *w)
{
	open_with(w, '[');
}

void jw_array_end(struct jw *w)
{
	close_with(w, ']');
}

/* "s + tail"; the tail needs no escapes. */
static void quoted(struct jw *w, struct str s, struct str tail)
{
	size_t n = json_plain(s, w->html);
	struct buf *b = w->out;

	buf_grow(b, s.n + tail.n + 2);
	b->p[b->len++] = '"';
	if (n)
		json_copy(b->p + b->len, s.p, n);
	b->len += n;
	if (n < s.n)
		w->varied |= json_escape(b, str_sub(s, n, s.n), w->html);
	buf_grow(b, tail.n + 1);
	if (tail.n)
		memcpy(b->p + b->len, tail.p, tail.n);
	b->len += tail.n;
	b->p[b->len++] = '"';
	b->p[b->len] = '\0';
}

void jw_key_str(struct jw *w, struct str name)
{
	before(w);
	quoted(w, name, STR_NONE);
	buf_putc(w->out, ':');
	if (w->indent)
		buf_putc(w->out, ' ');
	w->keyed = true;
}

void jw_key_plain(struct jw *w, const char *name, size_t n)
{
	struct buf *b = w->out;

	before(w);
	buf_grow(b, n + 5);
	b->p[b->len] = '"';
	json_copy(b->p + b->len + 1, name, n);
	b->len += n + 1;
	memcpy(b->p + b->len, "\": ", 4);
	b->len += 2;
	if (w->indent)
		b->len++;
	else
		b->p[b->len] = '\0';
	w->keyed = true;
}

void jw_str(struct jw *w, struct str s)
{
	before(w);
	quoted(w, s, STR_NONE);
}

void jw_str_and(struct jw *w, struct str s, struct str tail)
{
	before(w);
	quoted(w, s, tail);
}

void jw_cstr(struct jw *w, const char *s)
{
	jw_str(w, str_c(s));
}

void jw_bool(struct jw *w, bool b)
{
	before(w);
	buf_str(w->out, b ? STR("true") : STR("false"));
}

void jw_int(struct jw *w, int64_t n)
{
	static const int64_t many = INT64_C(1000000000000000);

	before(w);
	w->varied |= n >= many || n <= -many;
	buf_int(w->out, n);
}

void jw_null(struct jw *w)
{
	before(w);
	buf_puts(w->out, "null");
}

void jw_raw(struct jw *w, struct str json)
{
	before(w);
	w->varied |= !json_one_form(json);
	buf_str(w->out, json);
}

static void number(struct jw *w, struct str text)
{
	if (!w->one_form) {
		jw_raw(w, text);
		return;
	}
	before(w);
	json_number_form(w->out, text);
}

/* Depth is bounded by what json_parse accepts. */
void jw_json(struct jw *w, const struct json *j)
{
	switch (j->kind) {
	case JSON_NULL:
		jw_null(w);
		break;
	case JSON_BOOL:
		jw_bool(w, j->boolean);
		break;
	case JSON_NUMBER:
		number(w, j->text);
		break;
	case JSON_STRING:
		jw_str(w, j->text);
		break;
	case JSON_ARRAY:
		jw_array(w);
		for (uint32_t i = 0; i < j->len; i++)
			jw_json(w, &j->items[i]);
		jw_array_end(w);
		break;
	case JSON_OBJECT:
		jw_object(w);
		for (uint32_t i = 0; i < j->len; i++) {
			jw_key_str(w, j->members[i].name);
			jw_json(w, &j->members[i].value);
		}
		jw_object_end(w);
		break;
	}
}
