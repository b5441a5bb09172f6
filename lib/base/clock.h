/* clock.h - time that only goes on, the time of day as text, durations */
#ifndef TFPIPE_BASE_CLOCK_H
#define TFPIPE_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#include "base/str.h"

/* Milliseconds since some moment before the program began. */
static inline uint64_t clock_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

/* Writes the time of day in UTC, with microseconds; CLOCK_STAMP bytes, no NUL.
 * A signal handler may call it. */
enum { CLOCK_STAMP = sizeof("2006-01-02T15:04:05.000000Z") - 1 };
void clock_stamp(char *to);

/* As "1h30m", "-1.5s": nanoseconds. NULL, or what is wrong. */
const char *clock_duration(struct arena *a, struct str s, int64_t *out);

#endif
