/*
 * test.h - the unit tests' harness: named tests of checks that count, as TAP
 *
 *	int main(int argc, char **argv)
 *	{
 *		test_begin(argc, argv);
 *		RUN(test_strings());
 *		return test_done("base");
 *	}
 *
 * CHECK goes on after a failure, so that one run shows all of them.  A program
 * that is given names runs those tests whose calls have one of them in their text;
 * what it needs besides, it does always.
 */
#ifndef TFPIPE_TESTS_UNIT_TEST_H
#define TFPIPE_TESTS_UNIT_TEST_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"

/* Links crypto.so and the like into tests, which have none beside them. */
extern const struct crypto_dso crypto_dso;
extern const struct archive_dso archive_dso;
extern const struct codec_dso codec_dso;
__attribute__((used)) static const void *const test_dsos_[] = {
	&crypto_dso, &archive_dso, &codec_dso
};

static int test_passed_, test_failed_, test_count_;
static char **test_names_; /* those that are wanted; NULL: all */

static inline void test_begin(int argc, char **argv)
{
	test_names_ = argc > 1 ? argv + 1 : NULL;
	setvbuf(stdout, NULL, _IOLBF, 0);
}

/* Returns the source tree: make check's srcdir, or relative to the working
 * directory. */
static inline const char *test_srcdir(void)
{
	const char *said = getenv("srcdir");

	return said ? said : access("tests/golden", F_OK) == 0 ? "." : "..";
}

/* Prints text for people beside the results, as TAP comments. */
__attribute__((format(printf, 1, 2)))
static inline void test_note(const char *fmt, ...)
{
	va_list ap;
	char *text, *line, *rest;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		abort();
	va_end(ap);
	for (rest = text; (line = strsep(&rest, "\n")); )
		if (rest || *line)
			printf("# %s\n", line);
	free(text);
}

static inline bool test_wanted_(const char *call)
{
	bool wanted = !test_names_;

	for (char **name = test_names_; !wanted && *name; name++)
		wanted = strstr(call, *name) != NULL;
	return wanted;
}

static inline void test_ran_(const char *call, int passed, int failed)
{
	const size_t n = strlen(call);
	const bool plain = n > 2 && strcmp(call + n - 2, "()") == 0;

	if (strncmp(call, "test_", 5) == 0)
		call += 5;
	printf("%s %d - %.*s: ", failed ? "not ok" : "ok", ++test_count_,
	       (int)(strlen(call) - (plain ? 2 : 0)), call);
	if (failed)
		printf("%d of %d checks failed\n", failed, passed + failed);
	else
		printf("%d checks\n", passed);
}

/* A test is a call. */
#define RUN(call)                                                          \
	do {                                                               \
		const int passed_ = test_passed_, failed_ = test_failed_;  \
                                                                           \
		if (!test_wanted_(#call))                                  \
			break;                                             \
		call;                                                      \
		test_ran_(#call, test_passed_ - passed_,                   \
			  test_failed_ - failed_);                         \
	} while (0)

/* Counts a check and prints a failure; row: the row of a table, or NULL. */
static inline void check_(bool passed, const char *file, int line,
			  const char *row, const char *cond)
{
	if (passed)
		test_passed_++;
	else if (row)
		test_note("%s:%d: failed for %s: %s", file, line, row, cond);
	else
		test_note("%s:%d: failed: %s", file, line, cond);
	test_failed_ += !passed;
}

#define CHECK(cond) check_(!!(cond), __FILE__, __LINE__, NULL, #cond)

/* For table-driven tests: name the row when cond is false. */
#define CHECK_ROW(cond, row) check_(!!(cond), __FILE__, __LINE__, (row), #cond)

static inline void check_str_(const char *file, int line, struct str got,
			      const char *want)
{
	if (str_is(got, want)) {
		test_passed_++;
		return;
	}
	test_failed_++;
	test_note("%s:%d: got  \"%.*s\"\n%s:%d: want \"%s\"", file, line,
		  STR_ARG(got), file, line, want);
}
/* got is a struct str, want a C string. */
#define CHECK_STR(got, want) check_str_(__FILE__, __LINE__, (got), (want))

static inline int test_done(const char *name)
{
	printf("1..%d\n# %s: %d checks passed, %d failed\n", test_count_, name,
	       test_passed_, test_failed_);
	return test_failed_ != 0 || test_passed_ == 0;
}

#endif
