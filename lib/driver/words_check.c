/*
 * words_check.c - what follows the options of a command, see words.c
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/driver_int.h"

static int wrong_operands(struct words *w, const char *summary,
			  const char *detail)
{
	return diag_error(&w->ds, NULL, summary, "%s", detail);
}

int words_check_operands(struct words *w, const struct str_vec *operands)
{
	size_t n = operands->len;

	switch (w->command->bit) {
	case CMD_PLAN:
		return n == 0 ? 0
			      : wrong_operands(
					w, "Too many command line arguments",
					"No operands are taken; to plan in another directory use -chdir=DIR before the command.");
	case CMD_APPLY:
		return n <= 1 ? 0
			      : wrong_operands(
					w, "Too many command line arguments",
					"At most one operand is taken: a saved plan.");
	case CMD_DESTROY:
		return n == 0 ? 0
			      : wrong_operands(
					w,
					"Destroy can't be called with a plan file",
					"A plan made by plan -destroy is applied by apply FILE.");
	case CMD_IMPORT:
		return n == 2 ? 0
			      : wrong_operands(
					w, "Invalid number of arguments",
					"Two are taken: the address of a resource "
					"instance, and the id of the object.");
	case CMD_OUTPUT:
		return n <= 1 ? 0
			      : wrong_operands(
					w, "Unexpected argument",
					"At most the name of one output is taken.");
	case CMD_GET:
		return n == 0 ? 0
			      : wrong_operands(
					w, "Unexpected argument",
					"This command takes no operands.");
	case CMD_EXPLAIN:
		return n == 1 || n == 2
			       ? 0
			       : wrong_operands(
					 w, "Invalid number of arguments",
					 "The address of an object is taken, and a saved plan if one is to be explained.");
	case CMD_WHY:
		return n == 2 ? 0
			      : wrong_operands(
					w, "Invalid number of arguments",
					"Two addresses are taken: how does the first depend on the second?");
	case CMD_SHOW:
		return words_show_check(w, operands);
	case CMD_VALIDATE:
		return n <= 1 ? 0
			      : wrong_operands(
					w, "Too many command line arguments",
					"At most one operand is taken.");
	case CMD_VERSION: /* OpenTofu accepts any operands */
		return 0;
	default:
		return n == 0 ? 0
			      : wrong_operands(
					w, "Too many command line arguments",
					"This command takes no operands.");
	}
}

/* Does a file that begins so hold a stream?  NULL, or why not. */
static const char *not_stream(struct str begin)
{
	static const char *const tokens[] = { "{", "\"record\"", ":",
					      "\"header\"" };

	if (str_starts(begin, "PK\3\4"))
		return "it is a plan of OpenTofu's or Terraform's, which only "
		       "the version that made it can apply";
	if (str_starts(begin, "{\n"))
		return "a record of a plan is one line, as jq writes with -c";
	if (str_starts(begin, "{\"meta\"") || str_starts(begin, "{\"encrypt"))
		return NULL; /* who reads it decrypts it */
	for (size_t i = 0; i < sizeof(tokens) / sizeof(*tokens); i++) {
		while (str_starts(begin, " "))
			begin = str_sub(begin, 1, begin.n);
		if (!str_starts(begin, tokens[i]))
			return "the file is no saved plan";
		begin = str_sub(begin, strlen(tokens[i]), begin.n);
	}
	return NULL;
}

/* Looks into regular files only: anything else can be read only once. */
int words_check_saved(struct words *w, struct str name)
{
	const char *path = arena_strndup(w->a, name.p, name.n);
	const char *why = NULL;
	char begin[64];
	struct stat st;
	ssize_t n;
	int fd;

	if (str_is(name, "-"))
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st)) {
		why = strerror(errno);
	} else if (S_ISDIR(st.st_mode)) {
		why = strerror(EISDIR);
	} else if (S_ISREG(st.st_mode)) {
		n = pread(fd, begin, sizeof(begin), 0);
		why = n < 0 ? strerror(errno)
			    : not_stream((struct str){ begin, (size_t)n });
	}
	if (fd >= 0)
		close(fd);
	return !why ? 0
		    : diag_error(&w->ds, NULL,
				 arena_printf(
					 w->a,
					 "Failed to load \"%s\" as a plan file",
					 path),
				 "%s: %s.", path, why);
}
