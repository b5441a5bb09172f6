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

	r->state = r->config;
	if (value_is_null(r->config))
		return;
	take(r->arena, r->config, attrs);
	r->diags.arena = r->arena;
	if (!value_is_null(attrs[ID]))
		diag_error(&r->diags, NULL, "\"id\" attribute is read-only",
			   NULL);
	if (!value_is_null(attrs[OUTPUT]))
		diag_error(&r->diags, NULL, "\"output\" attribute is read-only",
			   NULL);
}

/* Decodes raw state by an object type; an error if it does not fit. */
static const struct value *decode(struct provider_request *r,
				  const struct type *t)
{
	struct json_error json_err;
	struct verror err;
	const struct json *j = json_parse(r->arena, r->raw_state, &json_err);
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

	r->state = decode(r, type_object(attrs, NATTRS));
	r->private_out = r->private_in;
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

	r->private_out = r->private_in;
	r->state = r->proposed;
	if (value_is_null(r->proposed)) /* destroy */
		return;
	take(a, r->proposed, attrs);
	create = value_is_null(r->prior);
	if (!create) {
		take(a, r->prior, prior);
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
		vec_push(a, &r->requires_replace,
			 (struct path){ &step_triggers, 1 });
	r->state = make(a, attrs);
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
	const struct value *attrs[NATTRS];

	r->private_out = r->private_in;
	r->state = r->planned;
	if (value_is_null(r->planned))
		return;
	take(r->arena, r->planned, attrs);
	if (!value_is_known(attrs[OUTPUT]))
		attrs[OUTPUT] = attrs[INPUT];
	if (!value_is_known(attrs[ID])) {
		attrs[ID] = new_id(r->arena);
		if (!attrs[ID]) {
			r->state = NULL;
			request_error(r, (struct path){ NULL, 0 },
				      "Error generating id", "%s.",
				      strerror(errno));
			return;
		}
	}
	r->state = make(r->arena, attrs);
}

void data_import(struct provider_request *r)
{
	struct arena *a = r->arena;
	const struct value *attrs[NATTRS];

	take(a, &value_null_dynamic, attrs);
	attrs[ID] = value_string(a, r->import_id);
	r->imported = ARENA_NEW(a, struct provider_imported);
	r->imported->type = r->type;
	r->imported->state = make(a, attrs);
	r->nimported = 1;
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

	if (!str_is(r->source_type, "null_resource")) {
		request_error(r, (struct path){ NULL, 0 },
			      arena_printf(a,
					   "unsupported move: %.*s -> %.*s; "
					   "only move from null_resource to "
					   "terraform_data is supported",
					   STR_ARG(r->source_type),
					   STR_ARG(r->type)),
			      (char *)NULL);
		return;
	}
	v = decode(r, type_object(old, 2));
	if (!v)
		return;
	take(a, &value_null_dynamic, attrs);
	attrs[ID] = value_get(v, STR("id"));
	t = value_get(v, STR("triggers"));
	if (t && value_usable(t))
		attrs[TRIGGERS] = value_object(a, t->keys, t->elems, t->len);
	r->state = make(a, attrs);
	r->private_out = r->private_in;
}
