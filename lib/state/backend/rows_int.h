/* rows_int.h - what keeps rows, and what is made of them; see rows.h */
#ifndef TFPIPE_STATE_BACKEND_ROWS_INT_H
#define TFPIPE_STATE_BACKEND_ROWS_INT_H

#include "state/backend/backend_int.h"
#include "state/backend/rows.h"

enum row_kind { /* as they are stored */
		ROW_INSTANCE = 'i',
		ROW_OUTPUT = 'o',
		ROW_CHECK = 'c',
		ROW_KEPT = 'k', /* a resource without instances */
};

struct state_row {
	enum row_kind kind;
	struct str address, deposed;
	struct str resource; /* of an instance: without any keys */
	struct str depends;  /* the same of what it depends on: {"a","b"} */
	struct str value;    /* a record, see record.h; may be sealed */
	bool gone;
};
struct row_vec VEC_OF(struct state_row);

struct row_head { /* of a state */
	bool there;
	struct str lineage;
	struct str key; /* its values are sealed with, as it is kept */
	uint64_t serial;
};

/* Which rows are read; zero: all. */
struct row_filter {
	const struct str_vec *resources; /* of instances; NULL: any */
	const struct str_vec *outputs;   /* their addresses; NULL: any */
	bool follow;                     /* and what the instances depend on */
	bool all_but; /* of instances: not those of the resources */
	bool settled; /* only what is neither instance nor output */
};

/* Operations return 0, or -1 with *why. */
struct rows_ops {
	/* Everything in one snapshot.  open: operations that runs began and
	 * never ended. */
	int (*read)(struct backend *b, const struct row_filter *f,
		    struct row_head *head, struct row_vec *out,
		    struct unsettled_vec *open, struct str *why);
	/* Takes these under our run, which begins if there is none; sets
	 * *head.  See `lock` of backend_ops. */
	enum lock_result (*claim)(struct backend *b,
				  const struct claim_vec *claims,
				  struct row_head *head,
				  struct lock_info *holder, const char **what,
				  struct str *why);
	/* Writes these in one transaction, if our run still holds what it has
	 * claimed. */
	int (*commit)(struct backend *b, const struct row_vec *rows,
		      struct str *why);
	/* Writes a state as a whole, if our run still holds all of it. */
	int (*replace)(struct backend *b, const struct row_vec *rows,
		       const struct row_head *head, struct str *why);
	int (*intent)(struct backend *b, const struct unsettled *u,
		      struct str *why);
	int (*settle)(struct backend *b, const struct unsettled *u,
		      struct str *why);
	/* What was committed becomes a serial of the state, *serial; nothing
	 * was: the one that there is. */
	int (*count)(struct backend *b, uint64_t *serial, struct str *why);
	/* Puts a key in place of the one there is. */
	int (*set_key)(struct backend *b, struct str key, struct str *why);
};

struct rows {
	const struct rows_ops *ops;
	struct claim_vec claims;       /* of the run; none: all there is */
	bool partly;                   /* the run has claimed a part */
	bool begun;                    /* outcomes go to our run */
	const struct state_part *part; /* backend_narrow; or NULL */
	struct str key, sealed_key;    /* values are sealed with; empty: none */
	bool key_stale;                /* it is not sealed as it would be now */
	bool plain_ok;          /* values may be plain where there is a key */
	bool seals;             /* values are sealed when they are written */
	struct row_vec pending; /* outcomes not committed yet */
	struct arena arena;     /* of pending */
	struct str why;         /* the last failure of the journal */
};

/* What a sealed value is vouched for with. */
struct str rows_place(struct arena *a, const struct state_row *r);
/* The value of a row, where states are encrypted.  -1: it cannot be. */
int rows_seal(struct backend *b, struct arena *a, struct state_row *r);
int rows_open(struct backend *b, struct arena *a, struct state_row *r);
/* The key that is kept beside the state. */
int rows_read_key(struct backend *b, const struct row_head *head,
		  struct diags *ds);
/* Makes what values are to be sealed with.  A key that is there stays, for
 * others may be writing with it: it is sealed anew where that is done otherwise
 * now.  *renewed: it is to be stored. */
int rows_prepare_sealing(struct backend *b, bool *renewed, struct diags *ds);

/* Is the lock of an operation taken later, when it is known what it claims? */
bool rows_claim_later(const struct backend *b, const char *operation);
struct state *rows_read(struct backend *b, struct arena *a, struct diags *ds);
int rows_write(struct backend *b, struct state *s, struct diags *ds);
/* differs is set, and nothing stored, unless store is true. */
int rows_replace(struct backend *b, struct state *s, bool store, bool *differs,
		 struct diags *ds);
void rows_release(struct backend *b);
enum lock_result rows_lock(struct backend *b, struct lock_info *holder,
			   const char **what, struct diags *ds);

/* What journal.c says, of a state of rows: -1 with b->rows->why. */
int rows_outcome(struct backend *b, const struct state_resource *r,
		 const struct state_instance *i, struct str address,
		 struct str deposed);
int rows_record(struct backend *b, struct str line);
int rows_output(struct backend *b, const struct state_output *out);
int rows_intent(struct backend *b, struct str address, struct str deposed,
		const char *action);
int rows_settle(struct backend *b, const struct str *address, bool creations);
int rows_flush(struct backend *b);
struct str rows_unwritten(const struct backend *b);

#endif
