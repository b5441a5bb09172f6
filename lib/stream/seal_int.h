/* seal_int.h - what the files of the seal share */
#ifndef TFPIPE_STREAM_SEAL_INT_H
#define TFPIPE_STREAM_SEAL_INT_H

#include "base/opts.h"
#include "stream/seal.h"

/* --- seal_hash.c: the text of a record, or of a member --- */
/* A number for what text says.  It counts only if text has one form: otherwise
 * the same could be written in another way, and the number is that of the
 * canonical text. */
uint64_t seal_hash(struct str text);
/* One line of JSON as this program would write it: no spaces, no escapes but
 * the necessary ones, numbers in one form.  Text that is no JSON stays as it
 * is. */
void seal_canonical(struct arena *scratch, struct str line, struct buf *out);

/* --- seal.c --- */
enum {
	SEAL_PLANNED = 1,
	SEAL_EDGE = 3,
	SEAL_NODE = 4,
	SEAL_CONFIG = 23,
	SEAL_KINDS = 37,
};
extern const char *const seal_kinds[SEAL_KINDS];

struct tally {
	size_t n;     /* records */
	uint64_t sum; /* of their numbers */
};

struct kept { /* of the records of a kind, in their order */
	struct buf marks;   /* the lower half of each number, as uint32_t */
	struct buf members; /* of the first of them, as seal_members.c says */
	size_t n_members;
	size_t names, n_names; /* where those of the last record are in there */
	struct buf labels;  /* what each is about, a line each */
};

struct kind_state {
	struct tally seen;   /* read and written */
	struct tally found;  /* the part that was read */
	struct tally before; /* by the last seal */
	struct kept read, own;
	struct str_vec names;  /* of members; their places stand for them */
	bool accepted;
};

struct seal {
	struct arena arena, scratch;
	struct buf line;  /* in canonical form */
	bool all;         /* also the kinds from SEAL_CONFIG on */
	int last;         /* the kind of the last record */
	struct str tool;  /* of the last seal read */
	bool sealed;      /* that is one of the last stage, */
	bool config_known;  /* which has the kinds from SEAL_CONFIG on */
	struct str_vec seals; /* the lines of all */
	struct kind_state k[SEAL_KINDS];
};

void seal_kept_release(struct kept *k);
/* -1: not sealed. */
int seal_kind_index(struct seal *s, struct str kind);

/* Goes what was read into the next seal as it is? */
bool seal_renewed(const struct seal *s, int kind);

/* --- seal_members.c --- */
enum {
	SEAL_TOLD = 256, /* records of a kind whose members are looked at */
	SEAL_NAMES = 64, /* names of members of a kind that are told apart */
	SEAL_NAME_BITS = 4, /* characters for the first member */
};
struct seal_members { /* of a record */
	struct str names, bits;
};

/* Adds the members of a record, a line in canonical form, to what is kept,
 * before its mark. */
void seal_members_add(struct seal *s, int kind, struct str line,
		      struct kept *to);
/* The same, of records that a seal lists: `names` is the seal's list. */
void seal_members_listed(struct seal *s, int kind, const struct json *names,
			 struct str members, struct kept *to);
/* Are those of all records kept? */
bool seal_members_complete(const struct kept *k);
/* The first of several records, which is taken off the text.  What it says of
 * names holds for the next, too. */
void seal_members_next(struct str *text, struct seal_members *m);
/* The names of those that differ. */
struct str_vec seal_members_differ(struct arena *a, const struct str_vec *names,
				   const struct seal_members *now,
				   const struct seal_members *was);

/* --- seal_record.c --- */
/* What the seals list of a kind, in order. */
void seal_listed(struct seal *s, int kind, struct kept *out);

#endif
