/* current.c - see stage.h */
#include "engine/stage/stage.h"
#include "base/workdir.h"
#include "config/load/load.h"
#include "state/backend/backend.h"
#include "state/backend/backend_config.h"
#include "state/backend/lock.h"
#include "state/backend/rows.h"
#include "state/backend/workspaces.h"
#include "state/edit/edit.h"

int current_check(struct arena *a, struct workdir *w, struct config *c,
		  struct inputs *in, struct encryption **e, struct diags *ds)
{
	struct config_options o;

	*e = NULL;
	if (workspace_check(w, ds) ||
	    current_encryption(a, w, c, in, true, e, ds))
		return -1;
	current_options(a, w, c, in, &o, ds);
	return backend_check(a, c, &o, ds);
}

int current_check_dir(struct arena *a, struct workdir *w, int argc, char **argv,
		      bool named, struct config **loaded, struct encryption **e,
		      struct diags *ds)
{
	const bool needed = !named && backend_check_needed(a, STR("."), w);
	struct inputs in = { 0 };

	*e = NULL;
	if (current_asking(a, w, argc, argv, needed, loaded, &in, ds))
		return -1;
	if (!*loaded)
		return 0;
	return named ? current_encryption(a, w, *loaded, &in, false, e, ds)
		     : current_check(a, w, *loaded, &in, e, ds);
}

static struct backend *open_current(struct arena *a, struct workdir *w,
				    struct str path, struct encryption *e,
				    const char *operation, struct diags *ds)
{
	struct backend_options o = { .workdir = w,
				     .workspace = w->workspace,
				     .state_path = path,
				     .encryption = e,
				     .operation = str_c(operation) };

	return workspace_check(w, ds) ||
			       workspace_check_current(o.workspace, ds) ||
			       backend_saved(a, &o, ds)
		       ? NULL
		       : backend_open(a, &o, ds);
}

bool current_asks_hosts(struct arena *a, struct workdir *w, struct str path)
{
	struct diags later = DIAGS_INIT(a); /* opening it again reports it */
	struct backend *b = open_current(a, w, path, NULL, NULL, &later);
	bool asks = b && (backend_asks(b) ||
			  (backend_is_remote(b) && backend_interrupted(b)));

	if (b)
		backend_close(b);
	return asks;
}

void current_translate(struct arena *a, const struct workdir *w,
		       struct state *s, const struct config *c)
{
	const struct config_options o = { .dir = STR("."), .workdir = w };
	struct diags unused = DIAGS_INIT(a); /* others look at its mistakes */

	if (!state_translatable(s))
		return;
	if (!c && files_present() > 0)
		c = config_load(a, &o, &unused);
	state_translate(s, c);
}

bool current_by_row(struct arena *a, struct workdir *w, struct str path)
{
	struct diags later = DIAGS_INIT(a); /* opening it again reports it */
	struct backend *b = open_current(a, w, path, NULL, NULL, &later);
	const bool is = b && backend_by_row(b);

	if (b)
		backend_close(b);
	return is;
}

struct state *current_state(struct arena *a, struct workdir *w, struct str path,
			    const struct config *c, struct encryption *e,
			    struct diags *ds)
{
	return current_state_part(a, w, path, c, e, NULL, NULL, ds);
}

struct state *current_state_part(struct arena *a, struct workdir *w,
				 struct str path, const struct config *c,
				 struct encryption *e, const char *operation,
				 const struct state_part *part,
				 struct diags *ds)
{
	struct backend *b = open_current(a, w, path, e, operation, ds);
	struct state *state;

	if (!b)
		return NULL;
	backend_narrow(b, part);
	state = backend_read(b, ds);
	backend_close(b);
	if (state)
		current_translate(a, w, state, c);
	return state;
}

struct state *current_outputs(struct arena *a, struct workdir *w,
			      struct str path, struct encryption *e,
			      struct diags *ds)
{
	struct backend *b = open_current(a, w, path, e, NULL, ds);
	struct state *state = b ? backend_read_outputs(b, ds) : NULL;

	if (b)
		backend_close(b);
	return state;
}

int current_load(struct arena *a, struct workdir *w, int argc, char **argv,
		 const struct config_options *how, struct config **c,
		 struct state **s, struct diags *ds)
{
	struct config_options o = *how;
	struct inputs_options io;
	struct encryption *e;
	struct inputs in = { 0 };
	struct input_arg *args;
	const size_t nargs = inputs_args(a, argc, argv, &args);

	if (workspace_check(w, ds))
		return -1;
	o.dir = STR(".");
	o.workdir = w;
	*c = load_configuration(a, args, nargs, &o, ds);
	if (diags_failed(ds))
		return -1;
	io = inputs_given(args, nargs, &(*c)->sources);
	if (inputs_collect(a, &io, &in, ds) ||
	    current_check(a, w, *c, &in, &e, ds))
		return -1;
	*s = current_state(a, w, STR_NONE, *c, e, ds);
	return *s ? 0 : -1;
}

struct state *current_state_ahead(struct arena *a, struct workdir *w,
				  struct str path)
{
	const struct str token = str_dup(a, lock_token());
	struct diags later = DIAGS_INIT(a); /* reading again reports it */
	struct backend *b = open_current(a, w, path, NULL, NULL, &later);
	struct state *state = NULL;

	if (!b)
		return NULL;
	if (!backend_interrupted(b) && !backend_asks(b))
		state = backend_read(b, &later);
	backend_close(b);
	if (later.len && token.n) /* reading again adopts the lock again */
		lock_token_set(a, token);
	return later.len ? NULL : state;
}
