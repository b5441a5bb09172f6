/* commands.c - what commands there are (see driver_int.h) */
#include <string.h>

#include "driver/driver_int.h"
#include "base/didyoumean.h"
#include "base/product.h"

#define PART(name, bit, main, synopsis, about, text) \
	{ \
		name, about, NULL, bit, main, synopsis, text \
	}
#define PROGRAM(name, program, main, about) \
	{ \
		name, about, program, 0, main, "", NULL \
	}
#define FAMILY(name, about) \
	{ \
		name, about, NULL, 0, false, "", NULL \
	}

/* In the order of `tf -help`; a family before its commands. */
const struct command driver_commands[] = {
	PROGRAM("init", "tf-init", true,
		"Prepare your working directory for other commands"),
	PART("validate", CMD_VALIDATE, true, "[DIR]",
	     "Check whether the configuration is valid",
	     "Checks the configuration, without state and without the values "
	     "of variables."),
	PART("plan", CMD_PLAN, true, "",
	     "Show changes required by the current configuration",
	     "Shows what would change."),
	PART("apply", CMD_APPLY, true, "[PLAN]",
	     "Create or update infrastructure",
	     "Plans, asks, and applies; or applies a saved plan (-: from "
	     "standard input)."),
	PART("destroy", CMD_DESTROY, true, "",
	     "Destroy previously-created infrastructure",
	     "Destroys all that is managed, after asking."),

	PROGRAM("canon", "tf-canon", false,
		"Write a plan, a stream or a state as lines to keep in git"),
	{ "console", "Try expressions at an interactive prompt",
	  "tf-eval -console", CMD_CONSOLE, false, "",
	  "Evaluates expressions, one after the other." },
	PROGRAM("diff", "tf-diff", false,
		"Compare two plans or states by address and attribute"),
	PART("explain", CMD_EXPLAIN, false, "ADDRESS [PLAN]",
	     "Show why a plan has a change",
	     "Shows what makes the change of an object, in a new plan or a "
	     "saved one (-: from standard input)."),
	PROGRAM("fmt", "tf-fmt", false,
		"Reformat your configuration in the standard style"),
	PROGRAM("force-unlock", "tf-state force-unlock", false,
		"Release a stuck lock on the current workspace"),
	{ "get", "Install or upgrade remote modules", "tf-init -get-only",
	  CMD_GET, false, "", "Installs the modules of the configuration." },
	PART("graph", CMD_GRAPH, false, "",
	     "Generate a Graphviz graph of the steps in an operation",
	     "Draws the dependency graph as DOT."),
	PART("import", CMD_IMPORT, false, "ADDRESS ID",
	     "Associate existing infrastructure with a resource",
	     "Makes an object that exists the one of a resource instance."),
	PROGRAM("login", "tf-login", false,
		"Obtain and save credentials for a remote host"),
	PROGRAM("logout", "tf-login -logout", false,
		"Remove locally-stored credentials for a remote host"),
	FAMILY("metadata", "Metadata related commands"),
	{ "metadata functions", "The signatures of all functions, as JSON",
	  "tf-eval -functions", CMD_FUNCTIONS, false, "",
	  "Prints the signatures of all functions; -json is needed." },
	PROGRAM("modules", "tf-show -modules", false,
		"Show the modules that this configuration calls"),
	PROGRAM("modules lock", "tf-init -get-only -lock-modules", false,
		"Record the versions and hashes of modules"),
	{ "output", "Show output values from your root module",
	  "tf-show -current -outputs", CMD_OUTPUT, false, "[NAME]",
	  "Shows the outputs of the state, or one of them." },
	PROGRAM("providers", "tf-providers", false,
		"Show the providers required for this configuration"),
	PROGRAM("providers lock", "tf-providers lock", false,
		"Record the hashes of providers"),
	PROGRAM("providers mirror", "tf-providers mirror", false,
		"Copy the providers into a directory"),
	PROGRAM("providers schema", "tf-providers schema", false,
		"Show the schemas of the providers"),
	PART("refresh", CMD_REFRESH, false, "",
	     "Update the state to match remote systems",
	     "Updates the state to match what exists."),
	PROGRAM("select", "tf-select", false,
		"Select changes of a plan by an expression"),
	{ "show", "Show the current state or a saved plan", "tf-show", CMD_SHOW,
	  false, "[FILE]",
	  "Shows the current state, or a saved plan or state (-: from standard "
	  "input)." },
	FAMILY("state", "Advanced state management"),
	PROGRAM("state list", "tf-state list", false,
		"List the resources in the state"),
	PROGRAM("state ls", "tf-state list", false, NULL),
	PROGRAM("state mv", "tf-state mv", false,
		"Give an object another address"),
	PROGRAM("state move", "tf-state mv", false, NULL),
	PROGRAM("state pull", "tf-state pull", false, "Print the state"),
	PROGRAM("state push", "tf-state push", false,
		"Store a state from a file"),
	PROGRAM("state recover", "tf-state recover", false,
		"Decide about the journal of an interrupted run"),
	PROGRAM("state replace-provider", "tf-state replace-provider", false,
		"Name another provider for resources"),
	PROGRAM("state rm", "tf-state rm", false,
		"Forget objects without destroying them"),
	PROGRAM("state remove", "tf-state rm", false, NULL),
	PROGRAM("state settle", "tf-state settle", false,
		"Say that the outcome of an operation is known"),
	PROGRAM("state show", "tf-state show", false,
		"Show one object of the state"),
	PROGRAM("taint", "tf-state taint", false,
		"Mark a resource instance as not fully functional"),
	PROGRAM("test", "tf-test", false, "Execute the tests of a module"),
	PROGRAM("untaint", "tf-state untaint", false,
		"Remove the 'tainted' state from a resource instance"),
	PROGRAM("vendor", "tf-init -make-vendor", false,
		"Copy all modules and providers into a directory"),
	{ "version", "Show the current version", "tf-providers versions",
	  CMD_VERSION, false, "",
	  "Shows the version, and those of the providers that the lock file "
	  "selects." },
	PART("why", CMD_WHY, false, "A B",
	     "Show how one object depends on another",
	     "Shows a shortest way by which A depends on B."),
	FAMILY("workspace", "Workspace management"),
	PROGRAM("workspace delete", "tf-state workspace delete", false,
		"Delete a workspace"),
	PROGRAM("workspace list", "tf-state workspace list", false,
		"List the workspaces"),
	PROGRAM("workspace new", "tf-state workspace new", false,
		"Create a workspace and select it"),
	PROGRAM("workspace select", "tf-state workspace select", false,
		"Select a workspace"),
	PROGRAM("workspace show", "tf-state workspace show", false,
		"Show the name of the current workspace"),
	{ NULL, NULL, NULL, 0, false, NULL, NULL },
};

bool command_is_family(const struct command *c)
{
	return !c->program && !c->bit && c->about;
}

/* Returns how many of the words are the command's name; 0: they do not
 * match. */
static size_t matches(const struct command *c, const struct str_vec *words)
{
	struct str rest = str_c(c->name);
	size_t n = 0;

	for (;; n++) {
		ptrdiff_t space = str_chr(rest, ' ');
		size_t len = space < 0 ? rest.n : (size_t)space;

		if (n == words->len ||
		    !str_eq(words->items[n], str_sub(rest, 0, len)))
			return 0;
		if (space < 0)
			return n + 1;
		rest = str_sub(rest, len + 1, rest.n);
	}
}

const struct command *command_find(const struct str_vec *words, size_t *n)
{
	const struct command *best = NULL;

	*n = 0;
	for (const struct command *c = driver_commands; c->name; c++) {
		size_t m = matches(c, words);

		if (m > *n) {
			*n = m;
			best = c;
		}
	}
	return best;
}

/* The command's own name within the family, or NULL. */
static const char *name_in(const struct command *c, const char *family)
{
	size_t n = strlen(family);

	if (!n)
		return strchr(c->name, ' ') ? NULL : c->name;
	return strncmp(c->name, family, n) == 0 && c->name[n] == ' '
		       ? c->name + n + 1
		       : NULL;
}

struct str command_suggest(struct arena *a, const char *family,
			   struct str given)
{
	struct str_vec names = { 0 };

	for (const struct command *c = driver_commands; c->name; c++)
		if (name_in(c, family))
			vec_push(a, &names, str_c(name_in(c, family)));
	return didyoumean_word(given, names.items, names.len);
}

static void put_commands(FILE *out, const char *family, int main, int width)
{
	for (const struct command *c = driver_commands; c->name; c++)
		if (c->about && name_in(c, family) &&
		    (main < 0 || c->main == main))
			fprintf(out, "  %-*s %s\n", width, name_in(c, family),
				c->about);
}

void family_help(FILE *out, const struct command *c)
{
	fprintf(out,
		"Usage: %s %s <subcommand> [options] [args]\n\n%s\n\n"
		"Subcommands:\n",
		product_command(), c->name, c->about);
	put_commands(out, c->name, -1, 18);
}

void commands_help(FILE *out)
{
	fprintf(out,
		"Usage: %s [global options] <subcommand> [args]\n\n"
		"Main commands:\n",
		product_command());
	put_commands(out, "", 1, 13);
	fputs("\nAll other commands:\n", out);
	put_commands(out, "", 0, 13);
	fputs("\n"
	      "Global options (use these before the subcommand, if any):\n"
	      "  -chdir=DIR    Switch to a different working directory first\n"
	      "  -help         Show this help, or that of a subcommand\n"
	      "  -version      An alias for the \"version\" subcommand\n\n"
	      "Any program tf-NAME on PATH is a command NAME, too. The stages are programs:\n"
	      "  tf-parse | tf-eval | tf-graph | tf-plan | tf-apply\n"
	      "each with a manual page of its name; the stream between them is "
	      "tf-stream(5).\n",
	      out);
}
