/* matches.c - the function matches(), with patterns as -target has them */
#include "addr/target.h"
#include "addr/walk.h"
#include "select/select_int.h"
#include "value/value.h"

static const struct func_param params[] = {
	{ "address", &type_string, PARAM_NULL,
	  "The address of an instance or a resource; null matches nothing." },
	{ "pattern", &type_string, 0,
	  "An address, or a pattern of addresses, as -target takes it." },
	{ 0 },
};

/* Most calls of an expression have one pattern, whatever the record. */
static int read_pattern(struct matcher *m, struct str text)
{
	struct diags ds;
	struct str why;

	if (m->text.p && str_eq(m->text, text))
		return m->valid ? 0 : -1;
	arena_reset(&m->arena);
	m->text = str_dup(&m->arena, text);
	ds = (struct diags)DIAGS_INIT(&m->arena);
	m->valid =
		!selector_parse(&m->arena, m->text, "pattern", &m->target, &ds);
	why = m->valid || !ds.len ? STR("") : ds.items[0].detail;
	if (str_ends(why, "."))
		why.n--;
	m->why = arena_strndup(&m->arena, why.p, why.n);
	return m->valid ? 0 : -1;
}

static const struct value *do_matches(struct func_call *c)
{
	struct matcher *m = c->func->data;
	struct diags quiet = DIAGS_INIT(c->arena);
	struct instance_addr addr;

	if (read_pattern(m, c->args[1]->string))
		return func_fail(c, 1, "this is no pattern of addresses: %s",
				 c->hidden ? "" : m->why);
	if (value_is_null(c->args[0]))
		return &value_false;
	if (!instance_addr_plain(c->args[0]->string, &addr) &&
	    instance_addr_parse(c->arena, c->args[0]->string, &addr, &quiet))
		return &value_false;
	return value_bool(target_contains(&m->target, &addr));
}

struct func matcher_func(struct matcher *m)
{
	return (struct func){
		.name = "matches",
		.description =
			"Does the pattern, as -target has it, name the address?",
		.params = params,
		.result = &type_bool,
		.impl = do_matches,
		.data = m,
	};
}
