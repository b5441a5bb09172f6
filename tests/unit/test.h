/*
 * test.h - the unit tests' harness: checks that count, one line at the end
 *
 *	int main(void) { test_strings(); return test_done("base"); }
 *
 * CHECK goes on after a failure, so that one run shows all of them.
 */
#ifndef TFPIPE_TESTS_UNIT_TEST_H
#define TFPIPE_TESTS_UNIT_TEST_H

#include <stdio.h>
#include <string.h>

#include "base/str.h"

/* Has crypto.so and archive.so linked: they do not lie beside a test. */
extern const struct crypto_dso crypto_dso;
extern const struct archive_dso archive_dso;
__attribute__((used)) static const void *const test_dsos_[] = {
	&crypto_dso, &archive_dso
};

static int test_passed_, test_failed_;

#define CHECK(cond)                                                        \
	((cond) ? (void)test_passed_++                                     \
		: (void)(test_failed_++,                                   \
			 printf("%s:%d: failed: %s\n", __FILE__, __LINE__, \
				#cond)))

static inline void check_str_(const char *file, int line, struct str got,
			      const char *want)
{
	if (str_is(got, want)) {
		test_passed_++;
		return;
	}
	test_failed_++;
	printf("%s:%d: got  \"%.*s\"\n%s:%d: want \"%s\"\n", file, line,
	       STR_ARG(got), file, line, want);
}
/* got is a struct str, want a C string. */
#define CHECK_STR(got, want) check_str_(__FILE__, __LINE__, (got), (want))

/* For table-driven tests: name the row when cond is false. */
#define CHECK_ROW(cond, row)                                               \
	((cond) ? (void)test_passed_++                                     \
		: (void)(test_failed_++,                                   \
			 printf("%s:%d: failed for %s: %s\n", __FILE__,    \
				__LINE__, (row), #cond)))

static inline int test_done(const char *name)
{
	printf("%s: %d checks passed, %d failed\n", name, test_passed_,
	       test_failed_);
	return test_failed_ != 0 || test_passed_ == 0;
}

#endif
