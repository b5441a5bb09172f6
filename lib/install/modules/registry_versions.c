/* registry_versions.c - the form of a module registry's list of versions; see
 * module_registry.c */
#include "install/modules/modules_int.h"
#include "json/tree.h"

/* Is it an object whose member `name[0]` is a list of objects that have this
 * form by the names that follow, or, for the last name, a string?  null counts
 * as missing. */
static bool has_form(const struct json *j, const char *const *name)
{
	const struct json *m =
		j->kind == JSON_OBJECT ? json_get(j, *name) : NULL;

	if (j->kind != JSON_OBJECT)
		return j->kind == JSON_NULL;
	if (!m || m->kind == JSON_NULL)
		return true;
	if (!name[1])
		return m->kind == JSON_STRING;
	if (m->kind != JSON_ARRAY)
		return false;
	for (uint32_t i = 0; i < m->len; i++)
		if (!has_form(&m->items[i], name + 1))
			return false;
	return true;
}

bool registry_versions_valid(const struct json *j)
{
	static const char *const names[] = { "modules", "versions", "version",
					     NULL };

	return has_form(j, names);
}
