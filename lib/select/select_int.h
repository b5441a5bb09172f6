/* select_int.h - what the files of this room share */
#ifndef TFPIPE_SELECT_SELECT_INT_H
#define TFPIPE_SELECT_SELECT_INT_H

#include "addr/addr.h"
#include "json/json.h"
#include "lang/eval/eval.h"
#include "select/select.h"

/* subject.c: what the names in an expression are of a record */

enum select_sort {
	ASKED_CHANGE,
	ASKED_OUTPUT,
	ASKED_STATE,
	ASKED_EVENT,
	ASKED_RESOURCE,
	ASKED_CONFIG, /* what else the configuration and its graph have */
	ASKED_CHECK,
	ASKED_SORTS
};

struct subject { /* the record at hand */
	struct arena *arena;
	struct str kind, line;
	enum select_sort sort;
	bool opened;               /* change is read, or it has none */
	const struct json *change; /* with masks of its own: */
	const struct json *unknown, *sensitive;
	bool parsed; /* is the address in parts? */
	bool has_parts;
	struct instance_addr parts;
};

/* The sort of a kind of records; -1: they cannot be asked. */
int subject_sort(struct str kind);
/* The i-th kind that can be asked; NULL after the last. */
const char *subject_kind(size_t i);
struct str subject_address(struct subject *s);
/* The i-th name, sorted; NULL after the last. */
const char *subject_name(size_t i);
/* The members that `change` has; NULL after the last. */
const char *subject_change_name(size_t i);

/* What a reference leads to. */
struct select_found {
	const struct value *value;
	size_t used;     /* steps */
	ptrdiff_t names; /* the step that names an attribute of an object,
			    which was there; or -1 */
	bool lacked;     /* it does not have it */
};

/* False: there is no such name. */
bool subject_find(struct subject *s, const struct ref *r,
		  struct select_found *out);

/* print.c: a line of fields with tabs between them */
void print_line(struct arena *a, const struct value *v, bool show_sensitive,
		struct buf *out);

/* matches.c: the function matches(address, pattern) */

struct matcher { /* the pattern read last */
	struct arena arena;
	struct str text;
	struct target target;
	bool valid;
	const char *why;
};

/* The function, whose data is a struct matcher. */
struct func matcher_func(struct matcher *m);

#endif
