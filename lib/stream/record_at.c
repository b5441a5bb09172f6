/*
 * record_at.c - positions in records: "FILE:L,C,B-L,C,B"
 *
 * Lines and columns count from 1 (columns in grapheme clusters), bytes from 0;
 * the end is exclusive.  record_at writes, record_at_read reads.
 */
#include "stream/record.h"
#include "json/write.h"

static const char digits[] =
	"00010203040506070809101112131415161718192021222324"
	"25262728293031323334353637383940414243444546474849"
	"50515253545556575859606162636465666768697071727374"
	"75767778798081828384858687888990919293949596979899";

/* Both write backwards and return where the text begins. */
static char *put(char *p, uint32_t n)
{
	for (; n >= 100; n /= 100)
		p = memcpy(p - 2, &digits[n % 100 * 2], 2);
	if (n >= 10)
		return memcpy(p - 2, &digits[n * 2], 2);
	*--p = (char)('0' + n);
	return p;
}

static char *put_pos(char *p, struct pos pos)
{
	p = put(p, pos.byte);
	*--p = ',';
	p = put(p, pos.column);
	*--p = ',';
	return put(p, pos.line);
}

void record_at(struct jw *w, const char *member, const struct range *r)
{
	char text[80], *end = text + sizeof(text), *p = end;

	if (!range_present(r))
		return;
	p = put_pos(p, r->end);
	*--p = '-';
	p = put_pos(p, r->start);
	*--p = ':';
	jw_key(w, member);
	jw_str_and(w, r->file, (struct str){ p, (size_t)(end - p) });
}

void record_span(struct jw *w, const struct source *src, struct span span)
{
	struct range r = source_range(src, span);

	record_at(w, "at", &r);
}

/* Takes a number of at most ten digits off the front of *s, and the character
 * behind it, which must be `after`; '\0': the end. */
static int take(struct str *s, char after, uint32_t *out)
{
	uint64_t n = 0;
	size_t i = 0;

	while (i < s->n && i < 10 && s->p[i] >= '0' && s->p[i] <= '9')
		n = n * 10 + (uint64_t)(s->p[i++] - '0');
	if (i == 0 || n > UINT32_MAX ||
	    (after ? i == s->n || s->p[i] != after : i != s->n))
		return -1;
	*out = (uint32_t)n;
	*s = str_sub(*s, after ? i + 1 : i, s->n);
	return 0;
}

static int take_pos(struct str *s, char after, struct pos *out)
{
	return take(s, ',', &out->line) || take(s, ',', &out->column) ||
	       take(s, after, &out->byte);
}

/* The file of that name, NULL if it is not known. */
static struct source *file_named(struct record_reader *r, struct str name)
{
	if (!r->last || !str_eq(r->last->name, name))
		r->last = r->sources ? sources_get(r->sources, name) : NULL;
	return r->last;
}

struct source *record_file(struct record_reader *r, const struct range *at)
{
	struct source *s = file_named(r, at->file);

	/* Columns of JSON syntax are counted otherwise. */
	if (!s || at->end.byte > s->text.n || s->text.n >= UINT32_MAX ||
	    str_ends(s->name, ".json"))
		return NULL;
	return s;
}

int record_at_read(struct record_reader *r, const struct json *j,
		   struct range *out)
{
	const char *colon;
	struct source *file;
	struct str s, numbers;

	*out = RANGE_NONE;
	if (!j || j->kind != JSON_STRING || !j->text.n)
		return -1;
	s = j->text;
	colon = memrchr(s.p, ':', s.n); /* a file's name may have some */
	if (!colon)
		return -1;
	numbers = str_sub(s, (size_t)(colon - s.p) + 1, s.n);
	s.n = (size_t)(colon - s.p);
	if (take_pos(&numbers, '-', &out->start) ||
	    take_pos(&numbers, '\0', &out->end) || !out->start.line ||
	    out->end.byte < out->start.byte ||
	    out->end.line < out->start.line) {
		*out = RANGE_NONE;
		return -1;
	}
	file = file_named(r, s);
	out->file = file ? file->name : str_dup(r->arena, s);
	return 0;
}

int record_invalid(struct diags *ds, const char *what)
{
	return diag_error(
		ds, NULL, "Invalid input stream",
		"A record of the input is not as tf-stream(5) describes it: %s.",
		what);
}
