/*
 * dropped.c - attributes of object constructors that conversion to a variable's
 * type drops
 *
 * As far as the expression is written out: constructors of objects, maps and
 * lists, and what for expressions make of each element.
 */
#include "config/decode/decode.h"
#include "base/didyoumean.h"
#include "lang/eval/eval.h"
#include "stream/record.h"
#include "value/convert.h"

enum { MAX_DEPTH = 100 };

struct lint {
	const char *what; /* the type is of */
	const struct source *src;
	struct diags *ds;
	struct buf path;
	int depth;
};

static void look(struct lint *x, const struct expr *e, const struct type *t);

static void dropped(struct lint *x, const struct expr *e,
		    const struct object_item *i, const struct type *t,
		    struct str name)
{
	struct arena *a = x->ds->arena;
	struct str *names = ARENA_ARRAY(a, struct str, t->len), near;
	struct diag d = {
		.severity = SEV_WARNING,
		.summary = STR("Object attribute is ignored"),
		.subject = source_range(x->src, i->key->span),
		.context = source_range(x->src, e->span),
	};

	for (uint32_t k = 0; k < t->len; k++)
		names[k] = t->attrs[k].name;
	near = didyoumean(name, names, t->len);
	d.detail = str_printf(a,
			      "The type of %s%s%.*s has no attribute \"%.*s\", "
			      "so it has no effect.%s%.*s%s",
			      x->what, x->path.len ? " at " : "",
			      STR_ARG(buf_view(&x->path)), STR_ARG(name),
			      near.n ? " Did you mean \"" : "", STR_ARG(near),
			      near.n ? "\"?" : "");
	diags_push(x->ds, d);
}

/* The key, where it takes nothing else to know it. */
static bool key_name(const struct lint *x, const struct object_item *i,
		     struct arena *a, struct str *name)
{
	struct diags quiet = DIAGS_INIT(a);
	struct verror err = { 0 };
	const struct value *v;

	if (i->key_is_name && i->key->kind == EXPR_SCOPE) {
		*name = i->key->scope.root;
		return true;
	}
	v = eval_expression(a, NULL, (struct expression){ x->src, i->key },
			    &quiet);
	if (diags_failed(&quiet) || !value_usable(v))
		return false;
	v = convert(a, v, &type_string, &err);
	if (!v)
		return false;
	*name = v->string;
	return true;
}

static void look_object(struct lint *x, const struct expr *e,
			const struct type *t)
{
	struct arena a = ARENA_INIT;

	for (size_t k = 0; k < e->object.nitems; k++) {
		const struct object_item *i = &e->object.items[k];
		size_t len = x->path.len;
		struct str name;
		int at;

		if (!key_name(x, i, &a, &name))
			continue;
		if (t->kind == TYPE_MAP) {
			buf_addf(&x->path, "[\"%.*s\"]", STR_ARG(name));
			look(x, i->value, t->elem);
			buf_set_len(&x->path, len);
			continue;
		}
		at = type_attr_index(t, name);
		if (at < 0) {
			dropped(x, e, i, t, name);
			continue;
		}
		buf_addf(&x->path, ".%.*s", STR_ARG(name));
		look(x, i->value, t->attrs[at].type);
		buf_set_len(&x->path, len);
	}
	arena_release(&a);
}

static void look_items(struct lint *x, const struct expr *e,
		       const struct type *t)
{
	if (t->kind == TYPE_TUPLE && t->len != e->nitems)
		return; /* cannot be converted */
	for (size_t i = 0; i < e->nitems; i++) {
		size_t len = x->path.len;

		buf_addf(&x->path, "[%zu]", i);
		look(x, e->items[i],
		     t->kind == TYPE_TUPLE ? t->elems[i] : t->elem);
		buf_set_len(&x->path, len);
	}
}

static bool is_list_like(const struct type *t)
{
	return t->kind == TYPE_LIST || t->kind == TYPE_SET;
}

static void look(struct lint *x, const struct expr *e, const struct type *t)
{
	if (x->depth == MAX_DEPTH)
		return;
	x->depth++;
	if (e->kind == EXPR_OBJECT &&
	    (t->kind == TYPE_OBJECT || t->kind == TYPE_MAP))
		look_object(x, e, t);
	else if (e->kind == EXPR_TUPLE &&
		 (is_list_like(t) || t->kind == TYPE_TUPLE))
		look_items(x, e, t);
	else if (e->kind == EXPR_FOR &&
		 (e->for_.key ? t->kind == TYPE_MAP : is_list_like(t)))
		look(x, e->for_.value, t->elem);
	x->depth--;
}

static void look_from_top(struct expression e, const struct type *t,
			  const char *what, struct diags *ds)
{
	struct lint x = {
		.what = what, .src = e.src, .ds = ds, .path = BUF_INIT
	};

	look(&x, e.root, t);
	buf_release(&x.path);
}

void config_warn_dropped(struct expression e, const struct type *t,
			 const char *what, struct diags *ds)
{
	struct arena a = ARENA_INIT;
	struct diags found = DIAGS_INIT(&a);

	if (!e.root)
		return;
	look_from_top(e, t, what, &found);
	/* Usually nothing is found, so ranges are determined only now. */
	if (found.len)
		look_from_top(record_expression_placed(ds->arena, e), t, what,
			      ds);
	arena_release(&a);
}
