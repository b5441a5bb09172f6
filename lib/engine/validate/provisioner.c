/* provisioner.c - the validate walk at provisioners */
#include "engine/run/worker.h"
#include "engine/validate/validate_int.h"
#include "lang/spec/decode.h"
#include "lang/syntax/body.h"
#include "value/marks.h"

/* WinRM is on its way out. */
static void check_connection(struct visit *x, const struct body *b,
			     const struct value *v)
{
	const struct value *type =
		value_get(value_unmark_deep(x->w.a, v, NULL), STR("type"));
	struct attribute_vec attrs = { 0 };
	struct diags quiet = DIAGS_INIT(x->w.a);
	struct range at = source_range(b->src, b->span);

	if (!value_usable(type) || !str_is(type->string, "winrm"))
		return;
	body_attributes(x->w.a, b, &attrs, &quiet);
	for (size_t i = 0; i < attrs.len; i++)
		if (str_is(attrs.items[i].name, "type"))
			at = expression_range(attrs.items[i].expr);
	diag_warning(
		&x->w.ds, &at, "WinRM connection type is deprecated",
		"Connections of type winrm will be removed; Windows has an SSH server.");
}

static void validate_one(struct visit *x, struct run_scope *s,
			 const struct cfg_resource *c,
			 const struct cfg_provisioner *p)
{
	struct arena *a = x->w.a;
	const struct body *conn =
		provisioner_connection(a, c->connection, p->connection);
	const struct schema_block *schema = provisioner_schema(a, p->type);
	const struct value *v;

	if (!schema)
		return;
	/* Checked whatever is wrong with it already. */
	v = visit_body_value(x, s, p->body, schema);
	if (v) {
		v = body_report_deprecated(a, p->body, v, &x->w.ds);
		provisioner_check(p->type, value_unmark_deep(a, v, NULL),
				  &x->w.ds);
	}
	if (!conn)
		return;
	v = visit_body(x, s, conn, provisioner_connection_schema(a), STR_NONE);
	if (v && !diags_failed(&x->w.ds))
		check_connection(x, conn, v);
}

int validate_provisioners(struct visit *x, struct run_scope *s,
			  const struct cfg_resource *c)
{
	for (size_t i = 0; i < c->provisioners.len; i++) {
		validate_one(x, s, c, &c->provisioners.items[i]);
		if (diags_failed(&x->w.ds))
			return -1;
	}
	return 0;
}

static void find_missing(const struct cfg_module *m, struct diags *ds)
{
	for (size_t i = 0; i < m->managed.len; i++) {
		const struct cfg_resource *c = m->managed.entries[i].value;

		for (size_t k = 0; k < c->provisioners.len; k++) {
			struct str type = c->provisioners.items[k].type;

			if (!provisioner_exists(type))
				diag_error(
					ds, NULL,
					"Missing required provisioner plugin",
					"There is no provisioner \"%.*s\".",
					STR_ARG(type));
		}
	}
}

int provisioners_exist(const struct config *c, struct diags *ds)
{
	const size_t errors = ds->errors;

	for (size_t i = 0; i < c->modules.len; i++)
		find_missing(c->modules.entries[i].value, ds);
	return ds->errors == errors ? 0 : -1;
}
