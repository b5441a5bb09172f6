/*
 * plan_import.c - import blocks: objects that exist already become managed
 *
 * Blocks stand in the root module.  Addresses, ids and identities are
 * evaluated when the node of the resource they import into is visited.
 */
#include "engine/objchange.h"
#include "engine/plan_int.h"
#include "state/state_value.h"

static void imported(struct job *j);
static void after_read(struct job *j);

static struct str static_text(struct plan *p, const struct instance_addr *i)
{
	return instance_addr_text(p->arena, i);
}

static int no_configuration(struct diags *ds, const struct cfg_import *im,
			    struct str text)
{
	return diag_error(ds, &im->at,
			  "Configuration for import target does not exist",
			  "There is no resource block for %.*s to import "
			  "into.", STR_ARG(text));
}

int imports_validate(struct plan *p, const struct config *c)
{
	const size_t errors = p->diags->errors;

	for (size_t i = 0; i < c->root->imports.len; i++) {
		const struct cfg_import *im = &c->root->imports.items[i];
		struct expr_vec keys = { 0 };
		const struct cfg_module *m;
		struct instance_addr to;

		if (import_static_address(p->arena, im, &to, &keys))
			continue;
		m = config_module(c, to.module);
		if (m && config_resource(m, &to.resource))
			continue;
		if (!p->opts.generate_config_path.n)
			no_configuration(p->diags, im, static_text(p, &to));
		else if (!m || to.module.len)
			diag_error(p->diags, &im->at,
				   "Cannot generate configuration for "
				   "resource inside sub-module",
				   "%.*s has no configuration; it can be "
				   "generated in the root module only.",
				   STR_ARG(static_text(p, &to)));
		else if (keys.len)
			diag_error(p->diags, &im->at,
				   "Configuration generation for count and "
				   "for_each resources not supported",
				   "%.*s has no configuration; it can be "
				   "generated only without instance keys.",
				   STR_ARG(static_text(p, &to)));
	}
	return p->diags->errors == errors ? 0 : -1;
}

struct resolving {
	struct plan_work *w;
	const struct cfg_import *im;
	struct run_scope s;
};

static int wrong(struct resolving *x, struct expression e,
		 const char *summary, const char *what)
{
	struct range at = expression_range(e);

	return diag_error(&x->w->diags, &at, summary, "%s", what);
}

/* An index key of the address. */
static int eval_key(struct resolving *x, const struct expr *e,
		    struct inst_key *out)
{
	struct arena *a = x->w->p->arena;
	struct expression key = { x->im->to.src, e };
	const size_t errors = x->w->diags.errors;
	const struct value *v;
	const char *bad = NULL;

	v = eval_expression(a, &x->s.scope, key, &x->w->diags);
	if (x->w->diags.errors != errors || x->s.failed)
		return -1;
	if (value_has_mark(v, MARK_SENSITIVE))
		bad = "The key is sensitive, and would show in an address.";
	else if (!value_is_known(v))
		bad = "The key is known only after apply.";
	else if (value_is_null(v))
		bad = "The key is null.";
	else if (v->type == &type_string)
		*out = (struct inst_key){ KEY_STRING, 0, v->string };
	else if (v->type == &type_number && value_get_int(v, &out->i))
		out->kind = KEY_INT;
	else
		bad = "The key must be a string or a whole number.";
	return bad ? wrong(x, key, "Import block 'to' address contains an "
				   "invalid key", bad)
		   : 0;
}


/* The address with its keys evaluated. */
static int eval_address(struct resolving *x, struct instance_addr *out)
{
	struct arena *a = x->w->p->arena;
	const struct expr *chain[200], *e = x->im->to.root;
	struct traversal_ref t = { .src = x->im->to.src };
	VEC(struct step) steps = { 0 };
	struct buf text = BUF_INIT;
	struct diags ignored = DIAGS_INIT(a);
	size_t n = 0;
	int rc;

	if (e->kind == EXPR_JSON) {
		if (expression_traversal(a, x->im->to, &t, &x->w->diags))
			return -1;
	} else {
		while ((e->kind == EXPR_INDEX || e->kind == EXPR_GET_ATTR) &&
		       n < 200) {
			chain[n++] = e;
			e = e->get.on;
		}
		t.traversal = e->scope;
		for (size_t i = 0; i < e->scope.nsteps; i++)
			vec_push(a, &steps, e->scope.steps[i]);
		while (n--) {
			struct step s = { .kind = STEP_INDEX };
			struct inst_key k = KEY_ABSENT;

			if (chain[n]->kind == EXPR_GET_ATTR) {
				s = chain[n]->get.step;
			} else {
				if (eval_key(x, chain[n]->get.key, &k))
					return -1;
				s.key = k.kind == KEY_INT ? value_int(a, k.i)
							  : value_string(a, k.s);
			}
			vec_push(a, &steps, s);
		}
		t.traversal.steps = steps.items;
		t.traversal.nsteps = steps.len;
	}
	buf_str(&text, t.traversal.root);
	for (size_t i = 0; i < t.traversal.nsteps; i++) {
		const struct step *s = &t.traversal.steps[i];
		struct inst_key k = KEY_ABSENT;

		if (s->kind == STEP_ATTR) {
			buf_addf(&text, ".%.*s", STR_ARG(s->name));
			continue;
		}
		k.kind = s->key->type == &type_string ? KEY_STRING : KEY_INT;
		if (k.kind == KEY_STRING)
			k.s = s->key->string;
		else
			value_get_int(s->key, &k.i);
		key_print(&text, k);
	}
	rc = instance_addr_parse(a, buf_dup(a, &text), out, &ignored);
	buf_release(&text);
	return rc ? wrong(x, x->im->to, "Invalid import address expression",
			  "The address must name a resource instance.")
		  : 0;
}

static int eval_id(struct resolving *x, struct import_target *t)
{
	struct arena *a = x->w->p->arena;
	const size_t errors = x->w->diags.errors;
	const char *bad = NULL;
	const struct value *v, *s;
	struct verror err;

	if (!x->im->id.root)
		return 0;
	v = eval_expression(a, &x->s.scope, x->im->id, &x->w->diags);
	if (x->w->diags.errors != errors || x->s.failed)
		return -1;
	s = convert(a, v, &type_string, &err);
	if (!s)
		bad = "The id must be a string.";
	else if (value_is_null(s))
		bad = "The id is null.";
	else if (!value_is_known(s))
		bad = "The id is known only after apply; it must be known "
		      "when planning.";
	else if (value_has_mark(s, MARK_SENSITIVE))
		bad = "The id is sensitive, and would show in the plan.";
	else if (!s->string.n)
		bad = "The id is an empty string.";
	if (bad)
		return wrong(x, x->im->id, "Invalid import id argument", bad);
	t->id = str_dup(a, s->string);
	return 0;
}

static int eval_identity(struct resolving *x, struct import_target *t)
{
	struct arena *a = x->w->p->arena;
	const size_t errors = x->w->diags.errors;
	const struct value *v;

	if (!x->im->identity.root)
		return 0;
	v = eval_expression(a, &x->s.scope, x->im->identity, &x->w->diags);
	if (x->w->diags.errors != errors || x->s.failed)
		return -1;
	if (value_is_null(v) || !value_wholly_known(v))
		return wrong(x, x->im->identity,
			     "Invalid import identity argument",
			     "The identity must be known when planning, and "
			     "not null.");
	t->identity = value_unmark_deep(a, v, NULL);
	return 0;
}

static void resolve(struct resolving *x)
{
	struct plan *p = x->w->p;
	struct import_target *t = ARENA_NEW(p->arena, struct import_target);
	struct import_target *other;
	struct str text;

	t->config = x->im;
	if (eval_address(x, &t->addr) || eval_id(x, t) || eval_identity(x, t))
		return;
	text = static_text(p, &t->addr);
	other = map_put(p->arena, &p->import_targets, text, t);
	if (other)
		diag_error(&x->w->diags, &x->im->at,
			   "Duplicate import configuration for resource",
			   "There is another import block for %.*s at "
			   "%.*s:%u,%u.", STR_ARG(text),
			   STR_ARG(other->config->at.file),
			   other->config->at.start.line,
			   other->config->at.start.column);
}

static void resolve_each(struct plan_work *w, const struct cfg_import *im)
{
	struct run_module *root = w->p->run->root;
	struct resolving x = { .w = w, .im = im };
	struct expansion e;

	if (!im->for_each.root) {
		run_scope_init(&x.s, root, NULL);
		resolve(&x);
		return;
	}
	expansion_evaluate(root, EXPRESSION_NONE, im->for_each,
			   EXPRESSION_NONE, &e, &w->diags);
	for (size_t i = 0; i < e.n; i++) {
		struct repetition rep =
			expansion_repetition(w->p->arena, &e, i);

		run_scope_init(&x.s, root, &rep);
		resolve(&x);
	}
}

void plan_imports_resolve(struct plan_work *w)
{
	const struct cfg_module *root = w->p->run->root->config;

	if (w->p->pre_destroy || w->p->mode != RUN_NORMAL ||
	    w->config->addr.mode != MODE_MANAGED)
		return;
	for (size_t i = 0; i < root->imports.len; i++) {
		const struct cfg_import *im = &root->imports.items[i];
		struct expr_vec keys = { 0 };
		struct instance_addr to;

		if (!import_static_address(w->p->arena, im, &to, &keys) &&
		    config_module(w->p->run->config, to.module) ==
			    w->config->module &&
		    resource_addr_equal(to.resource, w->config->addr))
			resolve_each(w, im);
	}
}

struct import_target *plan_import_target(const struct plan *p,
					 const struct instance_addr *i)
{
	struct import_target *t;
	struct buf b = BUF_INIT;

	if (!p->import_targets.len)
		return NULL;
	instance_addr_print(&b, i);
	t = map_get(&p->import_targets, buf_view(&b));
	buf_release(&b);
	return t;
}

/* Targets whose instance the configuration does not ask for. */
void plan_imports_check(struct plan *p)
{
	struct diags ds = DIAGS_INIT(p->arena);

	for (size_t i = 0; i < p->import_targets.len; i++) {
		const struct import_target *t =
			p->import_targets.entries[i].value;
		struct run_module *m =
			run_module(p->run, t->addr.module, &ds);
		struct run_resource *rr =
			m ? run_resource(m, &t->addr.resource, &ds) : NULL;

		if (!rr || expansion_index(&rr->exp, t->addr.key) < 0)
			diag_error(&ds, NULL,
				   "Configuration for import target does not "
				   "exist",
				   "There is no resource block for %.*s to "
				   "import into.",
				   STR_ARG(static_text(p, &t->addr)));
	}
	if (!diags_failed(&ds))
		return;
	p->diags->len = p->diags->errors = 0;
	diags_append(p->diags, &ds);
}

/* --- one instance --- */

static int import_failed(struct job *j, const char *summary,
			 const char *detail)
{
	diag_error(&j->ds, NULL, summary, "%s (%.*s)", detail,
		   STR_ARG(j->text));
	job_fail(j);
	return -1;
}

void job_import(struct job *j, void (*then)(struct job *))
{
	struct import_target *t = plan_import_target(j->p, &j->addr);

	j->after_import = then;
	j->q.import_id = t->id;
	j->q.identity_in = t->identity;
	job_call(j, CALL_IMPORT, imported);
}

static void imported(struct job *j)
{
	const struct provider_imported *got = j->q.imported;

	if (!j->q.nimported) {
		import_failed(j, "Import returned no resources",
			      "The provider found nothing to import.");
		return;
	}
	if (j->q.nimported > 1) {
		import_failed(j, "Multiple import states not supported",
			      "The provider returned several objects.");
		return;
	}
	if (!got->state || value_is_null(got->state)) {
		import_failed(j, "Import returned null resource",
			      "The provider returned no object.");
		return;
	}
	j->now.value = got->state;
	j->now.private_data = got->private_data;
	j->q.prior = value_unmark_deep(j->a, got->state, NULL);
	j->q.private_in = got->private_data;
	j->q.meta = j->meta;
	job_call(j, CALL_READ_RESOURCE, after_read);
}

static void after_read(struct job *j)
{
	const struct value *v = j->q.state;

	if (!v || value_is_null(v)) {
		import_failed(j, "Cannot import non-existent remote object",
			      "The provider says that there is no object with "
			      "this id.");
		return;
	}
	v = normalize_legacy_object(j->a, j->schema->block, v);
	j->now.value = schema_mark_sensitive(j->a, v, j->schema->block);
	j->now.private_data = j->q.private_out;
	j->now.identity = j->q.identity_out;
	j->after_import(j);
}
