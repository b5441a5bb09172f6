/* seal_int.h - what the files of the seal share */
#ifndef TFPIPE_STREAM_SEAL_INT_H
#define TFPIPE_STREAM_SEAL_INT_H

#include "base/opts.h"
#include "stream/seal.h"

enum {
	SEAL_PLANNED = 1,
	SEAL_EDGE = 3,
	SEAL_NODE = 4,
	SEAL_CONFIG = 23,
	SEAL_KINDS = 39,
};
extern const char *const seal_kinds[SEAL_KINDS];

struct tally {
	size_t n;     /* records */
	uint64_t sum; /* of their numbers */
};

struct kept {               /* of the records of a kind, in their order */
	struct buf marks;   /* the lower half of each number, as uint32_t */
	struct buf members; /* of the first of them, as seal_members.c says */
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

#endif
