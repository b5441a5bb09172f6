/* edit.c - see edit.h: what edit.so does, once it is loaded */
#include <stddef.h>

#include "edit/edit_dso_int.h"
#include "base/dso.h"

#pragma weak edit_dso

static const struct edit_dso *dso(void)
{
	static const struct edit_dso *loaded;

	if (!loaded)
		loaded = &edit_dso; /* NULL where it is not linked */
	if (!loaded)
		loaded = dso_table("edit", "edit_dso");
	return loaded;
}

struct editor *editor_new(const char *name, const char *history)
{
	return dso() ? dso()->new (name, history) : NULL;
}

const char *editor_line(struct editor *e, const char *prompt, int *n)
{
	return dso()->line(e, prompt, n);
}

void editor_free(struct editor *e)
{
	if (e)
		dso()->free(e);
}
