/*
 * functions.c - the functions that expressions can call
 *
 * The built-in ones, plantimestamp() with this run's time, and those of
 * providers (provider::NAME::FUNCTION, by local name in the module).
 */
#include "addr/provider.h"
#include "engine/run/run_int.h"
#include "engine/run/providers.h"
#include "funcs/table.h"
#include "lang/eval/eval.h"

static const struct value *plan_time(struct func_call *c)
{
	const struct run *r = c->func->data;

	return r->opts.timestamp.n ? value_string(c->arena, r->opts.timestamp)
				   : value_unknown(c->arena, &type_string);
}

static const struct func *time_function(struct run *r)
{
	static const struct func_param none[] = { { 0 } };
	struct func *f = map_get(&r->functions, STR("plantimestamp"));

	if (f)
		return f;
	f = ARENA_NEW(r->arena, struct func);
	f->name = "plantimestamp";
	f->params = none;
	f->result = &type_string;
	f->impl = plan_time;
	f->data = r;
	map_put(r->arena, &r->functions, STR("plantimestamp"), f);
	return f;
}

static const struct value *not_known_yet(struct func_call *c)
{
	(void)c;
	return &value_unknown_dynamic;
}

/* A placeholder for a function that is not known yet: its provider is not asked
 * at all, or may have it once it is configured. */
static const struct func *placeholder(void)
{
	static const struct func_param none[] = { { 0 } };
	static const struct func_param any = { "args", &type_dynamic,
					       PARAM_NULL | PARAM_UNKNOWN |
						       PARAM_DYNAMIC,
					       "" };
	static const struct func f = {
		.name = "placeholder",
		.params = none,
		.variadic = &any,
		.result = &type_dynamic,
		.impl = not_known_yet,
		.flags = FUNC_NULLABLE,
	};

	return &f;
}

bool run_has_provider(void *data, struct str local_name)
{
	const struct run_scope *s = data;

	return map_has(&s->module->config->required_providers, local_name);
}

static const struct func *of_provider(struct run_scope *s, struct str name)
{
	struct run *r = s->run;
	const struct cfg_required_provider *req;
	const struct provider_schema *schema;
	struct run_provider *instance;
	struct provider *p;
	struct func_of_provider f;

	if (!func_of_provider(name, &f))
		return NULL;
	req = map_get(&s->module->config->required_providers, f.local);
	if (!req)
		return NULL;
	if (!r->opts.providers &&
	    !provider_addr_equal(req->addr, provider_builtin))
		return placeholder(); /* for a later stage */
	schema = run_provider_schema(r, req->addr, NULL);
	if (!schema)
		return NULL;
	if (r->opts.phase == RUN_VALIDATE &&
	    !map_has(&schema->functions, f.function))
		return placeholder();
	p = map_get(&r->provider_processes,
		    provider_addr_text(r->arena, req->addr));
	instance = run_provider_of_call(s->module, &f, req->addr);
	return run_provider_function(r, instance, p, f.function);
}

const struct func *run_function(void *data, struct str name)
{
	struct run_scope *s = data;
	const struct func *f;

	if (str_starts(name, "provider::")) {
		s->run->doubts++; /* what a provider says may change */
		return of_provider(s, name);
	}
	f = funcs_lookup(name);
	if (!f || !funcs_available(f, s->scope.console))
		return NULL;
	s->run->doubts += func_looks_elsewhere(f);
	return strcmp(f->name, "plantimestamp") == 0 ? time_function(s->run)
						     : f;
}

struct str run_function_name(void *data, size_t i)
{
	const struct run_scope *s = data;
	const struct func *f = funcs_at(i);

	/* for one that does not exist here its neighbour comes twice */
	if (f && !funcs_available(f, s->scope.console))
		f = funcs_at(i + 1);
	return f ? str_c(f->name) : STR_NONE;
}
