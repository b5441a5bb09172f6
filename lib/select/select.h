/*
 * select.h - the language that records are asked in: an expression over the
 * members of one record
 *
 * tf-select, tf-plan -deny, tf-show -select and tf-state list -select read it
 * here, so that one expression means the same to all of them.  The expression
 * is parsed and checked once.  Of a record only what the expression names is
 * decoded.
 *
 * What it can come to, and what that means, is in tf-select(1): true, false, or
 * not known before the apply, which counts as true and is told.
 */
#ifndef TFPIPE_SELECT_SELECT_H
#define TFPIPE_SELECT_SELECT_H

#include "base/diag.h"
#include "base/str.h"
#include "state/state.h"
#include "stream/stream.h"

struct select;

enum select_answer {
	SELECT_ERROR = -1, /* diagnosed */
	SELECT_NO,
	SELECT_YES,
	SELECT_MAYBE, /* not known yet */
};

/* NULL: diagnosed.  by: what the expression was given with, which stands in
 * messages where others have the name of a file.  of: the kinds of records that
 * are asked, with commas; empty: the changes of resources. */
struct select *select_new(struct arena *a, struct str text, const char *by,
			  struct str of, struct diags *ds);
void select_free(struct select *s);
struct str select_text(const struct select *s);
/* Are changes of a plan among what is asked? */
bool select_asks_plan(const struct select *s);
/* Are records that no stream can do without? */
bool select_asks_kept(const struct select *s);
/* Is a record of this kind asked? */
bool select_asks(const struct select *s, struct str kind);
/* The answer for a record of a kind that is asked. */
enum select_answer select_record(struct select *s, struct str kind,
				 struct str line, struct diags *ds);
/* The answer for an object of a state. */
enum select_answer select_instance(struct select *s,
				   const struct state_resource *r,
				   const struct state_instance *i,
				   struct diags *ds);
/* Adds a line with what the expression comes to for a record of a kind that is
 * asked, as -p of tf-select(1) has it.  0, or -1: diagnosed. */
int select_print(struct select *s, struct str kind, struct str line,
		 bool show_sensitive, struct buf *out, struct diags *ds);
/* The address of a record that was asked last; valid until the next. */
struct str select_address(struct select *s);
/* When all were asked: warns once of what was not known, and of attributes that
 * no object had. */
void select_finish(struct select *s, struct diags *ds);

/* subject.c: of attributes in a state */

/* What is of any type stands there as {"value":…,"type":…}: the value. */
const struct json *select_unwrapped(struct arena *a, const struct json *j);

/*
 * filter.c: the records of a stream that an expression selects
 */

struct select_filter {
	struct arena *arena;
	struct select *select;
	bool invert;
	bool addresses; /* wanted: in list, a line each */
	struct select
		*print;      /* the same of what this comes to; NULL: nothing */
	bool show_sensitive; /* there */
	struct diags *ds;
	struct stream_out *out; /* where what is left goes; NULL: nowhere */

	struct stream_info info; /* of what was read */
	size_t asked, selected;
	struct buf list;
	/* internal */
	struct arena scratch;
	bool plan;          /* there is one */
	struct buf last;    /* the change whose planned record comes next, */
	bool last_kept;     /* and whether it was kept; */
	struct map decided; /* of others */
	struct str_vec waits, waits_for; /* planned records that came first */
};

/* Reads the stream, and passes on what is left of it, without its end.  0, or
 * -1: diagnosed, or the input has failed. */
int select_filter_read(struct select_filter *f, int fd);
void select_filter_release(struct select_filter *f);

/* selection.c: the record `selection`, which says what was left out */
struct select_part {
	struct str expression;
	bool inverted;
	uint64_t selected, of;
};

void select_part_write(struct stream_out *o, const struct select_part *s);
void select_part_members(struct jw *w, const struct select_part *s);
int select_part_read(struct arena *a, struct str line, struct select_part *out,
		     struct diags *ds);

#endif
