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
#include "state/backend/rows.h"

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
	/* The backend keeps rows (struct rows), set by `open`: its fetch and
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

/*
 * The journal of a workspace: its lines, read and written (journal_*.c); see
 * journal.c for the format
 */

enum { JOURNAL_VERSION = 2 };

enum journal_kind {
	JOURNAL_HEADER,
	JOURNAL_INTENT,
	JOURNAL_OUTCOME,
	JOURNAL_OUTPUT,
	JOURNAL_SNAPSHOT,
	JOURNAL_UNKNOWN,
	JOURNAL_SETTLED,
	JOURNAL_GROUP,
	JOURNAL_KINDS
};

enum journal_damage {
	DAMAGE_CUT,     /* the end is missing */
	DAMAGE_LINES,   /* they do not fit their seals */
	DAMAGE_MISSING, /* there are no records before this one */
	DAMAGE_PLACE,   /* it stands twice, or out of order */
	DAMAGE_GROUP,   /* not all of its group is there */
};

struct journal_item {
	enum journal_kind kind;
	struct str line; /* without its newline */
	struct str body; /* without number and seal, and not closed */
	struct str address, deposed, action;
	struct str lineage, new_lineage;
	uint64_t serial, version, lines;
	bool creations;
	uint64_t n;                 /* its number */
	uint64_t group;             /* the number of its group; 0: none */
	uint64_t after;             /* of damage: the number before it */
	uint64_t synced;            /* so many were on the disk before it */
	struct str snapshot;        /* the state file's text, checked */
	size_t at, end;             /* where it is in the text */
	enum journal_damage damage; /* of what is no item */
};

struct journal_reader {
	struct str text;
	size_t pos;
	struct str key;     /* its lines are encrypted with; or empty */
	struct arena arena; /* the items, and their strings with escapes */
};

/* A whole journal: what stands on its own, each once and in the order of the
 * numbers, and what is wrong with the rest. */
struct journal_text {
	struct journal_reader reader;
	VEC(struct journal_item *) items;
	VEC(struct journal_item *) damages;
	bool damaged;                /* by more than a cut */
	bool unknown;                /* of a version that is none of ours */
	struct journal_item *header; /* NULL: it is damaged, or missing */
	uint64_t last, synced;       /* the largest n, and synced */
	size_t end;                  /* of the last item */
};

/* key: journal_key_read's. */
void journal_text_read(struct journal_text *t, struct str text, struct str key);
void journal_text_release(struct journal_text *t);
/* The next line and so many after it are a group: they count together. */
void journal_begin_group(struct journal *j, uint64_t lines);
/* Ends the line that begins at `from`: an object of its own, not closed yet. */
void journal_seal(struct journal *j, struct buf *out, size_t from);
/* In 16 characters at `to`. */
struct str journal_digits(uint64_t sum, char *to);

/* Where the journal of a remote state is: in the data directory, and of this
 * state alone, so that what was done to one never gets into another. */
struct str journal_remote_path(struct backend *b);
/* Makes an empty file of a name that nothing had, where a journal that is not
 * used is kept; a NUL-terminated path.  Empty: it cannot, by errno. */
struct str journal_stale_path(struct backend *b);
/* Renames the journal to such a path, returned; or empty, by errno. */
struct str journal_set_aside(struct backend *b);
/* Replaces the journal by a new file, locked before it gets its name. */
int journal_replace(struct backend *b, struct str text);
/* The first line, of the state that is known. */
void journal_put_header(struct buf *out, struct backend *b);

/* What becomes of a journal that is damaged, beside a state (NULL: none): asks
 * who decides, makes it whole on the disk with what can be used, if it may.
 * -1 after a diagnostic. */
int journal_repair(struct backend *b, struct journal_text *t,
		   const struct state *s, struct diags *ds);
/* Writes its text under another name, which becomes b->kept_journal. */
int journal_keep(struct backend *b, struct str text, struct diags *ds);

/* Operations of unknown outcome; a pointer that is NULL is any. */
void journal_unsettled_add(struct backend *b, const struct unsettled *u);
size_t journal_unsettled_drop(struct backend *b, const struct str *address,
			      const struct str *deposed, bool creations);
void journal_put_unsettled(struct buf *out, struct backend *b);
void journal_warn_unsettled(struct backend *b, struct diags *ds);

/* Opens the journal to append to it: an earlier one that fits, or a new one. */
int journal_open(struct backend *b);
/* Appends text: the records after `n`, which fall away if that fails. */
int journal_append(struct backend *b, struct str text, uint64_t n);
uint64_t journal_sum(struct str text);
/* The new text, durable before the old one is overwritten. */
int journal_snapshot(struct backend *b, struct str text, uint64_t serial);
/* After the store: forgets everything but intents still open. */
int journal_clear(struct backend *b);
void journal_close(struct backend *b);
/* Is it being written, by us or by another process? */
bool journal_alive(struct backend *b);

/* journal_read.c: recovering what an interrupted run had done */

/* Reads the journal beside a state whose stored text is `text`.  Adds warnings
 * for operations of unknown outcome and for a journal of another state. */
int journal_recover(struct backend *b, struct str text, struct recovery *out,
		    struct diags *ds);
/* Was that text, as it is kept, to be stored when a run was interrupted? */
bool journal_stores(struct backend *b, struct str text);

/* journal_cipher.c: the journal of a state that is encrypted */

/* Takes the key from the first line of a journal's text; none where that is
 * plain.  -1 after a diagnostic: it cannot be opened, or may not be plain. */
int journal_key_read(struct backend *b, struct str text, struct diags *ds);
/* Makes one for a journal that begins, if the state is encrypted and there is
 * none that can go on being used.  -1 with errno. */
int journal_key_make(struct backend *b);
/* Encrypts the line that begins at `from`, which gets the number n. */
void journal_line_seal(struct journal *j, struct buf *out, size_t from,
		       uint64_t n);
/* Decrypts a line, into a; body: not closed.  False: it does not belong
 * there. */
bool journal_line_open(struct arena *a, struct str key, struct str data,
		       uint64_t n, struct str *body, struct str *line);

/*
 * rows.c, rows_seal.c: what keeps rows, and what is made of them; see rows.h
 */

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
