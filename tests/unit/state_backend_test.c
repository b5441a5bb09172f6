/*
 * state_backend_test.c - the local backend: paths, serials, backups, locks,
 * pushes, workspaces
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/workdir.h"
#include "state/backend/backend.h"
#include "state/backend/lock.h"
#include "state/backend/backend_config.h"
#include "state/backend/workspaces.h"
#include "test.h"

static struct arena arena = ARENA_INIT;
static struct diags ds;
static char dir[64];

static const struct module_addr root = { NULL, 0 };
static const struct resource_addr res = { MODE_MANAGED, STR_INIT("t"),
					  STR_INIT("n") };

static bool said(const char *summary)
{
	for (size_t i = 0; i < ds.len; i++)
		if (str_is(ds.items[i].summary, summary))
			return true;
	return false;
}

static bool detail_has(const char *text)
{
	for (size_t i = 0; i < ds.len; i++)
		if (str_find(ds.items[i].detail, str_c(text)) >= 0)
			return true;
	return false;
}

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

static struct backend *open_with(struct backend_options o)
{
	return backend_open(&arena, &o, &ds);
}

static struct backend *open_default(void)
{
	return open_with((struct backend_options){ .state_path = STR_NONE });
}

static void put_id(struct state *s, const char *id)
{
	struct state_resource *r = state_resource_make(s, root, &res);
	struct state_instance *i = ARENA_NEW(&arena, struct state_instance);

	r->provider.provider = provider_builtin;
	i->attributes = str_printf(&arena, "{\"id\":\"%s\"}", id);
	state_put(s, r, i);
}

static struct str id_of(const struct state *s)
{
	struct state_resource *r = state_resource(s, root, &res);
	struct state_instance *i = r ? state_instance(r, KEY_ABSENT) : NULL;

	return i ? i->attributes : STR("none");
}

static struct str file(const char *path)
{
	struct buf b = BUF_INIT;
	struct str s;

	if (io_read_file(path, &b, 0)) {
		buf_release(&b);
		return STR("(missing)");
	}
	s = buf_dup(&arena, &b);
	buf_release(&b);
	return s;
}

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static bool holds(const char *path, const char *text)
{
	return str_find(file(path), str_c(text)) >= 0;
}

/* Writes `id` into the state that o opens. */
static int write_id(struct backend_options o, const char *id)
{
	struct backend *b = open_with(o);
	struct state *s = b ? backend_read(b, &ds) : NULL;
	int rc = -1;

	if (s) {
		put_id(s, id);
		rc = backend_write(b, s, &ds);
	}
	if (b)
		backend_close(b);
	return rc;
}

static void test_first_write(void)
{
	struct backend *b;
	struct state *s;
	struct stat st;

	fresh_dir();
	b = open_default();
	s = backend_read(b, &ds);
	CHECK(s && state_is_empty(s) && !backend_exists(b));
	CHECK_STR(s->workspace, "default");
	CHECK_STR(s->backend, "local");
	CHECK(!exists("terraform.tfstate")); /* reading creates no file */
	put_id(s, "one");
	CHECK(backend_write(b, s, &ds) == 0);
	CHECK(s->serial == 1 && s->lineage.n == 36 && s->lineage.p[14] == '4');
	CHECK(holds("terraform.tfstate", "\"id\": \"one\""));
	CHECK(!exists("terraform.tfstate.backup"));
	CHECK(!exists(".terraform.tfstate.journal"));
	CHECK(backend_write(b, s, &ds) == 0 && s->serial == 1);
	put_id(s, "two");
	CHECK(backend_write(b, s, &ds) == 0 && s->serial == 2);
	CHECK(holds("terraform.tfstate", "\"id\": \"two\""));
	CHECK(stat("terraform.tfstate", &st) == 0 && (st.st_mode & 0111) == 0);
	backend_close(b);
	CHECK(ds.len == 0);
	remove_dir();
}

static void test_backup(void)
{
	struct backend_options o = { .state_path = STR_NONE };
	struct backend *b;
	struct state *s;

	fresh_dir();
	CHECK(!write_id(o, "one") && !write_id(o, "two"));
	CHECK(holds("terraform.tfstate.backup", "\"id\": \"one\""));
	/* One writer makes one backup, of what it found. */
	b = open_default();
	s = backend_read(b, &ds);
	put_id(s, "three");
	CHECK(!backend_write(b, s, &ds));
	put_id(s, "four");
	CHECK(!backend_write(b, s, &ds));
	CHECK(holds("terraform.tfstate.backup", "\"id\": \"two\""));
	CHECK(s->serial == 4);
	backend_close(b);
	o.backup_path = STR("-");
	CHECK(!write_id(o, "five"));
	CHECK(holds("terraform.tfstate.backup", "\"id\": \"two\""));
	o.backup_path = STR("other.backup");
	CHECK(!write_id(o, "six"));
	CHECK(holds("other.backup", "\"id\": \"five\""));
	CHECK(!write_id(o, "six"));
	CHECK(holds("other.backup", "\"id\": \"five\"")); /* no change */
	CHECK(ds.len == 0);
	remove_dir();
}

static void test_state_out(void)
{
	struct backend_options o = { .state_out = STR("sub/out.tfstate") };

	fresh_dir();
	CHECK(!write_id((struct backend_options){ .state_path = STR_NONE },
			"one"));
	CHECK(!write_id(o, "two"));
	CHECK(holds("terraform.tfstate", "\"one\""));
	CHECK(holds("sub/out.tfstate", "\"two\""));
	CHECK(!exists("sub/out.tfstate.backup"));
	CHECK(!write_id(o, "three"));
	CHECK(holds("sub/out.tfstate", "\"three\""));
	CHECK(holds("sub/out.tfstate.backup", "\"two\""));
	CHECK(ds.len == 0);
	remove_dir();
}

/* The same content of an older version: rewritten, serial kept. */
static void test_refreshed_format(void)
{
	static const char old[] =
		"{\"version\":4,\"terraform_version\":\"0.12.0\",\"serial\":9,"
		"\"lineage\":\"l\",\"outputs\":{},\"resources\":[]}";
	struct backend *b;
	struct state *s;
	FILE *f;

	fresh_dir();
	f = fopen("terraform.tfstate", "w");
	fputs(old, f);
	fclose(f);
	b = open_default();
	s = backend_read(b, &ds);
	CHECK(s && s->serial == 9);
	CHECK_STR(s->terraform_version, "0.12.0");
	CHECK(!backend_write(b, s, &ds) && s->serial == 9);
	CHECK(holds("terraform.tfstate", "\"1.12.6\""));
	CHECK(!exists("terraform.tfstate.backup"));
	backend_close(b);
	remove_dir();
}

static void test_lineage(void)
{
	struct backend *b;
	struct state *s, *foreign;

	fresh_dir();
	CHECK(!write_id((struct backend_options){ .state_path = STR_NONE },
			"one"));
	b = open_default();
	s = backend_read(b, &ds);
	CHECK(s != NULL);
	foreign = state_new(&arena);
	foreign->lineage = STR("another");
	CHECK(backend_write(b, foreign, &ds) == -1);
	CHECK(said("Failed to save state"));
	CHECK(holds("terraform.tfstate", "\"one\""));
	backend_close(b);
	remove_dir();
}

static void test_unreadable(void)
{
	FILE *f;
	struct backend *b;

	fresh_dir();
	f = fopen("terraform.tfstate", "w");
	fputs("{\"version\":", f);
	fclose(f);
	b = open_default();
	CHECK(!backend_read(b, &ds));
	CHECK(said("Unsupported state file format"));
	backend_close(b);
	CHECK(!mkdir("d", 0755));
	b = open_with((struct backend_options){ .state_path = STR("d") });
	CHECK(!backend_read(b, &ds));
	CHECK(said("Failed to load state"));
	backend_close(b);
	remove_dir();
}

static void test_config(void)
{
	const struct str names[] = { STR("path"), STR("workspace_dir") };
	const struct value *values[2];
	struct backend_options o = { .workspace = STR("w") };

	fresh_dir();
	values[0] = value_string(&arena, STR("p/my.tfstate"));
	values[1] = value_string(&arena, STR("ws"));
	o.config = value_object(&arena, names, values, 2);
	CHECK(!write_id(o, "one"));
	CHECK(exists("ws/w/terraform.tfstate"));
	o.workspace = STR_NONE;
	CHECK(!write_id(o, "one"));
	CHECK(exists("p/my.tfstate"));
	values[0] = &value_empty_string;
	o.config = value_object(&arena, names, values, 2);
	CHECK(!open_with(o) && said("Invalid local state file path"));
	o.backend_type = STR("odd");
	CHECK(!open_with(o) && said("Unsupported backend type"));
	remove_dir();
}

static void test_saved(void)
{
	struct workdir w = { .data_dir = STR("data") };
	struct backend_options o = { .workdir = &w };
	FILE *f;

	fresh_dir();
	CHECK(!backend_saved(&arena, &o, &ds) && !o.backend_type.n);
	CHECK(!mkdir("data", 0755));
	f = fopen("data/terraform.tfstate", "w");
	fputs("{\"version\":3,\"backend\":{\"type\":\"local\",\"config\":"
	      "{\"path\":\"x.tfstate\",\"workspace_dir\":null}}}", f);
	fclose(f);
	CHECK(!backend_saved(&arena, &o, &ds));
	CHECK_STR(o.backend_type, "local");
	CHECK(!write_id(o, "one") && exists("x.tfstate"));
	remove_dir();
}

/* --- locks --- */

static void test_lock(void)
{
	struct backend *a, *b;

	fresh_dir();
	a = open_default();
	b = open_default();
	CHECK(!backend_lock(a, "OperationTypeApply", 0, &ds));
	CHECK(exists("terraform.tfstate"));
	CHECK(holds(".terraform.tfstate.lock.info",
		    "\"Operation\":\"OperationTypeApply\",\"Info\":\"\","
		    "\"Who\":\""));
	CHECK(holds(".terraform.tfstate.lock.info",
		    "Z\",\"Path\":\"terraform.tfstate\"}"));
	CHECK(backend_lock_token(a).n == 36 && !backend_lock_token(b).n);
	CHECK(backend_lock(b, "plan", 0, &ds) == -1);
	CHECK(said("Error acquiring the state lock"));
	CHECK(detail_has("Lock Info:\n  ID:        "));
	CHECK(detail_has("\n  Path:      terraform.tfstate\n"
			 "  Operation: OperationTypeApply\n  Who:       "));
	CHECK(detail_has("\n  Version:   1.12.6\n  Created:   20"));
	CHECK(detail_has(" +0000 UTC\n  Info:      \n"));
	CHECK(!backend_unlock(a, &ds));
	/* An empty file that locking created is removed. */
	CHECK(!exists("terraform.tfstate"));
	CHECK(!exists(".terraform.tfstate.lock.info"));
	CHECK(!backend_lock(b, "plan", 0, &ds));
	backend_close(b); /* unlocks */
	CHECK(!backend_lock(a, "again", 0, &ds));
	backend_close(a);
	remove_dir();
}

/* The lock is the traditional POSIX one to other programs, and reading the
 * file elsewhere in this process does not drop it. */
static void test_lock_is_posix(void)
{
	struct backend *a;
	pid_t pid;
	int status;

	fresh_dir();
	a = open_default();
	CHECK(!backend_lock(a, "x", 0, &ds));
	file("terraform.tfstate"); /* opens and closes it */
	pid = fork();
	if (pid == 0) {
		struct flock fl = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
		int fd = open("terraform.tfstate", O_RDWR);

		_exit(fd >= 0 && fcntl(fd, F_SETLK, &fl) == -1 &&
		      (errno == EAGAIN || errno == EACCES) ? 0 : 1);
	}
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	backend_close(a);
	remove_dir();
}

/* Another program's lock is respected, and waited for. */
static void test_lock_waits(void)
{
	struct backend *b;
	struct timespec before, after;
	int ready[2], status;
	long ms;
	char c;
	pid_t pid;

	fresh_dir();
	CHECK(pipe(ready) == 0);
	pid = fork();
	if (pid == 0) {
		struct flock fl = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
		struct timespec nap = { 0, 400000000 };
		int fd = open("terraform.tfstate", O_RDWR | O_CREAT, 0666);

		if (fcntl(fd, F_SETLK, &fl) || write(ready[1], "x", 1) != 1)
			_exit(1);
		nanosleep(&nap, NULL);
		_exit(0);
	}
	CHECK(read(ready[0], &c, 1) == 1);
	b = open_default();
	CHECK(backend_lock(b, "x", 0, &ds) == -1);
	CHECK(!detail_has("Lock Info")); /* it wrote none */
	clock_gettime(CLOCK_MONOTONIC, &before);
	CHECK(backend_lock(b, "x", 100, &ds) == -1);
	CHECK(backend_lock(b, "x", 10000, &ds) == 0);
	clock_gettime(CLOCK_MONOTONIC, &after);
	ms = (after.tv_sec - before.tv_sec) * 1000 +
	     (after.tv_nsec - before.tv_nsec) / 1000000;
	CHECK(ms >= 150 && ms < 8000);
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	backend_close(b);
	close(ready[0]);
	close(ready[1]);
	remove_dir();
}

static void test_adopt(void)
{
	struct backend *a, *b;
	struct state *s;
	struct str token;

	fresh_dir();
	a = open_default();
	b = open_default();
	CHECK(!backend_lock(a, "with-lock", 0, &ds));
	token = backend_lock_token(a);
	setenv("TFPIPE_LOCK_TOKEN", token.p, 1);
	CHECK(backend_adopt_lock(b, STR("wrong"), &ds) == -1);
	CHECK(backend_adopt_lock(b, STR(""), &ds) == -1);
	CHECK(!backend_adopt_lock(b, token, &ds));
	CHECK(!backend_lock(b, "apply", 0, &ds)); /* has it already */
	CHECK(!getenv("TFPIPE_LOCK_TOKEN"));
	s = backend_read(b, &ds);
	put_id(s, "one");
	CHECK(!backend_write(b, s, &ds));
	CHECK(!backend_unlock(b, &ds));
	CHECK(exists(".terraform.tfstate.lock.info")); /* still the owner's */
	CHECK(backend_lock(b, "apply", 0, &ds) == -1);
	CHECK(!backend_unlock(a, &ds));
	CHECK(backend_adopt_lock(b, token, &ds) == -1);
	CHECK(holds("terraform.tfstate", "\"one\""));
	backend_close(a);
	backend_close(b);
	remove_dir();
}

/* Locked, then replaced by a program that ignores locks. */
static void test_replaced_while_locked(void)
{
	struct backend *b;
	struct state *s;

	fresh_dir();
	CHECK(!write_id((struct backend_options){ .state_path = STR_NONE },
			"one"));
	b = open_default();
	CHECK(!backend_lock(b, "x", 0, &ds));
	s = backend_read(b, &ds);
	put_id(s, "two");
	CHECK(!rename("terraform.tfstate", "old") &&
	      !io_replace_file("terraform.tfstate", "{}", 2, 0644));
	CHECK(backend_write(b, s, &ds) == -1);
	CHECK(said("Failed to save state"));
	CHECK_STR(file("terraform.tfstate"), "{}");
	backend_close(b);
	remove_dir();
}

/* The file vanishes just before the next lock is taken: its former holder, who
 * created it, removes it while empty. */
static bool vanishes;

int fcntl(int fd, int cmd, ...)
{
	va_list ap;
	void *arg;

	va_start(ap, cmd);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (vanishes && cmd == F_OFD_SETLK) {
		vanishes = false;
		CHECK(unlink("terraform.tfstate") == 0);
	}
	return (int)syscall(SYS_fcntl, fd, cmd, arg);
}

/* The lock is on the file that others will find. */
static void test_vanishing(void)
{
	struct backend *b, *other;

	fresh_dir();
	vanishes = true;
	b = open_with((struct backend_options){ 0 });
	CHECK(!backend_lock(b, "first", 0, &ds));
	CHECK(!vanishes);
	other = open_with((struct backend_options){ 0 });
	CHECK(backend_lock(other, "second", 0, &ds) != 0);
	backend_close(other);
	backend_close(b);
	ds = (struct diags)DIAGS_INIT(&arena);
	remove_dir();
}

static void test_timeouts(void)
{
	static const struct {
		const char *text;
		long ms; /* -1: refused */
	} rows[] = {
		{ "0", 0 }, { "0s", 0 }, { "10s", 10000 }, { "500ms", 500 },
		{ "1m30s", 90000 }, { "1.5h", 5400000 }, { "2000us", 2 },
		{ "", -1 }, { "5", -1 }, { "s", -1 }, { "1x", -1 },
		{ "-1s", -1 }, { "1s ", -1 }, { "1e9s", -1 },
		{ "999999999999999999h", -1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint64_t ms = 0;
		int rc = lock_timeout_parse(str_c(rows[i].text), &ms);

		CHECK_ROW(rows[i].ms < 0 ? rc == -1 :
			  rc == 0 && ms == (uint64_t)rows[i].ms, rows[i].text);
	}
}

/* --- push --- */

static struct state *made(const char *lineage, uint64_t serial, const char *id)
{
	struct state *s = state_new(&arena);

	s->lineage = str_c(lineage);
	s->serial = serial;
	put_id(s, id);
	return s;
}

static void test_push(void)
{
	static const struct {
		const char *lineage;
		uint64_t serial;
		const char *id;
		bool force;
		int rc;
		uint64_t after;
	} rows[] = {
		{ "l", 3, "a", false, 0, 4 },   /* the first one */
		{ "l", 4, "b", false, -1, 4 },  /* same serial, other content */
		{ "l", 4, "a", false, 0, 4 },   /* the same again */
		{ "l", 3, "b", false, -1, 4 },  /* older */
		{ "m", 9, "b", false, -1, 4 },  /* another lineage */
		{ "", 1, "b", false, 0, 3 },    /* without lineage: anything */
		{ "l", 7, "c", false, 0, 9 },
		{ "m", 2, "d", true, 0, 4 },
	};
	struct backend *b;

	fresh_dir();
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct state *s = made(rows[i].lineage, rows[i].serial,
				       rows[i].id);

		b = open_default();
		CHECK(backend_push(b, s, rows[i].force, &ds) == rows[i].rc);
		backend_close(b);
		b = open_default();
		s = backend_read(b, &ds);
		CHECK(s && s->serial == rows[i].after);
		if (rows[i].rc == 0)
			CHECK(str_find(id_of(s), str_c(rows[i].id)) >= 0);
		backend_close(b);
	}
	CHECK(said("Failed to write the imported state"));
	remove_dir();
}

/* --- workspaces --- */

static size_t count(struct backend *b)
{
	struct str_vec names = { 0 };

	CHECK(!workspace_list(b, &names, &ds));
	return names.len;
}

static void test_workspaces(void)
{
	struct backend_options o = { .workspace = STR("dev") };
	struct backend *b;
	struct str_vec names = { 0 };

	fresh_dir();
	b = open_default();
	CHECK(count(b) == 1);
	CHECK(!workspace_new(b, STR("zed"), &ds));
	CHECK(!workspace_new(b, STR("dev"), &ds));
	CHECK(workspace_new(b, STR("dev"), &ds) == -1);
	CHECK(said("Workspace \"dev\" already exists"));
	CHECK(workspace_new(b, STR("default"), &ds) == -1);
	CHECK(workspace_new(b, STR("a/b"), &ds) == -1);
	CHECK(said("Invalid workspace name"));
	CHECK(workspace_new(b, STR(".."), &ds) == -1);
	CHECK(!workspace_list(b, &names, &ds) && names.len == 3);
	CHECK_STR(names.items[0], "default");
	CHECK_STR(names.items[1], "dev");
	CHECK_STR(names.items[2], "zed");
	CHECK(!write_id(o, "one"));
	CHECK(holds("terraform.tfstate.d/dev/terraform.tfstate", "\"one\""));
	CHECK(workspace_delete(b, STR("dev"), false, true, 0, &ds) == -1);
	CHECK(said("Workspace is not empty") && detail_has("\n  - t.n"));
	CHECK(!workspace_delete(b, STR("zed"), false, true, 0, &ds));
	CHECK(!workspace_delete(b, STR("dev"), true, true, 0, &ds));
	CHECK(said("\"dev\" was non-empty"));
	CHECK(!exists("terraform.tfstate.d/dev"));
	CHECK(workspace_delete(b, STR("dev"), true, true, 0, &ds) == -1);
	CHECK(said("Workspace \"dev\" doesn't exist"));
	CHECK(workspace_delete(b, STR("default"), true, true, 0, &ds) == -1);
	CHECK(count(b) == 1);
	backend_close(b);
	remove_dir();
}

/* The one that a program finds there that begins now. */
static struct str current(void)
{
	struct workdir *w = ARENA_NEW(&arena, struct workdir);

	workdir_open(&arena, w);
	return w->workspace;
}

static void test_current(void)
{
	struct workdir w;

	fresh_dir();
	unsetenv("TF_WORKSPACE");
	setenv("TF_DATA_DIR", "d", 1);
	workdir_open(&arena, &w);
	CHECK_STR(w.data_dir, "d");
	CHECK_STR(w.workspace, "default");
	CHECK(!w.forced.n);
	CHECK(!workspace_select(&w, STR("dev"), &ds));
	CHECK_STR(w.workspace, "dev");
	CHECK_STR(file("d/environment"), "dev");
	CHECK_STR(current(), "dev");
	CHECK(!io_replace_file("d/environment", " qa \n", 5, 0644));
	CHECK_STR(current(), "qa");
	setenv("TF_WORKSPACE", "env", 1);
	workdir_open(&arena, &w);
	CHECK_STR(w.forced, "env");
	CHECK_STR(w.workspace, "env");
	CHECK(!workspace_select(&w, STR("dev"), &ds)); /* for those to come */
	CHECK_STR(w.workspace, "env");
	setenv("TF_WORKSPACE", "", 1);
	CHECK_STR(current(), "dev");
	unsetenv("TF_WORKSPACE");
	CHECK(!unlink("d/environment") && !mkdir("d/environment", 0755));
	CHECK_STR(current(), ""); /* it cannot be read */
	setenv("TF_DATA_DIR", "", 1);
	workdir_open(&arena, &w);
	CHECK_STR(w.data_dir, ".terraform");
	CHECK_STR(workdir_path(&arena, &w, WORKDIR_READS), ".terraform/reads");
	unsetenv("TF_DATA_DIR");
	CHECK(workspace_name_valid(STR("a-b_c.~$&+=:@1")));
	CHECK(!workspace_name_valid(STR("a b")));
	CHECK(!workspace_name_valid(STR("a;b")));
	CHECK(!workspace_name_valid(STR("")));
	CHECK(!workspace_name_valid((struct str){ "a\0b", 3 }));
	remove_dir();
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	signal(SIGPIPE, SIG_IGN);
	RUN(test_first_write());
	RUN(test_backup());
	RUN(test_state_out());
	RUN(test_refreshed_format());
	RUN(test_lineage());
	RUN(test_unreadable());
	RUN(test_config());
	RUN(test_saved());
	RUN(test_lock());
	RUN(test_lock_is_posix());
	RUN(test_lock_waits());
	RUN(test_adopt());
	RUN(test_replaced_while_locked());
	RUN(test_vanishing());
	RUN(test_timeouts());
	RUN(test_push());
	RUN(test_workspaces());
	RUN(test_current());
	arena_release(&arena);
	return test_done("state_backend");
}
