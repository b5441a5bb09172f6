/*
 * path_json.c - paths in state files and published plans; see path.h
 */
#include "value/path.h"
#include "json/tree.h"
#include "json/write.h"
#include "value/codec_json.h"
#include "value/convert.h"

static void write_step(struct jw *w, const struct path_step *s)
{
	jw_object(w);
	jw_member_str(w, "type", s->index ? STR("index") : STR("get_attr"));
	jw_key(w, "value");
	if (s->index)
		value_to_json(w, s->index, &type_dynamic);
	else
		jw_str(w, s->attr);
	jw_object_end(w);
}

/* A path whose elements are not known cannot be written; it ends before the
 * first of them, so that more is covered rather than less. */
static size_t writable(struct path p)
{
	size_t n = 0;

	while (n < p.len &&
	       (!p.steps[n].index || value_wholly_known(p.steps[n].index)))
		n++;
	return n;
}

void path_to_state_json(struct jw *w, struct path p)
{
	size_t n = writable(p);

	jw_array(w);
	for (size_t i = 0; i < n; i++)
		write_step(w, &p.steps[i]);
	jw_array_end(w);
}

static int read_step(struct arena *a, const struct json *j, struct path_step *s)
{
	struct str kind = json_get_str(j, "type");
	const struct json *v = json_get(j, "value");
	struct verror err;

	*s = (struct path_step){ STR_NONE, NULL };
	if (!v)
		return -1;
	if (str_is(kind, "get_attr") && v->kind == JSON_STRING) {
		s->attr = value_string(a, v->text)->string;
		return 0;
	}
	if (str_is(kind, "index"))
		s->index = value_from_json(a, v, &type_dynamic, &err);
	return s->index ? 0 : -1;
}

int path_from_state_json(struct arena *a, const struct json *j,
			 struct path *out)
{
	struct path_step *steps;

	if (!j || j->kind != JSON_ARRAY)
		return -1;
	steps = arena_alloc(a, j->len * sizeof(*steps));
	for (uint32_t i = 0; i < j->len; i++) {
		if (read_step(a, &j->items[i], &steps[i]) < 0)
			return -1;
	}
	*out = (struct path){ steps, j->len };
	return 0;
}

int path_to_plan_json(struct jw *w, struct path p)
{
	int rc = 0;

	jw_array(w);
	for (size_t i = 0; i < p.len; i++) {
		const struct value *k = p.steps[i].index;

		if (!k) {
			jw_str(w, p.steps[i].attr);
		} else if (value_wholly_known(k)) {
			value_to_json(w, k, NULL);
		} else {
			jw_null(w);
			rc = -1;
		}
	}
	jw_array_end(w);
	return rc;
}
