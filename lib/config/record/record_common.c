/*
 * record_common.c - what several records of a configuration share, written and
 * read back; see record_int.h
 */
#include "addr/provider.h"
#include "config/record/record_common_int.h"
#include "config/record/record_int.h"
#include "json/tree.h"
#include "json/write.h"
#include "stream/record_at.h"
#include "stream/record_body.h"
#include "stream/record_expr.h"
#include "stream/write.h"

/* --- writing --- */

void write_str(struct jw *w, const char *name, struct str s)
{
	if (s.n)
		jw_member_str(w, name, s);
}

void write_flag(struct jw *w, const char *name, bool flag)
{
	if (flag)
		jw_member_bool(w, name, true);
}

/* A record of m with the address "MODULE.prefix" + name. */
struct jw write_begin(struct writer *wr, const char *kind,
		      const struct cfg_module *m, const char *prefix,
		      struct str name)
{
	struct jw w;

	buf_set_len(&wr->text, 0);
	buf_str(&wr->text, m->path);
	if (m->path.n)
		buf_putc(&wr->text, '.');
	buf_puts(&wr->text, prefix);
	buf_str(&wr->text, name);
	w = stream_record(wr->o, kind, buf_view(&wr->text));
	jw_member_str(&w, "module", m->path);
	return w;
}

/* A record of m that has no address. */
struct jw write_begin_plain(struct writer *wr, const char *kind,
			    const struct cfg_module *m)
{
	struct jw w = stream_record(wr->o, kind, STR_NONE);

	jw_member_str(&w, "module", m->path);
	return w;
}

void write_end(struct writer *wr, struct jw *w, const struct range *at)
{
	record_at(w, "at", at);
	stream_record_end(wr->o, w);
}

void write_body(struct jw *w, const char *name, const struct body *b)
{
	if (!b)
		return;
	jw_key(w, name);
	record_body(w, b);
}

void write_conditions(struct jw *w, const char *name,
		      const struct cfg_condition_vec *v)
{
	if (!v->len)
		return;
	jw_key(w, name);
	jw_array(w);
	for (size_t i = 0; i < v->len; i++) {
		const struct cfg_condition *c = &v->items[i];

		jw_object(w);
		record_expression_member(w, "condition", c->condition);
		record_expression_member(w, "error_message", c->error_message);
		record_at(w, "at", &c->at);
		jw_object_end(w);
	}
	jw_array_end(w);
}

void write_traversals(struct jw *w, const char *name,
		      const struct traversal_vec *v)
{
	if (!v->len)
		return;
	jw_key(w, name);
	jw_array(w);
	for (size_t i = 0; i < v->len; i++)
		record_traversal(w, &v->items[i]);
	jw_array_end(w);
}

void write_provider_addr(struct writer *wr, struct jw *w, const char *name,
			 struct provider_addr p)
{
	if (!p.type.n)
		return;
	buf_set_len(&wr->text, 0);
	buf_addf(&wr->text, "%.*s/%.*s/%.*s", STR_ARG(p.host),
		 STR_ARG(p.namespace), STR_ARG(p.type));
	jw_member_str(w, name, buf_view(&wr->text));
}

void write_ref_members(struct jw *w, const struct cfg_provider_ref *r)
{
	if (!r->given)
		return;
	jw_member_str(w, "name", r->name);
	write_str(w, "alias", r->alias);
	record_expression_member(w, "key", r->key);
	record_at(w, "at", &r->at);
	record_at(w, "name_at", &r->name_at);
}

/* "provider": the resolved source, and the reference if one was given */
void write_provider_use(struct writer *wr, struct jw *w,
			const struct cfg_provider_ref *r,
			struct provider_addr p)
{
	jw_key(w, "provider");
	jw_object(w);
	write_provider_addr(wr, w, "source", p);
	write_ref_members(w, r);
	jw_object_end(w);
}

/* --- reading --- */

struct str read_str(struct reader *r, const struct json *j, const char *name)
{
	struct str s = json_get_str(j, name);

	return s.n ? str_dup(r->a, s) : STR_NONE;
}

struct str read_name(struct reader *r)
{
	struct str s = read_str(r, r->j, "name");

	if (!s.n)
		record_invalid(r->ds, "an object has no \"name\"");
	return s;
}

/* An absent position is no mistake: it is only missed in messages. */
struct range read_at(struct reader *r, const struct json *j, const char *name)
{
	struct range range;

	record_at_read(&r->in, json_get(j, name), &range);
	return range;
}

int read_expr(struct reader *r, const struct json *j, const char *name,
	      struct expression *out)
{
	return record_expression_read(&r->in, json_get(j, name), out);
}

int read_body(struct reader *r, const struct json *j, const char *name,
	      struct body **out)
{
	return record_body_read(&r->in, json_get(j, name), out);
}

/* The elements of an array member; none when it is absent. */
const struct json *read_list(const struct json *j, const char *name, size_t *n)
{
	const struct json *l = json_get(j, name);

	*n = l && l->kind == JSON_ARRAY ? l->len : 0;
	return *n ? l->items : NULL;
}

int read_traversals(struct reader *r, const struct json *j, const char *name,
		    bool relative, struct traversal_vec *out)
{
	size_t n;
	const struct json *l = read_list(j, name, &n);

	for (size_t i = 0; i < n; i++) {
		struct traversal_ref t;

		if (record_traversal_read(&r->in, &l[i], relative, &t))
			return -1;
		vec_push(r->a, out, t);
	}
	return 0;
}

int read_conditions(struct reader *r, const struct json *j, const char *name,
		    struct cfg_condition_vec *out)
{
	size_t n;
	const struct json *l = read_list(j, name, &n);

	for (size_t i = 0; i < n; i++) {
		struct cfg_condition c = { .at = read_at(r, &l[i], "at") };

		if (read_expr(r, &l[i], "condition", &c.condition) ||
		    read_expr(r, &l[i], "error_message", &c.error_message))
			return -1;
		if (!c.condition.root || !c.error_message.root)
			return record_invalid(
				r->ds, arena_printf(r->a,
						    "one of \"%s\" lacks "
						    "\"condition\" or "
						    "\"error_message\"",
						    name));
		vec_push(r->a, out, c);
	}
	return 0;
}

int read_provider_addr(struct reader *r, const struct json *j, const char *name,
		       struct provider_addr *out)
{
	struct str s = json_get_str(j, name), why;
	struct config *c = r->c;

	if (!s.n)
		return 0;
	if (!str_eq(s, c->source)) {
		c->source = STR_NONE;
		if (provider_addr_parse(r->a, s, c->default_host,
					&c->source_addr, &why))
			return record_invalid(r->ds,
					      "a provider's source is wrong");
		c->source = str_dup(r->a, s);
	}
	*out = c->source_addr;
	return 0;
}

int read_provider_ref(struct reader *r, const struct json *j,
		      struct cfg_provider_ref *out)
{
	*out = (struct cfg_provider_ref){ .given = false };
	out->name = read_str(r, j, "name");
	out->given = out->name.n != 0;
	out->alias = read_str(r, j, "alias");
	out->at = read_at(r, j, "at");
	out->name_at = read_at(r, j, "name_at");
	return read_expr(r, j, "key", &out->key);
}

int read_provider_use(struct reader *r, struct cfg_provider_ref *ref,
		      struct provider_addr *addr)
{
	const struct json *p = json_get(r->j, "provider");

	return read_provider_ref(r, p, ref) ||
			       read_provider_addr(r, p, "source", addr)
		       ? -1
		       : 0;
}
