/*
 * seal.h - how a stage detects edits made after the previous stage
 *
 * Before its `end` a stage writes a record `seal`: for each kind of record how
 * many there are in the stream and the sum of a number for each, so that
 * neither order nor ways of writing count, half of the number of each record
 * that it wrote itself, and a few bits for each member of the first of these.
 * The next stage counts what it reads.  If a sum differs the numbers show which
 * records were changed, added or removed. A stream whose last stage left no
 * seal, because somebody removed it or wrote the stream by hand, is taken as it
 * is.
 *
 * Kinds that no stage acts on are not sealed: diagnostics, events, and those
 * that are not described in tf-stream(5).
 */
#ifndef TFPIPE_STREAM_SEAL_H
#define TFPIPE_STREAM_SEAL_H

#include "base/diag.h"
#include "base/str.h"
#include "base/vec.h"
#include "json/json.h"

struct seal;

struct seal *seal_new(void);
void seal_free(struct seal *s);

/* Seals the configuration, too: for tf-plan, and readers of plans.  Call it
 * before anything is added. */
void seal_all(struct seal *s);
/* A record of the input. */
void seal_add_read(struct seal *s, struct str kind, struct str line);
/* One that the stage writes itself; one_form: as json_one_form, or false. */
void seal_add_own(struct seal *s, struct str kind, struct str line,
		  bool one_form);

enum seal_what { SEAL_CHANGED, SEAL_ADDED, SEAL_TAKEN };

struct seal_edit {
	struct str kind;
	enum seal_what what;
	struct str address; /* of the record, or what names it otherwise; empty:
			       it is not known */
	struct str action;  /* planned: what is done */
	struct str to;      /* edge: the other end */
	struct str phase;   /* edge, node */
	struct str_vec members; /* CHANGED: those that differ, in the first
				   records of a kind; of others it is not known */
	bool whole;             /* TAKEN: no record of the kind is left */
};

struct seal_edit_vec VEC_OF(struct seal_edit);

/* seal_edits.c: which records differ from the seals */

/* Lists the differences from the seal of the stage that ran last.  false: there
 * is no such seal. */
bool seal_edits(struct arena *a, struct seal *s, struct str last_stage,
		struct seal_edit_vec *out);
/* The records of a kind that were read, edited or not; like a seal_edit without
 * anything edited. */
void seal_records_read(struct arena *a, const struct seal *s, struct str kind,
		       struct seal_edit_vec *out);
/* Accepts the records of this kind as they were read, edited or not: the seal
 * of this stage covers them.  The next stage will still see edits of other
 * kinds. */
void seal_accept(struct seal *s, struct str kind);

#endif
