/* dso.c - see dso.h */
#include <dlfcn.h>

#include "base/dso.h"
#include "base/child.h"

const void *dso_table(const char *name, const char *table)
{
	struct arena a = ARENA_INIT;
	const char *file = arena_printf(&a, "%s.so", name);
	const char *path = child_beside(&a, file);
	const char *const *found = NULL;
	void *dso;

	if (path == file) {
		file = arena_printf(&a, "%s/%s.so", LIBEXEC_FROM_BIN, name);
		path = child_beside(&a, file);
	}
	if (path == file)
		path = arena_printf(&a, "%s/%s.so", PKGLIBEXECDIR, name);
	dso = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (dso)
		found = dlsym(dso, table);
	if (found && strcmp(*found, PACKAGE_VERSION) != 0)
		found = NULL;
	arena_release(&a);
	return found;
}
