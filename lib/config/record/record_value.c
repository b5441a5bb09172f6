/* record_value.c - the records of variables, locals and outputs, both ways */
#include "config/decode/decode_value_int.h"
#include "config/record/record_common_int.h"
#include "config/record/record_int.h"
#include "config/record/record_value_int.h"
#include "json/tree.h"
#include "json/write.h"
#include "stream/record_at.h"
#include "stream/record_expr.h"

/* --- writing --- */

void config_write_variable(struct writer *wr, const struct cfg_module *m,
			   const struct cfg_variable *v)
{
	struct jw w = write_begin(wr, "variable", m, "var.", v->name);

	jw_member_str(&w, "name", v->name);
	record_expression_member(&w, "type", v->type_expr);
	record_expression_member(&w, "default", v->default_value);
	write_str(&w, "description", v->description);
	write_flag(&w, "sensitive", v->sensitive);
	write_flag(&w, "ephemeral", v->ephemeral);
	jw_member_bool(&w, "nullable", v->nullable);
	if (v->set & SET_CONST)
		jw_member_bool(&w, "const", v->constant);
	write_str(&w, "deprecated", v->deprecated);
	write_conditions(&w, "validations", &v->validations);
	write_end(wr, &w, &v->at);
}

void config_write_local(struct writer *wr, const struct cfg_module *m,
			const struct cfg_local *l)
{
	struct jw w = write_begin(wr, "local", m, "local.", l->name);

	jw_member_str(&w, "name", l->name);
	record_expression_member(&w, "value", l->value);
	write_end(wr, &w, &l->at);
}

void config_write_output(struct writer *wr, const struct cfg_module *m,
			 const struct cfg_output *o)
{
	struct jw w = write_begin(wr, "output", m, "output.", o->name);

	jw_member_str(&w, "name", o->name);
	record_expression_member(&w, "value", o->value);
	write_str(&w, "description", o->description);
	write_flag(&w, "sensitive", o->sensitive);
	write_flag(&w, "ephemeral", o->ephemeral);
	write_str(&w, "deprecated", o->deprecated);
	write_traversals(&w, "depends_on", &o->depends_on);
	write_conditions(&w, "preconditions", &o->preconditions);
	write_end(wr, &w, &o->at);
}

/* --- reading --- */

int config_read_variable(struct reader *r)
{
	struct cfg_variable *v = ARENA_NEW(r->a, struct cfg_variable);

	v->name = read_name(r);
	v->description = read_str(r, r->j, "description");
	v->deprecated = read_str(r, r->j, "deprecated");
	v->sensitive = json_get_bool(r->j, "sensitive", false);
	v->ephemeral = json_get_bool(r->j, "ephemeral", false);
	v->nullable = json_get_bool(r->j, "nullable", true);
	v->constant = json_get_bool(r->j, "const", false);
	if (json_get(r->j, "const"))
		v->set |= SET_CONST;
	v->at = read_at(r, r->j, "at");
	v->type = &type_dynamic;
	v->parse_literal = true;
	if (!v->name.n || read_expr(r, r->j, "type", &v->type_expr) ||
	    read_expr(r, r->j, "default", &v->default_value) ||
	    read_conditions(r, r->j, "validations", &v->validations))
		return -1;
	if (v->type_expr.root)
		read_variable_type(r->a, v, r->ds);
	map_put(r->a, &r->m->variables, v->name, v);
	return 0;
}

int config_read_local(struct reader *r)
{
	struct cfg_local *l = ARENA_NEW(r->a, struct cfg_local);

	l->name = read_name(r);
	l->at = read_at(r, r->j, "at");
	if (!l->name.n || read_expr(r, r->j, "value", &l->value))
		return -1;
	if (!l->value.root)
		return record_invalid(r->ds, "a local value has no \"value\"");
	map_put(r->a, &r->m->locals, l->name, l);
	return 0;
}

int config_read_output(struct reader *r)
{
	struct cfg_output *o = ARENA_NEW(r->a, struct cfg_output);

	o->name = read_name(r);
	o->description = read_str(r, r->j, "description");
	o->deprecated = read_str(r, r->j, "deprecated");
	o->sensitive = json_get_bool(r->j, "sensitive", false);
	o->ephemeral = json_get_bool(r->j, "ephemeral", false);
	o->at = read_at(r, r->j, "at");
	if (!o->name.n || read_expr(r, r->j, "value", &o->value) ||
	    read_traversals(r, r->j, "depends_on", false, &o->depends_on) ||
	    read_conditions(r, r->j, "preconditions", &o->preconditions))
		return -1;
	if (!o->value.root)
		return record_invalid(r->ds, "an output has no \"value\"");
	map_put(r->a, &r->m->outputs, o->name, o);
	return 0;
}
