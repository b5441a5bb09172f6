/*
 * read_addr.c - addresses inside state files and records, each parsed once
 *
 * A state of 10,000 instances holds a handful of different providers and
 * modules and often the same dependencies everywhere.
 */
#include "addr/provider.h"
#include "addr/walk.h"
#include "state/file/file_int.h"

/* The entry for text, its key owned by the state. */
static struct map_entry *entry(struct state *s, struct map *m, struct str text)
{
	size_t known = m->len;
	struct map_entry *e = map_slot(s->arena, m, text);

	if (m->len != known)
		e->key = str_dup(s->arena, text);
	return e;
}

const struct module_addr *read_module(struct state *s, struct str text,
				      struct diags *ds)
{
	struct map_entry *e = entry(s, &s->modules, text);
	struct module_addr m;

	if (!e->value && !module_addr_parse(s->arena, e->key, &m, ds))
		e->value = arena_dup(s->arena, &m, sizeof(m));
	return e->value;
}

/* States older than version 0.13 have provider.aws.west, without host and
 * namespace; the namespace "-" makes the installer find out, but for
 * provider.terraform, the built-in one.  STR_NONE: it is not that either. */
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
	if (str_is(type, "terraform"))
		return str_printf(
			a,
			"%.*sprovider[\"terraform.io/builtin/terraform\"]%.*s",
			STR_ARG(module), STR_ARG(alias));
	return str_printf(a, "%.*sprovider[\"%.*s/-/%.*s\"]%.*s",
			  STR_ARG(module), STR_ARG(provider_default_host()),
			  STR_ARG(type), STR_ARG(alias));
}

const struct provider_config_addr *read_provider(struct state *s,
						 struct str text,
						 struct diags *ds)
{
	struct map_entry *e = entry(s, &s->providers, text);
	struct arena scratch = ARENA_INIT;
	struct diags first = DIAGS_INIT(&scratch);
	struct diags second = DIAGS_INIT(&scratch);
	struct provider_config_addr *p;
	struct str legacy;

	if (e->value)
		return e->value;
	p = ARENA_NEW(s->arena, struct provider_config_addr);
	if (provider_config_parse(s->arena, e->key, p, &first)) {
		legacy = legacy_provider(s->arena, e->key);
		if (!legacy.n ||
		    provider_config_parse(s->arena, legacy, p, &second)) {
			diags_append(ds, &first);
			p = NULL;
		}
	}
	arena_release(&scratch);
	e->value = p;
	return p;
}

static const struct str *read_dependency(struct state *s, struct str text,
					 struct diags *ds)
{
	struct map_entry *e = entry(s, &s->dependencies, text);
	struct instance_addr addr;
	struct buf out = BUF_INIT;
	struct str *dep;

	if (e->value)
		return e->value;
	if (instance_addr_parse(s->arena, e->key, &addr, ds))
		return NULL;
	module_addr_print_path(&out, addr.module);
	if (out.len)
		buf_putc(&out, '.');
	resource_addr_print(&out, addr.resource);
	dep = ARENA_NEW(s->arena, struct str);
	*dep = buf_dup(s->arena, &out);
	buf_release(&out);
	e->value = dep;
	return dep;
}

int read_dependencies(struct state *s, struct str json,
		      struct state_instance *i, struct diags *ds)
{
	struct json_scan sc = json_scan_start(s->arena, json), counter = sc;
	struct str text, *list;
	bool first = true;
	size_t n = 0;
	int rc;

	if (!json.n)
		return 0;
	if (json_scan_open(&counter, '['))
		return -1;
	while ((rc = json_scan_element(&counter, &first)) == 1) {
		if (json_scan_value(&counter, NULL))
			return -1;
		n++;
	}
	if (rc)
		return -1;
	list = ARENA_ARRAY(s->arena, struct str, n);
	json_scan_open(&sc, '[');
	first = true;
	for (n = 0; (rc = json_scan_element(&sc, &first)) == 1; n++) {
		const struct str *dep;

		if (json_scan_string(&sc, &text) ||
		    !(dep = read_dependency(s, text, ds)))
			return -1;
		list[n] = *dep;
	}
	i->dependencies = list;
	i->ndependencies = n;
	return 0;
}
