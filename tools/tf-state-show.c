/* tf-state-show.c - list, show, pull, push */
#include <errno.h>
#include <unistd.h>

#include "state/file/file.h"
#include "tf-state.h"
#include "addr/provider.h"
#include "encrypt/encrypt.h"
#include "engine/stage/stage.h"
#include "install/providers/installed.h"
#include "select/select.h"
#include "ui/show/show.h"

static int list(struct tool *t, const struct state_ref_vec *refs, struct str id,
		struct select *select)
{
	for (size_t i = 0; i < refs->len; i++) {
		const struct state_ref *ref = &refs->items[i];
		struct state_instance *obj = state_instance(ref->r, ref->key);
		struct str text = state_ref_text(&t->arena, ref);
		enum select_answer answer = SELECT_YES;

		if (id.n && !str_eq(state_object_id(&t->arena, obj), id))
			continue;
		if (select)
			answer = select_instance(select, ref->r, obj, &t->ds);
		if (answer == SELECT_ERROR)
			return -1;
		if (answer != SELECT_NO)
			state_say_address(&t->v, text);
	}
	if (select)
		select_finish(select, &t->ds);
	return 0;
}

int cmd_list(struct tool *t, int argc, char **argv)
{
	struct str id = STR_NONE, expr = STR_NONE;
	struct select *select = NULL;
	const struct opt options[] = {
		STATE_OPTION(t),
		{ "id", OPT_STRING, &id, "ID", "only those with this id" },
		{ "select", OPT_STRING, &expr, "EXPR",
		  "only those for which this is true (tf-select(1))" },
		TOOL_OPTIONS(t),
		OPTIONS_END,
	};
	struct state_ref_vec refs = { 0 };
	int rc = -1;
	enum opts_result r = tool_options(t, "tf-state list", "[ADDRESS...]",
					  options, argc, argv);

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (expr.p) {
		select = select_new(&t->arena, expr, "-select", STR_NONE,
				    &t->ds);
		if (!select)
			return -1;
	}
	if (!tool_begin(t) && !state_access_need(&t->st, NULL)) {
		if (!t->rest.len)
			state_all(&t->arena, t->st.s, &refs);
		rc = state_find(&t->st, &t->rest, false, &refs)
			     ? -1
			     : list(t, &refs, id, select);
	}
	select_free(select);
	return rc;
}

static int show(struct tool *t, struct str address, bool show_sensitive)
{
	struct state_one one = {
		.source = installed_source(&t->arena, &t->workdir,
					   provider_default_host()),
		.json = t->json,
		.color = t->v.style.color,
		.show_sensitive = show_sensitive,
	};
	struct instance_addr addr;
	struct buf text = BUF_INIT;
	int rc;

	if (state_instance_parse(&t->arena, address, &addr, &t->ds) ||
	    state_access_need(&t->st, NULL))
		return -1;
	current_translate(&t->arena, &t->workdir, t->st.s, NULL);
	one.state = t->st.s;
	one.instance = state_find_one(&t->st, &addr, address, &one.resource);
	if (!one.instance)
		return -1;
	rc = state_one_put(&t->arena, &text, &one, &t->ds);
	if (!rc)
		out_str(&t->out, buf_view(&text));
	buf_release(&text);
	return rc;
}

int cmd_show(struct tool *t, int argc, char **argv)
{
	bool show_sensitive = false;
	const struct opt options[] = {
		STATE_OPTION(t),
		{ "show-sensitive", OPT_FLAG, &show_sensitive, NULL,
		  "show sensitive values" },
		TOOL_OPTIONS(t),
		OPTIONS_END,
	};
	enum opts_result r = tool_options(t, "tf-state show", "ADDRESS",
					  options, argc, argv);

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (tool_operands(t, 1, "Invalid number of arguments",
			  "Exactly one argument expected") ||
	    tool_begin(t))
		return -1;
	return show(t, t->rest.items[0], show_sensitive);
}

int cmd_pull(struct tool *t, int argc, char **argv)
{
	const struct opt options[] = {
		STATE_OPTION(t),
		TOOL_OPTIONS(t),
		OPTIONS_END,
	};
	enum opts_result r =
		tool_options(t, "tf-state pull", "", options, argc, argv);
	struct buf text = BUF_INIT;

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (t->json)
		return diag_error(
			&t->ds, NULL, "Unsupported option",
			"The state is JSON in any case: pull has no -json.");
	if (tool_operands(t, 0, "Unexpected argument",
			  "This command takes no arguments.") ||
	    tool_begin(t) || state_access_read(&t->st, NULL))
		return -1;
	t->out.form = OUT_DATA;
	if (!t->st.s->absent) {
		state_write_compact(&text, t->st.s);
		buf_putc(&text, '\n');
		out_str(&t->out, buf_view(&text));
	}
	buf_release(&text);
	return 0;
}

static int push(struct tool *t, struct str file, bool force)
{
	struct buf text = BUF_INIT;
	struct state *s = state_pushed(&t->arena, file,
				       encryption_state(t->st.o.encryption),
				       &text, &t->ds);
	int rc = -1;

	t->st.o.pushed = s;
	if (s && !state_access_read(&t->st, "state-push"))
		rc = backend_push(t->st.b, s, force, &t->ds);
	buf_release(&text);
	return rc;
}

int cmd_push(struct tool *t, int argc, char **argv)
{
	bool force = false;
	const struct opt options[] = {
		{ "force", OPT_FLAG, &force, NULL,
		  "write even over a newer or unrelated state" },
		REMOTE_OPTIONS(t),
		TOOL_OPTIONS(t),
		OPTIONS_END,
	};
	enum opts_result r =
		tool_options(t, "tf-state push", "FILE", options, argc, argv);

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (tool_operands(t, 1, "Invalid number of arguments",
			  "Exactly one argument expected") ||
	    tool_begin(t))
		return -1;
	return push(t, t->rest.items[0], force);
}

int cmd_open_plan(struct tool *t, int argc, char **argv)
{
	const struct opt options[] = { TOOL_OPTIONS(t), OPTIONS_END };
	enum opts_result r =
		tool_options(t, "tf-state open-plan", "", options, argc, argv);
	struct saved_files files = { .arena = &t->arena,
				     .argc = t->argc,
				     .argv = t->argv };
	struct saved in = { .fd = -1 };
	int rc;

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	rc = saved_files_stream(&files, STDIN_FILENO, STR("standard input"),
				&in, &t->ds);
	t->config = files.config;
	if (!rc && io_copy(in.fd, STDOUT_FILENO))
		rc = diag_error(&t->ds, NULL, "Failed to hand on the plan",
				"%s.", strerror(errno));
	saved_release(&in, STDIN_FILENO);
	return rc;
}

int cmd_seal_plan(struct tool *t, int argc, char **argv)
{
	const struct opt options[] = { TOOL_OPTIONS(t), OPTIONS_END };
	enum opts_result r =
		tool_options(t, "tf-state seal-plan", "", options, argc, argv);
	struct buf plain = BUF_INIT, sealed = BUF_INIT;
	struct envelope *env;
	int rc = -1;

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (current_check_dir(&t->arena, &t->workdir, t->argc, t->argv, true,
			      &t->config, &t->st.o.encryption, &t->ds))
		return -1;
	env = encryption_plan(t->st.o.encryption);
	if (envelope_prepare(env, &t->ds))
		goto out;
	if (io_read_fd(STDIN_FILENO, &plain, 0)) {
		diag_error(&t->ds, NULL, "Failed to read the plan", "%s.",
			   strerror(errno));
		goto out;
	}
	if (envelope_seal(env, ENVELOPE_PLAIN, buf_view(&plain), &sealed,
			  &t->ds))
		goto out;
	out_str(&t->out, buf_view(&sealed));
	rc = 0;
out:
	encryption_end(t->st.o.encryption);
	buf_release(&plain);
	buf_release(&sealed);
	return rc;
}
