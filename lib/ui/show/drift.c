/*
 * drift.c - changes made outside, as far as they matter to the plan
 *
 * Only attributes that the plan says were relevant to it are shown as changed
 * (`relevant_attributes`); the rest of an object is as it was.
 */
#include "ui/show/drift.h"

#include "json/tree.h"

struct paths {
	const struct json **items;
	size_t n, depth; /* steps taken */
};

static const struct json null_json = { .kind = JSON_NULL };

static bool leads_to(const struct json *step, struct str name)
{
	return (step->kind == JSON_STRING || step->kind == JSON_NUMBER) &&
	       str_eq(step->text, name);
}

static const struct json *relevant(struct arena *a, const struct json *before,
				   const struct json *after,
				   const struct paths *p);

static const struct json *member(const struct json *j, struct str name)
{
	for (uint32_t i = 0; j->kind == JSON_OBJECT && i < j->len; i++)
		if (str_eq(j->members[i].name, name))
			return &j->members[i].value;
	return &null_json;
}

static struct json child(struct arena *a, const struct json *before,
			 const struct json *after, const struct paths *p,
			 struct str name)
{
	struct paths sub = { ARENA_ARRAY(a, const struct json *, p->n), 0,
			     p->depth + 1 };

	for (size_t i = 0; i < p->n; i++)
		if (leads_to(&p->items[i]->items[p->depth], name))
			sub.items[sub.n++] = p->items[i];
	return *relevant(a, member(before, name), member(after, name), &sub);
}

/* Returns `before` with the relevant changes of `after`. */
static const struct json *relevant(struct arena *a, const struct json *before,
				   const struct json *after,
				   const struct paths *p)
{
	struct json *j;
	struct json_member *m;
	uint32_t n = 0;

	if (!p->n)
		return before;
	for (size_t i = 0; i < p->n; i++)
		if (p->items[i]->len == p->depth)
			return after;
	if (before->kind != JSON_OBJECT)
		return after; /* a list or set matters as a whole */
	m = ARENA_ARRAY(a, struct json_member,
			before->len +
				(after->kind == JSON_OBJECT ? after->len : 0));
	for (uint32_t i = 0; i < before->len; i++) {
		m[n].name = before->members[i].name;
		m[n].value = child(a, before, after, p, m[n].name);
		n++;
	}
	for (uint32_t i = 0; after->kind == JSON_OBJECT && i < after->len;
	     i++) {
		struct str name = after->members[i].name;

		if (member(before, name) != &null_json)
			continue;
		m[n].name = name;
		m[n].value = child(a, before, after, p, name);
		n++;
	}
	j = ARENA_NEW(a, struct json);
	j->kind = JSON_OBJECT;
	j->len = n;
	j->members = m;
	return j;
}

static const struct json *or_null(const struct json *j)
{
	return j ? j : &null_json;
}

bool drift_input(struct arena *a, const struct shown *s,
		 const struct shown_change *c, struct diff_input *in)
{
	const struct json *all = s->relevant;
	struct paths p = { NULL, 0, 0 };

	if (shown_refresh_only(s))
		return true;
	if (!all || all->kind != JSON_ARRAY || !in->before || !in->after)
		return false;
	p.items = ARENA_ARRAY(a, const struct json *, all->len);
	for (uint32_t i = 0; i < all->len; i++) {
		const struct json *path = json_get(&all->items[i], "attribute");

		if (path && path->kind == JSON_ARRAY &&
		    str_eq(json_get_str(&all->items[i], "resource"),
			   c->address))
			p.items[p.n++] = path;
	}
	if (!p.n)
		return false;
	in->gone = in->after->kind == JSON_NULL;
	in->after = relevant(a, in->before, in->after, &p);
	in->after_sensitive = relevant(a, or_null(in->before_sensitive),
				       or_null(in->after_sensitive), &p);
	return in->gone || !diff_json_equal(in->before, in->after);
}
