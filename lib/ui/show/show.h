/*
 * show.h - what tf-show does: reads a stream or a state file and renders it, as
 * text or as the published JSON
 */
#ifndef TFPIPE_UI_SHOW_H
#define TFPIPE_UI_SHOW_H

#include "encrypt/encrypt.h"
#include "ui/show/shown.h"

struct show_options {
	bool json;
	bool detailed_exitcode; /* 2 when there is something to apply */
	bool no_color, show_sensitive;
	bool saved; /* rendering a plan file as OpenTofu does: a plan that
				  failed is no failure */
	/* What states and plans are encrypted by; NULL: nothing is. */
	struct encryption *encryption;
	int fd;                    /* where to; standard output by default */
	const struct state *state; /* shown instead of what fd has */
	struct provider_source *providers; /* whose schemas states need */
};

/* Opens the operand, or standard input if there is none.  Returns a descriptor,
 * and sets *name for messages.  -1: diagnosed. */
int show_open(const struct str_vec *operands, struct str *name,
	      struct diags *ds);

/* Returns the exit status: 0, 1 on failure, 2 as -detailed-exitcode has it.
 * fd: what to read. */
int show_run(struct arena *a, const struct show_options *o, int fd,
	     struct str name);

/* Text, and then the same as JSON into the file at path: reads fd twice. */
int show_both(struct arena *a, const struct show_options *o, int fd,
	      struct str name, struct str path, struct diags *ds);

#endif
