/*
 * state_journal_test.c - nothing confirmed is lost: recovery from journals, and
 * every call that writes failing, or the process dying in it, one after the
 * other
 *
 * The calls are defined here in front of the C library's, so that a countdown
 * decides which of them goes wrong and how.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "json/read.h"
#include "json/tree.h"
#include "state/backend/backend.h"
#include "state/backend/lock.h"
#include "test.h"

static struct arena arena = ARENA_INIT;
static struct diags ds;
static char dir[64];

/* The confirmations a run got, in memory that outlives its process. */
static struct promised {
	int outcomes;   /* how many journal_outcome calls returned 0 */
	bool written;   /* the last backend_write returned 0 */
	bool struck;    /* the fault happened */
} *promised;

/* --- the faults --- */

enum fault {
	FAULT_NONE,
	FAULT_ERROR,       /* the call fails with ENOSPC */
	FAULT_SHORT,       /* half is written, then it fails */
	FAULT_DIE,         /* the process ends before the call */
	FAULT_DIE_HALF,    /* ... after half of it */
	FAULT_DIE_AFTER,   /* ... after all of it */
};

static enum fault fault;
static int countdown; /* calls until it happens; 0: no more */
static bool sticky;   /* the disk stays full */

/* Returns the fault for this call. */
static enum fault next_fault(void)
{
	if (fault == FAULT_NONE || countdown == 0)
		return FAULT_NONE;
	if (countdown > 1) {
		countdown--;
		return FAULT_NONE;
	}
	if (!sticky)
		countdown = 0;
	promised->struck = true;
	return fault;
}

/* For calls that are done or not: 1 fail, 0 do it. */
static int simple_fault(enum fault f)
{
	if (f == FAULT_DIE || f == FAULT_DIE_HALF)
		_exit(9);
	if (f == FAULT_ERROR || f == FAULT_SHORT) {
		errno = ENOSPC;
		return 1;
	}
	return 0;
}

static void maybe_die(enum fault f)
{
	if (f == FAULT_DIE_AFTER)
		_exit(9);
}

static ssize_t faulty_write(int fd, const void *p, size_t n, off_t at)
{
	enum fault f = next_fault();
	size_t half = f == FAULT_SHORT || f == FAULT_DIE_HALF ? n / 2 : n;
	ssize_t rc;

	if (f == FAULT_DIE)
		_exit(9);
	if (f == FAULT_ERROR || (f == FAULT_SHORT && !half)) {
		errno = ENOSPC;
		return -1;
	}
	rc = at < 0 ? syscall(SYS_write, fd, p, half) :
		      syscall(SYS_pwrite64, fd, p, half, at);
	if (f == FAULT_DIE_HALF)
		_exit(9);
	maybe_die(f);
	if (f == FAULT_SHORT && !sticky)
		countdown = 1; /* the rest does not fit either */
	return rc;
}

ssize_t write(int fd, const void *p, size_t n)
{
	return faulty_write(fd, p, n, -1);
}

ssize_t pwrite(int fd, const void *p, size_t n, off_t at)
{
	return faulty_write(fd, p, n, at);
}

#define SIMPLE(decl_, call_)                         \
	decl_                                        \
	{                                            \
		enum fault f_ = next_fault();        \
		int rc_;                             \
						     \
		if (simple_fault(f_))                \
			return -1;                   \
		rc_ = (int)call_;                    \
		maybe_die(f_);                       \
		return rc_;                          \
	}

SIMPLE(int fsync(int fd), syscall(SYS_fsync, fd))
SIMPLE(int fdatasync(int fd), syscall(SYS_fdatasync, fd))
SIMPLE(int ftruncate(int fd, off_t n), syscall(SYS_ftruncate, fd, n))
SIMPLE(int unlink(const char *p), syscall(SYS_unlink, p))

int rename(const char *from, const char *to)
{
	enum fault f = next_fault();
	int rc;

	if (simple_fault(f))
		return -1;
	rc = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
	maybe_die(f);
	return rc;
}

/* --- a directory, a state --- */

static void fresh_dir(void)
{
	snprintf(dir, sizeof(dir), "/tmp/state-test-XXXXXX");
	if (!mkdtemp(dir) || chdir(dir)) {
		perror(dir);
		exit(1);
	}
	ds = (struct diags)DIAGS_INIT(&arena);
}

static void remove_dir(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	if (chdir("/") || system(command))
		perror(command);
}

static bool said(const char *summary)
{
	for (size_t i = 0; i < ds.len; i++)
		if (str_is(ds.items[i].summary, summary))
			return true;
	return false;
}

static bool said_of(const char *summary, const char *address)
{
	for (size_t i = 0; i < ds.len; i++)
		if (str_is(ds.items[i].summary, summary) &&
		    str_is(ds.items[i].address, address))
			return true;
	return false;
}

static const struct module_addr root = { NULL, 0 };
static const struct resource_addr res = { MODE_MANAGED, STR_INIT("t"),
					  STR_INIT("n") };

static struct inst_key int_key(int64_t i)
{
	return (struct inst_key){ KEY_INT, i, STR_NONE };
}

/* An instance whose attributes are long enough to be written in part. */
static struct state_instance *instance(int key, int generation)
{
	struct state_instance *i = ARENA_NEW(&arena, struct state_instance);

	i->key = int_key(key);
	i->attributes = str_printf(&arena, "{\"g\":%d,\"pad\":\"%0200d\"}",
				   generation, generation);
	return i;
}

static struct state_resource *resource(struct state *s)
{
	struct state_resource *r = state_resource_make(s, root, &res);

	r->provider.provider = provider_builtin;
	return r;
}

static struct str address(int key)
{
	return str_printf(&arena, "t.n[%d]", key);
}

/* The generation of an instance, -1 when it is missing. */
static int generation(const struct state *s, int key)
{
	struct state_resource *r = state_resource(s, root, &res);
	struct state_instance *i = r ? state_instance(r, int_key(key)) : NULL;
	struct json_error err;
	const struct json *j = i ? json_parse(&arena, i->attributes, &err) :
				   NULL;

	return (int)json_get_int(j, "g", -1);
}

static struct backend *open_backend(bool lock)
{
	struct backend_options o = { .backup_path = STR_NONE };
	struct backend *b = backend_open(&arena, &o, &ds);

	CHECK(b != NULL);
	if (lock)
		CHECK(!backend_lock(b, "test", 0, &ds));
	return b;
}

/* A stored state with instances 0..2 of generation 1. */
static void store_base(void)
{
	struct backend *b = open_backend(true);
	struct state *s = backend_read(b, &ds);

	for (int k = 0; k < 3; k++)
		state_put(s, resource(s), instance(k, 1));
	CHECK(!backend_write(b, s, &ds));
	backend_close(b);
}

/* Says that all outcomes are known; nothing else was in the journal. */
static void check_settled(size_t want)
{
	struct backend *b = open_backend(true);
	size_t n;

	CHECK(backend_read(b, &ds) && !backend_settle(b, NULL, &n, &ds));
	CHECK(n == want);
	backend_close(b);
	CHECK(access(".terraform.tfstate.journal", F_OK) == -1);
	ds = (struct diags)DIAGS_INIT(&arena);
}

/* --- recovery --- */

static void test_replay(void)
{
	struct backend *b;
	struct state *s;

	fresh_dir();
	store_base();
	b = open_backend(true);
	s = backend_read(b, &ds);
	/* changed, gone, new, unknown */
	CHECK(!journal_intent(b, address(0), STR_NONE, "update"));
	CHECK(!journal_intent(b, address(1), STR_NONE, "delete"));
	CHECK(!journal_outcome(b, resource(s), instance(0, 2), address(0),
			       STR_NONE));
	CHECK(!journal_outcome(b, resource(s), NULL, address(1), STR_NONE));
	CHECK(!journal_intent(b, address(7), STR_NONE, "create"));
	CHECK(!journal_outcome(b, resource(s), instance(7, 2), address(7),
			       STR_NONE));
	CHECK(!journal_intent(b, address(2), STR_NONE, "update"));
	CHECK(!journal_intent(b, address(2), STR("0a1b2c3d"), "delete"));
	CHECK(!journal_sync(b));
	backend_close(b); /* as if killed: nothing was written */
	CHECK(ds.len == 0);

	/* Seen without the lock, and again with it. */
	for (int lock = 0; lock < 2; lock++) {
		ds = (struct diags)DIAGS_INIT(&arena);
		b = open_backend(lock);
		s = backend_read(b, &ds);
		CHECK(generation(s, 0) == 2 && generation(s, 1) == -1);
		CHECK(generation(s, 2) == 1 && generation(s, 7) == 2);
		CHECK(said("State recovered from its journal"));
		CHECK(said_of("Operation of unknown outcome", "t.n[2]"));
		CHECK(ds.len == 3 && !diags_failed(&ds));
		backend_close(b);
	}
	/* The unknown outcomes are told until they are known. */
	for (int n = 0; n < 3; n++) {
		ds = (struct diags)DIAGS_INIT(&arena);
		b = open_backend(true);
		s = backend_read(b, &ds);
		CHECK(s->serial == 2 && generation(s, 7) == 2);
		CHECK(said_of("Operation of unknown outcome", "t.n[2]"));
		CHECK(ds.len == 2);
		backend_close(b);
	}
	check_settled(2);
	remove_dir();
}

/* A first run: no state file yet, so no lineage either. */
static void test_replay_new(void)
{
	struct backend *b;
	struct state *s;

	fresh_dir();
	b = open_backend(true);
	s = backend_read(b, &ds);
	CHECK(!journal_intent(b, address(0), STR_NONE, "create"));
	CHECK(!journal_outcome(b, resource(s), instance(0, 1), address(0),
			       STR_NONE));
	backend_close(b);
	b = open_backend(true);
	s = backend_read(b, &ds);
	CHECK(s && generation(s, 0) == 1 && s->serial == 1 && s->lineage.n);
	backend_close(b);
	remove_dir();
}

/* Deposed objects travel too; sensitive paths, private data and the rest. */
static void test_replay_members(void)
{
	static struct str deps[] = { STR_INIT("t.a"), STR_INIT("t.b") };
	struct backend *b;
	struct state *s;
	struct state_instance *i, *got;

	fresh_dir();
	store_base();
	b = open_backend(true);
	s = backend_read(b, &ds);
	i = instance(0, 1);
	i->deposed = STR("deadbeef");
	CHECK(!journal_outcome(b, resource(s), i, address(0),
			       STR("deadbeef")));
	i = instance(0, 5);
	i->tainted = i->create_before_destroy = i->skip_destroy = true;
	i->schema_version = 4;
	i->sensitive = STR("[[{\"type\":\"get_attr\",\"value\":\"g\"}]]");
	i->private_data = STR("e30=");
	i->identity = STR("{\"x\":1}");
	i->identity_schema_version = 3;
	i->dependencies = deps;
	i->ndependencies = 2;
	CHECK(!journal_outcome(b, resource(s), i, address(0), STR_NONE));
	backend_close(b);

	b = open_backend(true);
	s = backend_read(b, &ds);
	got = state_deposed(resource(s), int_key(0), STR("deadbeef"));
	CHECK(got && str_eq(got->attributes, instance(0, 1)->attributes));
	got = state_instance(resource(s), int_key(0));
	CHECK(got && got->tainted && got->create_before_destroy &&
	      got->skip_destroy && got->schema_version == 4);
	CHECK(got && str_eq(got->sensitive, i->sensitive) &&
	      str_eq(got->private_data, i->private_data) &&
	      str_eq(got->identity, i->identity) &&
	      got->identity_schema_version == 3);
	CHECK(got && got->ndependencies == 2 &&
	      str_is(got->dependencies[1], "t.b"));
	backend_close(b);
	remove_dir();
}

/* The moves of planning are replayed before the outcomes of applying. */
static void test_replay_moved(void)
{
	struct str gone = STR("{ \"record\" : \"prior_state\", "
			      "\"address\":\"t.n[0]\",\"gone\":true}");
	struct str there = STR("{\"record\":\"prior_state\",\"address\":"
			       "\"t.moved\",\"attributes\":{\"g\":1},"
			       "\"dependencies\":[\"t.\\u0061\"]}");
	struct backend *b;
	struct state *s;

	fresh_dir();
	store_base();
	b = open_backend(true);
	s = backend_read(b, &ds);
	CHECK(!journal_record(b, gone) && !journal_record(b, there));
	CHECK(journal_record(b, STR("[]")) == -1 && errno == EINVAL);
	CHECK(journal_record(b, STR("{\"a\":1")) == -1 && errno == EINVAL);
	CHECK(!journal_outcome(b, resource(s), instance(1, 2), address(1),
			       STR_NONE));
	backend_close(b);
	b = open_backend(true);
	s = backend_read(b, &ds);
	CHECK(generation(s, 0) == -1 && generation(s, 1) == 2);
	CHECK(map_get(&s->by_addr, STR("t.moved")) != NULL);
	backend_close(b);
	remove_dir();
}

static void append_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "a");

	fputs(text, f);
	fclose(f);
}

static void test_torn(void)
{
	struct backend *b;
	struct state *s;

	fresh_dir();
	store_base();
	b = open_backend(true);
	s = backend_read(b, &ds);
	CHECK(!journal_outcome(b, resource(s), instance(0, 2), address(0),
			       STR_NONE));
	backend_close(b);
	append_file(".terraform.tfstate.journal",
		    "{\"record\":\"outcome\",\"address\":\"t.n[1]\",\"gone\":t");
	/* An unlocked run goes on behind the torn line. */
	b = open_backend(false);
	s = backend_read(b, &ds);
	CHECK(generation(s, 0) == 2 && generation(s, 1) == 1);
	CHECK(!journal_outcome(b, resource(s), instance(2, 3), address(2),
			       STR_NONE));
	backend_close(b);
	b = open_backend(true);
	s = backend_read(b, &ds);
	CHECK(generation(s, 0) == 2 && generation(s, 1) == 1 &&
	      generation(s, 2) == 3);
	backend_close(b);
	remove_dir();
}

/* The state was changed by others: the journal must not be applied. */
static void test_stale(void)
{
	struct backend *b;
	struct state *s;

	fresh_dir();
	store_base();
	b = open_backend(true);
	s = backend_read(b, &ds);
	CHECK(!journal_intent(b, address(0), STR_NONE, "delete"));
	CHECK(!journal_outcome(b, resource(s), NULL, address(0), STR_NONE));
	backend_close(b);
	CHECK(!rename(".terraform.tfstate.journal", "keep"));
	b = open_backend(true);
	s = backend_read(b, &ds);
	state_put(s, resource(s), instance(0, 9));
	CHECK(!backend_write(b, s, &ds));
	backend_close(b);
	CHECK(!rename("keep", ".terraform.tfstate.journal"));

	b = open_backend(true);
	s = backend_read(b, &ds);
	CHECK(s && generation(s, 0) == 9);
	CHECK(said("Journal of another state not applied"));
	CHECK(access(".terraform.tfstate.journal.stale", F_OK) == 0);
	CHECK(said_of("Operation of unknown outcome", "t.n[0]"));
	backend_close(b);
	check_settled(1);
	remove_dir();
}

/* A journal that is being written is left alone, with and without the lock of
 * the state; and nobody else writes one meanwhile. */
static void test_alive(void)
{
	for (int lock = 0; lock < 2; lock++) {
		struct backend *a, *b;
		struct state *s;

		fresh_dir();
		store_base();
		a = open_backend(lock);
		s = backend_read(a, &ds);
		CHECK(!journal_intent(a, address(0), STR_NONE, "update"));
		CHECK(!journal_intent(a, address(1), STR_NONE, "update"));
		for (int again = 0; again < 2; again++) {
			b = open_backend(false);
			s = backend_read(b, &ds);
			CHECK(s && ds.len == 0);
			state_put(s, resource(s), instance(2, 2));
			CHECK(backend_write(b, s, &ds) == -1);
			CHECK(said("Failed to save state"));
			ds = (struct diags)DIAGS_INIT(&arena);
			backend_close(b);
			/* also after it was made anew for open intents */
			s = backend_read(a, &ds);
			state_put(s, resource(s), instance(0, 3 + again));
			CHECK(!backend_write(a, s, &ds));
		}
		backend_close(a);
		b = open_backend(true);
		s = backend_read(b, &ds);
		CHECK(s && generation(s, 0) == 4 && generation(s, 2) == 1);
		CHECK(said_of("Operation of unknown outcome", "t.n[1]"));
		backend_close(b);
		remove_dir();
	}
}

/* Operations that run while a snapshot is written stay named. */
static void test_open_over_snapshot(void)
{
	struct backend *b;
	struct state *s;

	fresh_dir();
	store_base();
	b = open_backend(true);
	s = backend_read(b, &ds);
	CHECK(!journal_intent(b, address(0), STR_NONE, "update"));
	CHECK(!journal_intent(b, address(1), STR_NONE, "update"));
	state_put(s, resource(s), instance(1, 2));
	CHECK(!journal_outcome(b, resource(s), instance(1, 2), address(1),
			       STR_NONE));
	CHECK(!backend_write(b, s, &ds) && s->serial == 2);
	CHECK(!journal_outcome(b, resource(s), instance(2, 2), address(2),
			       STR_NONE));
	backend_close(b);
	CHECK(ds.len == 0);

	b = open_backend(true);
	s = backend_read(b, &ds);
	CHECK(generation(s, 1) == 2 && generation(s, 2) == 2);
	CHECK(said_of("Operation of unknown outcome", "t.n[0]"));
	CHECK(!said_of("Operation of unknown outcome", "t.n[1]"));
	CHECK(s->serial == 3);
	backend_close(b);
	remove_dir();
}

/* What is no journal at all: nobody can know what it was, so nothing is done. */
static void test_garbage(void)
{
	static const char *const texts[] = {
		"\n\n\n", "{}\n", "{\"record\":\"outcome\"}\n",
		"{\"record\":\"journal\",\"version\":99}\n",
		"{\"record\":\"snapshot\",\"bytes\":99999999999999999}\n",
		"{\"record\":\"journal\",\"version\":1,\"serial\":\"x\"}\n",
		"garbage\ngarbage",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct backend *b;
		struct state *s;

		fresh_dir();
		store_base();
		append_file(".terraform.tfstate.journal", texts[i]);
		b = open_backend(true);
		s = backend_read(b, &ds);
		CHECK_ROW(!s && said("Journal damaged"), texts[i]);
		backend_close(b);
		CHECK_ROW(access(".terraform.tfstate.journal", F_OK) == 0,
			  texts[i]);
		remove_dir();
	}
}

/* A line that is cut off does not count; it is told, and kept. */
static void test_only_cut(void)
{
	struct backend *b;
	struct state *s;

	fresh_dir();
	store_base();
	append_file(".terraform.tfstate.journal", "garbage");
	b = open_backend(true);
	s = backend_read(b, &ds);
	CHECK(s && generation(s, 0) == 1 && !diags_failed(&ds));
	CHECK(said("Journal is cut off"));
	CHECK(access(".terraform.tfstate.journal.stale", F_OK) == 0);
	if (s)
		state_put(s, resource(s), instance(0, 2));
	CHECK(s && !backend_write(b, s, &ds));
	backend_close(b);
	remove_dir();
}

/* --- journals that must be rejected --- */

static const char journal_path[] = ".terraform.tfstate.journal";

/* The text of a file, one place in it replaced. */
static struct str altered(const char *path, const char *from, const char *to)
{
	struct buf b = BUF_INIT;
	ptrdiff_t at;
	struct str s;

	CHECK(io_read_file(path, &b, 0) == 0);
	at = str_find(buf_view(&b), str_c(from));
	CHECK_ROW(at >= 0, from);
	s = str_printf(&arena, "%.*s%s%s", (int)at, b.p, to,
		       b.p + at + strlen(from));
	buf_release(&b);
	return s;
}

/* A snapshot whose text is not what was written counts as none, and a header of
 * which one character is another. */
static void test_altered(const char *from, const char *to)
{
	struct backend *b;
	struct str text;
	struct state *s;

	fresh_dir();
	store_base();
	b = open_backend(true);
	s = backend_read(b, &ds);
	state_put(s, resource(s), instance(1, 2));
	CHECK(!journal_outcome(b, resource(s), instance(1, 2), address(1),
			       STR_NONE));
	CHECK(link(journal_path, "kept") == 0);
	CHECK(!backend_write(b, s, &ds) && s->serial == 2);
	backend_close(b);
	text = altered("kept", from, to);
	CHECK(io_replace_file(journal_path, text.p, text.n, 0600) == 0);
	b = open_backend(true);
	s = backend_read(b, &ds);
	CHECK_ROW(!s && said("Journal damaged"), to);
	CHECK_ROW(str_eq(text, altered(journal_path, to, to)), to);
	backend_close(b);
	remove_dir();
}

/* Another lineage is another state. */
static void test_other_lineage(void)
{
	struct backend *b;
	struct state *s;
	struct str text;

	fresh_dir();
	store_base();
	b = open_backend(true);
	s = backend_read(b, &ds);
	CHECK(!journal_outcome(b, resource(s), instance(1, 2), address(1),
			       STR_NONE));
	backend_close(b);
	text = altered("terraform.tfstate", "\"lineage\": \"",
		       "\"lineage\": \"other");
	CHECK(io_replace_file("terraform.tfstate", text.p, text.n, 0600) == 0);
	b = open_backend(true);
	s = backend_read(b, &ds);
	CHECK(s && generation(s, 1) == 1);
	CHECK(said("Journal of another state not applied"));
	backend_close(b);
	remove_dir();
}

/* Outcomes that the stored state has are not recovered again. */
static void test_stored_but_not_cleared(void)
{
	struct backend *b;
	struct state *s;
	struct stat st;

	fresh_dir();
	store_base();
	b = open_backend(true);
	s = backend_read(b, &ds);
	state_put(s, resource(s), instance(1, 2));
	CHECK(!journal_outcome(b, resource(s), instance(1, 2), address(1),
			       STR_NONE));
	/* it holds what the state does, and that may be secret */
	CHECK(stat(journal_path, &st) == 0 && (st.st_mode & 077) == 0);
	CHECK(link(journal_path, "kept") == 0);
	CHECK(!backend_write(b, s, &ds) && s->serial == 2);
	backend_close(b);
	CHECK(rename("kept", journal_path) == 0);
	b = open_backend(true);
	s = backend_read(b, &ds);
	CHECK(s && generation(s, 1) == 2 && s->serial == 2 && !ds.len);
	backend_close(b);
	remove_dir();
}

/* A partly written line is truncated, so that later ones can be read. */
static void test_goes_on_after_torn_line(void)
{
	struct backend *b;
	struct state *s;

	fresh_dir();
	store_base();
	*promised = (struct promised){ 0 };
	b = open_backend(true);
	s = backend_read(b, &ds);
	CHECK(!journal_outcome(b, resource(s), instance(0, 2), address(0),
			       STR_NONE));
	fault = FAULT_SHORT;
	countdown = 1;
	CHECK(journal_outcome(b, resource(s), instance(1, 2), address(1),
			      STR_NONE) != 0);
	fault = FAULT_NONE;
	CHECK(promised->struck);
	CHECK(!journal_outcome(b, resource(s), instance(2, 2), address(2),
			       STR_NONE));
	backend_close(b);
	b = open_backend(true);
	s = backend_read(b, &ds);
	CHECK(s && generation(s, 0) == 2 && generation(s, 1) == 1 &&
	      generation(s, 2) == 2);
	backend_close(b);
	ds = (struct diags)DIAGS_INIT(&arena);
	remove_dir();
}

/* --- faults --- */

/* A run: three updates, each announced, confirmed, synced; the state written
 * after the second and at the end. */
static void run_victim(enum fault f)
{
	struct backend_options o = { .backup_path = STR_NONE };
	struct backend *b = backend_open(&arena, &o, &ds);
	struct state *s;

	fault = FAULT_NONE;
	if (backend_lock(b, "test", 0, &ds) || !(s = backend_read(b, &ds)))
		_exit(3);
	fault = f;
	for (int k = 0; k < 3; k++) {
		struct state_instance *i = instance(k, 2);

		if (journal_intent(b, address(k), STR_NONE, "update"))
			break;
		if (journal_outcome(b, resource(s), i, address(k), STR_NONE))
			break;
		journal_sync(b);
		promised->outcomes = k + 1;
		state_put(s, resource(s), i);
		if (k > 0)
			promised->written = !backend_write(b, s, &ds);
	}
	_exit(0);
}

/* Returns false if there was no n-th call: all faults of this kind are done. */
static bool run_with(enum fault f, int n, bool stays)
{
	int status;
	pid_t pid;

	*promised = (struct promised){ 0 };
	pid = fork();
	if (pid == 0) {
		countdown = n;
		sticky = stays;
		run_victim(f);
	}
	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	CHECK(WEXITSTATUS(status) == 9 || WEXITSTATUS(status) == 0);
	CHECK(promised->struck ||
	      (promised->outcomes == 3 && promised->written));
	return promised->struck;
}

/* After any fault the next run finds all that was confirmed. */
static void check_survived(enum fault f, int n)
{
	struct backend *b;
	struct state *s;
	char row[64];
	size_t left;

	snprintf(row, sizeof(row), "fault %d at call %d", (int)f, n);
	ds = (struct diags)DIAGS_INIT(&arena);
	b = open_backend(true);
	s = backend_read(b, &ds);
	CHECK_ROW(s && !diags_failed(&ds), row);
	for (int k = 0; s && k < 3; k++) {
		int g = generation(s, k);

		CHECK_ROW(g == 2 || (g == 1 && k >= promised->outcomes), row);
	}
	backend_close(b);
	/* And the file alone is whole again, for other programs. */
	b = open_backend(false);
	s = backend_read(b, &ds);
	CHECK_ROW(s && (promised->outcomes < 3 || generation(s, 2) == 2), row);
	backend_close(b);
	b = open_backend(true);
	CHECK_ROW(backend_read(b, &ds) && !backend_settle(b, NULL, &left, &ds),
		  row);
	CHECK_ROW(left <= 1, row);
	backend_close(b);
	CHECK_ROW(access(".terraform.tfstate.journal", F_OK) == -1, row);
}

static void test_faults(enum fault f, bool stays)
{
	int n = 1;
	bool hit = true;

	for (; hit && n < 500; n++) {
		fresh_dir();
		store_base();
		hit = run_with(f, n, stays);
		check_survived(f, n);
		remove_dir();
	}
	CHECK(n > 30 && n < 500); /* there are that many calls to fail */
}

/* A limit on the size of files, at every size: also what fallocate meets. */
static void test_size_limit(void)
{
	for (rlim_t limit = 200; limit < 4000; limit += 150) {
		int status;
		pid_t pid;

		fresh_dir();
		store_base();
		*promised = (struct promised){ 0 };
		pid = fork();
		if (pid == 0) {
			struct rlimit rl = { limit, limit };

			signal(SIGXFSZ, SIG_IGN);
			setrlimit(RLIMIT_FSIZE, &rl);
			run_victim(FAULT_NONE);
		}
		CHECK(waitpid(pid, &status, 0) == pid);
		CHECK(WIFEXITED(status));
		check_survived(FAULT_NONE, (int)limit);
		remove_dir();
	}
}

/* kill -9 at moments nobody chose. */
static void test_kill(void)
{
	unsigned seed = 7;

	fresh_dir();
	store_base();
	for (int round = 0; round < 60; round++) {
		struct timespec nap = { 0, 0 };
		struct backend *b;
		struct state *s;
		int status, last = 0;
		int *seen = &promised->outcomes;
		pid_t pid;

		*seen = 0;
		pid = fork();
		if (pid == 0) {
			b = open_backend(true);
			s = backend_read(b, &ds);
			for (int g = generation(s, 0) + 1;; g++) {
				struct state_instance *i = instance(0, g);

				if (journal_outcome(b, resource(s), i,
						    address(0), STR_NONE))
					_exit(4);
				*seen = g;
				state_put(s, resource(s), i);
				if (g % 2 && backend_write(b, s, &ds))
					_exit(5);
			}
		}
		seed = seed * 1103515245 + 12345;
		nap.tv_nsec = 1000000 + (long)(seed >> 8) % 9000000;
		nanosleep(&nap, NULL);
		kill(pid, SIGKILL);
		CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status));
		last = *seen;
		b = open_backend(true);
		s = backend_read(b, &ds);
		CHECK(s && generation(s, 0) >= last && generation(s, 1) == 1);
		CHECK(!diags_failed(&ds));
		backend_close(b);
	}
	remove_dir();
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	signal(SIGPIPE, SIG_IGN);
	promised = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (promised == MAP_FAILED)
		return 1;
	RUN(test_replay());
	RUN(test_replay_new());
	RUN(test_replay_members());
	RUN(test_replay_moved());
	RUN(test_torn());
	RUN(test_stale());
	RUN(test_alive());
	RUN(test_open_over_snapshot());
	RUN(test_garbage());
	RUN(test_only_cut());
	ds = (struct diags)DIAGS_INIT(&arena);
	RUN(test_altered("\"g\": 2", "\"g\": 9"));
	RUN(test_altered("\"version\":2", "\"version\":3"));
	RUN(test_altered("\"lineage\":\"", "\"lineage\":\"x"));
	RUN(test_other_lineage());
	ds = (struct diags)DIAGS_INIT(&arena);
	RUN(test_stored_but_not_cleared());
	RUN(test_goes_on_after_torn_line());
	RUN(test_faults(FAULT_ERROR, false));
	RUN(test_faults(FAULT_ERROR, true));
	RUN(test_faults(FAULT_SHORT, false));
	RUN(test_faults(FAULT_SHORT, true));
	RUN(test_faults(FAULT_DIE, false));
	RUN(test_faults(FAULT_DIE_HALF, false));
	RUN(test_faults(FAULT_DIE_AFTER, false));
	RUN(test_size_limit());
	RUN(test_kill());
	arena_release(&arena);
	return test_done("state_journal");
}
