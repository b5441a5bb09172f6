/*
 * state_text.c - a state as people read it: tofu show, tofu state show
 */
#include "ui/show/show_int.h"
#include "base/visible.h"
#include "json/read.h"
#include "json/write.h"
#include "ui/diff/diff.h"
#include "value/codec_json.h"
#include "value/marks.h"

static const struct json *reparse(struct arena *a, struct buf *b)
{
	struct json_error err;
	const struct json *j = json_parse(a, buf_view(b), &err);

	buf_release(b);
	return j;
}

/* The values and sensitive_values of an object, as the JSON that the
 * difference engine works on. */
static struct diff_input object_json(struct arena *a, const struct value *v)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);
	const struct json *values;

	value_to_json(&w, value_unmark_deep(a, v, NULL), NULL);
	values = reparse(a, &b);
	w = (struct jw)JW_INIT(&b);
	value_sensitive_json(&w, v);
	return diff_input_same(values, reparse(a, &b));
}

int state_instance_text(struct buf *b, const struct state_resource *r,
			const struct state_instance *i,
			struct state_objects *objects, struct diff_style st)
{
	struct arena a = ARENA_INIT;
	struct instance_addr addr = { r->module, r->addr, i->key };
	const struct resource_schema *schema;
	struct buf name = BUF_INIT;
	const struct value *v = state_object(objects, &a, r, i, &schema);
	struct diff_input in;

	if (!v)
		goto out;
	st.no_symbols = true;
	st.show_unchanged = true;
	buf_puts(b, "# ");
	instance_addr_print(&name, &addr);
	visible_line(b, buf_view(&name));
	buf_release(&name);
	if (i->deposed.n)
		buf_addf(b, ": (deposed object %.*s)\n",
			 STR_ARG(visible_word(&a, i->deposed)));
	else
		buf_puts(b, i->tainted ? ": (tainted)\n" : ":\n");
	buf_addf(b, "%s \"%.*s\" \"%.*s\" ",
		 r->addr.mode == MODE_DATA ? "data" : "resource",
		 STR_ARG(visible_word(&a, r->addr.type)),
		 STR_ARG(visible_word(&a, r->addr.name)));
	in = object_json(&a, v);
	diff_render(b,
		    schema ? diff_block(&a, &in, schema->block)
			   : diff_json(&a, &in),
		    0, st);
	buf_putc(b, '\n');
out:
	arena_release(&a);
	return v ? 0 : -1;
}

static void put_outputs(struct buf *b, const struct state *st,
			struct diff_style style)
{
	const struct state_output_list outs = state_outputs_sorted(st);

	if (!outs.len)
		return;
	style.no_symbols = true;
	style.show_unchanged = true;
	buf_puts(b, "\n\nOutputs:\n\n");
	for (size_t i = 0; i < outs.len; i++) {
		struct arena a = ARENA_INIT;
		const struct state_output *o = &outs.items[i];
		struct buf jb = BUF_INIT;
		struct jw w = JW_INIT(&jb);
		const struct value *v = value_unmark_deep(&a, o->value, NULL);
		static const struct json yes = { .kind = JSON_BOOL,
						 .boolean = true };
		bool hide = value_has_mark_deep(o->value, MARK_SENSITIVE);
		struct diff_input in;

		value_to_json(&w, v, NULL);
		in = diff_input_same(reparse(&a, &jb), hide ? &yes : NULL);
		visible_line(b, o->name);
		buf_puts(b, " = ");
		diff_render(b, diff_typed(&a, &in, v->type), 0, style);
		buf_putc(b, '\n');
		arena_release(&a);
	}
}

/* Has a module that this one is in resources?  The first text of all and of
 * modules where none has follows no blank line. */
static bool below_resources(const struct map *modules,
			    struct module_addr module)
{
	struct buf b = BUF_INIT;
	bool found = false;

	for (; module.len && !found; buf_set_len(&b, 0)) {
		module.len--;
		module_addr_print(&b, module);
		found = map_has(modules, buf_view(&b));
	}
	buf_release(&b);
	return found;
}

static void put_resources(struct buf *b, const struct state *st,
			  struct state_objects *objects,
			  struct diff_style style)
{
	struct arena a = ARENA_INIT;
	struct state_entry_vec all = { 0 };
	struct map modules = { 0 };
	bool first = true;

	state_entries(&a, st, false, &all);
	for (size_t i = 0; i < all.len; i++) {
		const struct state_resource *r = all.items[i].r;

		if (!i ||
		    !module_addr_equal(r->module, all.items[i - 1].r->module)) {
			first = !below_resources(&modules, r->module);
			map_put(&a, &modules, module_addr_text(&a, r->module),
				&modules);
			if (!first)
				buf_putc(b, '\n');
		}
		if (!first)
			buf_putc(b, '\n');
		first = false;
		state_instance_text(b, r, all.items[i].i, objects, style);
	}
	arena_release(&a);
}

int state_text(struct view *v, const struct state *st,
	       struct state_objects *objects)
{
	struct diff_style style = { .color = v->style.color,
				    .show_sensitive = v->show_sensitive };
	struct buf b = BUF_INIT;

	if (state_is_empty(st)) {
		out_str(v->out,
			STR("The state file is empty. No resources are represented.\n"));
		return 0;
	}
	put_resources(&b, st, objects, style);
	put_outputs(&b, st, style);
	if (!objects->why.n)
		out_str(v->out, buf_view(&b));
	buf_release(&b);
	return objects->why.n ? -1 : 0;
}
