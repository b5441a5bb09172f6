/* path.c - see path.h */
#include "value/path.h"

#include "value/number.h"
#include "value/value_int.h"

static struct path extend(struct arena *a, struct path p,
			  struct path_step step)
{
	struct path_step *steps = ARENA_ARRAY(a, struct path_step, p.len + 1);

	if (p.len)
		memcpy(steps, p.steps, p.len * sizeof(*steps));
	steps[p.len] = step;
	return (struct path){ steps, p.len + 1 };
}

struct path path_attr(struct arena *a, struct path p, struct str name)
{
	return extend(a, p, (struct path_step){ name, NULL });
}

struct path path_index(struct arena *a, struct path p,
		       const struct value *index)
{
	return extend(a, p, (struct path_step){ STR_NONE, index });
}

/* The position among v's elements that a step leads to, or -1. */
static ptrdiff_t step_position(const struct value *v,
			       const struct path_step *s)
{
	int64_t i;

	if (!value_usable(v))
		return -1;
	switch (v->type->kind) {
	case TYPE_OBJECT:
		return s->index ? -1 : type_attr_index(v->type, s->attr);
	case TYPE_MAP: {
		struct str key = s->attr;

		if (s->index && s->index->type->kind != TYPE_STRING)
			return -1;
		if (s->index)
			key = s->index->string;
		for (uint32_t lo = 0, hi = v->len; lo < hi;) {
			uint32_t mid = lo + (hi - lo) / 2;
			int c = str_cmp(v->keys[mid], key);

			if (c == 0)
				return mid;
			if (c < 0)
				lo = mid + 1;
			else
				hi = mid;
		}
		return -1;
	}
	case TYPE_LIST:
	case TYPE_TUPLE:
		if (!s->index || s->index->type->kind != TYPE_NUMBER ||
		    !value_get_int(s->index, &i) || i < 0 || i >= v->len)
			return -1;
		return (ptrdiff_t)i;
	case TYPE_SET:
		for (uint32_t e = 0; s->index && e < v->len; e++)
			if (value_equal_unmarked(v->elems[e], s->index))
				return e;
		return -1;
	default:
		return -1;
	}
}

/* The type a step leads to from an unknown of type t; NULL: none. */
static const struct type *step_type(const struct type *t,
				    const struct path_step *s)
{
	int64_t i;
	int at;

	switch (t->kind) {
	case TYPE_DYNAMIC:
		return t;
	case TYPE_OBJECT:
		at = s->index ? -1 : type_attr_index(t, s->attr);
		return at < 0 ? NULL : t->attrs[at].type;
	case TYPE_TUPLE:
		if (!s->index || s->index->type->kind != TYPE_NUMBER ||
		    !value_get_int(s->index, &i) || i < 0 || i >= t->len)
			return NULL;
		return t->elems[i];
	case TYPE_LIST:
	case TYPE_SET:
	case TYPE_MAP:
		return t->elem;
	default:
		return NULL;
	}
}

const struct value *path_get(struct arena *a, const struct value *v,
			     struct path p)
{
	for (size_t n = 0; n < p.len; n++) {
		const struct path_step *s = &p.steps[n];
		const struct type *t;
		ptrdiff_t at;

		if (v->state == VALUE_UNKNOWN) {
			t = step_type(v->type, s);
			if (!t)
				return NULL;
			v = value_unknown(a, t);
			continue;
		}
		at = step_position(v, s);
		if (at < 0)
			return NULL;
		v = v->elems[at];
	}
	return v;
}

static bool step_equal(const struct path_step *x, const struct path_step *y)
{
	if (!x->index || !y->index)
		return x->index == y->index && str_eq(x->attr, y->attr);
	return value_equal_unmarked(x->index, y->index);
}

bool path_has_prefix(struct path p, struct path prefix)
{
	if (prefix.len > p.len)
		return false;
	for (size_t i = 0; i < prefix.len; i++)
		if (!step_equal(&p.steps[i], &prefix.steps[i]))
			return false;
	return true;
}

bool path_equal(struct path x, struct path y)
{
	return x.len == y.len && path_has_prefix(x, y);
}

struct str path_text(struct arena *a, struct path p)
{
	struct buf b = BUF_INIT;
	struct str text;

	for (size_t i = 0; i < p.len; i++) {
		const struct value *k = p.steps[i].index;

		if (!k)
			buf_addf(&b, ".%.*s", STR_ARG(p.steps[i].attr));
		else if (!value_usable(k))
			buf_puts(&b, "[...]");
		else if (k->type->kind == TYPE_STRING)
			buf_addf(&b, "[\"%.*s\"]", STR_ARG(k->string));
		else if (k->type->kind == TYPE_NUMBER)
			buf_addf(&b, "[%.*s]",
				 STR_ARG(value_number_text(a, k)));
		else
			buf_puts(&b, "[...]");
	}
	text = buf_dup(a, &b);
	buf_release(&b);
	return text;
}

/* --- the state file's form --- */

static void step_json(struct jw *w, const struct path_step *s)
{
	struct arena a = ARENA_INIT;

	jw_object(w);
	jw_member_str(w, "type", s->index ? STR("index") : STR("get_attr"));
	jw_key(w, "value");
	if (!s->index) {
		jw_str(w, s->attr);
	} else {
		jw_object(w);
		jw_key(w, "value");
		if (s->index->type->kind == TYPE_STRING)
			jw_str(w, s->index->string);
		else
			jw_raw(w, value_number_text(&a, s->index));
		jw_member_str(w, "type",
			      s->index->type->kind == TYPE_STRING
				      ? STR("string")
				      : STR("number"));
		jw_object_end(w);
	}
	jw_object_end(w);
	arena_release(&a);
}

/* Steps into sets cannot be written: the path ends before the first. */
static size_t writable_len(struct path p)
{
	size_t n = 0;

	while (n < p.len &&
	       (!p.steps[n].index ||
		(value_usable(p.steps[n].index) &&
		 (p.steps[n].index->type->kind == TYPE_STRING ||
		  p.steps[n].index->type->kind == TYPE_NUMBER))))
		n++;
	return n;
}

void path_to_state_json(struct jw *w, struct path p)
{
	size_t n = writable_len(p);

	jw_array(w);
	for (size_t i = 0; i < n; i++)
		step_json(w, &p.steps[i]);
	jw_array_end(w);
}

static int step_from_json(struct arena *a, const struct json *j,
			  struct path_step *s)
{
	struct str kind = json_get_str(j, "type");
	const struct json *v = json_get(j, "value"), *k;

	*s = (struct path_step){ STR_NONE, NULL };
	if (!v)
		return -1;
	if (str_is(kind, "get_attr") && v->kind == JSON_STRING) {
		s->attr = v->text;
		return 0;
	}
	k = json_get(v, "value");
	if (!str_is(kind, "index") || !k)
		return -1;
	if (k->kind == JSON_STRING &&
	    str_is(json_get_str(v, "type"), "string"))
		s->index = value_string(a, k->text);
	else if (k->kind == JSON_NUMBER || k->kind == JSON_STRING)
		s->index = value_number_parse(a, k->text);
	return s->index ? 0 : -1;
}

int path_from_state_json(struct arena *a, const struct json *j,
			 struct path *out)
{
	struct path_step *steps;

	if (!j || j->kind != JSON_ARRAY)
		return -1;
	steps = ARENA_ARRAY(a, struct path_step, j->len);
	for (uint32_t i = 0; i < j->len; i++)
		if (step_from_json(a, &j->items[i], &steps[i]))
			return -1;
	*out = (struct path){ steps, j->len };
	return 0;
}

int path_to_plan_json(struct jw *w, struct path p)
{
	struct arena a = ARENA_INIT;
	int rc = writable_len(p) == p.len ? 0 : -1;

	jw_array(w);
	for (size_t i = 0; i < p.len; i++) {
		const struct value *k = p.steps[i].index;

		if (!k)
			jw_str(w, p.steps[i].attr);
		else if (value_usable(k) && k->type->kind == TYPE_STRING)
			jw_str(w, k->string);
		else if (value_usable(k) && k->type->kind == TYPE_NUMBER)
			jw_raw(w, value_number_text(&a, k));
		else
			jw_null(w);
	}
	jw_array_end(w);
	arena_release(&a);
	return rc;
}

/* --- marks by path --- */

struct path_step value_step(struct arena *a, const struct value *v, uint32_t i)
{
	struct path_step s = { STR_NONE, NULL };

	switch (v->type->kind) {
	case TYPE_OBJECT:
		s.attr = v->type->attrs[i].name;
		break;
	case TYPE_MAP:
		s.index = value_string(a, v->keys[i]);
		break;
	case TYPE_SET:
		s.index = v->elems[i];
		break;
	default:
		s.index = value_int(a, i);
	}
	return s;
}

static void collect(struct arena *a, const struct value *v, unsigned bits,
		    struct path at, struct path_vec *out)
{
	if (v->marks && (v->marks->bits & bits)) {
		vec_push(a, out, at);
		return;
	}
	if (!v->inner_marks || !value_usable(v))
		return;
	for (uint32_t i = 0; i < v->len; i++)
		if (v->elems[i]->marks || v->elems[i]->inner_marks)
			collect(a, v->elems[i], bits,
				extend(a, at, value_step(a, v, i)), out);
}

void value_marked_paths(struct arena *a, const struct value *v, unsigned bits,
			struct path_vec *out)
{
	collect(a, v, bits, (struct path){ NULL, 0 }, out);
}

static const struct value *mark_at(struct arena *a, const struct value *v,
				   struct path p, size_t depth,
				   const struct marks *m)
{
	const struct value **elems;
	const struct value *e;
	ptrdiff_t at;

	/* what is in a set is marked with the set */
	if (depth == p.len || v->type->kind == TYPE_SET ||
	    v->state == VALUE_UNKNOWN)
		return value_with_marks(a, v, m);
	at = step_position(v, &p.steps[depth]);
	if (at < 0)
		return v;
	e = mark_at(a, v->elems[at], p, depth + 1, m);
	if (e == v->elems[at])
		return v;
	elems = arena_dup(a, v->elems, v->len * sizeof(*elems));
	elems[at] = e;
	return value_with_elems(a, v, elems);
}

const struct value *value_mark_paths(struct arena *a, const struct value *v,
				     const struct path_vec *paths,
				     const struct marks *m)
{
	for (size_t i = 0; i < paths->len; i++)
		v = mark_at(a, v, paths->items[i], 0, m);
	return v;
}
