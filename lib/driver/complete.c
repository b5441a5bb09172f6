/*
 * complete.c - what could be typed next: tf -complete WORD…, the last of which
 * is begun and may be empty
 *
 * Candidates, a line each, with a description after a tab where there is one;
 * the shell's script keeps those that begin as the word does.
 */
#include "driver/commands.h"
#include "driver/complete_int.h"
#include "driver/words_int.h"

#include <string.h>

static const char *command_words(struct words *w, const struct command *c)
{
	return c ? arena_printf(w->a, "%s ", c->name) : "";
}

/* The commands of a family, or those that are in none. */
static void put_commands(struct words *w, const struct command *family)
{
	const char *before = command_words(w, family);
	size_t n = strlen(before);

	for (const struct command *c = driver_commands; c->name; c++)
		if (c->about && strncmp(c->name, before, n) == 0 &&
		    !strchr(c->name + n, ' '))
			fprintf(w->out, "%s\t%s\n", c->name + n, c->about);
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

/* Operands that are known: objects of the state, and workspaces. */
static const char *known_operands(const struct command *c)
{
	static const char *const of_objects[] = {
		"state mv", "state rm", "state show", "taint", "untaint",
	};
	static const char *const of_workspaces[] = {
		"workspace delete",
		"workspace select",
	};

	for (int i = 0; i < 5; i++)
		if (strcmp(c->name, of_objects[i]) == 0)
			return "tf-state list";
	for (int i = 0; i < 2; i++)
		if (strcmp(c->name, of_workspaces[i]) == 0)
			return "tf-state workspace list";
	return NULL;
}

int words_complete(struct words *w)
{
	struct str begun =
		w->given.len ? w->given.items[--w->given.len] : STR_NONE;
	const struct command *c;
	const char *operands;
	size_t n;

	while (w->given.len && str_starts(w->given.items[0], "-")) {
		w->given.items++;
		w->given.len--;
	}
	c = command_find(&w->given, &n);
	if (!c && w->given.len)
		return 0;
	if (!c || (command_is_family(c) && n == w->given.len)) {
		put_commands(w, c);
		return 0;
	}
	if (str_starts(begun, "-"))
		return put_options(w, c);
	operands = known_operands(c);
	if (!operands)
		return 0;
	buf_addf(w->text, "exec %s 2>/dev/null\n", operands);
	return -1;
}
