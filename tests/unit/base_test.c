/* base_test.c - arena, str, buf, vec, map, source, diag, opts */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/file_path.h"
#include "base/io.h"
#include "base/map.h"
#include "base/opts.h"
#include "base/source.h"
#include "base/vec.h"
#include "base/visible.h"

static void test_arena(void)
{
	struct arena a = ARENA_INIT;
	char *big, *small = arena_strdup(&a, "abc");

	big = arena_alloc0(&a, 3 << 20);
	big[(3 << 20) - 1] = 1;
	CHECK(strcmp(small, "abc") == 0);
	CHECK(strcmp(arena_printf(&a, "%0300d", 7) + 298, "07") == 0);
	arena_reset(&a);
	CHECK(a.chunk != NULL);
	arena_release(&a);
	CHECK(a.total == 0);
}

/* A product that does not fit is out of memory, not a small array. */
static void test_array_too_large(void)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		struct arena a = ARENA_INIT;

		close(STDERR_FILENO);
		ARENA_ARRAY(&a, uint64_t, SIZE_MAX / 8 + 2);
		_exit(77);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) != 77);
}

/* Every object is where no other is, whatever opens a large chunk. */
static void test_large_arena(void)
{
	enum { N = 20000 };
	struct arena a = ARENA_INIT;
	unsigned char **p = xcalloc(N, sizeof(*p));
	size_t wrong = 0;

	for (size_t i = 0; i < N; i++) {
		size_t n = i % 5000 == 77 ? 1 << 20 : i * 7919 % 900 + 1;

		p[i] = arena_alloc(&a, n);
		wrong += n % 16 == 0 && (uintptr_t)p[i] % 16;
		memset(p[i], (int)(i & 0xff), n);
	}
	for (size_t i = 0; i < N; i++) {
		size_t n = i % 5000 == 77 ? 1 << 20 : i * 7919 % 900 + 1;

		wrong += p[i][0] != (i & 0xff) || p[i][n - 1] != (i & 0xff);
	}
	CHECK(wrong == 0);
	arena_release(&a);
	free(p);
}

static void test_utf8(void)
{
	char text[200];

	memset(text, 'a', sizeof(text));
	for (size_t at = 0; at + 1 < sizeof(text); at++) {
		memcpy(text + at, "\xc3\xa9", 2);
		CHECK(str_utf8_valid((struct str){ text, sizeof(text) }));
		CHECK(!str_utf8_valid((struct str){ text, at + 1 }));
		CHECK(str_utf8_upto((struct str){ text, at + 1 }) == at);
		memset(text, 'a', sizeof(text));
	}
	for (uint32_t c = 1; c <= 0x10ffff; c += c < 0x900 ? 1 : 251) {
		size_t n = (size_t)(utf8_put(text, c) - text);

		if (c < 0xd800 || c > 0xdfff)
			CHECK(utf8_len(text, n) == n && utf8_rune(text, n) == c);
	}
}

static void test_file_path(void)
{
	static const struct {
		const char *path, *clean;
	} rows[] = {
		{ "", "." },	       { "./", "." },	    { "a/..", "." },
		{ "a/../b//c", "b/c" }, { "/../a/.", "/a" }, { "../a/../..", "../.." },
		{ "a/b/../../..", ".." },
	};
	struct arena a = ARENA_INIT;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		CHECK_STR(file_path_clean(&a, str_c(rows[i].path)),
			  rows[i].clean);
	CHECK_STR(file_path_join(&a, STR("a"), STR("../b")), "b");
	CHECK_STR(file_path_join(&a, STR_NONE, STR("./b")), "b");
	CHECK_STR(file_path_join(&a, STR_NONE, STR_NONE), "");
	CHECK_STR(file_path_in(&a, STR("a/.."), STR("./b")), "a/.././b");
	CHECK_STR(file_path_in(&a, STR("."), STR("b")), "b");
	CHECK_STR(file_path_in(&a, STR("a/"), STR("b")), "a/b");
	CHECK_STR(file_path_in(&a, STR("a"), STR("/b")), "/b");
	CHECK_STR(file_path_directory(STR("a/b")), "a/");
	CHECK_STR(file_path_directory(STR("b")), "");
	arena_release(&a);
}

static void test_clock(void)
{
	char now[CLOCK_STAMP + 1] = "", day[11];
	time_t t = time(NULL), later;
	struct tm tm;

	do {
		later = t;
		clock_stamp(now);
		t = time(NULL);
	} while (later / 86400 != t / 86400);
	gmtime_r(&t, &tm);
	strftime(day, sizeof(day), "%Y-%m-%d", &tm);
	CHECK(strncmp(now, day, 10) == 0);
	CHECK(now[10] == 'T' && now[19] == '.' && now[CLOCK_STAMP - 1] == 'Z');
}

static void test_str_sort(void)
{
	struct str all[] = { STR("b"), STR("ab"), STR("a"), STR("") };

	str_sort(NULL, 0);
	str_sort(all, 4);
	for (size_t i = 1; i < 4; i++)
		CHECK(str_cmp(all[i - 1], all[i]) < 0);
}

static void test_str(void)
{
	CHECK(str_cmp(STR("a"), STR("ab")) < 0);
	CHECK(str_cmp(STR("b"), STR("ab")) > 0);
	CHECK(str_find(STR("hello"), STR("ll")) == 2);
	CHECK(str_find(STR("hello"), STR("x")) == -1);
	CHECK_STR(str_trim(STR(" \t\r\n\v\fa b\n ")), "a b");
	CHECK_STR(str_trim(STR(" \n")), "");
	CHECK(str_utf8_valid(STR("h\xc3\xa9")));
	CHECK(!str_utf8_valid(STR("\xc0\x80")));
	CHECK(!str_utf8_valid(STR("\xed\xa0\x80")));
	CHECK(!str_utf8_valid(STR("\xf4\x90\x80\x80")));
	test_utf8();
}

static void test_buf(void)
{
	struct buf b = BUF_INIT;

	for (int i = 0; i < 100; i++)
		buf_addf(&b, "%d,", i);
	CHECK(str_starts(buf_view(&b), "0,1,2,"));
	CHECK(str_ends(buf_view(&b), "98,99,"));
	buf_addf(&b, "%0500d", 1);
	CHECK(b.len == 290 + 500);
	buf_release(&b);
}

static void test_map(void)
{
	struct arena a = ARENA_INIT;
	struct map m = { 0 };
	int values[1000];

	for (int i = 0; i < 1000; i++)
		map_put(&a, &m, str_printf(&a, "key%d", i), &values[i]);
	CHECK(m.len == 1000);
	CHECK(map_get(&m, STR("key517")) == &values[517]);
	CHECK(map_get(&m, STR("none")) == NULL);
	CHECK(map_put(&a, &m, STR("key3"), &values[4]) == &values[3]);
	CHECK(m.len == 1000);
	CHECK_STR(m.entries[9].key, "key9");
	CHECK_STR(map_sorted(&a, &m)[0].key, "key0");
	CHECK_STR(map_sorted(&a, &m)[3].key, "key100");
	CHECK_STR(m.entries[3].key, "key3");
	arena_release(&a);
}

static void test_source(void)
{
	struct arena a = ARENA_INIT;
	struct source *s = source_new(&a, STR("f"),
				      STR("ab\n\xc3\xa9\xcc\x81x\r\nz"));
	struct pos p = source_pos(s, 7); /* é + combining acute: one column */

	CHECK(p.line == 2 && p.column == 2 && p.byte == 7);
	p = source_pos(s, (uint32_t)s->text.n);
	CHECK(p.line == 3 && p.column == 2);
	s = source_fragment(&a, STR("f"), STR("abc\nd"),
			    (struct pos){ 10, 5, 100 });
	p = source_pos(s, 1);
	CHECK(p.line == 10 && p.column == 6 && p.byte == 101);
	p = source_pos(s, 4);
	CHECK(p.line == 11 && p.column == 1 && p.byte == 104);
	arena_release(&a);
}

static void test_read_regular(void)
{
	char path[] = "/tmp/base_test.XXXXXX";
	struct arena a = ARENA_INIT;
	struct str text = STR_NONE;
	int fd = mkstemp(path);

	CHECK(fd >= 0);
	CHECK(!io_read_regular(&a, path, 10, &text) && text.n == 0);
	CHECK(write(fd, "twelve bytes", 12) == 12);
	CHECK(!io_read_regular(&a, path, 12, &text));
	CHECK(str_is(text, "twelve bytes") && text.p[12] == '\0');
	CHECK(io_read_regular(&a, path, 11, &text) < 0 && errno == EFBIG);
	close(fd);
	unlink(path);
	CHECK(io_read_regular(&a, path, 12, &text) < 0 && errno == ENOENT);
	CHECK(io_read_regular(&a, "/", 12, &text) < 0 && errno == EISDIR);
	CHECK(mkfifo(path, 0600) == 0);
	CHECK(io_read_regular(&a, path, 12, &text) < 0 && errno == EINVAL);
	unlink(path);
	/* Says that it has no bytes, as one does that grows while it is read. */
	CHECK(!io_read_regular(&a, "/proc/self/status", 1 << 20, &text));
	CHECK(str_starts(text, "Name:") && str_find(text, STR("\nPid:")) > 0);
	CHECK(io_read_regular(&a, "/proc/self/status", 20, &text) < 0 &&
	      errno == EFBIG);
	arena_release(&a);
}

static void test_opts_modes(void)
{
	enum { MAKE = 1, SHOW = 2, TEST = 4 };
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct str_vec rest = { 0 }, given = { 0 };
	const struct opt table[] = {
		{ "all", OPT_FLAG, NULL, NULL, "" },
		{ "make", OPT_FLAG, NULL, NULL, "", .modes = MAKE },
		{ "two", OPT_FLAG, NULL, NULL, "", .modes = MAKE | SHOW },
		{ NULL, 0, NULL, NULL, NULL },
	};
	const struct opts o = { "tf-test", "", table, NULL };
	char *argv[] = { "tf-test", "-all", "-two", "-make=false" };
	const struct opt *p;

	CHECK(opts_parse(&a, &o, 4, argv, &rest, &given, &ds) == OPTS_RUN);
	CHECK(!opts_misplaced(&o, &given, MAKE));
	p = opts_misplaced(&o, &given, SHOW);
	CHECK(p && strcmp(p->name, "make") == 0);
	p = opts_misplaced(&o, &given, TEST);
	CHECK(p && strcmp(p->name, "two") == 0);
	arena_release(&a);
}

static void test_opts(void)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct str_vec rest = { 0 }, given = { 0 }, vars = { 0 };
	bool refresh = true;
	struct str out = STR_NONE;
	long n = 10;
	bool destroy = false;
	const struct opt shared[] = {
		{ "destroy", OPT_FLAG, &destroy, NULL, "" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	const struct opt table[] = {
		{ "refresh", OPT_FLAG, &refresh, NULL, "" },
		{ "out", OPT_STRING, &out, "FILE", "" },
		{ "var", OPT_LIST, &vars, "NAME=VALUE", "" },
		{ "parallelism", OPT_INT, &n, "N", "" },
		{ "old", OPT_REFUSED, NULL, NULL, "it is gone" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	struct opts o = { "tf-test", "[FILE]", table, shared };
	char *argv[] = { "tf-test", "-refresh=false", "--out", "p",
			 "-var=a=1", "-var", "b=2", "-parallelism=3", "x",
			 "-destroy", "--", "-y" };
	char *wrong[] = { "tf-test", "-nope", "-parallelism=x", "-out" };
	char *maybe[] = { "tf-test", "-refresh=maybe" };
	char *old[] = { "tf-test", "-old=x" };
	static const char *const bools[] = { "0", "f", "F", "false", "FALSE",
					     "False", "1", "t", "T", "true",
					     "TRUE", "True" };

	CHECK(opts_parse(&a, &o, 12, argv, &rest, &given, &ds) == OPTS_RUN);
	CHECK(!refresh && destroy && n == 3 && vars.len == 2 && rest.len == 2);
	CHECK_STR(out, "p");
	CHECK_STR(vars.items[0], "a=1");
	CHECK_STR(rest.items[1], "-y");
	CHECK(given.len == 6 && ds.len == 0);
	CHECK(opts_parse(&a, &o, 4, wrong, &rest, NULL, &ds) == OPTS_BAD);
	CHECK(ds.errors == 3);
	for (int i = 0; i < 12; i++) {
		char *flag[] = { "tf-test", arena_printf(&a, "-refresh=%s",
							 bools[i]) };

		CHECK(opts_parse(&a, &o, 2, flag, &rest, NULL, &ds) ==
		      OPTS_RUN);
		CHECK(refresh == (i >= 6));
	}
	CHECK(opts_parse(&a, &o, 2, maybe, &rest, NULL, &ds) == OPTS_BAD);
	CHECK(opts_parse(&a, &o, 2, old, &rest, NULL, &ds) == OPTS_BAD);
	CHECK(ds.errors == 5);
	CHECK_STR(ds.items[4].detail,
		  "tf-test: -old is not supported: it is gone.");
	arena_release(&a);
}

/* Keys of pairs of words: for a product of 64 bits a difference in the highest bit
 * of the first word stays that, and the second makes up for it. */
static void test_hash_flooding(void)
{
	enum { PAIRS = 10, SIZE = 16 * PAIRS + 8 };
	struct arena a = ARENA_INIT;
	struct map seen = { 0 };

	for (unsigned k = 0; k < 1u << PAIRS; k++) {
		char *text = arena_alloc0(&a, SIZE);
		uint64_t hash;

		for (int i = 0; i < PAIRS; i++)
			if (k >> i & 1) {
				text[16 * i + 7] = (char)0x80;
				text[16 * i + 15] = (char)0x80;
				text[16 * i + 11] = (char)0x80;
			}
		hash = str_hash((struct str){ text, SIZE });
		map_put(&a, &seen, str_printf(&a, "%llx", (unsigned long long)hash),
			text);
	}
	CHECK(seen.len == 1u << PAIRS);
	CHECK(str_lasting_hash(STR("")) == 0xcbf29ce484222325u);
	CHECK(str_lasting_hash(STR("foobar")) == 0x85944171f73967e8u);
	arena_release(&a);
}

static struct str seen(struct arena *a, struct str text, bool painted)
{
	struct buf b = BUF_INIT;

	visible_put(&b, text, painted);
	return buf_take(a, &b);
}

static void test_visible(void)
{
	static const struct {
		struct str text;
		const char *shown;
	} cases[] = {
		{ STR_INIT("a\tb\n"), "a\tb\n" },
		{ STR_INIT("\x1b[2J\r\n"), "\xe2\x90\x9b[2J\xe2\x90\x8d\n" },
		{ STR_INIT("\0\x7f"), "\xe2\x90\x80\xe2\x90\xa1" },
		{ STR_INIT("\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0"),
		  "\\u0080\\u009b\\u009f\xc2\xa0" },
		{ STR_INIT("\xe2\x80\xa9\xe2\x80\xaa\xe2\x80\xae\xe2\x80\xaf"),
		  "\xe2\x80\xa9\\u202a\\u202e\xe2\x80\xaf" },
		{ STR_INIT("\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa"),
		  "\xe2\x81\xa5\\u2066\\u2069\xe2\x81\xaa" },
		{ STR_INIT("\xc3(\xf0\x9f\x91"), "\\xc3(\\xf0\\x9f\\x91" },
		{ STR_INIT(PAINT_RED "x"), "\\xffrx" },
	};
	struct arena a = ARENA_INIT;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		CHECK(str_is(seen(&a, cases[i].text, false), cases[i].shown));
	CHECK(str_is(seen(&a, STR(PAINT_RED "x" PAINT_PLAIN "\xffq\xff"), true),
		     "\x1b[31mx\x1b[0m\\xffq\\xff"));
	CHECK(str_is(visible_word(&a, STR("a\tb\n")),
		     "a\xe2\x90\x89" "b\xe2\x90\x8a"));
	CHECK(str_is(visible_text(&a, STR("a\n\b")), "a\n\xe2\x90\x88"));
	arena_release(&a);
}

/* --- links --- */

/* The same by openat2(2), and without it. */
static void check_links(const char *top)
{
	char *there = xstrdup(top), *real;
	struct stat st;
	int fd;

	CHECK(io_make_dirs("a/b//c/", 0700) == 0 && !stat("a/b/c", &st));
	CHECK(io_make_dirs("a/b/c", 0700) == 0 && io_make_dirs(".", 0700) == 0);
	CHECK(io_make_dirs("link/x", 0700) < 0 && errno == ELOOP);
	CHECK(io_make_dirs("link", 0700) < 0 && errno == ELOOP);
	CHECK(io_make_dirs("a/up/x", 0700) < 0 && errno == ELOOP);
	CHECK(io_make_dirs("a/../link/x", 0700) < 0 && errno == ELOOP);
	CHECK(io_make_dirs("file/x", 0700) < 0 && errno == ENOTDIR);
	CHECK(io_make_dirs("", 0700) < 0 && errno == ENOENT);
	CHECK(io_make_dirs_synced("link/x", 0700) == 0);
	CHECK(stat("to/x", &st) == 0 && io_rmdir("to/x") == 0);
	CHECK(io_rmdir("link/x") < 0 && errno == ELOOP);
	CHECK(io_unlink("link/kept") < 0 && errno == ELOOP);
	CHECK(io_remove_tree("link/kept") < 0 && errno == ELOOP);
	CHECK(io_remove_tree("none/kept") == 0);
	CHECK(strstr(io_why(), "link") || errno != ELOOP);
	CHECK(io_open("link/kept", O_RDONLY, 0) < 0 && errno == ELOOP);
	CHECK(io_open("name", O_WRONLY, 0) < 0 && errno == ELOOP);
	fd = io_open("a/b/new", O_WRONLY | O_CREAT | O_EXCL, 0600);
	CHECK(fd >= 0 && !close(fd) && io_unlink("a/b/new") == 0);
	CHECK(io_replace_file("link/kept", "x", 1, 0600) < 0);
	CHECK(errno == ELOOP);
	CHECK(io_replace_file("name", "x", 1, 0600) == 0);
	CHECK(lstat("name", &st) == 0 && S_ISREG(st.st_mode));
	CHECK(stat("to/kept", &st) == 0 && st.st_size == 4);
	/* an absolute path is followed */
	there = xrealloc(there, strlen(top) + sizeof("/by"));
	strcat(there, "/by");
	CHECK(io_target(there, &real) == 0 && strstr(real, "to/kept"));
	free(real);
	free(there);
	CHECK(io_remove_tree("a") == 0 && stat("to/kept", &st) == 0);
}

static void prepare_links(void)
{
	CHECK(mkdir("to", 0700) == 0 && mkdir("a", 0700) == 0);
	CHECK(symlink("to", "link") == 0 && symlink("../to", "a/up") == 0);
	unlink("name");
	CHECK(symlink("to/kept", "name") == 0 && symlink("to/kept", "by") == 0);
	CHECK(io_replace_file("to/kept", "kept", 4, 0600) == 0);
	CHECK(io_replace_file("file", "", 0, 0600) == 0);
}

/* openat2(2) is said not to exist. */
static void forbid_openat2(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog p = { 4, code };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p);
}

static void test_links(void)
{
	char top[] = "/tmp/base-test.XXXXXX";

	for (int i = 0; i < 2; i++) {
		strcpy(top, "/tmp/base-test.XXXXXX");
		CHECK(mkdtemp(top) && chdir(top) == 0);
		prepare_links();
		if (i)
			forbid_openat2();
		check_links(top);
		CHECK(chdir("/") == 0 && io_remove_tree(top) == 0);
	}
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_arena());
	RUN(test_array_too_large());
	RUN(test_large_arena());
	RUN(test_str());
	RUN(test_str_sort());
	RUN(test_file_path());
	RUN(test_clock());
	RUN(test_buf());
	RUN(test_map());
	RUN(test_hash_flooding());
	RUN(test_source());
	RUN(test_visible());
	RUN(test_read_regular());
	RUN(test_opts());
	RUN(test_opts_modes());
	RUN(test_links());
	return test_done("base");
}
