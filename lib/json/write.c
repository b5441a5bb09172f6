/*
 * write.c - JSON text out; see json.h
 *
 * A struct jw keeps only where commas go.  Output is compact unless
 * jw.indent is set, when each member and element stands on its own line.
 */
#include "json/json.h"

static void newline(struct jw *w)
{
	size_t n;

	if (!w->indent)
		return;
	buf_putc(w->out, '\n');
	n = (size_t)w->indent * (size_t)w->depth;
	for (size_t i = 0; i < n; i++)
		buf_putc(w->out, ' ');
}

/* Before any value: the comma and line break that separate it. */
static void before(struct jw *w)
{
	if (w->keyed) {
		w->keyed = false;
		return;
	}
	if (!w->depth)
		return;
	if (w->comma)
		buf_putc(w->out, ',');
	newline(w);
	w->comma = true;
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
		newline(w);
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

/* Bytes that may stand in a string as they are: 0 yes, 1 escape, 2 first byte
 * of a longer sequence, 3 escape if jw.html. */
static const unsigned char classes[256] = {
	[0x00 ... 0x1f] = 1, ['"'] = 1,	 ['\\'] = 1,
	['<'] = 3,	     ['>'] = 3,	 ['&'] = 3,
	[0x80 ... 0xff] = 2,
};

static void escape(struct buf *b, unsigned char c)
{
	switch (c) {
	case '"':
		buf_puts(b, "\\\"");
		break;
	case '\\':
		buf_puts(b, "\\\\");
		break;
	case '\b':
		buf_puts(b, "\\b");
		break;
	case '\f':
		buf_puts(b, "\\f");
		break;
	case '\n':
		buf_puts(b, "\\n");
		break;
	case '\r':
		buf_puts(b, "\\r");
		break;
	case '\t':
		buf_puts(b, "\\t");
		break;
	default:
		buf_addf(b, "\\u%04x", c);
	}
}

/* A multi-byte sequence at s: how many bytes were dealt with, 0 when they can
 * be copied as they are (then *len says how many). */
static bool replace_sequence(struct buf *b, struct str s, size_t *len)
{
	*len = utf8_len(s.p, s.n);
	if (!*len) {
		buf_puts(b, "\\ufffd");
		*len = 1;
		return true;
	}
	if (*len == 3 && memcmp(s.p, "\xe2\x80\xa8", 3) == 0) {
		buf_puts(b, "\\u2028");
		return true;
	}
	if (*len == 3 && memcmp(s.p, "\xe2\x80\xa9", 3) == 0) {
		buf_puts(b, "\\u2029");
		return true;
	}
	return false;
}

static void quoted(struct jw *w, struct str s)
{
	struct buf *b = w->out;
	size_t done = 0, i = 0;

	buf_grow(b, s.n + 2);
	buf_putc(b, '"');
	while (i < s.n) {
		unsigned char c = (unsigned char)s.p[i];
		unsigned cls = classes[c];
		size_t len = 1, upto = i;

		if (cls == 0 || (cls == 3 && !w->html)) {
			i++;
			continue;
		}
		if (cls == 2 && utf8_len(s.p + i, s.n - i) &&
		    c != 0xe2) {
			i += utf8_len(s.p + i, s.n - i);
			continue;
		}
		buf_add(b, s.p + done, upto - done);
		done = upto;
		if (cls != 2)
			escape(b, c);
		else if (!replace_sequence(b, str_sub(s, i, s.n), &len)) {
			i += len;
			continue;
		}
		i += len;
		done = i;
	}
	if (done < s.n)
		buf_add(b, s.p + done, s.n - done);
	buf_putc(b, '"');
}

void jw_key_str(struct jw *w, struct str name)
{
	before(w);
	quoted(w, name);
	buf_puts(w->out, w->indent ? ": " : ":");
	w->keyed = true;
}

void jw_key(struct jw *w, const char *name)
{
	jw_key_str(w, str_c(name));
}

void jw_str(struct jw *w, struct str s)
{
	before(w);
	quoted(w, s);
}

void jw_cstr(struct jw *w, const char *s)
{
	jw_str(w, str_c(s));
}

void jw_bool(struct jw *w, bool b)
{
	before(w);
	buf_puts(w->out, b ? "true" : "false");
}

void jw_int(struct jw *w, int64_t n)
{
	before(w);
	buf_addf(w->out, "%lld", (long long)n);
}

void jw_null(struct jw *w)
{
	before(w);
	buf_puts(w->out, "null");
}

void jw_raw(struct jw *w, struct str json)
{
	before(w);
	buf_str(w->out, json);
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
		jw_raw(w, j->text);
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

void jw_member_str(struct jw *w, const char *name, struct str s)
{
	jw_key(w, name);
	jw_str(w, s);
}

void jw_member_bool(struct jw *w, const char *name, bool b)
{
	jw_key(w, name);
	jw_bool(w, b);
}

void jw_member_int(struct jw *w, const char *name, int64_t n)
{
	jw_key(w, name);
	jw_int(w, n);
}
