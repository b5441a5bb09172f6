/* imports.c - see imports.h */
#include "engine/run/imports.h"
#include "addr/walk.h"
#include "config/check/refs.h"
#include "engine/run/expand.h"
#include "engine/run/run_int.h"
#include "engine/run/values.h"
#include "lang/eval/eval.h"
#include "lang/syntax/walk.h"
#include "value/marks.h"
#include "value/number.h"

enum { MOST_STEPS = 200 }; /* as import_static_address has it */

static int wrong(struct import_eval *x, struct expression e,
		 const char *summary, const char *what)
{
	struct range at = expression_range(e);

	return diag_error(x->ds, &at, summary, "%s", what);
}

/* --- for_each: lists are allowed here --- */

static const struct value *tuple_of(struct import_eval *x)
{
	struct diags quiet = DIAGS_INIT(x->arena);
	const struct value *v =
		eval_expression(x->arena, &x->s.scope, x->im->for_each, &quiet);

	return quiet.errors == 0 && v->type->kind == TYPE_TUPLE &&
			       value_usable(v) && !v->marks
		       ? v
		       : NULL;
}

static void each_of_tuple(struct import_eval *x, const struct value *v)
{
	for (uint32_t i = 0; i < v->len; i++) {
		struct repetition rep = { NULL, value_int(x->arena, i),
					  v->elems[i] };

		run_scope_init(&x->s, x->run->root, &rep);
		x->each(x, x->data);
	}
}

/* Validation does not look at them.  -1: it would be no use to evaluate. */
static int check_references(struct import_eval *x)
{
	const struct refs_place here = { .m = x->run->root->config,
					 .scratch = x->arena,
					 .ds = x->ds };
	struct traversal_vec refs = { 0 };

	expression_variables(x->arena, x->im->for_each, &refs);
	return config_refs_check(&here, &refs) ? -1 : 0;
}

void import_eval_each(struct import_eval *x)
{
	struct run_module *root = x->run->root;
	const struct value *tuple;
	struct expansion e;

	run_scope_init(&x->s, root, NULL);
	if (!x->im->for_each.root) {
		x->each(x, x->data);
		return;
	}
	tuple = tuple_of(x);
	if (tuple) {
		each_of_tuple(x, tuple);
		return;
	}
	if (check_references(x))
		return;
	expansion_compute(root, EXPRESSION_NONE, x->im->for_each,
			  EXPRESSION_NONE, &e, x->ds);
	if (e.kind != EXPAND_EACH)
		return;
	for (size_t i = 0; i < e.n; i++) {
		struct repetition rep = expansion_repetition(x->arena, &e, i);

		run_scope_init(&x->s, root, &rep);
		x->each(x, x->data);
	}
}

/* --- the address --- */

/* An index key. */
static int eval_key(struct import_eval *x, const struct expr *e,
		    struct inst_key *out)
{
	struct expression key = { x->im->to.src, e };
	const size_t errors = x->ds->errors;
	const char *bad = NULL;
	const struct value *v;

	v = eval_expression(x->arena, &x->s.scope, key, x->ds);
	if (x->ds->errors != errors || x->s.failed)
		return -1;
	if (!value_is_known(v))
		bad = "The key is known only after apply.";
	else if (value_is_null(v))
		bad = "The key is null.";
	else if (v->type != &type_string && v->type != &type_number)
		bad = "The key must be a string or a whole number.";
	else if (value_has_mark(v, MARK_SENSITIVE))
		bad = "The key is sensitive, and would show in an address.";
	else if (value_has_mark(v, MARK_EPHEMERAL))
		bad = "The key is ephemeral, and would show in an address.";
	else if (v->type == &type_string)
		*out = (struct inst_key){ KEY_STRING, 0, v->string };
	else if (value_get_int(v, &out->i))
		out->kind = KEY_INT;
	else
		bad = "The key must be a string or a whole number.";
	return bad ? wrong(x, key,
			   "Import block 'to' address contains an invalid key",
			   bad)
		   : 0;
}

static void add_step(struct buf *text, const struct step *s)
{
	struct inst_key k = KEY_ABSENT;

	if (s->kind == STEP_ATTR) {
		buf_addf(text, ".%.*s", STR_ARG(s->name));
		return;
	}
	if (s->key->type == &type_string)
		k = (struct inst_key){ KEY_STRING, 0, s->key->string };
	else if (value_get_int(s->key, &k.i))
		k.kind = KEY_INT;
	inst_key_print(text, k);
}

static void add_traversal(struct buf *text, const struct traversal *t)
{
	buf_str(text, t->root);
	for (size_t i = 0; i < t->nsteps; i++)
		add_step(text, &t->steps[i]);
}

/* The address as text, its keys evaluated. */
static int address_text(struct import_eval *x, struct buf *text)
{
	const struct expr *chain[MOST_STEPS], *e = x->im->to.root;
	struct traversal_ref t = { .src = x->im->to.src };
	size_t n = 0;

	if (e->kind == EXPR_JSON) {
		if (expression_traversal(x->arena, x->im->to, &t, x->ds))
			return -1;
		add_traversal(text, &t.traversal);
		return 0;
	}
	for (; e->kind == EXPR_INDEX || e->kind == EXPR_GET_ATTR; e = e->get.on)
		chain[n++] = e;
	add_traversal(text, &e->scope);
	while (n--) {
		struct inst_key k = KEY_ABSENT;

		if (chain[n]->kind == EXPR_GET_ATTR) {
			add_step(text, &chain[n]->get.step);
			continue;
		}
		if (eval_key(x, chain[n]->get.key, &k))
			return -1;
		inst_key_print(text, k);
	}
	return 0;
}

int import_eval_address(struct import_eval *x, struct instance_addr *out)
{
	struct diags ignored = DIAGS_INIT(x->arena);
	struct buf text = BUF_INIT;
	int rc = address_text(x, &text);

	if (!rc && instance_addr_parse(x->arena, buf_dup(x->arena, &text), out,
				       &ignored))
		rc = wrong(x, x->im->to, "Invalid import address expression",
			   "The address must name a resource instance.");
	buf_release(&text);
	return rc;
}

/* --- id and identity --- */

/* NULL after a diagnostic, or when it is unknown and may be. */
static const struct value *eval_argument(struct import_eval *x,
					 struct expression e,
					 const struct type *t,
					 const char *summary, int *rc)
{
	const size_t errors = x->ds->errors;
	const char *bad = NULL;
	const struct value *v;

	*rc = -1;
	x->s.failed = false;
	v = eval_convert(x->arena, &x->s.scope, e, t, "Incorrect value type",
			 x->ds);
	if (x->ds->errors != errors || x->s.failed)
		return NULL;
	if (value_is_null(v)) {
		bad = "It must not be null.";
	} else if (!value_wholly_known(v)) {
		if (x->checking) {
			*rc = 0;
			return NULL;
		}
		bad = "It depends on attributes that are known only after "
		      "apply; to import, it must be known when planning.";
	} else if (value_has_mark_deep(v, MARK_SENSITIVE)) {
		bad = "It must not be sensitive: the plan shows it.";
	} else if (value_has_mark_deep(v, MARK_EPHEMERAL)) {
		bad = "It must not be ephemeral: the plan shows it.";
	}
	if (bad) {
		wrong(x, e, summary, bad);
		return NULL;
	}
	*rc = 0;
	return value_unmark_deep(x->arena, v, NULL);
}

int import_eval_id(struct import_eval *x, struct str *out)
{
	const struct value *v;
	int rc;

	*out = STR_NONE;
	if (!x->im->id.root)
		return 0;
	v = eval_argument(x, x->im->id, &type_string,
			  "Invalid import id argument", &rc);
	if (v)
		*out = str_dup(x->arena, v->string);
	return rc;
}

int import_eval_identity(struct import_eval *x, struct str type,
			 const struct resource_schema *schema,
			 const struct value **out)
{
	const struct value *v;
	struct range at;
	int rc;

	*out = NULL;
	if (!x->im->identity.root)
		return 0;
	at = expression_range(x->im->identity);
	if (!schema || !schema->identity)
		return diag_error(
			x->ds, &at,
			"Unable to determine identity schema for import identity",
			"The provider has no identities for objects "
			"of type \"%.*s\"; import by id.",
			STR_ARG(type));
	v = eval_argument(x, x->im->identity,
			  schema_written_type(x->arena, schema->identity),
			  "Invalid import identity argument", &rc);
	*out = v ? value_copy(x->run->arena, v) : NULL;
	return rc;
}
