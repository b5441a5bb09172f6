/* record_resource.c - the records of resources, both ways */
#include "config/record/record_int.h"

#include "config/decode/decode_lifecycle_int.h"
#include "config/module.h"
#include "config/module_int.h"
#include "config/record/record_common_int.h"
#include "config/record/record_resource_int.h"
#include "json/tree.h"
#include "json/write.h"
#include "lang/eval/eval.h"
#include "stream/record_at.h"
#include "stream/record_expr.h"
#include "value/convert.h"

/* --- writing --- */

static void write_triggers(struct jw *w, const struct cfg_lifecycle *l)
{
	if (!l->nreplace_triggered_by)
		return;
	jw_key(w, "replace_triggered_by");
	jw_array(w);
	for (size_t i = 0; i < l->nreplace_triggered_by; i++)
		record_expression(w, l->replace_triggered_by[i]);
	jw_array_end(w);
}

static void write_lifecycle(struct jw *w, const struct cfg_lifecycle *l)
{
	if (!range_present(&l->at))
		return;
	jw_key(w, "lifecycle");
	jw_object(w);
	record_expression_member(w, "create_before_destroy",
				 l->create_before_destroy);
	record_expression_member(w, "prevent_destroy", l->prevent_destroy);
	record_expression_member(w, "destroy", l->destroy);
	record_expression_member(w, "enabled", l->enabled);
	if (l->ignore_all)
		jw_member_str(w, "ignore_changes", STR("all"));
	else
		write_traversals(w, "ignore_changes", &l->ignore_changes);
	write_triggers(w, l);
	write_conditions(w, "preconditions", &l->preconditions);
	write_conditions(w, "postconditions", &l->postconditions);
	record_at(w, "at", &l->at);
	jw_object_end(w);
}

void config_write_provisioners(struct jw *w,
			       const struct cfg_provisioner_vec *v)
{
	if (!v->len)
		return;
	jw_key(w, "provisioners");
	jw_array(w);
	for (size_t i = 0; i < v->len; i++) {
		const struct cfg_provisioner *p = &v->items[i];

		jw_object(w);
		jw_member_str(w, "type", p->type);
		if (p->when_destroy)
			jw_member_str(w, "when", STR("destroy"));
		if (p->on_failure_continue)
			jw_member_str(w, "on_failure", STR("continue"));
		write_body(w, "connection", p->connection);
		write_body(w, "body", p->body);
		record_at(w, "at", &p->at);
		jw_object_end(w);
	}
	jw_array_end(w);
}

void config_write_resource(struct writer *wr, const struct cfg_module *m,
			   const struct cfg_resource *r)
{
	static const char *const prefix[] = { [MODE_MANAGED] = "",
					      [MODE_DATA] = "data.",
					      [MODE_EPHEMERAL] = "ephemeral." };
	struct buf name = BUF_INIT;
	struct jw w;

	buf_addf(&name, "%.*s.%.*s", STR_ARG(r->addr.type),
		 STR_ARG(r->addr.name));
	w = write_begin(wr, "resource", m, prefix[r->addr.mode],
			buf_view(&name));
	buf_release(&name);
	jw_member_str(&w, "mode", str_c(resource_mode_name(r->addr.mode)));
	jw_member_str(&w, "type", r->addr.type);
	jw_member_str(&w, "name", r->addr.name);
	write_provider_use(wr, &w, r->provider_ref, r->provider);
	record_expression_member(&w, "count", r->count);
	record_expression_member(&w, "for_each", r->for_each);
	write_traversals(&w, "depends_on", &r->depends_on);
	write_lifecycle(&w, r->lifecycle);
	config_write_provisioners(&w, &r->provisioners);
	write_body(&w, "connection", r->connection);
	if (r->check)
		jw_member_str(&w, "check", r->check->name);
	write_body(&w, "body", r->body);
	record_at(&w, "type_at", &r->type_at);
	write_end(wr, &w, &r->at);
}

/* --- reading --- */

static int read_triggers(struct reader *r, const struct json *j,
			 struct cfg_lifecycle *l)
{
	size_t n;
	const struct json *items = read_list(j, "replace_triggered_by", &n);

	l->replace_triggered_by = ARENA_ARRAY(r->a, struct expression, n);
	l->nreplace_triggered_by = n;
	for (size_t i = 0; i < n; i++)
		if (record_expression_read(&r->in, &items[i],
					   &l->replace_triggered_by[i]))
			return -1;
	return 0;
}

static void read_create_before_destroy(struct reader *r,
				       struct cfg_lifecycle *l)
{
	struct diags ignored = DIAGS_INIT(r->a);
	struct verror err = { 0 };
	const struct value *v;

	if (!l->create_before_destroy.root)
		return;
	v = eval_expression(r->a, NULL, l->create_before_destroy, &ignored);
	v = convert(r->a, v, &type_bool, &err);
	l->create_before_destroy_value = v && value_usable(v) && v->boolean;
}

static int read_lifecycle(struct reader *r, struct cfg_resource *res)
{
	const struct json *j = json_get(r->j, "lifecycle");
	struct cfg_lifecycle *l;

	if (!j)
		return 0;
	res->lifecycle = l = ARENA_NEW(r->a, struct cfg_lifecycle);
	l->at = read_at(r, j, "at");
	l->ignore_all = str_is(json_get_str(j, "ignore_changes"), "all");
	if (read_expr(r, j, "create_before_destroy",
		      &l->create_before_destroy) ||
	    read_expr(r, j, "prevent_destroy", &l->prevent_destroy) ||
	    read_expr(r, j, "destroy", &l->destroy) ||
	    read_expr(r, j, "enabled", &l->enabled) ||
	    read_traversals(r, j, "ignore_changes", true, &l->ignore_changes) ||
	    read_triggers(r, j, l) ||
	    read_conditions(r, j, "preconditions", &l->preconditions) ||
	    read_conditions(r, j, "postconditions", &l->postconditions))
		return -1;
	read_create_before_destroy(r, l);
	lifecycle_destroy(r->a, l);
	return 0;
}

int config_read_provisioners(struct reader *r, struct cfg_provisioner_vec *out)
{
	size_t n;
	const struct json *l = read_list(r->j, "provisioners", &n);

	for (size_t i = 0; i < n; i++) {
		struct cfg_provisioner p = { .at = read_at(r, &l[i], "at") };

		p.type = read_str(r, &l[i], "type");
		p.when_destroy = str_is(json_get_str(&l[i], "when"), "destroy");
		p.on_failure_continue =
			str_is(json_get_str(&l[i], "on_failure"), "continue");
		if (read_body(r, &l[i], "body", &p.body) ||
		    read_body(r, &l[i], "connection", &p.connection))
			return -1;
		if (!p.type.n || !p.body)
			return record_invalid(r->ds, "a provisioner lacks "
						     "\"type\" or \"body\"");
		vec_push(r->a, out, p);
	}
	return 0;
}

static int read_mode(struct reader *r, enum resource_mode *out)
{
	struct str mode = json_get_str(r->j, "mode");

	*out = MODE_MANAGED;
	if (str_is(mode, "data"))
		*out = MODE_DATA;
	else if (str_is(mode, "ephemeral"))
		*out = MODE_EPHEMERAL;
	else if (!str_is(mode, "managed"))
		return record_invalid(r->ds, "a resource's \"mode\" is "
					     "unknown");
	return 0;
}

static int read_provider(struct reader *r, struct cfg_resource *res)
{
	struct cfg_provider_ref ref;

	if (read_provider_use(r, &ref, &res->provider))
		return -1;
	if (ref.given)
		res->provider_ref = arena_dup(r->a, &ref, sizeof(ref));
	return 0;
}

/* Type and name are parts of the key that the resource is found by. */
static int read_key(struct reader *r, struct resource_addr *out,
		    struct str *key)
{
	struct str type = json_get_str(r->j, "type");
	struct str name = json_get_str(r->j, "name");

	if (!type.n || !name.n)
		return record_invalid(r->ds, "a resource lacks \"type\" or "
					     "\"name\"");
	*key = STR_CAT(r->a, type, STR("."), name);
	out->type = str_sub(*key, 0, type.n);
	out->name = str_sub(*key, type.n + 1, key->n);
	return 0;
}

/* config_finish puts the check itself in its place. */
static void read_check(struct reader *r, struct cfg_resource *res)
{
	struct str name = read_str(r, r->j, "check");

	if (!name.n)
		return;
	res->check = ARENA_NEW(r->a, struct cfg_check);
	res->check->name = name;
}

int config_read_resource(struct reader *r)
{
	struct cfg_resource *res = cfg_resource_new(r->a);
	struct str key;

	res->module = r->m;
	read_check(r, res);
	res->at = read_at(r, r->j, "at");
	res->type_at = read_at(r, r->j, "type_at");
	if (read_key(r, &res->addr, &key) || read_mode(r, &res->addr.mode) ||
	    read_provider(r, res) || read_expr(r, r->j, "count", &res->count) ||
	    read_expr(r, r->j, "for_each", &res->for_each) ||
	    read_traversals(r, r->j, "depends_on", false, &res->depends_on) ||
	    read_lifecycle(r, res) ||
	    config_read_provisioners(r, &res->provisioners) ||
	    read_body(r, r->j, "connection", &res->connection) ||
	    read_body(r, r->j, "body", &res->body))
		return -1;
	if (!res->provider.type.n || (!res->body && !r->c->outline))
		return record_invalid(r->ds, "a resource lacks \"provider\" "
					     "or \"body\"");
	map_put(r->a, module_resources(r->m, res->addr.mode), key, res);
	return 0;
}
