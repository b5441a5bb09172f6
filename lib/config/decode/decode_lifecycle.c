/* decode_lifecycle.c - lifecycle blocks of resources, and provisioners */

#include "addr/reference.h"
#include "config/decode/decode_int.h"
#include "config/module_int.h"
#include "lang/eval/eval.h"
#include "lang/syntax/walk.h"

static const struct attr_schema lifecycle_attrs[] = {
	{ "create_before_destroy", false },
	{ "prevent_destroy", false },
	{ "destroy", false },
	{ "ignore_changes", false },
	{ "replace_triggered_by", false },
	{ "enabled", false },
	{ NULL, false },
};
static const struct block_schema lifecycle_blocks[] = {
	{ "precondition", { NULL } },
	{ "postcondition", { NULL } },
	{ NULL, { NULL } },
};
static const char *const lifecycle_terraforms[] = { "action_trigger", NULL };
static const struct body_schema lifecycle_schema = { lifecycle_attrs,
						     lifecycle_blocks,
						     lifecycle_terraforms };

/* A condition of a resource must not refer to the resource by its name. */
static void check_no_self(struct decoder *d, const struct block *b,
			  struct expression e, const struct cfg_resource *r)
{
	struct diags ignored = DIAGS_INIT(d->a);
	struct traversal_vec vars = { 0 };
	struct str name;
	struct range at;

	if (!e.root)
		return;
	expression_variables(d->a, e, &vars);
	for (size_t i = 0; i < vars.len; i++) {
		struct reference ref;

		if (reference_parse(d->a, &vars.items[i], &ref, &ignored) ||
		    ref.kind != REF_RESOURCE ||
		    !resource_addr_equal(ref.resource, r->addr))
			continue;
		at = expression_range(e);
		name = cfg_resource_key(d->a, &r->addr);
		diag_error(
			d->ds, &at,
			arena_printf(d->a, "Invalid reference in %.*s",
				     STR_ARG(b->type)),
			"A condition of %.*s cannot refer to it by its name.",
			STR_ARG(name));
		return;
	}
}

static void take_conditions(struct decoder *d, const struct body_content *c,
			    const struct cfg_resource *r,
			    struct cfg_lifecycle *lc)
{
	for (size_t i = 0; i < c->blocks.len; i++) {
		const struct block *b = &c->blocks.items[i];
		struct cfg_condition cond;

		decode_condition(d, b, &cond);
		check_no_self(d, b, cond.condition, r);
		check_no_self(d, b, cond.error_message, r);
		if (str_is(b->type, "precondition"))
			vec_push(d->a, &lc->preconditions, cond);
		else
			vec_push(d->a, &lc->postconditions, cond);
	}
}

/* --- ignore_changes --- */

static bool is_star(struct decoder *d, struct expression e)
{
	struct diags ignored = DIAGS_INIT(d->a);
	const struct value *v;

	if (e.root->kind != EXPR_JSON && !expression_is_quoted(e))
		return false;
	v = eval_expression(d->a, NULL, e, &ignored);
	return !ignored.errors && v->type == &type_string && value_usable(v) &&
	       str_is(v->string, "*");
}

static void decode_ignore_changes(struct decoder *d, const struct attribute *at,
				  struct cfg_lifecycle *lc)
{
	struct range all = expression_range(at->expr), star = RANGE_NONE;
	struct expression *items;
	size_t n;

	if (str_is(expression_keyword(at->expr), "all")) {
		lc->ignore_all = true;
		return;
	}
	if (expression_list(d->a, at->expr, &items, &n, d->ds))
		return;
	for (size_t i = 0; i < n; i++) {
		struct traversal_ref t;

		if (is_star(d, items[i])) {
			lc->ignore_all = true;
			star = expression_range(items[i]);
			diag_error(
				d->ds, &all, "Invalid ignore_changes wildcard",
				"Write \"ignore_changes = all\" to ignore all changes.");
			continue;
		}
		if (!decode_unquoted(d->a, &items[i], false, d->ds) &&
		    !expression_rel_traversal(d->a, items[i], &t, d->ds))
			vec_push(d->a, &lc->ignore_changes, t);
	}
	if (lc->ignore_all && lc->ignore_changes.len) {
		diag_error(
			d->ds, &star, "Invalid ignore_changes ruleset",
			"The wildcard \"*\" cannot stand beside other references.");
		d->ds->items[d->ds->len - 1].context = all;
	}
}

/* --- replace_triggered_by --- */

/* Counts resources among the references of e; anything else but count.index and
 * each.key is an error. */
static int check_trigger_ref(struct decoder *d, const struct reference *ref,
			     const struct range *at)
{
	if (ref->kind == REF_RESOURCE)
		return 1;
	if (ref->kind == REF_EACH && !str_is(ref->name, "key"))
		diag_error(
			d->ds, at,
			"Invalid each reference in replace_triggered_by expression",
			"Only each.key can be used in replace_triggered_by.");
	else if (ref->kind == REF_COUNT && !str_is(ref->name, "index"))
		diag_error(
			d->ds, at,
			"Invalid count reference in replace_triggered_by expression",
			"Only count.index can be used in replace_triggered_by.");
	else if (ref->kind != REF_EACH && ref->kind != REF_COUNT)
		diag_error(
			d->ds, at,
			"Invalid reference in replace_triggered_by expression",
			"Only resources, count.index and each.key can be "
			"used in replace_triggered_by.");
	return 0;
}

static void check_trigger(struct decoder *d, struct expression e)
{
	struct range at = expression_range(e);
	struct diags inner = DIAGS_INIT(d->a);
	struct traversal_vec vars = { 0 };
	struct reference ref;
	int resources = 0;

	expression_variables(d->a, e, &vars);
	for (size_t i = 0; i < vars.len; i++)
		reference_parse(d->a, &vars.items[i], &ref, &inner);
	for (size_t i = 0; i < inner.len; i++)
		diag_error(d->ds, &at, inner.items[i].summary.p, "%.*s",
			   STR_ARG(inner.items[i].detail));
	if (inner.errors)
		return;
	for (size_t i = 0; i < vars.len; i++) {
		reference_parse(d->a, &vars.items[i], &ref, &inner);
		resources += check_trigger_ref(d, &ref, &at);
	}
	if (resources != 1)
		diag_error(
			d->ds, &at, "Invalid replace_triggered_by expression",
			resources
				? "The expression refers to more than one resource."
				: "The expression refers to no resource.");
}

static void decode_triggers(struct decoder *d, const struct attribute *at,
			    struct cfg_lifecycle *lc)
{
	struct expression *items;
	size_t n;

	if (expression_list(d->a, at->expr, &items, &n, d->ds))
		return;
	for (size_t i = 0; i < n; i++)
		if (!decode_unwrap_json(d->a, &items[i], d->ds))
			check_trigger(d, items[i]);
	lc->replace_triggered_by =
		(struct expression_vec){ .items = items, .len = n, .cap = n };
}

/* --- the block --- */

void lifecycle_destroy(struct arena *a, struct cfg_lifecycle *l)
{
	struct diags ignored = DIAGS_INIT(a);
	const struct value *v;

	if (!l->destroy.root)
		return;
	v = eval_expression(a, NULL, l->destroy, &ignored);
	l->destroy_invalid =
		ignored.errors || v->type != &type_bool || !value_usable(v);
	l->skip_destroy = !l->destroy_invalid && !v->boolean;
}

static void take_managed(struct decoder *d, const struct body_content *c,
			 struct cfg_lifecycle *lc)
{
	const struct attribute *at;

	if ((at = content_attr(c, "create_before_destroy"))) {
		lc->create_before_destroy = at->expr;
		decode_static_bool(d, at, &lc->create_before_destroy_value);
	}
	if ((at = content_attr(c, "prevent_destroy")))
		lc->prevent_destroy = at->expr;
	if ((at = content_attr(c, "destroy")))
		lc->destroy = at->expr;
	lifecycle_destroy(d->a, lc);
	if ((at = content_attr(c, "replace_triggered_by")))
		decode_triggers(d, at, lc);
	if ((at = content_attr(c, "ignore_changes")))
		decode_ignore_changes(d, at, lc);
}

static void refuse_managed(struct decoder *d, const struct block *b,
			   const struct body_content *c,
			   enum resource_mode mode)
{
	for (size_t i = 0; i < c->attrs.len; i++) {
		const struct attribute *at = c->attrs.items[i];
		struct range r = mode == MODE_DATA ? attribute_name_range(at)
						   : block_range(b);

		if (str_is(at->name, "enabled"))
			continue;
		diag_error(
			d->ds, &r,
			mode == MODE_DATA
				? "Invalid data resource lifecycle argument"
				: "Invalid lifecycle configuration for ephemeral resource",
			"The lifecycle argument \"%.*s\" is for managed resources only.",
			STR_ARG(at->name));
	}
}

struct cfg_lifecycle *decode_lifecycle(struct decoder *d, const struct block *b,
				       const struct cfg_resource *r)
{
	struct cfg_lifecycle *lc = ARENA_NEW(d->a, struct cfg_lifecycle);
	const struct attribute *at;
	struct body_content c;

	lc->at = block_range(b);
	body_content(d->a, b->body, &lifecycle_schema, &c, d->ds);
	if (r->addr.mode == MODE_MANAGED)
		take_managed(d, &c, lc);
	else
		refuse_managed(d, b, &c, r->addr.mode);
	if ((at = content_attr(&c, "enabled"))) {
		lc->enabled = at->expr;
		lc->enabled_at = attribute_name_range(at);
	}
	take_conditions(d, &c, r, lc);
	return lc;
}
