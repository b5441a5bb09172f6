/*
 * words.c - a command line becomes shell text (see driver_int.h)
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/words.h"
#include "driver/driver_int.h"
#include "base/didyoumean.h"
#include "base/product.h"
#include "base/workdir.h"
#include "provider/plugin/plugin_log.h"
#include "state/backend/lock.h"
#include "base/visible.h"
#include "ui/view.h"

/* --- errors --- */

/* Writes the answer of validate -json: one document for any error. */
static void put_validation(struct view *v, const struct diags *ds)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	w.indent = 2;
	jw_object(&w);
	jw_member_str(&w, "format_version", STR("1.0"));
	jw_member_bool(&w, "valid", false);
	jw_member_int(&w, "error_count", (int64_t)ds->errors);
	jw_member_int(&w, "warning_count", (int64_t)(ds->len - ds->errors));
	jw_key(&w, "diagnostics");
	jw_array(&w);
	for (size_t i = 0; i < ds->len; i++) {
		const struct diag *d = &ds->items[i];

		jw_object(&w);
		jw_member_str(&w, "severity",
			      d->severity == SEV_ERROR ? STR("error")
						       : STR("warning"));
		jw_member_str(&w, "summary", d->summary);
		jw_member_str(&w, "detail", d->detail);
		jw_object_end(&w);
	}
	jw_array_end(&w);
	jw_object_end(&w);
	buf_putc(&b, '\n');
	out_str(v->out, buf_view(&b));
	out_flush(v->out);
	buf_release(&b);
}

/* Prints the diagnostics as the command would. */
static int refuse(struct words *w)
{
	struct out out = OUT_INIT(STDOUT_FILENO), err = OUT_INIT(STDERR_FILENO);
	struct view v = {
		.arena = w->a, .out = &out, .err = &err, .json = w->options.json
	};

	v.style = text_style_for(STDOUT_FILENO, w->no_color);
	v.err_style = text_style_for(STDERR_FILENO, w->no_color);
	ui_for_people(&v);
	if (v.json && w->command && w->command->bit & CMD_VALIDATE) {
		/* errors in its command line are text */
		v.json = !w->usage;
		if (v.json)
			put_validation(&v, &w->ds);
		else
			ui_diags(&v, &w->ds, NULL);
	} else {
		if (v.json)
			ui_version(&v);
		ui_diags(&v, &w->ds, NULL);
	}
	if (!v.json && w->command && w->usage)
		ui_say_error(&v,
			     arena_printf(w->a,
					  "For more help on using "
					  "this command, run:\n"
					  "  %s %s -help",
					  product_command(), w->command->name));
	out_release(&out);
	out_release(&err);
	return 1;
}

/* Is it a command of Terraform's alone?  tf-from-terraform(7) lists them. */
static bool of_terraform(struct str word)
{
	return str_is(word, "query") || str_is(word, "stacks") ||
	       str_is(word, "rpcapi");
}

static int no_such_command(struct words *w, const char *family, struct str word)
{
	struct str near = command_suggest(w->a, family, word);
	const char *space = *family ? " " : "";

	fprintf(w->err, "There is no command \"%s%s%.*s\".", family, space,
		STR_ARG(visible_word(w->a, word)));
	if (near.n)
		fprintf(w->err, " Did you mean \"%.*s\"?", STR_ARG(near));
	else if (!*family && of_terraform(word))
		fprintf(w->err, " It is Terraform's alone.");
	fprintf(w->err, "\n\nTo see all commands, run:\n  %s%s%s -help\n",
		product_command(), space, family);
	return 1;
}

/* --- global options --- */

/* Makes paths in the environment relative to where tf was started. */
static void keep_paths(struct words *w, struct str from)
{
	static const char *const names[] = { "TF_CLI_CONFIG_FILE",
					     "TERRAFORM_CONFIG",
					     "TF_LOG_PATH" };

	for (int i = 0; i < 3; i++) {
		const char *path = getenv(names[i]);

		if (path && *path && *path != '/')
			words_export(w, names[i],
				     str_printf(w->a, "%.*s/%s", STR_ARG(from),
						path));
	}
}

int words_chdir(struct words *w, struct str dir)
{
	char *cwd = getcwd(NULL, 0);
	struct str from = cwd ? str_dup(w->a, str_c(cwd)) : STR_NONE;
	const char *path = arena_strndup(w->a, dir.p, dir.n);

	free(cwd);
	if (!cwd || chdir(path))
		return diag_error(&w->ds, NULL,
				  "Cannot change to the directory", "%s: %s.",
				  path, strerror(errno));
	keep_paths(w, from);
	if (!getenv(WORKDIR_BEFORE))
		words_export(w, WORKDIR_BEFORE, from);
	w->dir = w->dir.n && !str_starts(dir, "/")
			 ? str_printf(w->a, "%.*s/%.*s", STR_ARG(w->dir),
				      STR_ARG(dir))
		 : str_starts(dir, "/")
			 ? dir
			 : str_printf(w->a, "./%.*s", STR_ARG(dir));
	words_assign(w, "dir", w->dir);
	return 0;
}

static int take_chdir(struct words *w, struct str arg)
{
	ptrdiff_t eq = str_chr(arg, '=');
	struct str dir =
		eq < 0 ? STR_NONE : str_sub(arg, (size_t)eq + 1, arg.n);

	if (!dir.n) {
		fputs("Invalid -chdir option: it takes a directory, as in -chdir=example\n",
		      w->err);
		return -1;
	}
	if (words_chdir(w, dir) == 0)
		return 0;
	fprintf(w->err, "Error handling -chdir option: %.*s\n",
		STR_ARG(visible_word(w->a, w->ds.items[0].detail)));
	return -1;
}

static bool is_help(struct str word)
{
	return str_is(word, "-help") || str_is(word, "--help") ||
	       str_is(word, "-h");
}

static bool is_version(struct str word)
{
	return str_is(word, "-version") || str_is(word, "--version") ||
	       str_is(word, "-v");
}

/* As in OpenTofu, the status without a command is 127. */
static int unknown_global(struct words *w, size_t at)
{
	const struct str names[] = { STR("chdir"), STR("help"),
				     STR("version") };
	struct str given = w->given.items[at], name = given, near;
	bool command = false;

	while (str_starts(name, "-"))
		name = str_sub(name, 1, name.n);
	if (str_chr(name, '=') >= 0)
		name = str_sub(name, 0, (size_t)str_chr(name, '='));
	near = didyoumean_word(name, names, 3);
	for (size_t i = at; i < w->given.len; i++)
		command |= !str_starts(w->given.items[i], "-");
	commands_help(w->out);
	fflush(w->out);
	fprintf(w->err,
		"\nThere is no global option %.*s.%s%.*s%s Options of a "
		"command come after it.\n",
		STR_ARG(visible_word(w->a, given)),
		near.n ? " Did you mean -" : "", STR_ARG(near),
		near.n ? "?" : "");
	return command ? 1 : 127;
}

/* Parses the options before the command.  -1: go on. */
static int global_options(struct words *w)
{
	size_t i;

	for (i = 0; i < w->given.len; i++) {
		struct str arg = w->given.items[i];

		if (str_starts(arg, "-chdir") || str_starts(arg, "--chdir")) {
			if (take_chdir(w, arg))
				return 1;
		} else if (is_help(arg)) {
			w->help = true;
		} else if (!is_version(arg) && arg.n && arg.p[0] == '-') {
			return unknown_global(w, i);
		} else {
			break;
		}
	}
	w->given.items += i;
	w->given.len -= i;
	return -1;
}

/* --version anywhere, as in OpenTofu. */
static void look_for_version(struct words *w)
{
	for (size_t i = 0; i < w->given.len; i++) {
		if (!is_version(w->given.items[i]))
			continue;
		w->command = w->version;
		w->given.items[i] = w->given.items[--w->given.len];
		w->nname = 0;
		return;
	}
}

/* --- TF_CLI_ARGS --- */

static int add_env_words(struct words *w, const char *name)
{
	const char *text = getenv(name), *wrong;

	if (!text)
		return 0;
	wrong = shell_split(w->a, str_c(text), &w->args);
	if (!wrong)
		return 0;
	return diag_error(&w->ds, NULL,
			  arena_printf(w->a,
				       "Error parsing extra CLI args from %s",
				       name),
			  "The words cannot be told apart: %s.", wrong);
}

/* The command's own, those for all, then what was typed. */
static int merge_words(struct words *w)
{
	char *name = arena_printf(w->a, "TF_CLI_ARGS_%s", w->command->name);

	for (char *p = name; *p; p++)
		if (*p == ' ' || *p == '-')
			*p = '_';
	if (add_env_words(w, name) || add_env_words(w, "TF_CLI_ARGS"))
		return -1;
	for (size_t i = w->nname; i < w->given.len; i++)
		vec_push(w->a, &w->args, w->given.items[i]);
	return 0;
}

/* --- commands --- */

/* Is tf-NAME on PATH, for `tf NAME`? */
static bool external(struct words *w, struct str name)
{
	struct str path = str_env("PATH");

	for (size_t i = 0; i < name.n; i++)
		if (!islower((unsigned char)name.p[i]) &&
		    !isdigit((unsigned char)name.p[i]) && name.p[i] != '-')
			return false;
	while (path.n) {
		ptrdiff_t colon = str_chr(path, ':');
		size_t n = colon < 0 ? path.n : (size_t)colon;
		const char *file = arena_printf(w->a, "%.*s/tf-%.*s", (int)n,
						path.p, STR_ARG(name));

		if (n && access(file, X_OK) == 0)
			return true;
		path = str_sub(path, colon < 0 ? n : n + 1, path.n);
	}
	return false;
}

static void exec_words(struct words *w, struct str first,
		       const struct str_vec *more)
{
	struct buf b = BUF_INIT;

	buf_str(&b, first); /* words of ours */
	for (size_t i = 0; i < more->len; i++)
		shell_word(&b, more->items[i]);
	words_assign(w, "program", buf_view(&b));
	buf_release(&b);
}

static int run_program(struct words *w)
{
	words_export(w, "TFPIPE_TYPED",
		     str_printf(w->a, "%s %s", product_command(),
				w->command->name));
	if (w->help)
		vec_push(w->a, &w->args, STR("-help"));
	else if (str_is(str_c(w->command->name), "init") && words_may_ask()) {
		words_asking(w);
		return -1;
	}
	exec_words(w, str_c(w->command->program), &w->args);
	return -1;
}

static int no_command(struct words *w)
{
	struct str name = w->given.items[0];

	if (external(w, name)) {
		w->given.items++;
		w->given.len--;
		exec_words(w, str_printf(w->a, "tf-%.*s", STR_ARG(name)),
			   &w->given);
		return -1;
	}
	return no_such_command(w, "", name);
}

/* "tf state" needs one of its commands. */
static int run_family(struct words *w)
{
	const char *name = w->command->name;
	struct str next =
		w->nname < w->given.len ? w->given.items[w->nname] : STR_NONE;

	if (!next.n || is_help(next) || w->help) {
		family_help(w->out, w->command);
		return next.n || w->help ? 0 : 1;
	}
	return no_such_command(w, name, next);
}

/* "tf providers" is a command, and has commands: is the next word one that is
 * not there? */
static bool mistyped_command(struct words *w, struct str *next)
{
	if (w->nname >= w->given.len)
		return false;
	*next = w->given.items[w->nname];
	return !str_starts(*next, "-") &&
	       command_suggest(w->a, w->command->name, *next).n;
}

static int run_command(struct words *w)
{
	struct str next;
	int rc;

	if (command_is_family(w->command))
		return run_family(w);
	if (mistyped_command(w, &next))
		return no_such_command(w, w->command->name, next);
	if (merge_words(w))
		return refuse(w);
	if (!w->command->bit)
		return run_program(w);
	rc = words_run(w);
	words_release(w);
	return rc > 0 ? refuse(w) : rc;
}

/* Warns of wrong levels, once: where a lock is handed on, the tf that took it
 * has done so. */
static void check_log_levels(struct words *w)
{
	static const char *const names[] = { "TF_LOG", "TF_LOG_CORE",
					     "TF_LOG_PROVIDER" };

	if (lock_token().n)
		return;
	for (int i = 0; i < 3; i++) {
		const char *word = getenv(names[i]);

		if (word && !log_level_valid(word))
			fprintf(w->err,
				"[WARN] Invalid log level: \"%.*s\". Defaulting "
				"to level: TRACE. %s is one of TRACE, DEBUG, "
				"INFO, WARN, ERROR, OFF and JSON.\n",
				STR_ARG(visible_word(w->a, str_c(word))),
				names[i]);
	}
	fflush(w->err);
}

static bool has_option(const struct words *w, const char *name)
{
	for (size_t i = 0; i < w->given.len; i++) {
		struct str word = w->given.items[i];

		if (str_take(&word, STR("-")) &&
		    (str_take(&word, STR("-")), str_is(word, name)))
			return true;
	}
	return false;
}

/* "tf env list" is "tf workspace list", by its name of before version 0.9.
 * People are told; a program would read the warning before its stream. */
static void take_env(struct words *w)
{
	if (!w->given.len || !str_is(w->given.items[0], "env"))
		return;
	w->given.items[0] = STR("workspace");
	if (w->help || has_option(w, "help") || has_option(w, "json"))
		return;
	diag_warning(
		&w->ds, NULL,
		arena_printf(w->a,
			     "The \"%s env\" family of commands is deprecated",
			     product_command()),
		"What \"%s env\" calls an environment is a workspace: use \"%s workspace\".",
		product_command(), product_command());
	refuse(w);
	w->ds = (struct diags)DIAGS_INIT(w->a);
}

/* "tf help plan" is "tf plan -help". */
static void take_help(struct words *w)
{
	if (!w->given.len || !str_is(w->given.items[0], "help"))
		return;
	w->help = true;
	w->given.items++;
	w->given.len--;
}

int driver_words(struct arena *a, int argc, char **argv, struct buf *shell,
		 FILE *out, FILE *err)
{
	struct words w = { .a = a,
			   .text = shell,
			   .out = out,
			   .err = err,
			   .ds = DIAGS_INIT(a) };
	struct str_vec version = { 0 };
	size_t n;
	int rc;

	for (int i = 1; i < argc; i++)
		vec_push(a, &w.given, str_c(argv[i]));
	vec_push(a, &version, STR("version"));
	w.version = command_find(&version, &n);
	if (w.given.len && str_is(w.given.items[0], "-complete")) {
		w.given.items++;
		w.given.len--;
		return words_complete(&w);
	}
	check_log_levels(&w);
	if (!product_known()) {
		diag_error(&w.ds, NULL, "Unknown name",
			   SPEAK_AS
			   " is none of the names tf, tofu, terraform.");
		return refuse(&w);
	}
	rc = global_options(&w);
	if (rc >= 0)
		return rc;
	take_help(&w);
	take_env(&w);
	w.command = command_find(&w.given, &w.nname);
	look_for_version(&w);
	if (w.command)
		return run_command(&w);
	if (w.given.len)
		return no_command(&w);
	commands_help(out);
	return w.help ? 0 : 127;
}
