/* backend_config.c - see backend_config.h */
#include <errno.h>

#include "state/backend/backend_config.h"
#include "base/product.h"
#include "base/io.h"
#include "base/workdir.h"
#include "config/load/load.h"
#include "lang/eval/eval.h"
#include "lang/syntax/parse.h"
#include "schema/schema.h"
#include "state/backend/backend.h"
#include "value/convert.h"
#include "value/value.h"
#include "value/marks.h"
#include "value/set.h"

struct backend_reader {
	struct arena *a;
	struct config *c;
	const struct config_options *o;
	const struct str_vec *arguments;
	struct backend_settings *out;
	struct diags *ds;
	bool lenient; /* unsupported arguments are ignored */
	/* of the type that is wanted, with nothing required */
	const struct schema_block *schema;
	struct range at; /* the block's header */
};

/* --- the one that the configuration asks for --- */

static uint32_t crc32_of(struct str s)
{
	uint32_t crc = 0xffffffff;

	for (size_t i = 0; i < s.n; i++) {
		crc ^= (unsigned char)s.p[i];
		for (int k = 0; k < 8; k++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

static uint32_t hash_of(struct arena *a, struct str type,
			const struct value *config)
{
	const struct value *both[2] = { value_string(a, type),
					backend_as_peer(a, type, config) };
	struct buf b = BUF_INIT;
	uint32_t hash;

	value_hash_bytes(&b, value_tuple(a, both, 2));
	hash = crc32_of(buf_view(&b));
	buf_release(&b);
	return hash;
}

static int check_marks(struct backend_reader *r, const struct value *v)
{
	const bool sensitive = value_has_mark_deep(v, MARK_SENSITIVE);

	if (!sensitive && !value_has_mark_deep(v, MARK_EPHEMERAL))
		return 0;
	return diag_error(r->ds, &r->at,
			  sensitive
				  ? "Backend config contains sensitive values"
				  : "Backend config contains ephemeral values",
			  "The arguments of a backend are stored in the data "
			  "directory and in plans.");
}

/* The arguments that a body has; NULL after a diagnostic, or where they depend
 * on a variable that is not known. */
static const struct value *read_body(struct backend_reader *r,
				     const struct body *b)
{
	const char *subject =
		arena_printf(r->a, "backend.%.*s", STR_ARG(r->out->type));
	const struct static_body what = { subject, &r->at, r->lenient };
	const struct value *v =
		config_static_body(r->c, r->o, b, r->schema, &what, r->ds);

	if (!v || check_marks(r, v))
		return NULL;
	if (value_wholly_known(v) || r->lenient)
		return v;
	diag_error(r->ds, &r->at, "Unknown values within backend definition",
		   "All arguments must be known before there is a plan.");
	return NULL;
}

static size_t member_index(const struct schema_block *b, struct str name)
{
	size_t i = 0;

	while (i < b->implied->len && !str_eq(b->implied->attrs[i].name, name))
		i++;
	return i;
}

/* A file of -backend-config: arguments and blocks as in the backend block.
 * Those that it has replace what was before. */
static int read_config_file(struct backend_reader *r, struct str path,
			    const struct value **values)
{
	struct body_content content;
	struct buf text = BUF_INIT;
	const struct value *v;
	const size_t before = r->ds->len;
	struct source *src;
	struct body *b;
	int rc;

	if (io_read_file(arena_strndup(r->a, path.p, path.n), &text, 0)) {
		buf_release(&text);
		return diag_error(
			r->ds, NULL, "Failed to read file",
			"%.*s, given with -backend-config, cannot be read: %s.",
			STR_ARG(path), strerror(errno));
	}
	src = source_new(r->a, path, buf_dup(r->a, &text));
	buf_release(&text);
	b = str_ends(path, ".json") ? parse_json_body(r->a, src, r->ds)
				    : parse_native(r->a, src, r->ds);
	rc = r->ds->errors ||
	     body_content(r->a, b, &r->schema->plan->raw, &content, r->ds);
	v = rc ? NULL : read_body(r, b);
	diags_give_source(r->ds, before, src);
	if (!v)
		return -1;
	for (size_t i = 0; i < content.attrs.len; i++) {
		const size_t k =
			member_index(r->schema, content.attrs.items[i]->name);

		values[k] = v->elems[k];
	}
	for (size_t i = 0; i < content.blocks.len; i++) {
		const size_t k =
			member_index(r->schema, content.blocks.items[i].type);

		values[k] = v->elems[k];
	}
	return 0;
}

/* NAME=VALUE of -backend-config: a string, or an expression where no string
 * could be converted. */
static int read_pair(struct backend_reader *r, struct str pair,
		     const struct value **values)
{
	const size_t eq = (size_t)str_chr(pair, '=');
	const struct str name = str_sub(pair, 0, eq);
	const struct str text = str_sub(pair, eq + 1, pair.n);
	const struct schema_attr *at = schema_attr_find(r->schema, name);
	const struct value *v = value_string(r->a, text);
	struct verror err = { 0 };

	if (!at)
		return diag_error(r->ds, NULL,
				  "Invalid backend configuration argument",
				  "The backend has no argument \"%.*s\".",
				  STR_ARG(name));
	if (!type_is_primitive(at->type)) {
		struct source *src = source_new(r->a, pair, text);

		sources_put(r->a, &r->c->sources, src);
		v = eval_expression(r->a, NULL,
				    parse_expression(r->a, src, r->ds), r->ds);
		if (diags_failed(r->ds))
			return -1;
	}
	v = convert(r->a, v, type_without_optional(at->type), &err);
	if (!v)
		return diag_error(
			r->ds, NULL, "Incorrect attribute value type",
			"The value of \"%.*s\" given with -backend-config does not fit: %.*s.",
			STR_ARG(name), STR_ARG(verror_text(r->a, &err)));
	values[member_index(r->schema, name)] = v;
	return 0;
}

/* What -backend-config adds to, and replaces in, the block's arguments. */
static const struct value *read_extra(struct backend_reader *r,
				      const struct value *config)
{
	const struct type *t = config->type;
	const struct value **values =
		arena_dup(r->a, config->elems, t->len * sizeof(*values));
	struct str *names = ARENA_ARRAY(r->a, struct str, t->len);

	for (size_t i = 0; i < t->len; i++)
		names[i] = t->attrs[i].name;
	for (size_t i = 0; i < r->arguments->len; i++) {
		struct str s = r->arguments->items[i];

		if (s.n && (str_chr(s, '=') < 0 ? read_config_file(r, s, values)
						: read_pair(r, s, values)))
			return NULL;
	}
	return value_object(r->a, names, values, t->len);
}

static int read_block(struct backend_reader *r, const struct cfg_backend *be)
{
	r->at = be->at;
	r->schema = backend_schema_partial(r->a, be->type);
	r->out->config = read_body(r, be->body);
	if (!r->out->config)
		return -1;
	/* The hash covers the block's arguments, but no extra ones. */
	r->out->hash = hash_of(r->a, be->type, r->out->config);
	if (r->arguments->len)
		r->out->config = read_extra(r, r->out->config);
	return r->out->config ? 0 : -1;
}

/* The label of the block, where that is written as usual. */
static struct range type_range(const struct cfg_backend *be)
{
	const size_t n = be->type.n + strlen("\"\"");
	struct range at = be->at;

	if (at.end.byte - at.start.byte != strlen("backend ") + n)
		return at;
	at.start.byte = at.end.byte - (uint32_t)n;
	at.start.column += (uint32_t)strlen("backend ");
	return at;
}

/* Types that there were once, and what a user is told. */
static const struct {
	const char *type, *use;
} removed[] = {
	{ "artifactory", NULL }, { "azure", "azurerm" }, { "etcd", NULL },
	{ "etcdv3", NULL },      { "manta", NULL },      { "swift", NULL },
};

static const char *about_type(struct arena *a, struct str type)
{
	for (size_t i = 0; i < sizeof(removed) / sizeof(*removed); i++) {
		if (!str_is(type, removed[i].type))
			continue;
		if (removed[i].use)
			return arena_printf(
				a, "The backend \"%.*s\" is called \"%s\" now.",
				STR_ARG(type), removed[i].use);
		return arena_printf(
			a, "The backend \"%.*s\" was removed in version 1.3.",
			STR_ARG(type));
	}
	if (str_is(type, "cloud"))
		return arena_strdup(
			a,
			"This is no backend type, but a block of its own: \"cloud\".");
	return arena_printf(a, "There is no backend type named \"%.*s\".",
			    STR_ARG(type));
}

static int no_such_type(const struct backend_reader *r,
			const struct cfg_backend *be)
{
	struct range at = be->cloud ? be->at : type_range(be);

	return diag_error(r->ds, &at,
			  r->lenient ? "Invalid backend type"
				     : "Unsupported backend type",
			  "%s", about_type(r->a, be->type));
}

static int read_wanted(struct backend_reader *r)
{
	const struct str_vec *arguments = r->arguments;
	struct backend_settings *out = r->out;
	const struct cfg_module *root = r->c->root;
	struct diags *ds = r->ds;
	const struct cfg_backend *be =
		root->backend ? root->backend : root->cloud;

	*out = (struct backend_settings){ .type = STR_NONE };
	if (!be) {
		if (arguments->len)
			diag_warning(ds, NULL, "Missing backend configuration",
				     "-backend-config was used, but the "
				     "configuration has no backend block, so "
				     "that it has no effect.");
		return 0;
	}
	if (!backend_schema(r->a, be->type) ||
	    (str_is(be->type, "cloud") && !be->cloud))
		return no_such_type(r, be);
	if (be->cloud && arguments->len)
		return diag_error(ds, NULL, "Invalid command-line option",
				  "-backend-config is for backends, not for a "
				  "\"cloud\" block: edit that block instead.");
	out->type = be->type;
	return read_block(r, be);
}

int backend_wanted(struct arena *a, struct config *c,
		   const struct config_options *o,
		   const struct str_vec *arguments,
		   struct backend_settings *out, struct diags *ds)
{
	struct backend_reader r = {
		a, c, o, arguments, out, ds, .lenient = false
	};

	return read_wanted(&r);
}

/* --- are they the same? --- */

bool backend_same(const struct backend_settings *wanted,
		  const struct backend_settings *saved, bool arguments)
{
	if (!wanted->type.n || !saved->type.n)
		return wanted->type.n == saved->type.n;
	if (!str_eq(wanted->type, saved->type))
		return false;
	return (wanted->hash == saved->hash && !arguments) ||
	       (saved->config &&
		value_equal_unmarked(wanted->config, saved->config));
}

/* between: what stands before the command to be run. */
static int required(const struct cfg_module *root, struct diags *ds,
		    const char *between, const char *why)
{
	return diag_error(
		ds, NULL,
		arena_printf(
			ds->arena,
			"%s initialization required%s please run \"%s init\"",
			root->cloud ? "Cloud backend" : "Backend",
			root->cloud ? ":" : between, product_command()),
		"%s Until init has run, nothing is done that uses "
		"the state. If the configuration was not meant to "
		"change, change it back: no state is lost.",
		why);
}

int backend_check(struct arena *a, struct config *c,
		  const struct config_options *o, struct diags *ds)
{
	static const struct str_vec none = { NULL, 0, 0 };
	const struct cfg_module *root = c->root;
	struct backend_settings wanted, saved;
	/* Lenient: init reports unsupported arguments. */
	struct backend_reader r = {
		a, c, o, &none, &wanted, ds, .lenient = true
	};
	const size_t errors = ds->errors;
	int unknown;

	if (backend_initialised(a, o->workdir, &saved, ds))
		return -1;
	if (!root->backend && !root->cloud)
		return !saved.type.n
			       ? 0
			       : required(
					 root, ds, ",",
					 "The backend that was initialised is not in the configuration any more.");
	/* A failure without an error: it depends on an unknown variable. */
	unknown = read_wanted(&r);
	if (ds->errors > errors)
		return -1;
	if (!saved.type.n)
		return required(
			root, ds, ",",
			"The configuration has a backend that was not initialised yet.");
	if (unknown)
		return 0;
	return backend_same(&wanted, &saved, false)
		       ? 0
		       : required(
				 root, ds, ":",
				 "The backend is configured differently than when it was initialised.");
}

bool backend_check_needed(struct arena *a, struct str dir,
			  const struct workdir *w)
{
	static const char *const words[] = { "backend", "cloud", NULL };
	struct diags ignored = DIAGS_INIT(a);
	struct backend_settings saved;

	return backend_initialised(a, w, &saved, &ignored) || saved.type.n ||
	       files_mention(arena_strndup(a, dir.p, dir.n), words);
}
