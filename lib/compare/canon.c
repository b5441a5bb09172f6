/*
 * canon.c - a stream or a state as lines for git; see canon.h
 *
 * All is read before the first line is written: the lines are in an order of
 * their own, and there are none of an input that has failed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/visible.h"
#include "compare/compare_int.h"
#include "json/read.h"
#include "json/tree.h"
#include "state/file/file.h"

/* --- records --- */

/* Is it one of what an apply has done? */
static bool is_outcome(const struct canon *c, const struct json *rec)
{
	static const char *const types[] = { "apply_complete", "change_summary",
					     "outputs" };
	const struct str type = json_get_str(rec, "type");
	bool is = false;

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		is |= str_is(type, types[i]);
	return is && stream_has_stage(&c->info, "tf-apply");
}

static void add(struct canon *c, struct str kind, const struct canon_kind *k,
		size_t rank, const struct json *rec)
{
	struct buf lines = BUF_INIT;
	struct canon_block block = { .rank = rank, .planned = k->planned };

	canon_put(c, k, rec, &lines);
	if (!lines.len)
		buf_puts(&lines, "\t\n");
	block.kind = str_dup(c->arena, kind);
	block.address = str_dup(c->arena,
				visible_word(&c->scratch,
					     canon_address(&c->scratch, rec)));
	block.lines = buf_dup(c->arena, &lines);
	vec_push(c->arena, &c->blocks, block);
	buf_release(&lines);
}

/* NULL: diagnosed. */
static const struct json *parsed(struct canon *c, struct str line,
				 struct diags *ds)
{
	const struct json *rec = json_slice_tree(&c->scratch, line, NULL);

	return rec ? rec : stream_parse(&c->scratch, line, ds);
}

static int on_record(void *data, struct str kind, struct str line,
		     struct diags *ds)
{
	struct canon *c = data;
	struct buf redacted = BUF_INIT;
	const struct canon_kind *k;
	const size_t rank = canon_kind_find(kind, &k);
	const bool plan = str_is(kind, "plan");
	const struct json *rec = NULL;

	arena_reset(&c->scratch);
	c->plan |= plan;
	if (k->form == CANON_NONE)
		return 0;
	if (!c->show_sensitive && (plan || k->form == CANON_CHANGE)) {
		rec = parsed(c, line, ds);
		if (!rec)
			return -1;
		canon_note_secrets(c, rec);
	}
	/* Changes are compared by their values, objects hidden one by one. */
	if (!c->show_sensitive && k->form == CANON_PLAIN) {
		stream_redact(&c->scratch, kind, line, &redacted);
		line = buf_take(&c->scratch, &redacted);
		rec = NULL;
	}
	if (!rec)
		rec = parsed(c, line, ds);
	if (!rec)
		return -1;
	if (k->form != CANON_EVENT || is_outcome(c, rec))
		add(c, kind, k, rank, rec);
	return 0;
}

static int read_stream(struct canon *c, int fd, struct str name,
		       struct diags *ds)
{
	return stream_read(c->arena, fd, &c->info, NULL, on_record, c, ds) ||
			       compared_whole(&c->info, c->plan, name, ds)
		       ? -1
		       : 0;
}

static int cannot_begin(struct diags *ds)
{
	return diag_error(ds, NULL, "Cannot read the input",
			  "There is no memory for the records of a state: %s.",
			  strerror(errno));
}

int canon_begin(struct canon *c, struct arena *a, const struct saved *in,
		struct diags *ds)
{
	c->arena = a;
	c->memory = in->stream ? -1 : io_memory("state", STR(""));
	return in->stream || c->memory >= 0 ? 0 : cannot_begin(ds);
}

/* A state is read as the records that tf-graph would write of it. */
static int read_state(struct canon *c, struct str text, struct str name,
		      struct diags *ds)
{
	const char *called = arena_strndup(c->arena, name.p, name.n);
	struct state *st;
	struct stream_out out;
	int rc;

	if (!str_trim(text).n)
		return diag_error(ds, NULL, "No input", "%.*s is empty.",
				  STR_ARG(name));
	st = state_parse(c->arena, text, called, ds);
	if (!st)
		return -1;
	stream_out_init(&out, c->memory, true);
	stream_without_seal(&out);
	stream_begin(&out, "tf-state", NULL);
	state_records(&out, st);
	rc = stream_end(&out, false);
	stream_out_release(&out);
	return rc || lseek(c->memory, 0, SEEK_SET)
		       ? cannot_begin(ds)
		       : read_stream(c, c->memory, name, ds);
}

int canon_read(struct canon *c, const struct saved *in, struct str name,
	       struct diags *ds)
{
	return in->stream ? read_stream(c, in->fd, name, ds)
			  : read_state(c, buf_view(&in->text), name, ds);
}

/* --- lines --- */

static int in_order(const void *x, const void *y)
{
	const struct canon_block *a = x, *b = y;
	int n = a->rank < b->rank ? -1 : a->rank > b->rank;

	n = n ? n : str_cmp(a->kind, b->kind);
	n = n ? n : str_cmp(a->address, b->address);
	return n ? n : str_cmp(a->lines, b->lines);
}

static void put_field(struct out *out, struct str text, const char *end)
{
	out_str(out, text);
	out_str(out, str_c(end));
}

static void put_block(const struct canon *c, struct out *out,
		      const struct canon_block *b)
{
	for (struct str rest = b->lines; rest.n;) {
		const size_t n = (size_t)str_chr(rest, '\n');
		const size_t tab = (size_t)str_chr(rest, '\t');
		const struct str value = str_sub(rest, tab + 1, n);

		put_field(out, b->kind, "\t");
		put_field(out, b->address, "\t");
		put_field(out, str_sub(rest, 0, tab), "\t");
		put_field(out,
			  map_has(&c->secrets, value) ? STR("(sensitive value)")
						      : value,
			  "\n");
		rest = str_sub(rest, n + 1, rest.n);
	}
}

void canon_write(struct canon *c, struct out *out)
{
	const struct canon_block *last = NULL;

	if (c->blocks.len)
		qsort(c->blocks.items, c->blocks.len, sizeof(*c->blocks.items),
		      in_order);
	for (size_t i = 0; i < c->blocks.len; i++) {
		const struct canon_block *b = &c->blocks.items[i];

		/* What planning said an apply says again. */
		if ((c->plan && !b->planned) ||
		    (last && str_is(b->kind, "diagnostic") &&
		     in_order(last, b) == 0))
			continue;
		put_block(c, out, b);
		last = b;
	}
}

void canon_release(struct canon *c)
{
	arena_release(&c->scratch);
	if (c->memory > 0)
		close(c->memory);
}
