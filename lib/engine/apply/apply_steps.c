/* apply_steps.c - see apply_steps.h */
#include "engine/apply/apply_steps.h"

#include <stdlib.h>
#include <unistd.h>

#include "engine/apply/read.h"
#include "engine/stage/current.h"
#include "engine/stage/environment.h"
#include "state/backend/encryption.h"
#include "state/backend/saved.h"
#include "stream/read.h"

int apply_steps_read(struct apply_steps *p)
{
	int rc;

	apply_input_init(&p->in, p->arena);
	p->in.said.changes.refreshed = p->refreshed;
	if (isatty(STDIN_FILENO))
		return diag_error(p->ds, NULL, "Not a plan",
				  "tf-apply reads a plan from standard input: "
				  "tf-plan | tf-apply, or tf-apply < FILE.");
	rc = stream_read(p->arena, STDIN_FILENO, &p->info, p->out, apply_read,
			 &p->in, p->ds);
	if (rc)
		return -1;
	if (p->info.failed && p->saved)
		return diag_error(p->ds, NULL, "Cannot apply incomplete plan",
				  "There were errors when this plan was made: "
				  "it does not hold all that is to be done.");
	if (p->info.failed)
		return 1;
	if (p->ignored.n)
		diag_warning(p->ds, NULL, "Planning options are ignored",
			     "A saved plan is applied as it was made. No "
			     "effect: %.*s.",
			     STR_ARG(p->ignored));
	if (stream_has_stage(&p->info, "tf-apply"))
		return diag_error(p->ds, NULL, "Plan already applied",
				  "The input has been through tf-apply once.");
	if (edits_check_apply(p->arena, p->out, &p->info, &p->in.edits, p->ds))
		return -1;
	return apply_read_finish(&p->in, p->ds);
}

static int backend_settings(struct apply_steps *p, struct backend_options *o)
{
	o->data_dir = str_c(getenv("TF_DATA_DIR"));
	if (!o->data_dir.n)
		o->data_dir = STR(".terraform");
	return backend_saved(p->arena, o, p->ds);
}

/* The plan may be older than the encryption that the configuration asks for. */
static int check_encryption(struct apply_steps *p)
{
	struct config *here = NULL;

	if (encryption_refuse(p->in.config, p->ds))
		return -1;
	if (!current_check_dir(p->arena, 0, NULL, true, &here, p->ds))
		return 0;
	p->asking = here;
	return -1;
}

int apply_steps_run(struct apply_steps *p, struct apply_options *o)
{
	struct inputs_options io = { .dir = STR("."),
				     .environ = environ,
				     .args = p->args,
				     .nargs = p->nargs,
				     .sources = &p->in.config->sources };

	o->dir = p->in.config->root->dir;
	o->saved = p->saved;
	if (check_encryption(p) || environment_refuse(p->ds) ||
	    environment_persist(&o->persist_ms, p->ds) ||
	    backend_settings(p, &o->backend) ||
	    inputs_collect(p->arena, &io, &o->inputs, p->ds))
		return -1;
	return apply_run(p->arena, &p->in, o, p->out, p->ds);
}

const struct sources *apply_steps_sources(const struct apply_steps *p)
{
	return p->asking ? &p->asking->sources : &p->in.config->sources;
}
