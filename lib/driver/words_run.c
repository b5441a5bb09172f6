/*
 * words_run.c - the commands whose options tf parses itself
 */
#include <stdlib.h>
#include <string.h>

#include "driver/driver_int.h"
#include "base/product.h"
#include "base/workdir.h"
#include "state/backend/lock.h"
#include "state/backend/workspaces.h"
#include "ui/show/form/form.h"

/* --- sorting --- */

void shell_word(struct buf *out, struct str word)
{
	buf_putc(out, ' ');
	shell_quote(out, word);
}

void words_assign(struct words *w, const char *name, struct str value)
{
	buf_addf(w->text, "%s=", name);
	shell_quote(w->text, value);
	buf_putc(w->text, '\n');
}

static void to_stage(struct words *w, unsigned route, struct str word)
{
	struct buf *const to[] = {
		&w->graph, &w->plan, &w->apply, &w->ui,
		&w->state, &w->lock, NULL,      &w->program
	};

	for (unsigned i = 0; i < sizeof(to) / sizeof(*to); i++)
		if (route & 1u << i && to[i])
			shell_word(to[i], word);
}

void words_export(struct words *w, const char *name, struct str value)
{
	buf_puts(w->text, "export ");
	words_assign(w, name, value);
}

static void note_planning(struct words *w, struct str name)
{
	for (size_t i = 0; i < w->planning.len; i++)
		if (str_eq(w->planning.items[i], name))
			return;
	vec_push(w->a, &w->planning, name);
}

static void seen(void *data, const struct opt *p, struct str word)
{
	struct words *w = data;

	if (str_is(word, "-no-color") || str_is(word, "-color=never")) {
		w->no_color = true;
		words_export(w, "NO_COLOR", STR("1"));
	}
	if (str_is(str_c(p->name), "color"))
		words_export(w, "TFPIPE_COLOR", w->options.color);
	if (p->route & TO_GRAPH)
		note_planning(w, str_c(p->name));
	if (p->route & TO_INPUT)
		words_export(
			w, arena_printf(w->a, "TFPIPE_INPUT_%zu", ++w->ninputs),
			word);
	to_stage(w, p->route, word);
}

/* Takes the inputs of an enclosing command away: the list ends with an empty
 * one (inputs.h). */
static void drop_inputs(struct words *w)
{
	const char *name =
		arena_printf(w->a, "TFPIPE_INPUT_%zu", w->ninputs + 1);

	if (getenv(name))
		words_export(w, name, STR_NONE);
}

/* --- settings --- */

static void flag(struct words *w, const char *name, bool on)
{
	words_assign(w, name, on ? STR("true") : STR("false"));
}

/* Words for a stage, to be evaluated. */
static void list(struct words *w, const char *name, const struct buf *words)
{
	words_assign(w, name, buf_view(words));
}

static void add_word(struct words *w, struct buf *to, const char *option,
		     struct str value)
{
	shell_word(to, str_printf(w->a, "-%s=%.*s", option, STR_ARG(value)));
}

/* What the parts of a run are given apart from what was typed. */
static void put_details(struct words *w, const struct str_vec *operands)
{
	const struct word_options *o = &w->options;
	const unsigned bit = w->command->bit;
	const bool saved = operands->len && bit & CMD_APPLY;
	struct buf parse = BUF_INIT, keep = BUF_INIT;

	if (bit & (CMD_PLAN | CMD_REFRESH | CMD_EXPLAIN))
		buf_puts(&parse, " -for=plan");
	else if (bit & (CMD_APPLY | CMD_DESTROY | CMD_GRAPH | CMD_WHY))
		buf_puts(&parse, " -for=apply");
	if (bit & CMD_DESTROY)
		to_stage(w, TO_GRAPH, STR("-destroy"));
	if (bit & CMD_IMPORT) {
		add_word(w, &parse, "import", operands->items[0]);
		add_word(w, &w->plan, "import", operands->items[0]);
		add_word(w, &w->plan, "import-id", operands->items[1]);
	}
	if (saved)
		add_word(w, &w->apply, "saved-name", operands->items[0]);
	if (bit & CMD_EXPLAIN)
		add_word(w, &w->program, "explain", operands->items[0]);
	if (bit & CMD_WHY)
		add_word(w, &w->graph, "why",
			 STR_CAT(w->a, operands->items[0], STR(","),
				 operands->items[1]));
	if (o->detailed_exitcode)
		buf_puts(&keep, " -detailed-exitcode");
	if (o->generate.n)
		add_word(w, &keep, "generated", o->generate);
	if (o->out.n)
		add_word(w, &keep, "out", o->out);
	/* Nobody edits between the stages of a command.  A saved plan is
	 * another matter, when it is written and when it is applied.  What is
	 * explained or drawn needs all records. */
	words_assign(w, "seal",
		     saved || o->out.n || bit & CMD_EXPLAIN ||
				     str_is(o->plan_format, form_html.name)
			     ? STR_NONE
			     : STR(" -seal=false"));
	list(w, "explain", &w->program);
	words_assign(w, "saved", saved ? operands->items[0] : o->graph_plan);
	flag(w, "auto_approve", o->auto_approve);
	flag(w, "ask", o->ask);
	flag(w, "picture", o->graph_format.n > 0);
	list(w, "parse", &parse);
	list(w, "graph", &w->graph);
	list(w, "plan", &w->plan);
	list(w, "apply", &w->apply);
	list(w, "state", &w->state);
	list(w, "ui", &w->ui);
	list(w, "keep", &keep);
	buf_release(&parse);
	buf_release(&keep);
}

/* Is the lock held around the pipe?  A saved plan may be on its way from who
 * holds it (tf plan -out=- | tf apply -): tf-apply takes it when the plan is
 * there. */
static bool locks(const struct words *w, const struct str_vec *operands)
{
	static const unsigned locked = CMD_PLAN | CMD_APPLY | CMD_DESTROY |
				       CMD_REFRESH | CMD_IMPORT | CMD_EXPLAIN;

	return w->command->bit & locked && w->options.lock &&
	       !(w->command->bit & CMD_APPLY && operands->len) &&
	       !lock_token().n;
}

static void put_lock(struct words *w, struct buf *run)
{
	const struct word_options *o = &w->options;

	/* OpenTofu's names, which others see in the lock */
	add_word(w, run, "operation",
		 w->command->bit & (CMD_APPLY | CMD_DESTROY)
			 ? STR("OperationTypeApply")
		 : w->command->bit & CMD_REFRESH ? STR("OperationTypeRefresh")
		 : w->command->bit & (CMD_PLAN | CMD_EXPLAIN)
			 ? STR("OperationTypePlan")
			 : str_c(w->command->name));
	buf_str(run, buf_view(&w->state));
	buf_str(run, buf_view(&w->lock));
	if (o->ignore_remote)
		buf_puts(run, " -ignore-remote-version");
}

/* The words of the runner (lib/driver/runner.h). */
static void put_runner(struct words *w, const struct str_vec *operands)
{
	static const unsigned asks = CMD_PLAN | CMD_APPLY | CMD_DESTROY |
				     CMD_REFRESH | CMD_IMPORT | CMD_EXPLAIN;
	const struct word_options *o = &w->options;
	const unsigned bit = w->command->bit;
	struct buf run = BUF_INIT;

	add_word(w, &run, "command",
		 STR_CAT(w->a, str_c(product_command()), STR(" "),
			 str_c(w->command->name)));
	if (locks(w, operands))
		put_lock(w, &run);
	if (o->json)
		buf_puts(&run, " -messages");
	if (o->json_into.n)
		add_word(w, &run, "messages-into", o->json_into);
	if (!bit || (bit & asks && !(bit & CMD_APPLY && operands->len) &&
		     o->input && !o->json))
		buf_puts(&run, " -ask");
	if (o->ask)
		buf_puts(&run, " -terminal");
	if (bit & (CMD_APPLY | CMD_DESTROY) && !o->auto_approve)
		add_word(w, &run, "confirm",
			 o->destroy || bit & CMD_DESTROY ? STR("destroy")
			 : o->refresh_only               ? STR("refresh-only")
							 : STR("apply"));
	list(w, "run", &run);
	buf_release(&run);
}

/* --- the commands --- */

/* The files of addresses are no words for a stage yet. */
static void note_files(struct words *w)
{
	if (w->options.target_files.len)
		note_planning(w, STR("target-file"));
	if (w->options.exclude_files.len)
		note_planning(w, STR("exclude-file"));
	if (w->options.replace_files.len)
		note_planning(w, STR("replace-file"));
}

/* Passes planning options on as ignored: a saved plan is applied as it is (RFC
 * -exclude, Note 2), and programs give the same options to each apply. */
static void ignore_planning(struct words *w)
{
	struct buf names = BUF_INIT;

	note_files(w);
	for (size_t i = 0; i < w->planning.len; i++)
		buf_addf(&names, "%s-%.*s", i ? ", " : "",
			 STR_ARG(w->planning.items[i]));
	if (names.len)
		to_stage(w, TO_APPLY,
			 str_printf(w->a, "-ignored=%.*s",
				    STR_ARG(buf_view(&names))));
	buf_release(&names);
}

static int check_apply(struct words *w, const struct str_vec *operands)
{
	const struct word_options *o = &w->options;

	if (!(w->command->bit & (CMD_APPLY | CMD_DESTROY)))
		return 0;
	if (o->json && o->ask)
		return diag_error(
			&w->ds, NULL, "Incompatible options",
			"-json shows programs what happens, and -ask has somebody approve of what is shown: use only one of them.");
	if (o->json && !o->auto_approve && !operands->len)
		return diag_error(&w->ds, NULL,
				  "Plan file or auto-approve required",
				  "With -json nobody is asked for approval: "
				  "apply a saved plan, or give "
				  "-auto-approve.");
	if (!operands->len)
		return 0;
	if (o->deny.len)
		return diag_error(
			&w->ds, NULL, "Unsupported option",
			"A saved plan is not planned again, so -deny would deny nothing: give it to the plan.");
	ignore_planning(w);
	return words_check_saved(w, operands->items[0]);
}

/* The directories that are options or operands of single commands. */
static int change_directory(struct words *w, const struct str_vec *operands)
{
	bool named = w->command->bit & CMD_VALIDATE && operands->len;
	struct str dir = named ? operands->items[0] : w->options.config;

	if (named ? !dir.n : !dir.p)
		return 0;
	if (words_chdir(w, dir) == 0)
		return 0;
	w->ds.items[w->ds.len - 1].summary =
		named ? STR("Failed to read module directory")
		      : str_printf(w->a, "No %s configuration files",
				   product_peer());
	return -1;
}

/* The selectors' files, standard input by a descriptor that reaches tf-graph
 * (tools/tf.in). */
static void put_files(struct words *w, const char *name,
		      const struct str_vec *files)
{
	for (size_t i = 0; i < files->len; i++) {
		bool in = str_is(files->items[i], "-");
		struct str path = in ? STR("/dev/fd/5") : files->items[i];

		if (in)
			flag(w, "selectors", true);
		to_stage(w, TO_GRAPH,
			 str_printf(w->a, "-%s=%.*s", name, STR_ARG(path)));
	}
}

static int graph_type(struct words *w)
{
	static const struct {
		const char *type, *option;
	} types[] = {
		{ "", NULL },
		{ "plan", NULL },
		{ "plan-destroy", "-destroy" },
		{ "plan-refresh-only", "-refresh-only" },
		{ "apply", "-apply" },
	};

	for (int i = 0; i < 5; i++) {
		if (!str_eq(w->options.graph_type, str_c(types[i].type)))
			continue;
		if (types[i].option)
			to_stage(w, TO_GRAPH, str_c(types[i].option));
		return 0;
	}
	return diag_error(
		&w->ds, NULL, "Unsupported graph type",
		"-type is plan, plan-refresh-only, plan-destroy or apply.");
}

bool words_may_ask(void)
{
	struct str v = str_env("TF_INPUT");

	return !str_is(v, "0") && !str_is(v, "f") && !str_is(v, "F") &&
	       !str_is(v, "false") && !str_is(v, "FALSE") &&
	       !str_is(v, "False");
}

static int parse(struct words *w, struct str_vec *operands)
{
	struct opts o = { .synopsis = w->command->synopsis,
			  .about = w->command->text,
			  .seen = seen,
			  .seen_data = w };
	struct workdir workdir;
	VEC(char *) argv = { 0 };
	enum opts_result r;

	w->options = (struct word_options){
		.lock = true,
		.input = true,
	};
	o.tool = arena_printf(w->a, "%s %s", product_command(),
			      w->command->name);
	o.options = run_options_table(w->a, w->command->bit, &w->options);
	vec_push(w->a, &argv, NULL);
	if (w->help)
		vec_push(w->a, &argv, (char *)"-help");
	for (size_t i = 0; i < w->args.len; i++)
		vec_push(w->a, &argv,
			 arena_strndup(w->a, w->args.items[i].p,
				       w->args.items[i].n));
	w->usage = true;
	r = opts_parse(w->a, &o, (int)argv.len, argv.items, operands, NULL,
		       &w->ds);
	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	/* -input=true does not override it */
	if (!words_may_ask())
		w->options.input = false;
	if (run_options_check(w->command->bit, &w->options, &w->ds) ||
	    words_check_operands(w, operands) || graph_type(w))
		return 1;
	w->usage = false;
	if (w->command->bit & CMD_FUNCTIONS && !w->options.json)
		return diag_error(&w->ds, NULL, "Invalid arguments",
				  "%s metadata functions needs -json.",
				  product_command()),
		       1;
	workdir_open(w->a, &workdir);
	if (!(w->command->bit & (CMD_FUNCTIONS | CMD_VERSION)) &&
	    workspace_check(&workdir, &w->ds))
		return 1;
	if (w->options.plan_file.n &&
	    words_check_saved(w, w->options.plan_file))
		return 1;
	if (w->options.graph_plan.n &&
	    words_check_saved(w, w->options.graph_plan))
		return 1;
	return check_apply(w, operands) ? 1 : -1;
}

/* Runs a program with the options and operands parsed. */
static void put_program(struct words *w, const struct str_vec *operands)
{
	struct buf b = BUF_INIT;

	buf_puts(&b, w->command->program);
	if (w->command->bit & CMD_SHOW)
		words_show_target(w, operands, &b);
	buf_str(&b, buf_view(&w->program));
	buf_puts(&b, " --");
	if (w->options.plan_file.n)
		shell_word(&b, w->options.plan_file);
	/* OpenTofu's version accepts any operands. */
	for (size_t i = 0; i < operands->len; i++)
		if (!(w->command->bit & CMD_VERSION))
			shell_word(&b, operands->items[i]);
	list(w, "program", &b);
	buf_release(&b);
}

/* Nothing is planned then. */
static int put_explained(struct words *w, const struct str_vec *operands)
{
	struct buf b = BUF_INIT;

	note_files(w);
	if (w->planning.len)
		return diag_error(
			&w->ds, NULL, "Unsupported option",
			"-%.*s is for a new plan: a saved one is explained as it is.",
			STR_ARG(w->planning.items[0]));
	add_word(w, &w->program, "explain", operands->items[0]);
	buf_puts(&b, "tf-show");
	buf_str(&b, buf_view(&w->program));
	buf_puts(&b, " --");
	shell_word(&b, operands->items[1]);
	list(w, "program", &b);
	buf_release(&b);
	return 0;
}

static void put_pipeline(struct words *w, const struct str_vec *operands)
{
	const struct word_options *o = &w->options;

	put_files(w, "target-file", &o->target_files);
	put_files(w, "exclude-file", &o->exclude_files);
	put_files(w, "replace-file", &o->replace_files);
	words_assign(w, "command", str_c(w->command->name));
	put_details(w, operands);
	put_runner(w, operands);
}

void words_asking(struct words *w)
{
	struct buf words = BUF_INIT;

	drop_inputs(w);
	for (size_t i = 0; i < w->args.len; i++)
		shell_word(&words, w->args.items[i]);
	words_assign(w, "command", str_c(w->command->name));
	list(w, "init", &words);
	put_runner(w, &w->args);
	buf_release(&words);
}

int words_run(struct words *w)
{
	struct str_vec operands = { 0 };
	int rc = parse(w, &operands);

	if (rc >= 0)
		return rc;
	drop_inputs(w);
	if (change_directory(w, &operands))
		return 1;
	if (w->command->bit & CMD_EXPLAIN && operands.len > 1)
		return put_explained(w, &operands) ? 1 : -1;
	if (w->command->program)
		put_program(w, &operands);
	else
		put_pipeline(w, &operands);
	return -1;
}

void words_release(struct words *w)
{
	struct buf *const all[] = { &w->graph, &w->plan, &w->apply,  &w->ui,
				    &w->state, &w->lock, &w->program };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		buf_release(all[i]);
}
