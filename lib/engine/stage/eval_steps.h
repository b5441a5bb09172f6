/*
 * eval_steps.h - the steps of tf-eval: a configuration, from its directory or a
 * stream, and the values of its variables; then what is evaluated with them
 *
 * Either the stage itself, eval_steps_stage; or expressions from outside:
 * eval_steps_load, eval_steps_open, then console.h and batch.c with e->module.
 * The working directory is the root module's, unless a stream is read.
 */
#ifndef TFPIPE_ENGINE_STAGE_EVAL_STEPS_H
#define TFPIPE_ENGINE_STAGE_EVAL_STEPS_H

#include "engine/run/run.h"
#include "engine/run/inputs.h"
#include "graph/plan_graph.h"
#include "config/load/load.h"

struct eval_steps {
	struct arena *arena;
	struct diags *ds;
	struct stream_out *out;
	/* options */
	struct workdir *workdir;
	struct str cwd;               /* workdir_before */
	const struct input_arg *args; /* -var and -var-file */
	size_t nargs;
	struct str missing_file;     /* variables without a value are listed
					 there; or empty */
	const struct str_vec *given; /* names, for the stage record */
	bool console;                /* the state is read as well, */
	struct str state_path;       /* that of -state; or empty */
	struct str scope;            /* of expressions: a module instance's
					address; empty: the root module */

	/* what there is so far */
	struct config *config;     /* NULL before it is loaded */
	struct run *run;           /* NULL before it is open */
	struct run_module *module; /* that scope names */

	/* private */
	struct loop *loop;
	struct inputs inputs;
	struct stream_info info; /* of the stream read */
	bool lean;               /* in tf's own pipe: what tf-plan takes */
	bool lacking;            /* missing_file has been written */
};

/* Does the work of the stage and writes its records, but for diagnostics and
 * the end.  Returns whether the stage failed, which it may without an error of
 * its own. */
bool eval_steps_stage(struct eval_steps *e, bool from_dir);

/* Appends the names of root variables that need a value and have none; of a
 * stream, which is not passed on, or of the directory.  -1: diagnosed, or the
 * stage before has failed. */
int eval_steps_missing(struct eval_steps *e, bool from_dir,
		       struct str_vec *names);

/* Loads the directory; -1: diagnosed. */
int eval_steps_load(struct eval_steps *e);
/* Readies e->run for expressions and reports what is wrong with the values of
 * the configuration; expressions can still be evaluated, unless it returns -1.
 * providers: whose functions the console may call, or NULL. */
int eval_steps_open(struct eval_steps *e, struct provider_source *providers);

/* Frees what is not in the arena. */
void eval_steps_release(struct eval_steps *e);

/*
 * chosen.c: which instances of a provider the edges of a graph mean
 *
 * A node of the graph stands for all instances of a resource, in all instances
 * of its module.  Each of them chooses an instance of the provider by a key;
 * where all keys are known without states and providers, the edge to the
 * provider's configuration gets what they choose.
 */

/* Has any provider configuration instances? */
bool chosen_any(const struct config *c);

/* in: the values of the root module's variables, as far as they are given. */
void chosen_note(struct arena *a, struct plan_graph *pg,
		 const struct inputs *in, struct str workspace);

/*
 * missing.c: root variables that need a value and have none, for callers that
 * can ask for values (inputs_write_missing)
 */

/* The variables that are required and not given, in order of declaration. */
void missing_inputs(const struct cfg_module *root, const struct inputs *in,
		    struct arena *a, struct str_vec *out);

/* The variables that reading the configuration needs: its constants, the
 * sources of its modules and, if backend, the backend's arguments.  o: how it
 * is loaded, with o->variables for what is given; its other errors are not
 * reported. */
void missing_early(struct arena *a, const struct config_options *o,
		   bool backend, struct str_vec *out);

#endif
