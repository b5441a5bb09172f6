/*
 * redact.c - redaction of records that pass through to a terminal
 *
 * Replaces what the record itself marks as sensitive, and all attributes and
 * private data of the state, whose schema is not known here.  The writers of
 * these records do the same for what they make.
 */
#include "stream/stream.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"

#define HIDDEN STR("(sensitive value)")

static bool is_one_of(struct str s, const char *const *names)
{
	for (; *names; names++)
		if (str_is(s, *names))
			return true;
	return false;
}

/* --- by a mask: true, or an object or array of masks --- */

static void put_masked(struct jw *w, const struct json *j,
		       const struct json *mask)
{
	if (mask && mask->kind == JSON_BOOL && mask->boolean) {
		jw_str(w, HIDDEN);
	} else if (mask && mask->kind == JSON_OBJECT &&
		   j->kind == JSON_OBJECT) {
		jw_object(w);
		for (uint32_t i = 0; i < j->len; i++) {
			const struct json_member *m = &j->members[i];
			const struct json *sub = NULL;

			for (uint32_t k = 0; k < mask->len; k++)
				if (str_eq(mask->members[k].name, m->name))
					sub = &mask->members[k].value;
			jw_key_str(w, m->name);
			put_masked(w, &m->value, sub);
		}
		jw_object_end(w);
	} else if (mask && mask->kind == JSON_ARRAY && j->kind == JSON_ARRAY) {
		jw_array(w);
		for (uint32_t i = 0; i < j->len; i++)
			put_masked(w, &j->items[i],
				   i < mask->len ? &mask->items[i] : NULL);
		jw_array_end(w);
	} else {
		jw_json(w, j);
	}
}

/* The tree of unknowns has the shape of the value, and so its keys. */
static void put_unknown(struct jw *w, const struct json *j,
			const struct json *mask)
{
	if (j->kind == JSON_BOOL)
		jw_json(w, j);
	else
		put_masked(w, j, mask);
}

static void put_change(struct jw *w, const struct json *j)
{
	jw_object(w);
	for (uint32_t i = 0; j->kind == JSON_OBJECT && i < j->len; i++) {
		const struct json_member *m = &j->members[i];

		jw_key_str(w, m->name);
		if (str_is(m->name, "before"))
			put_masked(w, &m->value,
				   json_get(j, "before_sensitive"));
		else if (str_is(m->name, "after"))
			put_masked(w, &m->value,
				   json_get(j, "after_sensitive"));
		else if (str_is(m->name, "after_unknown"))
			put_unknown(w, &m->value,
				    json_get(j, "after_sensitive"));
		else if (str_is(m->name, "generated_config"))
			jw_str(w, HIDDEN);
		else
			jw_json(w, &m->value);
	}
	jw_object_end(w);
}

/* --- by paths, as values in the stream have them --- */

struct paths {
	const struct json **items; /* those that lead to or below here */
	size_t n, depth;           /* steps taken */
};

static bool is_step(const struct json *step, struct str name, bool position)
{
	return step->kind == (position ? JSON_NUMBER : JSON_STRING) &&
	       str_eq(step->text, name);
}

static void put_paths(struct jw *w, struct arena *a, const struct json *j,
		      const struct paths *p);

static void put_element(struct jw *w, struct arena *a, const struct json *j,
			const struct paths *p, struct str name, bool position)
{
	struct paths sub = { ARENA_ARRAY(a, const struct json *, p->n), 0,
			     p->depth + 1 };

	for (size_t i = 0; i < p->n; i++)
		if (is_step(&p->items[i]->items[p->depth], name, position))
			sub.items[sub.n++] = p->items[i];
	put_paths(w, a, j, &sub);
}

/* Is this what one of the paths leads to? */
static bool ends_here(const struct paths *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->items[i]->len == p->depth)
			return true;
	return false;
}

static void put_paths(struct jw *w, struct arena *a, const struct json *j,
		      const struct paths *p)
{
	if (ends_here(p)) {
		jw_str(w, HIDDEN);
		return;
	}
	if (!p->n || (j->kind != JSON_OBJECT && j->kind != JSON_ARRAY)) {
		jw_json(w, j);
	} else if (j->kind == JSON_OBJECT) {
		jw_object(w);
		for (uint32_t i = 0; i < j->len; i++) {
			jw_key_str(w, j->members[i].name);
			put_element(w, a, &j->members[i].value, p,
				    j->members[i].name, false);
		}
		jw_object_end(w);
	} else {
		jw_array(w);
		for (uint32_t i = 0; i < j->len; i++)
			put_element(w, a, &j->items[i], p,
				    str_printf(a, "%u", i), true);
		jw_array_end(w);
	}
}

/* --- types: those of objects have the names of their attributes --- */

static void put_type(struct jw *w, struct arena *a, const struct json *t,
		     const struct paths *p);

/* Follows the paths one step further: by a name, a position, or any step. */
static void put_inner(struct jw *w, struct arena *a, const struct json *t,
		      const struct paths *p, const struct str *name,
		      bool position)
{
	struct paths sub = { ARENA_ARRAY(a, const struct json *, p->n), 0,
			     p->depth + 1 };

	for (size_t i = 0; i < p->n; i++)
		if (!name ||
		    is_step(&p->items[i]->items[p->depth], *name, position))
			sub.items[sub.n++] = p->items[i];
	put_type(w, a, t, &sub);
}

static void put_attributes(struct jw *w, struct arena *a, const struct json *t,
			   const struct paths *p)
{
	jw_object(w);
	for (uint32_t i = 0; i < t->len; i++) {
		jw_key_str(w, t->members[i].name);
		put_inner(w, a, &t->members[i].value, p, &t->members[i].name,
			  false);
	}
	jw_object_end(w);
}

static void put_elements(struct jw *w, struct arena *a, const struct json *t,
			 const struct paths *p)
{
	jw_array(w);
	for (uint32_t i = 0; i < t->len; i++) {
		struct str at = str_printf(a, "%u", i);

		put_inner(w, a, &t->items[i], p, &at, true);
	}
	jw_array_end(w);
}

/* ["object",{...}], ["tuple",[...]], ["list",TYPE], or the name of a type. */
static void put_type(struct jw *w, struct arena *a, const struct json *t,
		     const struct paths *p)
{
	const struct json *inner = NULL;

	if (t->kind == JSON_ARRAY && t->len > 1)
		inner = &t->items[1];
	if (inner && ends_here(p)) {
		jw_str(w, HIDDEN);
		return;
	}
	if (!inner || !p->n) {
		jw_json(w, t);
		return;
	}
	jw_array(w);
	jw_json(w, &t->items[0]);
	if (inner->kind == JSON_OBJECT)
		put_attributes(w, a, inner, p);
	else if (inner->kind == JSON_ARRAY && str_is(t->items[0].text, "tuple"))
		put_elements(w, a, inner, p);
	else
		put_inner(w, a, inner, p, NULL, false);
	for (uint32_t i = 2; i < t->len; i++)
		jw_json(w, &t->items[i]);
	jw_array_end(w);
}

static bool same_step(const struct json *x, const struct json *y)
{
	return x->kind == y->kind && str_eq(x->text, y->text);
}

/* Is the value at the path sensitive, or part of a sensitive one? */
static bool is_covered(const struct json *path, const struct paths *p)
{
	for (size_t i = 0; path && i < p->n; i++) {
		const struct json *s = p->items[i];
		uint32_t k = 0;

		while (k < s->len && k < path->len &&
		       same_step(&s->items[k], &path->items[k]))
			k++;
		if (k == s->len)
			return true;
	}
	return false;
}

/* Filters the lists of notes beside the JSON, a path each: `unknown` shows what
 * is known of an unknown value, and a path shows keys of maps. */
static void put_notes(struct jw *w, const struct json *list,
		      const struct paths *p)
{
	jw_array(w);
	for (uint32_t i = 0; list->kind == JSON_ARRAY && i < list->len; i++) {
		const struct json *item = &list->items[i];

		if (!is_covered(item->kind == JSON_ARRAY
					? item
					: json_get(item, "path"),
				p))
			jw_json(w, item);
	}
	jw_array_end(w);
}

/* {"value":…,"sensitive":[paths],…} */
static void put_value(struct jw *w, struct arena *a, const struct json *j)
{
	static const char *const notes[] = { "unknown", "numbers", NULL };
	const struct json *list = json_get(j, "sensitive");
	struct paths p = { NULL, 0, 0 };

	if (!list || list->kind != JSON_ARRAY) {
		jw_json(w, j);
		return;
	}
	p.items = ARENA_ARRAY(a, const struct json *, list->len);
	for (uint32_t i = 0; i < list->len; i++)
		if (list->items[i].kind == JSON_ARRAY)
			p.items[p.n++] = &list->items[i];
	jw_object(w);
	for (uint32_t i = 0; i < j->len; i++) {
		jw_key_str(w, j->members[i].name);
		if (str_is(j->members[i].name, "value"))
			put_paths(w, a, &j->members[i].value, &p);
		else if (str_is(j->members[i].name, "type"))
			put_type(w, a, &j->members[i].value, &p);
		else if (is_one_of(j->members[i].name, notes))
			put_notes(w, &j->members[i].value, &p);
		else
			jw_json(w, &j->members[i].value);
	}
	jw_object_end(w);
}

static void put_values(struct jw *w, struct arena *a, const struct json *j)
{
	jw_object(w);
	for (uint32_t i = 0; j->kind == JSON_OBJECT && i < j->len; i++) {
		jw_key_str(w, j->members[i].name);
		put_value(w, a, &j->members[i].value);
	}
	jw_object_end(w);
}

/* --- records --- */

static void put_member(struct jw *w, struct arena *a, struct str kind,
		       const struct json *rec, const struct json_member *m)
{
	static const char *const objects[] = { "previous_run_state",
					       "prior_state", NULL };
	static const char *const opaque[] = { "attributes", "attributes_flat",
					      "private", "identity", NULL };
	static const char *const values[] = {
		"value",           "given", "planned", "planned_identity",
		"import_identity", NULL
	};

	if (str_is(m->name, "planned_private") ||
	    (is_one_of(kind, objects) && is_one_of(m->name, opaque)) ||
	    (str_is(m->name, "value") &&
	     json_get_bool(rec, "sensitive", false)))
		jw_str(w, HIDDEN);
	else if (str_is(m->name, "change"))
		put_change(w, &m->value);
	else if (str_is(m->name, "variables"))
		put_values(w, a, &m->value);
	else if (is_one_of(m->name, values))
		put_value(w, a, &m->value);
	else
		jw_json(w, &m->value);
}

void stream_redact(struct arena *a, struct str kind, struct str line,
		   struct buf *out)
{
	static const char *const kinds[] = {
		"previous_run_state", "prior_state",    "previous_output",
		"prior_output",       "variable_value", "local_value",
		"test_value",         "plan",           "resource_change",
		"resource_drift",     "planned",        "output_change",
		"module_output",      "edited",         NULL
	};
	const struct json *j;
	struct json_error err;
	struct jw w = JW_INIT(out);

	if (!is_one_of(kind, kinds)) {
		buf_str(out, line);
		return;
	}
	j = json_parse(a, line, &err);
	jw_object(&w);
	if (!j || j->kind != JSON_OBJECT) /* what is broken is not shown */
		jw_member_str(&w, "record", kind);
	for (uint32_t i = 0; j && j->kind == JSON_OBJECT && i < j->len; i++) {
		jw_key_str(&w, j->members[i].name);
		put_member(&w, a, kind, j, &j->members[i]);
	}
	jw_object_end(&w);
}
