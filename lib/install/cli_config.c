/* cli_config.c - see cli_config.h */
#include "install/cli_config.h"

#include <errno.h>
#include <stdlib.h>

#include "base/io.h"
#include "lang/eval.h"
#include "lang/parse.h"

struct reader {
	struct arena *a;
	struct cli_config *out;
	struct diags *ds;
};

static const struct block_schema no_blocks[] = { { NULL, { NULL } } };

/* --- values --- */

static int read_string(struct reader *r, struct expression e, struct str *out)
{
	size_t errors = r->ds->errors;
	const struct value *v = eval_expression(r->a, NULL, e, r->ds);
	struct range at = expression_range(e);

	if (r->ds->errors > errors)
		return -1;
	if (v->type != &type_string || !value_usable(v))
		return diag_error(r->ds, &at, "Invalid CLI configuration",
				  "A string is needed here.");
	*out = v->string;
	return 0;
}

/* A leading ~ and $NAME are the user's. */
static struct str expand(struct arena *a, struct str path)
{
	const char *home = getenv("HOME");

	if (home && (str_is(path, "~") || str_starts(path, "~/")))
		return str_printf(a, "%s%.*s", home,
				  STR_ARG(str_sub(path, 1, path.n)));
	return path;
}

static int read_patterns(struct reader *r, const struct attribute *at,
			 struct str_vec *out)
{
	struct expression *items;
	size_t n;

	if (!at)
		return 0;
	if (expression_list(r->a, at->expr, &items, &n, r->ds))
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct str s;

		if (read_string(r, items[i], &s))
			return -1;
		vec_push(r->a, out, s);
	}
	return 0;
}

/* --- patterns: [HOST/]NAMESPACE/TYPE, any part may be "*" --- */

static bool part_matches(struct str pattern, struct str part)
{
	return str_is(pattern, "*") || str_eq(pattern, part);
}

static bool pattern_matches(struct str s, struct provider_addr p)
{
	struct str parts[3];
	size_t n = 0;

	for (;;) {
		ptrdiff_t slash = str_chr(s, '/');

		if (n == 3)
			return false;
		parts[n++] = slash < 0 ? s : str_sub(s, 0, (size_t)slash);
		if (slash < 0)
			break;
		s = str_sub(s, (size_t)slash + 1, s.n);
	}
	if (n < 2)
		return false;
	if (n == 2 ? !str_eq(p.host, provider_default_host())
		   : !part_matches(parts[0], p.host))
		return false;
	return part_matches(parts[n - 2], p.namespace) &&
	       part_matches(parts[n - 1], p.type);
}

bool mirror_serves(const struct mirror *m, struct provider_addr p)
{
	bool yes = !m->include.len;

	for (size_t i = 0; i < m->include.len; i++)
		yes |= pattern_matches(m->include.items[i], p);
	for (size_t i = 0; i < m->exclude.len; i++)
		yes &= !pattern_matches(m->exclude.items[i], p);
	return yes;
}

/* --- blocks --- */

/* The blocks of provider_installation, and the argument each needs. */
static const struct method {
	const char *block, *place;
	enum mirror_kind kind;
} methods[] = {
	{ "filesystem_mirror", "path", MIRROR_DIR },
	{ "network_mirror", "url", MIRROR_NETWORK },
	{ "oci_mirror", "repository_template", MIRROR_OCI },
	{ "direct", NULL, MIRROR_DIRECT },
};
enum { NMETHODS = sizeof(methods) / sizeof(*methods) };

static int read_mirror(struct reader *r, const struct block *b,
		       const struct method *how)
{
	const struct attr_schema attrs[] = { { "include", false },
					     { "exclude", false },
					     { how->place, how->place != NULL },
					     { NULL, false } };
	const struct body_schema schema = { attrs, no_blocks };
	struct mirror m = { .kind = how->kind };
	struct body_content c;

	if (body_content(r->a, b->body, &schema, &c, r->ds) ||
	    (how->place && read_string(r, content_attr(&c, how->place)->expr,
				       &m.dir)) ||
	    read_patterns(r, content_attr(&c, "include"), &m.include) ||
	    read_patterns(r, content_attr(&c, "exclude"), &m.exclude))
		return -1;
	if (m.kind == MIRROR_DIR)
		m.dir = expand(r->a, m.dir);
	vec_push(r->a, &r->out->mirrors, m);
	return 0;
}

/* dev_overrides { "hashicorp/random" = "/path" } */
static int read_overrides(struct reader *r, struct expression e)
{
	struct expression *keys, *values;
	size_t n;

	if (expression_map(r->a, e, &keys, &values, &n, r->ds))
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct str *dir = ARENA_NEW(r->a, struct str), source;
		struct range at = expression_range(keys[i]);
		struct provider_addr p;

		if (read_string(r, keys[i], &source) ||
		    read_string(r, values[i], dir) ||
		    provider_addr_read(r->a, source, provider_default_host(), &at, &p,
				       r->ds))
			return -1;
		*dir = expand(r->a, *dir);
		map_put(r->a, &r->out->overrides,
			provider_addr_text(r->a, p), dir);
	}
	return 0;
}

static int read_installation(struct reader *r, const struct block *b)
{
	static const struct attr_schema attrs[] = { { "dev_overrides", false },
						    { NULL, false } };
	static const struct block_schema blocks[] = {
		{ "filesystem_mirror", { NULL } },
		{ "network_mirror", { NULL } },
		{ "oci_mirror", { NULL } },
		{ "direct", { NULL } },
		{ NULL, { NULL } },
	};
	static const struct body_schema schema = { attrs, blocks };
	const struct attribute *at;
	struct body_content c;
	int rc = body_content(r->a, b->body, &schema, &c, r->ds);

	for (size_t i = 0; !rc && i < c.blocks.len; i++)
		for (size_t k = 0; !rc && k < NMETHODS; k++)
			if (str_is(c.blocks.items[i].type, methods[k].block))
				rc = read_mirror(r, &c.blocks.items[i],
						 &methods[k]);
	if (!rc && (at = content_attr(&c, "dev_overrides")))
		rc = read_overrides(r, at->expr);
	return rc;
}

/* --- the file --- */

static void imply(struct reader *r, struct str dir)
{
	struct mirror m = { .kind = MIRROR_DIR, .dir = dir };

	vec_push(r->a, &r->out->mirrors, m);
}

static void imply_mirrors(struct reader *r)
{
	const char *home = getenv("HOME");
	const char *data = getenv("XDG_DATA_HOME");

	imply(r, STR("terraform.d/plugins"));
	if (home)
		imply(r, str_printf(r->a, "%s/.terraform.d/plugins", home));
	if (data && *data)
		imply(r, str_printf(r->a, "%s/opentofu/plugins", data));
	else if (home)
		imply(r, str_printf(r->a, "%s/.local/share/opentofu/plugins",
				    home));
	imply(r, STR("/usr/local/share/opentofu/plugins"));
	imply(r, STR("/usr/share/opentofu/plugins"));
	vec_push(r->a, &r->out->mirrors,
		 (struct mirror){ .kind = MIRROR_DIRECT });
}

static int read_body(struct reader *r, const struct body *b)
{
	static const struct attr_schema attrs[] = {
		{ "plugin_cache_dir", false }, { NULL, false }
	};
	static const struct block_schema blocks[] = {
		{ "provider_installation", { NULL } }, { NULL, { NULL } }
	};
	static const struct body_schema schema = { attrs, blocks };
	const struct attribute *at;
	struct body_content c;
	struct str cache = str_c(getenv("TF_PLUGIN_CACHE_DIR"));
	int rc = body_partial(r->a, b, &schema, &c, NULL, r->ds);

	if (!rc && (at = content_attr(&c, "plugin_cache_dir")) && !cache.n)
		rc = read_string(r, at->expr, &cache);
	r->out->plugin_cache = expand(r->a, cache);
	for (size_t i = 0; !rc && i < c.blocks.len; i++)
		rc = read_installation(r, &c.blocks.items[i]);
	if (!rc && !c.blocks.len)
		imply_mirrors(r);
	return rc;
}

/* dev_overrides is written as a block whose arguments have quoted names, as
 * the old syntax of this file allows: makes an attribute of it. */
static void fix_overrides(char *p)
{
	static const char name[] = "dev_overrides";

	for (; (p = strstr(p, name)); p++) {
		char *gap = p + sizeof(name) - 1, *q = gap;

		while (*q == ' ' || *q == '\t')
			q++;
		if (*q == '{' && q > gap)
			*gap = '=';
	}
}

/* The first of the files that exists. */
static const char *read_file(struct arena *a, struct buf *text)
{
	static const char *const names[] = { ".tofurc", ".terraformrc" };
	const char *named = getenv("TF_CLI_CONFIG_FILE");
	const char *home = getenv("HOME");

	if (named && *named)
		return io_read_file(named, text, 1 << 24) ? NULL : named;
	for (int i = 0; home && i < 2; i++) {
		const char *path = arena_printf(a, "%s/%s", home, names[i]);

		if (!io_read_file(path, text, 1 << 24))
			return path;
	}
	return NULL;
}

int cli_config_read(struct arena *a, struct cli_config *out, struct diags *ds)
{
	struct reader r = { a, out, ds };
	struct buf text = BUF_INIT;
	const char *path;
	struct source *src;
	size_t errors = ds->errors;
	struct body *b;

	*out = (struct cli_config){ .plugin_cache = STR_NONE };
	path = read_file(a, &text);
	if (!path) {
		const char *named = getenv("TF_CLI_CONFIG_FILE");

		if (named && *named)
			diag_warning(ds, NULL,
				     "Unable to open CLI configuration file",
				     "TF_CLI_CONFIG_FILE names %s, which "
				     "cannot be read.", named);
		buf_release(&text);
		out->plugin_cache = str_c(getenv("TF_PLUGIN_CACHE_DIR"));
		imply_mirrors(&r);
		return 0;
	}
	if (text.p)
		fix_overrides(text.p);
	src = source_new(a, str_c(path), buf_dup(a, &text));
	buf_release(&text);
	sources_put(a, &out->sources, src);
	b = parse_native(a, src, ds);
	return ds->errors > errors ? -1 : read_body(&r, b);
}
