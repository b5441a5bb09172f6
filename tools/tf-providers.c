/*
 * tf-providers - which providers a configuration needs, and what they offer
 * (tf-providers(1))
 */
#include <stdio.h>
#include <unistd.h>

#include "base/didyoumean.h"
#include "base/product.h"
#include "base/workdir.h"
#include "config/load/load.h"
#include "engine/stage/stage.h"
#include "install/providers/requirements.h"
#include "trace/trace.h"
#include "ui/diag_text.h"
#include "ui/show/providers.h"

struct tool {
	struct arena arena;
	struct diags ds;
	struct workdir workdir;
	struct buf out; /* printed once it is complete */
	int argc;       /* the words behind the command */
	char **argv;
	struct str dir, test_dir;
	struct str fs_mirror, net_mirror;
	struct str_vec rest, vars, platforms, given;
	bool json, no_color;
	struct config *config;
};

/* --- commands --- */

static int show_tree(struct tool *t)
{
	struct cfg_test_file_vec tests = { 0 };
	struct config_options o = { .tests = t->test_dir,
				    .test_files = &tests };
	struct state *state;

	if (files_present() == 0)
		return diag_error(
			&t->ds, NULL, "No configuration files",
			"There is no configuration in this directory.");
	if (current_load(&t->arena, &t->workdir, t->argc, t->argv, &o,
			 &t->config, &state, &t->ds))
		return -1;
	providers_tree_text(&t->arena, &t->out, t->config, &tests, state);
	return 0;
}

static int show_schemas(struct tool *t)
{
	const struct config_options o = { .stepwise = true };
	struct state *state;

	if (!t->json)
		return diag_error(
			&t->ds, NULL, "Output only in json is allowed",
			"\"providers schema\" needs -json: there is no other form.");
	if (current_load(&t->arena, &t->workdir, t->argc, t->argv, &o,
			 &t->config, &state, &t->ds))
		return -1;
	if (providers_json(&t->arena, &t->workdir, &t->out, t->config, state,
			   &t->ds))
		return -1;
	/* OpenTofu prints warnings only together with errors. */
	t->ds = (struct diags)DIAGS_INIT(&t->arena);
	return 0;
}

static void say(void *data, const char *line)
{
	(void)data;
	puts(line);
}

static int load_config(struct tool *t)
{
	struct config_options o = { .dir = STR("."), .workdir = &t->workdir };
	struct inputs_options io = { .dir = STR(".") };
	struct input_arg *args;

	io.nargs = inputs_args(&t->arena, t->argc, t->argv, &args);
	io.args = args;
	if (inputs_args_check(&t->arena, &io, &t->ds))
		return -1;
	t->config = load_configuration(&t->arena, args, io.nargs, &o, &t->ds);
	return diags_failed(&t->ds) ? -1 : 0;
}

static int lock(struct tool *t)
{
	struct lock_mirror_options o = { .dir = t->fs_mirror,
					 .net_mirror = t->net_mirror,
					 .platforms = t->platforms,
					 .providers = t->rest,
					 .say = say };
	bool changed = false;

	if (lock_options_check(&o, &t->ds) || load_config(t))
		return -1;
	o.default_host = t->config->default_host;
	if (lock_providers(&t->arena, t->config, &o, &changed, &t->ds))
		return -1;
	printf(changed ? "\nSuccess! %s has updated the lock file.\n\n"
			 "Review the changes in .terraform.lock.hcl and then commit to your\n"
			 "version control system to retain the new checksums.\n\n"
		       : "\nSuccess! %s has validated the lock file and found no need for changes.\n",
	       product_name());
	return 0;
}

static int mirror(struct tool *t)
{
	struct packed_mirror_options o = { .platforms = t->platforms,
					   .say = say };

	if (t->rest.len != 1)
		return diag_error(
			&t->ds, NULL, "No output directory specified",
			"\"providers mirror\" takes one operand, the directory for the mirror.");
	o.dir = str_dup(&t->arena, t->rest.items[0]);
	if (load_config(t))
		return -1;
	o.default_host = t->config->default_host;
	return mirror_providers(&t->arena, t->config, &o, &t->ds);
}

static int versions(struct tool *t)
{
	struct lockfile f = { 0 };

	if (lockfile_read(&t->arena, WORKDIR_LOCK_FILE, &f, &t->ds))
		return -1;
	(t->json ? versions_json : versions_text)(&t->arena, &t->out, &f);
	return 0;
}

/* --- the command line --- */

/* One of them is asked for; for struct opt's modes, too. */
enum { TREE = 1, SCHEMA = 2, LOCK = 4, MIRROR = 8, VERSIONS = 16 };

static const struct command {
	unsigned mode;
	const char *name, *tool, *synopsis;
	int (*run)(struct tool *t);
} commands[] = {
	{ SCHEMA, "schema", "tf-providers schema", "", show_schemas },
	{ LOCK, "lock", "tf-providers lock", "[PROVIDER...]", lock },
	{ MIRROR, "mirror", "tf-providers mirror", "DIR", mirror },
	{ VERSIONS, "versions", "tf-providers versions", "", versions },
};

enum { NCOMMANDS = sizeof(commands) / sizeof(*commands) };

static int unexpected(struct tool *t, const struct command *c,
		      const struct opts *o)
{
	struct str names[NCOMMANDS], near = STR_NONE;

	for (size_t i = 0; i < NCOMMANDS; i++)
		names[i] = str_c(commands[i].name);
	if (c->mode == TREE)
		near = didyoumean_word(t->rest.items[0], names, NCOMMANDS);
	return diag_error(
		&t->ds, NULL, "Unexpected argument",
		"%s takes no operands%s%.*s%s", opts_called(o),
		near.n ? ". Did you mean \""
		       : "; to work in another directory use -C, or -chdir of tf.",
		STR_ARG(near), near.n ? "\"?" : "");
}

static unsigned mode_of(void *mode, const char **synopsis)
{
	(void)synopsis;
	return *(unsigned *)mode;
}

static int check_given(struct tool *t, const struct command *c,
		       const struct opts *o)
{
	const struct opt *p = opts_misplaced(o, &t->given, c->mode);

	if (p)
		return diag_error(
			&t->ds, NULL, "Unsupported option",
			"%s: -%s is not supported: it would have no effect.",
			opts_called(o), p->name);
	if (t->rest.len && !(c->mode & (LOCK | MIRROR)))
		return unexpected(t, c, o);
	return 0;
}

static int run(struct tool *t, int argc, char **argv)
{
	static const struct command tree = { TREE, NULL, "tf-providers",
					     "[schema|lock|mirror|versions]",
					     show_tree };
	const struct command *c = &tree;
	const struct opt table[] = {
		{ "C", OPT_STRING, &t->dir, "DIR",
		  "the root module's directory", OPT_OWN },
		{ "fs-mirror", OPT_STRING, &t->fs_mirror, "DIR",
		  "where the packages are", .modes = LOCK },
		{ "json", OPT_FLAG, &t->json, NULL, "JSON",
		  .modes = SCHEMA | VERSIONS },
		{ "json-into", OPT_REFUSED, NULL, NULL,
		  "nothing here speaks JSON lines" },
		{ "net-mirror", OPT_STRING, &t->net_mirror, "URL",
		  "a network mirror, not the registries", .modes = LOCK },
		{ "no-color", OPT_FLAG, &t->no_color, NULL,
		  "no terminal colours in errors" },
		{ "platform", OPT_LIST, &t->platforms, "OS_ARCH",
		  "a platform; without, this one", .modes = LOCK | MIRROR },
		{ "test-directory", OPT_STRING, &t->test_dir, "DIR",
		  "where files of tests are (default tests)", .modes = TREE },
		{ "var", OPT_LIST, &t->vars, "NAME=VALUE",
		  "a variable that the backend's arguments use" },
		{ "var-file", OPT_LIST, &t->vars, "FILE",
		  "variables from a file" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	enum opts_result r;
	unsigned mode;
	struct opts o;

	for (size_t i = 0; argc > 1 && i < NCOMMANDS; i++)
		if (strcmp(argv[1], commands[i].name) == 0) {
			c = &commands[i];
			argc--;
			argv++;
		}
	mode = c->mode;
	o = (struct opts){ .tool = c->tool,
			   .synopsis = c->synopsis,
			   .options = table,
			   .mode = mode_of,
			   .mode_data = &mode };
	r = opts_parse(&t->arena, &o, argc, argv, &t->rest, &t->given, &t->ds);
	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : -1;
	if (check_given(t, c, &o) || opts_enter(t->dir, &t->ds))
		return -1;
	workdir_open(&t->arena, &t->workdir);
	t->argc = argc;
	t->argv = argv;
	return c->run(t);
}

int main(int argc, char **argv)
{
	struct out out = OUT_INIT(STDOUT_FILENO);
	struct tool t = { .arena = ARENA_INIT, .test_dir = STR_INIT("tests") };
	int rc;

	io_init();
	trace_begin("tf-providers");
	t.ds.arena = &t.arena;
	rc = run(&t, argc, argv);
	out.form = t.json ? OUT_DATA : OUT_TEXT;
	out_str(&out, buf_view(&t.out));
	buf_release(&t.out);
	if (t.no_color)
		text_no_color();
	if (diags_written(&t.arena, &out))
		rc = -1;
	out_release(&out);
	diags_print(&t.ds, t.config ? &t.config->sources : NULL);
	rc = rc < 0 || diags_failed(&t.ds);
	arena_release(&t.arena);
	return trace_end(rc);
}
