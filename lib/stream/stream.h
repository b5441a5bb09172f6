/*
 * stream.h - framing of record streams (tf-stream(5))
 *
 * JSON Lines; the first record is `header`, each stage adds a `stage` record,
 * the last is `end`.  A stage passes on what it received byte for byte and
 * adds its own records before `end`.  A stream without `end` was cut off and
 * is refused.  Records of unknown kind pass through.
 */
#ifndef TFPIPE_STREAM_STREAM_H
#define TFPIPE_STREAM_STREAM_H

#include "base/diag.h"
#include "base/io.h"
#include "json/json.h"
#include "stream/seal.h"
#include "json/write.h"

enum { STREAM_VERSION = 1 };

/* The content of the input's framing records. */
struct stream_info {
	bool present;          /* some input was read */
	bool failed;           /* its `end` said so */
	struct str_vec stages; /* that already ran, in order, fit to be told */
	bool seal_chosen;      /* the last of them was told whether to seal, */
	struct str sealed_by;  /* and this tool left the last seal */
};

/* Handles one record line (without newline; valid only during the call).
 * kind is the text of "record".  Parse it with stream_parse when its members
 * are needed.  Returns 0, or -1 after adding a diagnostic. */
typedef int stream_record_fn(void *data, struct str kind, struct str line,
			     struct diags *ds);

/* A stream being written.  If redact is set (stdout is a terminal and
 * -show-sensitive was not given) sensitive values are written as "(sensitive
 * value)": the record writers look at it, and records passed through are
 * redacted. */
struct stream_out {
	struct out out;
	struct buf redacted; /* a line that passes, as it is shown */
	struct seal *seal;   /* of records passed and written */
	struct str tool;     /* the stage that writes; empty: none yet */
	const char *kind;    /* of the record being written, */
	size_t from;         /* which begins there in out.buf */
	bool unsealed;       /* nobody looks for it: no seal is written */
	bool unedited;       /* the input, by who runs the stage: no seal is
				looked for */
	bool redact;
	bool show_sensitive; /* the option; redact follows from it */
	bool started;        /* a header exists (passed through or written) */
	bool leave_out; /* set by who is handed a record: it does not pass */
	bool brief;     /* of the input only `header`, `stage` and `diagnostic`
			 records pass: for a reader that has the rest */
};

/* The destination of a copy of all input. */
struct stream_copy {
	int fd;    /* -1: nowhere, from now on */
	bool feed; /* to a stage that waits for `end`, which is left out: the
		      driver writes it after approval.  When that stage is gone
		      the rest is still read. */
};

/* How a tool gets its input: -C DIR (no stdin), a terminal on stdin (the
 * current directory), or a stream on stdin. */
enum stream_source { STREAM_FROM_DIR, STREAM_FROM_STDIN };

/* read.c: reading a stream: framing, dispatch, passing on */

/* The last stage leaves a seal, unless it is told not to, and there is none:
 * what was edited cannot be known. */
bool stream_lost_seal(const struct stream_info *i);
bool stream_has_stage(const struct stream_info *i, const char *tool);
/* Reads a whole stream from fd.  Each line is handed to fn, and copied to
 * `pass` if that is not NULL (`end` excepted: the caller writes its own with
 * stream_end).  Framing mistakes (no header, no end, text after end, invalid
 * JSON, a line without "record") are diagnostics and -1. */
int stream_read(struct arena *a, int fd, struct stream_info *info,
		struct stream_out *pass, stream_record_fn *fn, void *data,
		struct diags *ds);
/* As stream_read; before each wait for more input idle(data) is called, so that
 * what was written in answer to the records so far can be flushed. */
int stream_read_live(struct arena *a, int fd, struct stream_copy *copy,
		     struct stream_info *info, stream_record_fn *fn,
		     void (*idle)(void *data), void *data, struct diags *ds);
/* Lists what was edited in the input since the previous stage wrote it; false:
 * that cannot be known.  Call it after a stream_read into o. */
bool stream_edits(struct arena *a, const struct stream_out *o,
		  const struct stream_info *i, struct seal_edit_vec *out);
const struct json *stream_parse(struct arena *a, struct str line,
				struct diags *ds);

/* redact.c: records that a person reads */

/* A record's line as a person may see it, added to out: unchanged unless it
 * has something to hide.  kind: of the record; a: scratch. */
void stream_redact(struct arena *a, struct str kind, struct str line,
		   struct buf *out);

/* write.c: writing a stream: header, stage, records, end */

enum stream_source stream_choose(struct str dir_option);
void stream_out_init(struct stream_out *o, int fd, bool show_sensitive);
/* In a pipe where nobody edits: the seal of the input does not count, and none
 * is written. */
void stream_without_seal(struct stream_out *o);
/* Writes `header` if needed, then `stage`. */
void stream_begin(struct stream_out *o, const char *tool,
		  const struct str_vec *options);
/* One record: between begin and end write members with the returned writer;
 * address may be STR_NONE. */
struct jw stream_record(struct stream_out *o, const char *kind,
			struct str address);
void stream_record_end(struct stream_out *o, struct jw *w);
/* Writes the seal of the stage, and `end`, and flushes. Returns 0, or -1 when
 * writing failed. */
int stream_end(struct stream_out *o, bool failed);
void stream_out_release(struct stream_out *o);

#endif
