/*
 * read_addr.c - addresses inside state files, each text parsed once
 *
 * A state of 10,000 instances holds a handful of different providers and
 * modules and often the same dependencies everywhere.
 */
#include "state/read_int.h"

const struct module_addr *read_module(struct reader *rd, struct str text)
{
	struct arena *a = rd->state->arena;
	struct map_entry *e = map_slot(a, &rd->modules, text);
	struct module_addr *m;
	struct target t;

	if (e->value)
		return e->value;
	if (target_parse(a, text, "module", &t, rd->ds))
		return NULL;
	if (t.kind != TARGET_MODULE) {
		diag_error(rd->ds, NULL, "Invalid module instance address",
			   "%s: \"%.*s\" is not the address of a module.",
			   rd->name, STR_ARG(text));
		return NULL;
	}
	m = arena_dup(a, &t.addr.module, sizeof(*m));
	e->value = m;
	return m;
}

/* States older than version 0.13 say provider.aws.west, without host and
 * namespace; the namespace "-" makes the installer find out. STR_NONE if it is
 * not that either. */
static struct str legacy_provider(struct arena *a, struct str text)
{
	ptrdiff_t at = str_find(text, STR("provider."));
	struct str module, type, alias;
	ptrdiff_t dot;

	if (at < 0 || (at > 0 && text.p[at - 1] != '.'))
		return STR_NONE;
	module = str_sub(text, 0, (size_t)at);
	type = str_sub(text, (size_t)at + 9, text.n);
	dot = str_chr(type, '.');
	alias = dot < 0 ? STR_NONE : str_sub(type, (size_t)dot, type.n);
	if (dot >= 0)
		type.n = (size_t)dot;
	for (size_t i = 0; i < type.n; i++)
		if (strchr("[]\"\\", type.p[i]))
			return STR_NONE;
	if (!type.n)
		return STR_NONE;
	return str_printf(a, "%.*sprovider[\"registry.opentofu.org/-/%.*s\"]"
			  "%.*s", STR_ARG(module), STR_ARG(type),
			  STR_ARG(alias));
}

const struct provider_config_addr *read_provider(struct reader *rd,
						 struct str text)
{
	struct arena *a = rd->state->arena;
	struct map_entry *e = map_slot(a, &rd->providers, text);
	struct provider_config_addr *p;
	struct diags first = DIAGS_INIT(rd->ds->arena);
	struct diags ignored = DIAGS_INIT(&rd->scratch);
	struct str legacy;

	if (e->value)
		return e->value;
	p = ARENA_NEW(a, struct provider_config_addr);
	if (provider_config_parse(a, text, p, &first)) {
		legacy = legacy_provider(a, text);
		if (!legacy.n ||
		    provider_config_parse(a, legacy, p, &ignored)) {
			diags_append(rd->ds, &first);
			return NULL;
		}
	}
	e->value = p;
	return p;
}

const struct str *read_dependency(struct reader *rd, struct str text)
{
	struct arena *a = rd->state->arena;
	struct map_entry *e = map_slot(a, &rd->dependencies, text);
	struct instance_addr addr;
	struct buf out = BUF_INIT;
	struct str *dep;

	if (e->value)
		return e->value;
	if (instance_addr_parse(&rd->scratch, text, &addr, rd->ds))
		return NULL;
	module_path_print(&out, addr.module);
	if (out.len)
		buf_putc(&out, '.');
	resource_addr_print(&out, addr.resource);
	dep = ARENA_NEW(a, struct str);
	*dep = str_eq(buf_view(&out), text) ? text : buf_dup(a, &out);
	buf_release(&out);
	e->value = dep;
	return dep;
}
