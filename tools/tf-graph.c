/*
 * tf-graph - what depends on what (tf-graph(1))
 *
 * Adds the state, the selectors and the dependency graph to a stream; or draws
 * the graph, or says why one object depends on another.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/apply/apply.h"
#include "engine/order/apply_graph.h"
#include "engine/plan/graph_stage.h"
#include "engine/stage/chosen.h"
#include "engine/stage/stage.h"
#include "graph/plan_graph.h"
#include "state/backend/encryption.h"
#include "ui/diag_text.h"
#include "ui/front.h"

struct tool {
	struct arena arena;
	struct diags ds;
	struct str dir, state_path, format, why;
	struct str_vec given;
	struct selector_options so;
	bool again; /* the input has an apply phase already */
	bool json, show_sensitive, apply, leave_errors;
	struct stage in;
	struct apply_input planned; /* -apply */
	struct stream_out out;
	const struct graph *graph;
};

static void check_format(struct tool *t)
{
	static const char *const of_streams[] = { "json", "leave-errors",
						  "refresh", "replace",
						  "show-sensitive", NULL };

	if (t->format.n && !str_is(t->format, "dot") &&
	    !str_is(t->format, "mermaid"))
		diag_error(&t->ds, NULL, "Unknown format",
			   "-format is dot or mermaid.");
	if (!t->format.n && !t->why.n)
		return;
	for (size_t i = 0; of_streams[i]; i++)
		if (opts_given(&t->given, of_streams[i]))
			diag_error(&t->ds, NULL, "Unsupported option",
				   "-%s has no effect with -format and -why, "
				   "which write no stream.", of_streams[i]);
}

static int read_options(struct tool *t, int argc, char **argv)
{
	struct opt selectors[SELECTOR_OPTS];
	const struct opt table[] = {
		{ "C", OPT_STRING, &t->dir, "DIR",
		  "start from the configuration in DIR" },
		{ "apply", OPT_FLAG, &t->apply, NULL,
		  "of a plan: in which order tf-apply does it" },
		{ "format", OPT_STRING, &t->format, "dot|mermaid",
		  "draw instead of writing a stream" },
		{ "json", OPT_FLAG, &t->json, NULL,
		  "diagnostics as records instead of text on stderr" },
		{ "leave-errors", OPT_FLAG, &t->leave_errors, NULL,
		  "leave what is wrong with the graph to tf-plan" },
		{ "show-sensitive", OPT_FLAG, &t->show_sensitive, NULL,
		  "do not redact when stdout is a terminal" },
		{ "state", OPT_STRING, &t->state_path, "FILE",
		  "state file (local backend)" },
		{ "why", OPT_STRING, &t->why, "A,B",
		  "print how A depends on B" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	const struct opts o = { "tf-graph", "", table, selectors };
	int rc;

	selector_opts(&t->so, selectors);
	rc = front_options(&t->arena, &o, argc, argv, &t->dir, &t->given,
			   &t->ds);
	if (rc >= 0)
		return rc;
	check_format(t);
	diags_print(&t->ds, NULL);
	return diags_failed(&t->ds) ? 1 : -1;
}

/* A record of a plan: the state that the changes start from is needed too. */
static int read_planned(void *data, struct str kind, struct str line,
			struct diags *ds)
{
	struct tool *t = data;

	if (str_is(kind, "node") && !t->again &&
	    str_find(line, STR("\"phase\":\"apply\"")) >= 0) {
		t->again = true;
		return diag_error(ds, NULL, "Stage has run already",
				  "The input went through tf-graph -apply "
				  "once.");
	}
	if ((str_is(kind, "state") || str_is(kind, "previous_run_state")) &&
	    state_read_record(t->in.state, NULL, kind, line, ds) < 0)
		return -1;
	return apply_read(&t->planned, kind, line, ds);
}

static int check_apply_options(struct tool *t)
{
	const struct selector_options *o = &t->so;

	if (o->destroy || o->refresh_only || !o->refresh || o->target.len ||
	    o->exclude.len || o->target_files.len || o->exclude_files.len ||
	    o->replace.len || t->state_path.n || t->leave_errors)
		return diag_error(&t->ds, NULL, "Invalid combination of options",
				  "With -apply the plan says what is selected.");
	return 0;
}

/* The order in which tf-apply would do what a plan says. */
static int work_apply(struct tool *t)
{
	struct str_list *prior = &t->planned.prior;
	struct apply_graph *ag;
	int rc;

	if (check_apply_options(t))
		return -1;
	apply_input_init(&t->planned, &t->arena);
	t->in.config = t->planned.config;
	t->in.state = state_new(&t->arena);
	seal_all(t->out.seal);
	rc = stream_read(&t->arena, STDIN_FILENO, &t->in.info, &t->out,
			 read_planned, t, &t->ds);
	t->out.started = t->in.info.present;
	stream_begin(&t->out, "tf-graph", &t->given);
	if (rc)
		return rc;
	if (t->in.info.failed)
		return 1;
	t->planned.have_plan = true; /* without one nothing is changed */
	if (edits_check_apply(&t->arena, &t->out, &t->in.info,
			      &t->planned.edits, &t->ds) ||
	    apply_read_finish(&t->planned, &t->ds) ||
	    encryption_refuse(t->in.config, &t->ds))
		return -1;
	for (size_t i = 0; i < prior->len; i++)
		if (state_read_record(NULL, t->in.state, STR("prior_state"),
				      prior->items[i], &t->ds))
			return -1;
	ag = apply_input_graph(&t->arena, &t->planned, t->in.state, &t->ds);
	if (!ag)
		return -1;
	t->graph = ag->g;
	graph_records(&t->out, t->graph, "apply");
	return 0;
}

/* What the arguments of a backend, and the keys of providers, may be made of,
 * where tf-eval has not run.  Keys are shown where they are known: it is for
 * others to say that a value is missing. */
static int inputs(struct tool *t)
{
	struct inputs_options io = { .dir = STR("."), .environ = environ,
				     .sources = &t->in.config->sources };
	struct diags quiet = DIAGS_INIT(&t->arena);
	struct input_arg *args; /* those of `tf graph` */

	io.nargs = inputs_args(&t->arena, 0, NULL, &args);
	io.args = args;
	if (stream_has_stage(&t->in.info, "tf-eval"))
		return 0;
	if (t->in.config->root->backend &&
	    inputs_collect(&t->arena, &io, &t->in.inputs, &t->ds))
		return -1;
	if (chosen_any(t->in.config))
		stage_inputs(&t->in, &io, &quiet);
	return 0;
}

/* tf-plan builds the graph again, after it has validated the configuration by
 * the schemas: what is wrong with the graph may only come of what is wrong
 * there. */
static int write_graph(struct tool *t, bool state_loaded)
{
	struct diags later = DIAGS_INIT(&t->arena);
	struct plan_graph *pg = graph_stage_build(
		&t->in, t->leave_errors ? &later : &t->ds);

	if (state_loaded)
		state_records(&t->out, t->in.state);
	if (!pg)
		return t->leave_errors ? 0 : -1;
	if (chosen_any(t->in.config))
		chosen_note(&t->arena, pg, &t->in.inputs,
			    t->in.state->workspace);
	t->graph = pg->g;
	graph_records(&t->out, t->graph, "plan");
	return 0;
}

/* The work, writing a stream as it goes. */
static int work(struct tool *t, bool from_dir)
{
	static const char *const eval_options[] = { NULL };
	bool loaded = false;
	int rc;

	if (!from_dir)
		stage_state_ahead(&t->in, t->state_path);
	rc = stage_read(&t->in, from_dir, &t->out, &t->ds);
	stream_begin(&t->out, "tf-graph", &t->given);
	if (rc)
		return rc;
	if (stage_check_options(&t->in, "tf-eval", eval_options, &t->given,
				&t->ds) ||
	    selectors_parse(&t->arena, &t->so, &t->in.selectors, &t->ds) ||
	    inputs(t) || stage_check(&t->in, &t->ds))
		return -1;
	selectors_write(&t->out, &t->in.selectors);
	out_flush(&t->out.out); /* the next stage can begin with something */
	if (!t->in.state) {
		if (stage_load_state(&t->in, t->state_path, &t->ds))
			return -1;
		loaded = true;
	}
	return write_graph(t, loaded);
}

/* Text instead of a stream. */
static int draw(struct tool *t)
{
	struct out out = OUT_INIT(STDOUT_FILENO);
	struct buf b = BUF_INIT;
	int rc = 0;

	if (t->why.n)
		rc = graph_why_text(&t->arena, t->graph, t->why, &b,
				    &t->ds);
	else if (str_is(t->format, "dot"))
		graph_dot(&b, t->graph);
	else
		graph_mermaid(&b, t->graph);
	out_str(&out, buf_view(&b));
	if (out_flush(&out)) {
		perror("tf-graph: standard output");
		rc = 1;
	}
	out_release(&out);
	buf_release(&b);
	return rc ? 1 : 0;
}

static int run(struct tool *t)
{
	bool from_dir = stream_choose(t->dir) == STREAM_FROM_DIR;
	bool text = t->format.n || t->why.n, failed;
	int rc, fd = STDOUT_FILENO;

	t->in.arena = &t->arena;
	t->in.tool = STR("tf-graph");
	if (text) {
		fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
		if (fd < 0) {
			perror("/dev/null");
			return 1;
		}
	}
	stream_out_init(&t->out, fd, t->show_sensitive);
	rc = t->apply ? work_apply(t) : work(t, from_dir);
	failed = rc || diags_failed(&t->ds);
	if (text && !failed)
		failed = draw(t);
	failed = front_end(&t->out, "tf-graph", &t->ds,
			   t->in.config ? &t->in.config->sources : NULL,
			   t->json && !text, NULL, failed);
	if (text)
		close(fd);
	return failed;
}

int main(int argc, char **argv)
{
	struct tool t = { .arena = ARENA_INIT, .so = { .refresh = true } };
	int rc;

	io_init();
	t.ds.arena = &t.arena;
	rc = read_options(&t, argc, argv);
	if (rc < 0)
		rc = run(&t);
	apply_input_release(&t.planned);
	stream_out_release(&t.out);
	arena_release(&t.arena);
	return rc;
}
