/* clock.h - time that only goes on */
#ifndef TFPIPE_BASE_CLOCK_H
#define TFPIPE_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Milliseconds since some moment before the program began. */
static inline uint64_t clock_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

#endif
