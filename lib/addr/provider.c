/* provider.c - provider addresses: reading source strings, printing, order */
#include <stdlib.h>

#include "addr/provider.h"
#include "addr/addr.h"
#include "addr/addr_int.h"
#include "addr/walk.h"
#include "base/source.h"

const struct provider_addr provider_builtin = {
	STR_INIT("terraform.io"),
	STR_INIT("builtin"),
	STR_INIT("terraform"),
};

struct str provider_default_host(void)
{
	struct str s = str_env("TFPIPE_DEFAULT_REGISTRY");

	return s.n ? s : STR("registry.opentofu.org");
}

struct str provider_addr_text(struct arena *a, struct provider_addr p)
{
	return STR_CAT(a, p.host, STR("/"), p.namespace, STR("/"), p.type);
}

struct str provider_addr_display(struct arena *a, struct provider_addr p,
				 struct str default_host)
{
	if (!str_eq(p.host, default_host))
		return provider_addr_text(a, p);
	return str_printf(a, "%.*s/%.*s", STR_ARG(p.namespace),
			  STR_ARG(p.type));
}

bool provider_addr_equal(struct provider_addr a, struct provider_addr b)
{
	return str_eq(a.type, b.type) && str_eq(a.namespace, b.namespace) &&
	       str_eq(a.host, b.host);
}

int provider_addr_cmp(struct provider_addr a, struct provider_addr b)
{
	int c = str_cmp(a.host, b.host);

	if (!c)
		c = str_cmp(a.namespace, b.namespace);
	return c ? c : str_cmp(a.type, b.type);
}

static bool is_label_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '-' || (c & 0x80);
}

static bool valid_label(struct str s)
{
	if (!s.n || s.p[0] == '-' || s.p[s.n - 1] == '-' || !str_utf8_valid(s))
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!is_label_char(s.p[i]))
			return false;
	return true;
}

const char *provider_part_check(struct arena *a, struct str part,
				struct str *out)
{
	if (!part.n)
		return "must have at least one character";
	if (str_chr(part, '.') >= 0)
		return "dots are not allowed";
	if (str_find(part, STR("--")) >= 0)
		return "cannot use multiple consecutive dashes";
	if (!valid_label(part))
		return "must contain only letters, digits, and dashes, and "
		       "may not use leading or trailing dashes";
	*out = str_lower(a, part);
	return NULL;
}

/* labels.with.dots[:port] */
static int read_host(struct arena *a, struct str s, struct str *out)
{
	struct str name = s, port = STR_NONE;
	ptrdiff_t i = str_chr(s, ':');

	if (i >= 0) {
		name = str_sub(s, 0, (size_t)i);
		port = str_sub(s, (size_t)i + 1, s.n);
		if (!port.n || port.n > 5)
			return -1;
		for (size_t k = 0; k < port.n; k++)
			if (port.p[k] < '0' || port.p[k] > '9')
				return -1;
	}
	*out = str_lower(a, str_is(port, "443") ? name : s);
	for (struct str rest = name;;) {
		ptrdiff_t dot = str_chr(rest, '.');
		struct str label =
			dot < 0 ? rest : str_sub(rest, 0, (size_t)dot);

		if (!valid_label(label))
			return -1;
		if (dot < 0)
			return 0;
		rest = str_sub(rest, (size_t)dot + 1, rest.n);
	}
}

struct provider_problem {
	const char *summary;
	struct str detail;
};

static int complain(struct provider_problem *p, const char *summary,
		    struct str detail)
{
	p->summary = summary;
	p->detail = detail;
	return -1;
}

/* A type such as terraform-provider-x is a repository's name, not a
 * provider's. */
static int check_redundant(struct arena *a, struct provider_addr p,
			   struct str host, struct provider_problem *out)
{
	static const char *const prefixes[] = { "terraform-", "opentofu-" };
	struct str shown = provider_addr_display(a, p, host);

	for (int i = 0; i < 2; i++) {
		const char *full = arena_printf(a, "%sprovider-", prefixes[i]);
		struct provider_addr better = p;

		if (!str_starts(p.type, prefixes[i]))
			continue;
		if (!str_starts(p.type, full) || p.type.n == strlen(full))
			return complain(
				out, "Invalid provider type",
				str_printf(a,
					   "The provider type in \"%.*s\" "
					   "begins with \"%s\", which is "
					   "redundant and not allowed.",
					   STR_ARG(shown), prefixes[i]));
		better.type = str_sub(p.type, strlen(full), p.type.n);
		shown = provider_addr_display(a, better, host);
		return complain(out, "Invalid provider type",
				str_printf(a,
					   "The prefix \"%s\" belongs to the "
					   "name of a repository, not of a "
					   "provider.\n\nDid you mean "
					   "\"%.*s\"?",
					   full, STR_ARG(shown)));
	}
	return 0;
}

static int split_source(struct arena *a, struct str s, struct str parts[3],
			size_t *n, struct provider_problem *out)
{
	static const char *const format =
		"A provider source is written \"[HOSTNAME/][NAMESPACE/]NAME\".";

	*n = 0;
	for (;;) {
		ptrdiff_t slash = str_chr(s, '/');
		struct str part = slash < 0 ? s : str_sub(s, 0, (size_t)slash);

		if (*n == 3 || !part.n)
			return complain(out, "Invalid provider source string",
					str_c(arena_strdup(a, format)));
		parts[(*n)++] = part;
		if (slash < 0)
			return 0;
		s = str_sub(s, (size_t)slash + 1, s.n);
	}
}

static int read_source(struct arena *a, struct str source, struct str host,
		       struct provider_addr *out, struct provider_problem *p)
{
	struct str parts[3];
	const char *why;
	size_t n;

	if (split_source(a, source, parts, &n, p))
		return -1;
	out->host = host;
	out->namespace = STR("hashicorp");
	why = provider_part_check(a, parts[n - 1], &out->type);
	if (why)
		return complain(
			p, "Invalid provider type",
			str_printf(
				a,
				"In the provider source \"%.*s\", the type %s.",
				STR_ARG(source), why));
	if (n >= 2 && !str_is(parts[n - 2], "-")) {
		why = provider_part_check(a, parts[n - 2], &out->namespace);
		if (why)
			return complain(
				p, "Invalid provider namespace",
				str_printf(
					a,
					"In the provider source \"%.*s\", the namespace %s.",
					STR_ARG(source), why));
	} else if (n >= 2) {
		out->namespace = STR("-"); /* legacy addresses of old states */
	}
	if (n == 3 && read_host(a, parts[0], &out->host))
		return complain(
			p, "Invalid provider source hostname",
			str_printf(
				a,
				"\"%.*s\" in the provider source \"%.*s\" is not a host name.",
				STR_ARG(parts[0]), STR_ARG(source)));
	if (str_is(out->namespace, "-") && !str_eq(out->host, host))
		return complain(
			p, "Invalid provider namespace",
			str_printf(
				a,
				"The namespace \"-\" exists only on the host %.*s.",
				STR_ARG(host)));
	return 0;
}

/* What a person may write. */
static int read_written(struct arena *a, struct str source, struct str host,
			struct provider_addr *out, struct provider_problem *p)
{
	if (read_source(a, source, host, out, p))
		return -1;
	return check_redundant(a, *out, host, p);
}

int provider_addr_recorded(struct arena *a, struct str source,
			   struct str default_host, struct provider_addr *out)
{
	struct provider_problem p = { NULL, STR_NONE };

	return read_source(a, source, default_host, out, &p);
}

int provider_addr_parse(struct arena *a, struct str source,
			struct str default_host, struct provider_addr *out,
			struct str *why)
{
	struct provider_problem p = { NULL, STR_NONE };

	if (read_written(a, source, default_host, out, &p)) {
		*why = p.detail;
		return -1;
	}
	return 0;
}

int provider_addr_read(struct arena *a, struct str source,
		       struct str default_host, const struct range *at,
		       struct provider_addr *out, struct diags *ds)
{
	struct provider_problem p = { NULL, STR_NONE };

	if (read_written(a, source, default_host, out, &p))
		return diag_error(ds, at, p.summary, "%.*s", STR_ARG(p.detail));
	return 0;
}

bool provider_config_same(const struct provider_config_addr *a,
			  const struct provider_config_addr *b)
{
	return module_addr_equal(a->module, b->module) &&
	       provider_addr_equal(a->provider, b->provider) &&
	       str_eq(a->alias, b->alias);
}

bool provider_config_equal(const struct provider_config_addr *a,
			   const struct provider_config_addr *b)
{
	return provider_config_same(a, b) && inst_key_equal(a->key, b->key);
}

struct str provider_config_text(struct arena *a,
				const struct provider_config_addr *p)
{
	struct buf b = BUF_INIT;

	module_addr_print_path(&b, p->module);
	if (p->module.len)
		buf_putc(&b, '.');
	buf_puts(&b, "provider[\"");
	buf_str(&b, p->provider.host);
	buf_putc(&b, '/');
	buf_str(&b, p->provider.namespace);
	buf_putc(&b, '/');
	buf_str(&b, p->provider.type);
	buf_puts(&b, "\"]");
	if (p->alias.n) {
		buf_putc(&b, '.');
		buf_str(&b, p->alias);
	}
	inst_key_print(&b, p->key);
	return buf_take(a, &b);
}

/* --- configuration addresses as states write them --- */

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
