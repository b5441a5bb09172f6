/* apply_steps.c - see apply.h */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/apply/apply.h"
#include "base/workdir.h"
#include "config/test.h"
#include "encrypt/encrypt.h"
#include "engine/stage/stage.h"
#include "state/backend/backend_config.h"
#include "stream/stream.h"

/* What is given now, and above that what the plan was made with. */
static void all_inputs(struct apply_steps *p, struct inputs *out)
{
	const struct map *from[] = { &p->given.by_name,
				     &p->in.said.plan.variables.by_name };

	*out = (struct inputs){ 0 };
	for (int i = 0; i < 2; i++)
		for (size_t k = 0; k < from[i]->len; k++)
			map_put(p->arena, &out->by_name,
				from[i]->entries[k].key,
				from[i]->entries[k].value);
}

/* The values of a test are in the stream, those of ephemeral variables, too. */
static int collect(struct apply_steps *p, struct sources *sources)
{
	const struct inputs_options io = { .dir = STR("."),
					   .environ = environ,
					   .args = p->args,
					   .nargs = p->nargs,
					   .sources = sources };

	p->given = p->in.tested;
	if (p->in.config && p->in.config->test)
		return 0;
	p->given = (struct inputs){ 0 };
	return inputs_collect(p->arena, &io, &p->given, p->ds);
}

/* A saved plan may be older than the encryption that the configuration asks
 * for: so what counts is the directory's, if that asks for any. */
static int encryption_here(struct apply_steps *p)
{
	const struct config_options here = { .dir = STR("."),
					     .root_only = true,
					     .stepwise = true };
	struct diags own = DIAGS_INIT(p->arena);
	struct inputs given;

	if (!p->saved || !encryption_mentioned("."))
		return 0;
	p->asking = config_load(p->arena, &here, &own);
	if (p->asking->stopped) {
		diags_append(p->ds, &own);
		return -1;
	}
	if (!encryption_asked(p->asking))
		return 0;
	if (collect(p, &p->asking->sources))
		return -1;
	given = p->given;
	return current_encryption(p->arena, p->asking, &given, false,
				  &p->encryption, p->ds);
}

/* Of the configuration in the plan. */
static int encryption_planned(struct apply_steps *p)
{
	struct inputs all;

	p->asking = NULL;
	if (p->encryption)
		return 0;
	all_inputs(p, &all);
	return current_encryption(p->arena, p->in.config, &all, false,
				  &p->encryption, p->ds);
}

static int check_stream(struct apply_steps *p, struct str text)
{
	return !str_starts(text, "PK\3\4")
		       ? 0
		       : diag_error(p->ds, NULL, "Failed to load the plan file",
				    "It is a plan of OpenTofu's, which only "
				    "the version that made it can apply.");
}

/* Puts a plan that is encrypted in the place of standard input, decrypted, in
 * memory. */
static int open_plan(struct apply_steps *p)
{
	static const char stream[] = "{\"record\"";
	struct buf text = BUF_INIT;
	int fd = -1, rc = -1;
	char head[sizeof(stream)];
	ssize_t n;

	if (!p->saved || encryption_here(p))
		return p->saved ? -1 : 0;
	n = pread(STDIN_FILENO, head, sizeof(head), 0);
	/* What comes through a pipe is plain. */
	if (n <= 0 || (!encryption_plan(p->encryption) &&
		       str_starts((struct str){ head, (size_t)n }, stream)))
		return 0;
	if (io_read_fd(STDIN_FILENO, &text, 0))
		diag_error(p->ds, NULL, "Failed to load the plan file",
			   "It cannot be read: %s.", strerror(errno));
	else if (!envelope_open_plan(encryption_plan(p->encryption), &text,
				     p->name, p->ds))
		rc = check_stream(p, buf_view(&text));
	if (!rc) {
		fd = memfd_create("plan", MFD_CLOEXEC);
		if (fd < 0 || io_write_all(fd, text.p, text.len) ||
		    lseek(fd, 0, SEEK_SET) || dup2(fd, STDIN_FILENO) < 0)
			rc = diag_error(p->ds, NULL,
					"Failed to load the plan file",
					"It cannot be held in memory: %s.",
					strerror(errno));
	}
	if (fd >= 0)
		close(fd);
	buf_release(&text);
	return rc;
}

int apply_steps_read(struct apply_steps *p)
{
	int rc;

	apply_input_init(&p->in, p->arena);
	p->in.said.changes.refreshed = p->refreshed;
	if (isatty(STDIN_FILENO))
		return diag_error(p->ds, NULL, "Not a plan",
				  "tf-apply reads a plan from standard input: "
				  "tf-plan | tf-apply, or tf-apply < FILE.");
	if (open_plan(p))
		return -1;
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
		diag_warning(
			p->ds, NULL, "Planning options are ignored",
			"A saved plan is applied as it was made. No effect: %.*s.",
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
	o->data_dir = workdir_data();
	if (p->in.config->test) {
		o->backend_type = STR("inmem");
		if (p->journal_dir.n)
			o->data_dir = p->journal_dir;
		return 0;
	}
	return backend_saved(p->arena, o, p->ds);
}

int apply_steps_run(struct apply_steps *p, struct apply_options *o)
{
	o->dir = p->in.config->root->dir;
	o->saved = p->saved;
	if (environment_refuse(p->ds) ||
	    environment_persist(&o->persist_ms, p->ds) ||
	    backend_settings(p, &o->backend) ||
	    collect(p, &p->in.config->sources) || encryption_planned(p))
		return -1;
	o->inputs = p->given;
	o->backend.encryption = p->encryption;
	return apply_run(p->arena, &p->in, o, p->out, p->ds);
}

const struct sources *apply_steps_sources(const struct apply_steps *p)
{
	return p->asking ? &p->asking->sources : &p->in.config->sources;
}
