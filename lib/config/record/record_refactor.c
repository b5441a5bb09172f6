/* record_refactor.c - the records of checks, moves, removals and imports, both
 * ways */
#include "config/decode/decode_refactor_int.h"
#include "config/record/record_common_int.h"
#include "config/record/record_int.h"
#include "config/record/record_refactor_int.h"
#include "config/record/record_resource_int.h"
#include "json/tree.h"
#include "json/write.h"
#include "stream/record_at.h"
#include "stream/record_expr.h"

/* --- writing --- */

void config_write_check(struct writer *wr, const struct cfg_module *m,
			const struct cfg_check *c)
{
	struct jw w = write_begin(wr, "check", m, "check.", c->name);
	struct buf data = BUF_INIT;

	jw_member_str(&w, "name", c->name);
	if (c->data) {
		resource_addr_print(&data, c->data->addr);
		jw_member_str(&w, "data", buf_view(&data));
	}
	buf_release(&data);
	write_conditions(&w, "asserts", &c->asserts);
	write_end(wr, &w, &c->at);
}

void config_write_moved(struct writer *wr, const struct cfg_moved *mv)
{
	struct jw w = write_begin_plain(wr, "moved", mv->module);

	jw_key(&w, "from");
	record_traversal(&w, &mv->from);
	jw_key(&w, "to");
	record_traversal(&w, &mv->to);
	write_end(wr, &w, &mv->at);
}

void config_write_removed(struct writer *wr, const struct cfg_removed *rm)
{
	struct jw w = write_begin_plain(wr, "removed", rm->module);

	jw_key(&w, "from");
	record_traversal(&w, &rm->from);
	if (rm->destroy_given)
		jw_member_bool(&w, "destroy", rm->destroy);
	config_write_provisioners(&w, &rm->provisioners);
	write_end(wr, &w, &rm->at);
}

void config_write_import(struct writer *wr, const struct cfg_import *im)
{
	struct jw w = write_begin_plain(wr, "import", im->module);

	record_expression_member(&w, "to", im->to);
	record_expression_member(&w, "id", im->id);
	record_expression_member(&w, "identity", im->identity);
	record_expression_member(&w, "for_each", im->for_each);
	write_provider_use(wr, &w, &im->provider_ref, im->provider);
	write_end(wr, &w, &im->at);
}

/* --- reading --- */

int config_read_check(struct reader *r)
{
	struct cfg_check *c = ARENA_NEW(r->a, struct cfg_check);

	c->module = r->m;
	c->name = read_name(r);
	c->at = read_at(r, r->j, "at");
	if (!c->name.n || read_conditions(r, r->j, "asserts", &c->asserts))
		return -1;
	map_put(r->a, &r->m->checks, c->name, c);
	return 0;
}

int config_read_moved(struct reader *r)
{
	struct cfg_moved mv = { .module = r->m, .at = read_at(r, r->j, "at") };

	if (record_traversal_read(&r->in, json_get(r->j, "from"), false,
				  &mv.from) ||
	    record_traversal_read(&r->in, json_get(r->j, "to"), false, &mv.to))
		return -1;
	vec_push(r->a, &r->m->moved, mv);
	return 0;
}

int config_read_removed(struct reader *r)
{
	struct cfg_removed rm = { .module = r->m,
				  .at = read_at(r, r->j, "at") };

	rm.destroy_given = json_get(r->j, "destroy") != NULL;
	rm.destroy = json_get_bool(r->j, "destroy", false);
	if (record_traversal_read(&r->in, json_get(r->j, "from"), false,
				  &rm.from) ||
	    config_read_provisioners(r, &rm.provisioners))
		return -1;
	vec_push(r->a, &r->m->removed, rm);
	return 0;
}

int config_read_import(struct reader *r)
{
	struct cfg_import im = { .module = r->m, .at = read_at(r, r->j, "at") };

	if (read_expr(r, r->j, "to", &im.to) ||
	    read_expr(r, r->j, "id", &im.id) ||
	    read_expr(r, r->j, "identity", &im.identity) ||
	    read_expr(r, r->j, "for_each", &im.for_each) ||
	    read_provider_use(r, &im.provider_ref, &im.provider))
		return -1;
	if (!im.to.root)
		return record_invalid(r->ds, "an import has no \"to\"");
	if (import_address(r->a, &im, r->ds))
		return -1;
	vec_push(r->a, &r->m->imports, im);
	return 0;
}
