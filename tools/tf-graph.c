/*
 * tf-graph - what depends on what (tf-graph(1))
 *
 * Adds the state, the selectors and the dependency graph to a stream; or draws
 * the graph, or explains why one object depends on another.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/confine.h"
#include "base/workdir.h"
#include "encrypt/encrypt.h"
#include "engine/apply/apply.h"
#include "engine/plan/plan.h"
#include "engine/stage/stage.h"
#include "graph/draw.h"
#include "graph/picture/picture.h"
#include "state/backend/lock.h"
#include "stream/stream.h"
#include "trace/trace.h"
#include "ui/diag_text.h"
#include "ui/display.h"

struct tool {
	struct arena arena;
	struct diags ds;
	struct workdir workdir;
	struct str dir, format, plan, why;
	struct str_vec given;
	long max_nodes;
	bool json, show_sensitive, apply, plain, seal;
	struct graph_steps g;
	struct apply_input planned; /* -apply, -plan */
	struct stream_out out;
};

static void check_format(struct tool *t)
{
	static const char *const of_streams[] = {
		"json",    "leave-errors",   "refresh",
		"replace", "show-sensitive", NULL
	};

	if (t->format.n && !str_is(t->format, "dot") &&
	    !str_is(t->format, "mermaid") && !str_is(t->format, "svg"))
		diag_error(&t->ds, NULL, "Unknown format",
			   "-format is dot, mermaid or svg.");
	if (t->plain && !str_is(t->format, "dot") &&
	    !str_is(t->format, "mermaid"))
		diag_error(&t->ds, NULL, "Unsupported option",
			   "-plain is for -format=dot and -format=mermaid.");
	if (opts_given(&t->given, "max-nodes") && (!t->format.n || t->plain))
		diag_error(
			&t->ds, NULL, "Unsupported option",
			"-max-nodes is for a picture: -format, and no -plain.");
	else if (t->max_nodes < 0)
		diag_error(&t->ds, NULL, "Invalid option",
			   "-max-nodes is a number of boxes, or 0.");
	if (t->plan.n && !t->format.n && !t->why.n && !t->apply)
		diag_error(&t->ds, NULL, "Unsupported option",
			   "-plan is for -format, -why and -apply.");
	if (!t->format.n && !t->why.n)
		return;
	for (size_t i = 0; of_streams[i]; i++)
		if (opts_given(&t->given, of_streams[i]))
			diag_error(
				&t->ds, NULL, "Unsupported option",
				"-%s has no effect with -format and -why, which write no stream.",
				of_streams[i]);
}

static int read_options(struct tool *t, int argc, char **argv)
{
	struct opt selectors[SELECTOR_OPTS];
	const struct opt table[] = {
		{ "C", OPT_STRING, &t->dir, "DIR",
		  "start from the configuration in DIR" },
		{ "apply", OPT_FLAG, &t->apply, NULL,
		  "of a plan: in which order tf-apply does it" },
		{ "format", OPT_STRING, &t->format, "dot|mermaid|svg",
		  "draw instead of writing a stream" },
		{ "json", OPT_FLAG, &t->json, NULL,
		  "diagnostics as records instead of text on stderr" },
		{ "lean", OPT_FLAG, &t->g.in.lean, NULL,
		  "in tf's own pipe: write what tf-plan takes, no more",
		  .flags = OPT_HIDDEN },
		{ "leave-errors", OPT_FLAG, &t->g.leave_errors, NULL,
		  "leave what is wrong with the graph to tf-plan" },
		{ "max-nodes", OPT_INT, &t->max_nodes, "N",
		  "fold what is more than N boxes (default 60; 0: nothing)" },
		{ "plain", OPT_FLAG, &t->plain, NULL,
		  "draw each node and edge, and nothing else" },
		{ "plan", OPT_STRING, &t->plan, "FILE",
		  "draw what this plan is about, and what it does" },
		{ "seal", OPT_FLAG, &t->seal, NULL,
		  "find out what was edited, and let the next stage do so (default true)" },
		{ "show-sensitive", OPT_FLAG, &t->show_sensitive, NULL,
		  "do not redact when stdout is a terminal" },
		{ "state", OPT_STRING, &t->g.state_path, "FILE",
		  "state file (local backend)" },
		{ "why", OPT_STRING, &t->why, "A,B",
		  "print how A depends on B" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	const struct opts o = { "tf-graph", "", table, selectors };
	int rc;

	selector_opts(&t->g.so, selectors);
	rc = front_options(&t->arena, &o, argc, argv, &t->dir, &t->given,
			   &t->ds);
	if (rc >= 0)
		return rc;
	check_format(t);
	diags_print(&t->ds, NULL);
	return diags_failed(&t->ds) ? 1 : -1;
}

/* What a plan says already. */
static int check_plan_options(struct tool *t)
{
	const struct selector_options *o = &t->g.so;

	if (o->destroy || o->refresh_only || o->refresh.n ||
	    o->minimal_refresh || o->target.len || o->exclude.len ||
	    o->target_files.len || o->exclude_files.len || o->replace.len ||
	    o->replace_files.len || t->g.state_path.n || t->g.leave_errors)
		return diag_error(&t->ds, NULL,
				  "Invalid combination of options",
				  "With %s the plan says what is selected.",
				  t->apply ? "-apply" : "-plan");
	return 0;
}

/* The plan becomes the standard input, before that is confined, decrypted where
 * it is encrypted. */
static int open_plan(struct tool *t, int argc, char **argv)
{
	struct saved_files files = { .arena = &t->arena,
				     .argc = argc,
				     .argv = argv };
	const struct str name = t->plan.n ? t->plan : STR("-");
	const int fd = saved_files_find(name, &t->ds);
	struct saved in = { .fd = -1 };
	int rc = fd < 0 || saved_files_stream(&files, fd, name, &in, &t->ds);

	if (!rc && in.fd != STDIN_FILENO && dup2(in.fd, STDIN_FILENO) < 0)
		rc = diag_error(&t->ds, NULL, "Failed to read plan", "%s.",
				strerror(errno));
	saved_release(&in, fd);
	if (fd > STDIN_FILENO)
		close(fd);
	return rc ? -1 : 0;
}

/* Text instead of a stream. */
static int draw(struct tool *t)
{
	struct out out = OUT_INIT_AS(STDOUT_FILENO, OUT_TEXT);
	struct buf b = BUF_INIT;
	int rc = 0;

	if (t->why.n)
		rc = graph_why_text(&t->arena, t->g.graph, t->why, &b, &t->ds);
	else if (t->plain && str_is(t->format, "dot"))
		graph_dot(&b, t->g.graph);
	else if (t->plain)
		graph_mermaid(&b, t->g.graph);
	else
		graph_picture(&t->arena, t->g.graph, t->g.tallies,
			      (size_t)t->max_nodes,
			      str_is(t->format, "dot")       ? PICTURE_DOT
			      : str_is(t->format, "mermaid") ? PICTURE_MERMAID
							     : PICTURE_SVG,
			      &b);
	out_str(&out, buf_view(&b));
	rc |= diags_written(&t->arena, &out);
	out_release(&out);
	buf_release(&b);
	return rc ? 1 : 0;
}

static int run(struct tool *t, int argc, char **argv)
{
	bool from_dir = stream_choose(t->dir) == STREAM_FROM_DIR;
	bool text = t->format.n || t->why.n, failed;
	bool of_plan = t->apply || t->plan.n;
	int rc = -1, fd = STDOUT_FILENO;

	t->g.arena = &t->arena;
	t->g.ds = &t->ds;
	t->g.out = &t->out;
	t->g.given = &t->given;
	t->g.in.workdir = &t->workdir;
	workdir_open(&t->arena, &t->workdir);
	if (text) {
		fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
		if (fd < 0) {
			perror("/dev/null");
			return 1;
		}
	}
	if (of_plan)
		open_plan(t, argc, argv);
	stream_out_init(&t->out, fd, t->show_sensitive);
	if (!t->seal)
		stream_without_seal(&t->out);
	/* Under a lock what the journal has is written to the state, before
	 * the input is read (graph_steps.c), and a state may be elsewhere. */
	t->g.encrypts = !of_plan && encryption_mentioned();
	t->g.asks_hosts =
		!of_plan &&
		(t->g.encrypts ||
		 current_asks_hosts(&t->arena, &t->workdir, t->g.state_path));
	confine(&(struct confine){ .any_file = !of_plan && lock_token().n,
				   .programs = t->g.asks_hosts,
				   .network = t->g.asks_hosts });
	if (diags_failed(&t->ds))
		rc = -1;
	else if (!of_plan)
		rc = graph_steps_plan(&t->g, from_dir);
	else if (!check_plan_options(t))
		rc = t->apply ? graph_steps_apply(&t->g, &t->planned)
			      : graph_steps_planned(&t->g, &t->planned);
	failed = rc || diags_failed(&t->ds);
	if (text && !failed)
		failed = draw(t);
	failed = front_end(&t->out, "tf-graph", &t->ds,
			   t->g.in.config ? &t->g.in.config->sources : NULL,
			   t->json && !text, NULL, failed);
	if (text)
		close(fd);
	return failed;
}

int main(int argc, char **argv)
{
	struct tool t = { .arena = ARENA_INIT,
			  .seal = true,
			  .max_nodes = PICTURE_BOXES };
	int rc;

	io_init();
	trace_begin("tf-graph");
	t.ds.arena = &t.arena;
	rc = read_options(&t, argc, argv);
	if (rc < 0)
		rc = run(&t, argc, argv);
	apply_input_release(&t.planned);
	stream_out_release(&t.out);
	if (t.g.in.encryption) {
		close(STDOUT_FILENO); /* the next stage goes on meanwhile */
		encryption_handed_on(t.g.in.encryption);
	}
	arena_release(&t.arena);
	return trace_end(rc);
}
