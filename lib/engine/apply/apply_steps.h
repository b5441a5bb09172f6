/*
 * apply_steps.h - the steps of tf-apply: the plan is decrypted, if it was saved
 * so, and read to its end, then applied
 */
#ifndef TFPIPE_ENGINE_APPLY_APPLY_STEPS_H
#define TFPIPE_ENGINE_APPLY_APPLY_STEPS_H

#include "engine/apply/apply.h"

struct apply_steps {
	struct arena *arena;
	struct diags *ds;
	struct stream_out *out;
	const struct input_arg *args; /* -var and -var-file */
	size_t nargs;
	bool refreshed;         /* nothing is done but to store what was read */
	bool saved;             /* the plan was: say so if it has failed */
	struct str name;        /* of its file, for messages; or empty */
	struct str journal_dir; /* of a test; empty: as ever */
	struct str ignored; /* options of planning that were given with it */

	struct apply_input in; /* released by the caller */

	/* private */
	struct stream_info info;
	struct config *asking; /* of the working directory: for encryption */
	struct encryption *encryption; /* NULL: none */
	struct inputs given;
};

/* Reads the standard input.  1: an earlier stage has failed and reported why;
 * -1: diagnosed. */
int apply_steps_read(struct apply_steps *p);
/* Applies it.  o: as set by options; values from the plan, the directory and
 * the environment are added.  -1: diagnosed. */
int apply_steps_run(struct apply_steps *p, struct apply_options *o);
/* The sources that diagnostics quote. */
const struct sources *apply_steps_sources(const struct apply_steps *p);

#endif
