/*
 * stage.h - the input of tf-graph and tf-plan: what earlier stages wrote, and
 * their work done here where they were skipped
 *
 * A stage that ran already has had its options: giving them again is an error.
 */
#ifndef TFPIPE_ENGINE_STAGE_STAGE_H
#define TFPIPE_ENGINE_STAGE_STAGE_H

#include "base/workdir.h"
#include "engine/run/inputs.h"
#include "engine/run/overrides.h"
#include "engine/stage/edits.h"
#include "engine/stage/selectors.h"
#include "state/backend/backend.h"
#include "encrypt/encrypt.h"
#include "state/state.h"
#include "base/diag.h"
#include "config/load/load.h"

struct state_part;

struct stage {
	struct arena *arena;
	struct workdir *workdir;
	struct str tool;
	/* Called while reading, once the configuration is complete though the
	 * rest of the stream is still to come: work that needs only the
	 * configuration is done while the stage before is at work.  Its result
	 * counts only if the stream turns out well.  May be NULL. */
	void (*configured)(void *data);
	void *data;
	/* -var and -var-file, for the sources of modules */
	const struct input_arg *args;
	size_t nargs;
	struct stream_info info;
	struct config *config;
	struct state *state;           /* NULL: no state in the stream */
	struct state *ahead;           /* read before the stream; or NULL */
	bool plans;                    /* the state is read to plan with it */
	bool lean;                     /* in tf's own pipe */
	bool frame;                    /* resources are left out (config.h) */
	const struct state_part *part; /* of it that is needed; NULL: all */
	struct encryption *encryption; /* stage_check's; NULL: none */
	struct selectors selectors;
	bool have_selectors;
	struct inputs inputs;
	/* tf-plan: what was edited of what earlier stages have worked out */
	struct plan_edits edits;
	struct overrides overrides;

	/* private */
	struct str_vec worked_out; /* lines of local_value and expansion */
	bool complete;             /* no more of the configuration is to come */
	int finish;                /* what config_finish returned then, */
	struct diags finished;     /* and said */
};

/* Reads fd (or, with dir, loads the configuration in it; the caller has
 * changed into it already) into s, passing what is read to out.  A stage that
 * is in the stream already is an error.  Returns 0; 1 when the input says that
 * it failed (stay silent, fail); -1 on errors. */
int stage_read(struct stage *s, bool from_dir, struct stream_out *out,
	       struct diags *ds);
/* Refuses options that belong to a stage that ran. given: names used. */
int stage_check_options(const struct stage *s, const char *ran,
			const char *const *names, const struct str_vec *given,
			struct diags *ds);
/* Collects and parses the inputs of root variables.  When tf-eval has run its
 * values count; what is collected here must not differ, and serves for
 * ephemeral variables, whose values do not travel. */
int stage_inputs(struct stage *s, const struct inputs_options *o,
		 struct diags *ds);
/* May the state be read and a plan be made: is the backend initialised as the
 * configuration has it, and can it be encrypted as that says?  To be called
 * before the selectors are written, at which the next stage starts
 * providers. */
int stage_check(struct stage *s, struct diags *ds);
/* Warns if the state is encrypted and the stream, in which it is plain, goes to
 * a file or a terminal.  After stage_check. */
void stage_warn_plain(const struct stage *s, const struct stream_out *out,
		      struct diags *ds);
/* The current workspace's state, for s; path is that of -state or empty.  While
 * the stage before is at work, that is before stage_read, it can be read
 * ahead. */
int stage_load_state(struct stage *s, struct str state_path, struct diags *ds);
void stage_state_ahead(struct stage *s, struct str state_path);

/*
 * opens.c: what the working directory encrypts by, for who opens what was
 * saved; nothing here knows of backends
 */

/* What states and plans are encrypted by, NULL where nothing is: by c (NULL:
 * there is none) and TF_ENCRYPTION.  warn: also of what is risky. */
int current_encryption(struct arena *a, struct workdir *w, struct config *c,
		       struct inputs *in, bool warn, struct encryption **e,
		       struct diags *ds);
/* Plans and states that were saved, as programs read them that are given their
 * names: opened by the encryption of the working directory, which is looked up
 * once, when the first of them is a file. */
struct saved_files {
	struct arena *arena;
	int argc; /* where -var and -var-file are */
	char **argv;
	struct config *config; /* for snippets; NULL: it was not loaded */
	/* private */
	bool looked;
	struct workdir workdir;
	struct encryption *encryption; /* or NULL */
};

/* The descriptor of that name, "-" being standard input; -1: diagnosed. */
int saved_files_find(struct str name, struct diags *ds);
/* saved_open of it, and saved_stream (encrypt.h). */
int saved_files_open(struct saved_files *f, int fd, struct str name,
		     struct saved *out, struct diags *ds);
int saved_files_stream(struct saved_files *f, int fd, struct str name,
		       struct saved *out, struct diags *ds);
/* Loads the root module, and collects its inputs, if that is needed or it may
 * ask for encryption; else *loaded stays NULL. */
int current_asking(struct arena *a, struct workdir *w, int argc, char **argv,
		   bool needed, struct config **loaded, struct inputs *in,
		   struct diags *ds);
/* How the working directory is loaded, with the values of variables. */
void current_options(struct arena *a, const struct workdir *w,
		     const struct config *c, struct inputs *in,
		     struct config_options *o, struct diags *ds);

/*
 * current.c: the current workspace's state, and whether its backend was
 * initialised as the configuration has it
 */

/* "Backend initialization required", where the configuration is at hand, and
 * current_encryption. */
int current_check(struct arena *a, struct workdir *w, struct config *c,
		  struct inputs *in, struct encryption **e, struct diags *ds);
/* For commands that look at nothing else of the configuration: loads the root
 * module if it can matter.  argc, argv: where -var and -var-file are. named:
 * the file of the state or plan is, so that the backend is not asked. *loaded:
 * for snippets; may stay NULL. */
int current_check_dir(struct arena *a, struct workdir *w, int argc, char **argv,
		      bool named, struct config **loaded, struct encryption **e,
		      struct diags *ds);
/* Reads the state through its backend; path is that of -state, or empty.
 * c: the whole configuration, for current_translate. */

/* Is it kept as rows, of which a part may be read? */
bool current_by_row(struct arena *a, struct workdir *w, struct str path);
/* Reads it, or only a part, where no more will be needed.  operation: what it
 * is read for, as a lock has it; NULL: to look. */
struct state *current_state_part(struct arena *a, struct workdir *w,
				 struct str path, const struct config *c,
				 struct encryption *e, const char *operation,
				 const struct state_part *part,
				 struct diags *ds);
struct state *current_state(struct arena *a, struct workdir *w, struct str path,
			    const struct config *c, struct encryption *e,
			    struct diags *ds);
/* For who wants the outputs alone: see backend_read_outputs. */
struct state *current_outputs(struct arena *a, struct workdir *w,
			      struct str path, struct encryption *e,
			      struct diags *ds);
/* state_translate by c, or by the configuration of the directory, which is
 * loaded only if the state has something to translate. */
void current_translate(struct arena *a, const struct workdir *w,
		       struct state *s, const struct config *c);
/* The configuration of the directory, whose backend is ready, and the state.
 * o: how it is read.  argc, argv: where -var and -var-file are.  *c: for
 * snippets also after errors, -1; may stay NULL then. */
int current_load(struct arena *a, struct workdir *w, int argc, char **argv,
		 const struct config_options *o, struct config **c,
		 struct state **s, struct diags *ds);
/* Will reading it ask a host?  Not if it was handed on (state/backend/
 * handover.c). */
bool current_asks_hosts(struct arena *a, struct workdir *w, struct str path);
/* current_state before it is certain that it is needed: changes nothing,
 * translates nothing and reports nothing.  NULL: call current_state when it
 * is.  A host is not asked. */
struct state *current_state_ahead(struct arena *a, struct workdir *w,
				  struct str path);

/*
 * environment.c: variables of the environment that change how a run goes, and
 * belong to no option
 */

/* -1: one is set that cannot be obeyed. */
int environment_refuse(struct diags *ds);
/* TF_STATE_PERSIST_INTERVAL: milliseconds between whole states that an apply
 * writes, 20 seconds at least. */
int environment_persist(uint64_t *ms, struct diags *ds);

/*
 * load_stage.c: a configuration from its files, with the values of variables
 * where sources or versions of modules need them
 */

/* Loads as o has it, with the functions; variables are looked at only where
 * they are needed.  args: -var and -var-file. */
struct config *load_configuration(struct arena *a, const struct input_arg *args,
				  size_t nargs, const struct config_options *o,
				  struct diags *ds);
/* A stage in a pipe: the sources of modules must mean the same with the values
 * that it has, after inputs_parse.  -1: diagnosed. */
int load_check_sources(struct arena *a, const struct workdir *w,
		       struct config *c, struct inputs *in, struct diags *ds);
/* Reports errors of the backend instead of those of modules: of *ds only the
 * root module's own warnings are left, and these only if `warnings`.  A backend
 * whose values are missing or wrong is checked later.  c: loaded with
 * stepwise. */
void load_check_backend(struct arena *a, const struct workdir *w,
			struct config *c, const struct input_arg *args,
			size_t nargs, bool warnings, struct diags *ds);

#endif
