/*
 * pg_dso_int.h - what pg.so offers to the program that loads it
 *
 * A member does what the function of its name does, see pg.h; it calls nothing
 * of the program's but `wait`.
 */
#ifndef TFPIPE_PG_DSO_INT_H
#define TFPIPE_PG_DSO_INT_H

#include "pg/pg.h"

struct pg_dso {
	const char *version;
	struct pg *(*open)(struct arena *a, const struct pg_settings *s,
			   pg_wait_fn *wait, void *data, struct str *why);
	void (*close)(struct pg *p);
	bool (*lost)(const struct pg *p);
	int (*ask)(struct pg *p, struct arena *a, const char *statement,
		   const struct str *params, size_t n, struct pg_rows *rows,
		   struct str *why);
};

extern const struct pg_dso pg_dso;

#endif
