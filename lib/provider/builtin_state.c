/*
 * builtin_state.c - the data source terraform_remote_state
 *
 * Reads the root outputs of another configuration's state.  The state is only
 * read: nothing is locked, recovered or written.
 */
#include <errno.h>

#include "base/io.h"
#include "provider/builtin_state_int.h"
#include "provider/request.h"
#include "state/file/read.h"
#include "state/state.h"
#include "value/convert.h"
#include "value/marks.h"

enum { BACKEND, CONFIG, DEFAULTS, OUTPUTS, WORKSPACE, NATTRS };

static const struct str names[NATTRS] = {
	STR_INIT("backend"), STR_INIT("config"),    STR_INIT("defaults"),
	STR_INIT("outputs"), STR_INIT("workspace"),
};

static const struct path_step steps[NATTRS] = {
	{ STR_INIT("backend"), NULL },   { STR_INIT("config"), NULL },
	{ STR_INIT("defaults"), NULL },  { STR_INIT("outputs"), NULL },
	{ STR_INIT("workspace"), NULL },
};

#define AT(i) ((struct path){ &steps[i], 1 })

static const char *const descriptions[NATTRS] = {
	[BACKEND] = "The kind of backend that holds the state, e.g. `local` "
		    "or `http`.",
	[CONFIG] = "The backend's settings: an object with the arguments that "
		   "its `backend` block would have.",
	[DEFAULTS] = "Values of outputs that the state does not have.",
	[OUTPUTS] = "The root outputs in the state, as an object.",
	[WORKSPACE] = "The workspace whose state is read, where the backend "
		      "has several.",
};

const struct resource_schema *remote_state_schema(struct arena *a)
{
	struct resource_schema *s = ARENA_NEW(a, struct resource_schema);
	struct schema_block *b = ARENA_NEW(a, struct schema_block);
	struct schema_attr *attrs = ARENA_ARRAY(a, struct schema_attr, NATTRS);

	for (int i = 0; i < NATTRS; i++)
		attrs[i] = (struct schema_attr){
			.name = names[i],
			.type = i == BACKEND || i == WORKSPACE ? &type_string
							       : &type_dynamic,
			.description = str_c(descriptions[i]),
			.description_markdown = true,
			.required = i == BACKEND,
			.computed = i == OUTPUTS,
			.optional = i != BACKEND && i != OUTPUTS,
		};
	b->attrs = attrs;
	b->nattrs = NATTRS;
	schema_block_finish(a, b);
	s->type = STR("terraform_remote_state");
	s->block = b;
	return s;
}

static const struct value *get(struct arena *a, const struct value *config,
			       int i)
{
	const struct value *v = value_get(config, names[i]);

	return v ? v : value_null(a, &type_dynamic);
}

/* The settings of the local backend. */
struct settings {
	struct str path, workspace_dir;
};

static bool setting(struct provider_request *r, const struct value *v,
		    const char *name, const char *summary, struct str *out)
{
	struct verror err;

	v = convert(r->arena, v, &type_string, &err);
	if (!v) {
		request_error(r, AT(CONFIG), "Invalid backend configuration",
			      "The configuration does not fit the backend "
			      "\"local\": attribute \"%s\": %.*s.",
			      name, STR_ARG(err.message));
		return false;
	}
	if (!value_usable(v))
		return true;
	if (v->string.n == 0) {
		request_error(r, (struct path){ NULL, 0 }, summary,
			      "The attribute \"%s\" must not be empty.", name);
		return false;
	}
	*out = v->string;
	return true;
}

static bool one_setting(struct provider_request *r, struct str name,
			const struct value *v, struct settings *out)
{
	if (str_is(name, "path"))
		return setting(r, v, "path", "Invalid local state file path",
			       &out->path);
	if (str_is(name, "workspace_dir"))
		return setting(r, v, "workspace_dir",
			       "Invalid local workspace directory path",
			       &out->workspace_dir);
	request_error(r, AT(CONFIG), "Invalid backend configuration",
		      "The backend \"local\" has no argument \"%.*s\".",
		      STR_ARG(name));
	return false;
}

/* Reads backend and config; false with diagnostics. */
static bool read_settings(struct provider_request *r, struct settings *out)
{
	const struct value *type = get(r->arena, r->config, BACKEND);
	const struct value *config = get(r->arena, r->config, CONFIG);
	struct str name = value_usable(type) ? type->string : STR("null");
	bool object = config->type->kind == TYPE_OBJECT;

	*out = (struct settings){ STR("terraform.tfstate"),
				  STR("terraform.tfstate.d") };
	if (!str_is(name, "local") && !str_is(name, "_local")) {
		request_error(r, AT(BACKEND), "Invalid backend configuration",
			      "There is no backend type named \"%.*s\".",
			      STR_ARG(name));
		return false;
	}
	if (value_is_null(config))
		return true;
	if (!object && config->type->kind != TYPE_MAP) {
		request_error(r, AT(CONFIG), "Invalid backend configuration",
			      "The configuration must be an object value.");
		return false;
	}
	for (size_t i = 0; i < config->len; i++)
		if (!one_setting(r,
				 object ? config->type->attrs[i].name
					: config->keys[i],
				 config->elems[i], out))
			return false;
	return true;
}

static bool is_object_like(const struct value *v)
{
	return v->type->kind == TYPE_DYNAMIC || v->type->kind == TYPE_OBJECT ||
	       v->type->kind == TYPE_MAP;
}

void remote_state_validate(struct provider_request *r)
{
	const struct value *config = get(r->arena, r->config, CONFIG);
	const struct value *defaults = get(r->arena, r->config, DEFAULTS);
	struct settings ignored;

	r->state = r->config;
	if (value_wholly_known(config) &&
	    value_is_known(get(r->arena, r->config, BACKEND)))
		read_settings(r, &ignored);
	else if (!is_object_like(config))
		request_error(r, AT(CONFIG), "Invalid backend configuration",
			      "The configuration must be an object value.");
	if (!is_object_like(defaults))
		request_error(r, AT(DEFAULTS), "Invalid default values",
			      "Defaults must be given in an object value.");
}

/* The path of the workspace's state. */
static const char *state_path(struct provider_request *r,
			      const struct settings *s)
{
	const struct value *w = get(r->arena, r->config, WORKSPACE);

	if (!value_usable(w) || str_is(w->string, "default"))
		return arena_strndup(r->arena, s->path.p, s->path.n);
	return arena_printf(r->arena, "%.*s/%.*s/terraform.tfstate",
			    STR_ARG(s->workspace_dir), STR_ARG(w->string));
}

/* NULL with a diagnostic when there is no state or it cannot be read.  Messages
 * leave out its path, which may come from sensitive values. */
static struct state *read_state(struct provider_request *r,
				const struct settings *s)
{
	const char *path = state_path(r, s);
	struct buf text = BUF_INIT;
	struct str copy;

	if (io_read_file(path, &text, 0) < 0 && errno != ENOENT) {
		request_error(r, AT(BACKEND), "Error loading state error",
			      "The state cannot be read: %s.", strerror(errno));
		buf_release(&text);
		return NULL;
	}
	if (text.len == 0) {
		request_error(r, AT(WORKSPACE), "Unable to find remote state",
			      "There is no state of this workspace, or it is "
			      "empty.");
		buf_release(&text);
		return NULL;
	}
	copy = buf_dup(r->arena, &text);
	buf_release(&text);
	return state_parse(r->arena, copy, "the remote state", &r->diags);
}

/* Defaults, overridden by what the state has. */
static const struct value *outputs(struct provider_request *r,
				   const struct state *s)
{
	const struct value *d = get(r->arena, r->config, DEFAULTS);
	size_t ndefaults = value_usable(d) && is_object_like(d) ? d->len : 0;
	size_t n = ndefaults + s->outputs.len;
	struct str *keys = ARENA_ARRAY(r->arena, struct str, n);
	const struct value **elems =
		ARENA_ARRAY(r->arena, const struct value *, n);

	for (size_t i = 0; i < ndefaults; i++) {
		keys[i] = d->type->kind == TYPE_MAP ? d->keys[i]
						    : d->type->attrs[i].name;
		elems[i] = d->elems[i];
	}
	for (size_t i = 0; i < s->outputs.len; i++) {
		keys[ndefaults + i] = s->outputs.items[i].name;
		/* Marks do not pass a provider: see the manual. */
		elems[ndefaults + i] =
			value_unmark_deep(r->arena, s->outputs.items[i].value,
					  NULL);
	}
	return value_object(r->arena, keys, elems, n);
}

void remote_state_read(struct provider_request *r)
{
	const struct value *attrs[NATTRS];
	struct settings settings;
	struct state *s = NULL;

	if (read_settings(r, &settings))
		s = read_state(r, &settings);
	if (!s) {
		request_error(r, (struct path){ NULL, 0 },
			      arena_printf(r->arena,
					   "%.*s: Unable to read remote state",
					   STR_ARG(r->address)),
			      (char *)NULL);
		return;
	}
	for (int i = 0; i < NATTRS; i++)
		attrs[i] = i == OUTPUTS ? outputs(r, s)
					: get(r->arena, r->config, i);
	r->state = value_object(r->arena, names, attrs, NATTRS);
}
