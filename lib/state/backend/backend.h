/*
 * backend.h - where state lives: one interface, whatever keeps it
 *
 * A backend opens a workspace's state: read, lock, write, unlock.  kinds.h has
 * the types that there are; each is a struct backend_ops (backend_int.h).
 */
#ifndef TFPIPE_STATE_BACKEND_H
#define TFPIPE_STATE_BACKEND_H

#include "encrypt/encrypt.h"
#include "state/state.h"

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

struct loop;

struct backend_options {
	struct str dir;         /* working directory */
	struct str data_dir;    /* .terraform or TF_DATA_DIR */
	struct str state_path;  /* -state; empty: config or default */
	struct str state_out;   /* -state-out; empty: as state_path */
	struct str backup_path; /* -backup; "-" disables; empty: default */
	struct str workspace;   /* TF_WORKSPACE or the selected one */
	/* Of the backend that was initialised (saved.h); empty: local, as is
	 * the one that state_path names. */
	struct str backend_type;
	const struct value *config; /* of its schema's type; may be NULL */
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
/* Leaves no state there, but a backup of it; where there are such. */
int backend_empty(struct backend *b, struct diags *ds);
/* As backend_write without comparison, for push. */
int backend_push(struct backend *b, struct state *s, bool force,
		 struct diags *ds);

#endif
