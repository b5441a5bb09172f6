/*
 * text.c - JSON text written again; see jw_text in json.h
 *
 * Token by token, once for each of a state file of megabytes: no tree is made,
 * and escapes in strings stay as they are.
 */
#include "json/write.h"
#include "json/json_int.h"

static bool is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static const char *after_space(const char *p, const char *end)
{
	while (p < end && is_space(*p))
		p++;
	return p;
}

static struct str between(const char *p, const char *end)
{
	return (struct str){ p, (size_t)(end - p) };
}

/* Behind an escape; one by a letter has no other form. */
static const char *after_escape(struct jw *w, const char *p, const char *end)
{
	if (end - p < 2)
		return end;
	w->varied |= p[1] == 'u' || p[1] == '/';
	return p + 2;
}

/* Copies the string that starts at p; returns one past its end. */
static const char *copy_string(struct jw *w, const char *p, const char *end)
{
	const char *run = p++;

	for (;;) {
		p = json_plain_end(p, end, w->html);
		if (p == end || *p == '"')
			break;
		if (*p == '\\') {
			p = after_escape(w, p, end);
		} else if ((signed char)*p < 0 && *p != '\xe2') {
			p++;
		} else {
			json_put(w->out, run, (size_t)(p - run));
			p += json_escape_one(w->out, between(p, end),
					     &w->varied);
			run = p;
		}
	}
	if (p < end)
		p++;
	json_put(w->out, run, (size_t)(p - run));
	return p;
}

/* A number or word: everything up to the next punctuation. */
static const char *copy_word(struct jw *w, const char *p, const char *end)
{
	const char *from = p;

	while (p < end && !is_space(*p) && *p != ',' && *p != ':' &&
	       *p != '}' && *p != ']' && *p != '"' && *p != '{' && *p != '[')
		p++;
	if (*from < 'a') /* a number */
		w->varied |= !json_one_form(between(from, p));
	json_put(w->out, from, (size_t)(p - from));
	return p;
}

static const char *copy_open(struct jw *w, const char *p, const char *end)
{
	json_put(w->out, p, 1);
	p = after_space(p + 1, end);
	if (p < end && (*p == '}' || *p == ']')) {
		json_put(w->out, p, 1);
		return p + 1;
	}
	w->depth++;
	jw_newline(w);
	return p;
}

static const char *copy_token(struct jw *w, const char *p, const char *end)
{
	switch (*p) {
	case '"':
		return copy_string(w, p, end);
	case '{':
	case '[':
		return copy_open(w, p, end);
	case '}':
	case ']':
		w->depth--;
		jw_newline(w);
		json_put(w->out, p, 1);
		return p + 1;
	case ',':
		json_put(w->out, p, 1);
		jw_newline(w);
		return p + 1;
	case ':':
		json_put(w->out, ": ", w->indent ? 2 : 1);
		return p + 1;
	default:
		return copy_word(w, p, end);
	}
}

void jw_text(struct jw *w, struct str json)
{
	const char *p = json.n ? json.p : "", *end = p + json.n;
	const int depth = w->depth;

	jw_before(w);
	while ((p = after_space(p, end)) < end)
		p = copy_token(w, p, end);
	w->depth = depth;
	buf_add(w->out, NULL, 0); /* the NUL behind it */
}
