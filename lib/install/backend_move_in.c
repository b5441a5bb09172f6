/*
 * backend_move_in.c - states moved to where the names of workspaces are those
 * of all configurations: see backend_migrate_int.h
 */
#include "install/backend_migrate_int.h"
#include "state/backend/workspaces.h"

/* 0: a line; -1 after a diagnostic. */
static int ask(struct backend_choice *in, const struct init_question *q,
	       struct str *answer)
{
	if (!in->o->ask)
		return diag_error(
			in->ds, NULL, q->summary,
			"It has to be asked: leave -input=false out.");
	return in->o->ask(in->o->ask_data, q, answer, in->ds);
}

static int ask_name(struct backend_choice *in, struct str *name)
{
	static const struct init_question q = {
		"Cloud backend requires all workspaces to be given an explicit name.",
		"Please enter a name, such as dev or test, for the workspace "
		"that the state of the\ndefault workspace is copied to.",
		"Error asking for new state name"
	};

	return ask(in, &q, name) || workspace_check_name(*name, in->ds) ? -1
									: 0;
}

static int aborted(struct backend_choice *in)
{
	return diag_error(in->ds, NULL, "Migration aborted by user.",
			  "Nothing was copied.");
}

/* pattern: of one workspace alone, or of those that have tags. */
static bool is_name(struct str pattern)
{
	return str_chr(pattern, '*') < 0;
}

/* --- one of the old workspaces --- */

static int move_current(struct backend_choice *in, struct str pattern)
{
	struct str name = pattern;
	bool filled;
	int rc = backend_filled(in, &in->old, in->workspace, &filled);

	if (rc || !filled)
		return rc;
	rc = backend_confirm(
		in, "Do you wish to proceed?",
		"The state of the current workspace can be copied to the "
		"workspace of the cloud\nbackend that the configuration names. "
		"Answer \"yes\" to copy it, and \"no\" to go on\nwith the state "
		"that is there, if there is one.");
	if (rc <= 0)
		return rc;
	if (!is_name(pattern) && ask_name(in, &name))
		return -1;
	rc = backend_copy_state(in, in->workspace, name, COPY_ASK_OVERWRITE);
	if (!rc && !is_name(pattern) && str_is(in->workspace, "default")) {
		rc = workspace_select(in->workdir, name, in->ds);
		in->workspace = name;
	}
	return rc;
}

static int move_one_of_many(struct backend_choice *in, struct str name)
{
	int rc = backend_confirm(
		in, "Do you want to copy only your current workspace?",
		arena_printf(
			in->a,
			"The previous backend \"%.*s\" has several workspaces, "
			"but the cloud backend is\nset up for one, \"%.*s\". "
			"It gets the state of the current workspace, "
			"\"%.*s\".\nTo move all of them, answer \"no\", and "
			"give the block \"workspaces\" tags.",
			STR_ARG(backend_type_of(&in->old)), STR_ARG(name),
			STR_ARG(in->workspace)));

	if (rc == 0)
		return aborted(in);
	if (rc < 0)
		return -1;
	return backend_copy_state(in, in->workspace, name, COPY_ASK_OVERWRITE);
}

/* --- all of them --- */

static int read_pattern(struct backend_choice *in, struct str *pattern)
{
	static const struct init_question q = {
		"How would you like to rename your workspaces?",
		"Please enter a pattern with an asterisk (*), which stands for "
		"the name that a\nworkspace has now: of \"prod\" the pattern "
		"app-* makes \"app-prod\", and app-*-eu\n\"app-prod-eu\".",
		"Error asking for state migration action"
	};
	ptrdiff_t at;

	if (ask(in, &q, pattern))
		return -1;
	at = str_chr(*pattern, '*');
	if (at < 0)
		return diag_error(in->ds, NULL, "The pattern must have an '*'",
				  "Nothing was copied.");
	if (str_chr(str_sub(*pattern, (size_t)at + 1, pattern->n), '*') >= 0)
		return diag_error(
			in->ds, NULL,
			"The pattern '*' cannot be used more than once.",
			"Nothing was copied.");
	return 0;
}

static int ask_pattern(struct backend_choice *in, struct str *pattern)
{
	const struct init_question q = {
		"Would you like to rename your workspaces?",
		arena_printf(
			in->a,
			"Workspaces of a cloud backend have names that are "
			"those of all configurations of\nan organization, "
			"such as networking-prod-us-east: a component, an "
			"environment, a\nregion. Those of the backend \"%.*s\" "
			"can get others while they are copied. Enter 1\nor 2.\n\n"
			"1. Yes, all of them by a pattern.\n"
			"2. No, they keep their names.",
			STR_ARG(backend_type_of(&in->old))),
		"Error asking for state migration action"
	};
	struct str answer;

	if (ask(in, &q, &answer))
		return -1;
	if (str_is(answer, "1"))
		return read_pattern(in, pattern);
	*pattern = STR("*");
	return str_is(answer, "2")
		       ? 0
		       : diag_error(
				 in->ds, NULL,
				 "Please select 1 or 2 as part of this option.",
				 "Nothing was copied.");
}

/* Workspaces that come from a host of the same kind keep their names. */
static int keep_pattern(struct backend_choice *in)
{
	int rc = backend_confirm(
		in, "Do you wish to proceed?",
		"The workspaces of the previous backend are those of the cloud "
		"backend, where\ntheir names have the prefix. What is not there "
		"is made, and all get the tags that\nthe configuration has. "
		"From then on the names are used as the host has them.");

	return rc == 0 ? aborted(in) : rc < 0 ? -1 : 0;
}

static struct str by_pattern(struct backend_choice *in, struct str pattern,
			     struct str name)
{
	const size_t at = (size_t)str_chr(pattern, '*');

	return STR_CAT(in->a, str_sub(pattern, 0, at), name,
		       str_sub(pattern, at + 1, pattern.n));
}

static int copy_renamed(struct backend_choice *in, const struct str_vec *names,
			struct str standard, struct str pattern,
			struct str *current)
{
	struct str_vec renamed = { 0 };

	for (size_t i = 0; i < names->len; i++) {
		const struct str name = names->items[i];
		const bool is_default = str_is(name, "default");
		struct str new =
			by_pattern(in, pattern,
				   is_default && standard.n ? standard : name);

		if (workspace_check_name(new, in->ds))
			return -1;
		if (str_eq(name, in->workspace))
			*current = new;
		vec_push(in->a, &renamed, new);
	}
	for (size_t i = 0; i < names->len; i++)
		if (backend_copy_state(in, names->items[i], renamed.items[i],
				       COPY_AGREED))
			return -1;
	return 0;
}

/* Selects it if it is there; else it is asked which. */
static int select_moved(struct backend_choice *in, struct str name)
{
	struct backend_news n = { .step = BACKEND_CLOUD_MOVED,
				  .current = name };
	bool several;

	if (backend_list(in, &in->new, &n.workspaces, &several, NULL))
		return -1;
	if (!str_vec_has(&n.workspaces, name))
		return 0;
	if (workspace_select(in->workdir, name, in->ds))
		return -1;
	in->workspace = name;
	in->o->told(in->o->told_data, &n);
	return 0;
}

static int move_renamed(struct backend_choice *in, struct str_vec *names,
			struct str from)
{
	struct str standard = STR_NONE, pattern = from, current = STR_NONE;
	bool filled = false;

	str_sort(names->items, names->len);
	for (size_t i = 0; i < names->len; i++)
		if (str_is(names->items[i], "default") &&
		    (backend_filled(in, &in->old, names->items[i], &filled) ||
		     (filled && ask_name(in, &standard))))
			return -1;
	if (from.n ? keep_pattern(in) : ask_pattern(in, &pattern))
		return -1;
	return copy_renamed(in, names, standard, pattern, &current) ||
			       select_moved(in, current)
		       ? -1
		       : 0;
}

int backend_move_in(struct backend_choice *in)
{
	struct str_vec names = { 0 }, there = { 0 };
	struct str from, to;
	bool several, to_several;

	if (backend_list(in, &in->old, &names, &several, &from) ||
	    backend_list(in, &in->new, &there, &to_several, &to))
		return -1;
	if (names.len <= 1)
		return move_current(in, to);
	return is_name(to) ? move_one_of_many(in, to)
			   : move_renamed(in, &names, from);
}
