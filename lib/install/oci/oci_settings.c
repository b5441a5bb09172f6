/* oci_settings.c - blocks of the CLI configuration; see oci_credentials.c */
#include "install/oci/oci.h"
#include "lang/eval/eval.h"

struct settings_reader {
	struct arena *a;
	struct str dir;
	struct oci_settings *out;
	struct diags *ds;
	const struct block *block;
};

static const struct block_schema no_blocks[] = { { NULL, { NULL } } };

static int invalid(struct settings_reader *r, const char *why)
{
	struct range at = source_range(r->block->src, r->block->header);

	return diag_error(r->ds, &at,
			  arena_printf(r->a, "Invalid %.*s block",
				       STR_ARG(r->block->type)),
			  "%s", why);
}

static int read_string(struct settings_reader *r, const struct expression *e,
		       struct str *out)
{
	size_t errors = r->ds->errors;
	const struct value *v = eval_expression(r->a, NULL, *e, r->ds);

	if (r->ds->errors > errors)
		return -1;
	if (v->type != &type_string || !value_usable(v))
		return invalid(r, "Its arguments are strings.");
	*out = v->string;
	return 0;
}

/* Such a program is looked for in PATH. */
static bool is_helper(struct str name)
{
	return name.n && str_chr(name, '/') < 0 && !memchr(name.p, 0, name.n);
}

static int check_helper(struct settings_reader *r, struct str name)
{
	return is_helper(name)
		       ? 0
		       : invalid(r,
				 "docker_credentials_helper is what follows "
				 "\"docker-credential-\" in the name of a program.");
}

/* --- oci_credentials --- */

enum { USER, PASSWORD, ACCESS, REFRESH, HELPER, NARGUMENTS };
static const struct attr_schema arguments[] = {
	[USER] = { "username", false },
	[PASSWORD] = { "password", false },
	[ACCESS] = { "access_token", false },
	[REFRESH] = { "refresh_token", false },
	[HELPER] = { "docker_credentials_helper", false },
	[NARGUMENTS] = { NULL, false },
};

/* Checks that exactly one of the three ways is given, completely. */
static int check_given(struct settings_reader *r, const bool given[NARGUMENTS])
{
	const int ways = (given[USER] || given[PASSWORD]) +
			 (given[ACCESS] || given[REFRESH]) + given[HELPER];

	if (ways != 1)
		return invalid(r, "It has username and password, access_token "
				  "and refresh_token, or "
				  "docker_credentials_helper: one of the "
				  "three.");
	if (given[USER] != given[PASSWORD])
		return invalid(r, "username and password go together.");
	if (given[ACCESS] != given[REFRESH])
		return invalid(r,
			       "access_token and refresh_token go together.");
	return 0;
}

static int check_new(struct settings_reader *r, struct str prefix)
{
	for (size_t i = 0; i < r->out->blocks.len; i++)
		if (str_eq(r->out->blocks.items[i].prefix, prefix))
			return invalid(
				r, arena_printf(
					   r->a,
					   "There is one for \"%.*s\" already.",
					   STR_ARG(prefix)));
	return 0;
}

static int read_credentials(struct settings_reader *r)
{
	static const struct body_schema schema = { arguments, no_blocks };
	struct oci_block one = { .prefix = r->block->labels[0].text };
	struct str texts[NARGUMENTS] = { STR_NONE }, why;
	bool given[NARGUMENTS] = { false };
	struct oci_address at;
	struct body_content c;

	if (oci_address_parse(r->a, one.prefix, &at, &why))
		return invalid(r, arena_printf(r->a, "Its label: %.*s.",
					       STR_ARG(why)));
	if (check_new(r, one.prefix) ||
	    body_partial(r->a, r->block->body, &schema, &c, NULL, r->ds))
		return -1;
	for (size_t i = 0; i < NARGUMENTS; i++) {
		const struct attribute *x = content_attr(&c, arguments[i].name);

		given[i] = x != NULL;
		if (x && read_string(r, &x->expr, &texts[i]))
			return -1;
	}
	if (check_given(r, given) ||
	    (given[HELPER] && check_helper(r, texts[HELPER])))
		return -1;
	if (given[HELPER] && at.name.n)
		return invalid(
			r,
			"A helper knows whole registries: the label has no path then.");
	one.known = (struct oci_credentials){ texts[USER], texts[PASSWORD],
					      texts[ACCESS] };
	one.helper = texts[HELPER];
	vec_push(r->a, &r->out->blocks, one);
	return 0;
}

/* --- oci_default_credentials --- */

static int read_files(struct settings_reader *r, struct expression e)
{
	struct expression *items;
	size_t n;

	if (expression_list(r->a, e, &items, &n, r->ds))
		return -1;
	r->out->named_files = true;
	for (size_t i = 0; i < n; i++) {
		struct str path;

		if (read_string(r, &items[i], &path))
			return -1;
		if (!str_starts(path, "/"))
			path = STR_CAT(r->a, r->dir, path);
		vec_push(r->a, &r->out->files, str_dup(r->a, path));
	}
	return 0;
}

static int read_discover(struct settings_reader *r, struct expression e)
{
	const struct value *v = eval_expression(r->a, NULL, e, r->ds);

	if (!v || v->type != &type_bool || !value_usable(v))
		return invalid(
			r, "discover_ambient_credentials is true or false.");
	r->out->no_files = !v->boolean;
	return 0;
}

static int read_default(struct settings_reader *r)
{
	static const struct attr_schema attrs[] = {
		{ "discover_ambient_credentials", false },
		{ "docker_style_config_files", false },
		{ "docker_credentials_helper", false },
		{ NULL, false },
	};
	static const struct body_schema schema = { attrs, no_blocks };
	const struct attribute *at;
	struct body_content c;

	if (r->out->has_default)
		return invalid(
			r, "There is one in the CLI configuration already.");
	r->out->has_default = true;
	if (body_partial(r->a, r->block->body, &schema, &c, NULL, r->ds))
		return -1;
	at = content_attr(&c, "discover_ambient_credentials");
	if (at && read_discover(r, at->expr))
		return -1;
	at = content_attr(&c, "docker_style_config_files");
	if (at && read_files(r, at->expr))
		return -1;
	if (r->out->no_files && r->out->named_files)
		return invalid(
			r,
			"It names docker_style_config_files, and that none shall be read.");
	at = content_attr(&c, "docker_credentials_helper");
	return at && (read_string(r, &at->expr, &r->out->helper) ||
		      check_helper(r, r->out->helper))
		       ? -1
		       : 0;
}

int oci_settings_read(struct arena *a, const struct body *b, struct str dir,
		      struct oci_settings *out, struct diags *ds)
{
	static const struct attr_schema attrs[] = { { NULL, false } };
	static const struct block_schema blocks[] = {
		{ "oci_credentials", { "repository" } },
		{ "oci_default_credentials", { NULL } },
		{ NULL, { NULL } },
	};
	static const struct body_schema schema = { attrs, blocks };
	struct settings_reader r = { .a = a, .dir = dir, .out = out, .ds = ds };
	struct body_content c;
	int rc = body_partial(a, b, &schema, &c, NULL, ds);

	for (size_t i = 0; !rc && i < c.blocks.len; i++) {
		r.block = &c.blocks.items[i];
		rc = str_is(r.block->type, "oci_credentials")
			     ? read_credentials(&r)
			     : read_default(&r);
	}
	return rc;
}
