/*
 * target.c - addresses from traversals and from text
 *
 * A traversal is read left to right: module steps (module.NAME[KEY]), then the
 * object in the module.  The same reading serves targets, instance addresses
 * and module addresses.
 */
#include "addr/target.h"
#include "addr/addr_int.h"
#include "addr/walk.h"
#include "json/write.h"

const char *target_invalid(struct arena *a, const char *option, struct str text)
{
	struct buf quoted = BUF_INIT;
	struct jw w = JW_INIT(&quoted);
	const char *summary;

	jw_str(&w, text);
	summary = arena_printf(a, "Invalid %s %.*s", option,
			       STR_ARG(buf_view(&quoted)));
	buf_release(&quoted);
	return summary;
}

int target_parse(struct arena *a, struct str text, const char *option,
		 struct target *out, struct diags *ds)
{
	struct diags inner = DIAGS_INIT(a);
	struct traversal_ref t;
	const char *summary;

	if (!addr_traversal(a, text, option, &t, &inner) &&
	    !target_from_traversal(a, &t, out, &inner))
		return 0;
	summary = target_invalid(ds->arena, option, text);
	for (size_t i = 0; i < inner.len; i++)
		diag_error(ds, NULL, summary, "%.*s",
			   STR_ARG(inner.items[i].detail));
	return -1;
}

/* Does module target m contain the module instance o? */
static bool module_contains(struct module_addr m, struct module_addr o)
{
	if (o.len < m.len)
		return false;
	for (size_t i = 0; i < m.len; i++) {
		if (!str_eq(m.steps[i].name, o.steps[i].name))
			return false;
		if (i == m.len - 1 && m.steps[i].key.kind == KEY_NONE)
			return true;
		if (!inst_key_equal(m.steps[i].key, o.steps[i].key))
			return false;
	}
	return true;
}

static bool reaches(const struct target *t, struct module_addr m)
{
	if (t->glob.n)
		return target_pattern_reaches(t, m);
	return t->kind == TARGET_MODULE ? module_contains(t->addr.module, m)
					: module_addr_equal(t->addr.module, m);
}

bool target_contains(const struct target *t, const struct instance_addr *i)
{
	if (t->glob.n)
		return target_pattern_contains(t, i);
	if (t->kind != TARGET_MODULE &&
	    (!resource_addr_equal(t->addr.resource, i->resource) ||
	     (t->kind == TARGET_INSTANCE &&
	      !inst_key_equal(t->addr.key, i->key))))
		return false;
	return reaches(t, i->module);
}

static bool any_key(const struct target *t, size_t step)
{
	return t->addr.module.steps[step].key.kind == KEY_NONE &&
	       (t->glob.n ||
		(t->kind == TARGET_MODULE && step + 1 == t->addr.module.len));
}

bool target_meets(const struct target *t, struct module_addr m)
{
	const struct module_addr *tm = &t->addr.module;

	for (size_t i = 0; i < tm->len && i < m.len &&
			   target_names(t, tm->steps[i].name, m.steps[i].name);
	     i++)
		if (!any_key(t, i) &&
		    !inst_key_equal(tm->steps[i].key, m.steps[i].key))
			return false;
	return true;
}

void target_print(struct buf *b, const struct target *t)
{
	if (t->glob.n)
		buf_str(b, t->glob);
	else if (t->kind == TARGET_MODULE)
		module_addr_print(b, t->addr.module);
	else
		instance_addr_print(b, &t->addr);
}

bool target_set_replaces(const struct target_set *s,
			 const struct instance_addr *i)
{
	for (size_t k = 0; k < s->replace.len; k++)
		if (instance_addr_equal(&s->replace.items[k], i))
			return true;
	return false;
}
