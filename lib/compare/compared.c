/*
 * compared.c - what is compared, from a stream or a state file (compare.h)
 *
 * A plan tells what of its values is secret.  Of a state it is the schema of
 * a provider, which is not there: all its values count as sensitive.
 */
#include "addr/addr.h"
#include "compare/compare_int.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "select/select.h"
#include "state/file/file.h"
#include "stream/stream.h"
#include "value/codec_json.h"
#include "value/marks.h"

struct reading {
	struct compared *c;
	struct arena scratch;
	struct stream_info info;
	struct state *previous, *prior;
};

/* --- objects --- */

struct taking { /* the leaves of an object */
	const struct compared *c;
	struct compared_object *o;
};

static void take(void *data, const struct compared_leaf *l)
{
	const struct taking *t = data;
	struct compared_leaf leaf = *l;

	leaf.path = str_dup(t->c->arena, l->path);
	leaf.text = str_dup(t->c->arena, l->text);
	vec_push(t->c->arena, &t->o->leaves, leaf);
}

static struct leaf_walk walk_of(struct reading *r, struct taking *t)
{
	return (struct leaf_walk){ .arena = &r->scratch,
				   .show_sensitive = r->c->show_sensitive,
				   .path = BUF_INIT,
				   .put = take,
				   .data = t };
}

static struct compared_object *object(struct compared *c, struct str address,
				      struct str deposed)
{
	struct compared_object *o = ARENA_NEW(c->arena, struct compared_object);

	*o = (struct compared_object){
		.address = deposed.n ? str_printf(c->arena,
						  "%.*s (deposed object %.*s)",
						  STR_ARG(address),
						  STR_ARG(deposed))
				     : str_dup(c->arena, address),
	};
	map_put(c->arena, &c->objects, o->address, o);
	return o;
}

static int read_change(struct reading *r, struct str line, struct diags *ds)
{
	const struct json *j = stream_parse(&r->scratch, line, ds);
	const struct json *change = json_get(j, "change");
	const struct json *actions = json_get(change, "actions");
	const struct json *after = json_get(change, "after");
	static const struct json null = { .kind = JSON_NULL };
	const struct leaf_masks m = { json_get(change, "after_unknown"),
				      json_get(change, "after_sensitive"),
				      NULL };
	struct taking t = { .c = r->c };
	struct leaf_walk w = walk_of(r, &t);
	struct buf action = BUF_INIT;

	if (!j)
		return -1;
	t.o = object(r->c, json_get_str(j, "address"),
		     json_get_str(j, "deposed"));
	for (uint32_t i = 0;
	     actions && actions->kind == JSON_ARRAY && i < actions->len; i++)
		if (actions->items[i].kind == JSON_STRING)
			buf_addf(&action, "%s%.*s", i ? "/" : "",
				 STR_ARG(actions->items[i].text));
	t.o->action = buf_dup(r->c->arena, &action);
	leaf_walk(&w, after ? after : &null, &m);
	buf_release(&action);
	buf_release(&w.path);
	return 0;
}

static int on_record(void *data, struct str kind, struct str line,
		     struct diags *ds)
{
	struct reading *r = data;

	arena_reset(&r->scratch);
	r->c->plan |= str_is(kind, "plan");
	if (str_is(kind, "resource_change") || str_is(kind, "output_change"))
		return read_change(r, line, ds);
	return state_read_record(r->previous, r->prior, kind, line, ds) < 0 ? -1
									    : 0;
}

static const struct json hidden = { .kind = JSON_BOOL, .boolean = true };

void compared_state_attribute(struct leaf_walk *w, const struct json_member *m)
{
	const struct leaf_masks none = { 0 };
	const size_t at = w->path.len;

	addr_attr_name(&w->path, m->name);
	if (!w->show_sensitive) {
		w->hidden = COMPARED_UNSURE;
		w->visible = w->path.len;
	}
	leaf_walk(w, select_unwrapped(w->arena, &m->value), &none);
	w->hidden = COMPARED_SHOWN;
	buf_set_len(&w->path, at);
}

static void read_object(struct reading *r, const struct state_resource *res,
			const struct state_instance *i)
{
	const struct instance_addr addr = { res->module, res->addr, i->key };
	const struct str text =
		i->attributes.n ? i->attributes : i->attributes_flat;
	struct taking t = { .c = r->c };
	struct leaf_walk w = walk_of(r, &t);
	const struct json *j;

	arena_reset(&r->scratch);
	t.o = object(r->c, instance_addr_text(r->c->arena, &addr), i->deposed);
	j = json_slice_tree(&r->scratch, text, NULL);
	for (uint32_t k = 0; j && k < j->len; k++)
		compared_state_attribute(&w, &j->members[k]);
	buf_release(&w.path);
}

static void read_output(struct reading *r, const struct state_output *o)
{
	struct arena *a = &r->scratch;
	const bool secret = value_has_mark_deep(o->value, MARK_SENSITIVE);
	const struct leaf_masks m = { NULL, secret ? &hidden : NULL, NULL };
	struct taking t = { .c = r->c };
	struct leaf_walk w = walk_of(r, &t);
	struct buf b = BUF_INIT;
	struct jw jw = JW_INIT(&b);
	struct json_error err;
	const struct json *j;

	arena_reset(a);
	value_to_json(&jw, value_unmark_deep(a, o->value, NULL), NULL);
	j = json_parse(a, buf_view(&b), &err);
	t.o = object(r->c, str_printf(a, "output.%.*s", STR_ARG(o->name)),
		     STR_NONE);
	if (j)
		leaf_walk(&w, j, &m);
	buf_release(&b);
	buf_release(&w.path);
}

static void read_state(struct reading *r, const struct state *st)
{
	const struct state_output_list outs = state_outputs_sorted(st);

	for (size_t i = 0; i < st->resources.len; i++) {
		const struct state_resource *res = st->resources.items[i];

		for (size_t k = 0; k < res->instances.len; k++)
			read_object(r, res, res->instances.items[k]);
	}
	for (size_t i = 0; i < outs.len; i++)
		read_output(r, &outs.items[i]);
}

/* --- input --- */

int compared_whole(const struct stream_info *info, bool plan, struct str name,
		   struct diags *ds)
{
	if (info->failed)
		return diag_error(
			ds, NULL, "The input has failed",
			"The run that wrote %.*s ended with an error.",
			STR_ARG(name));
	if (!plan && stream_has_stage(info, "tf-plan"))
		return diag_error(ds, NULL, "No plan in the stream",
				  "There is no plan in %.*s.", STR_ARG(name));
	return 0;
}

static int read_stream(struct reading *r, int fd, struct str name,
		       struct diags *ds)
{
	r->previous = state_new(r->c->arena);
	r->prior = state_new(r->c->arena);
	if (stream_read(r->c->arena, fd, &r->info, NULL, on_record, r, ds))
		return -1;
	if (compared_whole(&r->info, r->c->plan, name, ds))
		return -1;
	if (!r->c->plan)
		read_state(r, r->prior);
	return 0;
}

static int read_text(struct reading *r, struct str text, struct str name,
		     struct diags *ds)
{
	struct state *st;

	if (!text.n)
		return diag_error(ds, NULL, "No input", "%.*s is empty.",
				  STR_ARG(name));
	st = state_parse(r->c->arena, text,
			 arena_strndup(r->c->arena, name.p, name.n), ds);
	if (st)
		read_state(r, st);
	return st ? 0 : -1;
}

int compared_read(struct compared *c, const struct saved *in, struct str name,
		  struct diags *ds)
{
	struct reading r = { .c = c };
	const int rc = in->stream
			       ? read_stream(&r, in->fd, name, ds)
			       : read_text(&r, buf_view(&in->text), name, ds);

	arena_release(&r.scratch);
	return rc;
}
