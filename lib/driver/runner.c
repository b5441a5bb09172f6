/* runner.c - see runner.h */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/runner.h"
#include "base/io.h"
#include "base/product.h"
#include "base/arena.h"
#include "base/workdir.h"
#include "encrypt/encrypt.h"
#include "ui/ask.h"

/* --- programs --- */

enum { NONE, SIGNALS = 4 };

static const int requests_to_stop[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1, 0 };
static const int hang_up[] = { SIGHUP, 0 };

static const struct program {
	const char *name;
	int told;   /* the signal by which it hears of a request to stop */
	bool lists; /* variables without a value: -missing-file */
	bool opens; /* what is encrypted: it gets the keys of the others */
} programs[] = {
	{ "tf-parse", NONE, true, false },
	{ "tf-eval", NONE, true, false },
	{ "tf-graph", NONE, false, true },
	{ "tf-plan", SIGUSR1, false, true },
	{ "tf-apply", SIGUSR1, false, true },
	{ "tf-init", SIGTERM, true, false },
};

static const struct program *program(const struct pipeline_stage *s)
{
	static const struct program other;

	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++)
		if (strcmp(programs[i].name, s->argv[0]) == 0)
			return &programs[i];
	return &other;
}

/* --- requests to stop --- */

/* SIGHUP is one request however often it comes (engine/change/stop.c). */
static volatile sig_atomic_t requests, hung_up;
/* Whose stages are told. */
static struct pipeline *volatile at_work;
/* Was SIGHUP ignored when tf was started (nohup(1))? */
static bool hang_up_ignored;

static void tell(struct pipeline *p)
{
	for (size_t i = 0; i < p->stages.len; i++)
		if (program(p->stages.items[i])->told)
			pipeline_signal(p->stages.items[i],
					program(p->stages.items[i])->told);
}

static void on_request(int sig)
{
	const int saved = errno;

	if (sig != SIGHUP || !hung_up) {
		requests = requests + 1;
		if (at_work)
			tell(at_work);
	}
	if (sig == SIGHUP)
		hung_up = 1;
	errno = saved;
}

void runner_listen(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	const struct sigaction act = { .sa_handler = on_request };
	struct sigaction before;

	sigaction(SIGHUP, NULL, &before);
	hang_up_ignored = before.sa_handler == SIG_IGN;
	for (size_t i = 0; i < 3; i++)
		if (signals[i] != SIGHUP || !hang_up_ignored)
			sigaction(signals[i], &act, NULL);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
}

/* Its stages are told from now on, and once of what came before. */
static void work_is(struct pipeline *p)
{
	sigset_t held, before;

	sigemptyset(&held);
	for (int i = 0; i < SIGNALS; i++)
		sigaddset(&held, requests_to_stop[i]);
	sigprocmask(SIG_BLOCK, &held, &before);
	for (int i = 0; p && p != at_work && i < requests; i++)
		tell(p);
	at_work = p;
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* --- stages --- */

/* The stage's words and one more. */
static const char *const *with_word(struct runner *r, const char *const *argv,
				    const char *word)
{
	size_t n = 0;
	const char **more;

	while (argv[n])
		n++;
	more = arena_alloc(r->arena, (n + 2) * sizeof(*more));
	memcpy(more, argv, n * sizeof(*more));
	more[n] = word;
	more[n + 1] = NULL;
	return more;
}

static bool is_display(const struct pipeline_stage *s)
{
	return strcmp(s->argv[0], "tf-ui") == 0;
}

/* Copies the section, whose stages will be started; missing: where they list
 * variables without a value, or NULL. */
static struct pipeline *prepare(struct runner *r,
				const struct pipeline *section,
				const char *missing)
{
	struct pipeline *p = arena_alloc(r->arena, sizeof(*p));

	*p = (struct pipeline)PIPELINE_INIT(r->arena);
	for (size_t i = 0; i < section->stages.len; i++) {
		const struct pipeline_stage *from = section->stages.items[i];
		struct pipeline_stage *s = pipeline_add(p, from->argv);

		s->ignores = is_display(s)     ? requests_to_stop
			     : hang_up_ignored ? hang_up
					       : NULL;
		if (program(s)->told == SIGUSR1)
			s->holds = requests_to_stop;
		if (program(s)->opens && r->keys[0] >= 0)
			s->keeps = r->keys;
		if (is_display(s) && r->begun)
			s->argv = with_word(r, s->argv, "-begun");
		if (missing && program(s)->lists)
			s->argv = with_word(r, s->argv,
					    arena_printf(r->arena,
							 "-missing-file=%s",
							 missing));
	}
	return p;
}

static int start(struct runner *r, struct pipeline *p)
{
	if (pipeline_start(p) == 0)
		return 0;
	return diag_error(r->ds, NULL, "Failed to start a stage",
			  "Cannot run %s: %s.", p->failed->argv[0],
			  strerror(errno));
}

/* --- what the runner says --- */

/* An error, as a stage would report it.  The texts are ours: nothing in them
 * needs quoting in JSON. */
static int fail(struct runner *r, const char *summary, const char *detail)
{
	const char *text = arena_printf(
		r->arena,
		"{\"record\":\"header\",\"format\":\"tfpipe-stream\","
		"\"version\":1}\n"
		"{\"record\":\"diagnostic\",\"severity\":\"error\","
		"\"summary\":\"%s\",\"detail\":\"%s\"}\n"
		"{\"record\":\"end\",\"failed\":true}\n",
		summary, detail);
	struct pipeline section = PIPELINE_INIT(r->arena), *p;
	int fds[2];

	pipeline_add(&section, r->voice);
	p = prepare(r, &section, NULL);
	if (pipe2(fds, O_CLOEXEC))
		return diag_error(r->ds, NULL, summary, "%s", detail);
	p->in = fds[0];
	if (start(r, p)) {
		close(fds[0]);
		close(fds[1]);
		return -1;
	}
	close(fds[0]);
	io_write_all(fds[1], text, strlen(text));
	close(fds[1]);
	pipeline_wait(p);
	return 1;
}

static int halt(struct runner *r)
{
	fputs("\nInterrupt received.\n", stderr);
	return fail(r, "execution halted", "Nothing has been changed.");
}

/* --- questions --- */

static void say(struct runner *r, const char *text)
{
	io_write_all(r->to, text, strlen(text));
}

/* Who is asked: the terminal, or who is at our standard input and output. */
static int find_people(struct runner *r)
{
	r->from = STDIN_FILENO;
	r->to = STDOUT_FILENO;
	if (!r->terminal)
		return 0;
	r->from = r->to = open("/dev/tty", O_RDWR | O_CLOEXEC);
	return r->from < 0 ? -1 : 0;
}

/* Turns \n and \\ into what they stand for (inputs.c). */
static const char *unescape(struct arena *a, struct str s)
{
	char *text = arena_alloc(a, s.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\\' && i + 1 < s.n)
			text[n++] = s.p[++i] == 'n' ? '\n' : s.p[i];
		else
			text[n++] = s.p[i];
	}
	text[n] = '\0';
	return text;
}

/* The number of the next value in the environment (inputs.h). */
static size_t next_input(struct runner *r)
{
	size_t n = 1;
	const char *v;

	while ((v = getenv(arena_printf(r->arena, "TFPIPE_INPUT_%zu", n))) &&
	       *v)
		n++;
	return n;
}

static void keep_answer(struct runner *r, struct str name, struct buf *answer)
{
	char *word = arena_printf(r->arena, "-answer=%.*s=%.*s", STR_ARG(name),
				  STR_ARG(buf_view(answer)));

	setenv(arena_printf(r->arena, "TFPIPE_INPUT_%zu", next_input(r)), word,
	       1);
	explicit_bzero(word, strlen(word));
}

static struct str cut(struct str *rest, char at)
{
	ptrdiff_t i = str_chr(*rest, at);
	struct str first = i < 0 ? *rest : str_sub(*rest, 0, (size_t)i);

	*rest = i < 0 ? STR_NONE : str_sub(*rest, (size_t)i + 1, rest->n);
	return first;
}

/* line: name, kind, description with tabs between.  Returns whether there is an
 * answer. */
static bool ask_variable(struct runner *r, struct str line)
{
	struct str name = cut(&line, '\t'), kind = cut(&line, '\t');
	const bool ephemeral = str_ends(kind, ",ephemeral");
	struct buf answer = BUF_INIT;
	bool answered;

	say(r, arena_printf(r->arena, "var.%.*s%s\n", STR_ARG(name),
			    ephemeral ? " (ephemeral)" : ""));
	if (line.n)
		say(r, arena_printf(r->arena, "  %s\n\n",
				    unescape(r->arena, line)));
	say(r, "  Enter a value: ");
	answered =
		ui_answer(r->from, str_starts(kind, "sensitive"), &answer) > 0;
	if (answered)
		keep_answer(r, name, &answer);
	say(r, "\n");
	if (answer.cap)
		explicit_bzero(answer.p, answer.cap);
	buf_release(&answer);
	return answered;
}

/* Asks for what the file lists.  Returns the number of answers. */
static size_t ask_variables(struct runner *r, const char *file)
{
	struct buf b = BUF_INIT;
	struct str rest;
	size_t n = 0;

	if (io_read_file(file, &b, 0) == 0) {
		rest = buf_view(&b);
		while (rest.n && !requests)
			n += ask_variable(r, cut(&rest, '\n'));
	}
	buf_release(&b);
	unlink(file);
	return n;
}

/* OpenTofu's question and what counts as an answer. */
static const char *question(struct runner *r)
{
	const struct str workspace = r->workdir->workspace;
	const char *where =
		str_is(workspace, "default")
			? ""
			: arena_printf(r->arena, " in workspace \"%.*s\"",
				       STR_ARG(workspace));

	if (str_is(r->confirm, "destroy"))
		return arena_printf(
			r->arena,
			"\nDo you really want to destroy all resources%s?\n"
			"  %s will destroy all your managed infrastructure, as shown above.\n"
			"  There is no undo. Only 'yes' will be accepted to confirm.\n\n",
			where, product_name());
	if (str_is(r->confirm, "refresh-only"))
		return arena_printf(
			r->arena,
			"\nWould you like to update the %s state to reflect these detected changes?\n"
			"  %s will write these changes to the state without modifying any real infrastructure.\n"
			"  There is no undo. Only 'yes' will be accepted to confirm.\n\n",
			product_name(), product_name());
	return arena_printf(r->arena,
			    "\nDo you want to perform these actions%s?\n"
			    "  %s will perform the actions described above.\n"
			    "  Only 'yes' will be accepted to approve.\n\n",
			    where, product_name());
}

enum answer { ANSWER_YES, ANSWER_NO, ANSWER_NONE };

static enum answer ask(struct runner *r)
{
	struct buf b = BUF_INIT;
	enum answer answer = ANSWER_NONE;

	say(r, question(r));
	say(r, "  Enter a value: ");
	if (ui_answer(r->from, false, &b) > 0)
		answer = str_is(buf_view(&b), "yes") ? ANSWER_YES : ANSWER_NO;
	if (!requests)
		say(r, "\n");
	buf_release(&b);
	return answer;
}

/* --- the run --- */

/* Both sections at work.  tf-apply reads while tf-plan is at work, all but the
 * end of the plan, without which it does nothing.  Its display is there from
 * the beginning: what passes tf-apply may be more than a pipe holds. */
struct running {
	struct pipeline *first, *second; /* second: may be NULL */
	int feed;                        /* the plan for the second; -1 */
};

static struct pipeline_stage *last(const struct pipeline *p)
{
	return p->stages.items[p->stages.len - 1];
}

static void close_feed(struct running *run)
{
	if (run->feed >= 0)
		close(run->feed);
	run->feed = -1;
}

/* Nobody has the end of the plan: its display has nothing to say, and tf-apply
 * nothing to do. */
static void drop(struct running *run)
{
	if (!run->second)
		return;
	pipeline_signal(last(run->second), SIGPIPE);
	close_feed(run);
	pipeline_wait(run->second);
	run->second = NULL;
}

static int begin_second(struct runner *r, struct running *run)
{
	struct pipeline_stage *display = last(run->first);
	int *keeps = arena_alloc(r->arena, 2 * sizeof(*keeps)), fds[2];

	run->second = prepare(r, &r->second, NULL);
	if (pipe2(fds, O_CLOEXEC))
		return diag_error(r->ds, NULL, "Failed to start a stage",
				  "There is no pipe: %s.", strerror(errno));
	run->feed = fds[1];
	run->second->in = fds[0];
	keeps[0] = run->feed;
	keeps[1] = -1;
	display->keeps = keeps;
	display->argv = with_word(r, display->argv,
				  arena_printf(r->arena, "-feed=/dev/fd/%d",
					       run->feed));
	if (start(r, run->second)) {
		run->second = NULL;
		close_feed(run);
	}
	close(fds[0]);
	return run->second ? 0 : -1;
}

/* What the first stage has to say when it has failed quietly: it is asked once
 * more. */
static void say_again(struct runner *r, struct pipeline *p)
{
	struct pipeline section = PIPELINE_INIT(r->arena);
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (null < 0)
		return;
	pipeline_add(&section, p->stages.items[0]->argv);
	section.out = null;
	if (!start(r, &section))
		pipeline_wait(&section);
	close(null);
}

/* Waits for a section.  What reads from a stage that was ended can only say
 * that its input ends. */
static int wait_for(struct runner *r, struct pipeline *p)
{
	int status;

	work_is(p);
	status = pipeline_wait(p);
	work_is(NULL);
	for (size_t i = 0; i < p->stages.len; i++) {
		const struct pipeline_stage *s = p->stages.items[i];
		const int sig = s->status - 128;

		if (sig > 0 && sig != SIGPIPE && !requests)
			diag_error(r->ds, NULL, "A stage was ended by a signal",
				   "%s: %s.", s->argv[0], strsignal(sig));
	}
	return status;
}

/* Runs the first section, with the second waiting behind it.  -1: nothing is
 * left at work. */
static int plan(struct runner *r, struct running *run, const char *missing)
{
	int status;

	if (requests)
		return halt(r);
	*run = (struct running){ prepare(r, &r->first, missing), NULL, -1 };
	run->first->stages.items[0]->no_errors = r->quiet;
	if (r->second.stages.len && begin_second(r, run))
		return -1;
	if (start(r, run->first)) {
		drop(run);
		return -1;
	}
	status = wait_for(r, run->first);
	if (r->quiet && run->first->stages.items[0]->status)
		say_again(r, run->first);
	if (status != 0 && status != 2)
		drop(run);
	return status;
}

static bool has_lines(const char *file)
{
	struct stat st;

	return stat(file, &st) == 0 && st.st_size > 0;
}

/* When planning fails because root variables have no value, asks for them and
 * plans again: nobody waits for a question that is not asked.  Those that are
 * needed to read the configuration come first. */
static int plan_with_answers(struct runner *r, struct running *run,
			     const char *missing)
{
	for (;;) {
		int status = plan(r, run, missing);

		if (!has_lines(missing))
			return status;
		drop(run);
		if (!ask_variables(r, missing))
			return requests ? halt(r) : plan(r, run, NULL);
		if (requests)
			return halt(r);
	}
}

static int plan_asking(struct runner *r, struct running *run)
{
	static const char *const no_fifos[] = { NULL };
	const char *dir;
	int status;

	if (!r->ask)
		return plan(r, run, NULL);
	if (scratch_make(r->arena, no_fifos, &dir))
		return diag_error(r->ds, NULL,
				  "Cannot make a temporary directory",
				  "%s: %s.", dir, strerror(errno));
	status = plan_with_answers(r, run,
				   arena_printf(r->arena, "%s/missing", dir));
	scratch_remove(r->arena, dir);
	return status;
}

/* Returns -1: go ahead; else the status. */
static int confirm(struct runner *r, struct running *run)
{
	enum answer answer = ask(r);

	if (answer == ANSWER_YES && !requests)
		return -1;
	drop(run);
	if (requests)
		return halt(r);
	if (answer == ANSWER_NONE)
		return fail(
			r, "error asking for approval: EOF",
			"Nobody answered. -auto-approve applies without asking.");
	say(r, str_is(r->confirm, "destroy") ? "Destroy cancelled.\n"
					     : "Apply cancelled.\n");
	return 1;
}

/* The end of the plan is the go-ahead.  If tf-apply has refused what it has
 * read already, it says why. */
static int go_ahead(struct runner *r, struct running *run)
{
	static const char end[] = "{\"record\":\"end\"}\n";

	work_is(run->second);
	io_write_all(run->feed, end, sizeof(end) - 1);
	close_feed(run);
	return wait_for(r, run->second);
}

int runner_run(struct runner *r)
{
	struct running run;
	int status, rc;

	r->keys[0] = key_ring_make(r->second.stages.len);
	r->keys[1] = -1;
	if (find_people(r))
		return fail(
			r, "Nobody can be asked",
			"-ask asks at the terminal, and there is none. -auto-approve applies without asking.");
	status = plan_asking(r, &run);
	if (!r->second.stages.len || (status != 0 && status != 2) ||
	    !run.second)
		return status;
	if (r->confirm.n && status == 2 && (rc = confirm(r, &run)) >= 0)
		return rc;
	if (requests) {
		drop(&run);
		return halt(r);
	}
	return go_ahead(r, &run);
}

/* --- words --- */

/* Adds the stages of a section, whose words end with ::: or NULL, which is
 * returned. */
static char **add_section(struct runner *r, struct pipeline *p, char **words)
{
	VEC(const char *) argv = { 0 };

	*p = (struct pipeline)PIPELINE_INIT(r->arena);
	for (;; words++) {
		const bool ends = !*words || strcmp(*words, ":::") == 0;

		if (!ends && strcmp(*words, "::") != 0) {
			vec_push(r->arena, &argv, *words);
			continue;
		}
		if (argv.len) {
			vec_push(r->arena, &argv, NULL);
			pipeline_add(p, argv.items);
		}
		argv.items = NULL;
		argv.len = argv.cap = 0;
		if (ends)
			return words;
	}
}

int runner_words(struct runner *r, char **words)
{
	struct pipeline voice = PIPELINE_INIT(r->arena);

	words = add_section(r, &r->first, words);
	r->second = (struct pipeline)PIPELINE_INIT(r->arena);
	if (*words)
		words = add_section(r, &voice, words + 1);
	if (*words) {
		r->second = voice;
		words = add_section(r, &voice, words + 1);
	}
	if (*words || !r->first.stages.len || voice.stages.len != 1)
		return diag_error(r->ds, NULL, "Invalid pipeline",
				  "The words are one or two sections of stages "
				  "and a display, with ::: between them.");
	r->voice = (const char **)voice.stages.items[0]->argv;
	return 0;
}
