/*
 * builtin_state.c - the data source terraform_remote_state
 *
 * Reads the root outputs of another configuration's state.  The state is only
 * read: nothing is locked, recovered or written.
 */
#include "encrypt/encrypt.h"
#include "provider/provider_int.h"
#include "provider/request.h"
#include "state/backend/backend.h"
#include "state/state.h"
#include "value/convert.h"
#include "value/marks.h"
#include "value/set.h"

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
	[BACKEND] =
		"The kind of backend that holds the state, e.g. `local` or `http`.",
	[CONFIG] = ("The backend's settings: an object with the arguments that "
		    "its `backend` block would have."),
	[DEFAULTS] = "Values of outputs that the state does not have.",
	[OUTPUTS] = "The root outputs in the state, as an object.",
	[WORKSPACE] =
		"The workspace whose state is read, where the backend has several.",
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

/* --- the backend --- */

/* Tells what the backend has to say of its arguments. */
static void pass_on(struct provider_request *r, struct path at,
		    const struct diags *ds)
{
	for (size_t i = 0; i < ds->len; i++)
		if (ds->items[i].severity == SEV_ERROR)
			request_error(r, at,
				      arena_strndup(r->arena,
						    ds->items[i].summary.p,
						    ds->items[i].summary.n),
				      "%.*s", STR_ARG(ds->items[i].detail));
}

static void wrong_config(struct provider_request *r, struct str type,
			 const char *what)
{
	request_error(r, AT(CONFIG), "Invalid backend configuration",
		      "The configuration does not fit the backend \"%.*s\": %s",
		      STR_ARG(type), what);
}

/* The arguments as its schema has them; NULL with a diagnostic. */
static const struct value *arguments(struct provider_request *r,
				     struct str type,
				     const struct schema_block *schema,
				     const struct value *config)
{
	const bool object = config->type->kind == TYPE_OBJECT;
	struct verror err = { 0 };
	const struct value *v;

	for (size_t i = 0; i < config->len; i++) {
		struct str name =
			object ? config->type->attrs[i].name : config->keys[i];

		if (schema_attr_find(schema, name) ||
		    schema_nested_find(schema, name))
			continue;
		wrong_config(r, type,
			     arena_printf(r->arena,
					  "it has no argument \"%.*s\".",
					  STR_ARG(name)));
		return NULL;
	}
	v = convert(r->arena, config, schema_written_type(r->arena, schema),
		    &err);
	if (!v)
		wrong_config(
			r, type,
			arena_printf(r->arena, "%.*s.",
				     STR_ARG(verror_text(r->arena, &err))));
	return v;
}

/* Reads backend, config and workspace; false with diagnostics. */
static bool read_settings(struct remote_states *all, struct provider_request *r,
			  const struct value *block,
			  struct backend_options *out)
{
	const struct value *type = get(r->arena, block, BACKEND);
	const struct value *config = get(r->arena, block, CONFIG);
	const struct value *workspace = get(r->arena, block, WORKSPACE);
	struct str name = value_usable(type) ? type->string : STR("null");
	const struct schema_block *schema;

	if (str_is(name, "_local"))
		name = STR("local");
	schema = backend_schema_partial(r->arena, name);
	*out = (struct backend_options){ .workdir = &all->workdir,
					 .backend_type = name };
	if (value_usable(workspace))
		out->workspace = workspace->string;
	if (!schema) {
		request_error(r, AT(BACKEND), "Invalid backend configuration",
			      "There is no backend type named \"%.*s\".",
			      STR_ARG(name));
		return false;
	}
	if (value_is_null(config))
		return true;
	if (config->type->kind != TYPE_OBJECT &&
	    config->type->kind != TYPE_MAP) {
		request_error(r, AT(CONFIG), "Invalid backend configuration",
			      "The configuration must be an object value.");
		return false;
	}
	out->config = arguments(r, name, schema, config);
	return out->config != NULL;
}

static struct backend *open_backend(struct provider_request *r,
				    const struct backend_options *o)
{
	struct diags ds = DIAGS_INIT(r->arena);
	struct backend *b = backend_open(r->arena, o, &ds);

	if (!b)
		pass_on(r, (struct path){ NULL, 0 }, &ds);
	return b;
}

static bool is_object_like(const struct value *v)
{
	return v->type->kind == TYPE_DYNAMIC || v->type->kind == TYPE_OBJECT ||
	       v->type->kind == TYPE_MAP;
}

void remote_state_validate(struct remote_states *all,
			   struct provider_request *r)
{
	const struct value *block = r->check.in.config;
	const struct value *config = get(r->arena, block, CONFIG);
	const struct value *defaults = get(r->arena, block, DEFAULTS);
	struct backend_options o;
	struct backend *b;

	if (value_wholly_known(config) &&
	    value_is_known(get(r->arena, block, BACKEND))) {
		b = read_settings(all, r, block, &o) ? open_backend(r, &o)
						     : NULL;
		if (b)
			backend_close(b);
	} else if (!is_object_like(config)) {
		request_error(r, AT(CONFIG), "Invalid backend configuration",
			      "The configuration must be an object value.");
	}
	if (!is_object_like(defaults))
		request_error(r, AT(DEFAULTS), "Invalid default values",
			      "Defaults must be given in an object value.");
}

/* --- reading --- */

/* Defaults, overridden by what the state has. */
static const struct value *outputs(struct provider_request *r,
				   const struct state *s)
{
	const struct state_output_list outs = state_outputs_sorted(s);
	const struct value *d = get(r->arena, r->read_data.in.config, DEFAULTS);
	size_t ndefaults = value_usable(d) && is_object_like(d) ? d->len : 0;
	size_t n = ndefaults + outs.len;
	struct str *keys = ARENA_ARRAY(r->arena, struct str, n);
	const struct value **elems =
		ARENA_ARRAY(r->arena, const struct value *, n);

	for (size_t i = 0; i < ndefaults; i++) {
		keys[i] = d->type->kind == TYPE_MAP ? d->keys[i]
						    : d->type->attrs[i].name;
		elems[i] = d->elems[i];
	}
	for (size_t i = 0; i < outs.len; i++) {
		keys[ndefaults + i] = outs.items[i].name;
		/* Marks do not pass a provider: see the manual. */
		elems[ndefaults + i] =
			value_unmark_deep(r->arena, outs.items[i].value, NULL);
	}
	return value_object(r->arena, keys, elems, n);
}

static void finish(struct provider_request *r, const struct state *s)
{
	const struct value *attrs[NATTRS];

	if (!s) {
		request_error(r, (struct path){ NULL, 0 },
			      arena_printf(r->arena,
					   "%.*s: Unable to read remote state",
					   STR_ARG(r->address)),
			      (char *)NULL);
		return;
	}
	for (int i = 0; i < NATTRS; i++)
		attrs[i] = i == OUTPUTS
				   ? outputs(r, s)
				   : get(r->arena, r->read_data.in.config, i);
	r->read_data.out.value = value_object(r->arena, names, attrs, NATTRS);
}

/* A state that is read, or was. */
struct known_state {
	bool reading;
	struct state *s;
	struct diags problems;
	VEC(struct provider_request *) waiting; /* who asked meanwhile */
};

/* k->s is NULL, with a diagnostic in k->problems, if there is no state or it
 * cannot be read.  Messages leave out where it is, which may be sensitive. */
static void read_state(struct remote_states *all, struct known_state *k,
		       struct backend *b)
{
	struct diags *ds = &k->problems;

	*ds = (struct diags)DIAGS_INIT(all->arena);
	if (backend_peek(b, all->arena, "the remote state", &k->s, ds)) {
		k->s = NULL;
		return;
	}
	if (!k->s)
		diag_error(
			ds, NULL, "Unable to find remote state",
			"There is no state of this workspace, or it is empty.");
}

/* Who decrypts in another way may see another state. */
static struct str state_key(struct arena *a, const struct backend_options *o)
{
	const struct value *all[] = {
		value_string(a, o->backend_type),
		value_string(a, o->workspace),
		o->config ? o->config : value_null(a, &type_dynamic),
	};
	struct buf b = BUF_INIT;

	value_hash_bytes(&b, value_tuple(a, all, 3));
	buf_addf(&b, " %p", (const void *)o->envelope);
	return buf_take(a, &b);
}

static void settle(struct provider_request *r, const struct known_state *k)
{
	pass_on(r, AT(WORKSPACE), &k->problems);
	finish(r, k->s);
	r->done(r);
}

/* Who asks for a state that is being read gets the same. */
void remote_state_read(struct remote_states *all, struct provider_request *r)
{
	struct backend_options o;
	struct known_state *k;
	struct map_entry *e;
	struct backend *b;

	if (!read_settings(all, r, r->read_data.in.config, &o)) {
		finish(r, NULL);
		r->done(r);
		return;
	}
	o.envelope = encryption_remote(r->read_data.in.encryption, r->address);
	e = map_slot(all->arena, &all->known, state_key(all->arena, &o));
	k = e->value;
	if (k && k->reading) {
		vec_push(all->arena, &k->waiting, r);
		return;
	}
	if (k && k->s) {
		settle(r, k);
		return;
	}
	k = e->value = ARENA_NEW(all->arena, struct known_state);
	o.loop = all->loop;
	b = open_backend(r, &o);
	if (!b) {
		e->value = NULL;
		finish(r, NULL);
		r->done(r);
		return;
	}
	k->reading = true;
	read_state(all, k, b);
	k->reading = false;
	/* One on a disk may be written anew by what this run does. */
	if (!backend_is_remote(b))
		map_put(all->arena, &all->known, state_key(all->arena, &o),
			NULL);
	backend_close(b);
	settle(r, k);
	for (size_t i = 0; i < k->waiting.len; i++)
		settle(k->waiting.items[i], k);
}
