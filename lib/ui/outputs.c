/* outputs.c - see outputs.h */
#include <errno.h>
#include <unistd.h>

#include "ui/outputs.h"
#include "base/didyoumean.h"
#include "base/io.h"
#include "base/visible.h"
#include "json/write.h"
#include "state/file/file.h"
#include "ui/diag_text.h"
#include "value/codec_json.h"
#include "value/convert.h"
#include "value/marks.h"
#include "value/value.h"
#include "value/type.h"

/* name = value, a line each (several for collections). */
static void outputs_text(struct buf *b, const struct state *st,
			 bool show_sensitive)
{
	const struct state_output_list outs = state_outputs_sorted(st);

	for (size_t i = 0; i < outs.len; i++) {
		const struct state_output *o = &outs.items[i];
		struct arena a = ARENA_INIT;

		visible_line(b, o->name);
		buf_puts(b, " = ");
		if (value_has_mark_deep(o->value, MARK_SENSITIVE) &&
		    !show_sensitive)
			buf_puts(b, "<sensitive>");
		else
			value_render(b, value_unmark_deep(&a, o->value, NULL));
		buf_putc(b, '\n');
		arena_release(&a);
	}
}

static void put_json(struct buf *b, struct arena *a, const struct state *st)
{
	const struct state_output_list outs = state_outputs_sorted(st);
	struct jw w = JW_INIT(b);

	w.indent = 2;
	w.html = true;
	jw_object(&w);
	for (size_t i = 0; i < outs.len; i++) {
		const struct state_output *o = &outs.items[i];
		const struct value *v = value_unmark_deep(a, o->value, NULL);

		jw_key_str(&w, o->name);
		jw_object(&w);
		jw_member_bool(&w, "sensitive",
			       value_has_mark_deep(o->value, MARK_SENSITIVE));
		jw_key(&w, "type");
		type_to_json(&w, v->type);
		jw_key(&w, "value");
		value_to_json(&w, v, NULL);
		jw_object_end(&w);
	}
	jw_object_end(&w);
	buf_putc(b, '\n');
}

static int put_raw(struct buf *b, struct arena *a, const struct value *v,
		   struct str name, struct diags *ds)
{
	struct verror err;
	const struct value *s;

	v = value_unmark_deep(a, v, NULL);
	s = convert(a, v, &type_string, &err);
	if (!s || !type_is_primitive(v->type))
		return diag_error(
			ds, NULL, "Unsupported value for raw output",
			"Output \"%.*s\" is of type %.*s; -raw prints strings, "
			"numbers and booleans only. Use -json instead.",
			STR_ARG(name), STR_ARG(type_friendly(a, v->type)));
	if (value_is_null(s))
		return diag_error(
			ds, NULL, "Unsupported value for raw output",
			"Output \"%.*s\" is null, which has no raw form.",
			STR_ARG(name));
	buf_str(b, s->string);
	return 0;
}

static int put_one(struct buf *b, struct arena *a,
		   const struct outputs_options *o, const struct value *v,
		   struct diags *ds)
{
	struct jw w = JW_INIT(b);

	if (o->raw)
		return put_raw(b, a, v, o->name, ds);
	v = value_unmark_deep(a, v, NULL);
	if (o->json) {
		w.html = true;
		value_to_json(&w, v, NULL);
	} else {
		value_render(b, v);
	}
	buf_putc(b, '\n');
	return 0;
}

/* Puts a warning in place of the outputs: it is no error. */
static void put_warning(struct buf *b, struct arena *a,
			const struct outputs_options *o, const char *summary,
			const char *detail)
{
	struct diags ds = DIAGS_INIT(a);

	diag_warning(&ds, NULL, summary, "%s", detail);
	diags_text(b, &ds, NULL, text_style_for(STDOUT_FILENO, o->no_color),
		   NULL);
}

static int not_found(struct arena *a, struct str name, const struct state *st,
		     struct diags *ds)
{
	const struct state_output_list outs = state_outputs_sorted(st);
	struct str_vec names = { 0 };
	struct str near;

	for (size_t i = 0; i < outs.len; i++)
		vec_push(a, &names, outs.items[i].name);
	near = didyoumean_hint(a, name, names.items, names.len);
	return diag_error(ds, NULL,
			  arena_printf(a, "Output \"%.*s\" not found",
				       STR_ARG(name)),
			  "The state has no output of that name.%.*s If it was "
			  "added to the configuration since, run an apply to "
			  "save it.",
			  STR_ARG(near));
}

static int print(struct buf *b, struct arena *a,
		 const struct outputs_options *o, const struct state *st,
		 struct diags *ds)
{
	const struct value *v;

	if (o->raw && !o->name.n)
		return diag_error(ds, NULL, "Output name required",
				  "-raw prints one output: name it.");
	if (!o->name.n && o->json) {
		put_json(b, a, st);
		return 0;
	}
	/* Programs read the output, not that there is none.  So do those that
	 * ask for one with -raw: no warning is its value. */
	if (state_outputs_sorted(st).len == 0 && !o->json && !o->raw) {
		put_warning(
			b, a, o, "No outputs found",
			"The state has no outputs, or they have not been "
			"saved yet: outputs are declared in the root module "
			"and stored by an apply.");
		return 0;
	}
	if (!o->name.n) {
		outputs_text(b, st, o->show_sensitive);
		return 0;
	}
	v = state_output(st, o->name);
	if (!v)
		return not_found(a, o->name, st, ds);
	return put_one(b, a, o, v, ds);
}

static const struct state *read_state(struct arena *a, int fd, struct diags *ds)
{
	struct buf text = BUF_INIT;
	const struct state *st = NULL;

	if (io_read_fd(fd, &text, 0))
		diag_error(ds, NULL, "Cannot read the state", "%s.",
			   strerror(errno));
	else if (!text.len)
		diag_error(
			ds, NULL, "Cannot read the state",
			"The input is empty: the program that should write it has failed, or there is no state yet.");
	else
		st = state_parse(a, buf_dup(a, &text), "standard input", ds);
	buf_release(&text);
	return st;
}

int outputs_run(struct arena *a, const struct outputs_options *o,
		const struct state *st, int fd, struct diags *ds)
{
	const struct text_style style =
		text_style_for(STDOUT_FILENO, o->no_color);
	struct out out = OUT_INIT(STDOUT_FILENO);
	int rc = 1;

	if (!o->raw && !o->json)
		out.form = text_form(style);

	if (o->raw && o->json) {
		diag_error(ds, NULL, "Invalid output format",
			   "-raw and -json exclude each other.");
		return 1;
	}
	if (!st)
		st = read_state(a, fd, ds);
	if (st && print(&out.buf, a, o, st, ds) == 0)
		rc = diags_written(a, &out) ? 1 : 0;
	out_release(&out);
	return rc;
}
