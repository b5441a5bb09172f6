/*
 * runner.h - runs what the shell part of tf says: pipelines, and what is
 * between them
 *
 * The words are sections with ::: between them, the stages of a section with ::
 *
 * 	tf-parse … :: tf-plan … :: tf-ui … ::: tf-apply … :: tf-ui … ::: tf-ui …
 *
 * The first section is what the command does.  If there is a second one, its
 * first stage gets the plan that the display of the first section has shown,
 * all but the end of it, which is the go-ahead: nothing is done without it.
 * The last section is a display alone, for what the runner itself has to say.
 *
 * The runner knows the programs of tf by their names.  tf-plan and tf-apply are
 * told of each request to stop by SIGUSR1, once, whoever else they hear of it
 * from (engine/change/stop.c).  tf-ui hears of none: it shows how the others
 * end.  tf-parse, tf-eval and tf-init list variables that have no value, which
 * are asked for then.  Answers go to the stages as all values of variables do,
 * through the environment (inputs.h).
 */
#ifndef TFPIPE_DRIVER_RUNNER_H
#define TFPIPE_DRIVER_RUNNER_H

#include "base/pipeline.h"
#include "base/diag.h"

struct runner {
	struct arena *arena;
	const struct workdir *workdir;
	struct diags *ds;
	bool ask;           /* for variables that have no value */
	struct str confirm; /* empty, or what to ask before the go-ahead:
			       "destroy", "refresh-only", "apply" */
	bool terminal; /* questions go there, and no answer is read from the
			  standard input */
	bool quiet;    /* errors of the first stage are shown if it fails */
	bool begun;    /* messages have begun: displays go on with them */
	/* --- by runner_words --- */
	struct pipeline first, second;
	const char **voice;
	/* --- by runner_run --- */
	int from, to; /* where answers come from, and questions go */
	int keys[2];  /* key_ring_make's, for the stages that open states */
};

/* Sorts the words, NULL at the end. */
int runner_words(struct runner *r, char **words);
/* Hears of requests to stop from now on. */
void runner_listen(void);
/* Returns the exit status; -1 after a diagnostic. */
int runner_run(struct runner *r);

/*
 * attend.c: runs a command for which this process holds something, a lock say,
 * and outlives it
 */

/* Runs argv, which ends with NULL, with our standard input and outputs, and
 * waits for it.  Ctrl-C reaches the command by itself; SIGTERM and SIGHUP are
 * passed on.  Returns the exit status as a shell gives it; -1 with errno: the
 * command did not start. */
int attend(char **argv);

#endif
