/*
 * edit_dso_int.h - what edit.so offers to the program that loads it
 *
 * A member does what the function of its name does, see edit.h.
 */
#ifndef TFPIPE_EDIT_DSO_INT_H
#define TFPIPE_EDIT_DSO_INT_H

#include "edit/edit.h"

struct edit_dso {
	const char *version;
	struct editor *(*new)(const char *name, const char *history);
	const char *(*line)(struct editor *e, const char *prompt, int *n);
	void (*free)(struct editor *e);
};

extern const struct edit_dso edit_dso;

#endif
