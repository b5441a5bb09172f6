/* stages.c - the pipeline of a run */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "addr/reference.h"
#include "base/child.h"
#include "base/io.h"
#include "config/load/load.h"
#include "config/record/records.h"
#include "config/source/manifest.h"
#include "engine/stage/stage.h"
#include "state/backend/lock.h"
#include "state/file/file.h"
#include "stream/stream.h"
#include "stream/record.h"
#include "suite/suite_int.h"

/* --- states in memory (state/backend/handover.c) --- */

/* What stages are handed: a state of the backend that has no place. */
static int hand_on(struct test_state *st, struct str text)
{
	static const char header[] =
		"{\"type\":\"inmem\",\"name\":\"inmem\","
		"\"workspace\":\"default\",\"version\":\"\",\"lock\":\"\"}\n";

	return ftruncate(st->fd, 0) ||
			       io_write_all(st->fd, header,
					    sizeof(header) - 1) ||
			       io_write_all(st->fd, text.p, text.n)
		       ? -1
		       : 0;
}

enum { HIGH_FD = 64 };

struct test_state *state_of(struct test_file *f, struct str key)
{
	struct arena *a = f->suite->arena;
	struct test_state *st;
	int low;

	for (size_t i = 0; i < f->states.len; i++)
		if (str_eq(f->states.items[i]->key, key))
			return f->states.items[i];
	st = ARENA_NEW(a, struct test_state);
	st->key = key;
	st->state = state_new(a);
	low = memfd_create("state", MFD_CLOEXEC);
	st->fd = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, HIGH_FD);
	if (low >= 0)
		close(low);
	if (st->fd >= 0)
		hand_on(st, STR(""));
	vec_push(a, &f->states, st);
	return st;
}

int stages_take_state(struct test_run *r, struct diags *ds)
{
	struct test_state *st = r->state;
	struct buf all = BUF_INIT;
	struct state *s = NULL;
	struct str text;
	ptrdiff_t nl;

	if (lseek(st->fd, 0, SEEK_SET) == 0 && !io_read_fd(st->fd, &all, 0)) {
		text = buf_dup(r->suite->arena, &all);
		nl = str_chr(text, '\n');
		text = str_sub(text, (size_t)(nl + 1), text.n);
		s = text.n ? state_parse(r->suite->arena, text, "the state", ds)
			   : st->state;
	}
	buf_release(&all);
	if (!s)
		return diag_error(ds, NULL,
				  "Failure during state serialization",
				  "The state of this run cannot be read.");
	st->state = s;
	return 0;
}

/* --- the first stage --- */

struct loading {
	struct test_run *run;
	struct diags ds; /* of the transformation */
};

static void loaded(void *data, struct config *c, struct diags *ds)
{
	struct loading *x = data;

	(void)ds;
	test_apply(c, x->run->file->config, x->run->block, &x->ds);
}

static int module_dir(struct test_run *r, struct str *dir, struct diags *ds)
{
	struct map installed = { 0 };
	const struct installed *rec;

	*dir = STR(".");
	if (!r->block->alternate)
		return 0;
	if (manifest_read(&r->arena, r->suite->o->workdir, &installed, ds))
		return -1;
	rec = map_get(&installed,
		      test_module_key(&r->arena, r->file->config, r->block));
	if (!rec || !rec->dir.n)
		return diag_error(ds, &r->block->module_at,
				  "Module not installed",
				  "This module is not installed. Run \"init\" "
				  "to install all modules of the tests.");
	*dir = rec->dir;
	return 0;
}

/* Files are shared with the suite's own configuration, for what is quoted. */
static void share_sources(struct test_run *r)
{
	const struct map *all = &r->suite->config->sources.by_name;

	for (size_t i = 0; i < all->len; i++)
		if (!sources_get(&r->config->sources, all->entries[i].key))
			sources_put(&r->arena, &r->config->sources,
				    all->entries[i].value);
}

static int load(struct test_run *r, struct diags *ds)
{
	struct loading x = { r, DIAGS_INIT(&r->arena) };
	struct config_options o = { .workdir = r->suite->o->workdir,
				    .loaded = loaded,
				    .loaded_data = &x };
	struct diags own = DIAGS_INIT(&r->arena);
	bool failed;

	if (module_dir(r, &o.dir, ds))
		return -1;
	if (r->block->alternate)
		o.key = test_module_key(&r->arena, r->file->config, r->block);
	r->config = load_configuration(&r->arena, r->suite->o->args,
				       r->suite->o->nargs, &o, &own);
	share_sources(r);
	failed = diags_failed(&own) || diags_failed(&x.ds);
	if (r->destroys) {
		own.len = 0;
		if (r->config->test)
			r->config->test->asserts.len = 0;
	}
	diags_append(ds, &x.ds);
	if (diags_failed(&own) && !diags_failed(&x.ds))
		diags_append(ds, &own);
	return failed ? -1 : 0;
}

static int memory(const char *name)
{
	return memfd_create(name, MFD_CLOEXEC);
}

static int write_stream(struct test_run *r, struct diags *ds)
{
	static const struct str_vec none = { NULL, 0, 0 };
	struct stream_out out;
	int rc;

	r->parsed = memory("parsed");
	stream_out_init(&out, r->parsed, true);
	stream_without_seal(&out);
	stream_begin(&out, "tf-parse", &none);
	config_write(&out, r->config);
	rc = values_write(r, &out, ds);
	state_records(&out, r->state->state);
	if (stream_end(&out, false))
		rc = diag_error(
			ds, NULL, "Failed to write the stream",
			"The first stage of the run cannot be written.");
	stream_out_release(&out);
	return rc || lseek(r->parsed, 0, SEEK_SET) ? -1 : 0;
}

/* --- processes --- */

struct stage_words {
	VEC(const char *) items;
};

static void word(struct test_run *r, struct stage_words *w, const char *text)
{
	vec_push(&r->arena, &w->items, text);
}

/* -target=ADDRESS for each of them. */
static void selector(struct test_run *r, struct stage_words *w,
		     const char *option, const struct traversal_vec *all)
{
	for (size_t i = 0; i < all->len; i++) {
		struct buf b = BUF_INIT;

		buf_addf(&b, "-%s=", option);
		traversal_print(&r->arena, &b, &all->items[i].traversal);
		word(r, w, buf_dup(&r->arena, &b).p);
		buf_release(&b);
	}
}

static const char *const *environment(struct test_run *r)
{
	struct stage_words w = { { NULL, 0, 0 } };
	const char *shared = suite_shared_providers(r);

	for (char **e = environ; *e; e++)
		if (!str_starts(str_c(*e), "TFPIPE_STATE=") &&
		    !str_starts(str_c(*e), LOCK_TOKEN "=") &&
		    !str_starts(str_c(*e), "TFPIPE_SHARED_PROVIDERS="))
			word(r, &w, *e);
	word(r, &w, arena_printf(&r->arena, "TFPIPE_STATE=%d", r->state->fd));
	if (shared)
		word(r, &w, shared);
	word(r, &w, NULL);
	return w.items.items;
}

static void ended(void *data, pid_t pid, int wait_status)
{
	struct test_run *r = data;
	struct timespec now;

	(void)pid;
	(void)wait_status;
	clock_gettime(CLOCK_MONOTONIC, &now);
	r->seconds = (double)(now.tv_sec - r->begun.tv_sec) +
		     (double)(now.tv_nsec - r->begun.tv_nsec) / 1e9;
	r->pid = 0;
	r->suite->running--;
	run_stage_ended(r);
}

/* in, out: descriptors.  The state in memory is inherited. */
static bool start(struct test_run *r, struct stage_words *w, int in, int out)
{
	struct child_options o = { .in = CHILD_FD,
				   .out = CHILD_FD,
				   .err = CHILD_INHERIT,
				   .fd = { in, out, -1 },
				   .inherits = true,
				   .own_group = true };
	struct child c;
	int rc;

	word(r, w, NULL);
	o.argv = w->items.items;
	o.env = environment(r);
	fcntl(r->state->fd, F_SETFD, 0);
	rc = child_start(&o, &c);
	fcntl(r->state->fd, F_SETFD, FD_CLOEXEC);
	if (rc) {
		diag_error(&r->ds, NULL, "Failed to start a stage",
			   "%s cannot be started: %s.", o.argv[0],
			   strerror(errno));
		return false;
	}
	r->pid = c.pid;
	r->suite->running++;
	loop_child(r->suite->loop, c.pid, ended, r);
	return true;
}

bool stages_begin(struct test_run *r)
{
	struct stage_words w = { { NULL, 0, 0 } };
	const struct cfg_run *b = r->block;

	r->parsed = r->planned = r->applied = -1;
	clock_gettime(CLOCK_MONOTONIC, &r->begun);
	r->ds = (struct diags)DIAGS_INIT(&r->arena);
	if (!r->destroys && test_check(&r->arena, r->file->config, b, &r->ds))
		return false;
	if (load(r, &r->ds) || write_stream(r, &r->ds))
		return false;
	r->planned = memory("planned");
	word(r, &w, child_beside(&r->arena, "tf-plan"));
	word(r, &w, "-json");
	word(r, &w, "-records");
	word(r, &w, "-seal=false");
	if (r->destroys) {
		word(r, &w, "-destroy");
	} else {
		if (b->refresh_only)
			word(r, &w, "-refresh-only");
		if (b->skip_refresh)
			word(r, &w, "-refresh=false");
		selector(r, &w, "target", &b->target);
		selector(r, &w, "replace", &b->replace);
	}
	r->step = STEP_PLAN;
	return start(r, &w, r->parsed, r->planned);
}

static const char *journal_dir(struct test_run *r)
{
	struct test_file *f = r->file;
	const char *tmp = getenv("TMPDIR");
	char *made;

	if (!f->journal.n) {
		made = arena_printf(r->suite->arena, "%s/tf-test-XXXXXX",
				    tmp && *tmp ? tmp : "/tmp");
		if (mkdtemp(made))
			f->journal = str_c(made);
	}
	return f->journal.n ? f->journal.p : "/nonexistent";
}

bool stages_apply(struct test_run *r)
{
	struct stage_words w = { { NULL, 0, 0 } };

	r->applied = memory("applied");
	lseek(r->planned, 0, SEEK_SET);
	word(r, &w, child_beside(&r->arena, "tf-apply"));
	word(r, &w, "-json");
	word(r, &w, "-records");
	word(r, &w, "-seal=false");
	word(r, &w, "-brief");
	word(r, &w, arena_printf(&r->arena, "-journal-dir=%s", journal_dir(r)));
	if (r->destroys)
		word(r, &w, "-destroy");
	r->step = STEP_APPLY;
	return start(r, &w, r->planned, r->applied);
}

void stages_stop(struct test_run *r)
{
	if (r->pid > 0)
		kill(r->pid, SIGUSR1);
}

/* --- what they said --- */

struct said {
	struct test_run *run;
	size_t skip; /* so many are of the stage before */
	struct diags *out;
};

static int take_record(void *data, struct str kind, struct str line,
		       struct diags *ds)
{
	struct said *s = data;
	const struct json *j;
	struct diag d;

	s->run->began |= str_is(kind, "plan");
	if (!str_is(kind, "diagnostic"))
		return 0;
	if (s->skip) {
		s->skip--;
		return 0;
	}
	s->run->nsaid++;
	j = stream_parse(&s->run->arena, line, ds);
	if (j && !record_diag_read(&s->run->arena, j, &d))
		diags_push(s->out, d);
	return 0;
}

void stages_diags(struct test_run *r, int fd, const char *tool,
		  struct diags *out)
{
	struct said s = { .run = r, .skip = r->nsaid, .out = out };
	struct diags own = DIAGS_INIT(&r->arena);
	struct stream_info info = { .present = false };

	lseek(fd, 0, SEEK_SET);
	if (stream_read(&r->arena, fd, &info, NULL, take_record, &s, &own))
		diag_error(out, NULL, "A stage ended early",
			   "%s left no whole stream.", tool);
	else if (info.failed && !diags_failed(out))
		diag_error(out, NULL, "A stage failed",
			   "%s failed, and did not say why.", tool);
}

/* --- -verbose, -save --- */

static void collect(struct test_run *r, const char *const *argv, int in)
{
	struct child_options o = { .argv = argv,
				   .in = CHILD_FD,
				   .out = CHILD_PIPE,
				   .err = CHILD_INHERIT,
				   .fd = { in, -1, -1 } };
	struct child c;

	lseek(in, 0, SEEK_SET);
	if (child_start(&o, &c))
		return;
	io_read_fd(c.out, &r->verbose, 0);
	close(c.out);
	waitpid(c.pid, NULL, 0);
}

void stages_show(struct test_run *r)
{
	const char *argv[5];
	size_t n = 0;
	struct buf text = BUF_INIT;
	int fd = r->planned;

	argv[n++] = child_beside(&r->arena, "tf-show");
	if (r->suite->view->json)
		argv[n++] = "-json";
	else if (!r->suite->view->style.color)
		argv[n++] = "-no-color";
	argv[n++] = "-";
	argv[n] = NULL;
	if (!r->block->plan) {
		fd = memory("state");
		state_write(&text, r->state->state);
		io_write_all(fd, text.p, text.len);
		buf_release(&text);
	}
	collect(r, argv, fd);
	if (fd != r->planned)
		close(fd);
}

static void save_one(const char *dir, const char *name, int fd)
{
	struct arena a = ARENA_INIT;
	struct buf text = BUF_INIT;

	if (fd >= 0 && lseek(fd, 0, SEEK_SET) == 0 &&
	    !io_read_fd(fd, &text, 0) && !io_make_dirs(dir, 0700))
		io_replace_file(arena_printf(&a, "%s/%s", dir, name), text.p,
				text.len, 0600);
	buf_release(&text);
	arena_release(&a);
}

void run_release(struct test_run *r)
{
	const struct str save = r->suite->o->save;
	int *fds[] = { &r->parsed, &r->planned, &r->applied };
	static const char *const names[] = { "parsed", "planned", "applied" };
	struct arena a = ARENA_INIT;
	const char *dir = arena_printf(&a, "%.*s/%.*s/%.*s%s", STR_ARG(save),
				       STR_ARG(r->file->config->name),
				       STR_ARG(r->block->name),
				       r->destroys ? ".destroy" : "");

	for (int i = 0; i < 3; i++) {
		if (*fds[i] < 0)
			continue;
		if (save.n)
			save_one(dir, names[i], *fds[i]);
		close(*fds[i]);
		*fds[i] = -1;
	}
	arena_release(&a);
}
