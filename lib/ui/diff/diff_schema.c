/*
 * diff_schema.c - differences of what has a schema: nested attributes, blocks
 */
#include <stdlib.h>

#include "ui/diff/diff.h"
#include "ui/diff/diff_int.h"

static const struct diff *nested_compute(struct arena *a,
					 const struct diff_input *in,
					 const void *schema);

/* {"a": true, …}: every attribute unknown, for what was before an unknown. */
static const struct json *all_unknown(struct arena *a,
				      const struct schema_block *b)
{
	const size_t n = b->nattrs;
	struct json *o = ARENA_NEW(a, struct json);
	struct json_member *m = ARENA_ARRAY(a, struct json_member, n);

	for (size_t i = 0; i < n; i++) {
		m[i].name = b->attrs[i].name;
		m[i].value.kind = JSON_BOOL;
		m[i].value.boolean = true;
	}
	o->kind = JSON_OBJECT;
	o->len = (uint32_t)n;
	o->members = m;
	return o;
}

static const struct diff *attr_diff(struct arena *a,
				    const struct diff_input *in,
				    const struct schema_attr *at,
				    enum diff_action parent)
{
	if (at->write_only) {
		bool r = diff_path_ends(in->replace);

		if (parent == DIFF_NOOP && r)
			parent = DIFF_UPDATE;
		return diff_make(a, DIFF_WRITE_ONLY, parent, r);
	}
	if (at->nested)
		return nested_compute(a, in, at->nested);
	return diff_typed(a, in, at->type);
}

static const struct diff *nested_object(struct arena *a,
					const struct diff_input *in,
					const struct schema_block *b)
{
	enum diff_action action = diff_default_action(in);
	struct child_vec kids = { 0 };
	struct diff *d;

	for (size_t i = 0; i < b->nattrs; i++) {
		struct diff_input c = diff_child_key(a, in, b->attrs[i].name);
		const struct diff *k;

		c.before_explicit = c.after_explicit = false;
		k = attr_diff(a, &c, &b->attrs[i], action);
		if (k->action == DIFF_NOOP && diff_absent(c.before) &&
		    diff_absent(c.after))
			continue;
		vec_push(a, &kids, (struct diff_child){ b->attrs[i].name, k });
		action = diff_combine(action, k->action);
	}
	if (kids.len)
		qsort(kids.items, kids.len, sizeof(*kids.items), diff_by_key);
	d = diff_make(a, DIFF_OBJECT, action, diff_path_ends(in->replace));
	d->nested = true;
	return diff_with_children(d, &kids);
}

/* Elements of a nested list or map attribute, and blocks likewise. */
static enum diff_action list_elems(struct arena *a, const struct diff_input *in,
				   diff_fn *f, const void *schema,
				   struct child_vec *kids)
{
	enum diff_action action = diff_default_action(in);

	for (size_t i = 0;
	     i < diff_length(in->before) || i < diff_length(in->after); i++) {
		struct diff_input c = diff_child_index(a, in, i, i);
		const struct diff *d;

		diff_unless_relevant(&c);
		d = f(a, &c, schema);
		vec_push(a, kids, (struct diff_child){ STR_NONE, d });
		action = diff_combine(action, d->action);
	}
	return action;
}

static enum diff_action map_elems(struct arena *a, const struct diff_input *in,
				  diff_fn *f, const void *schema,
				  struct child_vec *kids)
{
	enum diff_action action = diff_container_action(in, JSON_OBJECT);
	const struct diff_input *c = diff_members(a, in, false, kids);

	for (size_t i = 0; i < kids->len; i++) {
		kids->items[i].diff = f(a, &c[i], schema);
		action = diff_combine(action, kids->items[i].diff->action);
	}
	return action;
}

static const struct diff *nested_compute(struct arena *a,
					 const struct diff_input *in,
					 const void *schema)
{
	const struct schema_nested *n = schema;
	struct schema_nested one = *n;
	struct child_vec kids = { 0 };
	enum diff_kind kind = DIFF_LIST;
	enum diff_action action;
	const struct diff *d;
	struct diff *out;

	d = diff_if_sensitive(a, in, DIFF_SENSITIVE, nested_compute, n);
	if (!d)
		d = diff_if_unknown(a, in, all_unknown(a, n->block),
				    nested_compute, n);
	if (d)
		return d;
	if (nesting_single(n->nesting))
		return nested_object(a, in, n->block);
	one.nesting = NESTING_SINGLE;
	if (n->nesting == NESTING_MAP) {
		kind = DIFF_MAP;
		action = map_elems(a, in, nested_compute, &one, &kids);
	} else if (n->nesting == NESTING_SET) {
		kind = DIFF_SET;
		action = diff_set_elems(a, in, nested_compute, &one, &kids);
	} else {
		action = list_elems(a, in, nested_compute, &one, &kids);
	}
	out = diff_make(a, kind, action, diff_path_ends(in->replace));
	out->nested = true;
	return diff_with_children(out, &kids);
}

static const struct json *null_if_empty(const struct json *j)
{
	return j && j->kind == JSON_STRING && j->text.n == 0 ? NULL : j;
}

static enum diff_action block_attrs(struct arena *a,
				    const struct diff_input *in,
				    const struct schema_block *s,
				    struct child_vec *kids,
				    enum diff_action action, bool write_only)
{
	for (size_t i = 0; i < s->nattrs; i++) {
		const struct schema_attr *at = &s->attrs[i];
		struct diff_input c;
		const struct diff *d;

		if (at->write_only != write_only)
			continue;
		c = diff_child_key(a, in, at->name);
		c.before = null_if_empty(c.before);
		c.after = null_if_empty(c.after);
		c.before_explicit = c.after_explicit = false;
		d = attr_diff(a, &c, at, action);
		if (d->action == DIFF_NOOP && diff_absent(c.before) &&
		    diff_absent(c.after) && !write_only)
			continue;
		vec_push(a, kids, (struct diff_child){ at->name, d });
		action = diff_combine(action, d->action);
	}
	return action;
}

static const struct diff *block_compute(struct arena *a,
					const struct diff_input *in,
					const void *schema)
{
	return diff_block(a, in, schema);
}

/* around: the block that this group is in.  OpenTofu shows blocks that become
 * unknown with the attributes of that instead of their own, and so do we. */
static bool block_group(struct arena *a, const struct diff_input *in,
			const struct schema_block *around,
			const struct schema_nested *n, struct diff_blocks *out,
			enum diff_action *action)
{
	struct diff_input c = diff_child_key(a, in, n->type_name);
	struct child_vec kids = { 0 };
	enum diff_action act;
	const struct diff *d = diff_if_unknown(a, &c, all_unknown(a, around),
					       block_compute, around);

	*out = (struct diff_blocks){
		.type = n->type_name,
		.nesting = n->nesting,
		.replace = diff_path_ends(c.replace),
		.before_sensitive = diff_true(c.before_sensitive),
		.after_sensitive = diff_true(c.after_sensitive),
	};
	if (d) {
		out->nesting = NESTING_SINGLE;
		vec_push(a, &kids, (struct diff_child){ STR_NONE, d });
		act = DIFF_NOOP; /* does not count for the block around */
	} else if (n->nesting == NESTING_SET) {
		act = diff_set_elems(a, &c, block_compute, n->block, &kids);
	} else if (n->nesting == NESTING_LIST) {
		act = list_elems(a, &c, block_compute, n->block, &kids);
	} else if (n->nesting == NESTING_MAP) {
		act = map_elems(a, &c, block_compute, n->block, &kids);
	} else {
		d = diff_block(a, &c, n->block);
		vec_push(a, &kids, (struct diff_child){ STR_NONE, d });
		act = d->action;
	}
	if ((d ? d->action : act) == DIFF_NOOP && diff_absent(c.before) &&
	    diff_absent(c.after))
		return false;
	*action = diff_combine(*action, act);
	out->items = kids.items;
	out->n = kids.len;
	return true;
}

const struct diff *diff_block(struct arena *a, const struct diff_input *in,
			      const struct schema_block *s)
{
	enum diff_action action = diff_default_action(in);
	struct child_vec kids = { 0 };
	struct diff_blocks *groups;
	size_t n = 0;
	struct diff *out;
	const struct diff *d = diff_if_sensitive(a, in, DIFF_SENSITIVE_BLOCK,
						 block_compute, s);

	if (!d)
		d = diff_if_unknown(a, in, all_unknown(a, s), block_compute, s);
	if (d)
		return d;
	action = block_attrs(a, in, s, &kids, action, false);
	action = block_attrs(a, in, s, &kids, action, true);
	if (kids.len)
		qsort(kids.items, kids.len, sizeof(*kids.items), diff_by_key);
	groups = ARENA_ARRAY(a, struct diff_blocks, s->nblocks);
	for (size_t i = 0; i < s->nblocks; i++)
		n += block_group(a, in, s, &s->blocks[i], &groups[n], &action);
	out = diff_make(a, DIFF_BLOCK, action, diff_path_ends(in->replace));
	out->blocks = groups;
	out->nblocks = n;
	return diff_with_children(out, &kids);
}
