/* snippet.c - see snippet.h */
#include "lang/snippet.h"

#include "lang/parse.h"

/* The top-level block of a native-syntax file that contains the offset, as its
 * header reads. */
static struct str block_header(struct arena *a, const struct block *b)
{
	struct buf out = BUF_INIT;
	struct str text;

	buf_str(&out, b->type);
	for (size_t i = 0; i < b->nlabels; i++)
		buf_addf(&out, " \"%.*s\"", STR_ARG(b->labels[i].text));
	text = buf_dup(a, &out);
	buf_release(&out);
	return text;
}

static const struct body *parsed(struct snippets *ss,
				 const struct source *src)
{
	struct map_entry *e = map_slot(ss->arena, &ss->bodies, src->name);
	struct diags ignored = DIAGS_INIT(ss->arena);

	if (!e->value)
		e->value = parse_native(ss->arena, src, &ignored);
	return e->value;
}

static struct str context_of(struct snippets *ss, const struct source *src,
			     uint32_t offset)
{
	const struct body *body;
	size_t lo = 0, hi;

	if (str_ends(src->name, ".json"))
		return STR_NONE;
	body = parsed(ss, src);
	if (!body)
		return STR_NONE;
	hi = body->blocks.len;
	while (lo < hi) { /* the last block that starts at or before offset */
		size_t mid = lo + (hi - lo) / 2;

		if (body->blocks.items[mid].header.start <= offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || offset >= body->blocks.items[lo - 1].body->span.end)
		return STR_NONE;
	return block_header(ss->arena, &body->blocks.items[lo - 1]);
}

static struct range widen(struct range r)
{
	if (r.end.byte <= r.start.byte) {
		r.end = r.start;
		r.end.byte++;
		r.end.column++;
	}
	return r;
}

/* Lines longer than this, of minified JSON or of no source text at all, are not
 * shown: they help nobody, and there may be many of them. */
enum { SNIPPET_MAX = 16384 };

/* The lines from the one that holds byte `from` to the one that holds the
 * byte before `to`.  Looks no further than SNIPPET_MAX in either direction: a
 * result that is longer may have lost its ends. */
static struct str lines_around(struct str text, uint32_t from, uint32_t to,
			       uint32_t *first)
{
	size_t start = from < text.n ? from : text.n, end, stop;
	size_t least = start > SNIPPET_MAX ? start - SNIPPET_MAX - 1 : 0;
	const char *nl;

	while (start > least && text.p[start - 1] != '\n')
		start--;
	end = to > from ? to - 1 : to;
	/* A range that takes its last newline in reaches the next line. */
	if (to > from && to < text.n && text.p[to - 1] == '\n' &&
	    text.p[to] != '\n')
		end = to;
	if (end > text.n)
		end = text.n;
	stop = text.n - end > SNIPPET_MAX ? end + SNIPPET_MAX + 1 : text.n;
	nl = memchr(text.p + end, '\n', stop - end);
	end = nl ? (size_t)(nl - text.p) : stop;
	if (end > start && text.p[end - 1] == '\r')
		end--;
	*first = (uint32_t)start;
	return str_sub(text, start, end);
}

bool snippet_cut(struct snippets *ss, const struct diag *d,
		 struct snippet *out, struct range *shown)
{
	struct range at = widen(d->subject), around = at;
	struct source *src;
	uint32_t first;
	size_t start, end;

	if (shown)
		*shown = at;
	if (!range_present(&d->subject))
		return false;
	src = sources_get(ss->sources, d->subject.file);
	if (!src || !src->text.p)
		return false;
	if (range_present(&d->context)) {
		if (d->context.start.byte < around.start.byte)
			around.start = d->context.start;
		if (d->context.end.byte > around.end.byte)
			around.end = d->context.end;
	}
	*out = (struct snippet){ .start_line = around.start.line };
	out->code = lines_around(src->text, around.start.byte,
				 around.end.byte, &first);
	if (out->code.n > SNIPPET_MAX)
		return false;
	if (at.start.byte) /* the block before, if it starts one: as tofu */
		out->context = context_of(ss, src, at.start.byte - 1);
	start = at.start.byte - first;
	end = start + (at.end.byte - at.start.byte);
	out->highlight_start = (uint32_t)(start < out->code.n ? start
							      : out->code.n);
	out->highlight_end = (uint32_t)(end < out->code.n ? end
							  : out->code.n);
	return true;
}
