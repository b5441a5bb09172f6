/* pg.c - see pg.h: what pg.so does, once it is loaded */
#include "pg/pg_dso_int.h"
#include "base/dso.h"

#pragma weak pg_dso

static const struct pg_dso *dso(void)
{
	static const struct pg_dso *loaded;

	if (!loaded)
		loaded = &pg_dso; /* NULL where it is not linked */
	if (!loaded)
		loaded = dso_table("pg", "pg_dso");
	return loaded;
}

struct pg *pg_open(struct arena *a, const struct pg_settings *s,
		   pg_wait_fn *wait, void *data, struct str *why)
{
	*why = STR("PostgreSQL's library is not available on this machine");
	return dso() ? dso()->open(a, s, wait, data, why) : NULL;
}

void pg_close(struct pg *p)
{
	if (p)
		dso()->close(p);
}

bool pg_lost(const struct pg *p)
{
	return dso()->lost(p);
}

int pg_ask(struct pg *p, struct arena *a, const char *statement,
	   const struct str *params, size_t n, struct pg_rows *rows,
	   struct str *why)
{
	return dso()->ask(p, a, statement, params, n, rows, why);
}

struct str pg_quote(struct arena *a, struct str name)
{
	struct buf out = BUF_INIT;

	buf_putc(&out, '"');
	for (size_t i = 0; i < name.n; i++) {
		if (name.p[i] == '"')
			buf_putc(&out, '"');
		buf_putc(&out, name.p[i]);
	}
	buf_putc(&out, '"');
	return buf_take(a, &out);
}
