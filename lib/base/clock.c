/* clock.c - see clock.h */
#include <string.h>

#include "base/clock.h"

/* The number's last n digits. */
static void put_digits(char *to, int64_t number, int n)
{
	for (; n-- > 0; number /= 10)
		to[n] = (char)('0' + number % 10);
}

/* As gmtime(3), which a signal handler may not call: years begin in March, so
 * that leap days are the last of theirs. */
static void put_date(char *to, int64_t days)
{
	const int64_t z = days + 719468, era = z / 146097, day = z % 146097;
	const int64_t year =
		(day - day / 1460 + day / 36524 - day / 146096) / 365;
	const int64_t left = day - (365 * year + year / 4 - year / 100);
	const int64_t march = (5 * left + 2) / 153;
	const int64_t month = march < 10 ? march + 3 : march - 9;

	put_digits(to, year + era * 400 + (month <= 2), 4);
	put_digits(to + 5, month, 2);
	put_digits(to + 8, left - (153 * march + 2) / 5 + 1, 2);
}

void clock_stamp(char *to)
{
	struct timespec now;
	int64_t second;

	clock_gettime(CLOCK_REALTIME, &now);
	second = now.tv_sec % 86400;
	memcpy(to, "0000-00-00T00:00:00.000000Z", CLOCK_STAMP);
	put_date(to, now.tv_sec / 86400);
	put_digits(to + 11, second / 3600, 2);
	put_digits(to + 14, second / 60 % 60, 2);
	put_digits(to + 17, second % 60, 2);
	put_digits(to + 20, now.tv_nsec / 1000, 6);
}
