/* source.c - positions in source texts; see source.h */
#include "base/source.h"

#include <unictype.h>
#include <unigbrk.h>

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

size_t grapheme_len(struct str s)
{
	const uint8_t *p = (const uint8_t *)s.p, *next;

	if (s.n == 0)
		return 0;
	if (p[0] < 0x80 && (s.n == 1 || (p[1] < 0x80 && p[0] != '\r')))
		return 1;
	if (p[0] == '\r')
		return s.n > 1 && p[1] == '\n' ? 2 : 1;
	if (!utf8_len(s.p, s.n))
		return 1;
	next = u8_grapheme_next(p, p + s.n);
	return next ? (size_t)(next - p) : 1;
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
}

struct pos source_pos(const struct source *cs, uint32_t offset)
{
	struct source *s = (struct source *)cs; /* the line index is a cache */
	size_t lo = 0, hi;
	uint32_t column = 1;
	struct str rest;

	if (s->opaque_end.line)
		return offset ? s->opaque_end : s->base;
	if (!s->lines)
		index_lines(s);
	if (offset > s->text.n)
		offset = (uint32_t)s->text.n;
	for (hi = s->nlines; hi - lo > 1;) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->lines[mid] <= offset)
			lo = mid;
		else
			hi = mid;
	}
	rest = str_sub(s->text, s->lines[lo], offset);
	while (rest.n) {
		size_t n = grapheme_len(rest);

		rest = str_sub(rest, n, rest.n);
		column++;
	}
	if (lo == 0)
		column += s->base.column - 1;
	return (struct pos){ s->base.line + (uint32_t)lo, column,
			     s->base.byte + offset };
}

struct range source_range(const struct source *s, struct span sp)
{
	return (struct range){ s->name, source_pos(s, sp.start),
			       source_pos(s, sp.end) };
}

void sources_put(struct arena *a, struct sources *ss, struct source *s)
{
	map_put(a, &ss->by_name, s->name, s);
}

const struct source *sources_get(const struct sources *ss, struct str name)
{
	return map_get(&ss->by_name, name);
}

bool rune_printable(uint32_t rune)
{
	const uint32_t wanted = UC_CATEGORY_MASK_L | UC_CATEGORY_MASK_M |
				UC_CATEGORY_MASK_N | UC_CATEGORY_MASK_P |
				UC_CATEGORY_MASK_S;

	return rune == ' ' ||
	       uc_is_general_category_withtable(rune, wanted);
}
