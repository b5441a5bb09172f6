/* resources.c - the calls about managed resources */
#include <stdlib.h>

#include "json/read.h"
#include "provider.h"
#include "value/value.h"

/* Finds the type, which every caller of the protocol knows to exist. */
static const struct type *start(struct request *r, enum resource_mode mode,
				const char *type)
{
	r->type = catalogue_find(&r->p->catalogue, mode, str_c(type));
	if (!r->type)
		return &type_dynamic;
	r->answer.type = r->type->block->implied;
	r->answer.type_name = str_c(type);
	r->answer.copies = 1;
	return r->answer.type;
}

static void name_after(struct request *r, const struct value *v)
{
	if (!r->name.n)
		r->name = text_at(v, "name");
}

static const struct value *null_of(struct request *r)
{
	return value_null(r->a, r->answer.type);
}

static bool absent(const struct value *v)
{
	return !v || value_is_null(v);
}

/* The identity of an object with an id. */
static void identify(struct request *r, const struct value *v)
{
	const struct value *elems[2];

	if (!r->type || !r->type->identity || absent(v) ||
	    v->state != VALUE_KNOWN)
		return;
	elems[0] = value_get(v, STR("id"));
	elems[1] = value_get(v, STR("region"));
	r->answer.identity =
		value_object_of(r->a, r->type->identity->implied, elems);
}

struct str meta_text(struct request *r, const Tfplugin__DynamicValue *m)
{
	const struct value *v =
		take_value(r->a, m, r->p->catalogue.meta->implied);
	struct str name = text_at(v, "module_name");

	return name.n ? str_printf(r->a, "meta=%.*s", STR_ARG(name))
		      : STR_NONE;
}

/* The identity that came with the call. */
static struct str identity_text(struct request *r,
				const Tfplugin__IdentityData *d)
{
	const struct value *v;

	if (!d || !r->type || !r->type->identity)
		return STR_NONE;
	v = take_value(r->a, d->identity_data, r->type->identity->implied);
	return str_printf(r->a, "identity=%.*s", STR_ARG(text_at(v, "id")));
}

/* Notes in the log that not all of the configuration was known. */
static void note_unknown(struct request *r)
{
	if (!r->note.n && r->config && !value_wholly_known(r->config))
		r->note = STR("unknown");
}

void handle_validate(struct request *r)
{
	const Tfplugin__ValidateRequest *q = r->in;
	const struct type *t = start(r, MODE_MANAGED, q->type_name);

	r->config = take_value(r->a, q->config, t);
	name_after(r, r->config);
	note_unknown(r);
}

/* Version 1 of test_versioned called the name a title. */
static const struct json *rename_title(struct arena *a, const struct json *j)
{
	struct json_member *members =
		ARENA_ARRAY(a, struct json_member, j->len);
	struct json *out = ARENA_NEW(a, struct json);

	for (size_t i = 0; i < j->len; i++) {
		members[i] = j->members[i];
		if (str_is(members[i].name, "title"))
			members[i].name = STR("name");
	}
	*out = *j;
	out->members = members;
	return out;
}

static int name_order(const void *x, const void *y)
{
	const Tfplugin__RawState__FlatmapEntry *const *a = x, *const *b = y;

	return strcmp((*a)->key, (*b)->key);
}

/* A flatmap: the log has all of it, the object what is no collection. */
static void upgrade_flat(struct request *r, const struct type *t,
			 const Tfplugin__RawState *raw)
{
	struct json_member *members =
		ARENA_ARRAY(r->a, struct json_member, raw->n_flatmap);
	struct json j = { .kind = JSON_OBJECT, .members = members };
	struct buf note = BUF_INIT;

	qsort(raw->flatmap, raw->n_flatmap, sizeof(*raw->flatmap), name_order);
	buf_addf(&note, "flat");
	for (size_t i = 0; i < raw->n_flatmap; i++) {
		const Tfplugin__RawState__FlatmapEntry *e = raw->flatmap[i];

		buf_addf(&note, " %s=%s", e->key, e->value);
		if (!strchr(e->key, '.'))
			members[j.len++] = (struct json_member){
				str_c(e->key),
				{ .kind = JSON_STRING, .text = str_c(e->value) }
			};
	}
	r->note = buf_dup(r->a, &note);
	buf_release(&note);
	r->answer.object = r->prior = object_from_json(r->a, t, &j);
	name_after(r, r->prior);
}

void handle_upgrade(struct request *r)
{
	const Tfplugin__UpgradeStateRequest *q = r->in;
	const struct type *t = start(r, MODE_MANAGED, q->type_name);
	struct json_error err;
	const struct json *j =
		q->raw_state
			? json_parse(r->a, bytes_of(q->raw_state->json), &err)
			: NULL;

	if (q->raw_state && q->raw_state->n_flatmap && r->type) {
		upgrade_flat(r, t, q->raw_state);
		return;
	}
	if (!j || j->kind != JSON_OBJECT || !r->type)
		return;
	if ((uint64_t)q->version < r->type->version)
		j = rename_title(r->a, j);
	r->note = str_printf(r->a, "version=%lld", (long long)q->version);
	r->answer.object = r->prior = object_from_json(r->a, t, j);
	name_after(r, r->prior);
}

void handle_upgrade_identity(struct request *r)
{
	const Tfplugin__UpgradeIdentityRequest *q = r->in;
	struct json_error err;
	const struct json *j =
		q->raw_identity ? json_parse(r->a,
					     bytes_of(q->raw_identity->json),
					     &err)
				: NULL;

	start(r, MODE_MANAGED, q->type_name);
	r->note = str_printf(r->a, "version=%lld", (long long)q->version);
	if (j && r->type && r->type->identity)
		r->answer.identity = object_from_json(
			r->a, r->type->identity->implied, j);
}

void handle_read(struct request *r)
{
	const Tfplugin__ReadResourceRequest *q = r->in;
	const struct type *t = start(r, MODE_MANAGED, q->type_name);
	const struct value *is;

	r->prior = is = take_value(r->a, q->current_state, t);
	name_after(r, r->prior);
	r->note = meta_text(r, q->provider_meta);
	if (!r->note.n)
		r->note = identity_text(r, q->current_identity);
	r->answer.private_data = bytes_of(q->private_);
	if (r->p->dir && !absent(r->prior)) {
		is = store_load(r, text_at(r->prior, "id"));
		is = is ? life_normalize(r->a, r->prior, is) : null_of(r);
	}
	r->answer.object = is;
	identify(r, is);
}

/* A change of `force`, at the top, cannot be made in place. */
static void require_replacement(struct request *r)
{
	const struct value *was = value_get(r->prior, STR("force"));
	const struct value *is = value_get(r->planned, STR("force"));

	if (was && is && !value_equal_unmarked(was, is))
		vec_push(r->a, &r->answer.replace,
			 path_attr(r->a, (struct path){ NULL, 0 },
				   STR("force")));
}

void handle_plan(struct request *r)
{
	const Tfplugin__PlanRequest *q = r->in;
	const struct type *t = start(r, MODE_MANAGED, q->type_name);

	r->prior = take_value(r->a, q->prior_state, t);
	r->config = take_value(r->a, q->config, t);
	r->planned = take_value(r->a, q->proposed_new_state, t);
	name_after(r, r->planned);
	name_after(r, r->prior);
	r->note = meta_text(r, q->provider_meta);
	note_unknown(r);
	r->answer.private_data = bytes_of(q->prior_private);
	if (absent(r->planned) || !r->type) {
		r->what = "plan-destroy";
		r->answer.object = null_of(r);
		return;
	}
	r->what = absent(r->prior) ? "plan-create" : "plan-update";
	r->planned = life_plan(r->a, r->type->block, r->prior, r->config,
			       r->planned);
	r->answer.object = r->planned;
	if (!absent(r->prior))
		require_replacement(r);
	identify(r, r->planned);
	if (r->answer.identity && !value_wholly_known(r->answer.identity))
		r->answer.identity = NULL;
}

static void destroy(struct request *r)
{
	r->what = "destroy";
	store_delete(r, text_at(r->prior, "id"));
	r->answer.object = null_of(r);
}

void handle_apply(struct request *r)
{
	const Tfplugin__ApplyRequest *q = r->in;
	const struct type *t = start(r, MODE_MANAGED, q->type_name);
	bool create;
	struct str id;

	r->prior = take_value(r->a, q->prior_state, t);
	r->config = take_value(r->a, q->config, t);
	r->planned = take_value(r->a, q->planned_state, t);
	name_after(r, r->planned);
	name_after(r, r->prior);
	r->note = meta_text(r, q->provider_meta);
	note_unknown(r);
	r->answer.private_data = bytes_of(q->planned_private);
	if (absent(r->planned) || !r->type) {
		destroy(r);
		return;
	}
	create = absent(r->prior);
	r->what = create ? "apply-create" : "apply-update";
	id = create ? store_new_id(r) : text_at(r->prior, "id");
	r->answer.object = life_apply(r, r->planned, id);
	store_save(r, id, r->answer.object);
	identify(r, r->answer.object);
}

static struct str wanted_id(struct request *r, const Tfplugin__ImportRequest *q)
{
	const struct value *v;

	if (!q->identity || !r->type || !r->type->identity)
		return str_c(q->id);
	v = take_value(r->a, q->identity->identity_data,
		       r->type->identity->implied);
	return text_at(v, "id");
}

/* Only the id: the rest is for ReadResource to find out. */
void handle_import(struct request *r)
{
	const Tfplugin__ImportRequest *q = r->in;
	const struct type *t = start(r, MODE_MANAGED, q->type_name);
	struct json_member id = { .name = STR("id") };
	const struct json stub = { .kind = JSON_OBJECT, .len = 1,
				   .members = &id };

	id.value = (struct json){ .kind = JSON_STRING,
				  .text = wanted_id(r, q) };
	r->note = id.value.text;
	if (!r->type)
		return;
	r->answer.object = object_from_json(r->a, t, &stub);
	r->answer.private_data = STR("imported");
	identify(r, r->answer.object);
}

void handle_move(struct request *r)
{
	const Tfplugin__MoveRequest *q = r->in;
	const struct type *t = start(r, MODE_MANAGED, q->target_type_name);
	struct json_error err;
	const struct json *j =
		q->source_state
			? json_parse(r->a, bytes_of(q->source_state->json),
				     &err)
			: NULL;

	r->note = str_printf(r->a, "from %s", q->source_type_name);
	if (j && r->type)
		r->answer.object = object_from_json(r->a, t, j);
	name_after(r, r->answer.object);
	r->answer.private_data = bytes_of(q->source_private);
	store_save(r, text_at(r->answer.object, "id"), r->answer.object);
}
