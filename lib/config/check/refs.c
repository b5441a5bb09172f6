/*
 * refs.c - static checks of references: does the object exist, is it allowed
 * here?
 *
 * The validate walk calls these before it evaluates; the checks of a whole
 * configuration, which need no walk, are here, too.
 */
#include "config/check/refs.h"
#include "config/check/check_int.h"
#include "addr/reference.h"
#include "config/module.h"
#include "config/module_int.h"
#include "config/test.h"
#include "lang/spec/decode.h"
#include "base/didyoumean.h"
#include "lang/syntax/walk.h"

struct str refs_module_text(const struct cfg_module *m)
{
	return m->path.n ? m->path : STR("the root module");
}

/* --- resources --- */

static const char *const block_of[] = { [MODE_MANAGED] = "resource",
					[MODE_DATA] = "data",
					[MODE_EPHEMERAL] = "ephemeral" };

struct str config_near_resource(struct arena *a, const struct cfg_module *m,
				const struct resource_addr *r)
{
	const struct map *all = config_resources(m, r->mode);
	struct str *names = ARENA_ARRAY(a, struct str, all->len);

	for (size_t i = 0; i < all->len; i++) {
		const struct cfg_resource *c = all->entries[i].value;

		names[i] = cfg_resource_key(a, &c->addr);
	}
	return didyoumean_hint(a, cfg_resource_key(a, r), names, all->len);
}

/* A common mistake is to leave out "data.". */
static const char *other_mode(const struct refs_place *u,
			      struct resource_addr r)
{
	static const enum resource_mode modes[] = { MODE_MANAGED, MODE_DATA,
						    MODE_EPHEMERAL };
	static const char *const names[] = { "managed", "data", "ephemeral" };
	const enum resource_mode mode = r.mode;

	for (int i = 0; i < 3; i++) {
		r.mode = modes[i];
		if (config_resource(u->m, &r))
			return arena_printf(
				u->scratch,
				"\n\nDid you mean the %s resource %.*s?",
				names[i],
				STR_ARG(cfg_resource_key(u->scratch, &r)));
	}
	r.mode = mode;
	return config_near_resource(u->scratch, u->m, &r).p;
}

static void check_instance_key(const struct refs_place *u,
			       const struct reference *ref,
			       const struct cfg_resource *r)
{
	bool repeated = r->count.root || r->for_each.root;
	struct range at;
	struct str name;

	if (ref->key.kind != KEY_NONE ? repeated : !repeated || !ref->nrest)
		return;
	at = source_range(ref->src, ref->span);
	name = cfg_resource_key(u->scratch, &ref->resource);
	if (!repeated)
		diag_error(u->ds, &at, "Unexpected resource instance key",
			   "%.*s has neither \"count\" nor \"for_each\", so "
			   "there is one instance without a key.",
			   STR_ARG(name));
	else
		diag_error(u->ds, &at, "Missing resource instance key",
			   "%.*s has \"%s\", so an attribute belongs to one "
			   "of its instances:\n    %.*s[%s]",
			   STR_ARG(name), r->count.root ? "count" : "for_each",
			   STR_ARG(name),
			   r->count.root ? "count.index" : "each.key");
}

static void check_resource(const struct refs_place *u,
			   const struct reference *ref)
{
	const struct cfg_resource *r = config_resource(u->m, &ref->resource);
	struct range at;
	struct str name;

	if (!r) {
		at = source_range(ref->src, ref->span);
		diag_error(u->ds, &at, "Reference to undeclared resource",
			   "%.*s has no %s \"%.*s\" \"%.*s\".%s",
			   STR_ARG(refs_module_text(u->m)),
			   block_of[ref->resource.mode],
			   STR_ARG(ref->resource.type),
			   STR_ARG(ref->resource.name),
			   other_mode(u, ref->resource));
		return;
	}
	check_instance_key(u, ref, r);
	if (r->check && r->check != u->check) {
		name = cfg_resource_key(u->scratch, &ref->resource);
		at = source_range(ref->src, ref->span);
		diag_error(
			u->ds, &at, "Reference to scoped resource",
			"%.*s belongs to a check block and is not available here.",
			STR_ARG(name));
	}
	if (ref->nrest && ref->rest[0].kind == STEP_ATTR &&
	    str_is(ref->rest[0].name, "count")) {
		name = cfg_resource_key(u->scratch, &ref->resource);
		at = source_range(ref->src, ref->span);
		diag_error(u->ds, &at, "Invalid resource count attribute",
			   "Use length(%.*s) to count the instances.",
			   STR_ARG(name));
	}
}

static void check_module(const struct refs_place *u,
			 const struct reference *ref)
{
	struct range at;

	if (map_has(&u->m->calls, ref->name))
		return;
	at = source_range(ref->src, ref->span);
	diag_error(u->ds, &at, "Reference to undeclared module",
		   "%.*s has no module call \"%.*s\".%s",
		   STR_ARG(refs_module_text(u->m)), STR_ARG(ref->name),
		   didyoumean_key(u->scratch, ref->name, &u->m->calls).p);
}

/* --- everything else --- */

/* The range of the reference, for a diagnostic. */
static const struct range *at_ref(const struct reference *ref, struct range *r)
{
	*r = source_range(ref->src, ref->span);
	return r;
}

static void check_variable(const struct refs_place *u,
			   const struct reference *ref)
{
	struct str near;
	struct range at;

	if (map_has(&u->m->variables, ref->name))
		return;
	near = didyoumean_key(u->scratch, ref->name, &u->m->variables);
	if (!near.n)
		near = str_printf(
			u->scratch,
			" It can be declared with a variable \"%.*s\" {} block.",
			STR_ARG(ref->name));
	diag_error(u->ds, at_ref(ref, &at),
		   "Reference to undeclared input variable",
		   "There is no variable \"%.*s\".%.*s", STR_ARG(ref->name),
		   STR_ARG(near));
}

static void check_local_name(const struct refs_place *u,
			     const struct reference *ref)
{
	struct range at;

	if (map_has(&u->m->locals, ref->name))
		return;
	diag_error(u->ds, at_ref(ref, &at),
		   "Reference to undeclared local value",
		   "There is no local value \"%.*s\".%s", STR_ARG(ref->name),
		   didyoumean_key(u->scratch, ref->name, &u->m->locals).p);
}

static void check_count(const struct refs_place *u, const struct reference *ref)
{
	struct range at;

	if (!str_is(ref->name, "index"))
		diag_error(u->ds, at_ref(ref, &at),
			   "Invalid \"count\" attribute",
			   "\"count\" has the attribute index only.");
	else if (!u->count)
		diag_error(u->ds, at_ref(ref, &at),
			   "Reference to \"count\" in non-counted context",
			   "\"count\" exists only in module, resource and data "
			   "blocks that set \"count\".");
}

static void check_each(const struct refs_place *u, const struct reference *ref)
{
	bool value = str_is(ref->name, "value");
	struct range at;

	if (!value && !str_is(ref->name, "key"))
		diag_error(u->ds, at_ref(ref, &at),
			   "Invalid \"each\" attribute",
			   "\"each\" has the attributes key and value only.");
	else if (!u->each && value)
		diag_error(
			u->ds, at_ref(ref, &at),
			"each.value cannot be used in this context",
			"each.value exists only in blocks that set \"for_each\".");
	else if (!u->each)
		diag_error(u->ds, at_ref(ref, &at),
			   "Reference to \"each\" in context without for_each",
			   "\"each\" exists only in module and resource blocks "
			   "that set \"for_each\".");
}

static void check_path(const struct refs_place *u, const struct reference *ref)
{
	static const struct str names[] = { STR_INIT("cwd"), STR_INIT("module"),
					    STR_INIT("root") };
	struct range at;
	struct str near;

	for (int i = 0; i < 3; i++)
		if (str_eq(ref->name, names[i]))
			return;
	near = didyoumean(ref->name, names, 3);
	diag_error(u->ds, at_ref(ref, &at), "Invalid \"path\" attribute",
		   "\"path\" has no attribute \"%.*s\".%s%.*s%s",
		   STR_ARG(ref->name), near.p ? " Did you mean \"" : "",
		   STR_ARG(near), near.p ? "\"?" : "");
}

static void check_terraform(const struct refs_place *u,
			    const struct reference *ref)
{
	struct range at;

	if (str_is(ref->name, "workspace") || str_is(ref->name, "applying"))
		return;
	diag_error(u->ds, at_ref(ref, &at),
		   arena_printf(u->ds->arena, "Invalid \"%.*s\" attribute",
				STR_ARG(ref->root)),
		   "\"%.*s\" has the attribute workspace only.",
		   STR_ARG(ref->root));
}

static void check_other(const struct refs_place *u, const struct reference *ref)
{
	switch (ref->kind) {
	case REF_VARIABLE:
		check_variable(u, ref);
		break;
	case REF_LOCAL:
		check_local_name(u, ref);
		break;
	case REF_COUNT:
		check_count(u, ref);
		break;
	case REF_EACH:
		check_each(u, ref);
		break;
	case REF_PATH:
		check_path(u, ref);
		break;
	case REF_TERRAFORM:
		check_terraform(u, ref);
		break;
	default:
		break;
	}
}

/* --- units --- */

static bool is_static(const struct reference *ref)
{
	return ref->kind == REF_RESOURCE || ref->kind == REF_MODULE ||
	       ref->kind == REF_SELF;
}

/* self is another name of the resource. */
static void check_self(const struct refs_place *u, const struct reference *ref)
{
	struct reference named = *ref;

	if (!u->steps || !u->self_is)
		return;
	named.kind = REF_RESOURCE;
	named.resource = *u->self_is;
	u->steps(u->data, &named);
}

static void check_static(const struct refs_place *u,
			 const struct reference *ref)
{
	struct range at;

	if (ref->kind == REF_RESOURCE) {
		check_resource(u, ref);
		if (u->steps)
			u->steps(u->data, ref);
	} else if (ref->kind == REF_MODULE) {
		check_module(u, ref);
	} else if (u->self) {
		check_self(u, ref);
	} else {
		at = source_range(ref->src, ref->span);
		diag_error(u->ds, &at, "Invalid \"self\" reference",
			   "\"self\" exists only in provisioner and connection "
			   "blocks and in postconditions.");
	}
}

/* Of a reference without a name OpenTofu also says that there is no object of
 * the empty name, and in lists sorted by place it says so first. */
static void nothing_named(const struct refs_place *u, struct str root)
{
	static const struct {
		const char *root, *summary;
	} table[] = {
		{ "var", "Reference to undeclared input variable" },
		{ "local", "Reference to undeclared local value" },
		{ "path", "Invalid \"path\" attribute" },
		{ "terraform", "Invalid \"terraform\" attribute" },
		{ "tofu", "Invalid \"tofu\" attribute" },
		{ "count", "Invalid \"count\" attribute" },
		{ "each", "Invalid \"each\" attribute" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (str_is(root, table[i].root))
			diag_error(
				u->ds, NULL, table[i].summary,
				"The name of what is referred to is missing.");
}

static void parse_reference(const struct refs_place *u,
			    const struct traversal_ref *t,
			    struct reference *refs, size_t *n)
{
	struct diags invalid = DIAGS_INIT(u->scratch);

	if (!reference_parse(u->ds->arena, t, &refs[*n], &invalid)) {
		++*n;
		return;
	}
	nothing_named(u, t->traversal.root);
	diags_append(u->ds, &invalid);
}

/* run.x: an earlier run of a test. */
static bool of_tests(const struct refs_place *u, const struct traversal_ref *t)
{
	const struct cfg_test *test = u->m->config->test;

	return !u->assertion && test && test->runs.len &&
	       str_is(t->traversal.root, "run");
}

unsigned config_refs_check(const struct refs_place *u,
			   const struct traversal_vec *vars)
{
	struct reference *refs =
		ARENA_ARRAY(u->scratch, struct reference, vars->len);
	size_t errors = u->ds->errors, n = 0;
	unsigned wrong = 0;

	for (size_t i = 0; i < vars->len; i++)
		if (!of_tests(u, &vars->items[i]))
			parse_reference(u, &vars->items[i], refs, &n);
	if (u->ds->errors > errors)
		wrong |= REFS_UNREADABLE;
	errors = u->ds->errors;
	for (size_t i = 0; i < n; i++)
		if (is_static(&refs[i]))
			check_static(u, &refs[i]);
	if (u->ds->errors > errors)
		return wrong | REFS_NO_OBJECT;
	for (size_t i = 0; i < n; i++)
		if (!is_static(&refs[i]))
			check_other(u, &refs[i]);
	return u->ds->errors > errors ? wrong | REFS_NO_VALUE : wrong;
}

void refs_check_expr(const struct refs_place *u, struct expression e)
{
	struct traversal_vec vars = { 0 };

	if (!e.root || e.root->kind == EXPR_LITERAL)
		return;
	arena_reset(u->scratch);
	expression_variables(u->scratch, e, &vars);
	config_refs_check(u, &vars);
}

void refs_check_body(const struct refs_place *u, const struct body *b)
{
	struct traversal_vec vars = { 0 };

	if (!b)
		return;
	arena_reset(u->scratch);
	body_variables_unexpanded(u->scratch, b, &vars);
	config_refs_check(u, &vars);
}

void refs_check_conditions(const struct refs_place *u,
			   const struct cfg_condition_vec *v)
{
	for (size_t i = 0; i < v->len; i++) {
		refs_check_expr(u, v->items[i].condition);
		refs_check_expr(u, v->items[i].error_message);
	}
}

void config_refs_depends_on(const struct refs_place *u,
			    const struct traversal_vec *v)
{
	struct refs_place plain = *u;
	size_t errors = u->ds->errors;

	plain.count = plain.each = plain.self = false;
	for (size_t i = 0; i < v->len; i++) {
		struct traversal_vec one = { &v->items[i], 1, 1 };
		struct reference ref;
		struct range at;

		if (reference_parse(u->scratch, &v->items[i], &ref, u->ds))
			continue;
		/* An output is part of the reference; anything more is not. */
		if (ref.nrest) {
			struct span rest = { ref.rest[0].span.start,
					     ref.rest[ref.nrest - 1].span.end };

			at = source_range(ref.src, rest);
			diag_error(
				u->ds, &at, "Invalid depends_on reference",
				"\"depends_on\" names whole objects, not their attributes.");
		}
		if (u->ds->errors == errors)
			config_refs_check(&plain, &one);
	}
}

/* --- all of it --- */

void config_check_references(const struct config *c, struct diags *ds)
{
	struct arena scratch = ARENA_INIT;

	if (config_check_arguments(c, ds))
		return;
	for (size_t i = 0; i < c->modules.len; i++) {
		const struct cfg_module *m = c->modules.entries[i].value;
		struct refs_place u = { .m = m, .scratch = &scratch, .ds = ds };

		refs_check_objects(m, &u);
	}
	arena_release(&scratch);
}

void config_check_expression(const struct cfg_module *m, struct expression e,
			     struct diags *ds)
{
	struct arena scratch = ARENA_INIT;
	struct refs_place u = { .m = m, .scratch = &scratch, .ds = ds };

	refs_check_expr(&u, e);
	arena_release(&scratch);
}
