/* decode_refactor.c - moved, removed and import blocks */
#include "addr/walk.h"
#include "config/decode/decode_int.h"
#include "lang/eval/eval.h"

static const struct block_schema no_blocks[] = { { NULL, { NULL } } };

/* --- moved --- */

/* Reads an endpoint; *target has what it names. */
static int read_endpoint(struct decoder *d, const struct body_content *c,
			 const char *name, struct traversal_ref *out,
			 struct target *target)
{
	const struct attribute *at = content_attr(c, name);

	if (!at)
		return -1;
	return expression_traversal(d->a, at->expr, out, d->ds) ||
			       target_from_traversal(d->a, out, target, d->ds)
		       ? -1
		       : 0;
}

static void check_movable(struct decoder *d, const struct cfg_moved *m,
			  const char *which, int rc, const struct target *t)
{
	if (!rc && (t->kind == TARGET_MODULE ||
		    t->addr.resource.mode != MODE_EPHEMERAL))
		return;
	diag_error(d->ds, &m->at, "Invalid \"moved\" address",
		   "What \"%s\" refers to cannot be moved.", which);
}

void decode_moved(struct decoder *d, const struct block *b)
{
	static const struct attr_schema attrs[] = { { "from", true },
						    { "to", true },
						    { NULL, false } };
	static const struct body_schema schema = { attrs, no_blocks };
	struct cfg_moved *m = ARENA_NEW(d->a, struct cfg_moved);
	size_t errors = d->ds->errors;
	struct target from, to;
	struct body_content c;
	int rc_from, rc_to;

	m->at = block_range(b);
	body_content(d->a, b->body, &schema, &c, d->ds);
	rc_from = read_endpoint(d, &c, "from", &m->from, &from);
	rc_to = read_endpoint(d, &c, "to", &m->to, &to);
	check_movable(d, m, "from", rc_from, &from);
	check_movable(d, m, "to", rc_to, &to);
	if (d->ds->errors == errors &&
	    (from.kind == TARGET_MODULE) != (to.kind == TARGET_MODULE))
		diag_error(
			d->ds, &m->at, "Invalid \"moved\" addresses",
			"\"from\" and \"to\" must both name resources or both name modules.");
	vec_push(d->a, &d->out->moved, m);
}

/* --- removed --- */

static int bad_from(struct decoder *d, const struct traversal_ref *t,
		    struct span at, const char *summary, const char *detail)
{
	struct range r = source_range(t->src, at);

	return diag_error(d->ds, &r, summary, "%s", detail);
}

/* A removed block's address cannot contain module.a[0]. */
static int refuse_module_keys(struct decoder *d, const struct traversal_ref *t)
{
	const struct step *s = t->traversal.steps;
	size_t n = t->traversal.nsteps;
	struct str name = t->traversal.root;

	for (size_t i = 0; str_is(name, "module") && i + 1 < n; i += 2) {
		if (s[i + 1].kind == STEP_INDEX)
			return bad_from(
				d, t, s[i + 1].span,
				"Module instance address with keys is not allowed",
				"A removed block names a module, not one of its instances.");
		name = s[i + 1].name;
	}
	return 0;
}

static int read_from(struct decoder *d, const struct body_content *c,
		     struct cfg_removed *rm, struct target *target)
{
	const struct attribute *at = content_attr(c, "from");
	struct traversal_ref *t = &rm->from;

	if (!at || expression_traversal(d->a, at->expr, t, d->ds) ||
	    refuse_module_keys(d, t) ||
	    target_from_traversal(d->a, t, target, d->ds))
		return -1;
	if (target->kind == TARGET_INSTANCE)
		return bad_from(
			d, t, t->traversal.steps[t->traversal.nsteps - 1].span,
			"Resource instance address with keys is not allowed",
			"A removed block names a resource, not one of its instances.");
	if (target->kind == TARGET_MODULE)
		return 0;
	if (target->addr.resource.mode == MODE_DATA)
		return bad_from(d, t, t->span,
				"Data source address is not allowed",
				"A data source is not destroyed: it leaves "
				"the state when its block is gone.");
	if (target->addr.resource.mode == MODE_EPHEMERAL)
		return bad_from(d, t, t->span,
				"Ephemeral resource address is not allowed",
				"An ephemeral resource is not in the state.");
	return 0;
}

static void take_lifecycle(struct decoder *d, const struct block *b,
			   struct cfg_removed *rm)
{
	static const struct attr_schema attrs[] = { { "destroy", false },
						    { NULL, false } };
	static const struct body_schema schema = { attrs, no_blocks };
	const struct attribute *at;
	struct body_content c;

	body_content(d->a, b->body, &schema, &c, d->ds);
	if ((at = content_attr(&c, "destroy"))) {
		decode_static_bool(d, at, &rm->destroy);
		rm->destroy_given = true;
	}
}

static void take_provisioner(struct decoder *d, const struct block *b,
			     struct cfg_removed *rm, bool is_module)
{
	struct cfg_provisioner *p = decode_provisioner(d, b);

	if (!p)
		return;
	if (!p->when_destroy)
		diag_error(
			d->ds, &p->at, "Invalid \"removed.provisioner\" block",
			"Provisioners of a removed block need \"when = destroy\".");
	else if (is_module)
		diag_error(
			d->ds, &rm->at, "Invalid \"removed\" block",
			"A removed block with provisioners must name a resource, not a module.");
	else
		vec_push(d->a, &rm->provisioners, *p);
}

static void warn_removed(struct decoder *d, const struct cfg_removed *rm)
{
	if (!rm->destroy_given)
		diag_warning(d->ds, &rm->at,
			     "Missing lifecycle from the removed block",
			     "Say with \"lifecycle { destroy = ... }\" whether "
			     "the object is to be destroyed; without it, it is "
			     "only forgotten.");
	else if (!rm->destroy && rm->provisioners.len)
		diag_warning(d->ds, &rm->at,
			     "Removed block provisioners will not be executed",
			     "The object is to be forgotten, not destroyed, so "
			     "its provisioners do not run.");
}

void decode_removed(struct decoder *d, const struct block *b)
{
	static const struct attr_schema attrs[] = { { "from", true },
						    { NULL, false } };
	static const struct block_schema blocks[] = {
		{ "lifecycle", { NULL } },
		{ "provisioner", { "type" } },
		{ NULL, { NULL } },
	};
	static const struct body_schema schema = { attrs, blocks };
	struct cfg_removed *rm = ARENA_NEW(d->a, struct cfg_removed);
	const struct block *lifecycle = NULL;
	struct target target = { .kind = TARGET_RESOURCE };
	size_t errors = d->ds->errors;
	struct body_content c;

	rm->at = block_range(b);
	body_content(d->a, b->body, &schema, &c, d->ds);
	read_from(d, &c, rm, &target);
	for (size_t i = 0; i < c.blocks.len; i++) {
		const struct block *in = &c.blocks.items[i];

		if (str_is(in->type, "provisioner"))
			take_provisioner(d, in, rm,
					 target.kind == TARGET_MODULE);
		else if (!decode_is_duplicate(d, in, &lifecycle,
					      "Duplicate lifecycle block",
					      "The block's lifecycle block"))
			take_lifecycle(d, in, rm);
	}
	if (d->ds->errors == errors)
		warn_removed(d, rm);
	vec_push(d->a, &d->out->removed, rm);
}

/* --- import --- */

/* Collects the steps of an address whose keys may be any expression; such keys
 * are left out, and *dynamic says so. */
static int collect_steps(struct arena *a, struct expression e,
			 struct traversal_ref *out, bool *dynamic,
			 struct diags *ds)
{
	VEC(struct step) rest = { 0 };
	const struct expr *x = e.root;
	struct step *steps;
	size_t n;

	for (;;) {
		if (x->kind == EXPR_INDEX) {
			*dynamic = true;
			x = x->get.on;
		} else if (x->kind == EXPR_GET_ATTR) {
			vec_push(a, &rest, x->get.step);
			x = x->get.on;
		} else {
			break;
		}
	}
	if (x->kind != EXPR_SCOPE) {
		struct range at = source_range(e.src, x->span);

		return diag_error(ds, &at, "Invalid import address expression",
				  "\"to\" must be the address of a resource; "
				  "only its keys, in brackets, can be "
				  "expressions.");
	}
	n = x->scope.nsteps + rest.len;
	steps = ARENA_ARRAY(a, struct step, n);
	if (x->scope.nsteps)
		memcpy(steps, x->scope.steps, x->scope.nsteps * sizeof(*steps));
	for (size_t i = 0; i < rest.len; i++)
		steps[n - 1 - i] = rest.items[i];
	*out = (struct traversal_ref){ .src = e.src, .span = e.root->span };
	out->traversal = (struct traversal){ x->scope.root, x->scope.root_span,
					     steps, n };
	return 0;
}

int decode_import_address(struct arena *a, struct cfg_import *im,
			  struct diags *ds)
{
	struct traversal_ref t;
	struct target target;
	bool dynamic = false;
	struct range r;

	if (collect_steps(a, im->to, &t, &dynamic, ds) ||
	    target_from_traversal(a, &t, &target, ds))
		return -1;
	if (target.kind == TARGET_MODULE) {
		r = expression_range(im->to);
		return diag_error(ds, &r, "Invalid address",
				  "A resource must follow the module path.");
	}
	im->static_to = target.addr;
	im->to_is_static = !dynamic;
	return 0;
}

static int read_to(struct decoder *d, const struct attribute *at,
		   struct cfg_import *im)
{
	im->to = at->expr;
	return decode_unwrap_json(d->a, &im->to, d->ds) ||
			       decode_import_address(d->a, im, d->ds)
		       ? -1
		       : 0;
}

static void check_ids(struct decoder *d, const struct cfg_import *im,
		      const struct attribute *id,
		      const struct attribute *identity)
{
	struct range a, b;

	if (!id && !identity)
		diag_error(
			d->ds, &im->at, "Missing required import argument",
			"\"id\" or \"identity\" must say which object is to be imported.");
	if (!id || !identity)
		return;
	a = attribute_range(id);
	b = attribute_range(identity);
	if (b.start.byte < a.start.byte)
		a.start = b.start;
	if (b.end.byte > a.end.byte)
		a.end = b.end;
	diag_error(d->ds, &a, "Conflicting import arguments",
		   "Either \"id\" or \"identity\" says which object is to be "
		   "imported, not both.");
}

static void take_provider(struct decoder *d, const struct attribute *at,
			  struct cfg_import *im)
{
	struct range r = attribute_range(at);
	struct cfg_provider_ref *ref;

	if (im->static_to.module.len)
		diag_error(d->ds, &r, "Invalid import provider argument",
			   "\"provider\" is for imports that generate "
			   "configuration; inside a module, its call's "
			   "\"providers\" decides.");
	im->provider_at = r;
	ref = ARENA_NEW(d->a, struct cfg_provider_ref);
	decode_provider_ref(d, at->expr, "provider", ref);
	im->provider_ref = ref;
}

void decode_import(struct decoder *d, const struct block *b)
{
	static const struct attr_schema attrs[] = {
		{ "provider", false }, { "id", false },
		{ "identity", false }, { "to", true },
		{ "for_each", false }, { NULL, false },
	};
	static const struct body_schema schema = { attrs, no_blocks };
	struct cfg_import *im = ARENA_NEW(d->a, struct cfg_import);
	const struct attribute *id, *identity, *at;
	struct body_content c;

	im->at = block_range(b);
	im->provider_ref = &cfg_no_provider_ref;
	body_content(d->a, b->body, &schema, &c, d->ds);
	vec_push(d->a, &d->out->imports, im);
	if ((id = content_attr(&c, "id")))
		im->id = id->expr;
	if ((identity = content_attr(&c, "identity")))
		im->identity = identity->expr;
	if ((at = content_attr(&c, "to")) && read_to(d, at, im))
		return;
	if ((at = content_attr(&c, "provider")))
		take_provider(d, at, im);
	if ((at = content_attr(&c, "for_each")))
		im->for_each = at->expr;
	check_ids(d, im, id, identity);
}
