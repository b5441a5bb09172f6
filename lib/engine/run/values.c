/*
 * values.c - named values, evaluated on demand and kept
 *
 * A value is evaluated in a scratch arena and copied into the run's.  A memo
 * that is asked for while it is being evaluated is a reference cycle; the
 * graph reports those with their places before anything is evaluated, so here
 * it only has to end.
 */
#include "config/module.h"
#include "engine/run/run_int.h"
#include "engine/run/conditions.h"
#include "engine/run/values.h"
#include "config/check/refs.h"
#include "engine/run/expand.h"
#include "engine/run/inputs.h"
#include "engine/run/overrides.h"
#include "graph/plan_graph.h"
#include "lang/eval/eval.h"
#include "lang/syntax/walk.h"
#include "value/marks.h"
#include "value/number.h"

/* The console: an unknown value does not hide wrong names, and what is said of
 * them is what validation says. */
static bool names_are_wrong(struct run_module *m, const struct repetition *rep,
			    struct expression e, struct diags *ds)
{
	struct arena scratch = ARENA_INIT;
	struct traversal_vec refs = { 0 };
	const struct refs_place place = { .m = m->config,
					  .count = rep != NULL,
					  .each = rep != NULL,
					  .scratch = &scratch,
					  .ds = ds };
	bool wrong;

	if (!m->run->opts.console || !e.root)
		return false;
	expression_variables(&scratch, e, &refs);
	wrong = config_refs_check(&place, &refs) ||
		schema_check_references(&scratch, m, &refs, ds);
	arena_release(&scratch);
	return wrong;
}

/* Evaluates e in m, with rep (may be NULL), as a part of ev (may be NULL); the
 * result is in the run's arena.  *failed is set on errors of this evaluation
 * and when it used what had failed before. */
static const struct value *run_evaluate(struct run_module *m,
					const struct repetition *rep,
					struct expression e, struct eval *ev,
					bool *failed, struct diags *ds)
{
	struct arena scratch = ARENA_INIT;
	size_t errors = ds->errors;
	const struct value *v;
	struct run_scope s;

	if (names_are_wrong(m, rep, e, ds)) {
		*failed = true;
		return &value_unknown_dynamic;
	}
	run_scope_init(&s, m, rep);
	if (ev) {
		struct eval sub = *ev;

		sub.arena = &scratch;
		v = eval_sub(&sub, &s.scope, e, ds);
		if (e.root && value_has_mark_deep(v, MARK_DEPRECATED)) {
			struct range at = expression_range(e);

			v = eval_report_deprecated(&scratch, v, &at, ds);
		}
	} else {
		v = eval_expression(&scratch, &s.scope, e, ds);
	}
	if (s.failed || ds->errors != errors)
		*failed = true;
	if (ds->errors != errors || (s.failed && m->run->opts.console))
		v = &value_unknown_dynamic; /* not what could be made */
	v = value_copy(m->run->arena, v);
	arena_release(&scratch);
	return v;
}

/* Is there a value already? Otherwise the caller evaluates and calls keep. */
static const struct value *kept(struct run *r, struct run_memo *memo,
				bool *failed, struct diags *ds, struct str what)
{
	if (run_memo_kept(memo)) {
		if (memo->waits)
			run_asks(r, memo->waits);
		r->doubts += memo->doubtful;
		*failed |= memo->failed;
		return memo->value;
	}
	if (memo->running) {
		diag_error(ds, NULL, "Cycle", "%.*s depends on itself.",
			   STR_ARG(what));
		*failed = true;
		return &value_unknown_dynamic;
	}
	memo->running = true;
	memo->asked = r->asked;
	memo->doubts = r->doubts;
	return NULL;
}

static const struct value *keep(struct run *r, struct run_memo *memo,
				const struct value *v, bool bad, bool *failed)
{
	memo->running = false;
	memo->doubtful = r->doubts != memo->doubts;
	memo->waits = r->asked != memo->asked ? r->asked_last : NULL;
	memo->value = v;
	memo->failed = bad;
	*failed |= bad;
	return v;
}

const struct attribute *run_module_argument(struct run_module *m,
					    struct str name)
{
	struct run_call *c = m->call;

	if (!c->args_read) {
		call_arguments(m->run->arena, c->config, &c->args);
		c->args_read = true;
	}
	return map_get(&c->args, name);
}

/* The default of a variable, worked out once for all modules that share its
 * expression, since they are called from one directory. */
static const struct value *default_of(struct run *r,
				      const struct cfg_variable *v,
				      struct diags *ds)
{
	const void *const of[] = { v->default_value.root, v->type,
				   v->defaults };
	const struct str key = { (const char *)of, sizeof(of) };
	struct map_entry *known;

	if (!v->default_value.root)
		return NULL;
	known = map_slot(r->arena, &r->defaults, key);
	if (!known->value) {
		known->key = str_dup(r->arena, key);
		known->value = (void *)variable_default(r->arena, v, ds);
	}
	return known->value;
}

/* The value of a variable by the call of its module. */
static const struct value *argument_value(struct run_module *m,
					  const struct cfg_variable *v,
					  struct eval *ev, bool *bad,
					  struct diags *ds)
{
	const struct value *value, *given = NULL;
	const struct attribute *arg;
	size_t errors = ds->errors;
	struct range at = v->at;

	arg = run_module_argument(m, v->name);
	if (arg) {
		given = run_evaluate(m->parent, &m->rep, arg->expr, ev, bad,
				     ds);
		at = expression_range(arg->expr);
		if (*bad)
			return given;
	}
	value = variable_settle_argument(m->run->arena, v,
					 default_of(m->run, v, ds), given, &at,
					 ds);
	*bad |= ds->errors != errors;
	return value;
}

/* Validating treats variables as unknown, whatever is given. */
static const struct value *evaluate_variable(struct run_module *m,
					     const struct cfg_variable *v,
					     struct eval *ev, bool *bad,
					     struct diags *ds)
{
	struct run *r = m->run;
	const struct value *value = NULL;
	size_t errors = ds->errors;

	if (m->parent)
		value = argument_value(m, v, ev, bad, ds);
	if (r->opts.phase == RUN_VALIDATE)
		return value_unknown(r->arena, type_without_optional(v->type));
	if (m->parent)
		return value;
	value = input_value(r->arena, v, map_get(&r->inputs.by_name, v->name),
			    ds);
	*bad |= ds->errors != errors;
	return value;
}

const struct value *run_variable_given(struct run_module *m,
				       const struct cfg_variable *v)
{
	struct diags told = DIAGS_INIT(m->run->arena);
	bool failed = false;
	const struct value *value;

	if (!m->parent)
		return run_variable(m, v, &failed, &told);
	value = argument_value(m, v, NULL, &failed, &told);
	return cfg_variable_marked(m->run->arena, v, value);
}

const struct value *eval_variable(struct run_module *m,
				  const struct cfg_variable *v, struct eval *ev,
				  bool *failed, struct diags *ds)
{
	struct run_memo *memo =
		&m->variables[map_index(&m->config->variables, v->name)];
	const struct value *value = kept(m->run, memo, failed, ds, v->name);
	bool bad = false;

	if (value)
		return value;
	value = evaluate_variable(m, v, ev, &bad, ds);
	value = keep(m->run, memo, cfg_variable_marked(m->run->arena, v, value),
		     bad, failed);
	if (m->run->opts.console && !bad && variable_validate(m, v, NULL, ds))
		memo->failed = *failed = true;
	return value;
}

const struct value *eval_local_value(struct run_module *m,
				     const struct cfg_local *l, struct eval *ev,
				     bool *failed, struct diags *ds)
{
	struct run_memo *memo =
		&m->locals[map_index(&m->config->locals, l->name)];
	const struct value *value = kept(m->run, memo, failed, ds, l->name);
	bool bad = false;

	if (value)
		return value;
	value = override_value(m, l->name);
	if (value)
		return keep(m->run, memo, value, false, failed);
	if (ev && ev->depth > DEEP_LOCALS)
		eval_needed_locals(m, l, ev, ds);
	value = run_evaluate(m, NULL, l->value, ev, &bad, ds);
	return keep(m->run, memo, value, bad, failed);
}

static const struct value *output_marks(struct run_module *m,
					const struct cfg_output *o,
					const struct value *v)
{
	struct arena *a = m->run->arena;

	if (o->sensitive)
		v = value_with_marks(a, v, &marks_sensitive);
	if (o->ephemeral)
		v = value_with_marks(a, v, &marks_ephemeral);
	if (o->deprecated.n && m->parent) {
		struct deprecation *d = ARENA_NEW(a, struct deprecation);
		struct module_addr own = m->addr;
		struct buf b = BUF_INIT;
		struct marks marks = { .bits = MARK_DEPRECATED,
				       .ndeprecations = 1,
				       .deprecations = d };

		/* Instances of a module further up have it in common. */
		own.steps += own.len - 1;
		own.len = 1;
		module_addr_print(&b, own);
		d->by = str_printf(a, "%.*s.%.*s", STR_ARG(buf_view(&b)),
				   STR_ARG(o->name));
		buf_release(&b);
		d->message = o->deprecated;
		d->remote = config_is_remote(m->config);
		v = value_with_marks(a, v, arena_dup(a, &marks, sizeof(marks)));
	}
	return v;
}

/* Only this checks preconditions in the console; an output whose preconditions
 * fail has no value. */
static bool console_refuses(struct run_module *m, const struct cfg_output *o,
			    struct diags *ds)
{
	struct condition_use u = {
		.kind = COND_OUTPUT,
		.address = run_address(m->run->arena, m, "output.", o->name),
	};
	struct run_scope s;

	if (!m->run->opts.console || !o->preconditions.len)
		return false;
	run_scope_init(&s, m, NULL);
	return run_conditions(m->run, &s, &u, &o->preconditions, ds) != 0;
}

/* Has the plan said what it is?  Then it keeps that, as OpenTofu has it. */
static const struct value *settled_output(const struct run_module *m,
					  struct str name)
{
	const struct map *all = m->run->planned_outputs;
	struct arena scratch = ARENA_INIT;
	const struct value *v = NULL;

	if (all && all->len && m->parent)
		v = map_get(all, run_address(&scratch, m, "output.", name));
	arena_release(&scratch);
	return v;
}

const struct value *run_output_doubtful(struct run_module *m,
					const struct cfg_output *o)
{
	const struct run_memo *memo =
		&m->outputs[map_index(&m->config->outputs, o->name)];

	return memo->doubtful && !memo->failed && memo->value &&
			       value_wholly_known(memo->value) &&
			       !value_has_mark_deep(memo->value, MARK_EPHEMERAL)
		       ? memo->value
		       : NULL;
}

const struct value *eval_output(struct run_module *m,
				const struct cfg_output *o, struct eval *ev,
				bool *failed, struct diags *ds)
{
	struct run_memo *memo =
		&m->outputs[map_index(&m->config->outputs, o->name)];
	const struct value *value = kept(m->run, memo, failed, ds, o->name);
	bool bad = false;

	if (value)
		return value;
	value = settled_output(m, o->name);
	if (value)
		return keep(m->run, memo, output_marks(m, o, value), false,
			    failed);
	if (console_refuses(m, o, ds))
		return keep(m->run, memo, &value_unknown_dynamic, true, failed);
	value = run_evaluate(m, NULL, o->value, ev, &bad, ds);
	/* Not every output has a node that looks at what is known only now. */
	if (!bad && m->parent && m->run->opts.phase == RUN_APPLY)
		bad = run_output_refused(m, o, value, ds) != 0;
	return keep(m->run, memo, output_marks(m, o, value), bad, failed);
}

int run_refuse_infinity(const struct value *v, const struct range *at,
			struct str address, struct diags *ds)
{
	if (!value_has_infinity(v))
		return 0;
	return diag_error(ds, at, "Infinite number",
			  "What %.*s is given holds an infinite number, such "
			  "as a division by zero makes. It cannot be stored.",
			  STR_ARG(address));
}

int run_output_refused(struct run_module *m, const struct cfg_output *o,
		       const struct value *v, struct diags *ds)
{
	const size_t errors = ds->errors;
	struct range at = expression_range(o->value);
	bool root = !m->parent;

	if (o->ephemeral && root)
		diag_error(ds, &o->at, "Invalid output configuration",
			   "Outputs of the root module cannot be ephemeral.");
	if (!o->ephemeral && value_has_mark_deep(v, MARK_EPHEMERAL))
		diag_error(ds, &at, "Output does not allow ephemeral value",
			   "The value of output \"%.*s\" is ephemeral, but "
			   "the output is not declared so.",
			   STR_ARG(o->name));
	if (ds->errors == errors && root && !o->sensitive &&
	    value_has_mark_deep(v, MARK_SENSITIVE))
		diag_error(ds, &o->at, "Output refers to sensitive values",
			   "The value of output \"%.*s\" is or contains "
			   "something sensitive. To export it nevertheless, "
			   "say so in the output:\n    sensitive = true",
			   STR_ARG(o->name));
	if (ds->errors == errors && root && m->run->opts.phase != RUN_VALIDATE)
		run_refuse_infinity(v, &at,
				    str_printf(ds->arena, "output.%.*s",
					       STR_ARG(o->name)),
				    ds);
	return ds->errors == errors ? 0 : -1;
}

const struct value *run_variable(struct run_module *m,
				 const struct cfg_variable *v, bool *failed,
				 struct diags *ds)
{
	return eval_variable(m, v, NULL, failed, ds);
}

const struct value *run_local(struct run_module *m, const struct cfg_local *l,
			      bool *failed, struct diags *ds)
{
	return eval_local_value(m, l, NULL, failed, ds);
}

const struct value *run_output(struct run_module *m, const struct cfg_output *o,
			       bool *failed, struct diags *ds)
{
	return eval_output(m, o, NULL, failed, ds);
}

/* The object of a module instance's outputs. */
static const struct value *module_object(struct run_module *m, struct eval *ev,
					 bool *failed, struct diags *ds)
{
	const struct map *outputs = &m->config->outputs;
	struct arena *a = m->run->arena;
	struct str *names = ARENA_ARRAY(a, struct str, outputs->len);
	const struct value **values =
		ARENA_ARRAY(a, const struct value *, outputs->len);

	for (size_t i = 0; i < outputs->len; i++) {
		names[i] = outputs->entries[i].key;
		values[i] = eval_output(m, outputs->entries[i].value, ev,
					failed, ds);
	}
	return value_object(a, names, values, outputs->len);
}

/* Before expansion only the names of the outputs are known. */
static const struct value *module_unknown(struct run_call *c)
{
	const struct map *outputs = &c->config->child->outputs;
	struct arena *a = c->module->run->arena;
	struct type_attr *attrs =
		ARENA_ARRAY(a, struct type_attr, outputs->len);
	const struct type *t;

	for (size_t i = 0; i < outputs->len; i++)
		attrs[i] = (struct type_attr){ outputs->entries[i].key,
					       &type_dynamic, false };
	t = type_object(attrs, outputs->len);
	if (c->config->count.root)
		t = type_list(t);
	else if (c->config->for_each.root)
		t = type_map(t);
	return value_unknown(a, t);
}

static const struct value *module_values(struct run_call *c, struct eval *ev,
					 bool *failed, struct diags *ds)
{
	struct arena *a = c->module->run->arena;
	const struct value **values;
	/* its outputs are how OpenTofu knows of an instance */
	const size_t n = c->config->child->outputs.len ? c->exp.n : 0;

	if (c->exp.kind == EXPAND_UNKNOWN &&
	    c->module->run->opts.phase == RUN_VALIDATE)
		return module_unknown(c);
	if (c->exp.kind == EXPAND_UNKNOWN &&
	    (c->config->count.root || c->config->for_each.root))
		return &value_unknown_dynamic;
	if (c->exp.kind == EXPAND_SINGLE || c->exp.kind == EXPAND_UNKNOWN)
		return c->exp.n ? module_object(c->children[0], ev, failed, ds)
				: &value_null_dynamic;
	values = ARENA_ARRAY(a, const struct value *, n);
	for (size_t i = 0; i < n; i++)
		values[i] = module_object(c->children[i], ev, failed, ds);
	return c->exp.kind == EXPAND_COUNT
		       ? value_tuple(a, values, n)
		       : value_object(a, c->exp.keys, values, n);
}

const struct value *eval_module_whole(struct run_call *c, struct eval *ev,
				      bool *failed, struct diags *ds)
{
	const struct value *value =
		kept(c->module->run, &c->whole, failed, ds, c->config->name);
	bool bad = false;

	if (value)
		return value;
	if (!c->config->child || c->exp.kind == EXPAND_FAILED ||
	    c->exp.kind == EXPAND_NOT_YET) {
		bad = true;
		value = &value_unknown_dynamic;
	} else {
		value = module_values(c, ev, &bad, ds);
	}
	return keep(c->module->run, &c->whole, value, bad, failed);
}
