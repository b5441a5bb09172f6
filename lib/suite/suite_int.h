/* suite_int.h - what the files of the suite share */
#ifndef TFPIPE_SUITE_SUITE_INT_H
#define TFPIPE_SUITE_SUITE_INT_H

#include <time.h>

#include "base/loop.h"
#include "config/load/test.h"
#include "state/state.h"
#include "suite/suite.h"

/* The larger one counts, of several together. */
enum test_status {
	TEST_PENDING,
	TEST_SKIP,
	TEST_PASS,
	TEST_FAIL,
	TEST_ERROR,
};

struct suite;
struct test_file;

/* The state of one module that runs of a file are about. */
struct test_state {
	struct str key; /* the module's source; empty: the module under test */
	int fd;         /* in memory, as stages are handed it */
	struct state *state;
	struct test_run *by; /* the latest run that changed it; or NULL */
	bool busy;
};

enum run_step {
	STEP_IDLE,
	STEP_PLAN, /* tf-plan is at work */
	STEP_APPLY,
	STEP_ENDED,
};

/* A run, or the cleanup after one. */
struct test_run {
	struct suite *suite;
	struct test_file *file;
	const struct cfg_run *block;
	struct test_state *state;
	enum test_status status;
	enum run_step step;
	bool destroys; /* it is a cleanup */
	bool dropped;  /* what comes of it does not count */
	bool began;    /* planning did: what it runs is valid */
	struct arena arena;
	struct config *config;
	struct diags ds; /* what is told of it */
	struct map runs; /* earlier ones, as it sees them, by name */
	size_t nsaid;    /* by stages that have ended */
	struct buf verbose;
	int parsed, planned, applied; /* streams, in memory; -1: none */
	pid_t pid;
	struct timespec begun;
	double seconds;
};

struct test_file {
	struct suite *suite;
	const struct cfg_test_file *config;
	enum test_status status;
	struct test_run *runs;
	size_t nruns, next; /* the first that is not settled */
	VEC(struct test_state *) states;
	bool told;                    /* the runs were */
	struct test_run *cleanup;     /* at work; or NULL */
	VEC(struct test_run *) clean; /* done, in order */
	size_t cleaned;               /* of states */
	size_t clean_told;
	VEC(struct test_state *) order; /* of cleanup */
	bool over;
	struct str journal; /* a directory of our own; empty: none yet */
};

/* A provider whose process the runs share. */
struct suite_provider {
	struct shared_provider *process; /* NULL: it cannot be had */
	struct str entry;                /* of the variable; empty: not yet */
};

struct suite {
	struct arena *arena;
	const struct suite_options *o;
	struct view *view;
	struct loop *loop;
	struct config *config;
	struct cfg_test_file_vec blocks;
	struct inputs globals; /* -var, files and the environment */
	VEC(struct test_file *) files;
	enum test_status status;
	size_t shown; /* files that are */
	unsigned limit, running;
	unsigned asked; /* to stop */
	bool over;
	struct provider_source *source;
	struct map providers; /* address -> struct suite_provider */
};

static inline enum test_status test_merge(enum test_status a,
					  enum test_status b)
{
	return a > b ? a : b;
}

/* --- run_values.c --- */

/* The values that a run gives the variables of its configuration, as records;
 * -1: diagnosed. */
int values_write(struct test_run *r, struct stream_out *o, struct diags *ds);
/* All that is given from outside. */
int values_collect(struct suite *s, struct diags *ds);

/* --- stages.c --- */

/* Loads the configuration, writes the first stream and starts tf-plan; false:
 * there were errors, which are in r->ds. */
bool stages_begin(struct test_run *r);
/* tf-apply of what tf-plan left; false: it could not be started. */
bool stages_apply(struct test_run *r);
/* What a stage said: from the stream that it wrote. */
void stages_diags(struct test_run *r, int fd, const char *tool,
		  struct diags *out);
/* The state as the stages left it; -1: it cannot be read. */
int stages_take_state(struct test_run *r, struct diags *ds);
/* The plan, or the state, as text or JSON (-verbose). */
void stages_show(struct test_run *r);
void stages_stop(struct test_run *r);
void run_release(struct test_run *r);
struct test_state *state_of(struct test_file *f, struct str key);
/* Called when a stage ended. */
void run_stage_ended(struct test_run *r);

/* --- suite_providers.c --- */

/* The variable that names processes which the stages of the run may use; NULL:
 * there are none. */
const char *suite_shared_providers(struct test_run *r);
/* Ends them. */
void suite_end_providers(struct suite *s);

/* --- expect.c --- */

/* What is left of diagnostics when those that were expected are taken out, and
 * those of checks are errors; what was expected and did not come is added. */
struct expected;
struct expected *expect_new(struct test_run *r);
void expect_filter(struct test_run *r, struct expected *x,
		   const struct diags *from, struct diags *out);
void expect_missing(struct test_run *r, struct expected *x, struct diags *out);
bool expects(const struct expected *x, struct str address);

/* --- view.c --- */

void view_abstract(struct suite *s);
void view_file(struct test_file *f);
void view_cleanup(struct test_run *r);
void view_conclusion(struct suite *s);
void view_interrupted(struct suite *s, bool again);
void view_left(struct suite *s, struct test_file *f);
/* -junit-xml */
int view_junit(struct suite *s, struct diags *ds);

#endif
