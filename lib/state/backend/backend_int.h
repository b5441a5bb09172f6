/*
 * backend_int.h - inside an opened workspace: what backend.c, lock.c, the
 * journal and the backends share
 *
 * A backend stores one text per workspace and holds one lock; everything that
 * is the same for all of them (serial and lineage rules, lock messages and
 * waiting, the journal) is done above these operations.
 */
#ifndef TFPIPE_STATE_BACKEND_BACKEND_INT_H
#define TFPIPE_STATE_BACKEND_BACKEND_INT_H

#include <fcntl.h>

#include "remote/remote.h"
#include "state/backend/backend.h"

struct envelope;
struct rows;

enum lock_result { LOCK_TAKEN, LOCK_HELD, LOCK_FAILED };

/*
 * Operations return 0, or -1 after a diagnostic, unless said otherwise.  Those
 * that ask a host wait for its answer in the loop (fetch_wait), in which all
 * else goes on: they may be called in the middle of an apply.
 */
struct backend_ops {
	const char *type;
	/* The state is elsewhere: it has no local files but the journal, which
	 * lies in the data directory, and no backup; is_locked and version are
	 * handed on to the processes that run under a lock (handover.c). */
	bool remote;
	/* There is the default workspace only, so that the operations for
	 * others are NULL. */
	bool one_workspace;
	/* `store` looks whether what is stored is still what was read, by
	 * b->kept. */
	bool compares;
	/* `workspaces` lists all there are: it need not be that "default" is
	 * one of them. */
	bool names_all;
	/* Its workspaces have names that are all configurations': states come
	 * there by a dialogue of init's about new ones, which asks for that of
	 * a first workspace, too. */
	bool shares_names;
	/* What the host says of the outputs of a state that is not there; NULL:
	 * nothing, then there are none. */
	const char *no_outputs;
	/* Init remembers it also where there is no workspace yet. */
	bool saved_first;
	/* Is the backend set up so that it has one workspace, as if the flag
	 * above were set?  NULL: no. */
	bool (*has_one)(const struct backend *b);
	/* Reads b->opts.config (arguments.c), environment and all, and
	 * reports what is wrong with it; asks nobody.  Sets b->name; if local
	 * b->journal_path. */
	int (*open)(struct backend *b, struct diags *ds);
	/* Takes over what another of the same config has found out of who asks,
	 * and where: keys, tokens.  NULL: nothing is looked up. */
	void (*take_over)(struct backend *b, const struct backend *from);
	/* Called after open has failed, too. */
	void (*close)(struct backend *b);
	/* What its host calls a workspace: the name of the only one, or a text
	 * with a `*` for the name that we have for it.  NULL: what we do. */
	struct str (*pattern)(const struct backend *b);
	/* What init sees to when it has chosen the workspace; NULL: nothing. */
	int (*prepare)(struct backend *b, struct diags *ds);
	/* The state's text, in b->arena; empty when there is none. */
	int (*fetch)(struct backend *b, struct str *out, struct diags *ds);
	/* A state with the outputs alone, which the host tells also to those
	 * that it has not given the state: after fetch.  Empty: it tells
	 * nothing.  NULL: there is none such. */
	struct str (*outputs)(struct backend *b);
	/* The text that store will replace; NULL where both are one. */
	int (*fetch_target)(struct backend *b, struct str *out,
			    struct diags *ds);
	/* Replaces the text.  The journal holds the new one already. */
	int (*store)(struct backend *b, struct str text, struct diags *ds);
	/* Keeps a copy of what store is about to replace; NULL: none. */
	int (*backup)(struct backend *b, struct str text, struct diags *ds);
	/* One attempt; may set mine->id, which ends with NUL, and mine->path.
	 * Held by another: *holder is filled as far as known and *why is an
	 * error text.  An attempt that failed leaves no lock behind, as far as
	 * can be: also where the answer was lost. */
	enum lock_result (*lock)(struct backend *b, struct lock_info *mine,
				 struct lock_info *holder, const char **why,
				 struct diags *ds);
	int (*unlock)(struct backend *b, struct diags *ds);
	/* Is the lock held by any process?  Fills *holder if so. */
	bool (*is_locked)(struct backend *b, struct lock_info *holder);
	int (*force_unlock)(struct backend *b, struct str id, bool forced,
			    struct diags *ds);
	int (*workspaces)(struct backend *b, struct str_vec *out,
			  struct diags *ds);
	int (*workspace_make)(struct backend *b, struct str name,
			      struct diags *ds);
	int (*workspace_remove)(struct backend *b, struct str name,
				struct diags *ds);
};

extern const struct backend_ops backend_local, backend_http, backend_inmem;
extern const struct backend_ops backend_s3, backend_gcs, backend_azurerm;
extern const struct backend_ops backend_pg, backend_consul, backend_kubernetes;
extern const struct backend_ops backend_remote, backend_cloud, backend_cos;
extern const struct backend_ops backend_oss;

/* Locks belong to the open file where the system supports that: closing another
 * descriptor of the same file does not drop them. */
#ifdef F_OFD_SETLK
enum { SET_LOCK = F_OFD_SETLK, GET_LOCK = F_OFD_GETLK };
#else
enum { SET_LOCK = F_SETLK, GET_LOCK = F_GETLK };
#endif

/* An operation of an earlier run of which nobody knows how it ended. */
struct unsettled {
	struct str address, deposed, action;
};
struct unsettled_vec VEC_OF(struct unsettled);

struct journal {
	int fd;             /* -1: not open */
	off_t len;          /* bytes that are whole records */
	int broken;         /* not 0: it ends in what could not be taken back */
	bool unsynced;      /* something was written since the last sync */
	bool batch;         /* journal_batch was called */
	struct buf pending; /* outcomes not written yet */
	struct str key;     /* its lines are encrypted with; or empty */
	struct str sealed_key; /* as its first line has it */
	bool key_stale;        /* by a method that is only a fallback now */
	bool fresh; /* the file is new: its directory needs a sync too */
	uint64_t n; /* the number of the last record */
	uint64_t group, group_end; /* those of the group that is open, or 0 */
	uint64_t synced;           /* so many are on the disk */
	uint64_t synced_said;      /* so many are said to be, in the journal */
	bool outdated;   /* what is before the last snapshot was stored */
	struct map open; /* address, NUL, deposed -> the intent's line, not
			    sealed; NULL when its outcome is known */
	size_t nopen;    /* how many are not NULL */
	struct unsettled_vec unsettled;
};

struct backend {
	struct arena *arena;
	const struct backend_ops *ops;
	struct backend_options opts;
	struct str workspace;
	struct str name;         /* of the state, for messages */
	struct str journal_path; /* a NUL-terminated path */
	struct journal journal;
	struct envelope *envelope; /* of the state; NULL: plain text */
	bool stale; /* what is stored is not sealed as it would be now */
	struct str kept_journal; /* backend_kept_journal */

	bool locked;  /* by us, or adopted */
	bool adopted; /* the lock is our parent's */
	struct lock_info lock;

	struct remote remote; /* asks hosts */
	/* The backend keeps rows (rows_int.h), set by `open`: its fetch and
	 * store are not called.  NULL: it keeps a text. */
	struct rows *rows;
	/* What a store is made conditional on, from fetch or the last store: an
	 * index or a generation.  Empty: unknown. */
	struct str version;
	/* Where the operations compare: backend_sum of the text that was
	 * fetched, handed on or stored last; empty: unknown. */
	struct str kept;
	struct handover *handover; /* NULL: nothing was handed on */

	/* The user wants it with -force: a store over another lineage or
	 * serial, a workspace that is not empty removed. */
	bool forced;

	/* The stored state as last read or written. */
	bool known;
	struct str text;    /* empty: there is none */
	struct buf written; /* holds text once we wrote it */
	struct buf sealed;  /* the same as it is kept */
	struct str lineage;
	struct str new_lineage; /* what a first state will get; empty: none
				    chosen yet */
	size_t ninstances;      /* in what is stored */
	uint64_t serial;
	bool backed_up;
	bool unsaved;   /* text is from the journal, not stored yet */
	bool recovered; /* the state read has more than text: outcomes of the
			   journal */

	void *data; /* the backend's own */
};

/* Opens a text that was fetched; -1 after a diagnostic. */
int backend_open_text(struct backend *b, struct str *text, struct diags *ds);
/* Makes b->sealed of it, which lives as long as it is handed on. */
int backend_seal_text(struct backend *b, struct str text, struct diags *ds);
/* Fetches the text and takes its serial and lineage, once. */
int backend_know(struct backend *b, struct diags *ds);
/* The text, from where it was handed on or is stored. */
int backend_fetch(struct backend *b, struct str *out, struct diags *ds);

/* What tells a text as it is kept from others. */
struct str backend_sum(struct backend *b, struct str text);
/* Is a text as it is kept one that was stored here, as far as the journal or
 * the state that is pushed tells? */
bool backend_stored_here(struct backend *b, struct str text);

/* Errors of those that ask hosts, under the summaries that users know; why: a
 * sentence without its full stop, which has no secret.  Return -1; those of
 * locks are in lock.c. */
int backend_load_error(struct backend *b, struct str why, struct diags *ds);
int backend_store_error(struct backend *b, struct str why, struct diags *ds);
int backend_list_error(struct str why, struct diags *ds);

struct recovery {
	struct str text;     /* the state to go on from; empty: none */
	bool from_snapshot;  /* text came from the journal */
	bool changed;        /* outcomes were put into the state */
	bool found;          /* there is a journal of this state */
	bool only_unsettled; /* and it has nothing but what is to stay */
	struct state *state; /* parsed from text, outcomes applied */
};

/*
 * arguments.c: the arguments of a backend block, as its file reads them
 *
 * One that is not set has what its line in schemas.c says: what an environment
 * variable holds, or a default.
 */

/* The value that is set; NULL: none is.  Of an object: that of its member. */
const struct value *argument_value(const struct backend *b, const char *name);
const struct value *argument_member(const struct value *object,
				    const char *name);
/* The text of a value; STR_NONE if that is NULL, or no text. */
struct str argument_string(const struct value *v);
/* STR_NONE (p is NULL): there is none. */
struct str argument_text(const struct backend *b, const char *name);
/* False and 0 where there is none; -1 after a diagnostic about what the
 * environment has. */
int argument_flag(const struct backend *b, const char *name, bool *out,
		  struct diags *ds);
int argument_number(const struct backend *b, const char *name, int64_t *out,
		    struct diags *ds);
/* An error for each argument that must be there, but is not. */
int arguments_required(const struct backend *b, struct diags *ds);
/* "Invalid backend configuration": what is wrong with an argument. */
int argument_error(const struct backend *b, struct diags *ds, const char *name,
		   const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* handover.c: a state that was handed on; see handover.c */

/* Takes what our parent hands on, if it is of the same state. */
void handover_take(struct backend *b);
void handover_release(struct backend *b);
/* The text that was handed on; false: there is none. */
bool handover_text(struct backend *b, struct str *text);
/* The lock under which it was handed on; NULL: none. */
const struct lock_info *handover_lock(const struct backend *b);
/* The text that has been stored, for those who read it later. */
int handover_update(struct backend *b, struct str text, struct diags *ds);

/* lock.c: taking, describing and handing on the lock of a state */

struct lock_info lock_info_new(struct arena *a, const char *operation);
void lock_info_write(struct buf *out, const struct lock_info *l);
int lock_info_read(struct arena *a, struct str text, struct lock_info *out);

/* Says that the lock cannot be taken; -1. */
int backend_lock_error(struct backend *b, struct str why, struct diags *ds);
/* Says that an attempt may have taken the lock as `id`, and could not give it
 * back; -1. */
int backend_lock_left(struct backend *b, struct str id, struct str why,
		      struct diags *ds);
int backend_unlock_error(struct backend *b, struct str why, struct diags *ds);

#endif
