/*
 * tf-providers - which providers a configuration needs, and what they say of
 * themselves (tf-providers(1))
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/product.h"
#include "engine/stage/current.h"
#include "install/providers/installed.h"
#include "install/providers/lock_mirror.h"
#include "install/providers/packed_mirror.h"
#include "install/providers/requirements.h"
#include "state/backend/backend.h"
#include "ui/diag_text.h"
#include "ui/show/providers_json.h"
#include "ui/schemas.h"
#include "tf-providers.h"

struct tool {
	struct arena arena;
	struct diags ds;
	struct str dir;
	struct str fs_mirror, net_mirror;
	struct str_vec rest, vars, platforms, given;
	bool json, no_color;
	struct config *config;
	struct state *state;
};

/* --- what there is --- */

static int load(struct tool *t, int argc, char **argv, bool backend_first)
{
	struct config_options o = { .dir = STR("."),
				    .stepwise = backend_first };
	struct inputs_options io = { .dir = STR("."), .environ = environ };
	struct inputs in = { 0 };
	struct input_arg *args;

	if (workspace_check(&t->ds))
		return -1;
	if (files_present(".") == 0)
		return diag_error(&t->ds, NULL, "No configuration files",
				  "There is no configuration in this "
				  "directory.");
	o.data_dir = str_c(getenv("TF_DATA_DIR"));
	t->config = config_load(&t->arena, &o, &t->ds);
	if (diags_failed(&t->ds))
		return -1;
	io.nargs = inputs_args(&t->arena, argc, argv, &args);
	io.args = args;
	io.sources = &t->config->sources;
	if (inputs_collect(&t->arena, &io, &in, &t->ds) ||
	    current_check(&t->arena, t->config, &in, &t->ds))
		return -1;
	t->state = current_state(&t->arena, STR_NONE, &t->ds);
	return t->state ? 0 : -1;
}

static void state_requirements(struct tool *t, struct requirement_vec *out)
{
	for (size_t i = 0; i < t->state->resources.len; i++)
		requirements_add(&t->arena, out,
				 t->state->resources.items[i]
					 ->provider.provider);
}

/* --- the tree --- */

struct tree {
	struct tool *t;
	struct buf prefix; /* the lines of the branches that go on */
};

static void put_module(struct tree *tree, const struct cfg_module *m);

static void put_branch(struct tree *tree, bool last, const char *text)
{
	printf("%s%s %s\n", tree->prefix.p ? tree->prefix.p : "",
	       last ? "└──" : "├──", text);
}

static void put_call(struct tree *tree, const struct cfg_call *call,
		     struct str name, bool last)
{
	size_t before = tree->prefix.len;

	put_branch(tree, last, arena_printf(&tree->t->arena, "module.%.*s",
					    STR_ARG(name)));
	buf_puts(&tree->prefix, last ? "    " : "│   ");
	if (call->child)
		put_module(tree, call->child);
	buf_set_len(&tree->prefix, before);
}

static void put_module(struct tree *tree, const struct cfg_module *m)
{
	struct arena *a = &tree->t->arena;
	struct requirement_vec reqs = { 0 };

	requirements_of_module(a, m, &reqs);
	for (size_t i = 0; i < reqs.len; i++) {
		const struct requirement *r = reqs.items[i];
		struct str text = requirement_text(a, r);

		put_branch(tree, i + 1 == reqs.len && !m->calls.len,
			   arena_printf(a, "provider[%.*s]%s%.*s",
					STR_ARG(provider_addr_text(
						a, r->provider)),
					text.n ? " " : "", STR_ARG(text)));
	}
	for (size_t i = 0; i < m->calls.len; i++)
		put_call(tree, m->calls.entries[i].value,
			 m->calls.entries[i].key, i + 1 == m->calls.len);
}

static int show_tree(struct tool *t, int argc, char **argv)
{
	struct requirement_vec reqs = { 0 };
	struct tree tree = { t, BUF_INIT };

	if (load(t, argc, argv, false))
		return -1;
	puts("\nProviders required by configuration:\n.");
	put_module(&tree, t->config->root);
	puts("");
	buf_release(&tree.prefix);
	state_requirements(t, &reqs);
	if (reqs.len)
		puts("Providers required by state:\n");
	for (size_t i = 0; i < reqs.len; i++) {
		struct str name = provider_addr_text(&t->arena,
						     reqs.items[i]->provider);

		printf("    provider[%.*s]\n\n", STR_ARG(name));
	}
	return 0;
}

/* --- schemas --- */

static int put_schemas(struct tool *t, const struct requirement_vec *reqs,
		       struct opened_providers *opened, struct jw *w)
{
	jw_object(w);
	jw_member_str(w, "format_version", STR("1.0"));
	if (reqs->len) {
		jw_key(w, "provider_schemas");
		jw_object(w);
	}
	for (size_t i = 0; i < reqs->len; i++) {
		struct provider_addr p = reqs->items[i]->provider;
		const struct provider_schema *s =
			opened_schema(opened, p, &t->ds);

		if (!s)
			continue;
		jw_key_str(w, provider_addr_text(&t->arena, p));
		provider_schema_json(w, s, &t->ds);
	}
	if (reqs->len)
		jw_object_end(w);
	jw_object_end(w);
	return diags_failed(&t->ds) ? -1 : 0;
}

static int show_schemas(struct tool *t, int argc, char **argv)
{
	struct opened_providers opened = { .arena = &t->arena };
	struct requirement_vec reqs = { 0 };
	struct buf out = BUF_INIT;
	struct jw w = JW_INIT(&out);
	int rc;

	if (!t->json)
		return diag_error(&t->ds, NULL, "Output only in json is "
						"allowed",
				  "\"providers schema\" needs -json: there is "
				  "no other form.");
	if (load(t, argc, argv, true))
		return -1;
	requirements_collect(&t->arena, t->config, &reqs);
	state_requirements(t, &reqs);
	opened.source = installed_source(&t->arena, t->config->default_host);
	opened.source->ask = true;
	w.html = true;
	rc = put_schemas(t, &reqs, &opened, &w);
	if (!rc) {
		puts(out.p);
		/* OpenTofu says warnings beside errors only. */
		t->ds = (struct diags)DIAGS_INIT(&t->arena);
	}
	opened_close(&opened);
	buf_release(&out);
	return rc;
}

static void say(void *data, const char *line)
{
	(void)data;
	puts(line);
}

static int load_config(struct tool *t)
{
	struct config_options o = { .dir = STR(".") };

	o.data_dir = str_c(getenv("TF_DATA_DIR"));
	t->config = config_load(&t->arena, &o, &t->ds);
	return diags_failed(&t->ds) ? -1 : 0;
}

static int lock(struct tool *t, int argc, char **argv)
{
	struct lock_mirror_options o = { .dir = t->fs_mirror,
					 .net_mirror = t->net_mirror,
					 .platforms = t->platforms,
					 .providers = t->rest,
					 .say = say };
	bool changed = false;

	(void)argc;
	(void)argv;
	if (o.net_mirror.n && o.dir.n)
		return diag_error(&t->ds, NULL, "Invalid installation method "
						"options",
				  "-fs-mirror and -net-mirror exclude each "
				  "other.");
	if (o.net_mirror.n && !str_starts(o.net_mirror, "https://"))
		return diag_error(&t->ds, NULL, "Invalid network mirror URL",
				  "-net-mirror takes an address that begins "
				  "with https://.");
	if (load_config(t))
		return -1;
	o.default_host = t->config->default_host;
	if (lock_providers(&t->arena, t->config, &o, &changed, &t->ds))
		return -1;
	puts(changed ? "\nSuccess! " PRODUCT " has updated the lock file.\n\n"
		       "Review the changes in .terraform.lock.hcl and then "
		       "commit to your\nversion control system to retain the "
		       "new checksums.\n"
		     : "\nSuccess! " PRODUCT " has validated the lock file and "
		       "found no need for changes.");
	return 0;
}

static int mirror(struct tool *t, int argc, char **argv)
{
	struct packed_mirror_options o = { .platforms = t->platforms,
					   .say = say };

	(void)argc;
	(void)argv;
	if (t->rest.len != 1)
		return diag_error(&t->ds, NULL, "No output directory specified",
				  "\"providers mirror\" takes one operand, the "
				  "directory for the mirror.");
	o.dir = str_dup(&t->arena, t->rest.items[0]);
	if (load_config(t))
		return -1;
	o.default_host = t->config->default_host;
	return mirror_providers(&t->arena, t->config, &o, &t->ds);
}

static int versions(struct tool *t, int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return show_versions(&t->arena, t->json, &t->ds);
}

/* --- the command line --- */

static const struct command {
	const char *name, *tool, *synopsis;
	int (*run)(struct tool *t, int argc, char **argv);
} commands[] = {
	{ "schema", "tf-providers schema", "", show_schemas },
	{ "lock", "tf-providers lock", "[PROVIDER...]", lock },
	{ "mirror", "tf-providers mirror", "DIR", mirror },
	{ "versions", "tf-providers versions", "", versions },
};

enum { NCOMMANDS = sizeof(commands) / sizeof(*commands) };

/* Options of one command alone. */
static int check_given(struct tool *t, const struct command *c)
{
	static const struct {
		const char *option;
		int (*run)(struct tool *t, int argc, char **argv);
		int (*or)(struct tool *t, int argc, char **argv);
	} rules[] = {
		{ "fs-mirror", lock, NULL },
		{ "json", show_schemas, versions },
		{ "net-mirror", lock, NULL },
		{ "platform", lock, mirror },
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (c->run != rules[i].run && c->run != rules[i].or &&
		    opts_given(&t->given, rules[i].option))
			return diag_error(&t->ds, NULL, "Unsupported option",
					  "%s: -%s is not supported: it would "
					  "have no effect.", c->tool,
					  rules[i].option);
	return 0;
}

static int run(struct tool *t, int argc, char **argv)
{
	static const struct command tree = { NULL, "tf-providers",
					     "[schema|lock|mirror|versions]",
					     show_tree };
	const struct command *c = &tree;
	const struct opt table[] = {
		{ "C", OPT_STRING, &t->dir, "DIR",
		  "the root module's directory" },
		{ "fs-mirror", OPT_STRING, &t->fs_mirror, "DIR",
		  "with lock: where the packages are" },
		{ "json", OPT_FLAG, &t->json, NULL,
		  "with schema and versions: JSON" },
		{ "json-into", OPT_REFUSED, NULL, NULL,
		  "nothing here speaks JSON lines" },
		{ "net-mirror", OPT_STRING, &t->net_mirror, "URL",
		  "with lock: a network mirror, not the registries" },
		{ "no-color", OPT_FLAG, &t->no_color, NULL,
		  "no terminal colours in errors" },
		{ "platform", OPT_LIST, &t->platforms, "OS_ARCH",
		  "with lock and mirror: a platform; without, this one" },
		{ "test-directory", OPT_REFUSED, NULL, NULL,
		  "files of tests are not read" },
		{ "var", OPT_LIST, &t->vars, "NAME=VALUE",
		  "a variable that the backend's arguments use" },
		{ "var-file", OPT_LIST, &t->vars, "FILE",
		  "variables from a file" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	enum opts_result r;
	struct opts o;

	for (size_t i = 0; argc > 1 && i < NCOMMANDS; i++)
		if (strcmp(argv[1], commands[i].name) == 0) {
			c = &commands[i];
			argc--;
			argv++;
		}
	o = (struct opts){ c->tool, c->synopsis, table, NULL };
	r = opts_parse(&t->arena, &o, argc, argv, &t->rest, &t->given,
		       &t->ds);
	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : -1;
	if (check_given(t, c))
		return -1;
	if (t->rest.len && c->run != mirror && c->run != lock)
		return diag_error(&t->ds, NULL,
				  "Unexpected argument",
				  "%s takes no operands; to work in another "
				  "directory use -C.", c->tool);
	if (t->dir.n && chdir(t->dir.p))
		return diag_error(&t->ds, NULL,
				  "Cannot change to the directory", "%s: %s.",
				  t->dir.p, strerror(errno));
	return c->run(t, argc, argv);
}

int main(int argc, char **argv)
{
	struct tool t = { .arena = ARENA_INIT };
	int rc;

	io_init();
	t.ds.arena = &t.arena;
	rc = run(&t, argc, argv);
	if (fflush(stdout) || ferror(stdout))
		rc = -1;
	if (t.no_color)
		text_no_color();
	diags_print(&t.ds, t.config ? &t.config->sources : NULL);
	rc = rc < 0 || diags_failed(&t.ds);
	arena_release(&t.arena);
	return rc;
}
