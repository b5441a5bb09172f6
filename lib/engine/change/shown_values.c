/* shown_values.c - the values of a change, as its records may show them */
#include "engine/change/change.h"
#include "engine/change/change_int.h"
#include "state/state.h"

const struct value *change_redacted(struct arena *a, const struct value *v)
{
	static const struct value hidden = {
		.type = &type_string,
		.string = STR_INIT("(sensitive value)"),
	};
	const struct value **elems;
	bool keyed = v->type->kind == TYPE_OBJECT || v->type->kind == TYPE_MAP;
	struct str *keys;

	if (value_has_mark(v, MARK_SENSITIVE))
		return &hidden;
	if (v->state != VALUE_KNOWN || !v->inner_marks)
		return v;
	elems = ARENA_ARRAY(a, const struct value *, v->len);
	keys = ARENA_ARRAY(a, struct str, v->len);
	for (size_t i = 0; i < v->len; i++) {
		elems[i] = change_redacted(a, v->elems[i]);
		if (keyed)
			keys[i] = v->type->kind == TYPE_MAP
					  ? v->keys[i]
					  : v->type->attrs[i].name;
	}
	return keyed ? value_object(a, keys, elems, v->len)
		     : value_tuple(a, elems, v->len);
}

static const struct value *marked(struct arena *a, const struct value *v,
				  const struct resource_schema *schema)
{
	if (!v)
		return &value_null_dynamic;
	return schema ? schema_mark_published(a, v, schema->block) : v;
}

void change_shown_init(struct change_shown *s, const struct change *c,
		       const struct resource_schema *schema, bool redact)
{
	*s = (struct change_shown){ .arena = ARENA_INIT };
	s->before = s->before_text = marked(&s->arena, c->before, schema);
	s->after = s->after_text = marked(&s->arena, c->after, schema);
	if (redact) {
		s->before_text = change_redacted(&s->arena, s->before);
		s->after_text = change_redacted(&s->arena, s->after);
	}
}
