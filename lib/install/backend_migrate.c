/* backend_migrate.c - see backend_migrate_int.h */
#include <stdlib.h>

#include "install/backend_migrate_int.h"
#include "base/product.h"
#include "base/workdir.h"
#include "state/backend/backend.h"
#include "state/backend/lock.h"
#include "state/backend/workspaces.h"
#include "state/file/file.h"

static const struct str local_type = STR_INIT("local");

struct str backend_type_of(const struct backend_settings *s)
{
	return s->type.n ? s->type : local_type;
}

/* operation: what writes its state; STR_NONE: nothing does. */
static struct backend *open_for(struct backend_choice *in,
				const struct backend_settings *of,
				struct str workspace, struct str operation)
{
	struct backend_options o = { .workdir = in->workdir,
				     .workspace = workspace,
				     .backend_type = of->type,
				     .config = of->config,
				     .encryption = in->o->encryption,
				     .operation = operation,
				     .ignore_remote = in->o->ignore_remote };
	struct backend **last = &in->last[of == &in->new];
	struct backend *b;

	o.like = *last;
	b = backend_open(in->a, &o, in->ds);
	if (b)
		*last = b;
	return b;
}

struct backend *choice_open(struct backend_choice *in,
			    const struct backend_settings *of,
			    struct str workspace)
{
	return open_for(in, of, workspace, STR_NONE);
}

static void close_both(struct backend *from, struct backend *to)
{
	if (to)
		backend_close(to);
	if (from)
		backend_close(from);
}

/* --- questions --- */

int backend_confirm(struct backend_choice *in, const char *query,
		    const char *about)
{
	const struct init_question q = {
		query, about, "Error asking for state migration action"
	};
	struct str answer;

	if (!in->o->ask)
		return diag_error(
			in->ds, NULL,
			"Can't ask approval for state migration when "
			"interactive input is disabled.",
			"Give -force-copy to copy without a question, or leave -input=false out.");
	for (;;) {
		if (in->o->ask(in->o->ask_data, &q, &answer, in->ds))
			return -1;
		if (str_is(answer, "yes") || str_is(answer, "no"))
			return str_is(answer, "yes");
	}
}

static int confirm_copy(struct backend_choice *in, const struct state *from,
			const struct state *to)
{
	const char *query =
		arena_printf(in->a, "Do you want to copy existing state to %s?",
			     backend_shares_names(in->new.type)
				     ? "cloud backend"
				     : "the new backend");
	struct str old = backend_type_of(&in->old),
		   new = backend_type_of(&in->new);

	if (state_is_empty(to))
		return backend_confirm(
			in, query,
			arena_printf(
				in->a,
				"Pre-existing state was found while migrating "
				"the previous \"%.*s\" backend to the\n"
				"newly configured \"%.*s\" backend. No existing "
				"state was found there. Enter\n"
				"\"yes\" to copy this state and \"no\" to start "
				"with an empty one.",
				STR_ARG(old), STR_ARG(new)));
	return backend_confirm(
		in, query,
		arena_printf(
			in->a,
			"Both the previous \"%.*s\" backend and the newly "
			"configured \"%.*s\" backend have\na state:\n\n"
			"  previous: %zu objects, serial %llu, lineage %.*s\n"
			"  new:      %zu objects, serial %llu, lineage %.*s\n\n"
			"Enter \"yes\" to overwrite the state in the new "
			"backend with the previous one\nand \"no\" to keep "
			"what is there.",
			STR_ARG(old), STR_ARG(new), state_instance_count(from),
			(unsigned long long)from->serial,
			STR_ARG(from->lineage), state_instance_count(to),
			(unsigned long long)to->serial, STR_ARG(to->lineage)));
}

/* --- copying --- */

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

static bool same_state(const struct state *a, const struct state *b)
{
	return state_equal_content(a, b) && str_eq(a->lineage, b->lineage);
}

/* 1: there is something to copy; 0: nothing; -1 after a diagnostic.  What a
 * journal alone has, of an init that could not store it, is still to be stored:
 * reading under the lock does it. */
static int read_both(struct backend_choice *in, struct backend *from,
		     struct backend *to, struct state **s, struct state **there)
{
	*s = backend_read(from, in->ds);
	if (!*s)
		return -1;
	if (!backend_exists(from) || state_is_empty(*s))
		return 0;
	*there = backend_read(to, in->ds);
	if (!*there)
		return -1;
	return !same_state(*s, *there) || backend_interrupted(to);
}

static bool asked_about(enum copy_question question, const struct state *s,
			const struct state *there)
{
	if (same_state(s, there))
		return false;
	return question == COPY_ASK ||
	       (question == COPY_ASK_OVERWRITE && !state_is_empty(there));
}

static int copy_locked(struct backend_choice *in, struct backend *from,
		       struct backend *to, enum copy_question question)
{
	struct state *s, *there;
	int rc = read_both(in, from, to, &s, &there);

	if (rc > 0 && asked_about(question, s, there))
		rc = confirm_copy(in, s, there);
	return rc > 0 ? backend_push(to, s, true, in->ds) : rc;
}

static int copy_opened(struct backend_choice *in, struct backend *from,
		       struct backend *to, enum copy_question question)
{
	struct state *s, *there;
	/* before locking: both may have the same lock */
	int rc = read_both(in, from, to, &s, &there);

	if (rc <= 0)
		return rc;
	if (lock_both(in, from, to))
		rc = -1;
	else
		rc = copy_locked(in, from, to, question);
	if (backend_unlock(to, in->ds) | backend_unlock(from, in->ds))
		rc = -1;
	return rc;
}

int backend_copy_state(struct backend_choice *in, struct str name,
		       struct str new_name, enum copy_question question)
{
	struct backend *from = choice_open(in, &in->old, name);
	struct backend *to =
		from ? open_for(in, &in->new, new_name, STR("init")) : NULL;
	int rc = -1;

	if (to &&
	    str_eq(backend_type_of(&in->old), backend_type_of(&in->new)) &&
	    str_eq(backend_name(from), backend_name(to)))
		rc = 0; /* it is there already */
	else if (to)
		rc = copy_opened(in, from, to, question);
	if (rc && to)
		diag_error(
			in->ds, NULL,
			"Error copying state from the previous backend",
			"The state \"%.*s\" of the previous \"%.*s\" backend "
			"was not copied to the newly configured \"%.*s\" "
			"backend. It is intact and unmodified there.",
			STR_ARG(name), STR_ARG(backend_type_of(&in->old)),
			STR_ARG(backend_type_of(&in->new)));
	close_both(from, to);
	return rc;
}

static enum copy_question asks(const struct backend_choice *in)
{
	return in->o->force_copy ? COPY_AGREED : COPY_ASK;
}

static int copy_all(struct backend_choice *in, struct str_vec *names)
{
	int rc = in->o->force_copy;

	if (!rc)
		rc = backend_confirm(
			in,
			arena_printf(
				in->a,
				"Do you want to migrate all workspaces to \"%.*s\"?",
				STR_ARG(backend_type_of(&in->new))),
			"Both backends have workspaces. All are copied under "
			"the same names, and\nOVERWRITE states that are there "
			"under those names. To copy some alone, answer\n\"no\", "
			"and pull and push their states.");
	if (rc == 0)
		return diag_error(in->ds, NULL, "Migration aborted by user.",
				  "Nothing was copied.");
	if (rc < 0)
		return -1;
	str_sort(names->items, names->len);
	for (size_t i = 0; i < names->len; i++)
		if (backend_copy_state(in, names->items[i], names->items[i],
				       COPY_AGREED))
			return -1;
	return 0;
}

static int copy_current(struct backend_choice *in)
{
	int rc = in->o->force_copy;

	if (!rc)
		rc = backend_confirm(
			in,
			arena_printf(
				in->a,
				"Destination state \"%.*s\" doesn't support "
				"workspaces.\nDo you want to copy only your "
				"current workspace?",
				STR_ARG(backend_type_of(&in->new))),
			arena_printf(
				in->a,
				"Its one state gets that of the current "
				"workspace, \"%.*s\". The others stay where "
				"they are.",
				STR_ARG(in->workspace)));
	if (rc == 0)
		return diag_error(in->ds, NULL, "Migration aborted by user.",
				  "Nothing was copied.");
	if (rc < 0 || workspace_select(in->workdir, STR("default"), in->ds))
		return -1;
	rc = backend_copy_state(in, in->workspace, STR("default"), asks(in));
	in->workspace = STR("default");
	return rc;
}

int backend_list(struct backend_choice *in, const struct backend_settings *of,
		 struct str_vec *names, bool *several, struct str *pattern)
{
	struct backend *b = choice_open(in, of, STR("default"));
	int rc = b ? 0 : -1;

	*several = b && workspace_several(b);
	if (b && pattern)
		*pattern = workspace_pattern(b);
	if (*several)
		rc = workspace_list(b, names, in->ds);
	close_both(b, NULL);
	return rc;
}

static bool has_default(const struct str_vec *names)
{
	return !names->len || str_is(names->items[0], "default");
}

int backend_migrate(struct backend_choice *in)
{
	struct str_vec names = { 0 }, there = { 0 };
	bool several, to_several;

	if (backend_list(in, &in->old, &names, &several, NULL) ||
	    backend_list(in, &in->new, &there, &to_several, NULL))
		return -1;
	/* The new backend has one workspace, which is not the default one. */
	if (names.len <= 1 && there.len == 1 && !has_default(&there))
		return backend_copy_state(in,
					  names.len ? names.items[0]
						    : STR("default"),
					  there.items[0], asks(in));
	if (names.len <= 1 && has_default(&names))
		return backend_copy_state(in, STR("default"), STR("default"),
					  asks(in));
	return to_several ? copy_all(in, &names) : copy_current(in);
}

/* --- the states of the local default --- */

int backend_filled(struct backend_choice *in, const struct backend_settings *of,
		   struct str name, bool *filled)
{
	struct backend *b = choice_open(in, of, name);
	struct state *s = b ? backend_read(b, in->ds) : NULL;

	*filled = s && !state_is_empty(s);
	close_both(b, NULL);
	return s ? 0 : -1;
}

int backend_filled_local(struct backend_choice *in, struct str_vec *names)
{
	struct str_vec all = { 0 };
	bool several, filled;

	if (backend_list(in, &in->old, &all, &several, NULL))
		return -1;
	for (size_t i = 0; i < all.len; i++) {
		if (backend_filled(in, &in->old, all.items[i], &filled))
			return -1;
		if (filled)
			vec_push(in->a, names, all.items[i]);
	}
	return 0;
}

/* Unless it is where the new backend has it. */
static int empty_local(struct backend_choice *in, struct str name)
{
	struct backend *old = choice_open(in, &in->old, name);
	struct backend *new = NULL;
	int rc = old ? 0 : -1;

	if (backend_is_local(in->new.type)) {
		new = choice_open(in, &in->new, name);
		if (new &&str_eq(backend_name(old), backend_name(new)))
			goto out;
	}
	if (old)
		rc = backend_empty(old, in->ds);
out:
	close_both(old, new);
	return rc;
}

int backend_empty_local(struct backend_choice *in, const struct str_vec *names)
{
	for (size_t i = 0; i < names->len; i++)
		if (empty_local(in, names->items[i]))
			return -1;
	return 0;
}

/* --- the selected workspace --- */

static int ask_workspace(struct backend_choice *in, const struct str_vec *names)
{
	struct buf list = BUF_INIT;
	struct init_question q = { .summary = "Failed to select workspace" };
	struct str answer;
	size_t n;
	int rc = -1;

	if (!in->o->ask)
		return diag_error(
			in->ds, NULL,
			arena_printf(
				in->a,
				"Currently selected workspace \"%.*s\" does not exist",
				STR_ARG(in->workspace)),
			"Select another one, or make it: \"%s workspace\".",
			product_command());
	q.query = arena_printf(
		in->a,
		"The currently selected workspace (%.*s) does not exist.",
		STR_ARG(in->workspace));
	buf_puts(&list,
		 "This is expected behavior when the selected workspace "
		 "did not have an\nexisting non-empty state. Please enter "
		 "a number to select a workspace:\n");
	for (size_t i = 0; i < names->len; i++)
		buf_addf(&list, "\n%zu. %.*s", i + 1, STR_ARG(names->items[i]));
	q.about = list.p;
	if (!in->o->ask(in->o->ask_data, &q, &answer, in->ds)) {
		n = strtoul(arena_strndup(in->a, answer.p, answer.n), NULL, 10);
		if (n >= 1 && n <= names->len)
			rc = workspace_select(in->workdir, names->items[n - 1],
					      in->ds);
		else
			diag_error(in->ds, NULL, "Failed to select workspace",
				   "input not a valid number");
	}
	buf_release(&list);
	return rc;
}

/* A backend of named workspaces that has none yet: the first gets its name. */
static int ask_name(struct backend_choice *in)
{
	static const struct init_question q = {
		"No workspaces found.",
		"There are no workspaces with the configured tags in your "
		"cloud backend\norganization, of which one is needed. Please "
		"enter a name: the workspace is made,\nwith those tags.",
		"Couldn't create initial workspace"
	};
	struct str answer;

	if (!in->o->ask || !backend_shares_names(in->new.type))
		return diag_error(
			in->ds, NULL, "No existing workspaces.",
			"Make one with \"%s workspace new\", or see that the backend is the right one.",
			product_command());
	if (in->o->ask(in->o->ask_data, &q, &answer, in->ds))
		return -1;
	if (!workspace_name_valid(answer))
		return diag_error(in->ds, NULL, q.summary,
				  "\"%.*s\" is no name of a workspace.",
				  STR_ARG(answer));
	return workspace_select(in->workdir, answer, in->ds);
}

static int choose(struct backend_choice *in, struct backend *b)
{
	struct str_vec names = { 0 };

	if (!workspace_several(b))
		return 0;
	if (workspace_list(b, &names, in->ds))
		return -1;
	if (!names.len)
		return ask_name(in);
	for (size_t i = 0; i < names.len; i++)
		if (str_eq(names.items[i], in->workspace))
			return 0;
	if (names.len == 1)
		return workspace_select(in->workdir, names.items[0], in->ds);
	return ask_workspace(in, &names);
}

int backend_choose_workspace(struct backend_choice *in,
			     const struct backend_settings *of)
{
	const struct str opened = in->workspace;
	struct backend *b;

	if (backend_one_workspace(of->type) ||
	    (of->type.n && backend_is_local(of->type)))
		return 0;
	b = choice_open(in, of, opened);
	if (!b)
		return -1;
	in->current = b;
	if (choose(in, b))
		return -1;
	in->workspace = in->workdir->workspace;
	if (workspace_prepare(b, in->workspace, in->ds))
		return -1;
	if (str_eq(in->workspace, opened)) {
		backend_rest(b);
	} else {
		backend_close(b);
		in->current = NULL;
	}
	return 0;
}
