/* variable_lint.c - attributes of object constructors that a variable's type
 * drops */
#include "engine/run/variables.h"
#include "base/didyoumean.h"

enum { MAX_DEPTH = 100 };

struct lint {
	const struct cfg_variable *v;
	const struct source *src;
	struct diags *ds;
	struct buf path;
	int depth;
};

static void look(struct lint *x, const struct expr *e, const struct type *t);

static void ignored(struct lint *x, const struct expr *e,
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
	near = suggest(name, names, t->len);
	d.detail = str_printf(a,
			      "The type of variable \"%.*s\"%s%.*s has no "
			      "attribute \"%.*s\", so it has no effect.%s%.*s"
			      "%s", STR_ARG(x->v->name),
			      x->path.len ? " at " : "",
			      STR_ARG(buf_view(&x->path)), STR_ARG(name),
			      near.n ? " Did you mean \"" : "", STR_ARG(near),
			      near.n ? "\"?" : "");
	diags_push(x->ds, d);
}

static void look_object(struct lint *x, const struct expr *e,
			const struct type *t)
{
	for (size_t k = 0; k < e->object.nitems; k++) {
		const struct object_item *i = &e->object.items[k];
		size_t len = x->path.len;
		struct str name;
		int at;

		if (i->key_is_name && i->key->kind == EXPR_SCOPE)
			name = i->key->scope.root;
		else if (i->key->kind == EXPR_LITERAL &&
			 i->key->literal->type == &type_string &&
			 value_usable(i->key->literal))
			name = i->key->literal->string;
		else
			continue;
		if (t->kind == TYPE_MAP) {
			buf_addf(&x->path, "[\"%.*s\"]", STR_ARG(name));
			look(x, i->value, t->elem);
			buf_set_len(&x->path, len);
			continue;
		}
		at = type_attr_index(t, name);
		if (at < 0) {
			ignored(x, e, i, t, name);
			continue;
		}
		buf_addf(&x->path, ".%.*s", STR_ARG(name));
		look(x, i->value, t->attrs[at].type);
		buf_set_len(&x->path, len);
	}
}

static void look_items(struct lint *x, const struct expr *e,
		       const struct type *t)
{
	for (size_t i = 0; i < e->nitems; i++) {
		size_t len = x->path.len;
		const struct type *elem =
			t->kind != TYPE_TUPLE ? t->elem
			: i < t->len	      ? t->elems[i]
					      : NULL;

		if (!elem)
			return;
		buf_addf(&x->path, "[%zu]", i);
		look(x, e->items[i], elem);
		buf_set_len(&x->path, len);
	}
}

static void look(struct lint *x, const struct expr *e, const struct type *t)
{
	if (x->depth == MAX_DEPTH)
		return;
	x->depth++;
	while (e->kind == EXPR_PARENS)
		e = e->items[0];
	if (e->kind == EXPR_OBJECT &&
	    (t->kind == TYPE_OBJECT || t->kind == TYPE_MAP))
		look_object(x, e, t);
	else if (e->kind == EXPR_TUPLE &&
		 (t->kind == TYPE_LIST || t->kind == TYPE_SET ||
		  t->kind == TYPE_TUPLE))
		look_items(x, e, t);
	else if (e->kind == EXPR_FOR && !e->for_.key &&
		 (t->kind == TYPE_LIST || t->kind == TYPE_SET))
		look(x, e->for_.value, t->elem);
	else if (e->kind == EXPR_FOR && e->for_.key && t->kind == TYPE_MAP &&
		 !e->for_.group)
		look(x, e->for_.value, t->elem);
	x->depth--;
}

void variable_lint(struct run_module *m, const struct cfg_variable *v,
		   struct expression e, struct diags *ds)
{
	struct lint x = { .v = v, .src = e.src, .ds = ds, .path = BUF_INIT };

	(void)m;
	if (e.root)
		look(&x, e.root, v->type);
	buf_release(&x.path);
}
