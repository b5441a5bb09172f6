/* run_options.c - see driver_int.h */
#include <string.h>

#include "driver/driver_int.h"
#include "base/product.h"
#include "engine/stage/selectors.h"
#include "state/backend/lock.h"
#include "ui/diag_text.h"
#include "ui/show/form/form.h"

struct row {
	unsigned commands;
	struct opt opt;
};

enum {
	RUNS = CMD_PLAN | CMD_APPLY | CMD_DESTROY | CMD_REFRESH | CMD_EXPLAIN,
	STATEFUL = RUNS | CMD_IMPORT,
	SHOWN = (STATEFUL & ~CMD_EXPLAIN) | CMD_VALIDATE,
	APPLIES = CMD_APPLY | CMD_DESTROY,
	PLANS = CMD_PLAN | APPLIES,
	PROGRAMS = CMD_CONSOLE | CMD_FUNCTIONS | CMD_GET | CMD_OUTPUT |
		   CMD_SHOW | CMD_VERSION,
	EVERY = SHOWN | PROGRAMS | CMD_GRAPH | CMD_EXPLAIN | CMD_WHY,
};

static const struct opt_group modes = {
	"Incompatible plan mode options",
	"-destroy and -refresh-only are different ways of planning: use only "
	"one of them."
};
static const struct opt_group asking = {
	"Incompatible options",
	"-ask has somebody approve of the plan, and -auto-approve nobody: use only one of them."
};
static const struct opt_group formats = {
	"Invalid output format",
	"-json writes to standard output, -json-into to a file as well: use "
	"only one of them."
};

/* Sorted by name.  Rows of the same name belong to different commands. */
static size_t fill(const struct row **rows, struct arena *a,
		   struct word_options *o)
{
	const struct row table[] = {
		{ APPLIES,
		  { "ask", OPT_FLAG, &o->ask, NULL,
		    "ask at the terminal, also of a saved plan, which is shown first",
		    .group = &asking } },
		{ APPLIES,
		  { "auto-approve", OPT_FLAG, &o->auto_approve, NULL,
		    "do not ask", .group = &asking } },
		{ APPLIES | CMD_REFRESH | CMD_IMPORT,
		  { "backup", OPT_STRING, NULL, "FILE",
		    "where the previous state is kept; - keeps none",
		    .route = TO_APPLY } },
		{ CMD_PLAN,
		  { "backup", OPT_STRING, NULL, "FILE",
		    "no effect: planning writes no state" } },
		{ SHOWN | CMD_SHOW | CMD_OUTPUT | CMD_EXPLAIN,
		  { "color", OPT_STRING, &o->color, "WHEN",
		    "colours: always, never or auto (on a terminal)",
		    .group = &text_color_group } },
		{ SHOWN,
		  { "compact-warnings", OPT_FLAG, NULL, NULL,
		    "warnings without their detail", .route = TO_UI } },
		{ CMD_SHOW,
		  { "compact-warnings", OPT_FLAG, NULL, NULL,
		    "no effect: warnings are not shown" } },
		{ CMD_CONSOLE,
		  { "compact-warnings", OPT_FLAG, NULL, NULL,
		    "warnings without their detail", .route = TO_PROGRAM } },
		{ SHOWN,
		  { "concise", OPT_FLAG, NULL, NULL,
		    "no lines about what is refreshed and done",
		    .route = TO_UI } },
		{ CMD_SHOW,
		  { "concise", OPT_FLAG, NULL, NULL,
		    "no effect: there is no progress" } },
		{ CMD_IMPORT,
		  { "config", OPT_STRING, &o->config, "DIR",
		    "the configuration's directory" } },
		{ CMD_SHOW,
		  { "config", OPT_FLAG, &o->show_config, NULL,
		    "the configuration (with -json)" } },
		{ SHOWN,
		  { "consolidate-errors", OPT_FLAG, NULL, NULL,
		    "similar errors as one", .route = TO_UI } },
		{ CMD_SHOW,
		  { "consolidate-errors", OPT_FLAG, NULL, NULL,
		    "no effect: what is wrong is said once" } },
		{ CMD_CONSOLE,
		  { "consolidate-errors", OPT_FLAG, NULL, NULL,
		    "similar errors as one", .route = TO_PROGRAM } },
		{ CMD_SHOW,
		  { "consolidate-warnings", OPT_FLAG, NULL, NULL,
		    "no effect: warnings are not shown" } },
		{ CMD_CONSOLE,
		  { "consolidate-warnings", OPT_FLAG, NULL, NULL,
		    "similar warnings as one (default true)",
		    .route = TO_PROGRAM } },
		{ SHOWN,
		  { "consolidate-warnings", OPT_FLAG, NULL, NULL,
		    "similar warnings as one (default true)",
		    .route = TO_UI } },
		{ PLANS,
		  { "deny", OPT_LIST, &o->deny, "EXPR",
		    "fail if this is true of a change (tf-select(1))",
		    .route = TO_PLAN } },
		{ SHOWN,
		  { "deprecation", OPT_STRING, &o->deprecation, "LEVEL",
		    "module:none, module:local: whose warnings are shown",
		    .route = TO_UI } },
		{ CMD_SHOW,
		  { "deprecation", OPT_STRING, &o->deprecation, "LEVEL",
		    "no effect: warnings are not shown" } },
		{ RUNS,
		  { "destroy", OPT_FLAG, &o->destroy, NULL,
		    "plan to destroy everything", .route = TO_GRAPH,
		    .group = &modes } },
		{ CMD_PLAN,
		  { "detailed-exitcode", OPT_FLAG, &o->detailed_exitcode, NULL,
		    "exit with 2 when there is something to apply" } },
		{ CMD_GRAPH,
		  { "draw-cycles", OPT_FLAG, NULL, NULL,
		    "no effect: a cycle is always an error that names it" } },
		{ RUNS,
		  { "exclude", OPT_LIST, NULL, "ADDRESS",
		    "leave this and what depends on it out",
		    .route = TO_GRAPH } },
		{ RUNS,
		  { "exclude-file", OPT_LIST, &o->exclude_files, "FILE",
		    "the same, addresses from a file" } },
		{ CMD_GRAPH,
		  { "format", OPT_STRING, &o->graph_format, "FORMAT",
		    "draw a picture: dot, mermaid or svg",
		    .route = TO_GRAPH } },
		{ CMD_PLAN,
		  { "format", OPT_STRING, &o->plan_format, "FORM",
		    "the plan as flat, html, md or tsv; all else to standard error",
		    .route = TO_UI } },
		{ CMD_SHOW,
		  { "format", OPT_STRING, NULL, "FORM",
		    "a plan as flat, html, md or tsv", .route = TO_PROGRAM } },
		{ CMD_PLAN,
		  { "generate-config-out", OPT_STRING, &o->generate, "FILE",
		    "write configuration for imports that have none",
		    .route = TO_PLAN } },
		{ CMD_IMPORT,
		  { "ignore-remote-version", OPT_FLAG, &o->ignore_remote, NULL,
		    "write the state of a workspace whose version differs" } },
		{ STATEFUL,
		  { "input", OPT_FLAG, &o->input, NULL,
		    "ask for missing variables (default true)" } },
		{ CMD_CONSOLE,
		  { "input", OPT_FLAG, NULL, NULL,
		    "no effect: nothing is asked for" } },
		{ SHOWN,
		  { "json", OPT_FLAG, &o->json, NULL, "messages as JSON lines",
		    .route = TO_UI, .group = &formats } },
		{ CMD_FUNCTIONS,
		  { "json", OPT_FLAG, &o->json, NULL,
		    "JSON instead of text" } },
		{ CMD_CONSOLE | CMD_OUTPUT | CMD_GET | CMD_VERSION |
			  CMD_EXPLAIN,
		  { "json", OPT_FLAG, NULL, NULL, "JSON instead of text",
		    .route = TO_PROGRAM } },
		{ CMD_SHOW,
		  { "json", OPT_FLAG, &o->show_json, NULL,
		    "JSON instead of text", .route = TO_PROGRAM,
		    .group = &formats } },
		{ CMD_GET,
		  { "json-into", OPT_STRING, NULL, "FILE",
		    "the messages as JSON lines to a file as well",
		    .route = TO_PROGRAM } },
		{ CMD_SHOW,
		  { "json-into", OPT_STRING, NULL, "FILE",
		    "the same JSON to a file, as well as text",
		    .route = TO_PROGRAM, .group = &formats } },
		{ SHOWN,
		  { "json-into", OPT_STRING, &o->json_into, "FILE",
		    "the messages as JSON lines to a file as well",
		    .route = TO_UI, .group = &formats } },
		{ STATEFUL,
		  { "lock", OPT_FLAG, &o->lock, NULL,
		    "hold the state's lock meanwhile (default true)",
		    .route = TO_APPLY } },
		{ CMD_CONSOLE,
		  { "lock", OPT_FLAG, NULL, NULL,
		    "no effect: the state is only read" } },
		{ CMD_CONSOLE,
		  { "lock-timeout", OPT_STRING, &o->lock_timeout, "DURATION",
		    "no effect: the state is only read" } },
		{ STATEFUL,
		  { "lock-timeout", OPT_STRING, &o->lock_timeout, "DURATION",
		    "how long to wait for the lock, as 10s",
		    .route = TO_LOCK | TO_APPLY } },
		{ STATEFUL | CMD_VALIDATE,
		  { "max-providers", OPT_INT, NULL, "N",
		    "provider processes at a time (default: 50)",
		    .route = TO_PLAN | TO_APPLY } },
		{ CMD_GRAPH,
		  { "max-nodes", OPT_INT, NULL, "N",
		    "boxes of a picture (default 60; 0: any number)",
		    .route = TO_GRAPH } },
		{ CMD_PLAN,
		  { "max-size", OPT_INT, &o->max_size, "BYTES",
		    "with -format=md: no more than that (default 65536)",
		    .route = TO_UI } },
		{ CMD_SHOW,
		  { "max-size", OPT_INT, NULL, "BYTES",
		    "with -format=md: no more than that (default 65536)",
		    .route = TO_PROGRAM } },
		{ CMD_SHOW,
		  { "module", OPT_STRING, &o->module, "DIR",
		    "the module in that directory (with -json)" } },
		{ PLANS | CMD_EXPLAIN,
		  { "minimal-refresh", OPT_FLAG, NULL, NULL,
		    "look at those objects alone that are to change",
		    .route = TO_GRAPH } },
		{ CMD_GRAPH,
		  { "module-depth", OPT_INT, NULL, "N", "no effect" } },
		{ EVERY & ~PROGRAMS,
		  { "no-color", OPT_FLAG, NULL, NULL, "no terminal colours",
		    .route = TO_UI, .group = &text_color_group } },
		{ PROGRAMS,
		  { "no-color", OPT_FLAG, NULL, NULL, "no terminal colours",
		    .route = TO_PROGRAM, .group = &text_color_group } },
		{ CMD_VALIDATE,
		  { "no-tests", OPT_FLAG, NULL, NULL,
		    "do not check files of tests", .route = TO_PLAN } },
		{ CMD_PLAN,
		  { "out", OPT_STRING, &o->out, "FILE",
		    "save the plan, to be applied later" } },
		{ STATEFUL,
		  { "parallelism", OPT_INT, NULL, "N",
		    "operations at a time (default 10)",
		    .route = TO_PLAN | TO_APPLY } },
		{ CMD_GRAPH,
		  { "plan", OPT_STRING, &o->graph_plan, "FILE",
		    "the graph of a saved plan's apply; -format: what it does" } },
		{ CMD_SHOW,
		  { "plan", OPT_STRING, &o->plan_file, "FILE",
		    "a saved plan" } },
		{ CMD_OUTPUT,
		  { "raw", OPT_FLAG, NULL, NULL, "the bare value of one output",
		    .route = TO_PROGRAM } },
		{ APPLIES,
		  { "raw-provisioners", OPT_FLAG, NULL, NULL,
		    "the output of provisioners with its control characters",
		    .route = TO_UI } },
		{ RUNS,
		  { "refresh", OPT_WORD, &o->refresh, NULL,
		    "look at the real objects first: true, false or older-than=AGE",
		    .route = TO_GRAPH } },
		{ RUNS,
		  { "refresh-only", OPT_FLAG, &o->refresh_only, NULL,
		    "look at the real objects, plan nothing else",
		    .route = TO_GRAPH, .group = &modes } },
		{ RUNS,
		  { "replace", OPT_LIST, NULL, "ADDRESS",
		    "replace this instance", .route = TO_GRAPH } },
		{ RUNS,
		  { "replace-file", OPT_LIST, &o->replace_files, "FILE",
		    "the same, addresses from a file" } },
		{ CMD_CONSOLE,
		  { "scope", OPT_STRING, NULL, "ADDRESS",
		    "evaluate in this instance of a module",
		    .route = TO_PROGRAM } },
		{ CMD_PLAN | APPLIES,
		  { "show-sensitive", OPT_FLAG, NULL, NULL,
		    "show sensitive values", .route = TO_UI | TO_APPLY } },
		{ CMD_SHOW,
		  { "select", OPT_STRING, NULL, "EXPR",
		    "those changes or objects alone (tf-select(1))",
		    .route = TO_PROGRAM } },
		{ CMD_OUTPUT | CMD_SHOW | CMD_EXPLAIN,
		  { "show-sensitive", OPT_FLAG, NULL, NULL,
		    "show sensitive values", .route = TO_PROGRAM } },
		{ STATEFUL,
		  { "state", OPT_STRING, NULL, "FILE",
		    "state file (local backend)", .route = TO_STATE } },
		{ CMD_CONSOLE | CMD_OUTPUT,
		  { "state", OPT_STRING, NULL, "FILE",
		    "state file (local backend)", .route = TO_PROGRAM } },
		{ CMD_SHOW,
		  { "state", OPT_FLAG, &o->show_state, NULL,
		    "the current state: what is shown without FILE" } },
		{ APPLIES | CMD_REFRESH | CMD_IMPORT,
		  { "state-out", OPT_STRING, NULL, "FILE",
		    "write the state there instead", .route = TO_APPLY } },
		{ CMD_PLAN,
		  { "state-out", OPT_STRING, NULL, "FILE",
		    "no effect: planning writes no state" } },
		{ CMD_PLAN,
		  { "summary", OPT_FLAG, &o->summary, NULL,
		    "the plan as a line a change", .route = TO_UI } },
		{ CMD_SHOW,
		  { "summary", OPT_FLAG, NULL, NULL,
		    "a plan as a line a change", .route = TO_PROGRAM } },
		{ APPLIES,
		  { "suppress-forget-errors", OPT_FLAG, NULL, NULL,
		    "destroying may leave forgotten objects behind",
		    .route = TO_APPLY } },
		{ RUNS,
		  { "target", OPT_LIST, NULL, "ADDRESS",
		    "only this and what it depends on", .route = TO_GRAPH } },
		{ RUNS,
		  { "target-file", OPT_LIST, &o->target_files, "FILE",
		    "the same, addresses from a file" } },
		{ CMD_VALIDATE,
		  { "test-directory", OPT_STRING, NULL, "DIR",
		    "where files of tests are (default tests)",
		    .route = TO_PLAN } },
		{ CMD_GET,
		  { "test-directory", OPT_STRING, NULL, "DIR",
		    "where files of tests are (default tests)",
		    .route = TO_PROGRAM } },
		{ CMD_GRAPH,
		  { "type", OPT_STRING, &o->graph_type, "TYPE",
		    "plan, plan-refresh-only, plan-destroy or apply" } },
		{ CMD_GET,
		  { "update", OPT_FLAG, NULL, NULL, "look for newer versions",
		    .route = TO_PROGRAM } },
		{ EVERY & ~(CMD_FUNCTIONS | CMD_VERSION),
		  { "var", OPT_LIST, NULL, "NAME=VALUE", "set a root variable",
		    .route = TO_INPUT } },
		{ EVERY & ~(CMD_FUNCTIONS | CMD_VERSION),
		  { "var-file", OPT_LIST, NULL, "FILE",
		    "set root variables from a file", .route = TO_INPUT } },
		{ CMD_GRAPH,
		  { "verbose", OPT_FLAG, NULL, NULL,
		    "no effect: the graph is drawn whole" } },
	};

	*rows = arena_dup(a, table, sizeof(table));
	return sizeof(table) / sizeof(*table);
}

struct opt *run_options_table(struct arena *a, unsigned command,
			      struct word_options *o)
{
	VEC(struct opt) out = { 0 };
	const struct row *rows;
	size_t n = fill(&rows, a, o);

	for (size_t i = 0; i < n; i++)
		if (rows[i].commands & command)
			vec_push(a, &out, rows[i].opt);
	vec_push(a, &out, (struct opt){ .name = NULL });
	return out.items;
}

int run_options_check(unsigned command, const struct word_options *o,
		      struct diags *ds)
{
	const struct plan_form *form = NULL;
	bool refresh;
	int64_t age;
	uint64_t ms;

	if (text_color(o->color, ds) ||
	    lock_timeout_option(o->lock_timeout, &ms, ds) ||
	    refresh_option(o->refresh, &refresh, &age, ds))
		return -1;
	if (o->deprecation.n && !str_is(o->deprecation, "module:all") &&
	    !str_is(o->deprecation, "module:local") &&
	    !str_is(o->deprecation, "module:none"))
		return diag_error(ds, NULL,
				  "Failed to parse command-line flags",
				  "-deprecation is module:all, module:local or "
				  "module:none; \"%.*s\" is not supported",
				  STR_ARG(o->deprecation));
	if (o->summary + o->json + (o->plan_format.p != NULL) > 1)
		return diag_error(
			ds, NULL, formats.summary,
			"-json, -summary and -format are different forms: use only one of them.");
	if (form_options(o->plan_format.p ? &o->plan_format : NULL,
			 o->max_size ? &o->max_size : NULL, false, &form, ds))
		return -1;
	if (form && str_is(o->out, "-"))
		return diag_error(
			ds, NULL, "Incompatible options",
			"-format and -out=- write to the same place: use only one of them.");
	if (o->refresh_only && !refresh)
		return diag_error(ds, NULL, "Incompatible refresh options",
				  "-refresh-only does nothing but refresh: "
				  "-refresh=false cannot be used with it.");
	if (command & CMD_DESTROY && (o->destroy || o->refresh_only))
		return diag_error(
			ds, NULL, "Invalid mode option",
			"-%s is not supported by %s destroy, which plans to destroy.",
			o->destroy ? "destroy" : "refresh-only",
			product_command());
	return 0;
}
