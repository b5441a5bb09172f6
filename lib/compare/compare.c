/* compare.c - the differences of two plans or states; see compare.h */
#include <stdlib.h>

#include "base/visible.h"
#include "compare/compare_int.h"

struct comparison {
	struct out *out;
	size_t n;
	struct str hidden_of, hidden_at; /* what the last line hides */
};

struct str compared_shown(const struct compared_leaf *l,
			  enum compared_hidden other)
{
	if (!l)
		return STR("");
	if (l->hidden == COMPARED_SENSITIVE || other == COMPARED_SENSITIVE)
		return STR("(sensitive value)");
	if (l->hidden == COMPARED_UNSURE)
		return STR("(value of a state)");
	return l->text.n ? l->text : STR("(known after apply)");
}

static void line(struct comparison *c, struct str address, struct str path,
		 struct str old, struct str new)
{
	const struct str parts[] = { address, path, old, new };
	struct buf b = BUF_INIT;

	c->n++;
	for (size_t i = 0; c->out && i < 4; i++) {
		visible_line(&b, parts[i]);
		buf_putc(&b, i < 3 ? '\t' : '\n');
	}
	if (c->out)
		out_str(c->out, buf_view(&b));
	buf_release(&b);
}

/* What the object has at a path that hides all below; NULL: nothing. */
static const struct compared_leaf *hidden_at(const struct compared_object *o,
					     struct str path)
{
	for (size_t i = 0; i < o->leaves.len; i++) {
		const struct compared_leaf *l = &o->leaves.items[i];

		if (l->hidden && l->visible == path.n &&
		    str_eq(str_sub(l->path, 0, l->visible), path))
			return l;
	}
	return NULL;
}

static enum compared_hidden hidden_of(const struct compared_leaf *l)
{
	return l ? l->hidden : COMPARED_SHOWN;
}

static void cut(struct str *path, const struct compared_leaf *l)
{
	if (l && path->n > l->visible)
		path->n = l->visible;
}

/* The path as far as both may show it. */
static struct str shown_path(const struct compared_leaf *a,
			     const struct compared_leaf *b)
{
	const struct compared_leaf *one = a ? a : b;
	struct str path = one->path;

	cut(&path, a);
	cut(&path, b);
	return path;
}

/* A leaf that differs; one of them may be NULL.  Of what is hidden as a whole
 * one line tells. */
static void leaf(struct comparison *c, const struct compared_object *of[2],
		 const struct compared_leaf *a, const struct compared_leaf *b)
{
	const struct str address = of[0]->address, path = shown_path(a, b);

	if (hidden_of(a ? a : b) && str_eq(path, c->hidden_at) &&
	    str_eq(address, c->hidden_of)) {
		c->n++;
		return;
	}
	if (!a && hidden_of(b))
		a = hidden_at(of[0], path);
	else if (!b && hidden_of(a))
		b = hidden_at(of[1], path);
	c->hidden_at = hidden_of(a) || hidden_of(b) ? path : STR_NONE;
	c->hidden_of = address;
	line(c, address, path, compared_shown(a, hidden_of(b)),
	     compared_shown(b, hidden_of(a)));
}

static int by_path(const void *x, const void *y)
{
	const struct compared_leaf *a = x, *b = y;

	return str_cmp(a->path, b->path);
}

static void sort(struct compared_object *o)
{
	if (o->leaves.len)
		qsort(o->leaves.items, o->leaves.len, sizeof(*o->leaves.items),
		      by_path);
}

static bool same(const struct compared_leaf *x, const struct compared_leaf *y)
{
	return str_eq(x->text, y->text);
}

static void leaves(struct comparison *c, struct compared_object *x,
		   struct compared_object *y)
{
	const struct compared_object *of[2] = { x, y };
	size_t i = 0, k = 0;

	sort(x);
	sort(y);
	while (i < x->leaves.len || k < y->leaves.len) {
		const struct compared_leaf *a =
			i < x->leaves.len ? &x->leaves.items[i] : NULL;
		const struct compared_leaf *b =
			k < y->leaves.len ? &y->leaves.items[k] : NULL;
		const int order = !a ? 1 : !b ? -1 : by_path(a, b);

		if (order < 0)
			leaf(c, of, a, NULL);
		else if (order > 0)
			leaf(c, of, NULL, b);
		else if (!same(a, b))
			leaf(c, of, a, b);
		i += order <= 0;
		k += order >= 0;
	}
}

static struct str whole(const struct compared_object *o)
{
	return o->action.n ? o->action : STR("there");
}

static void object(struct comparison *c, struct compared_object *x,
		   struct compared_object *y)
{
	y->met = true;
	if (x->action.n && y->action.n && !str_eq(x->action, y->action))
		line(c, x->address, STR(""), x->action, y->action);
	leaves(c, x, y);
}

size_t compared_write(struct out *out, const struct compared *x,
		      const struct compared *y)
{
	struct comparison c = { .out = out };

	for (size_t i = 0; i < x->objects.len; i++) {
		struct compared_object *a = x->objects.entries[i].value;
		struct compared_object *b = map_get(&y->objects, a->address);

		if (b)
			object(&c, a, b);
		else
			line(&c, a->address, STR(""), whole(a), STR(""));
	}
	for (size_t i = 0; i < y->objects.len; i++) {
		struct compared_object *b = y->objects.entries[i].value;

		if (!b->met)
			line(&c, b->address, STR(""), STR(""), whole(b));
	}
	return c.n;
}
