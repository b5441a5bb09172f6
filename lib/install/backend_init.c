/* backend_init.c - see backend_init.h */
#include "install/backend_init.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/io.h"
#include "lang/eval.h"
#include "lang/parse.h"
#include "state/backend.h"
#include "value/codec.h"

struct init {
	struct arena *a;
	struct config *c;
	const struct backend_init_options *o;
	struct diags *ds;
	struct str data_dir;
	struct str old_type;             /* empty: none was initialised */
	const struct value *old_config;
	uint32_t old_hash;
	const struct value *config;      /* the new one; NULL: no block */
	uint32_t hash;
};

/* --- the new backend --- */

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

static const struct value *argument(struct init *in,
				    const struct attribute *at)
{
	struct range r = expression_range(at->expr);
	struct verror err = { 0 };
	const struct value *v;

	v = config_static_value(in->c, in->o->config, at->expr,
				"backend.local", in->ds);
	if (!v)
		return NULL;
	if (value_has_mark_deep(v, MARK_SENSITIVE | MARK_EPHEMERAL)) {
		diag_error(in->ds, &in->c->root->backend->at,
			   value_has_mark_deep(v, MARK_SENSITIVE)
				   ? "Backend config contains sensitive values"
				   : "Backend config contains ephemeral values",
			   "The arguments of a backend are stored in the data "
			   "directory and in plans.");
		return NULL;
	}
	v = convert(in->a, v, &type_string, &err);
	if (!v)
		diag_error(in->ds, &r, "Incorrect attribute value type",
			   "\"%.*s\" is not suitable: %.*s.",
			   STR_ARG(at->name),
			   STR_ARG(verror_text(in->a, &err)));
	return v;
}

static int set_argument(struct init *in, const struct value **values,
			struct str name, const struct value *v)
{
	for (size_t i = 0; i < NLOCAL; i++)
		if (str_is(name, local_args[i])) {
			values[i] = v;
			return 0;
		}
	return diag_error(in->ds, NULL, "Invalid backend configuration "
					"argument",
			  "The backend has no argument \"%.*s\".",
			  STR_ARG(name));
}

/* A file of -backend-config: arguments, nothing else. */
static int read_config_file(struct init *in, struct str path,
			    const struct value **values)
{
	struct attribute_vec attrs = { 0 };
	struct buf text = BUF_INIT;
	struct source *src;
	struct body *b;
	int rc = 0;

	if (io_read_file(arena_strndup(in->a, path.p, path.n), &text, 0)) {
		buf_release(&text);
		return diag_error(in->ds, NULL,
				  "Failed to read file",
				  "%.*s, given with -backend-config, cannot "
				  "be read: %s.", STR_ARG(path),
				  strerror(errno));
	}
	src = source_new(in->a, path, buf_dup(in->a, &text));
	buf_release(&text);
	sources_put(in->a, &in->c->sources, src);
	b = parse_native(in->a, src, in->ds);
	if (in->ds->errors || body_attributes(in->a, b, &attrs, in->ds))
		return -1;
	for (size_t i = 0; i < attrs.len; i++) {
		const struct value *v = argument(in, &attrs.items[i]);

		rc |= !v || set_argument(in, values, attrs.items[i].name, v);
	}
	return rc ? -1 : 0;
}

static int read_extra(struct init *in, const struct value **values)
{
	for (size_t i = 0; i < in->o->arguments.len; i++) {
		struct str s = in->o->arguments.items[i];
		ptrdiff_t eq = str_chr(s, '=');

		if (!s.n)
			continue;
		if (eq < 0 ? read_config_file(in, s, values)
			   : set_argument(in, values,
					  str_sub(s, 0, (size_t)eq),
					  value_string(in->a,
						       str_sub(s,
							       (size_t)eq + 1,
							       s.n))))
			return -1;
	}
	return 0;
}

static int read_block(struct init *in, const struct cfg_backend *be)
{
	static const struct attr_schema attrs[] = { { "path", false },
						    { "workspace_dir", false },
						    { NULL, false } };
	static const struct block_schema blocks[] = { { NULL, { NULL } } };
	static const struct body_schema schema = { attrs, blocks };
	const struct value *values[NLOCAL];
	struct str names[NLOCAL];
	struct body_content c;

	for (size_t i = 0; i < NLOCAL; i++) {
		names[i] = str_c(local_args[i]);
		values[i] = value_null(in->a, &type_string);
	}
	if (body_content(in->a, be->body, &schema, &c, in->ds))
		return -1;
	for (size_t i = 0; i < c.attrs.len; i++) {
		const struct value *v = argument(in, &c.attrs.items[i]);

		if (!v || set_argument(in, values, c.attrs.items[i].name, v))
			return -1;
	}
	/* What the block says is hashed; extra arguments are not. */
	in->hash = hash_of(in->a, be->type,
			   value_object(in->a, names, values, NLOCAL));
	if (read_extra(in, values))
		return -1;
	in->config = value_object(in->a, names, values, NLOCAL);
	return 0;
}

static int read_new(struct init *in)
{
	const struct cfg_module *root = in->c->root;
	const struct cfg_backend *be = root->backend ? root->backend
						     : root->cloud;

	if (!be) {
		if (in->o->arguments.len)
			diag_warning(in->ds, NULL,
				     "Missing backend configuration",
				     "-backend-config was used, but the "
				     "configuration has no backend block, so "
				     "that it has no effect.");
		return 0;
	}
	if (!str_is(be->type, "local"))
		return diag_error(in->ds, &be->at, "Unsupported backend type",
				  "There is no backend type \"%.*s\" here; "
				  "this version has the local backend only.",
				  STR_ARG(be->type));
	return read_block(in, be);
}

/* --- the old backend --- */

static struct str saved_path(struct init *in)
{
	return str_printf(in->a, "%.*s/terraform.tfstate",
			  STR_ARG(in->data_dir));
}

static int read_old(struct init *in)
{
	struct backend_options o = { .data_dir = in->data_dir };
	struct buf text = BUF_INIT;
	struct json_error err;

	if (backend_saved(in->a, &o, in->ds))
		return -1;
	in->old_type = o.backend_type;
	in->old_config = o.config;
	if (!io_read_file(saved_path(in).p, &text, 1 << 20))
		in->old_hash = (uint32_t)json_get_int(
			json_get(json_parse(in->a, buf_view(&text), &err),
				 "backend"),
			"hash", 0);
	buf_release(&text);
	return 0;
}

/* --- writing --- */

static int save(struct init *in)
{
	struct buf out = BUF_INIT;
	struct jw w = JW_INIT(&out);
	int rc;

	w.indent = 4;
	jw_object(&w);
	jw_member_int(&w, "version", 3);
	jw_key(&w, "backend");
	jw_object(&w);
	jw_member_str(&w, "type", STR("local"));
	jw_key(&w, "config");
	value_to_json(&w, in->config, NULL);
	jw_member_int(&w, "hash", in->hash);
	jw_object_end(&w);
	jw_object_end(&w);
	rc = io_make_dirs(arena_strndup(in->a, in->data_dir.p,
					in->data_dir.n), 0777) ||
	     io_replace_file(saved_path(in).p, out.p, out.len, 0644);
	buf_release(&out);
	if (!rc)
		return 0;
	return diag_error(in->ds, NULL,
			  "Error saving the backend configuration",
			  "%.*s cannot be written: %s.",
			  STR_ARG(saved_path(in)), strerror(errno));
}

/* --- states --- */

static struct backend *open_side(struct init *in, const struct value *config,
				 struct str workspace)
{
	struct backend_options o = { .dir = STR("."),
				     .data_dir = in->data_dir,
				     .workspace = workspace,
				     .backend_type = STR("local"),
				     .config = config };

	return backend_open(in->a, &o, in->ds);
}

/* Copies one workspace's state. */
static int copy_state(struct init *in, struct str workspace)
{
	struct backend *from = open_side(in, in->old_config, workspace);
	struct backend *to = open_side(in, in->config, workspace);
	struct state *s;
	int rc = -1;

	if (!from || !to)
		goto out;
	s = backend_read(from, in->ds);
	if (!s || !backend_read(to, in->ds))
		goto out;
	if (!backend_exists(from) ||
	    str_eq(backend_name(from), backend_name(to)))
		rc = 0;
	else if (backend_exists(to) && !in->o->force_copy)
		diag_error(in->ds, NULL, "Error migrating state",
			   "%.*s exists already; -force-copy replaces it with "
			   "%.*s.", STR_ARG(backend_name(to)),
			   STR_ARG(backend_name(from)));
	else
		rc = backend_push(to, s, true, in->ds);
out:
	if (from)
		backend_close(from);
	if (to)
		backend_close(to);
	return rc;
}

static int copy_states(struct init *in)
{
	struct backend *from = open_side(in, in->old_config, STR("default"));
	struct str_vec names = { 0 };
	int rc;

	if (!from)
		return -1;
	rc = workspace_list(from, &names, in->ds);
	backend_close(from);
	for (size_t i = 0; !rc && i < names.len; i++)
		rc = copy_state(in, names.items[i]);
	return rc;
}

/* Is there a state that the new backend would not find? */
static bool states_at_stake(struct init *in)
{
	struct backend *from = open_side(in, in->old_config, STR("default"));
	struct backend *to = open_side(in, in->config, STR("default"));
	bool yes = false;

	if (from && to && !str_eq(backend_name(from), backend_name(to)) &&
	    backend_read(from, in->ds))
		yes = backend_exists(from);
	if (from)
		backend_close(from);
	if (to)
		backend_close(to);
	return yes;
}

static int carry_over(struct init *in)
{
	if (in->o->reconfigure)
		return 0;
	if (in->o->migrate || in->o->force_copy)
		return copy_states(in);
	/* The first configuration of a backend may be stored as it is when
	 * there is nothing to lose. */
	if (!in->old_type.n && !states_at_stake(in))
		return in->ds->errors ? -1 : 0;
	return diag_error(in->ds, NULL, "Backend configuration changed",
			  "The backend is configured differently now, so "
			  "that existing state may have to move.\n\nUse "
			  "-migrate-state to copy the state to the new place, "
			  "or -reconfigure to leave everything where it is.");
}

static bool same_config(struct init *in)
{
	return in->hash == in->old_hash && !in->o->arguments.len;
}

/* With extra arguments the hash does not say it. */
static bool same_values(struct init *in)
{
	if (!in->old_config || in->old_config->type->kind != TYPE_OBJECT)
		return false;
	for (size_t i = 0; i < NLOCAL; i++) {
		struct str name = str_c(local_args[i]);
		const struct value *x = value_get(in->config, name);
		const struct value *y = value_get(in->old_config, name);

		if (!y || value_is_null(x) != value_is_null(y))
			return false;
		if (!value_is_null(x) && !value_equal_unmarked(x, y))
			return false;
	}
	return true;
}

enum backend_init_result backend_init(struct arena *a, struct config *c,
				      const struct backend_init_options *o,
				      struct diags *ds)
{
	struct init in = { .a = a, .c = c, .o = o, .ds = ds };

	in.data_dir = o->config->data_dir.n ? o->config->data_dir
					    : STR(".terraform");
	if (read_new(&in) || read_old(&in))
		return BACKEND_FAILED;
	if (!in.config && !in.old_type.n)
		return BACKEND_UNCHANGED;
	if (!in.config) {
		if (carry_over(&in))
			return BACKEND_FAILED;
		unlink(saved_path(&in).p);
		return BACKEND_UNSET;
	}
	if (in.old_type.n && !o->reconfigure &&
	    (same_config(&in) || same_values(&in)))
		return save(&in) ? BACKEND_FAILED : BACKEND_UNCHANGED;
	if (carry_over(&in) || save(&in))
		return BACKEND_FAILED;
	return in.old_type.n && !o->reconfigure ? BACKEND_RESET : BACKEND_SET;
}
