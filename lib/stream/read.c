/*
 * read.c - reading a stream: framing, dispatch, passing on (see stream.h)
 *
 * Input is read in blocks and handed on line by line, so that memory is
 * bounded by the longest line.  A line's kind is looked up in its first bytes
 * (json_peek_record); only a line written otherwise is parsed for it.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "stream/stream.h"
#include "base/visible.h"
#include "json/read.h"
#include "json/tree.h"
#include "stream/stream_int.h"
#include "stream/seal.h"

enum {
	READ_BLOCK = 1 << 18,
	PIPE_SIZE = 1 << 18, /* fewer switches between the stages of a pipe */
};

struct stream_reader {
	struct arena *arena;
	struct stream_info *info;
	struct stream_out *pass;
	stream_record_fn *fn;
	void (*idle)(void *data); /* before a read that may wait; or NULL */
	struct stream_copy *copy; /* or NULL */
	void *data;
	struct diags *ds;
	struct arena scratch; /* for lines that must be parsed */
	size_t lineno;        /* of the line at hand, 1-based */
	bool header, end;
};

bool stream_has_stage(const struct stream_info *i, const char *tool)
{
	for (size_t k = 0; k < i->stages.len; k++)
		if (str_is(i->stages.items[k], tool))
			return true;
	return false;
}

bool stream_lost_seal(const struct stream_info *i)
{
	return i->stages.len && !i->seal_chosen &&
	       !str_eq(i->sealed_by, i->stages.items[i->stages.len - 1]);
}

static int bad_line(struct stream_reader *r, const char *detail)
{
	return diag_error(r->ds, NULL, "Invalid input stream",
			  "Line %zu of the input %s", r->lineno, detail);
}

const struct json *stream_parse(struct arena *a, struct str line,
				struct diags *ds)
{
	struct json_error err = { 0, NULL };
	const struct json *j = json_parse(a, line, &err);

	if (j && j->kind == JSON_OBJECT)
		return j;
	diag_error(
		ds, NULL, "Invalid input stream",
		"A record of the input is not valid: %s (at byte %zu of its line).",
		j ? "it is not a JSON object" : err.message, err.offset);
	return NULL;
}

static int read_header(struct stream_reader *r, struct str line)
{
	const struct json *j = stream_parse(&r->scratch, line, r->ds);

	if (!j)
		return -1;
	if (!str_is(json_get_str(j, "format"), "tfpipe-stream"))
		return bad_line(r, "is a header of another format.");
	if (json_get_int(j, "version", 0) != STREAM_VERSION)
		return bad_line(
			r,
			"announces a version of the format that this program does not read.");
	r->header = true;
	return 0;
}

static bool names_seal(const struct json *options)
{
	for (uint32_t i = 0;
	     options && options->kind == JSON_ARRAY && i < options->len; i++)
		if (options->items[i].kind == JSON_STRING &&
		    str_is(options->items[i].text, "seal"))
			return true;
	return false;
}

/* Whose it is. */
static void note_seal(struct stream_reader *r, struct str line)
{
	struct str tool = json_slice_get(line, "tool");

	r->info->sealed_by =
		str_dup(r->arena, json_slice_str(&r->scratch, tool));
}

static int read_framing(struct stream_reader *r, struct str kind,
			struct str line)
{
	const struct json *j;
	struct str tool;

	if (str_is(kind, "header")) {
		if (r->header)
			return bad_line(r, "is a second header.");
		return read_header(r, line);
	}
	j = stream_parse(&r->scratch, line, r->ds);
	if (!j)
		return -1;
	if (str_is(kind, "end")) {
		r->end = true;
		r->info->failed = json_get_bool(j, "failed", false);
		return 0;
	}
	tool = json_get_str(j, "tool");
	if (!tool.n)
		return bad_line(r, "is a stage record without a tool.");
	vec_push(r->arena, &r->info->stages,
		 str_dup(r->arena, visible_word(r->arena, tool)));
	r->info->seal_chosen = names_seal(json_get(j, "options"));
	return 0;
}

static struct str record_kind(struct stream_reader *r, struct str line)
{
	struct str kind = json_peek_record(line);
	struct json_error err;

	if (kind.n)
		return kind;
	return json_get_str(json_parse(&r->scratch, line, &err), "record");
}

static bool is_blank(struct str line)
{
	size_t i = 0;

	while (i < line.n &&
	       (line.p[i] == ' ' || line.p[i] == '\t' || line.p[i] == '\r'))
		i++;
	return i == line.n;
}

static void pass_on(struct stream_reader *r, struct str kind, struct str line)
{
	struct stream_out *o = r->pass;

	if (o->brief && !str_is(kind, "header") && !str_is(kind, "stage") &&
	    !str_is(kind, "diagnostic"))
		return;
	if (o->redact) {
		buf_set_len(&o->redacted, 0);
		stream_redact(&r->scratch, kind, line, &o->redacted);
		line = buf_view(&o->redacted);
	}
	out_str(&o->out, line);
	out_write(&o->out, "\n", 1);
}

/* The reader of a record knows what is wrong with it, not which one it is; of
 * the configuration it knows the place. */
static void tell_which(struct stream_reader *r, size_t from, struct str kind,
		       struct str line)
{
	struct str address = STR_NONE;
	struct json_slice j = JSON_SLICE_INIT(line);

	while (json_slice_next(&j))
		if (str_is(j.name, "address"))
			address = visible_word(&r->scratch,
					       json_slice_str(&r->scratch,
							      j.value));
	for (size_t i = from; i < r->ds->len; i++) {
		struct diag *d = &r->ds->items[i];

		if (d->severity == SEV_ERROR && !d->subject.file.n)
			d->detail = str_printf(
				r->ds->arena,
				"%.*s It is in line %zu of the input, a record %.*s%s%.*s.",
				STR_ARG(d->detail), r->lineno, STR_ARG(kind),
				address.n ? " of " : "", STR_ARG(address));
	}
}

static int read_line(struct stream_reader *r, struct str line)
{
	const bool sealed = r->pass && !r->pass->unedited;
	const size_t before = r->ds->len;
	struct str kind;
	int rc = 0;

	r->lineno++;
	arena_reset(&r->scratch);
	if (is_blank(line))
		return 0;
	if (r->end)
		return bad_line(r, "follows the end record.");
	if (!str_utf8_valid(line))
		return bad_line(r, "is not UTF-8.");
	kind = record_kind(r, line);
	if (!kind.n)
		return bad_line(
			r,
			str_find(line, STR("\"encrypted_data\"")) >= 0
				? "is not a record, but encrypted: what comes through a pipe is not decrypted, and a file only where the configuration of the directory has its encryption."
			: str_is(line, "{")
				? "is not a record: a record is one line, as jq writes with -c."
				: "is not a record: it has no \"record\" member, or is not valid JSON.");
	if (!r->header && !str_is(kind, "header"))
		return bad_line(
			r,
			"is not the header record, with which a stream begins.");
	if (str_is(kind, "header") || str_is(kind, "end") ||
	    str_is(kind, "stage"))
		rc = read_framing(r, kind, line);
	else if (str_is(kind, "seal")) {
		note_seal(r, line);
		rc = sealed ? seal_read(r->pass->seal, line, r->ds) : 0;
	} else {
		if (sealed)
			seal_add_read(r->pass->seal, kind, line);
		if (r->fn)
			rc = r->fn(r->data, kind, line, r->ds);
		if (rc)
			tell_which(r, before, kind, line);
	}
	if (!rc && r->pass && !r->end) {
		if (!r->pass->leave_out)
			pass_on(r, kind, line);
		r->pass->leave_out = false;
		r->pass->started = true;
	}
	return rc;
}

static int copy_text(struct stream_reader *r, const char *p, size_t n)
{
	struct stream_copy *c = r->copy;

	if (!c || c->fd < 0 || !n || io_write_all(c->fd, p, n) == 0)
		return 0;
	if (c->feed) {
		c->fd = -1;
		return 0;
	}
	return diag_error(r->ds, NULL, "Cannot copy the stream",
			  "Writing the copy failed: %s.", strerror(errno));
}

/* Passes on the complete lines in b, the first `searched` bytes of which hold
 * no line break; *done: how much that is.  Returns -1 after an error. */
static int take_lines(struct stream_reader *r, struct buf *b, size_t *done,
		      size_t searched)
{
	size_t copied = 0;
	char *nl;

	while ((nl = memchr(b->p + searched, '\n', b->len - searched))) {
		size_t at = (size_t)(nl - b->p);
		struct str line = { b->p + *done, at - *done };

		if (read_line(r, line))
			return -1;
		*done = searched = at + 1;
		if (!r->end)
			copied = *done;
	}
	if (r->copy && !r->copy->feed)
		copied = *done;
	return copy_text(r, b->p, copied);
}

static int read_blocks(struct stream_reader *r, int fd, struct buf *b)
{
	struct json_error err;

	for (;;) {
		size_t done = 0, before = b->len;
		ssize_t n;

		buf_grow(b, READ_BLOCK);
		if (r->idle)
			r->idle(r->data);
		n = read(fd, b->p + b->len, b->cap - b->len - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return diag_error(r->ds, NULL, "Cannot read the input",
					  "Reading the stream failed: %s.",
					  strerror(errno));
		if (n == 0)
			break;
		r->info->present = true;
		b->len += (size_t)n;
		b->p[b->len] = '\0';
		if (take_lines(r, b, &done, before))
			return -1;
		memmove(b->p, b->p + done, b->len - done);
		buf_set_len(b, b->len - done);
	}
	if (!b->len)
		return 0;
	if ((r->lineno || str_starts(buf_view(b), "{\"record\":")) &&
	    !json_parse(&r->scratch, buf_view(b), &err))
		return diag_error(
			r->ds, NULL, "Incomplete input stream",
			"The input ends in the middle of line %zu: it was cut off.",
			r->lineno + 1);
	if (read_line(r, buf_view(b)))
		return -1;
	return r->copy && r->copy->feed && r->end ? 0
						  : copy_text(r, b->p, b->len);
}

static int read_all(struct stream_reader *r, int fd)
{
	struct buf b = BUF_INIT;
	int rc;

	*r->info = (struct stream_info){ 0 };
	fcntl(fd, F_SETPIPE_SZ, PIPE_SIZE); /* fails where it is no pipe */
	rc = read_blocks(r, fd, &b);
	if (!rc && !r->info->present)
		rc = diag_error(r->ds, NULL, "No input",
				"The input is empty. A stage reads what the "
				"one before it has written, as in "
				"\"tf-plan -C . | tf-apply\".");
	else if (!rc && !r->end)
		rc = diag_error(r->ds, NULL, "Incomplete input stream",
				"The input ends without an end record: the "
				"program that wrote it was interrupted.");
	buf_release(&b);
	arena_release(&r->scratch);
	return rc;
}

bool stream_edits(struct arena *a, const struct stream_out *o,
		  const struct stream_info *i, struct seal_edit_vec *out)
{
	return o->unedited ||
	       seal_edits(a, o->seal,
			  i->stages.len ? i->stages.items[i->stages.len - 1]
					: STR_NONE,
			  out);
}

int stream_read(struct arena *a, int fd, struct stream_info *info,
		struct stream_out *pass, stream_record_fn *fn, void *data,
		struct diags *ds)
{
	struct stream_reader r = { .arena = a,
				   .info = info,
				   .pass = pass,
				   .fn = fn,
				   .data = data,
				   .ds = ds };

	return read_all(&r, fd);
}

int stream_read_live(struct arena *a, int fd, struct stream_copy *copy,
		     struct stream_info *info, stream_record_fn *fn,
		     void (*idle)(void *data), void *data, struct diags *ds)
{
	struct stream_reader r = { .arena = a,
				   .info = info,
				   .fn = fn,
				   .idle = idle,
				   .copy = copy,
				   .data = data,
				   .ds = ds };

	return read_all(&r, fd);
}
