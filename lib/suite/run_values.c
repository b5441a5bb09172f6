/*
 * run_values.c - the values of a run's variables: those of its block, then of
 * its file, then from outside
 */

#include "config/record/records.h"
#include "engine/run/inputs.h"
#include "engine/run/values.h"
#include "funcs/table.h"
#include "lang/eval/eval.h"
#include "stream/record.h"
#include "stream/stream.h"
#include "suite/suite_int.h"
#include "value/codec_json.h"
#include "value/marks.h"

int values_collect(struct suite *s, struct diags *ds)
{
	const struct inputs_options root =
		inputs_given(s->o->args, s->o->nargs, &s->config->sources);
	struct inputs_options tests = { .dir = s->o->test_dir,
					.sources = &s->config->sources };
	struct inputs own = { 0 };
	int rc = inputs_collect(s->arena, &root, &s->globals, ds);

	rc |= inputs_collect(s->arena, &tests, &own, ds);
	for (size_t i = 0; i < own.by_name.len; i++) {
		const struct map_entry *e = &own.by_name.entries[i];
		const struct input *in = map_get(&s->globals.by_name, e->key);

		if (!in ||
		    (in->source != INPUT_CLI && in->source != INPUT_FILE &&
		     in->source != INPUT_PROMPT))
			map_put(s->arena, &s->globals.by_name, e->key,
				e->value);
	}
	return rc;
}

/* Where variables of tests are evaluated. */
struct around {
	struct arena *a;
	const struct value *run, *var;
};

static const struct value *resolve(void *data, struct eval *ev,
				   const struct ref *r, size_t *used,
				   struct diags *ds)
{
	const struct around *x = data;

	(void)ev;
	(void)ds;
	*used = 0;
	if (str_is(r->root, "run"))
		return x->run;
	return str_is(r->root, "var") ? x->var : NULL;
}

static const struct func *function(void *data, struct str name)
{
	return funcs_find(data, name);
}

static const struct value *object_of(struct arena *a, const struct map *m)
{
	struct str *names = ARENA_ARRAY(a, struct str, m->len);
	const struct value **v = ARENA_ARRAY(a, const struct value *, m->len);

	for (size_t i = 0; i < m->len; i++) {
		names[i] = m->entries[i].key;
		v[i] = m->entries[i].value;
	}
	return value_object(a, names, v, m->len);
}

/* The outputs of those runs whose states are the latest.  A cleanup sees what
 * the run saw that it is about. */
static void take_runs(struct test_run *r, struct map *out)
{
	struct test_file *f = r->file;

	if (r->destroys) {
		*out = r->state->by->runs;
		return;
	}

	for (size_t i = 0; i < f->states.len; i++) {
		const struct test_state *st = f->states.items[i];
		struct state_output_list outs;
		struct map values = { 0 };

		if (!st->by)
			continue;
		outs = state_outputs_sorted(st->state);
		for (size_t k = 0; k < outs.len; k++)
			map_put(&r->arena, &values, outs.items[k].name,
				(void *)value_unmark_deep(
					&r->arena, outs.items[k].value, NULL));
		map_put(&r->arena, out, st->by->block->name,
			(void *)object_of(&r->arena, &values));
	}
}

/* What var.x is there: values from outside as they are written, and
 * defaults. */
static void take_variables(struct test_run *r, struct map *out)
{
	static const struct cfg_variable any = { .parse_literal = true };
	const struct map *globals = &r->suite->globals.by_name;
	const struct map *declared = &r->config->root->variables;
	struct diags quiet = DIAGS_INIT(&r->arena);

	for (size_t i = 0; i < declared->len; i++) {
		const struct cfg_variable *v = declared->entries[i].value;
		const struct value *d = variable_default(&r->arena, v, &quiet);

		if (d)
			map_put(&r->arena, out, v->name, (void *)d);
	}
	for (size_t i = 0; i < globals->len; i++) {
		struct input in = *(struct input *)globals->entries[i].value;

		in.value = NULL;
		in.bad = false;
		input_parse(&r->arena, &in, &any, &quiet);
		if (in.value)
			map_put(&r->arena, out, in.name, (void *)in.value);
	}
}

static void write_given(struct test_run *r, struct stream_out *o,
			struct str name, const struct value *v,
			const char *source, const struct range *at)
{
	struct jw w = stream_record(o, "variable_value",
				    STR_CAT(&r->arena, STR("var."), name));

	jw_member_str(&w, "source", str_c(source));
	if (at && range_present(at))
		record_at(&w, "at", at);
	jw_key(&w, "value");
	value_to_stream(&w, value_unmark_deep(&r->arena, v, NULL));
	stream_record_end(o, &w);
}

static const struct attribute *given_by(const struct attribute_vec *all,
					struct str name)
{
	for (size_t i = 0; i < all->len; i++)
		if (str_eq(all->items[i].name, name))
			return &all->items[i];
	return NULL;
}

static const struct attribute *expression_of(struct test_run *r,
					     struct str name)
{
	const struct attribute *at = given_by(&r->block->variables, name);

	return at ? at : given_by(&r->file->config->variables, name);
}

static void missing(struct test_run *r, const struct cfg_variable *v,
		    struct diags *ds)
{
	(void)r;
	if (!v->default_value.root)
		diag_error(ds, &v->at, "No value for required variable",
			   "The variable \"%.*s\" has no default, and neither "
			   "the run, nor its file, nor the command line gives "
			   "it a value.",
			   STR_ARG(v->name));
}

/* A variable that the module declares. */
static void write_declared(struct test_run *r, struct stream_out *o,
			   const struct scope *scope,
			   const struct cfg_variable *v, struct diags *ds)
{
	const struct attribute *at = expression_of(r, v->name);
	const struct input *from = map_get(&r->suite->globals.by_name, v->name);
	const size_t errors = ds->errors;
	const struct value *value;
	struct input in;
	struct range place;

	if (at) {
		value = eval_expression(&r->arena, scope, at->expr, ds);
		place = expression_range(at->expr);
		if (ds->errors == errors)
			write_given(r, o, v->name, value, "stream", &place);
		return;
	}
	if (!from) {
		missing(r, v, ds);
		return;
	}
	in = *from;
	input_parse(&r->arena, &in, v, ds);
	place = in.expr.root ? expression_range(in.expr) : RANGE_NONE;
	if (in.value)
		write_given(r, o, v->name, in.value,
			    input_source_name(in.source), &place);
}

/* Others are seen by assertions alone; what is wrong with them shows where they
 * are used. */
static void write_other(struct test_run *r, struct stream_out *o,
			const struct scope *scope, struct map *seen,
			struct str name)
{
	struct diags quiet = DIAGS_INIT(&r->arena);
	const struct attribute *at = expression_of(r, name);
	const struct value *v;

	if (map_has(&r->config->root->variables, name) || map_has(seen, name))
		return;
	map_put(&r->arena, seen, name, r);
	v = at ? eval_expression(&r->arena, scope, at->expr, &quiet)
	       : value_get(((struct around *)scope->data)->var, name);
	if (quiet.errors || !v)
		v = &value_unknown_dynamic;
	config_write_test_value(o, STR_CAT(&r->arena, STR("var."), name),
				value_unmark_deep(&r->arena, v, NULL));
}

int values_write(struct test_run *r, struct stream_out *o, struct diags *ds)
{
	const struct map *declared = &r->config->root->variables;
	const struct map *globals = &r->suite->globals.by_name;
	const struct attribute_vec *own[] = { &r->block->variables,
					      &r->file->config->variables };
	struct map vars = { 0 }, seen = { 0 };
	struct around x = { .a = &r->arena };
	const struct scope scope = { .resolve = resolve,
				     .function = function,
				     .data = &x,
				     .base_dir = "." };
	const size_t errors = ds->errors;

	take_runs(r, &r->runs);
	take_variables(r, &vars);
	x.run = object_of(&r->arena, &r->runs);
	x.var = object_of(&r->arena, &vars);
	for (size_t i = 0; i < r->runs.len; i++)
		config_write_test_value(o,
					STR_CAT(&r->arena, STR("run."),
						r->runs.entries[i].key),
					r->runs.entries[i].value);
	for (size_t i = 0; i < declared->len; i++)
		write_declared(r, o, &scope, declared->entries[i].value, ds);
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < own[k]->len; i++)
			write_other(r, o, &scope, &seen, own[k]->items[i].name);
	for (size_t i = 0; i < globals->len; i++)
		write_other(r, o, &scope, &seen, globals->entries[i].key);
	return ds->errors > errors ? -1 : 0;
}
