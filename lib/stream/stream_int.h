/* stream_int.h - what the files of this room share */
#ifndef TFPIPE_STREAM_STREAM_INT_H
#define TFPIPE_STREAM_STREAM_INT_H

#include "base/io.h"
#include "base/opts.h"
#include "stream/seal.h"
#include "base/diag.h"
#include "base/str.h"
#include "base/vec.h"
#include "json/json.h"
#include "json/write.h"

/* seal.c: a hash of the content of a line */

/* seal.c: what the files of the seal share */

enum {
	SEAL_PLANNED = 1,
	SEAL_EDGE = 3,
	SEAL_NODE = 4,
	SEAL_CONFIG = 24,
	SEAL_KINDS = 40,
};
extern const char *const seal_kinds[SEAL_KINDS];

struct tally {
	size_t n;     /* records */
	uint64_t sum; /* of their numbers */
};

struct kept {               /* of the records of a kind, in their order */
	struct buf marks;   /* the lower half of each number, as uint32_t */
	struct buf members; /* of the first of them, as seal.c says */
	size_t n_members;
	size_t names, n_names; /* where those of the last record are in there */
	struct buf labels;     /* what each is about, a line each */
};

struct kind_state {
	struct tally seen;   /* read and written */
	struct tally found;  /* the part that was read */
	struct tally before; /* by the last seal */
	struct kept read, own;
	struct str_vec names; /* of members; their places stand for them */
	bool accepted;
};

struct seal {
	struct arena arena, scratch;
	struct buf line;      /* in canonical form */
	bool all;             /* also the kinds from SEAL_CONFIG on */
	int last;             /* the kind of the last record */
	struct str tool;      /* of the last seal read */
	bool sealed;          /* that is one of the last stage, */
	bool config_known;    /* which has the kinds from SEAL_CONFIG on */
	struct str_vec seals; /* the lines of all */
	struct kind_state k[SEAL_KINDS];
};

void seal_kept_release(struct kept *k);
/* -1: not sealed. */
int seal_kind_index(struct seal *s, struct str kind);

enum {
	SEAL_TOLD = 256,    /* records of a kind whose members are looked at */
	SEAL_NAMES = 64,    /* distinguished names of members of a kind */
	SEAL_NAME_BITS = 4, /* characters for the first member */
};
struct seal_members { /* of a record */
	struct str names, bits;
};

/* Does the next seal take over the records as they were read? */
bool seal_renewed(const struct seal *s, int kind);

/* seal.c: which members of a record differ */

/* Adds the members of records that a seal lists: `names` is the seal's list. */
void seal_members_listed(struct seal *s, int kind, const struct json *names,
			 struct str members, struct kept *to);
/* Are those of all records kept? */
bool seal_members_complete(const struct kept *k);
/* Takes the first of several records off the text.  Its names hold for the next
 * one, too, unless that has its own. */
void seal_members_next(struct str *text, struct seal_members *m);
/* The names of those that differ. */
struct str_vec seal_members_differ(struct arena *a, const struct str_vec *names,
				   const struct seal_members *now,
				   const struct seal_members *was);

/* seal_record.c: the record `seal`, written and read (see seal.h) */

/* A `seal` record of the input. */
int seal_read(struct seal *s, struct str line, struct diags *ds);
/* The members of the seal record that the stage itself writes. */
void seal_write(struct seal *s, struct jw *w);

/* seal_record.c: the record `seal`, written and read (see seal.h) */

/* Collects what the seals list of a kind, in order. */
void seal_listed(struct seal *s, int kind, struct kept *out);

#endif
