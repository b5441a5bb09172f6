/* tf-state-show.c - list, show, pull, push */
#include "tf-state.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static int find_listed(struct tool *t, struct state_ref_vec *refs)
{
	int rc = 0;

	if (!t->rest.len)
		state_all(&t->arena, t->s, refs);
	for (size_t i = 0; i < t->rest.len; i++)
		rc |= state_lookup(&t->arena, t->s, t->rest.items[i], false,
				   refs, &t->ds);
	return rc;
}

int cmd_list(struct tool *t, int argc, char **argv)
{
	struct str id = STR_NONE;
	const struct opt options[] = {
		STATE_OPTION(t),
		{ "id", OPT_STRING, &id, "ID", "only those with this id" },
		TOOL_OPTIONS(t),
		OPTIONS_END,
	};
	struct state_ref_vec refs = { 0 };
	enum opts_result r = tool_options(t, "tf-state list", "[ADDRESS...]",
					  options, argc, argv);

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (tool_read(t, NULL) || find_listed(t, &refs))
		return -1;
	for (size_t i = 0; i < refs.len; i++) {
		const struct state_ref *ref = &refs.items[i];
		struct state_instance *obj = state_instance(ref->r, ref->key);
		struct str text = state_ref_text(&t->arena, ref);

		if (!id.n || str_eq(state_object_id(&t->arena, obj), id))
			printf("%.*s\n", STR_ARG(text));
	}
	return 0;
}

int cmd_pull(struct tool *t, int argc, char **argv)
{
	const struct opt options[] = { TOOL_OPTIONS(t), OPTIONS_END };
	enum opts_result r = tool_options(t, "tf-state pull", "", options,
					  argc, argv);
	struct buf text = BUF_INIT;

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (tool_open(t))
		return -1;
	t->s = backend_read(t->b, &t->ds);
	if (!t->s)
		return -1;
	if (backend_exists(t->b)) {
		state_write_compact(&text, t->s);
		buf_putc(&text, '\n');
		fwrite(text.p, 1, text.len, stdout);
	}
	buf_release(&text);
	return 0;
}

static int read_pushed(struct tool *t, struct str file, struct buf *text)
{
	int rc = str_is(file, "-") ? io_read_fd(STDIN_FILENO, text, 0) :
				     io_read_file(file.p, text, 0);

	if (!rc)
		return 0;
	return diag_error(&t->ds, NULL, "Failed to open the given state file",
			  "Cannot read %.*s: %s.", STR_ARG(file),
			  strerror(errno));
}

static int push(struct tool *t, struct str file, bool force)
{
	struct buf text = BUF_INIT;
	struct state *s;
	int rc = -1;

	if (read_pushed(t, file, &text))
		return -1;
	s = state_parse(&t->arena, buf_view(&text), file.p, &t->ds);
	if (s && !text.len)
		s->lineage = state_new_lineage(&t->arena);
	if (s && !tool_open(t) && !tool_lock(t, t->b, "state-push") &&
	    backend_read(t->b, &t->ds))
		rc = backend_push(t->b, s, force, &t->ds);
	buf_release(&text);
	return rc;
}

int cmd_push(struct tool *t, int argc, char **argv)
{
	bool force = false;
	const struct opt options[] = {
		{ "force", OPT_FLAG, &force, NULL,
		  "write even over a newer or unrelated state" },
		LOCK_OPTIONS(t),
		TOOL_OPTIONS(t),
		OPTIONS_END,
	};
	enum opts_result r = tool_options(t, "tf-state push", "FILE", options,
					  argc, argv);

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (tool_operands(t, 1, "Invalid number of arguments",
			  "Exactly one argument expected"))
		return -1;
	return push(t, t->rest.items[0], force);
}
