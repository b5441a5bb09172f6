/* module_checks.c - see conditions.h */
#include "engine/run/conditions.h"
#include "engine/run/expand.h"
#include "engine/run/values.h"

struct check_object *module_check(struct run_module *m, enum check_kind kind,
				  struct str name)
{
	struct checks *all = &m->run->checks;
	struct check_group *g = checks_group(all, m->config, kind, name, NULL);
	const char *what = kind == CHECK_OUTPUT ? "output." : "check.";

	return g ? checks_object(all, g, m->addr, KEY_ABSENT,
				 run_address(m->run->arena, m, what, name))
		 : NULL;
}

int module_output_conditions(struct run_module *m, const struct cfg_output *o,
			     bool warn, bool *failed, struct diags *ds)
{
	struct condition_use u = { .kind = COND_OUTPUT, .warn = warn };
	struct run_scope s;
	int rc;

	if (!o->preconditions.len)
		return 0;
	u.address = run_address(m->run->arena, m, "output.", o->name);
	u.object = module_check(m, CHECK_OUTPUT, o->name);
	run_scope_init(&s, m, NULL);
	rc = run_conditions(m->run, &s, &u, &o->preconditions, ds);
	*failed |= s.failed;
	return rc;
}

void module_check_asserts(struct run_module *m, const struct cfg_check *c,
			  struct diags *ds)
{
	struct condition_use u = { .kind = COND_ASSERT, .warn = true };
	struct run_scope s;

	u.address = run_address(m->run->arena, m, "check.", c->name);
	u.object = module_check(m, CHECK_BLOCK, c->name);
	if (u.object && (u.object->failed || u.object->errors))
		return;
	run_scope_init(&s, m, NULL);
	run_conditions(m->run, &s, &u, &c->asserts, ds);
}
