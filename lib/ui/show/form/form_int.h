/* form_int.h - what the files of this room share */
#ifndef TFPIPE_UI_SHOW_FORM_FORM_INT_H
#define TFPIPE_UI_SHOW_FORM_FORM_INT_H

#include "addr/addr.h"
#include "ui/show/form/form.h"

/*
 * entries.c: what a plan says, object by object
 */

enum form_entry_kind { ENTRY_CHANGE, ENTRY_DRIFT, ENTRY_OUTPUT };

struct form_entry {
	enum form_entry_kind kind;
	struct shown_change change;
	struct instance_addr addr; /* if it could be parsed: */
	bool addressed;
};
struct form_entry_vec VEC_OF(struct form_entry);

struct entries {
	struct shown *shown;
	struct form_entry_vec changes; /* in the order of their addresses */
	struct form_entry_vec drift, outputs;
	struct map drifted; /* the addresses of drift */
	struct plan_counts counts;
	struct str_vec notes; /* what is to be known beside these, if any */
	struct shown_diag_vec diags; /* sorted, and like ones as one */
};

/* All that people are shown of the plan. */
void entries_read(struct arena *a, struct shown *s,
		  const struct diag_display *how, struct entries *out);
/* How the object changes. */
const struct diff *form_entry_diff(struct arena *a, const struct shown *s,
				   const struct form_entry *e);
/* "update", "delete,create": as actions of the published JSON. */
struct str form_entry_action(const struct form_entry *e);
/* The object as plans show it, with its key where it is deposed; in a line. */
struct str form_entry_name(struct arena *a, const struct form_entry *e);
/* The view that a form for others renders by: no secrets, and what is a line of
 * a difference has PAINT_*. */
struct view form_for_others(const struct view *v);
/* Appends a text with PAINT_*, all else in it visible. */
void form_visible(struct buf *out, struct str text);
/* Appends the difference of the object or output as in the text of a plan. */
void form_entry_text(struct buf *out, const struct view *v,
		     const struct shown *s, const struct form_entry *e);
/* "No changes.", "Plan: 1 to add…", and what else there is to say in a
 * sentence of the whole. */
void entries_headline(struct buf *b, const struct entries *all);

/*
 * attributes.c: the attributes that change, each a line
 *
 * Words are JSON where they are values, so what else there is to say has bare
 * words, which no value can be: unknown, sensitive, absent, write-only.
 */

struct leaf {
	struct str path; /* addr/addr.h; of a set tags[] */
	struct str was, is;
	bool unknown; /* is */
};
struct leaf_vec VEC_OF(struct leaf);

/* Appends the leaves of a difference that are not as they were. */
void leaf_list(struct arena *a, const struct diff *d, bool show_sensitive,
	       struct leaf_vec *out);

/*
 * fold.c: like changes as one
 */

struct fold {
	const struct form_entry **members; /* the first stands for them */
	size_t n;
	struct str address; /* of all of them: a[0..99] */
	struct str place;   /* the module without keys; empty: the root */
	struct str said;    /* the rest of the line; may be empty */
};
struct fold_vec VEC_OF(struct fold);

/* Sorted by module, type and action, deletions first, then by address. */
void folds_of(struct arena *a, const struct shown *s,
	      const struct form_entry_vec *all, bool show_sensitive,
	      struct fold_vec *out);
/* The address of its resource, without keys; empty: it is none. */
struct str form_entry_resource(struct arena *a, const struct form_entry *e);
/* Where the action of a change comes among others: 0 is first. */
enum {
	RANK_DELETE,
	RANK_REPLACE,
	RANK_FORGET,
	RANK_UPDATE,
	RANK_CREATE,
	RANK_READ,
	RANK_OTHER, /* only moved or imported */
	RANKS
};
unsigned form_entry_rank(const struct form_entry *e);
/* "to destroy"; NULL: RANKS and more. */
const char *fold_rank_words(unsigned rank);
/* "3 to update, 1 to destroy" */
void fold_ranks_text(struct buf *b, const size_t counts[RANKS]);

#endif
