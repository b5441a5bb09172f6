/* initialised.c - see backend_config.h */
#include <errno.h>

#include "state/backend/backend_config.h"
#include "base/io.h"
#include "base/product.h"
#include "base/workdir.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "schema/schema.h"
#include "state/backend/backend.h"
#include "value/codec_json.h"
#include "value/convert.h"

/* What a block of the schema is converted to: all of it may be missing, for
 * another version may not have known it. */
static const struct type *saved_type(struct arena *a,
				     const struct schema_block *schema)
{
	const struct type *t = schema->plan->spec;
	struct type_attr *attrs = ARENA_ARRAY(a, struct type_attr, t->len);

	for (uint32_t i = 0; i < t->len; i++) {
		attrs[i] = t->attrs[i];
		attrs[i].optional = true;
	}
	return type_object(attrs, t->len);
}

static const struct value *typed(struct arena *a, struct str type,
				 const struct json *config, struct str path,
				 struct diags *ds)
{
	const struct schema_block *schema = backend_schema_partial(a, type);
	const struct value *v = value_from_json_implied(a, config);
	struct verror err = { 0 };

	if (v && schema)
		v = convert(a, v, saved_type(a, schema), &err);
	if (!v)
		diag_error(
			ds, NULL, "Error loading backend state",
			"The arguments in %.*s do not fit the backend \"%.*s\": %.*s. \"%s "
			"init -reconfigure\" sets them anew.",
			STR_ARG(path), STR_ARG(type),
			STR_ARG(verror_text(a, &err)), product_command());
	return v;
}

int backend_initialised(struct arena *a, const struct workdir *w,
			struct backend_settings *out, struct diags *ds)
{
	static const char summary[] = "Error loading backend state";
	struct str path = workdir_path(a, w, WORKDIR_BACKEND), text;
	const struct json *j, *backend, *config;
	struct json_error err;

	*out = (struct backend_settings){ .type = STR_NONE };
	if (io_read_regular(a, path.p, 1 << 20, &text))
		return errno == ENOENT || errno == ENOTDIR
			       ? 0
			       : diag_error(ds, NULL, summary,
					    "Cannot read %.*s: %s.",
					    STR_ARG(path), strerror(errno));
	j = json_parse(a, text, &err);
	if (!j)
		return diag_error(ds, NULL, summary,
				  "%.*s is not valid JSON: %s.", STR_ARG(path),
				  err.message);
	backend = json_get(j, "backend");
	config = json_get(backend, "config");
	out->type = json_get_str(backend, "type");
	out->hash = (uint32_t)json_get_int(backend, "hash", 0);
	if (!config || config->kind != JSON_OBJECT)
		return 0;
	out->config = typed(a, out->type, config, path, ds);
	return out->config ? 0 : -1;
}

int backend_saved(struct arena *a, struct backend_options *o, struct diags *ds)
{
	struct backend_settings s;

	if (backend_initialised(a, o->workdir, &s, ds))
		return -1;
	o->backend_type = s.type;
	o->config = s.config;
	return 0;
}

int backend_save(struct arena *a, const struct workdir *in,
		 const struct backend_settings *s, struct diags *ds)
{
	struct str path = workdir_path(a, in, WORKDIR_BACKEND);
	struct buf out = BUF_INIT;
	struct jw w = JW_INIT(&out);
	int rc;

	w.indent = 4;
	jw_object(&w);
	jw_member_int(&w, "version", 3);
	jw_key(&w, "backend");
	jw_object(&w);
	jw_member_str(&w, "type", s->type);
	jw_key(&w, "config");
	value_to_json(&w, backend_as_peer(a, s->type, s->config), NULL);
	jw_member_int(&w, "hash", s->hash);
	jw_object_end(&w);
	jw_object_end(&w);
	rc = io_make_dirs(in->data_dir.p, 0777) ||
	     io_replace_file(path.p, out.p, out.len, 0600);
	buf_release(&out);
	if (!rc)
		return 0;
	return diag_error(ds, NULL, "Error saving the backend configuration",
			  "%.*s cannot be written: %s.", STR_ARG(path),
			  io_why());
}
