/* settings.h - connection strings of PostgreSQL */
#ifndef TFPIPE_PG_SETTINGS_H
#define TFPIPE_PG_SETTINGS_H

#include "base/str.h"

struct pg_setting {
	struct str name, value;
};
struct pg_settings VEC_OF(struct pg_setting);

/* Reads a connection string: postgres://…, or NAME=VALUE pairs.  -1: it is
 * neither; nothing of it is told, for it may hold a password. */
int pg_settings_parse(struct arena *a, struct str text,
		      struct pg_settings *out);
/* The setting, or what the environment has for it; empty: neither. */
struct str pg_setting(const struct pg_settings *s, const char *name,
		      const char *variable);

#endif
