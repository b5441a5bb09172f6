/* snippet.c - see snippet.h */
#include "lang/syntax/snippet.h"
#include "lang/syntax/json_syntax.h"
#include "lang/syntax/body.h"

static const struct body *parsed(struct snippets *ss, const struct source *src)
{
	struct map_entry *e = map_slot(ss->arena, &ss->bodies, src->name);
	struct diags ignored = DIAGS_INIT(ss->arena);

	if (!e->value)
		e->value = str_ends(src->name, ".json")
				   ? parse_json_body(ss->arena, src, &ignored)
				   : parse_native(ss->arena, src, &ignored);
	return e->value;
}

/* --- JSON: the path to the innermost object or array --- */

/* The last item that starts at or before offset, if it reaches that far: items
 * are in order and do not overlap. */
static const struct json_node *item_at(const struct json_node *n,
				       uint32_t offset, uint32_t *at)
{
	bool object = n->kind == JSON_NODE_OBJECT;
	const struct json_node *item;
	uint32_t lo = 0, hi = n->len;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		item = object ? &n->props[mid].value : &n->items[mid];
		if (item->span.start <= offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return NULL;
	*at = lo - 1;
	item = object ? &n->props[*at].value : &n->items[*at];
	return offset < item->span.end ? item : NULL;
}

static bool has_items(const struct json_node *n)
{
	return n && (n->kind == JSON_NODE_OBJECT || n->kind == JSON_NODE_ARRAY);
}

static struct str json_path(struct arena *a, const struct json_node *n,
			    uint32_t offset)
{
	struct buf b = BUF_INIT;
	struct str text;

	while (has_items(n)) {
		bool object = n->kind == JSON_NODE_OBJECT;
		uint32_t at = 0;
		const struct json_node *in = item_at(n, offset, &at);

		if (!has_items(in))
			break;
		if (object) {
			buf_puts(&b, b.len ? "." : "");
			buf_str(&b, n->props[at].name.text);
		} else {
			buf_addf(&b, "[%u]", (unsigned)at);
		}
		n = in;
	}
	text = b.len ? buf_dup(a, &b) : STR_NONE;
	buf_release(&b);
	return text;
}

/* --- native syntax: the top-level block --- */

/* As the header reads. */
static struct str block_header(struct arena *a, const struct block *b)
{
	struct buf out = BUF_INIT;

	buf_str(&out, b->type);
	for (size_t i = 0; i < b->nlabels; i++)
		buf_addf(&out, " \"%.*s\"", STR_ARG(b->labels[i].text));
	return buf_take(a, &out);
}

static struct str context_of(struct snippets *ss, const struct source *src,
			     uint32_t offset)
{
	const struct body *body;
	size_t lo = 0, hi;

	body = parsed(ss, src);
	if (!body)
		return STR_NONE;
	if (body->node)
		return json_path(ss->arena, body->node, offset);
	hi = body->blocks.len;
	while (lo < hi) { /* the last block that starts at or before offset */
		size_t mid = lo + (hi - lo) / 2;

		if (body->blocks.items[mid].header.start <= offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || offset >= body->blocks.items[lo - 1].close.end)
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
 * shown: they do not help, and there may be many of them. */
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

/* Without the lines that are empty and the CRs before newlines, as OpenTofu has
 * it; first: of the first line that is left. */
static struct str squeeze(struct arena *a, struct str code, uint32_t *first)
{
	struct buf b = BUF_INIT;
	size_t at = 0;

	if (str_chr(code, '\n') < 0)
		return code;
	while (at < code.n) {
		struct str line = str_sub(code, at, code.n);
		ptrdiff_t nl = str_chr(line, '\n');

		if (nl >= 0)
			line.n = (size_t)nl;
		at += line.n + 1;
		if (str_ends(line, "\r"))
			line.n--;
		if (!line.n)
			continue;
		if (b.len)
			buf_putc(&b, '\n');
		else
			*first += (uint32_t)(line.p - code.p);
		buf_str(&b, line);
	}
	return buf_take(a, &b);
}

bool snippet_cut(struct snippets *ss, const struct diag *d, struct snippet *out,
		 struct range *shown)
{
	struct range at = widen(d->subject), around = at;
	const struct source *src = NULL;
	uint32_t first;
	size_t start, end;

	if (shown)
		*shown = at;
	if (!range_present(&d->subject))
		return false;
	if (ss->sources)
		src = sources_get(ss->sources, d->subject.file);
	if (!src)
		src = d->source;
	if (!src || !src->text.p)
		return false;
	if (range_present(&d->context)) {
		if (d->context.start.byte < around.start.byte)
			around.start = d->context.start;
		if (d->context.end.byte > around.end.byte)
			around.end = d->context.end;
	}
	*out = (struct snippet){ .start_line = around.start.line };
	out->code = lines_around(src->text, around.start.byte, around.end.byte,
				 &first);
	if (out->code.n > SNIPPET_MAX)
		return false;
	out->code = squeeze(ss->arena, out->code, &first);
	if (at.start.byte) /* the block before, if it starts one: as tofu */
		out->context = context_of(ss, src, at.start.byte - 1);
	start = at.start.byte - first;
	end = start + (at.end.byte - at.start.byte);
	out->highlight_start =
		(uint32_t)(start < out->code.n ? start : out->code.n);
	out->highlight_end = (uint32_t)(end < out->code.n ? end : out->code.n);
	return true;
}
