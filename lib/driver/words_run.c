/*
 * words_run.c - the commands whose options tf parses itself
 */
#include "driver/shell.h"
#include "driver/words_check_int.h"
#include "driver/words_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/product.h"
#include "base/scratch.h"
#include "driver/words_run_int.h"
#include "driver/words_show_int.h"
#include "state/backend/backend.h"
#include "state/backend/workspace.h"

/* --- sorting --- */

void shell_word(struct buf *out, struct str word)
{
	buf_putc(out, ' ');
	shell_quote(out, word);
}

static void assign(struct buf *out, const char *name, struct str value)
{
	buf_addf(out, "%s=", name);
	shell_quote(out, value);
	buf_putc(out, '\n');
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
	assign(w->text, name, value);
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

/* Unsets the inputs of an enclosing command. */
static void drop_inputs(struct words *w)
{
	for (size_t n = w->ninputs + 1;; n++) {
		const char *name = arena_printf(w->a, "TFPIPE_INPUT_%zu", n);

		if (!getenv(name))
			return;
		buf_addf(w->text, "unset %s\n", name);
	}
}

/* --- settings --- */

static void setting(struct words *w, const char *name, struct str value)
{
	assign(w->text, name, value);
}

static void flag(struct words *w, const char *name, bool on)
{
	setting(w, name, on ? STR("true") : STR("false"));
}

/* A stage in place of the shell that runs the function, without the descriptors
 * that the parts hold (common.sh). */
static void stage(struct words *w, const char *name, const char *program,
		  const struct buf *first, const struct buf *more)
{
	buf_addf(w->text, "%s() { exec %s", name, program);
	buf_str(w->text, buf_view(first));
	if (more)
		buf_str(w->text, buf_view(more));
	/* the display may hand the stream on through 8 */
	buf_addf(w->text, " \"$@\" 6<&- 7<&-%s; }\n",
		 strcmp(name, "tf_display") == 0 ? "" : " 8>&-");
}

/* Nobody edits between the stages of a command.  A saved plan is another
 * matter, when it is written and when it is applied. */
static const char *in_pipe(struct words *w, bool saved, const char *program)
{
	return saved || w->options.out.n
		       ? program
		       : arena_printf(w->a, "%s -seal=false", program);
}

static void put_stages(struct words *w, bool saved)
{
	static const struct buf none = BUF_INIT;
	const char *parse =
		w->command->bit & (CMD_PLAN | CMD_REFRESH)
			? "tf-parse -json -references=false -for=plan"
		: w->command->bit & (CMD_APPLY | CMD_DESTROY)
			? "tf-parse -json -references=false -for=apply"
			: "tf-parse -json -references=false";

	if (w->command->bit & CMD_GRAPH) { /* it makes no stream */
		stage(w, "tf_parse", "tf-parse -for=apply", &none, NULL);
		stage(w, "tf_graph", "tf-graph -format=dot", &w->graph, NULL);
		return;
	}
	/* tf-plan reports wrong references together with other errors. */
	stage(w, "tf_parse", in_pipe(w, saved, parse), &none, NULL);
	stage(w, "tf_eval", in_pipe(w, saved, "tf-eval -json"), &none, NULL);
	stage(w, "tf_graph", in_pipe(w, saved, "tf-graph -json"), &w->graph,
	      &w->state);
	stage(w, "tf_plan", in_pipe(w, saved, "tf-plan -json"), &w->plan, NULL);
	stage(w, "tf_apply", in_pipe(w, saved, "tf-apply -json"), &w->apply,
	      &w->state);
	/* Ignores signals: it must still show how the stages end. */
	stage(w, "tf_display", "tf-ui", &w->ui, NULL);
	buf_puts(w->text, "tf_ui() { trap '' INT TERM HUP; "
			  "tf_display ${begun:+-begun} \"$@\"; }\n");
}

static void put_settings(struct words *w, const struct str_vec *operands)
{
	const struct word_options *o = &w->options;

	setting(w, "product", STR(PRODUCT));
	setting(w, "command", str_c(w->command->name));
	flag(w, "json", o->json);
	flag(w, "input", o->input);
	flag(w, "auto_approve", o->auto_approve);
	flag(w, "detailed_exitcode", o->detailed_exitcode);
	setting(w, "mode",
		o->destroy || w->command->bit & CMD_DESTROY ? STR("destroy")
		: o->refresh_only ? STR("refresh-only")
				  : STR("normal"));
	setting(w, "out", o->out);
	setting(w, "generated", o->generate);
	setting(w, "graph_plan", o->graph_plan);
	setting(w, "ninputs", str_int(w->a, (int64_t)w->ninputs));
	buf_puts(w->text, "set --");
	for (size_t i = 0; i < operands->len; i++)
		shell_word(w->text, operands->items[i]);
	buf_putc(w->text, '\n');
}

/* Makes a temporary directory; the script removes it on exit. */
static int put_tmp(struct words *w)
{
	const char *dir;

	if (scratch_make(w->a, driver_fifos, &dir))
		return diag_error(&w->ds, NULL,
				  "Cannot make a temporary directory",
				  "%s: %s.", dir, strerror(errno));
	setting(w, "tmp", str_c(dir));
	buf_puts(w->text, "trap 'rm -rf -- \"$tmp\"' EXIT\n");
	return 0;
}

/* --- the commands --- */

/* A line that is not in the text. */
static const char *end_line(struct words *w, struct str text)
{
	const char *line = "end";

	while (memmem(text.p, text.n, line, strlen(line)))
		line = arena_printf(w->a, "%s_", line);
	return line;
}

/* tf-state with-lock runs a shell with the text; it inherits earlier
 * exports. */
static void under_lock(struct words *w, struct str text)
{
	/* OpenTofu's names, which others see in the lock */
	const char *operation =
		w->command->bit & (CMD_APPLY | CMD_DESTROY)
			? "OperationTypeApply"
		: w->command->bit & CMD_REFRESH ? "OperationTypeRefresh"
		: w->command->bit & CMD_PLAN    ? "OperationTypePlan"
						: w->command->name;
	const char *end = end_line(w, text);

	words_exec(w);
	buf_addf(w->text, " tf-state with-lock -part -operation=%s", operation);
	buf_str(w->text, buf_view(&w->state));
	buf_str(w->text, buf_view(&w->lock));
	if (w->options.ignore_remote)
		buf_puts(w->text, " -ignore-remote-version");
	if (w->options.json)
		buf_puts(w->text, " -messages");
	if (w->options.json_into.n)
		shell_word(w->text, str_printf(w->a, "-messages-into=%.*s",
					       STR_ARG(w->options.json_into)));
	buf_addf(w->text,
		 " -- sh /dev/fd/9 \"$TF_PARTS\" 9<<'%s'\n"
		 "set -u\nexec 9<&-\nTF_PARTS=$1\n"
		 "tmp=$TFPIPE_TMP begun=${TFPIPE_BEGUN-}\n"
		 "unset TFPIPE_TMP TFPIPE_BEGUN\n%.*s%s\n",
		 end, STR_ARG(text), end);
}

/* Passes planning options on as ignored: a saved plan is applied as it is (RFC
 * -exclude, Note 2), and programs give the same options to each apply. */
static void ignore_planning(struct words *w)
{
	struct buf names = BUF_INIT;

	if (w->options.target_files.len)
		note_planning(w, STR("target-file"));
	if (w->options.exclude_files.len)
		note_planning(w, STR("exclude-file"));
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
	if (o->json && !o->auto_approve && !operands->len)
		return diag_error(&w->ds, NULL,
				  "Plan file or auto-approve required",
				  "With -json nobody is asked for approval: "
				  "apply a saved plan, or give "
				  "-auto-approve.");
	if (!operands->len)
		return 0;
	ignore_planning(w);
	return words_check_saved(w, operands->items[0]);
}

/* The directories that are options or operands of single commands. */
static int change_directory(struct words *w, const struct str_vec *operands)
{
	struct str dir = w->command->bit & CMD_VALIDATE && operands->len
				 ? operands->items[0]
				 : w->options.config;

	if (!dir.n || words_chdir(w, dir) == 0)
		return 0;
	w->ds.items[w->ds.len - 1].summary =
		STR("Failed to read module directory");
	return -1;
}

/* The selectors' files, standard input by a descriptor that reaches
 * tf-graph. */
static void put_files(struct words *w, const char *name,
		      const struct str_vec *files)
{
	for (size_t i = 0; i < files->len; i++) {
		bool in = str_is(files->items[i], "-");
		struct str path = in ? STR("/dev/fd/5") : files->items[i];

		if (in)
			buf_puts(w->text, "exec 5<&0 </dev/null\n");
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
	return diag_error(&w->ds, NULL, "Unsupported graph type",
			  "-type is plan, plan-refresh-only, plan-destroy or "
			  "apply.");
}

bool words_may_ask(void)
{
	struct str v = str_c(getenv("TF_INPUT"));

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
	VEC(char *) argv = { 0 };

	w->options = (struct word_options){
		.lock = true,
		.refresh = true,
		.input = true,
	};
	o.tool = arena_printf(w->a, "tf %s", w->command->name);
	o.options = run_options_table(w->a, w->command->bit, &w->options);
	vec_push(w->a, &argv, NULL);
	if (w->help)
		vec_push(w->a, &argv, (char *)"-help");
	for (size_t i = 0; i < w->args.len; i++)
		vec_push(w->a, &argv,
			 arena_strndup(w->a, w->args.items[i].p,
				       w->args.items[i].n));
	w->usage = true;
	switch (opts_parse(w->a, &o, (int)argv.len, argv.items, operands, NULL,
			   &w->ds)) {
	case OPTS_DONE:
		return 0;
	case OPTS_BAD:
		return 1;
	case OPTS_RUN:
		break;
	}
	/* -input=true does not override it */
	if (!words_may_ask())
		w->options.input = false;
	if (run_options_check(w->command->bit, &w->options, &w->ds) ||
	    words_check_operands(w, operands) || graph_type(w))
		return 1;
	w->usage = false;
	if (w->command->bit & CMD_FUNCTIONS && !w->options.json)
		return diag_error(&w->ds, NULL, "Invalid arguments", "%s",
				  COMMAND " metadata functions needs -json."),
		       1;
	if (!(w->command->bit & (CMD_FUNCTIONS | CMD_VERSION)) &&
	    workspace_check(&w->ds))
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
	words_exec(w);
	buf_addf(w->text, " %s", w->command->program);
	if (w->command->bit & CMD_SHOW)
		words_show_target(w, operands);
	buf_str(w->text, buf_view(&w->program));
	buf_puts(w->text, " --");
	if (w->options.plan_file.n)
		shell_word(w->text, w->options.plan_file);
	/* OpenTofu's version accepts any operands. */
	for (size_t i = 0; i < operands->len; i++)
		if (!(w->command->bit & CMD_VERSION))
			shell_word(w->text, operands->items[i]);
	buf_putc(w->text, '\n');
}

/* destroy and refresh are ways of applying. */
static const char *part_name(const struct command *c)
{
	return c->bit & (CMD_DESTROY | CMD_REFRESH) ? "apply" : c->name;
}

static void put_run(struct words *w, const struct str_vec *operands)
{
	const struct word_options *o = &w->options;

	put_files(w, "target-file", &o->target_files);
	put_files(w, "exclude-file", &o->exclude_files);
	if (w->command->bit & CMD_DESTROY)
		to_stage(w, TO_GRAPH, STR("-destroy"));
	put_settings(w, operands);
	put_stages(w, operands->len && w->command->bit & CMD_APPLY);
	buf_addf(w->text, ". \"$TF_PARTS/%s.sh\"\n", part_name(w->command));
}

int words_asking(struct words *w)
{
	drop_inputs(w);
	if (put_tmp(w))
		return 1;
	put_settings(w, &w->args);
	buf_addf(w->text, ". \"$TF_PARTS/%s.sh\"\n", part_name(w->command));
	return 0;
}

/* Is the lock held around the pipe?  A saved plan may be on its way from who
 * holds it (tf plan -out=- | tf apply -): tf-apply takes it when the plan is
 * there. */
static bool locks(const struct words *w, const struct str_vec *operands)
{
	static const unsigned locked =
		CMD_PLAN | CMD_APPLY | CMD_DESTROY | CMD_REFRESH | CMD_IMPORT;

	return w->command->bit & locked && w->options.lock &&
	       !(w->command->bit & CMD_APPLY && operands->len) &&
	       !getenv("TFPIPE_LOCK_TOKEN");
}

static int put_part(struct words *w, const struct str_vec *operands)
{
	struct buf *text = w->text, inner = BUF_INIT;

	if (!locks(w, operands)) {
		if (put_tmp(w))
			return -1;
		put_run(w, operands);
		return 0;
	}
	w->text = &inner;
	put_run(w, operands);
	w->text = text;
	under_lock(w, buf_view(&inner));
	buf_release(&inner);
	return 0;
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
	if (w->command->program)
		put_program(w, &operands);
	else if (put_part(w, &operands))
		return 1;
	return -1;
}

void words_release(struct words *w)
{
	struct buf *const all[] = { &w->graph, &w->plan, &w->apply,  &w->ui,
				    &w->state, &w->lock, &w->program };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		buf_release(all[i]);
}
