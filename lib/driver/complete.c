/*
 * complete.c - what could be typed next: tf -complete WORD…, the last of which
 * is begun and may be empty
 *
 * Candidates, a line each, with a description after a tab where there is one;
 * the shell's script keeps those that begin as the word does, and quotes them.
 * The status is 1 where nothing is known of what belongs there: a file will do.
 */
#include <stdint.h>
#include <string.h>

#include "driver/driver_int.h"

static const char *command_words(struct words *w, const struct command *c)
{
	return c ? arena_printf(w->a, "%s ", c->name) : "";
}

/* The commands of a family, or those that are in none.  Are there any? */
static bool put_commands(struct words *w, const struct command *family)
{
	const char *before = command_words(w, family);
	size_t n = strlen(before);
	bool any = false;

	for (const struct command *c = driver_commands; c->name; c++)
		if (c->about && strncmp(c->name, before, n) == 0 &&
		    !strchr(c->name + n, ' ')) {
			fprintf(w->out, "%s\t%s\n", c->name + n, c->about);
			any = true;
		}
	return any;
}

static void put_global(struct words *w)
{
	fputs("-chdir=\tSwitch to a different working directory first\n"
	      "-help\tShow this help, or that of a subcommand\n"
	      "-version\tAn alias for the \"version\" subcommand\n",
	      w->out);
}

/* Lists the options; a program lists its own. */
static int put_options(struct words *w, const struct command *c)
{
	struct word_options ignored;
	struct opts o = { .options =
				  run_options_table(w->a, c->bit, &ignored) };

	if (c->bit) {
		opts_print_rows(&o, w->out);
		return 0;
	}
	buf_addf(w->text, "exec %s -help-options\n", c->program);
	return -1;
}

/* What tf-state names lists where an address, or another name, belongs. */
struct completed {
	const char *command; /* NULL: any */
	const char *option;  /* NULL: its operands */
	const char *kinds;
	size_t most; /* operands */
};

static const struct completed completed[] = {
	{ NULL, "exclude", "state state-modules config config-modules", 0 },
	{ NULL, "replace", "state-managed config-managed", 0 },
	{ "console", "scope", "state-modules config-modules", 0 },
	{ NULL, "target", "state state-modules config config-modules", 0 },
	{ "explain", NULL, "state config", 1 },
	{ "import", NULL, "config-managed", 1 },
	{ "output", NULL, "outputs", 1 },
	{ "state list", NULL, "state state-modules", SIZE_MAX },
	{ "state ls", NULL, "state state-modules", SIZE_MAX },
	{ "state move", NULL, "state state-modules", 2 },
	{ "state mv", NULL, "state state-modules", 2 },
	{ "state remove", NULL, "state state-modules", SIZE_MAX },
	{ "state rm", NULL, "state state-modules", SIZE_MAX },
	{ "state show", NULL, "state", 1 },
	{ "taint", NULL, "state-managed", 1 },
	{ "untaint", NULL, "state-tainted", 1 },
	{ "workspace delete", NULL, "workspaces", 1 },
	{ "workspace new", NULL, "", 1 },
	{ "workspace select", NULL, "workspaces", 1 },
};

enum { NCOMPLETED = sizeof(completed) / sizeof(*completed) };

/* Lists the names.  prefix: what of the word stands before them. */
static int put_names(struct words *w, const char *kinds, struct str prefix)
{
	if (!*kinds)
		return 0;
	buf_puts(w->text, "exec tf-state names");
	for (size_t i = 0; i < w->given.len; i++)
		if (str_starts(w->given.items[i], "-state="))
			shell_word(w->text, w->given.items[i]);
	if (prefix.n)
		shell_word(w->text,
			   str_printf(w->a, "-prefix=%.*s", STR_ARG(prefix)));
	buf_addf(w->text, " %s 2>/dev/null\n", kinds);
	return -1;
}

static struct str without_dashes(struct str word)
{
	while (str_starts(word, "-"))
		word = str_sub(word, 1, word.n);
	return word;
}

/* What the option names, if the command has it, or NULL. */
static const char *option_kinds(struct words *w, const struct command *c,
				struct str option)
{
	struct word_options ignored;
	const struct opt *o = run_options_table(w->a, c->bit, &ignored);

	for (; o->name; o++)
		for (int i = 0; i < NCOMPLETED; i++)
			if (completed[i].option &&
			    str_is(option, completed[i].option) &&
			    strcmp(o->name, completed[i].option) == 0)
				return completed[i].kinds;
	return NULL;
}

/* 1: nothing is known about what belongs there. */
static int put_operands(struct words *w, const struct command *c, size_t n)
{
	size_t before = 0;

	for (size_t i = n; i < w->given.len; i++)
		before += !str_starts(w->given.items[i], "-");
	for (int i = 0; i < NCOMPLETED; i++)
		if (completed[i].command &&
		    strcmp(c->name, completed[i].command) == 0)
			return before < completed[i].most
				       ? put_names(w, completed[i].kinds,
						   STR_NONE)
				       : 0;
	return 1;
}

/* What belongs behind the words of a command. */
static int put_words(struct words *w, const struct command *c, size_t n,
		     struct str begun)
{
	ptrdiff_t eq = str_starts(begun, "-") ? str_chr(begun, '=') : -1;
	const char *kinds = NULL;
	struct str last;

	if (eq >= 0) {
		kinds = option_kinds(
			w, c, without_dashes(str_sub(begun, 0, (size_t)eq)));
		return kinds ? put_names(w, kinds,
					 str_sub(begun, 0, (size_t)eq + 1))
			     : 1;
	}
	if (str_starts(begun, "-"))
		return put_options(w, c);
	last = w->given.len > n ? w->given.items[w->given.len - 1] : STR_NONE;
	if (str_starts(last, "-"))
		kinds = option_kinds(w, c, without_dashes(last));
	return kinds ? put_names(w, kinds, STR_NONE) : put_operands(w, c, n);
}

/* Takes the options before the command. -1: there is no such directory. */
static int take_global(struct words *w)
{
	for (; w->given.len && str_starts(w->given.items[0], "-");
	     w->given.items++, w->given.len--) {
		struct str option = without_dashes(w->given.items[0]);

		if (str_starts(option, "chdir=") &&
		    words_chdir(w, str_sub(option, 6, option.n)))
			return -1;
	}
	return 0;
}

int words_complete(struct words *w)
{
	struct str begun =
		w->given.len ? w->given.items[--w->given.len] : STR_NONE;
	const struct command *c;
	size_t n;
	bool listed;

	if (str_starts(begun, "'") || str_starts(begun, "\""))
		begun = str_sub(begun, 1, begun.n);
	if (take_global(w))
		return 0;
	c = command_find(&w->given, &n);
	if (!c && w->given.len)
		return 1;
	if (!c && str_starts(begun, "-")) {
		put_global(w);
		return str_chr(begun, '=') < 0 ? 0 : 1;
	}
	if (!str_starts(begun, "-") && (!c || n == w->given.len)) {
		listed = put_commands(w, c);
		if (!c || listed)
			return 0;
	}
	if (command_is_family(c))
		return 0;
	return put_words(w, c, n, begun);
}
