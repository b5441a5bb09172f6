/* cli_config.c - see cli_config.h */
#include <stdlib.h>

#include "install/cli_config.h"
#include "addr/provider.h"
#include "base/file_path.h"
#include "base/diag.h"
#include "config/source/url.h"
#include "install/hosts/login.h"
#include "install/oci/oci.h"
#include "install/package/copy_tree.h"
#include "lang/eval/eval.h"
#include "remote/credentials.h"

struct str vendor_place(void)
{
	return str_env("TFPIPE_VENDOR_DIR");
}

struct cli_reader {
	struct arena *a;
	struct cli_config *out;
	struct diags *ds;
	bool installation; /* provider_installation was read */
};

static const struct block_schema no_blocks[] = { { NULL, { NULL } } };

/* --- values --- */

static int read_string(struct cli_reader *r, struct expression e,
		       struct str *out)
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

static int read_bool(struct cli_reader *r, struct expression e, bool *out)
{
	const struct value *v = eval_expression(r->a, NULL, e, r->ds);
	struct range at = expression_range(e);

	if (!v || v->type != &type_bool || !value_usable(v))
		return diag_error(r->ds, &at, "Invalid CLI configuration",
				  "true or false is needed here.");
	*out = v->boolean;
	return 0;
}

static int default_retries(void)
{
	return cli_environment_count("TF_PROVIDER_DOWNLOAD_RETRY", 2);
}

/* --- patterns --- */

static int read_patterns(struct cli_reader *r, const struct attribute *at,
			 const char *summary, struct str_vec *out)
{
	struct expression *items;
	size_t n;

	if (!at)
		return 0;
	if (expression_list(r->a, at->expr, &items, &n, r->ds))
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct range where = expression_range(items[i]);
		struct str s;

		if (read_string(r, items[i], &s))
			return -1;
		if (!pattern_valid(r->a, s))
			return diag_error(
				r->ds, &where, summary,
				"A pattern is NAMESPACE/TYPE or "
				"HOST/NAMESPACE/TYPE, with * for any TYPE, for "
				"any NAMESPACE/TYPE or for all three.");
		vec_push(r->a, out, s);
	}
	return 0;
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

static int read_mirror(struct cli_reader *r, const struct block *b,
		       const struct method *how)
{
	const bool dir = how->kind == MIRROR_DIR,
		   net = how->kind == MIRROR_NETWORK;
	const struct attr_schema attrs[] = {
		{ "include", false },
		{ "exclude", false },
		{ how->place ? how->place : "download_retry_count",
		  how->place != NULL },
		{ dir ? NULL : "download_retry_count", false },
		{ net ? "trust_all_hashes" : NULL, false },
		{ NULL, false },
	};
	const struct body_schema schema = { attrs, no_blocks };
	struct mirror m = { .kind = how->kind, .named = true };
	struct body_content c;
	const struct attribute *at;
	struct range where;

	if (body_content(r->a, b->body, &schema, &c, r->ds) ||
	    (how->place &&
	     read_string(r, content_attr(&c, how->place)->expr, &m.dir)) ||
	    read_patterns(r, content_attr(&c, "include"),
			  "Invalid provider source inclusion patterns",
			  &m.include) ||
	    read_patterns(r, content_attr(&c, "exclude"),
			  "Invalid provider source exclusion patterns",
			  &m.exclude))
		return -1;
	at = content_attr(&c, "trust_all_hashes");
	if (at && read_bool(r, at->expr, &m.trust_all_hashes))
		return -1;
	at = content_attr(&c, "download_retry_count");
	m.retries = default_retries();
	if (at && cli_count(r->a, at->expr, &m.retries, r->ds))
		return -1;
	if (how->place)
		where = expression_range(content_attr(&c, how->place)->expr);
	if (how->place && !m.dir.n)
		return diag_error(r->ds, &where, "Invalid CLI configuration",
				  "\"%s\" must not be empty.", how->place);
	if (m.kind == MIRROR_OCI &&
	    oci_template_check(r->a, m.dir, &m.include, &where, r->ds))
		return -1;
	if (m.kind == MIRROR_DIR)
		m.dir = cli_home(r->a, m.dir);
	/* Credentials may go there. */
	if (net && (!str_starts(m.dir, "https://") ||
		    !url_resolve(r->a, STR_NONE, m.dir).n))
		return diag_error(
			r->ds, NULL,
			"Invalid URL for provider installation source",
			"The network mirror \"%.*s\" has no address that begins with https://.",
			STR_ARG(m.dir));
	vec_push(r->a, &r->out->mirrors, m);
	return 0;
}

/* dev_overrides { "hashicorp/random" = "/path" } */
static int read_overrides(struct cli_reader *r, struct expression e)
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
		    provider_addr_read(r->a, source, provider_default_host(),
				       &at, &p, r->ds))
			return -1;
		*dir = cli_home(r->a, *dir);
		map_put(r->a, &r->out->overrides, provider_addr_text(r->a, p),
			dir);
	}
	return 0;
}

/* Development overrides count before all methods, so they are written before
 * them. */
static int overrides_first(struct cli_reader *r, const struct attribute *at,
			   const struct body_content *c)
{
	struct range where = attribute_name_range(at);

	if (!c->blocks.len ||
	    at->name_span.start < c->blocks.items[0].type_span.start)
		return 0;
	return diag_error(r->ds, &where,
			  "Invalid provider_installation method block",
			  "dev_overrides must stand before all other methods, "
			  "as it is the first that counts.");
}

static int read_installation(struct cli_reader *r, const struct block *b)
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
		rc = overrides_first(r, at, &c) || read_overrides(r, at->expr)
			     ? -1
			     : 0;
	return rc;
}

/* --- the files --- */

static void imply_mirrors(struct cli_reader *r)
{
	struct str_vec dirs = { 0 };

	cli_plugin_dirs(r->a, &dirs);
	for (size_t i = 0; i < dirs.len; i++)
		vec_push(r->a, &r->out->mirrors,
			 (struct mirror){ .kind = MIRROR_DIR,
					  .dir = dirs.items[i] });
	vec_push(r->a, &r->out->mirrors,
		 (struct mirror){ .kind = MIRROR_DIRECT,
				  .retries = default_retries() });
	r->out->implied = true;
}

static int read_age(struct cli_reader *r, struct expression e)
{
	struct range at = expression_range(e);
	struct str text;

	if (read_string(r, e, &text))
		return -1;
	if (release_age_parse(text) < 0)
		return diag_error(r->ds, &at, "Invalid minimum_release_age",
				  "It is a number of days, hours or minutes, "
				  "such as \"7d\", \"36h\" or \"90m\".");
	if (!r->out->least_age.n) {
		r->out->least_age = text;
		r->out->least_seconds = release_age_parse(text);
	}
	return 0;
}

/* Of the files the first that sets something counts. */
static int read_body(struct cli_reader *r, const struct body *b)
{
	static const struct attr_schema attrs[] = {
		{ "minimum_release_age", false },
		{ "plugin_cache_dir", false },
		{ "plugin_cache_may_break_dependency_lock_file", false },
		{ NULL, false }
	};
	static const struct block_schema blocks[] = {
		{ "provider_installation", { NULL } }, { NULL, { NULL } }
	};
	static const struct body_schema schema = { attrs, blocks };
	const struct attribute *at;
	struct body_content c;
	struct str cache = STR_NONE;
	bool unlocked = false;
	int rc = body_partial(r->a, b, &schema, &c, NULL, r->ds) ||
		 cli_hosts_read(r->a, b, &r->out->hosts, r->ds) ||
		 oci_settings_read(r->a, b, file_path_directory(b->src->name),
				   &r->out->oci, r->ds);

	if (!rc && (at = content_attr(&c, "plugin_cache_dir")))
		rc = read_string(r, at->expr, &cache);
	at = content_attr(&c, "plugin_cache_may_break_dependency_lock_file");
	if (!rc && at)
		rc = read_bool(r, at->expr, &unlocked);
	r->out->unlocked_cache |= unlocked;
	if (!rc && (at = content_attr(&c, "minimum_release_age")))
		rc = read_age(r, at->expr);
	if (!r->out->plugin_cache.n)
		r->out->plugin_cache = cli_expand(r->a, cache);
	for (size_t i = 0; !rc && i < c.blocks.len; i++) {
		struct range all = source_range(c.blocks.items[i].src,
						c.blocks.items[i].header);

		rc = r->installation
			     ? diag_error(
				       r->ds, &all,
				       "No more than one provider_installation block may be specified",
				       "There is one in the CLI configuration already.")
			     : read_installation(r, &c.blocks.items[i]);
		r->installation = true;
	}
	return rc;
}

static int read_file(struct cli_reader *r, struct str path)
{
	struct cli_file f;
	struct body *b;
	size_t before;
	int rc;

	if (cli_file_read(r->a, path, &f, &b, r->ds))
		return -1;
	before = r->ds->len;
	rc = b ? read_body(r, b) : 0;
	cli_file_told(&f, b, r->ds, before);
	return rc;
}

/* Overrides what the files say. */
static void only_vendored(struct cli_reader *r)
{
	const struct mirror m = {
		.kind = MIRROR_DIR,
		.dir = STR_CAT(r->a, vendor_place(), STR("/providers")),
	};

	r->out->mirrors.len = 0;
	r->out->implied = false;
	vec_push(r->a, &r->out->mirrors, m);
}

int cli_config_read(struct arena *a, struct cli_config *out, struct diags *ds)
{
	struct cli_reader r = { .a = a, .out = out, .ds = ds };
	struct str cache = str_env("TF_PLUGIN_CACHE_DIR"),
		   unlocked = str_env(
			   "TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE");
	struct str_vec files = { 0 };
	int rc = 0;

	*out = (struct cli_config){ .hosts = CLI_HOSTS_INIT };
	cli_files(a, &files, ds);
	for (size_t i = 0; i < files.len; i++)
		rc |= read_file(&r, files.items[i]);
	if (cache.n)
		out->plugin_cache = cache;
	out->unlocked_cache |= unlocked.n && !str_eq(unlocked, STR("0"));
	cli_hosts_finish(&out->hosts);
	if (vendor_place().n)
		only_vendored(&r);
	else if (!rc && !r.installation)
		imply_mirrors(&r);
	return rc ? -1 : 0;
}

void cli_config_warn_overrides(const struct cli_config *c, const char *why,
			       struct diags *ds)
{
	struct buf names = BUF_INIT;

	for (size_t i = 0; i < c->overrides.len; i++)
		buf_addf(&names, "\n - %.*s in %.*s",
			 STR_ARG(c->overrides.entries[i].key),
			 STR_ARG(*(struct str *)c->overrides.entries[i].value));
	if (names.len)
		diag_coded(
			ds, SEV_WARNING, DIAG_PROVIDERS_OVERRIDDEN, NULL,
			"These providers are taken from where they are developed:%.*s%s",
			STR_ARG(buf_view(&names)), why);
	buf_release(&names);
}
