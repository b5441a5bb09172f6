/* backend_config.c - see backend_config.h */
#include "state/backend/backend_config.h"

#include <errno.h>
#include <stdlib.h>

#include "base/product.h"
#include "base/io.h"
#include "config/load/files.h"
#include "config/load/static.h"
#include "json/read.h"
#include "json/tree.h"
#include "lang/eval/eval.h"
#include "lang/syntax/parse.h"
#include "state/backend/backend.h"
#include "state/backend/saved.h"
#include "value/convert.h"
#include "value/equal.h"
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
};

/* --- the one that the configuration asks for --- */

static const char *const local_args[] = { "path", "workspace_dir" };
enum { NLOCAL = 2 };

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
	const struct value *both[2] = { value_string(a, type), config };
	struct buf b = BUF_INIT;
	uint32_t hash;

	value_hash_bytes(&b, value_tuple(a, both, 2));
	hash = crc32_of(buf_view(&b));
	buf_release(&b);
	return hash;
}

static const struct value *argument(struct backend_reader *r,
				    const struct attribute *at)
{
	struct range where = expression_range(at->expr);
	struct verror err = { 0 };
	const struct value *v;

	v = config_static_value(r->c, r->o, at->expr, "backend.local",
				&r->c->root->backend->at, r->ds);
	if (!v)
		return NULL;
	if (value_has_mark_deep(v, MARK_SENSITIVE | MARK_EPHEMERAL)) {
		diag_error(r->ds, &r->c->root->backend->at,
			   value_has_mark_deep(v, MARK_SENSITIVE)
				   ? "Backend config contains sensitive values"
				   : "Backend config contains ephemeral values",
			   "The arguments of a backend are stored in the data "
			   "directory and in plans.");
		return NULL;
	}
	v = convert(r->a, v, &type_string, &err);
	if (!v)
		diag_error(r->ds, &where, "Incorrect attribute value type",
			   "\"%.*s\" is not suitable: %.*s.", STR_ARG(at->name),
			   STR_ARG(verror_text(r->a, &err)));
	if (!v || value_wholly_known(v))
		return v;
	diag_error(r->ds, NULL, "Unknown values within backend definition",
		   "\"%.*s\" must be known before there is a plan.",
		   STR_ARG(at->name));
	return NULL;
}

static int set_argument(struct backend_reader *r, const struct value **values,
			struct str name, const struct value *v)
{
	for (size_t i = 0; i < NLOCAL; i++)
		if (str_is(name, local_args[i])) {
			values[i] = v;
			return 0;
		}
	return diag_error(r->ds, NULL,
			  "Invalid backend configuration "
			  "argument",
			  "The backend has no argument \"%.*s\".",
			  STR_ARG(name));
}

/* A file of -backend-config: arguments, nothing else. */
static int read_config_file(struct backend_reader *r, struct str path,
			    const struct value **values)
{
	struct attribute_vec attrs = { 0 };
	struct buf text = BUF_INIT;
	struct source *src;
	struct body *b;
	int rc = 0;

	if (io_read_file(arena_strndup(r->a, path.p, path.n), &text, 0)) {
		buf_release(&text);
		return diag_error(r->ds, NULL, "Failed to read file",
				  "%.*s, given with -backend-config, cannot "
				  "be read: %s.",
				  STR_ARG(path), strerror(errno));
	}
	src = source_new(r->a, path, buf_dup(r->a, &text));
	buf_release(&text);
	sources_put(r->a, &r->c->sources, src);
	b = parse_native(r->a, src, r->ds);
	if (r->ds->errors || body_attributes(r->a, b, &attrs, r->ds))
		return -1;
	for (size_t i = 0; i < attrs.len; i++) {
		const struct value *v = argument(r, &attrs.items[i]);

		rc |= !v || set_argument(r, values, attrs.items[i].name, v);
	}
	return rc ? -1 : 0;
}

static int read_extra(struct backend_reader *r, const struct value **values)
{
	for (size_t i = 0; i < r->arguments->len; i++) {
		struct str s = r->arguments->items[i];
		ptrdiff_t eq = str_chr(s, '=');

		if (!s.n)
			continue;
		if (eq < 0 ? read_config_file(r, s, values)
			   : set_argument(r, values, str_sub(s, 0, (size_t)eq),
					  value_string(r->a,
						       str_sub(s,
							       (size_t)eq + 1,
							       s.n))))
			return -1;
	}
	return 0;
}

static int read_block(struct backend_reader *r, const struct cfg_backend *be)
{
	static const struct attr_schema attrs[] = { { "path", false },
						    { "workspace_dir", false },
						    { NULL, false } };
	static const struct block_schema blocks[] = { { NULL, { NULL } } };
	static const struct body_schema schema = { attrs, blocks };
	struct diags ignored = DIAGS_INIT(r->a);
	const struct value *values[NLOCAL];
	struct str names[NLOCAL];
	struct body_content c;

	for (size_t i = 0; i < NLOCAL; i++) {
		names[i] = str_c(local_args[i]);
		values[i] = value_null(r->a, &type_string);
	}
	if (r->lenient)
		body_partial(r->a, be->body, &schema, &c, NULL, &ignored);
	else if (body_content(r->a, be->body, &schema, &c, r->ds))
		return -1;
	for (size_t i = 0; i < c.attrs.len; i++) {
		const struct value *v = argument(r, c.attrs.items[i]);

		if (!v || set_argument(r, values, c.attrs.items[i]->name, v))
			return -1;
	}
	/* The hash covers the block's arguments, but no extra ones. */
	r->out->hash = hash_of(r->a, be->type,
			       value_object(r->a, names, values, NLOCAL));
	if (read_extra(r, values))
		return -1;
	r->out->config = value_object(r->a, names, values, NLOCAL);
	return 0;
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

static int no_such_type(const struct backend_reader *r,
			const struct cfg_backend *be)
{
	struct range at = be->cloud ? be->at : type_range(be);

	if (be->cloud)
		return diag_error(
			r->ds, &at, "Unsupported backend type",
			"A cloud block has runs and state in HCP Terraform, or "
			"in a service like it; this version has the local "
			"backend only.");
	return diag_error(r->ds, &at,
			  r->lenient ? "Invalid backend type"
				     : "Unsupported backend type",
			  "There is no backend type \"%.*s\" here; this "
			  "version has the local backend only.",
			  STR_ARG(be->type));
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
	if (!str_is(be->type, "local"))
		return no_such_type(r, be);
	out->type = be->type;
	return read_block(r, be);
}

int backend_wanted(struct arena *a, struct config *c,
		   const struct config_options *o,
		   const struct str_vec *arguments,
		   struct backend_settings *out, struct diags *ds)
{
	struct backend_reader r = { a, c, o, arguments, out, ds, false };

	return read_wanted(&r);
}

/* --- the one that was initialised --- */

int backend_initialised(struct arena *a, struct str data_dir,
			struct backend_settings *out, struct diags *ds)
{
	struct backend_options o = { .data_dir = data_dir };
	struct str path =
		str_printf(a, "%.*s/terraform.tfstate", STR_ARG(data_dir));
	struct buf text = BUF_INIT;
	struct json_error err;

	*out = (struct backend_settings){ .type = STR_NONE };
	if (backend_saved(a, &o, ds))
		return -1;
	out->type = o.backend_type;
	out->config = o.config;
	if (!io_read_file(path.p, &text, 1 << 20))
		out->hash = (uint32_t)json_get_int(
			json_get(json_parse(a, buf_view(&text), &err),
				 "backend"),
			"hash", 0);
	buf_release(&text);
	return 0;
}

/* --- are they the same? --- */

static bool same_values(const struct value *wanted, const struct value *saved)
{
	if (!saved || saved->type->kind != TYPE_OBJECT)
		return false;
	for (size_t i = 0; i < NLOCAL; i++) {
		struct str name = str_c(local_args[i]);
		const struct value *x = value_get(wanted, name);
		const struct value *y = value_get(saved, name);

		bool absent = !y || value_is_null(y);

		if (value_is_null(x) != absent)
			return false;
		if (!absent && !value_equal_unmarked(x, y))
			return false;
	}
	return true;
}

bool backend_same(const struct backend_settings *wanted,
		  const struct backend_settings *saved, bool arguments)
{
	if (!wanted->type.n || !saved->type.n)
		return wanted->type.n == saved->type.n;
	return (wanted->hash == saved->hash && !arguments) ||
	       same_values(wanted->config, saved->config);
}

#define PLEASE "please run \"" COMMAND " init\""

static int required(struct diags *ds, const char *summary, const char *why)
{
	return diag_error(ds, NULL, summary,
			  "%s Until init has run, nothing is done that uses "
			  "the state. If the configuration was not meant to "
			  "change, change it back: no state is lost.",
			  why);
}

int backend_check(struct arena *a, struct config *c,
		  const struct config_options *o, struct diags *ds)
{
	static const char first[] = "Backend initialization required, " PLEASE;
	static const struct str_vec none = { NULL, 0, 0 };
	const struct cfg_module *root = c->root;
	struct str data_dir = o->data_dir.n ? o->data_dir : STR(".terraform");
	struct backend_settings wanted, saved;
	/* Lenient: init reports unsupported arguments. */
	struct backend_reader r = { a, c, o, &none, &wanted, ds, true };
	const size_t errors = ds->errors;
	int unknown;

	if (backend_initialised(a, data_dir, &saved, ds))
		return -1;
	if (!root->backend && !root->cloud)
		return !saved.type.n ? 0
				     : required(ds, first,
						"The backend that was "
						"initialised is not in the "
						"configuration any more.");
	/* A failure without an error: it depends on an unknown variable. */
	unknown = read_wanted(&r);
	if (ds->errors > errors)
		return -1;
	if (!saved.type.n)
		return required(ds, first,
				"The configuration has a backend "
				"that was not initialised yet.");
	if (unknown)
		return 0;
	return backend_same(&wanted, &saved, false)
		       ? 0
		       : required(ds,
				  "Backend initialization required: " PLEASE,
				  "The backend is configured differently than "
				  "when it was initialised.");
}

bool backend_check_needed(struct arena *a, struct str dir, struct str data_dir)
{
	static const char *const words[] = { "backend", "cloud", NULL };
	struct diags ignored = DIAGS_INIT(a);
	struct backend_settings saved;

	return backend_initialised(a, data_dir, &saved, &ignored) ||
	       saved.type.n ||
	       files_mention(arena_strndup(a, dir.p, dir.n), words);
}
