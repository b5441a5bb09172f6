/* static_names.c - path.* and terraform.* in early evaluation; see static.c */
#include "config/load/static_names_int.h"
#include "config/load/loader_int.h"

#include <stdlib.h>
#include <unistd.h>

const struct value *static_path(struct loader *l, const struct cfg_module *m,
				struct str name, const struct range *at,
				struct diags *ds)
{
	struct arena *a = l->config->arena;
	const struct value *v;
	char *cwd;

	if (str_is(name, "module"))
		return value_string(a, m->dir.n ? m->dir : STR("."));
	if (str_is(name, "root"))
		return value_string(a, STR("."));
	if (str_is(name, "cwd")) {
		cwd = getcwd(NULL, 0);
		v = value_string(a, str_dup(a, str_c(cwd)));
		free(cwd);
		return v;
	}
	diag_error(ds, at, "Invalid \"path\" attribute",
		   "\"path\" has the attributes cwd, module and root only.");
	return &value_unknown_dynamic;
}

const struct value *static_terraform(struct loader *l, struct str name,
				     const struct range *at, struct diags *ds)
{
	struct str workspace = l->opts->workspace;

	if (str_is(name, "workspace"))
		return value_string(l->config->arena,
				    workspace.n ? workspace : STR("default"));
	if (str_is(name, "applying"))
		diag_error(ds, at, "Invalid attribute in static context",
			   "\"applying\" is known only while planning and "
			   "applying.");
	else
		diag_error(ds, at, "Invalid \"terraform\" attribute",
			   "\"terraform\" has the attribute workspace only.");
	return &value_unknown_dynamic;
}
