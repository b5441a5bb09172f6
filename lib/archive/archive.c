/* archive.c - see archive.h: what archive.so does, once it is loaded */
#include "archive/archive_int.h"
#include "base/dso.h"

#pragma weak archive_dso

static const struct archive_dso *dso(void)
{
	static const struct archive_dso *loaded;

	if (!loaded)
		loaded = &archive_dso; /* NULL where it is not linked */
	if (!loaded)
		loaded = dso_table("archive", "archive_dso");
	return loaded;
}

void packed_load(void)
{
	dso();
}

struct packed *packed_new(unsigned kinds)
{
	return dso() ? dso()->new (kinds) : NULL;
}

int packed_open(struct packed *p, const char *path)
{
	return dso()->open(p, path);
}

int packed_next(struct packed *p, struct packed_entry *out)
{
	return dso()->next(p, out);
}

int packed_data(struct packed *p, const void **block, size_t *n, int64_t *at)
{
	return dso()->data(p, block, n, at);
}

const char *packed_why(struct packed *p)
{
	return dso()->why(p);
}

void packed_close(struct packed *p)
{
	if (p)
		dso()->close(p);
}
