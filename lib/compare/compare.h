/*
 * compare.h - two plans or states, compared by address and attribute
 *
 * Of a plan that is what it will make of each object and output, and how;
 * of a state what there is.  An attribute that is null is the same as none.
 */
#ifndef TFPIPE_COMPARE_COMPARE_H
#define TFPIPE_COMPARE_COMPARE_H

#include "base/diag.h"
#include "base/io.h"
#include "base/map.h"
#include "base/vec.h"
#include "encrypt/encrypt.h"

enum compared_hidden {
	COMPARED_SHOWN,
	COMPARED_UNSURE, /* of a state, whose schema is not known */
	COMPARED_SENSITIVE,
};

struct compared_leaf {   /* a value that is made of no others */
	struct str path; /* a.b[0].c */
	size_t visible;  /* so much of it: a key may be a part of a secret */
	struct str text; /* JSON; empty: not known before the apply */
	enum compared_hidden hidden;
};

struct compared_object {
	struct str address;
	struct str action; /* of a plan; else empty */
	VEC(struct compared_leaf) leaves;
	bool met;
};

struct compared { /* a plan or a state */
	struct arena *arena;
	bool show_sensitive;
	struct map objects; /* address -> struct compared_object */
	bool plan;
};

/*
 * compared.c: what is compared, from a stream or a state file
 */

/* name: for messages.  -1: diagnosed; also where the input has failed or was
 * cut. */
int compared_read(struct compared *c, const struct saved *in, struct str name,
		  struct diags *ds);

/* compare.c: the differences */

/* Writes them to out, unless that is NULL, a line each.  Returns how many there
 * are. */
size_t compared_write(struct out *out, const struct compared *x,
		      const struct compared *y);

#endif
