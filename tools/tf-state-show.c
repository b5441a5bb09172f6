/* tf-state-show.c - list, show, pull, push */
#include "tf-state.h"

#include <errno.h>
#include <unistd.h>

#include "install/providers/installed.h"
#include "ui/show/show.h"

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

static void put_address(struct tool *t, struct str text)
{
	struct buf line = BUF_INIT;
	struct jw w;

	if (!t->json) {
		out_str(&t->out, text);
		out_write(&t->out, "\n", 1);
		return;
	}
	w = ui_message(&line, "info", text);
	jw_member_str(&w, "type", STR("resource_address"));
	ui_message_end(&t->v, &line, &w);
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
	if (tool_begin(t) || tool_read(t, NULL) || find_listed(t, &refs))
		return -1;
	for (size_t i = 0; i < refs.len; i++) {
		const struct state_ref *ref = &refs.items[i];
		struct state_instance *obj = state_instance(ref->r, ref->key);
		struct str text = state_ref_text(&t->arena, ref);

		if (!id.n || str_eq(state_object_id(&t->arena, obj), id))
			put_address(t, text);
	}
	return 0;
}

/* The address, or NULL when the state has no such current object. */
static struct state_instance *find_one(struct tool *t, struct str text,
				       struct state_resource **r)
{
	struct diags why = DIAGS_INIT(&t->arena);
	struct instance_addr addr;
	struct state_instance *i;

	if (instance_addr_parse(&t->arena, text, &addr, &why)) {
		diag_error(&t->ds, NULL,
			   arena_printf(&t->arena, "Error parsing instance "
					"address \"%.*s\"", STR_ARG(text)),
			   "%.*s One instance must be named; \"tf-state list\" "
			   "shows them.", STR_ARG(why.items[0].detail));
		return NULL;
	}
	if (tool_read(t, NULL))
		return NULL;
	*r = state_resource(t->s, addr.module, &addr.resource);
	i = *r ? state_instance(*r, addr.key) : NULL;
	if (!i)
		diag_error(&t->ds, NULL,
			   "No instance found for the given address",
			   "The state has no instance %.*s; \"tf-state list\" "
			   "shows those that it has.", STR_ARG(text));
	return i;
}

/* The state as if it had nothing but this instance. */
static void put_instance_json(struct buf *out, const struct state *s,
			      const struct state_resource *r,
			      struct state_instance *i,
			      const struct map *schemas)
{
	struct state_instance *instances[] = { i };
	struct state_resource res = *r, *resources[] = { &res };
	struct state one = *s;
	struct jw w = JW_INIT(out);

	res.instances.items = instances;
	res.instances.len = 1;
	one.resources.items = resources;
	one.resources.len = 1;
	one.outputs.len = 0;
	w.html = true;
	state_json(&w, &one, schemas);
	buf_putc(out, '\n');
}

/* Only a schema tells which attributes are secret, so without one they are
 * shown on demand only. */
static int print_instance(struct tool *t, struct state_resource *r,
			  struct state_instance *i, bool show_sensitive)
{
	struct opened_providers opened = {
		.arena = &t->arena,
		.source = installed_source(&t->arena,
					   provider_default_host()),
	};
	struct diff_style style = {
		.color = text_style_for(STDOUT_FILENO, t->no_color).color,
		.show_sensitive = show_sensitive,
	};
	struct state_resource *only[] = { r };
	struct state one = { .arena = &t->arena };
	struct diags why = DIAGS_INIT(&t->arena);
	struct map schemas = { 0 };
	struct buf out = BUF_INIT;
	int rc = 0;

	one.resources.items = only;
	one.resources.len = 1;
	opened_state_schemas(&opened, &one, &schemas, &why);
	if (!show_sensitive && !shown_schema(&schemas, r->addr.mode,
					     r->addr.type,
					     r->provider.provider)) {
		if (!why.len)
			diag_error(&why, NULL, "Invalid resource type",
				   "The provider %.*s has no \"%.*s\".",
				   STR_ARG(provider_addr_text(
					   &t->arena, r->provider.provider)),
				   STR_ARG(r->addr.type));
		rc = diag_error(&t->ds, NULL, "Failed to load plugin schemas",
				"It is not known which attributes are "
				"sensitive; -show-sensitive shows all of them. "
				"%.*s: %.*s", STR_ARG(why.items[0].summary),
				STR_ARG(why.items[0].detail));
	} else if (t->json) {
		put_instance_json(&out, t->s, r, i, &schemas);
		out_str(&t->out, buf_view(&out));
	} else {
		state_instance_text(&out, r, i, &schemas, style);
		out_str(&t->out, buf_view(&out));
	}
	buf_release(&out);
	opened_close(&opened);
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
	struct state_resource *res;
	struct state_instance *i;

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (tool_operands(t, 1, "Invalid number of arguments",
			  "Exactly one argument expected") || tool_begin(t))
		return -1;
	i = find_one(t, t->rest.items[0], &res);
	return i ? print_instance(t, res, i, show_sensitive) : -1;
}

int cmd_pull(struct tool *t, int argc, char **argv)
{
	const struct opt options[] = {
		STATE_OPTION(t), TOOL_OPTIONS(t), OPTIONS_END,
	};
	enum opts_result r = tool_options(t, "tf-state pull", "", options,
					  argc, argv);
	struct buf text = BUF_INIT;

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (t->json)
		return diag_error(&t->ds, NULL, "Unsupported option",
				  "The state is JSON in any case: pull has no "
				  "-json.");
	if (tool_operands(t, 0, "Unexpected argument",
			  "This command takes no arguments.") ||
	    tool_begin(t) || tool_open(t))
		return -1;
	t->s = backend_read(t->b, &t->ds);
	if (!t->s)
		return -1;
	if (backend_exists(t->b)) {
		state_write_compact(&text, t->s);
		buf_putc(&text, '\n');
		out_str(&t->out, buf_view(&text));
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

static struct state *parse_pushed(struct tool *t, struct str file,
				  struct str text)
{
	struct diags found = DIAGS_INIT(&t->arena);
	struct state *s = state_parse(&t->arena, text, file.p, &found);

	if (s)
		diags_append(&t->ds, &found);
	else
		diag_error(&t->ds, NULL,
			   arena_printf(&t->arena, "Failed to read source "
					"state \"%.*s\"", STR_ARG(file)),
			   "%.*s: %.*s", STR_ARG(found.items[0].summary),
			   STR_ARG(found.items[0].detail));
	return s;
}

static int push(struct tool *t, struct str file, bool force)
{
	struct buf text = BUF_INIT;
	struct state *s;
	int rc = -1;

	if (read_pushed(t, file, &text))
		return -1;
	s = parse_pushed(t, file, buf_view(&text));
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
		REMOTE_OPTIONS(t),
		TOOL_OPTIONS(t),
		OPTIONS_END,
	};
	enum opts_result r = tool_options(t, "tf-state push", "FILE", options,
					  argc, argv);

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (tool_operands(t, 1, "Invalid number of arguments",
			  "Exactly one argument expected") || tool_begin(t))
		return -1;
	return push(t, t->rest.items[0], force);
}
