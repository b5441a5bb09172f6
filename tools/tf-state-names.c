/*
 * tf-state-names.c - names: what could be typed, for the completions of shells
 *
 * It only looks: no provider runs, nothing is written, and what is wrong is
 * left to the command that comes of the names.
 */
#include "tf-state.h"
#include "base/confine.h"
#include "engine/stage/stage.h"
#include "state/backend/backend_config.h"
#include "state/backend/workspaces.h"

struct names {
	struct arena *a;
	const struct state *state;   /* NULL: there is none to be read */
	const struct config *config; /* the same */
	struct backend *backend;     /* NULL: none is open */
	struct str_vec found;
};

enum { MANAGED_ONLY = 1, TAINTED_ONLY = 2 };

static void add_instances(struct names *n, unsigned only)
{
	struct state_ref_vec refs = { 0 };

	state_all(n->a, n->state, &refs);
	for (size_t i = 0; i < refs.len; i++) {
		const struct state_ref *ref = &refs.items[i];
		const struct state_instance *object =
			state_instance(ref->r, ref->key);

		if (only & MANAGED_ONLY && ref->r->addr.mode != MODE_MANAGED)
			continue;
		if (only & TAINTED_ONLY && !(object && object->tainted))
			continue;
		vec_push(n->a, &n->found, state_ref_text(n->a, ref));
	}
}

static void add_state_modules(struct names *n)
{
	for (size_t i = 0; i < n->state->resources.len; i++) {
		struct module_addr m = n->state->resources.items[i]->module;

		for (; m.len; m.len--)
			vec_push(n->a, &n->found, module_addr_text(n->a, m));
	}
}

static void add_outputs(struct names *n)
{
	const struct state_output_list outs = state_outputs_sorted(n->state);

	for (size_t i = 0; i < outs.len; i++)
		vec_push(n->a, &n->found, outs.items[i].name);
}

static void add_declared(struct names *n, const struct cfg_module *m,
			 const struct map *resources)
{
	for (size_t i = 0; i < resources->len; i++) {
		const struct cfg_resource *r = resources->entries[i].value;
		struct buf text = BUF_INIT;

		buf_str(&text, m->path);
		if (m->path.n)
			buf_putc(&text, '.');
		resource_addr_print(&text, r->addr);
		vec_push(n->a, &n->found, buf_dup(n->a, &text));
		buf_release(&text);
	}
}

static void add_config(struct names *n, bool data, bool managed, bool modules)
{
	for (size_t i = 0; i < n->config->modules.len; i++) {
		const struct cfg_module *m =
			n->config->modules.entries[i].value;

		if (managed)
			add_declared(n, m, &m->managed);
		if (data)
			add_declared(n, m, &m->data);
		if (modules && m->path.n)
			vec_push(n->a, &n->found, m->path);
	}
}

static void add(struct names *n, struct str kind)
{
	struct diags unused = DIAGS_INIT(n->a);

	if (n->state && str_is(kind, "state"))
		add_instances(n, 0);
	else if (n->state && str_is(kind, "state-managed"))
		add_instances(n, MANAGED_ONLY);
	else if (n->state && str_is(kind, "state-tainted"))
		add_instances(n, TAINTED_ONLY);
	else if (n->state && str_is(kind, "state-modules"))
		add_state_modules(n);
	else if (n->state && str_is(kind, "outputs"))
		add_outputs(n);
	else if (n->config && str_is(kind, "config"))
		add_config(n, true, true, false);
	else if (n->config && str_is(kind, "config-managed"))
		add_config(n, false, true, false);
	else if (n->config && str_is(kind, "config-modules"))
		add_config(n, false, false, true);
	else if (n->backend && str_is(kind, "workspaces"))
		workspace_list(n->backend, &n->found, &unused);
}

/* A journal that a run has left is not touched: reading would write. */
static void open_state(struct tool *t, struct names *n, struct diags *unused)
{
	t->st.ds = unused;
	if (backend_saved(&t->arena, &t->st.o, unused) ||
	    state_access_open(&t->st))
		return;
	n->backend = t->st.b;
	if (!backend_interrupted(t->st.b))
		n->state = backend_read(t->st.b, unused);
}

static void print(struct tool *t, struct names *n, struct str prefix)
{
	struct str *found = n->found.items;

	t->out.form = OUT_DATA;
	str_sort(found, n->found.len);
	for (size_t i = 0; i < n->found.len; i++) {
		if (i && str_eq(found[i], found[i - 1]))
			continue;
		out_str(&t->out, prefix);
		out_str(&t->out, found[i]);
		out_str(&t->out, STR("\n"));
	}
}

int cmd_names(struct tool *t, int argc, char **argv)
{
	const struct config_options o = { .dir = STR("."),
					  .workdir = &t->workdir };
	struct diags unused = DIAGS_INIT(&t->arena);
	struct names n = { .a = &t->arena };
	struct str prefix = STR_NONE;
	const struct opt options[] = {
		STATE_OPTION(t),
		{ "prefix", OPT_STRING, &prefix, "TEXT",
		  "what stands before each name" },
		TOOL_OPTIONS(t),
		OPTIONS_END,
	};
	enum opts_result r = tool_options(t, "tf-state names", "KIND...",
					  options, argc, argv);

	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	/* A shell asks for names in any directory that somebody is in. */
	confine(&(struct confine){ 0 });
	open_state(t, &n, &unused);
	for (size_t i = 0; i < t->rest.len; i++) {
		if (!n.config && str_starts(t->rest.items[i], "config"))
			n.config = load_configuration(&t->arena, NULL, 0, &o,
						      &unused);
		add(&n, t->rest.items[i]);
	}
	print(t, &n, prefix);
	return 0;
}
