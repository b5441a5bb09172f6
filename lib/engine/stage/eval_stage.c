/* eval_stage.c - see eval_stage.h */
#include "engine/run/values.h"
#include "engine/run/expand.h"
#include "engine/run/providers.h"
#include "engine/stage/eval_stage.h"
#include "addr/provider.h"
#include "config/module.h"
#include "json/write.h"
#include "stream/stream.h"
#include "stream/record.h"
#include "value/codec_json.h"
#include "value/value.h"
#include "value/marks.h"

struct eval_walk {
	struct run *r;
	struct stream_out *o; /* NULL: nothing is written */
	struct diags *ds;
	/* Of what is evaluated: planning reports these, as part of a plan that
	 * failed.  For the console it is *ds. */
	struct diags *planned;
	bool lean; /* the values of root variables alone */
};

static void write_member(struct eval_walk *s, struct jw *w, const char *name,
			 const struct value *v)
{
	if (s->o->redact && value_has_mark_deep(v, MARK_SENSITIVE))
		v = value_string(s->ds->arena, STR("(sensitive value)"));
	jw_key(w, name);
	value_to_stream(w, v);
}

static void write_source(struct jw *w, const struct input *in)
{
	const struct range at =
		in->expr.root ? expression_range(in->expr) : in->at;

	jw_member_str(w, "source", str_c(input_source_name(in->source)));
	record_at(w, "at", &at);
}

/* given: what v was converted from, or NULL; in: of a root variable. */
static void write_value(struct eval_walk *s, const char *record,
			struct str address, const struct input *in,
			const struct value *given, const struct value *v)
{
	bool fleeting = value_has_mark_deep(v, MARK_EPHEMERAL);
	struct jw w;

	if (!s->o || (!fleeting && !value_wholly_known(v)))
		return;
	w = stream_record(s->o, record, address);
	if (in)
		write_source(&w, in);
	if (fleeting) {
		jw_member_bool(&w, "ephemeral", true);
	} else {
		write_member(s, &w, "value", v);
		if (given && !value_identical(given, v))
			write_member(s, &w, "given", given);
	}
	stream_record_end(s->o, &w);
}

/* The value given for a root variable; NULL: none. */
static const struct value *given_value(const struct run_module *m,
				       const struct cfg_variable *v)
{
	const struct input *in =
		m->parent ? NULL : map_get(&m->run->inputs.by_name, v->name);

	if (!in || !in->value || in->source == INPUT_DEFAULT)
		return NULL;
	return cfg_variable_marked(m->run->arena, v, in->value);
}

/* NULL: it is not the root module's. */
static const struct input *input_of(const struct run_module *m,
				    const struct cfg_variable *v)
{
	static const struct input none = { .source = INPUT_DEFAULT };
	const struct input *in;

	if (m->parent)
		return NULL;
	in = map_get(&m->run->inputs.by_name, v->name);
	return in ? in : &none;
}

/* The reader is inputs_read. */
static void write_variables(struct eval_walk *s, struct run_module *m,
			    struct arena *scratch)
{
	const struct map *vars = &m->config->variables;

	for (size_t i = 0; i < vars->len; i++) {
		const struct cfg_variable *v = vars->entries[i].value;
		const struct value *given = given_value(m, v), *value;
		bool failed = false;

		value = run_variable(m, v, &failed, s->planned);
		if (failed)
			value = given;
		else if (s->o && !s->lean) /* the console has done so */
			variable_validate(m, v, NULL, s->planned);
		if (value)
			write_value(s, "variable_value",
				    run_address(scratch, m, "var.", v->name),
				    input_of(m, v), given, value);
	}
}

static void write_locals(struct eval_walk *s, struct run_module *m,
			 struct arena *scratch)
{
	const struct map *locals = &m->config->locals;

	for (size_t i = 0; i < locals->len; i++) {
		const struct cfg_local *l = locals->entries[i].value;
		bool failed = false;
		const struct value *value;

		value = run_local(m, l, &failed, s->planned);
		if (!failed)
			write_value(s, "local_value",
				    run_address(scratch, m, "local.", l->name),
				    NULL, NULL, value);
	}
}

/* Single instances are written only when `enabled` decided so. */
static void write_expansion(struct eval_walk *s, struct str address,
			    const struct expansion *e, bool enabled_given)
{
	struct jw w;

	if (!s->o || e->kind == EXPAND_UNKNOWN || e->kind == EXPAND_FAILED ||
	    e->kind == EXPAND_NOT_YET)
		return;
	if (e->kind == EXPAND_SINGLE && !enabled_given)
		return;
	w = stream_record(s->o, "expansion", address);
	if (e->kind == EXPAND_COUNT) {
		jw_member_int(&w, "count", (int64_t)e->n);
	} else if (e->kind == EXPAND_EACH) {
		jw_key(&w, "for_each");
		jw_array(&w);
		for (size_t i = 0; i < e->n; i++)
			jw_str(&w, e->keys[i]);
		jw_array_end(&w);
	} else {
		jw_member_bool(&w, "enabled", e->n != 0);
	}
	stream_record_end(s->o, &w);
}

static void write_resources(struct eval_walk *s, struct run_module *m,
			    const struct map *resources, struct arena *scratch)
{
	for (size_t i = 0; i < resources->len; i++) {
		const struct cfg_resource *c = resources->entries[i].value;
		struct buf b = BUF_INIT;
		struct run_resource *rr;

		if (!c->count.root && !c->for_each.root &&
		    !c->lifecycle->enabled.root)
			continue;
		rr = run_resource(m, &c->addr, s->planned);
		resource_addr_print(&b, c->addr);
		if (rr)
			write_expansion(
				s, run_address(scratch, m, "", buf_view(&b)),
				&rr->exp, c->lifecycle->enabled.root != NULL);
		buf_release(&b);
	}
}

/* Configurations of providers are in modules without repetition. */
static void write_providers(struct eval_walk *s, struct run_module *m,
			    struct arena *scratch)
{
	const struct map *providers = &m->config->providers;

	for (size_t i = 0; i < providers->len; i++) {
		const struct cfg_provider *p = providers->entries[i].value;
		const struct provider_config_addr addr = { .module = m->addr,
							   .provider =
								   p->provider,
							   .alias = p->alias };

		if (cfg_provider_repeated(p))
			write_expansion(s, provider_config_text(scratch, &addr),
					run_provider_expansion(m, p,
							       s->planned),
					false);
	}
}

static void check_outputs(struct eval_walk *s, struct run_module *m)
{
	const struct map *outputs = &m->config->outputs;

	for (size_t i = 0; i < outputs->len; i++) {
		const struct cfg_output *o = outputs->entries[i].value;
		const struct value *v;
		bool failed = false;

		v = run_output(m, o, &failed, s->planned);
		if (!failed)
			run_output_refused(m, o, v, s->planned);
	}
}

static void write_module(struct eval_walk *s, struct run_module *m);

/* Reports the errors of a call for one instance of its module. */
static bool call_fails(struct eval_walk *s, const struct cfg_call *c)
{
	struct run_module_vec all = { 0 };
	bool failed = false;

	if (s->o || !c->child)
		return false;
	run_modules(s->r, c->child, &all, &failed, s->planned);
	return failed;
}

static void write_calls(struct eval_walk *s, struct run_module *m,
			struct arena *scratch)
{
	const struct map *calls = &m->config->calls;

	for (size_t i = 0; i < calls->len; i++) {
		const struct cfg_call *c = calls->entries[i].value;
		struct run_call *rc;

		if (call_fails(s, c))
			continue;
		rc = run_call(m, c, s->planned);
		write_expansion(s, run_address(scratch, m, "module.", c->name),
				&rc->exp, c->enabled.root != NULL);
		if (!c->child || rc->exp.kind == EXPAND_UNKNOWN ||
		    rc->exp.kind == EXPAND_FAILED)
			continue;
		for (size_t k = 0; k < rc->exp.n; k++)
			write_module(s, rc->children[k]);
	}
}

/* Module calls cannot be circular, so this ends; how deep they nest is limited
 * where they are loaded. */
static void write_module(struct eval_walk *s, struct run_module *m)
{
	struct arena scratch = ARENA_INIT;

	write_variables(s, m, &scratch);
	if (s->lean) {
		arena_release(&scratch);
		return;
	}
	write_locals(s, m, &scratch);
	if (s->o) {
		write_providers(s, m, &scratch);
		write_resources(s, m, &m->config->managed, &scratch);
		write_resources(s, m, &m->config->data, &scratch);
		write_resources(s, m, &m->config->ephemeral, &scratch);
	} else {
		check_outputs(s, m);
	}
	write_calls(s, m, &scratch);
	arena_release(&scratch);
}

void eval_stage_write(struct run *r, struct stream_out *o, bool lean,
		      struct diags *ds)
{
	struct diags planned = DIAGS_INIT(r->arena);
	struct eval_walk s = { r, o, ds, &planned, lean };

	write_module(&s, r->root);
}

int eval_stage_check(struct run *r, struct diags *ds)
{
	struct eval_walk s = { r, NULL, ds, ds, false };
	struct run_mark mark = run_mark(r, ds);
	size_t errors = ds->errors;

	do
		write_module(&s, r->root);
	while (run_settle(&mark));
	return ds->errors == errors ? 0 : -1;
}
