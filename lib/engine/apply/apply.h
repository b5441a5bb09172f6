/* apply.h - what tf-apply and tf-graph -apply do */
#ifndef TFPIPE_ENGINE_APPLY_APPLY_H
#define TFPIPE_ENGINE_APPLY_APPLY_H

#include "base/loop.h"
#include "engine/run/inputs.h"
#include "engine/run/overrides.h"
#include "engine/run/run.h"
#include "engine/stage/edits.h"
#include "engine/stage/plan_reader.h"
#include "state/backend/backend.h"
#include "engine/plan/plan.h"

struct apply_graph;

/*
 * apply.c: carrying out a plan
 *
 * apply_read takes a plan stream in; apply_run locks the state, makes sure that
 * the plan fits it, and does what the plan says in the order of the apply
 * graph, at most -parallelism operations at a time.  Failures stop what depends
 * on them and nothing else.  The state is journalled as it changes and written
 * at the end, whatever happened.
 *
 * The first SIGINT or SIGTERM stops starting work; what runs is finished.  The
 * second ends the run at once; the journal then knows what was under way.
 */

struct apply_input { /* a plan stream */
	struct arena *arena;
	struct config *config;
	struct state *header;       /* serial, lineage; no instances */
	struct str_vec prior;       /* lines of prior_state records */
	struct plan_reader said;    /* the plan */
	struct str_vec checked;     /* lines of check records */
	struct apply_edits edits;   /* of the plan */
	struct overrides overrides; /* edits that tf-plan used */
	struct inputs tested;       /* of a test: the values of variables */
};

struct apply_options {
	struct backend_options backend;
	bool lock; /* -lock=false: do not */
	uint64_t lock_timeout_ms;
	uint64_t persist_ms;   /* between whole states written */
	struct str lock_token; /* of tf-state with-lock; empty: none */
	unsigned parallelism;
	bool suppress_forget_errors;
	bool destroy;         /* the command is destroy, for the summary */
	bool refreshed;       /* store the state as the plan has read it, and
	                          do nothing of what is planned */
	struct str *unsaved;  /* gets the state, as JSON, if no file could take
				  it; the stream has it, too */
	bool saved;           /* the plan was: planning has warned of inputs,
				  but not those who apply it */
	struct inputs inputs; /* -var and so on; parsed by apply_run */
	struct str dir, original_dir;
	struct provider_source *providers;
};

/* The order of what is to be done; state as the plan found it. */
struct apply_graph *apply_input_graph(struct arena *a,
				      const struct apply_input *in,
				      const struct state *s, struct diags *ds);

/*
 * apply.c: the steps of tf-apply: the plan is decrypted, if it was saved
 * so, and read to its end, then applied
 */

struct apply_steps {
	struct arena *arena;
	struct workdir *workdir;
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

/*
 * graph_apply.c: tf-graph of a plan: -apply, the order in which tf-apply would
 * carry it out; -plan, what depends on what
 */

/* Reads a plan into *planned, which the caller releases, and writes the graph
 * of the apply phase behind it.  1: an earlier stage has failed; -1:
 * diagnosed. */
int graph_steps_apply(struct graph_steps *g, struct apply_input *planned);
/* Reads a plan into *planned, and writes the graph of its configuration and
 * state, without records. */
int graph_steps_planned(struct graph_steps *g, struct apply_input *planned);

/* apply_input.c: a plan stream taken in */

void apply_input_init(struct apply_input *in, struct arena *a);
/* Frees what is not in the arena. */
void apply_input_release(struct apply_input *in);
/* One record of the stream: a stream_record_fn with data = in. */
int apply_read(void *data, struct str kind, struct str line, struct diags *ds);
/* Called when all are read.  Refuses all but a whole plan without errors. */
int apply_read_finish(struct apply_input *in, struct diags *ds);

#endif
