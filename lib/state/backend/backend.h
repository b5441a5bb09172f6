/*
 * backend.h - where state lives: one interface, whatever keeps it
 *
 * A backend opens a workspace's state: read, lock, write, unlock.  kinds.c has
 * the types that there are; each is a struct backend_ops (backend_int.h).
 */
#ifndef TFPIPE_STATE_BACKEND_BACKEND_H
#define TFPIPE_STATE_BACKEND_BACKEND_H

#include "encrypt/encrypt.h"
#include "state/state.h"
#include "schema/schema.h"
#include "base/str.h"

struct backend_ops;
struct loop;
struct workdir;

struct lock_info { /* lock.info as OpenTofu writes it */
	struct str id, operation, info, who, version, created, path;
};

/* A journal that is damaged, for who decides what becomes of it. */
struct journal_report {
	struct str path;
	struct str damage;  /* what is wrong, a line each, indented */
	struct str records; /* what can be used, in the same way; or empty */
	bool usable;        /* it is of a version that we know */
};

enum journal_decision {
	JOURNAL_LEAVE,   /* nothing is done, and the state not read */
	JOURNAL_USE,     /* what stands on its own counts */
	JOURNAL_DISCARD, /* nothing of it counts */
};

struct backend_options {
	struct workdir *workdir; /* not NULL where it is kept elsewhere */
	struct str state_path;   /* -state; empty: config or default */
	struct str state_out;    /* -state-out; empty: as state_path */
	struct str backup_path;  /* -backup; "-" disables; empty: default */
	struct str workspace;    /* whose state it is; empty: default */
	/* Of the backend that was initialised (initialised.c); empty: local, as
	 * is the one that state_path names. */
	struct str backend_type;
	const struct value *config; /* of its schema's type; may be NULL */
	/* One in the same arena that was opened by the same type and config,
	 * and may be closed: who asks is not looked up anew.  Or NULL. */
	const struct backend *like;
	/* What it is opened for, as the lock's info has it; empty: to look. */
	struct str operation;
	bool ignore_remote; /* -ignore-remote-version */
	/* Goes on while a host is asked; NULL: one is made for that. */
	struct loop *loop;
	const struct state *pushed; /* what backend_push is to store; or NULL */
	/* What states are encrypted by, or NULL; backend_close waits for keys
	 * that are being made (encryption_end). */
	struct encryption *encryption;
	struct envelope *envelope; /* not its own of the state; or NULL */
	/* Called once while waiting for the lock takes longer than a moment;
	 * may be NULL. */
	void (*waiting)(void *data);
	/* Asked meanwhile: true ends the waiting, as when its time is up; may
	 * be NULL. */
	bool (*stop_waiting)(void *data);
	void *waiting_data;  /* of both */
	bool unsettled_told; /* operations of unknown outcome need no warning */
	/* Asked, under the lock, about a journal that is damaged; it is kept
	 * under another name unless it is left.  NULL: it is an error. */
	enum journal_decision (*decide)(void *data,
					const struct journal_report *r);
	void *decide_data;
};

struct backend; /* an opened workspace */

struct backend *backend_open(struct arena *a, const struct backend_options *o,
			     struct diags *ds);
void backend_close(struct backend *b);
/* Ends what asks hosts, until something is asked again: so signals come through
 * meanwhile, and credentials that were found need not be found again. */
void backend_rest(struct backend *b);
/* The operations of unknown outcome of an object, or of all (NULL), are known
 * now; *n: how many there were.  After backend_read, under the lock. */
int backend_settle(struct backend *b, const struct str *address, size_t *n,
		   struct diags *ds);
/* The name under which a journal was kept that was damaged; or empty. */
struct str backend_kept_journal(const struct backend *b);
/* The state as messages name it: its path, or a URL. */
struct str backend_name(const struct backend *b);
/* Is it somewhere else than on this machine's disks? */
bool backend_is_remote(const struct backend *b);

/* Will reading it ask a host, rather than take what was handed on? */
bool backend_asks(const struct backend *b);

/* The state, with the journal of an interrupted run replayed (outcomes are
 * recovered and written; operations of unknown outcome become warnings). A
 * missing file gives an empty state; a journal that is damaged is an error, or
 * what decide says. */
struct state *backend_read(struct backend *b, struct diags *ds);
/* For who wants the outputs: an error also where a host says that it has none.
 */
struct state *backend_read_outputs(struct backend *b, struct diags *ds);
/* The stored state as it is, whatever a journal may have: changes nothing, and
 * needs no lock.  *out: in a; NULL if there is none.  name: of the state, for
 * messages. */
int backend_peek(struct backend *b, struct arena *a, const char *name,
		 struct state **out, struct diags *ds);
/* Did a run that wrote here leave its journal behind?  Then reading recovers
 * what it did, and may write. */
bool backend_interrupted(const struct backend *b);
/* Was there a state when it was last read: one that was stored, or that was
 * recovered from a journal? */
bool backend_exists(const struct backend *b);
/* Writes if content differs from what was read: serial + 1, lineage made when
 * empty, backup of the previous content once.  Journal is cleared. */
int backend_write(struct backend *b, struct state *s, struct diags *ds);
/* Leaves no state there, but a backup of it, sealed as states are; where there
 * are such. */
int backend_empty(struct backend *b, struct diags *ds);
/* As backend_write without comparison, for push. */
int backend_push(struct backend *b, struct state *s, bool force,
		 struct diags *ds);

/*
 * access.c: how commands access a workspace's state: open, lock, read, close
 *
 * The caller sets what its options say, and which workspace (a->o); diagnostics
 * go to a->ds.  Functions return 0, or -1 after a diagnostic; whatever was
 * done, state_access_close undoes it.
 */

struct state_access {
	struct arena *arena;
	struct diags *ds;
	struct backend_options o;
	bool lock;          /* the state is locked where an operation asks */
	struct str timeout; /* of the lock, as given; or empty */

	struct backend *b; /* NULL: not open */
	struct state *s;   /* NULL: not read */
};

int state_access_open(struct state_access *a);
/* Takes the lock unless a->lock says no, or adopts the parent's
 * (TFPIPE_LOCK_TOKEN) if that is of the same state.  operation: what for. */
int state_access_lock(struct state_access *a, const char *operation);
/* All three; operation NULL: without the lock.  A state that is not there is
 * empty. */
int state_access_read(struct state_access *a, const char *operation);
/* Opens and reads; a state that is not there is an error. */
int state_access_need(struct state_access *a, const char *operation);
/* Unlocks and closes; a can be opened again. */
int state_access_close(struct state_access *a);

/* Call before opening: sets the backup that edits make unless an option names
 * one, FILE.SECONDS.backup.  An option for none does not count. */
void state_access_edit_backup(struct state_access *a);

/*
 * handover.c: a state in memory, handed on to those that run under a lock
 *
 * The process that holds the lock of a remote state reads it once.  The stages
 * that it starts find the text in a file in memory, whose descriptor they
 * inherit (TFPIPE_STATE): so no host is asked twice, the lock needs no proof by
 * a request of its own, and nothing of it is on a disk.  Who stores a new text
 * replaces the one that is handed on.
 */

/* Reads the state and offers it to the children that inherit descriptors.  What
 * is local is read where it lies: nothing is done. */
int backend_hand_on(struct backend *b, struct diags *ds);

/* journal.c: what an interrupted run leaves behind for the next one */

/* The journal: intent before an apply call goes out, outcome after.  Records
 * are appended at once and synced by journal_sync (once a loop turn).  Every
 * change of an instance in the state is an outcome, also one that no provider
 * made: an object that is deposed is the outcome of its deposed key first, then
 * the current one's (NULL) or its replacement's. These and journal_sync return
 * -1 with errno set.  backend_read (or a write) comes first.
 *
 * After journal_batch outcomes are kept back until journal_flush (or an intent,
 * or journal_sync) writes all of them: for callers that flush before they tell
 * anyone. */
void journal_batch(struct backend *b);
/* The next outcomes, so many lines, count together or, if the last of them did
 * not get into the file, not at all: an object that changes its place is never
 * in both, nor in none.  Of one line nothing is said. */
int journal_group(struct backend *b, size_t lines);
int journal_intent(struct backend *b, struct str address, struct str deposed,
		   const char *action);
int journal_outcome(struct backend *b, const struct state_resource *r,
		    const struct state_instance *i /* NULL: gone */,
		    struct str address, struct str deposed);
/* An outcome as a prior_state record has it: planning's refreshed, upgraded and
 * moved objects are journalled before the first operation, so that outcomes
 * after it are recovered onto the same state. */
int journal_record(struct backend *b, struct str line);
/* A root output has this value now; NULL: it is gone. */
int journal_output(struct backend *b, const struct state_output *out);
/* Operations of earlier runs of unknown outcome, of an object (NULL: all), with
 * creations or without, are known now, and told no more.  *n: how many. */
int journal_settle(struct backend *b, const struct str *address, bool creations,
		   size_t *n);
int journal_flush(struct backend *b);
/* The lines that a failing journal_flush has kept, each ended by a newline. */
struct str journal_unwritten(const struct backend *b);
int journal_sync(struct backend *b);
/* Why the last of these has failed. */
struct str journal_why(const struct backend *b);
/* Adds an outcome of b's journal as people read it, in a line of its own;
 * nothing for a line that is none. */
void journal_list_outcome(struct buf *out, const struct backend *b,
			  struct str line);

/*
 * schemas.c: what may be written in the block of a backend
 *
 * `type` is the label of the block; "cloud" is the block of that name.
 */

/* A finished schema; NULL: there is no such backend.  An argument that must be
 * given is optional where the environment or a default gives it. */
const struct schema_block *backend_schema(struct arena *a, struct str type);

/* The schema with nothing required: for what a block alone says, which
 * -backend-config completes. */
const struct schema_block *backend_schema_partial(struct arena *a,
						  struct str type);

/* A block's value without those arguments that OpenTofu does not have, where
 * they are not set: so that it reads what we remember, and sees no change. */
const struct value *backend_as_peer(struct arena *a, struct str type,
				    const struct value *v);

/* What an argument has when the block does not set it: the first of its
 * environment variables that is not empty, else its default; absent where there
 * is neither.  `path` is its name, or "endpoints.s3" for a member of an object.
 */
struct str backend_default(struct arena *a, struct str type, struct str path);

/*
 * kinds.c: the types of backends: what `backend "TYPE"` may name
 *
 * To add one: its file with a struct backend_ops, a row in kinds.c, its
 * arguments in schemas.c.
 */

/* NULL: there is none of that type.  Empty: the local one. */
const struct backend_ops *backend_kind(struct str type);
/* Of a type that there is: */
/* has it the default workspace only, */
bool backend_one_workspace(struct str type);
/* does it keep states in files of this machine, */
bool backend_is_local(struct str type);
/* are its workspaces' names those of all configurations, */
bool backend_shares_names(struct str type);
/* does init remember it before there is a workspace? */
bool backend_saved_first(struct str type);

#endif
