/* plan_instance.c - which instance of a provider an edge means, where that is
 * known without evaluating anything: the key is written down, or recorded */

#include "addr/provider.h"
#include "graph/graph_int.h"
#include "lang/eval/eval.h"
#include "value/convert.h"

struct str plan_chosen_instance(struct arena *a,
				const struct cfg_provider_choice *c)
{
	struct provider_config_addr addr = c->addr;
	struct diags quiet = DIAGS_INIT(a);
	const struct value *v, *s;
	const char *why;
	struct verror err;

	if (!cfg_provider_repeated(c->provider))
		return STR_NONE;
	v = eval_expression(a, NULL, c->key, &quiet);
	if (diags_failed(&quiet) || !value_usable(v))
		return STR_NONE;
	s = convert(a, v, c->provider->count.root ? &type_number : &type_string,
		    &err);
	if (!s)
		return STR_NONE;
	return inst_key_from_value(s, &addr.key, &why)
		       ? STR_NONE
		       : provider_config_text(a, &addr);
}

struct str plan_recorded_instance(struct arena *a,
				  const struct state_resource *r,
				  enum node_kind kind)
{
	struct str all = STR_NONE;

	for (size_t i = 0; i < r->instances.len; i++) {
		const struct state_instance *si = r->instances.items[i];
		struct str one;

		if ((si->deposed.n > 0) != (kind == NODE_DEPOSED))
			continue;
		if (!si->provider_key.n)
			return STR_NONE;
		one = state_provider_text(a, r, si);
		if (all.n && !str_eq(all, one))
			return STR_NONE;
		all = one;
	}
	return all;
}
