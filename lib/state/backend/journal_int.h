/* journal_int.h - reading a journal's lines; see journal.c for the format */
#ifndef TFPIPE_STATE_BACKEND_JOURNAL_INT_H
#define TFPIPE_STATE_BACKEND_JOURNAL_INT_H

#include "state/backend/backend_int.h"

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

#endif
