/*
 * stage.h - the input of tf-graph and tf-plan: what earlier stages wrote, and
 * their work done here where they were skipped
 *
 * A stage that ran already has had its options: giving them again is an error.
 */
#ifndef TFPIPE_ENGINE_STAGE_STAGE_H
#define TFPIPE_ENGINE_STAGE_STAGE_H

#include "engine/run/inputs.h"
#include "engine/run/overrides.h"
#include "engine/stage/edits.h"
#include "engine/stage/selectors.h"
#include "state/backend/backend.h"

struct stage {
	struct arena *arena;
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

#endif
