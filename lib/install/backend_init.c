/* backend_init.c - see backend_init.h */
#include "install/backend_init.h"

#include <errno.h>
#include <unistd.h>

#include "base/io.h"
#include "json/write.h"
#include "state/backend/backend.h"
#include "state/backend/backend_config.h"
#include "state/backend/lock.h"
#include "state/backend/workspace.h"
#include "value/codec_json.h"

struct backend_choice {
	struct arena *a;
	struct config *c;
	const struct backend_init_options *o;
	struct diags *ds;
	struct str data_dir;
	struct backend_settings old, new;
};

static struct str saved_path(struct backend_choice *in)
{
	return str_printf(in->a, "%.*s/terraform.tfstate",
			  STR_ARG(in->data_dir));
}

/* --- writing --- */

static int save(struct backend_choice *in)
{
	struct buf out = BUF_INIT;
	struct jw w = JW_INIT(&out);
	int rc;

	w.indent = 4;
	jw_object(&w);
	jw_member_int(&w, "version", 3);
	jw_key(&w, "backend");
	jw_object(&w);
	jw_member_str(&w, "type", STR("local"));
	jw_key(&w, "config");
	value_to_json(&w, in->new.config, NULL);
	jw_member_int(&w, "hash", in->new.hash);
	jw_object_end(&w);
	jw_object_end(&w);
	rc = io_make_dirs(arena_strndup(in->a, in->data_dir.p, in->data_dir.n),
			  0777) ||
	     io_replace_file(saved_path(in).p, out.p, out.len, 0644);
	buf_release(&out);
	if (!rc)
		return 0;
	return diag_error(in->ds, NULL,
			  "Error saving the backend configuration",
			  "%.*s cannot be written: %s.",
			  STR_ARG(saved_path(in)), io_why());
}

/* --- states --- */

static struct backend *open_side(struct backend_choice *in,
				 const struct value *config,
				 struct str workspace)
{
	struct backend_options o = { .dir = STR("."),
				     .data_dir = in->data_dir,
				     .workspace = workspace,
				     .backend_type = STR("local"),
				     .config = config };

	return backend_open(in->a, &o, in->ds);
}

static int lock_both(struct backend_choice *in, struct backend *from,
		     struct backend *to)
{
	if (!in->o->lock)
		return 0;
	return backend_lock(from, "migration source state",
			    in->o->lock_timeout_ms, in->ds) ||
	       backend_lock(to, "migration destination state",
			    in->o->lock_timeout_ms, in->ds);
}

/* Copies one workspace's state. */
static int copy_state(struct backend_choice *in, struct str workspace)
{
	struct backend *from = open_side(in, in->old.config, workspace);
	struct backend *to = open_side(in, in->new.config, workspace);
	struct state *s;
	int rc = -1;

	if (!from || !to)
		goto out;
	rc = 0;
	if (str_eq(backend_name(from), backend_name(to)))
		goto out;
	rc = -1;
	if (lock_both(in, from, to))
		goto out;
	s = backend_read(from, in->ds);
	if (!s || !backend_read(to, in->ds))
		goto out;
	if (!backend_exists(from))
		rc = 0;
	else if (backend_exists(to) && !in->o->force_copy)
		diag_error(in->ds, NULL, "Error migrating state",
			   "%.*s exists already; -force-copy replaces it with "
			   "%.*s.",
			   STR_ARG(backend_name(to)),
			   STR_ARG(backend_name(from)));
	else
		rc = backend_push(to, s, true, in->ds);
out:
	if (from)
		backend_close(from);
	if (to)
		backend_close(to);
	return rc;
}

static int copy_states(struct backend_choice *in)
{
	struct backend *from = open_side(in, in->old.config, STR("default"));
	struct str_vec names = { 0 };
	int rc;

	if (!from)
		return -1;
	rc = workspace_list(from, &names, in->ds);
	backend_close(from);
	for (size_t i = 0; !rc && i < names.len; i++)
		rc = copy_state(in, names.items[i]);
	return rc;
}

/* Is there a state that the new backend would not find? */
static bool states_at_stake(struct backend_choice *in)
{
	struct backend *from = open_side(in, in->old.config, STR("default"));
	struct backend *to = open_side(in, in->new.config, STR("default"));
	bool yes = false;

	if (from && to && !str_eq(backend_name(from), backend_name(to)) &&
	    backend_read(from, in->ds))
		yes = backend_exists(from);
	if (from)
		backend_close(from);
	if (to)
		backend_close(to);
	return yes;
}

static int carry_over(struct backend_choice *in)
{
	if (in->o->reconfigure)
		return 0;
	if (in->o->migrate || in->o->force_copy)
		return copy_states(in);
	/* The first configuration of a backend may be stored as it is when
	 * there is nothing to lose. */
	if (!in->old.type.n && !states_at_stake(in))
		return in->ds->errors ? -1 : 0;
	return diag_error(in->ds, NULL, "Backend configuration changed",
			  "The backend is configured differently now, so "
			  "that existing state may have to move.\n\nUse "
			  "-migrate-state to copy the state to the new place, "
			  "or -reconfigure to leave everything where it is.");
}

enum backend_init_result backend_init(struct arena *a, struct config *c,
				      const struct backend_init_options *o,
				      struct diags *ds)
{
	struct backend_choice in = { .a = a, .c = c, .o = o, .ds = ds };

	in.data_dir =
		o->config->data_dir.n ? o->config->data_dir : STR(".terraform");
	if (backend_wanted(a, c, o->config, &o->arguments, &in.new, ds) ||
	    backend_initialised(a, in.data_dir, &in.old, ds))
		return BACKEND_FAILED;
	if (!in.new.type.n && !in.old.type.n)
		return BACKEND_UNCHANGED;
	if (!in.new.type.n) {
		if (carry_over(&in))
			return BACKEND_FAILED;
		io_unlink(saved_path(&in).p);
		return BACKEND_UNSET;
	}
	if (in.old.type.n && !o->reconfigure &&
	    backend_same(&in.new, &in.old, o->arguments.len > 0))
		return save(&in) ? BACKEND_FAILED : BACKEND_UNCHANGED;
	if (carry_over(&in) || save(&in))
		return BACKEND_FAILED;
	return in.old.type.n && !o->reconfigure ? BACKEND_RESET : BACKEND_SET;
}
