/*
 * import.c - import blocks: objects that exist already become managed
 *
 * Blocks are in the root module.  Addresses, ids and identities are evaluated
 * when the node of the resource they import into is visited.
 */
#include "engine/plan/plan_int.h"
#include "config/check/refs.h"
#include "config/module.h"
#include "engine/object/objchange.h"
#include "engine/run/expand.h"
#include "engine/run/imports.h"
#include "engine/run/providers.h"
#include "engine/run/values.h"
#include "graph/plan_graph.h"
#include "lang/spec/decode.h"
#include "value/marks.h"
#include "base/product.h"

static struct str static_text(struct plan *p, const struct instance_addr *i)
{
	return instance_addr_text(p->arena, i);
}

static int no_configuration(struct diags *ds, const struct cfg_import *im,
			    struct str text)
{
	return diag_error(ds, &im->at,
			  "Configuration for import target does not exist",
			  "There is no resource block for %.*s to import into.",
			  STR_ARG(text));
}

/* Configuration is generated for single resources of the root module. */
static void not_generated(struct arena *a, const struct config *c,
			  const struct cfg_import *im,
			  const struct instance_addr *to, bool keys,
			  struct diags *ds)
{
	struct str text = instance_addr_text(a, to);

	if (!config_module(c, to->module) || (to->module.len && !keys))
		diag_error(
			ds, &im->at,
			"Cannot generate configuration for resource inside sub-module",
			"%.*s has no configuration; it can be generated in the root module only.",
			STR_ARG(text));
	else if (keys || to->key.kind != KEY_NONE)
		diag_error(
			ds, &im->at,
			"Configuration generation for count and for_each resources not supported",
			"%.*s has no configuration; it can be generated "
			"only without instance keys.",
			STR_ARG(text));
}

int imports_validate(struct arena *a, const struct config *c, bool generate,
		     struct diags *ds)
{
	const size_t errors = ds->errors;

	for (size_t i = 0; i < c->root->imports.len; i++) {
		const struct cfg_import *im = &c->root->imports.items[i];
		struct expr_vec keys = { 0 };
		struct instance_addr to;

		if (import_static_address(a, im, &to, &keys) ||
		    (to.resource.mode == MODE_MANAGED &&
		     config_resource_at(c, to.module, &to.resource)))
			continue;
		if (generate && to.resource.mode == MODE_MANAGED)
			not_generated(a, c, im, &to, keys.len > 0, ds);
		else
			no_configuration(ds, im, instance_addr_text(a, &to));
	}
	return ds->errors == errors ? 0 : -1;
}

static void resolve(struct import_eval *x, void *data)
{
	struct plan_work *w = data;
	struct plan *p = w->p;
	struct import_target *t = ARENA_NEW(p->arena, struct import_target);
	const struct cfg_resource *c = w->config;
	const struct resource_schema *schema;
	struct range at;

	t->config = x->im;
	/* A type without a schema is reported where the object is planned. */
	schema = run_resource_schema(p->run, c->provider, &c->addr, NULL);
	if (!schema || import_eval_address(x, &t->addr) ||
	    import_eval_id(x, &t->id) ||
	    import_eval_identity(x, c->addr.type, schema, &t->identity))
		return;
	if (!t->id.n && !t->identity && import_is_invented(p, c)) {
		at = expression_range(x->im->id);
		diag_error(x->ds, &at, "Invalid import id argument",
			   "It is empty, so that nothing is imported, and no "
			   "configuration can be generated.");
		return;
	}
	vec_push(p->arena, &w->imports, t);
}

static void add_target(struct plan_work *w, struct import_target *t)
{
	struct plan *p = w->p;
	struct diags *ds = &w->diags;
	struct buf quoted = BUF_INIT;
	struct import_target *other;
	struct str text;

	text = static_text(p, &t->addr);
	other = map_put(p->arena, &p->import_targets, text, t);
	if (!other)
		return;
	addr_print_quoted(&quoted, text);
	diag_error(ds, &other->config->at,
		   arena_printf(ds->arena,
				"Duplicate import configuration for %.*s",
				STR_ARG(buf_view(&quoted))),
		   "There is another import block for it at %.*s:%u,%u.",
		   STR_ARG(other->config->at.file),
		   other->config->at.start.line,
		   other->config->at.start.column);
	buf_release(&quoted);
}

void plan_imports_add(struct plan_work *w)
{
	for (size_t i = 0; i < w->imports.len; i++)
		add_target(w, w->imports.items[i]);
}

void plan_imports_resolve(struct plan_work *w)
{
	struct plan *p = w->p;
	const struct import_vec *all = imports_of(&p->pg->imports, w->config);
	struct import_eval x = {
		.arena = p->arena,
		.run = p->run,
		.ds = &w->diags,
		.each = resolve,
		.data = w,
	};

	w->imports.len = 0;
	if (p->pre_destroy || p->mode != RUN_NORMAL)
		return;
	for (size_t i = 0; all && i < all->len; i++) {
		x.im = all->items[i];
		import_eval_each(&x);
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
int plan_imports_check(struct plan *p, struct diags_mark before)
{
	struct diags ds = DIAGS_INIT(p->arena);

	for (size_t i = 0; i < p->import_targets.len; i++) {
		const struct import_target *t =
			p->import_targets.entries[i].value;
		struct run_module *m = run_module(p->run, t->addr.module, &ds);
		struct run_resource *rr =
			m ? run_resource(m, &t->addr.resource, &ds) : NULL;

		if (!rr || expansion_index(&rr->exp, t->addr.key) < 0)
			diag_error(
				&ds, NULL,
				"Configuration for import target does not exist",
				"There is no resource block for %.*s to import into.",
				STR_ARG(static_text(p, &t->addr)));
	}
	if (!diags_failed(&ds))
		return 0;
	diags_rollback(p->diags, before);
	diags_append(p->diags, &ds);
	return -1;
}

/* --- the import command --- */

int import_command_check(struct arena *a, const struct config *c,
			 struct state *s, const struct plan_import *im,
			 struct diags *ds)
{
	struct str text = instance_addr_text(a, &im->addr);
	struct state_resource *sr;

	if (import_target_check(a, c, &im->addr, ds))
		return -1;
	sr = state_resource(s, im->addr.module, &im->addr.resource);
	if (sr && state_instance(sr, im->addr.key))
		return diag_error(ds, NULL,
				  arena_printf(a,
					       "Resource already managed by %s",
					       product_peer()),
				  "There is an object at %.*s already. To "
				  "import another one, remove that from the "
				  "state first.",
				  STR_ARG(text));
	return 0;
}

void plan_import_command(struct plan *p, const struct plan_import *im)
{
	struct import_target *t = ARENA_NEW(p->arena, struct import_target);

	t->addr = im->addr;
	t->id = im->id;
	t->command = true;
	map_put(p->arena, &p->import_targets, static_text(p, &t->addr), t);
}

/* --- one instance --- */

/* The id or identity that was asked for, in words. */
static const char *wanted(struct job *j)
{
	const struct import_target *t = j->importing;

	return t->identity
		       ? "this identity"
		       : arena_printf(j->w.a, "ID \"%.*s\"", STR_ARG(t->id));
}

static enum worked import_failed(struct job *j, const char *summary,
				 const char *detail)
{
	diag_error(&j->w.ds, NULL, summary,
		   "Importing to %.*s: the provider %.*s %s %s.",
		   STR_ARG(j->w.text), STR_ARG(j->w.provider->text), detail,
		   wanted(j));
	return WORK_FAIL;
}

static void tell_start(struct job *j, const struct import_target *t)
{
	struct events *e = j->p->opts.events;

	if (!e)
		return;
	if (t->command)
		event_import(e, &j->w.addr,
			     arena_printf(j->w.a,
					  ": Importing from ID \"%.*s\"...",
					  STR_ARG(t->id)),
			     STR_NONE, NULL);
	else
		event_import(e, &j->w.addr, ": Preparing import...", t->id,
			     t->identity);
}

enum worked job_import(struct worker *w)
{
	struct job *j = job_of(w);
	const struct import_target *t = j->importing;

	if (!t)
		return WORK_NEXT;
	w->q = (struct provider_request){
		.import.in = { t->id, t->identity },
	};
	tell_start(j, t);
	return worker_call(w, CALL_IMPORT);
}

static void tell_imported(struct job *j)
{
	struct events *e = j->p->opts.events;

	if (!e)
		return;
	if (j->importing->command) {
		event_import(e, &j->w.addr, ": Import prepared!", STR_NONE,
			     NULL);
		event_import(e, NULL,
			     arena_printf(j->w.a, "  Prepared %.*s for import",
					  STR_ARG(j->w.addr.resource.type)),
			     STR_NONE, NULL);
	}
	job_reads(j, j->now.value);
}

enum worked job_imported(struct worker *w)
{
	struct job *j = job_of(w);
	const struct provider_imported *got = w->q.import.out.imported;

	if (!w->answered)
		return WORK_NEXT;
	if (!w->q.import.out.n)
		return import_failed(j, "Import returned no resources",
				     "found nothing for");
	if (w->q.import.out.n > 1)
		return import_failed(j, "Multiple import states not supported",
				     "returned several objects for");
	if (got->type.n && !str_eq(got->type, w->addr.resource.type))
		return import_failed(j, "Import returned another resource type",
				     arena_printf(w->a, "returned a %.*s for",
						  STR_ARG(got->type)));
	if (!got->object.value || value_is_null(got->object.value))
		return import_failed(j, "Import returned null resource",
				     "returned an empty object for");
	j->now.value = got->object.value;
	j->now.private_data = got->object.private_data;
	w->q = (struct provider_request){
		.read.in = { value_unmark_deep(w->a, j->now.value, NULL),
			     j->now.private_data, j->importing->identity },
	};
	tell_imported(j);
	return worker_call(w, CALL_READ_RESOURCE);
}

/* Marks the attributes of an imported object that are sensitive in the
 * configuration, as far as it can be evaluated: the command has no key of the
 * instance, a plan an unknown one.  Planning the object reports its errors. */
static const struct value *mark_configured(struct job *j, const struct value *v)
{
	struct worker *w = &j->w;
	struct diags ignored = DIAGS_INIT(w->a);
	const struct value *c;
	struct path_vec paths = { 0 };
	const struct expansion unknown = { .kind = EXPAND_UNKNOWN };
	const struct repetition rep = expansion_repetition(w->a, &unknown, 0);
	struct run_scope s;

	if (!w->block)
		return v;
	run_scope_init(&s, w->module, j->importing->command ? NULL : &rep);
	c = body_decode(w->a, w->block->body, w->schema->block, &s.scope,
			&ignored);
	if (diags_failed(&ignored) || s.failed)
		return v;
	value_marked_paths(w->a, c, MARK_SENSITIVE, &paths);
	return paths.len ? value_mark_paths(w->a, v, &paths, &marks_sensitive)
			 : v;
}

enum worked job_import_read(struct worker *w)
{
	struct job *j = job_of(w);
	const struct value *v = w->q.read.out.value;

	if (!w->answered)
		return WORK_NEXT;
	job_has_read(j, v);
	if (!v || value_is_null(v))
		return import_failed(j,
				     "Cannot import non-existent remote object",
				     "says that there is no object with");
	if (job_read_unknown(j, v))
		return WORK_FAIL;
	v = normalize_legacy_object(w->a, w->schema->block, v);
	v = schema_mark_sensitive(w->a, v, w->schema->block);
	j->now.value = mark_configured(j, v);
	j->now.private_data = w->q.read.out.private_data;
	j->now.identity = w->q.read.out.identity;
	return WORK_NEXT;
}
