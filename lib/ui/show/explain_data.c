/*
 * explain_data.c - a data source that was read anew (show_int.h)
 *
 * Planning has no change of it, but where it answered otherwise than before the
 * stream has both: previous_run_state and prior_state.
 */
#include "addr/provider.h"
#include "json/tree.h"
#include "select/select.h"
#include "ui/show/show_int.h"

static const struct json yes = { .kind = JSON_BOOL, .boolean = true };

static const struct json *record(struct explain *x, const struct map *of,
				 struct str address)
{
	const struct str *line = map_get(of, address);

	return line ? json_slice_tree(x->a, *line, NULL) : NULL;
}

/* The attributes, as changes have them. */
static const struct json *values(struct explain *x, const struct json *rec)
{
	const struct json *attrs = json_get(rec, "attributes");
	struct json *all = ARENA_NEW(x->a, struct json);
	struct json_member *members;

	if (!attrs || attrs->kind != JSON_OBJECT)
		return NULL;
	members = ARENA_ARRAY(x->a, struct json_member, attrs->len);
	for (uint32_t i = 0; i < attrs->len; i++) {
		members[i].name = attrs->members[i].name;
		members[i].value =
			*select_unwrapped(x->a, &attrs->members[i].value);
	}
	*all = (struct json){ .kind = JSON_OBJECT, .len = attrs->len };
	all->members = members;
	return all;
}

/* The attributes in which something is sensitive.  Without a schema nobody
 * knows: all of them. */
static const struct json *secrets(struct explain *x, const struct explained *e,
				  const struct json *rec)
{
	const struct json *paths = json_get(rec, "sensitive_attributes");
	const uint32_t n = paths && paths->kind == JSON_ARRAY ? paths->len : 0;
	struct json *all = ARENA_NEW(x->a, struct json);
	struct json_member *members = ARENA_ARRAY(x->a, struct json_member, n);

	if (!e->schema)
		return &yes;
	for (uint32_t i = 0; i < n; i++) {
		const struct json *path = &paths->items[i];

		if (path->kind != JSON_ARRAY || !path->len)
			return &yes;
		members[i] = (struct json_member){
			json_get_str(&path->items[0], "value"), yes
		};
	}
	*all = (struct json){ .kind = JSON_OBJECT, .len = n };
	all->members = members;
	return all;
}

struct str explain_answer_provider(struct explain *x, struct str address)
{
	const struct json *rec = record(x, &x->records->data_after, address);
	struct provider_config_addr addr;
	struct diags quiet = DIAGS_INIT(x->a);

	if (provider_config_parse(x->a, json_get_str(rec, "provider"), &addr,
				  &quiet))
		return STR_NONE;
	return provider_addr_text(x->a, addr.provider);
}

void explain_answer(struct explain *x, struct explained *e)
{
	const struct json *was =
		record(x, &x->records->data_before, e->c.address);
	const struct json *is =
		record(x, &x->records->data_after, e->c.address);

	e->in = (struct diff_input){
		.before = values(x, was),
		.after = values(x, is),
		.before_sensitive = secrets(x, e, was),
		.after_sensitive = secrets(x, e, is),
	};
	e->has_in = true;
}
