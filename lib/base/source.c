/* source.c - positions in source texts; see source.h */
#include <unictype.h>

#include "base/source.h"
#include "base/str.h"
#include "base/vec.h"

struct source *source_fragment(struct arena *a, struct str name,
			       struct str text, struct pos base)
{
	struct source *s = ARENA_NEW(a, struct source);

	s->name = name;
	s->text = text;
	s->base = base;
	s->arena = a;
	return s;
}

struct source *source_new(struct arena *a, struct str name, struct str text)
{
	return source_fragment(a, name, text, (struct pos){ 1, 1, 0 });
}

struct source *source_opaque(struct arena *a, const struct range *r)
{
	struct source *s = source_fragment(a, r->file, STR(" "), r->start);

	s->opaque_end = r->end;
	return s;
}

/* Bytes at the front of s that are a column each: printable ASCII that nothing
 * after it can combine with. */
static size_t plain_len(struct str s)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	size_t i = 0;
	uint64_t v;

	for (; i + 8 <= s.n;
	     i += 8) { /* below 0x20, 0x7f and above: high bits */
		memcpy(&v, s.p + i, 8);
		if ((v | (v - 0x20 * ones) | (v + ones)) & 0x80 * ones)
			break;
	}
	while (i < s.n && s.p[i] >= ' ' && s.p[i] < 0x7f)
		i++;
	return i && i < s.n && (s.p[i] & 0x80) ? i - 1 : i;
}

/* The number of columns of the text [from, to), which is in one line. */
static uint32_t count_columns(const struct source *s, uint32_t from,
			      uint32_t to)
{
	struct str rest = str_sub(s->text, from, to);
	uint32_t columns = 0;

	if (s->ascii)
		return to - from;
	if (from == 0 && s->base.byte == 0 && str_starts(rest, "\xef\xbb\xbf"))
		rest = str_sub(rest, 3, rest.n);
	while (rest.n) {
		size_t n = plain_len(rest);
		uint32_t width = 1;

		if (n) {
			rest = str_sub(rest, n, rest.n);
			columns += (uint32_t)n;
			continue;
		}
		n = grapheme_len(rest);

		if (s->json_columns && *rest.p == '\t')
			width = 2;
		else if (s->json_columns && *rest.p == '\r')
			width = 0;
		rest = str_sub(rest, n, rest.n);
		columns += width;
	}
	return columns;
}

/* In lines longer than this, columns are remembered at this interval, so that
 * no position costs more than that much counting. */
enum { LONG_LINE = 1024 };

static void index_columns(struct source *s)
{
	VEC(struct column_mark) marks = { 0 };

	for (size_t i = 0; i < s->nlines; i++) {
		uint32_t at = s->lines[i], column = 0;
		uint32_t end = i + 1 < s->nlines ? s->lines[i + 1]
						 : (uint32_t)s->text.n;

		while (end - at > LONG_LINE) {
			uint32_t to = at + LONG_LINE;

			/* Do not split a cluster, as far as this can be seen
			 * here. */
			while (to > at + 1 &&
			       ((unsigned char)s->text.p[to] >= 0x80 ||
				(unsigned char)s->text.p[to - 1] >= 0x80 ||
				s->text.p[to] == '\n'))
				to--;
			if (to == at + 1)
				to = at + LONG_LINE;
			column += count_columns(s, at, to);
			at = to;
			vec_push(s->arena, &marks,
				 (struct column_mark){ at, column });
		}
	}
	s->marks = marks.items;
	s->nmarks = marks.len;
}

/* ASCII without carriage returns, which make one cluster with a newline. */
static bool is_ascii(struct str s)
{
	uint64_t word, seen = 0;
	size_t i = 0;

	for (; i + 8 <= s.n; i += 8) {
		memcpy(&word, s.p + i, 8);
		seen |= word;
	}
	for (; i < s.n; i++)
		seen |= (unsigned char)s.p[i];
	return !(seen & UINT64_C(0x8080808080808080)) && str_chr(s, '\r') < 0;
}

static void index_lines(struct source *s)
{
	VEC(uint32_t) lines = { 0 };
	const char *p = s->text.p, *end = p + s->text.n;

	vec_push(s->arena, &lines, 0);
	while (p < end && (p = memchr(p, '\n', (size_t)(end - p)))) {
		p++;
		vec_push(s->arena, &lines, (uint32_t)(p - s->text.p));
	}
	s->lines = lines.items;
	s->nlines = lines.len;
	s->ascii = !s->json_columns && is_ascii(s->text);
	if (!s->ascii)
		index_columns(s);
}

/* The 0-based column of offset in the line that starts at line_start. */
static uint32_t column_at(const struct source *s, uint32_t line_start,
			  uint32_t offset)
{
	size_t lo = 0, hi = s->nmarks;

	if (s->ascii)
		return offset - line_start;
	while (lo < hi) { /* the first mark beyond offset */
		size_t mid = lo + (hi - lo) / 2;

		if (s->marks[mid].offset <= offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo && s->marks[lo - 1].offset > line_start)
		return s->marks[lo - 1].column +
		       count_columns(s, s->marks[lo - 1].offset, offset);
	return count_columns(s, line_start, offset);
}

/* Most lookups are at or shortly after the last one: search from there in
 * doubling steps. */
static size_t line_of(const struct source *s, uint32_t offset)
{
	size_t lo = s->last_line, hi = s->nlines;

	if (s->lines[lo] > offset) {
		hi = lo;
		lo = 0;
	}
	for (size_t step = 1; step < hi - lo && hi == s->nlines; step *= 2) {
		if (s->lines[lo + step] > offset)
			hi = lo + step;
		else
			lo += step;
	}
	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->lines[mid] <= offset)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

struct pos source_pos(const struct source *cs, uint32_t offset)
{
	struct source *s = (struct source *)cs; /* the line index is a cache */
	size_t lo;
	uint32_t column;

	if (s->opaque_end.line)
		return offset ? s->opaque_end : s->base;
	if (s->text_end.line && offset >= s->text.n)
		return s->text_end;
	if (!s->lines)
		index_lines(s);
	if (offset > s->text.n)
		offset = (uint32_t)s->text.n;
	s->last_line = lo = line_of(s, offset);
	column = column_at(s, s->lines[lo], offset) + 1;
	if (lo == 0)
		column += s->base.column - 1;
	return (struct pos){ s->base.line + (uint32_t)lo, column,
			     s->base.byte + offset };
}

/* No cluster of characters reaches over a place between two of these. */
static bool is_plain(char c)
{
	return c >= ' ' && c < 0x7f;
}

/* Can columns be counted on from start, which is on the line of the last
 * lookup, to end? */
static bool on_one_line(const struct source *s, struct span sp)
{
	size_t next = s->last_line + 1;
	const char *from = s->text.p + sp.start;

	if (sp.end < sp.start || sp.end > s->text.n ||
	    (next < s->nlines && sp.end >= s->lines[next]))
		return false;
	return s->ascii || (sp.start > 0 && sp.end - sp.start <= LONG_LINE &&
			    sp.end < s->text.n && sp.start < sp.end &&
			    is_plain(from[-1]) && is_plain(from[0]));
}

/* Most ranges are short and on one line: the end is counted on from the
 * start. */
struct range source_range(const struct source *s, struct span sp)
{
	struct range r = { s->name, source_pos(s, sp.start), { 0 } };
	size_t line = s->last_line;

	if (s->opaque_end.line || s->text_end.line || !on_one_line(s, sp)) {
		r.end = source_pos(s, sp.end);
		/* the next lookup is rather in the range than after it */
		((struct source *)s)->last_line = line;
		return r;
	}
	r.end = r.start;
	r.end.byte += sp.end - sp.start;
	r.end.column += s->ascii ? sp.end - sp.start
				 : count_columns(s, sp.start, sp.end);
	return r;
}

void sources_put(struct arena *a, struct sources *ss, struct source *s)
{
	map_put(a, &ss->by_name, s->name, s);
}

struct source *sources_get(const struct sources *ss, struct str name)
{
	return map_get(&ss->by_name, name);
}

bool source_rune_printable(uint32_t rune)
{
	const uint32_t wanted = UC_CATEGORY_MASK_L | UC_CATEGORY_MASK_M |
				UC_CATEGORY_MASK_N | UC_CATEGORY_MASK_P |
				UC_CATEGORY_MASK_S;

	return rune == ' ' || uc_is_general_category_withtable(rune, wanted);
}
