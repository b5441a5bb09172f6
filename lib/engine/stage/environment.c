/* environment.c - see stage.h */
#include <errno.h>
#include <stdlib.h>

#include "engine/stage/stage.h"

int environment_refuse(struct diags *ds)
{
	const char *warn = getenv("TF_WARN_OUTPUT_ERRORS");

	if (!warn || !*warn)
		return 0;
	return diag_error(ds, NULL, "Unsupported environment variable",
			  "TF_WARN_OUTPUT_ERRORS asks for errors of outputs to "
			  "be warnings. Here they stay errors, so nothing is "
			  "done while it is set.");
}

int environment_persist(uint64_t *ms, struct diags *ds)
{
	enum { LEAST = 20, MOST = 365 * 24 * 60 * 60 };
	const char *text = getenv("TF_STATE_PERSIST_INTERVAL");
	const char *test = getenv("TFPIPE_TEST_PERSIST");
	char *end;
	long n;

	*ms = LEAST * 1000;
	if (test && (n = atol(test)) > 0) {
		*ms = (uint64_t)n;
		return 0;
	}
	if (!text)
		return 0;
	errno = 0;
	n = strtol(text, &end, 10);
	if (errno || end == text || *end || n < LEAST || n > MOST)
		return diag_error(
			ds, NULL, "Invalid environment variable",
			"TF_STATE_PERSIST_INTERVAL is a number of seconds, 20 at least.");
	*ms = (uint64_t)n * 1000;
	return 0;
}
