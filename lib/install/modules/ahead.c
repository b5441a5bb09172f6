/* ahead.c - see modules_int.h */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "install/modules/modules_int.h"
#include "base/io.h"
#include "base/vec.h"
#include "install/hosts/login.h"
#include "install/modules/git/git.h"
#include "install/package/unpack.h"

/* MOST at a time: ssh servers refuse some of ten simultaneous connections. */
enum { MOST = 6, COUNTS = 512, TICK = 100 /* ms */ };

struct ahead_job {
	struct ahead *all;
	struct str repository, url, commit, dir;
	struct str beside; /* NUL-terminated: where it is made */
	_Atomic int64_t
		*fetched; /* bytes, as the process has it; may be NULL */
	bool over, made, stale;
};

struct ahead {
	struct arena *a;
	struct git *git;
	struct hosts *hosts;
	struct workers *workers; /* with the first jobs */
	VEC(struct ahead_job *) jobs;
	size_t begun;            /* of the jobs */
	_Atomic int64_t *counts; /* shared with the processes; may be NULL */
	struct loop_timer *timer;
};

struct ahead *ahead_new(struct arena *a, struct git *git, struct hosts *hosts)
{
	const struct ahead h = { .a = a, .git = git, .hosts = hosts };

	return arena_dup(a, &h, sizeof(h));
}

/* --- in the processes --- */

static void on_progress(void *data, size_t packages, int64_t have, int64_t all)
{
	_Atomic int64_t *fetched = data;

	(void)packages;
	(void)all;
	if (fetched)
		*fetched = have;
}

enum outcome { FAILED = 1, MADE, MADE_STALE };

/* In a session of its own: programs that would prompt at the terminal, such as
 * ssh, find none and fail. */
static enum outcome make_clone(const struct ahead_job *j)
{
	struct hosts h = *j->all->hosts;
	struct git *g = j->all->git;
	struct str why;

	setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setenv("SSH_ASKPASS_REQUIRE", "never", 0);
	h.progress = h.progress ? on_progress : NULL;
	h.progress_data = (void *)j->fetched;
	git_alone(g, &h);
	if (git_fetch(g, j->url, j->commit, j->beside, &why))
		return FAILED;
	return git_stale(g, j->beside) ? MADE_STALE : MADE;
}

/* Waits for the process; on SIGTERM kills it with all that it has started. */
static int watch_over(pid_t pid, const sigset_t *set)
{
	int status;

	for (;;) {
		if (sigwaitinfo(set, NULL) == SIGTERM) {
			kill(-pid, SIGKILL);
			kill(pid, SIGKILL);
		}
		if (waitpid(pid, &status, WNOHANG) == pid)
			break;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : FAILED;
}

static void work(void *data, struct buf *answer)
{
	const struct ahead_job *j = data;
	const pid_t parent = getppid();
	sigset_t set;
	pid_t pid;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		return;
	pid = fork();
	if (pid == 0)
		_exit((int)make_clone(j));
	if (pid > 0)
		buf_addf(answer, "%d", watch_over(pid, &set));
}

static void undo(void *data)
{
	const struct ahead_job *j = data;

	io_remove_tree(j->beside.p);
}

/* --- in the process that asks --- */

static void done(void *data, struct str answer)
{
	struct ahead_job *j = data;
	const int outcome = answer.n ? atoi(answer.p) : FAILED;

	j->over = true;
	j->made = outcome == MADE || outcome == MADE_STALE;
	j->stale = outcome == MADE_STALE;
	if (j->fetched)
		*j->fetched = 0;
	if (j->made)
		git_add(j->all->git, j->url, j->beside, j->stale);
	else
		io_remove_tree(j->beside.p);
}

/* The job that clones the repository, or the whole one of a shallow clone. */
static struct ahead_job *find(const struct ahead *h, struct str repository)
{
	for (size_t i = 0; i < h->jobs.len; i++) {
		const struct str has = h->jobs.items[i]->repository;

		if (str_starts(repository, has.p) &&
		    (repository.n == has.n || repository.p[has.n] == '\n'))
			return h->jobs.items[i];
	}
	return NULL;
}

bool ahead_want(struct ahead *h, struct str url, struct str commit,
		struct str dir)
{
	const struct str repository = git_repository(h->git, url);
	struct ahead_job *j;

	if (!repository.n || find(h, repository) || git_has(h->git, url))
		return false;
	j = ARENA_NEW(h->a, struct ahead_job);
	*j = (struct ahead_job){ .all = h,
				 .repository = repository,
				 .url = str_dup(h->a, url),
				 .commit = str_dup(h->a, commit),
				 .dir = str_dup(h->a, dir),
				 .beside = module_beside(h->a, dir, ".ahead") };
	vec_push(h->a, &h->jobs, j);
	return true;
}

static void make_ready(struct ahead *h)
{
	void *p = MAP_FAILED;

	if (h->workers)
		return;
	hosts_ready(h->a, h->hosts);
	h->workers = workers_new(h->a, h->hosts->remote.loop, MOST);
	if (h->hosts->progress)
		p = mmap(NULL, COUNTS * sizeof(*h->counts),
			 PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
			 0);
	h->counts = p == MAP_FAILED ? NULL : p;
}

void ahead_begin(struct ahead *h)
{
	if (h->jobs.len < h->begun + 2) {
		h->jobs.len = h->begun;
		return;
	}
	make_ready(h);
	for (; h->begun < h->jobs.len; h->begun++) {
		struct ahead_job *j = h->jobs.items[h->begun];
		const struct work w = {
			.work = work, .undo = undo, .done = done, .data = j
		};

		if (h->counts && h->begun < COUNTS)
			j->fetched = &h->counts[h->begun];
		io_remove_tree(j->beside.p); /* of a run that was killed */
		workers_start(h->workers, &w);
	}
}

/* Reports the bytes of all clones under way. */
static void tell(void *data)
{
	struct ahead *h = data;
	size_t packages = 0;
	int64_t sum = 0;

	for (size_t i = 0; i < h->jobs.len; i++) {
		const struct ahead_job *j = h->jobs.items[i];
		const int64_t n = j->fetched ? *j->fetched : 0;

		packages += n > 0;
		sum += n;
	}
	if (packages)
		h->hosts->progress(h->hosts->progress_data, packages, sum, -1);
	h->timer = loop_after(h->hosts->remote.loop, TICK, tell, h);
}

static void wait_for(struct ahead *h, struct ahead_job *j)
{
	if (h->counts)
		h->timer = loop_after(h->hosts->remote.loop, TICK, tell, h);
	if (!j->over)
		loop_run(h->hosts->remote.loop, &j->over);
	if (h->timer)
		loop_cancel(h->timer);
	h->timer = NULL;
}

bool ahead_take(struct ahead *h, struct str url, struct str dir)
{
	struct ahead_job *j = find(h, git_repository(h->git, url));

	if (!j)
		return false;
	wait_for(h, j);
	if (!j->made || !str_eq(j->dir, dir) || !str_eq(j->url, url) ||
	    rename(j->beside.p, j->dir.p))
		return false;
	git_moved(h->git, j->beside, j->dir);
	j->made = false;
	return true;
}

void ahead_end(struct ahead *h)
{
	for (size_t i = 0; i < h->begun; i++) {
		struct ahead_job *j = h->jobs.items[i];

		wait_for(h, j);
		if (j->made)
			io_remove_tree(j->beside.p);
		j->made = false;
	}
	workers_free(h->workers);
	h->workers = NULL;
	if (h->counts)
		munmap((void *)h->counts, COUNTS * sizeof(*h->counts));
	h->counts = NULL;
}
