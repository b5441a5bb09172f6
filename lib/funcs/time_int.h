/*
 * time_int.h - points in time: RFC 3339 and its relatives
 */
#ifndef TFPIPE_FUNCS_TIME_INT_H
#define TFPIPE_FUNCS_TIME_INT_H

#include "base/str.h"

struct timestamp {
	int64_t sec;  /* since 1970-01-01T00:00:00Z */
	int32_t nsec; /* 0..999,999,999 */
	int offset;   /* of the zone it was written in, seconds east */
};

struct civil {
	int64_t year;
	int month, day, hour, minute, second;
	int weekday; /* 0: Sunday */
};

enum time_syntax {
	/* RFC 3339 to the letter. */
	TIME_STRICT,
	/* RFC 3339, or with one digit for the hour, a comma before the
	 * fraction, zones up to 24:60: what timecmp() accepts. */
	TIME_LENIENT,
	/* Month, day and the parts of the time may have one digit each; 't'
	 * for 'T'; a space for it, then without a zone; or a mere date: what
	 * YAML documents contain. */
	TIME_YAML,
};

/* NULL, or what is wrong. */
const char *timestamp_parse(struct arena *a, struct str s,
			    enum time_syntax syntax, struct timestamp *out);

/* RFC 3339 without the fraction; years before 0 and after 9999 as they are. */
void timestamp_format(struct buf *b, const struct timestamp *t);
/* +hh:mm; sep is ":" or "". */
void time_zone_format(struct buf *b, int offset, const char *sep);

/* Date and time in the zone of t. */
struct civil civil_of(const struct timestamp *t);

/* As "1h30m", "-1.5s": nanoseconds. NULL, or what is wrong. */
const char *time_duration_parse(struct arena *a, struct str s, int64_t *out);

#endif
