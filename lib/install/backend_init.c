/* backend_init.c - see backend_init.h */
#include "install/backend_init.h"
#include "base/io.h"
#include "base/product.h"
#include "base/workdir.h"
#include "install/backend_migrate_int.h"
#include "state/backend/backend.h"

static int save(struct backend_choice *in)
{
	return backend_save(in->a, in->workdir, &in->new, in->ds);
}

static struct backend_init_outcome outcome(struct backend_choice *in,
					   enum backend_init_result result,
					   struct str type)
{
	if (result == BACKEND_FAILED && in->current) {
		backend_close(in->current);
		in->current = NULL;
	}
	return (struct backend_init_outcome){ result, type, in->current };
}

static int must_choose(struct backend_choice *in)
{
	if (in->o->migrate || in->o->force_copy)
		return 0;
	return diag_error(
		in->ds, NULL, "Backend configuration changed",
		"The backend is configured differently now, so that existing state may have to move.\n\n"
		"Use \"%s init -migrate-state\" to copy the state to the new "
		"place, or \"%s init -reconfigure\" to leave everything where it "
		"is.",
		product_command(), product_command());
}

/* Where init asks what becomes of states, no option says it.  moves: are there
 * any? */
static int no_options(struct backend_choice *in, bool moves)
{
	const char *option = in->o->reconfigure  ? "-reconfigure"
			     : in->o->force_copy ? "-force-copy"
			     : in->o->migrate    ? "-migrate-state"
						 : NULL;

	if (!option)
		return 0;
	return diag_error(
		in->ds, NULL, "Invalid command-line option",
		"The option %s is for backends, not for the block \"%.*s\": %s.",
		option, STR_ARG(in->new.type),
		moves ? "init asks what is to become of states there"
		      : "what it says takes effect without an option");
}

static bool shares_names(const struct backend_settings *s)
{
	return s->type.n && backend_shares_names(s->type);
}

static void tell(struct backend_choice *in)
{
	const bool from = shares_names(&in->old), to = shares_names(&in->new);
	const struct backend_news n = {
		.step = from && to        ? BACKEND_CLOUD_CHANGED
			: to              ? BACKEND_CLOUD_ENTERED
			: from            ? in->new.type.n ? BACKEND_CLOUD_LEFT
							   : BACKEND_CLOUD_REMOVED
			: !in->new.type.n ? BACKEND_UNCONFIGURED
			: str_eq(in->old.type, in->new.type)
				? BACKEND_RECONFIGURED
				: BACKEND_CHANGED,
		.old = in->old.type,
		.new = in->new.type,
	};

	in->o->told(in->o->told_data, &n);
}

/* From a backend to the local default. */
static int unset(struct backend_choice *in)
{
	if (must_choose(in))
		return -1;
	tell(in);
	if (backend_migrate(in))
		return -1;
	io_unlink(workdir_path(in->a, in->workdir, WORKDIR_BACKEND).p);
	return 0;
}

/* One that OpenTofu has and we do not. */
static int no_such_kind(struct backend_choice *in)
{
	const struct cfg_module *root = in->c->root;

	return diag_error(
		in->ds, root->backend ? &root->backend->at : &root->cloud->at,
		"Unsupported backend type",
		"The backend \"%.*s\" cannot be used by this version.",
		STR_ARG(in->new.type));
}

/* Opening it sees whether its arguments are complete and right. */
static int check(struct backend_choice *in)
{
	struct backend *b = choice_open(in, &in->new, STR("default"));

	if (!b)
		return -1;
	backend_close(b);
	return 0;
}

/* Is there a choice, and has the user made it? */
static int decide(struct backend_choice *in, bool first, bool moves)
{
	if (shares_names(&in->new))
		return no_options(in, moves);
	return first ? 0 : must_choose(in);
}

static int move(struct backend_choice *in, const struct str_vec *local)
{
	if (shares_names(&in->new) && shares_names(&in->old))
		return 0; /* other workspaces are meant, and nothing moves */
	if (shares_names(&in->new) ? backend_move_in(in) : backend_migrate(in))
		return -1;
	return backend_empty_local(in, local);
}

static int set(struct backend_choice *in, bool first)
{
	struct str_vec local = { 0 }; /* what a first one leaves behind */

	if ((first && backend_filled_local(in, &local)) ||
	    decide(in, first, local.len || in->old.type.n))
		return -1;
	if (!first)
		tell(in);
	if (check(in))
		return -1;
	if ((!first || local.len) && move(in, &local))
		return -1;
	/* Where there is no workspace yet the user makes one, by a command that
	 * needs the backend: as in OpenTofu, which knows no other such. */
	if (backend_saved_first(in->new.type) && save(in))
		return -1;
	return backend_choose_workspace(in, &in->new) || save(in) ? -1 : 0;
}

struct backend_init_outcome backend_init(struct arena *a, struct config *c,
					 const struct backend_init_options *o,
					 struct diags *ds)
{
	struct backend_choice in = {
		.a = a, .c = c, .o = o, .ds = ds, .workdir = o->workdir
	};
	bool first;

	in.workspace = in.workdir->workspace;
	if (backend_wanted(a, c, o->config, &o->arguments, &in.new, ds))
		return outcome(&in, BACKEND_FAILED, STR_NONE);
	/* what was saved does not count then, even if nobody can read it */
	if (!o->reconfigure && backend_initialised(a, in.workdir, &in.old, ds))
		return outcome(&in, BACKEND_FAILED, STR_NONE);
	if (!in.new.type.n && !in.old.type.n)
		return outcome(&in, BACKEND_UNCHANGED, in.new.type);
	if (!in.new.type.n)
		return outcome(&in, unset(&in) ? BACKEND_FAILED : BACKEND_UNSET,
			       in.old.type);
	if (!backend_kind(in.new.type)) {
		no_such_kind(&in);
		return outcome(&in, BACKEND_FAILED, STR_NONE);
	}
	first = !in.old.type.n;
	if (first || !backend_same(&in.new, &in.old, o->arguments.len > 0))
		return outcome(&in,
			       set(&in, first) ? BACKEND_FAILED : BACKEND_SET,
			       in.new.type);
	if (backend_choose_workspace(&in, &in.new) || save(&in))
		return outcome(&in, BACKEND_FAILED, STR_NONE);
	return outcome(&in, BACKEND_UNCHANGED, in.new.type);
}
