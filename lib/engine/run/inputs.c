/* inputs.c - see inputs.h: collecting, from the command line and the
 * environment */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/run/inputs.h"
#include "base/file_path.h"
#include "lang/syntax/body.h"
#include "lang/syntax/parse.h"
#include "base/io.h"
#include "base/visible.h"

static void put(struct arena *a, struct inputs *in, const struct input *i)
{
	struct input *copy = arena_dup(a, i, sizeof(*i));

	map_put(a, &in->by_name, copy->name, copy);
}

void inputs_set(struct arena *a, struct inputs *in, struct str name,
		const struct value *v)
{
	struct input i = { .name = str_dup(a, name),
			   .source = INPUT_STREAM,
			   .origin = INPUT_STREAM,
			   .value = v };

	put(a, in, &i);
}

static void from_environment(struct arena *a, char **env, struct inputs *in)
{
	for (; env && *env; env++) {
		struct str raw = str_c(*env);
		struct input i = { .source = INPUT_ENV };
		ptrdiff_t eq;

		if (!str_starts(raw, "TF_VAR_"))
			continue;
		raw = str_sub(raw, strlen("TF_VAR_"), raw.n);
		eq = str_chr(raw, '=');
		if (eq < 0)
			continue;
		i.name = str_sub(raw, 0, (size_t)eq);
		i.text = str_sub(raw, (size_t)eq + 1, raw.n);
		put(a, in, &i);
	}
}

/* -1: there are declarations in the file. */
static int refuse_declarations(struct arena *a, const struct body *b,
			       struct diags *ds)
{
	static const struct block_schema variable[] = {
		{ "variable", { "name" } }, { 0 }
	};
	struct body_schema schema = { .attrs = NULL, .blocks = variable };
	struct diags ignored = DIAGS_INIT(a);
	struct body_content c = { .attrs = { NULL, 0, 0 } };

	body_partial(a, b, &schema, &c, NULL, &ignored);
	for (size_t i = 0; i < c.blocks.len; i++) {
		const struct block *k = &c.blocks.items[i];
		struct range at = source_range(k->src, k->type_span);

		diag_error(ds, &at, "Variable declaration in .tfvars file",
			   "This file gives values to variables; the "
			   "declaration of \"%.*s\" belongs into a "
			   "configuration file. To set it here, write:\n"
			   "    %.*s = <value>",
			   STR_ARG(k->labels[0].text),
			   STR_ARG(k->labels[0].text));
	}
	return c.blocks.len ? -1 : 0;
}

static bool looks_like_json(struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (!strchr(" \t\r\n", text.p[i]))
			return text.p[i] == '{';
	return false;
}

static int from_file(struct arena *a, struct str path, struct str shown,
		     enum input_source source, const struct inputs_options *o,
		     struct inputs *in, struct diags *ds)
{
	struct attribute_vec attrs = { 0 };
	struct buf text = BUF_INIT;
	const size_t errors = ds->errors;
	struct source *src;
	struct body *body;
	bool json = str_ends(shown, ".json");

	if (io_read_file(arena_strndup(a, path.p, path.n), &text, 0)) {
		diag_error(ds, NULL, "Failed to read variables file",
			   errno == ENOENT
				   ? "The variables file %.*s does not exist."
				   : "Cannot read %.*s: %s.",
			   STR_ARG(shown), strerror(errno));
		buf_release(&text);
		return -1;
	}
	src = source_new(a, shown, buf_dup(a, &text));
	buf_release(&text);
	if (o->sources)
		sources_put(a, o->sources, src);
	if (!json && !str_ends(shown, ".tfvars"))
		json = looks_like_json(src->text);
	body = json ? parse_json_body(a, src, ds) : parse_native(a, src, ds);
	if (!body || refuse_declarations(a, body, ds))
		return -1;
	body_attributes(a, body, &attrs, ds);
	for (size_t i = 0; i < attrs.len; i++) {
		struct input given = { .name = attrs.items[i].name,
				       .source = source,
				       .expr = attrs.items[i].expr };

		put(a, in, &given);
	}
	return ds->errors == errors ? 0 : -1;
}

static bool is_auto_file(struct str name)
{
	return str_ends(name, ".auto.tfvars") ||
	       str_ends(name, ".auto.tfvars.json");
}

static bool exists(struct arena *a, struct str path)
{
	struct buf b = BUF_INIT;
	int rc = io_read_file(arena_strndup(a, path.p, path.n), &b, 1);
	bool missing = rc && errno == ENOENT;

	buf_release(&b);
	return !missing;
}

static int from_directory(struct arena *a, const struct inputs_options *o,
			  struct inputs *in, struct diags *ds)
{
	static const struct str fixed[] = { STR_INIT("terraform.tfvars"),
					    STR_INIT("terraform.tfvars.json") };
	VEC(struct str) names = { 0 };
	struct dirent *e;
	int rc = 0;
	DIR *d;

	for (size_t i = 0; i < 2; i++) {
		struct str path = file_path_in(a, o->dir, fixed[i]);

		if (exists(a, path))
			rc |= from_file(a, path, fixed[i], INPUT_AUTO_FILE, o,
					in, ds);
	}
	d = opendir(o->dir.n ? arena_strndup(a, o->dir.p, o->dir.n) : ".");
	if (!d)
		return rc;
	while ((e = readdir(d)))
		if (is_auto_file(str_c(e->d_name)))
			vec_push(a, &names, str_dup(a, str_c(e->d_name)));
	closedir(d);
	str_sort(names.items, names.len);
	for (size_t i = 0; i < names.len; i++)
		rc |= from_file(a, file_path_in(a, o->dir, names.items[i]),
				names.items[i], INPUT_AUTO_FILE, o, in, ds);
	return rc;
}

static int from_option(struct arena *a, struct str raw,
		       enum input_source source, struct inputs *in,
		       struct diags *ds)
{
	struct input i = { .source = source };
	ptrdiff_t eq = str_chr(raw, '=');

	if (eq < 0)
		return diag_error(
			ds, NULL, "Invalid -var option",
			"\"%.*s\" is not NAME=VALUE, as in -var=\"region=eu\".",
			STR_ARG(raw));
	i.name = str_sub(raw, 0, (size_t)eq);
	i.text = str_sub(raw, (size_t)eq + 1, raw.n);
	if (i.name.n && i.name.p[i.name.n - 1] == ' ')
		return diag_error(ds, NULL, "Invalid -var option",
				  "The variable name \"%.*s\" ends with a "
				  "space; write no spaces around the equals "
				  "sign.",
				  STR_ARG(i.name));
	put(a, in, &i);
	return 0;
}

static int from_args(struct arena *a, const struct inputs_options *o,
		     struct inputs *in, struct diags *ds)
{
	int rc = 0;

	for (size_t i = 0; i < o->nargs; i++) {
		const struct input_arg *arg = &o->args[i];
		struct str t = arg->text;

		rc |= arg->source == INPUT_FILE
			      ? from_file(a, file_path_in(a, o->dir, t), t,
					  INPUT_FILE, o, in, ds)
			      : from_option(a, t, arg->source, in, ds);
	}
	return rc ? -1 : 0;
}

struct inputs_options inputs_given(const struct input_arg *args, size_t nargs,
				   struct sources *sources)
{
	return (struct inputs_options){ .dir = STR("."),
					.environ = environ,
					.args = args,
					.nargs = nargs,
					.sources = sources };
}

int inputs_collect(struct arena *a, const struct inputs_options *o,
		   struct inputs *in, struct diags *ds)
{
	int rc;

	from_environment(a, o->environ, in);
	rc = from_directory(a, o, in, ds);
	return from_args(a, o, in, ds) || rc ? -1 : 0;
}

int inputs_args_check(struct arena *a, const struct inputs_options *o,
		      struct diags *ds)
{
	struct inputs in = { 0 };

	return from_args(a, o, &in, ds);
}

/* -var=x, --var x; false if argv[i] is not this option. */
static bool option_value(int argc, char **argv, int *i, const char *name,
			 struct str *value)
{
	struct str arg = str_c(argv[*i]);
	size_t n = strlen(name), skip = str_starts(arg, "--") ? 2 : 1;

	if (arg.n < skip + n || arg.p[0] != '-' ||
	    memcmp(arg.p + skip, name, n) != 0)
		return false;
	if (arg.n > skip + n) {
		*value = str_sub(arg, skip + n + 1, arg.n);
		return arg.p[skip + n] == '=';
	}
	if (*i + 1 >= argc)
		return false;
	*value = str_c(argv[++*i]);
	return true;
}

/* Takes TFPIPE_INPUT_1 and so on, options that the driver passes, out of the
 * environment: child processes must not get them.  An empty one ends them, too:
 * those behind it are an enclosing command's. */
static void from_driver(struct arena *a, struct input_arg_vec *args)
{
	for (size_t n = 1;; n++) {
		const char *name = arena_printf(a, "TFPIPE_INPUT_%zu", n);
		const char *word = getenv(name);
		struct input_arg arg = { .source = INPUT_CLI };

		if (!word || !*word)
			return;
		if (str_starts(str_c(word), "-var-file="))
			arg.source = INPUT_FILE;
		else if (str_starts(str_c(word), "-answer="))
			arg.source = INPUT_PROMPT;
		arg.text = str_dup(a, str_c(word));
		arg.text = str_sub(arg.text, (size_t)str_chr(arg.text, '=') + 1,
				   arg.text.n);
		vec_push(a, args, arg);
		unsetenv(name);
	}
}

size_t inputs_args(struct arena *a, int argc, char **argv,
		   struct input_arg **out)
{
	struct input_arg_vec args = { 0 };

	from_driver(a, &args);
	for (int i = 1; i < argc; i++) {
		struct input_arg arg = { .source = INPUT_CLI };

		if (str_is(str_c(argv[i]), "--"))
			break;
		if (option_value(argc, argv, &i, "var-file", &arg.text))
			arg.source = INPUT_FILE;
		else if (!option_value(argc, argv, &i, "var", &arg.text))
			continue;
		vec_push(a, &args, arg);
	}
	*out = args.items;
	return args.len;
}

static const char *const source_names[] = {
	[INPUT_DEFAULT] = "default", [INPUT_ENV] = "env",
	[INPUT_AUTO_FILE] = "file",  [INPUT_FILE] = "file",
	[INPUT_CLI] = "cli",         [INPUT_PROMPT] = "prompt",
	[INPUT_STREAM] = "stream",
};

const char *input_source_name(enum input_source s)
{
	return source_names[s];
}

enum input_source input_source_find(struct str name)
{
	int i = INPUT_DEFAULT;

	while (i < INPUT_STREAM && !str_is(name, source_names[i]))
		i++;
	return (enum input_source)i;
}

void inputs_values(struct arena *a, const struct cfg_module *root,
		   struct inputs *in, struct map *out, struct diags *ds)
{
	for (size_t i = 0; i < root->variables.len; i++) {
		const struct cfg_variable *v = root->variables.entries[i].value;
		struct input *given = map_get(&in->by_name, v->name);

		if (!given)
			continue;
		if (!given->value && !given->bad)
			input_parse(a, given, v, ds);
		if (given->value)
			map_put(a, out, v->name, (void *)given->value);
	}
}

bool inputs_unreadable(struct arena *a, const struct inputs_options *o,
		       struct diags *ds)
{
	struct inputs in = { 0 };
	struct diags own = DIAGS_INIT(a);

	if (!inputs_collect(a, o, &in, &own))
		return false;
	diags_clear(ds);
	diags_append(ds, &own);
	return true;
}

int inputs_early(struct arena *a, const struct cfg_module *root,
		 const struct inputs_options *o, struct map *out,
		 struct diags *ds)
{
	struct inputs in = { 0 };
	const size_t errors = ds->errors;

	if (inputs_collect(a, o, &in, ds))
		return -1;
	inputs_values(a, root, &in, out, ds);
	return ds->errors > errors ? -1 : 0;
}

/* --- variables that have no value, for callers that can ask --- */

static void add_escaped(struct buf *b, struct str text)
{
	struct buf shown = BUF_INIT;
	struct str s;

	visible_put(&shown, text, false);
	s = buf_view(&shown);
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\n' || s.p[i] == '\\')
			buf_putc(b, '\\');
		buf_putc(b, s.p[i] == '\n' ? 'n' : s.p[i]);
	}
	buf_release(&shown);
}

/* NAME, tab, "plain" or "sensitive" with ",ephemeral" behind it, tab, the
 * description with \\ and \n escaped. */
static void add_missing(struct buf *b, const struct cfg_variable *v)
{
	buf_addf(b, "%.*s\t%s%s\t", STR_ARG(v->name),
		 v->sensitive ? "sensitive" : "plain",
		 v->ephemeral ? ",ephemeral" : "");
	add_escaped(b, v->description);
	if (v->deprecated.n) {
		buf_puts(b, v->description.n ? ".\\n" : "");
		buf_puts(
			b,
			"Variable is marked as deprecated with the following message: ");
		add_escaped(b, v->deprecated);
	}
	buf_putc(b, '\n');
}

int inputs_write_missing(struct str file, const struct cfg_module *root,
			 struct str_vec *names, struct diags *ds)
{
	struct buf b = BUF_INIT;
	int rc;

	str_sort(names->items, names->len);
	for (size_t i = 0; i < names->len; i++)
		add_missing(&b, map_get(&root->variables, names->items[i]));
	rc = io_replace_file(file.p, b.p, b.len, 0600);
	if (rc)
		diag_error(ds, NULL,
			   "Cannot write the list of missing variables",
			   "%s: %s.", file.p, strerror(errno));
	buf_release(&b);
	return rc;
}
