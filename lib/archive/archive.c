/* archive.c - see archive.h: what the module does, once it is loaded */
#include "archive/module_int.h"

#include "base/module.h"

#pragma weak archive_module

static const struct archive_module *module(void)
{
	static const struct archive_module *loaded;

	if (&archive_module)
		return &archive_module;
	if (!loaded)
		loaded = module_table("archive", "archive_module");
	return loaded;
}

struct packed *packed_new(unsigned kinds)
{
	return module() ? module()->new(kinds) : NULL;
}

int packed_open(struct packed *p, const char *path)
{
	return module()->open(p, path);
}

int packed_next(struct packed *p, struct packed_entry *out)
{
	return module()->next(p, out);
}

int packed_data(struct packed *p, const void **block, size_t *n, int64_t *at)
{
	return module()->data(p, block, n, at);
}

bool packed_is_zip(struct packed *p)
{
	return module()->is_zip(p);
}

const char *packed_why(struct packed *p)
{
	return module()->why(p);
}

void packed_close(struct packed *p)
{
	if (p)
		module()->close(p);
}
