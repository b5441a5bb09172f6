/* provider_parse.c - provider configuration addresses as states write them */
#include "addr/provider.h"
#include "addr/addr_int.h"
#include "addr/walk.h"
#include "base/source.h"

static int bad(const struct addr_walk *w, size_t from, size_t to,
	       const char *detail, struct diags *ds)
{
	struct range r = walk_range(w, from, to);

	return diag_error(ds, &r, "Invalid provider configuration address",
			  "%s", detail);
}

/* provider["SOURCE"] */
static int read_provider(struct arena *a, struct addr_walk *w,
			 struct provider_config_addr *out, struct diags *ds)
{
	const struct step *s = w->steps + w->pos;
	struct range r;

	if (w->len - w->pos < 2 || !str_is(s[0].name, "provider"))
		return bad(w, w->pos < w->len ? w->pos : 0, w->len,
			   "A provider's address begins with provider[...].",
			   ds);
	if (s[1].kind != STEP_INDEX || s[1].key->type != &type_string)
		return bad(
			w, w->pos + 1, w->pos + 2,
			"A provider's source in brackets must follow \"provider\".",
			ds);
	r = walk_range(w, w->pos + 1, w->pos + 2);
	if (provider_addr_read(a, s[1].key->string, provider_default_host(), &r,
			       &out->provider, ds))
		return -1;
	w->pos += 2;
	return 0;
}

static int read_key(struct addr_walk *w, struct provider_config_addr *out,
		    struct diags *ds)
{
	const char *why;

	if (w->pos + 1 < w->len)
		return bad(w, w->pos + 1, w->len,
			   "Something follows the end of the address.", ds);
	if (inst_key_from_value(w->steps[w->pos].key, &out->key, &why))
		return bad(w, w->pos, w->pos + 1, why, ds);
	return 0;
}

/* [ "." ALIAS ] [ key ] */
static int read_alias(struct addr_walk *w, struct provider_config_addr *out,
		      struct diags *ds)
{
	const struct step *s = w->steps + w->pos;

	if (w->pos == w->len)
		return 0;
	if (s[0].kind == STEP_INDEX)
		return read_key(w, out, ds);
	if (w->len - w->pos > 2)
		return bad(w, w->pos + 2, w->len,
			   "Something follows the end of the address.", ds);
	if (s[0].kind != STEP_ATTR)
		return bad(
			w, w->pos, w->pos + 1,
			"Only the name of an alias can follow the provider's source.",
			ds);
	out->alias = s[0].name;
	if (w->len - w->pos == 1)
		return 0;
	if (s[1].kind != STEP_INDEX)
		return bad(
			w, w->pos + 1, w->pos + 2,
			"Only an instance key in brackets can follow an alias.",
			ds);
	w->pos++;
	return read_key(w, out, ds);
}

int provider_config_parse(struct arena *a, struct str text,
			  struct provider_config_addr *out, struct diags *ds)
{
	struct traversal_ref t;
	struct addr_walk w;

	memset(out, 0, sizeof(*out));
	if (addr_traversal(a, text, "", &t, ds))
		return -1;
	walk_init(a, &w, &t);
	if (walk_modules(a, &w, &out->module, ds))
		return -1;
	for (size_t i = 0; i < out->module.len; i++)
		if (out->module.steps[i].key.kind != KEY_NONE)
			return bad(&w, 0, w.len,
				   "A provider configuration cannot stand in "
				   "an instance of a repeated module.",
				   ds);
	return read_provider(a, &w, out, ds) || read_alias(&w, out, ds) ? -1
									: 0;
}
