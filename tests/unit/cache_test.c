/* cache_test.c - files that only save time */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "provider/schema_cache.h"
#include "test.h"

static void test_nothing_kept(void)
{
	struct arena a = ARENA_INIT;
	struct cache_file none = { 0 };
	struct str piece = STR("x");

	setenv("TFPIPE_CACHE_DIR", "", 1);
	CHECK(cache_file(&a, "k", STR("key")).path.n == 0);
	CHECK(cache_read(none).n == 0);
	cache_write(&a, none, &piece, 1); /* nothing happens */
	unsetenv("TFPIPE_CACHE_DIR");
	setenv("XDG_CACHE_HOME", "relative", 1); /* to be ignored */
	setenv("HOME", "/home/somebody", 1);
	CHECK(str_starts(cache_file(&a, "k", STR("key")).path,
			 "/home/somebody/.cache/tfpipe/k/"));
	setenv("XDG_CACHE_HOME", "/cache", 1);
	CHECK(str_starts(cache_file(&a, "k", STR("key")).path, "/cache/tfpipe/k/"));
	unsetenv("XDG_CACHE_HOME");
	unsetenv("HOME");
	CHECK(cache_file(&a, "k", STR("key")).path.n == 0);
	arena_release(&a);
}

static void test_round(const char *dir)
{
	struct arena a = ARENA_INIT;
	const struct str one[] = { STR("first"), STR(" and second") };
	const struct str two = STR("new");
	struct cache_file p, q;
	struct str before;
	struct stat st;

	setenv("TFPIPE_CACHE_DIR", dir, 1);
	p = cache_file(&a, "kind", STR("key"));
	q = cache_file(&a, "kind", STR("another key"));
	CHECK(p.path.n && q.path.n && !str_eq(p.path, q.path));
	CHECK(str_eq(p.path, cache_file(&a, "kind", STR("key")).path));
	CHECK(!str_eq(p.path, cache_file(&a, "other", STR("key")).path));
	CHECK(cache_read(p).n == 0);
	cache_write(&a, p, one, 2);
	before = cache_read(p);
	CHECK_STR(before, "first and second");
	CHECK(cache_read(q).n == 0);
	/* Text read earlier does not change. */
	cache_write(&a, p, &two, 1);
	CHECK_STR(cache_read(p), "new");
	CHECK_STR(before, "first and second");
	/* The same path with another key. */
	q = (struct cache_file){ p.path, STR("yek") };
	CHECK(cache_read(q).n == 0);
	CHECK(stat(p.path.p, &st) == 0 && (st.st_mode & 077) == 0);
	CHECK(stat(dir, &st) == 0);
	/* A file of another user is not used. */
	if (geteuid() == 0) {
		CHECK(chown(p.path.p, 1, 1) == 0);
		CHECK(cache_read(p).n == 0);
	}
	unlink(p.path.p);
	arena_release(&a);
}

static void test_identity(const char *dir)
{
	struct arena a = ARENA_INIT;
	char *path = arena_printf(&a, "%s/file", dir);
	struct stat st;
	struct str first, second;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	CHECK(fd >= 0 && write(fd, "x", 1) == 1 && fstat(fd, &st) == 0);
	first = cache_identity(&a, &st);
	CHECK(str_eq(first, cache_identity(&a, &st)));
	CHECK(write(fd, "y", 1) == 1 && fstat(fd, &st) == 0);
	second = cache_identity(&a, &st);
	CHECK(!str_eq(first, second));
	st.st_ctim.tv_nsec++;
	CHECK(!str_eq(second, cache_identity(&a, &st)));
	close(fd);
	unlink(path);
	arena_release(&a);
}

int main(int argc, char **argv)
{
	const char *base = getenv("TMPDIR");
	struct arena a = ARENA_INIT;
	char *dir = arena_printf(&a, "%s/cache-test-XXXXXX",
				 base && *base ? base : ".");
	char *kind;

	test_begin(argc, argv);
	RUN(test_nothing_kept());
	CHECK(mkdtemp(dir) != NULL);
	RUN(test_round(dir));
	RUN(test_identity(dir));
	kind = arena_printf(&a, "%s/kind", dir);
	rmdir(kind);
	CHECK(rmdir(dir) == 0); /* no temporary file is left */
	arena_release(&a);
	return test_done("cache");
}
