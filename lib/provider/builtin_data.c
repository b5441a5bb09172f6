/*
 * builtin_data.c - the resource type terraform_data
 *
 * Stores `input` and gives it back as `output` once applied; is replaced when
 * `triggers_replace` changes; has a random id.
 */
#include <errno.h>

#include "base/uuid.h"
#include "json/json.h"
#include "json/read.h"
#include "provider/provider_int.h"
#include "provider/request.h"
#include "value/codec_json.h"
#include "value/convert.h"
#include "value/value.h"
#include "value/refine.h"

enum { ID, INPUT, OUTPUT, TRIGGERS, NATTRS }; /* sorted by name */

static const struct path_step step_triggers = { STR_INIT("triggers_replace"),
						NULL };

const struct resource_schema *data_resource_schema(struct arena *a)
{
	struct resource_schema *s = ARENA_NEW(a, struct resource_schema);
	struct schema_block *b = ARENA_NEW(a, struct schema_block);
	struct schema_attr *attrs = ARENA_ARRAY(a, struct schema_attr, NATTRS);

	attrs[ID] = (struct schema_attr){ .name = STR("id"),
					  .type = &type_string,
					  .computed = true };
	attrs[INPUT] = (struct schema_attr){ .name = STR("input"),
					     .type = &type_dynamic,
					     .optional = true };
	attrs[OUTPUT] = (struct schema_attr){ .name = STR("output"),
					      .type = &type_dynamic,
					      .computed = true };
	attrs[TRIGGERS] = (struct schema_attr){ .name = STR("triggers_replace"),
						.type = &type_dynamic,
						.optional = true };
	b->attrs = attrs;
	b->nattrs = NATTRS;
	schema_block_finish(a, b);
	s->type = STR("terraform_data");
	s->block = b;
	return s;
}

static const struct str names[NATTRS] = {
	STR_INIT("id"),
	STR_INIT("input"),
	STR_INIT("output"),
	STR_INIT("triggers_replace"),
};

/* The four attributes of an object. */
static void take(struct arena *a, const struct value *v,
		 const struct value *out[NATTRS])
{
	for (int i = 0; i < NATTRS; i++) {
		out[i] = value_get(v, names[i]);
		if (!out[i])
			out[i] = value_null(a, i == ID ? &type_string
						       : &type_dynamic);
	}
}

static const struct value *make(struct arena *a,
				const struct value *const attrs[NATTRS])
{
	return value_object(a, names, attrs, NATTRS);
}

/* Without a place in the configuration, as it is with OpenTofu. */
void data_validate(struct provider_request *r)
{
	const struct value *attrs[NATTRS];

	if (value_is_null(r->check.in.config))
		return;
	take(r->arena, r->check.in.config, attrs);
	r->diags.arena = r->arena;
	if (!value_is_null(attrs[ID]))
		diag_error(&r->diags, NULL, "\"id\" attribute is read-only",
			   NULL);
	if (!value_is_null(attrs[OUTPUT]))
		diag_error(&r->diags, NULL, "\"output\" attribute is read-only",
			   NULL);
}

/* Decodes raw state by an object type; an error if it does not fit. */
static const struct value *decode(struct provider_request *r, struct str state,
				  const struct type *t)
{
	struct json_error json_err;
	struct verror err;
	const struct json *j = json_parse(r->arena, state, &json_err);
	const struct value *v;

	if (!j) {
		request_error(r, (struct path){ NULL, 0 },
			      "Invalid state of terraform_data",
			      "The stored attributes are not valid JSON: %s.",
			      json_err.message);
		return NULL;
	}
	v = value_from_json(r->arena, j, t, &err);
	if (!v)
		request_error(r, err.path, "Invalid state of terraform_data",
			      "The stored attributes do not fit: %.*s.",
			      STR_ARG(verror_text(r->arena, &err)));
	return v;
}

void data_upgrade(struct provider_request *r)
{
	const struct type_attr attrs[NATTRS] = {
		{ names[ID], &type_string, false },
		{ names[INPUT], &type_dynamic, false },
		{ names[OUTPUT], &type_dynamic, false },
		{ names[TRIGGERS], &type_dynamic, false },
	};

	r->upgrade.out.value =
		decode(r, r->upgrade.in.state, type_object(attrs, NATTRS));
}

static const struct value *unknown_output(struct arena *a,
					  const struct value *input)
{
	return value_unknown(a, input->type);
}

void data_plan(struct provider_request *r)
{
	struct arena *a = r->arena;
	const struct value *attrs[NATTRS], *prior[NATTRS];
	bool create, replace = false;

	r->plan.out.planned.private_data = r->plan.in.prior.private_data;
	r->plan.out.planned.value = r->plan.in.proposed;
	if (value_is_null(r->plan.in.proposed)) /* destroy */
		return;
	take(a, r->plan.in.proposed, attrs);
	create = value_is_null(r->plan.in.prior.value);
	if (!create) {
		take(a, r->plan.in.prior.value, prior);
		replace = !value_identical(prior[TRIGGERS], attrs[TRIGGERS]);
	}
	if (create || replace) {
		attrs[ID] =
			value_refine_not_null(a,
					      value_unknown(a, &type_string));
		attrs[OUTPUT] = value_is_null(attrs[INPUT])
					? attrs[INPUT]
					: unknown_output(a, attrs[INPUT]);
	} else if (!value_identical(prior[INPUT], attrs[INPUT])) {
		attrs[OUTPUT] = unknown_output(a, attrs[INPUT]);
	}
	if (replace)
		vec_push(a, &r->plan.out.requires_replace,
			 (struct path){ &step_triggers, 1 });
	r->plan.out.planned.value = make(a, attrs);
}

/* A random UUID; NULL when the system has no random numbers. */
static const struct value *new_id(struct arena *a)
{
	char text[UUID_SIZE];

	return uuid_random(text) ? NULL
				 : value_string(a, str_dup(a, str_c(text)));
}

void data_apply(struct provider_request *r)
{
	struct provider_object *out = &r->apply.out.object;
	const struct value *attrs[NATTRS];

	out->private_data = r->apply.in.planned.private_data;
	out->value = r->apply.in.planned.value;
	if (value_is_null(out->value))
		return;
	take(r->arena, out->value, attrs);
	if (!value_is_known(attrs[OUTPUT]))
		attrs[OUTPUT] = attrs[INPUT];
	if (!value_is_known(attrs[ID])) {
		attrs[ID] = new_id(r->arena);
		if (!attrs[ID]) {
			out->value = NULL;
			request_error(r, (struct path){ NULL, 0 },
				      "Error generating id", "%s.",
				      strerror(errno));
			return;
		}
	}
	out->value = make(r->arena, attrs);
}

void data_import(struct provider_request *r)
{
	struct arena *a = r->arena;
	const struct value *attrs[NATTRS];

	take(a, &value_null_dynamic, attrs);
	attrs[ID] = value_string(a, r->import.in.id);
	r->import.out.imported = ARENA_NEW(a, struct provider_imported);
	r->import.out.imported->type = r->type;
	r->import.out.imported->object.value = make(a, attrs);
	r->import.out.n = 1;
}

/* null_resource has become terraform_data: its triggers replace it still. */
void data_move(struct provider_request *r)
{
	struct arena *a = r->arena;
	const struct type_attr old[] = {
		{ STR("id"), &type_string, false },
		{ STR("triggers"), type_map(&type_string), false },
	};
	const struct value *attrs[NATTRS], *v, *t;

	if (!str_is(r->move.in.type, "null_resource")) {
		request_error(r, (struct path){ NULL, 0 },
			      arena_printf(a,
					   "unsupported move: %.*s -> %.*s; "
					   "only move from null_resource to "
					   "terraform_data is supported",
					   STR_ARG(r->move.in.type),
					   STR_ARG(r->type)),
			      (char *)NULL);
		return;
	}
	v = decode(r, r->move.in.state, type_object(old, 2));
	if (!v)
		return;
	take(a, &value_null_dynamic, attrs);
	attrs[ID] = value_get(v, STR("id"));
	t = value_get(v, STR("triggers"));
	if (t && value_usable(t))
		attrs[TRIGGERS] = value_object(a, t->keys, t->elems, t->len);
	r->move.out.value = make(a, attrs);
	r->move.out.private_data = r->move.in.private_data;
}
