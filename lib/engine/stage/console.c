/* console.c - see console.h */
#include "engine/run/values.h"
#include "engine/stage/console.h"
#include "config/check/refs.h"
#include "json/write.h"
#include "lang/syntax/parse.h"
#include "lang/syntax/walk.h"
#include "value/codec_json.h"
#include "value/marks.h"
#include "value/number.h"
#include "value/value.h"
#include "value/type.h"

void console_unknown_inputs(struct run *r)
{
	const struct map *vars = &r->root->config->variables;

	for (size_t i = 0; i < vars->len; i++) {
		const struct cfg_variable *v = vars->entries[i].value;
		const struct type *t = v->type ? v->type : &type_dynamic;

		if (v->default_value.root ||
		    map_has(&r->inputs.by_name, v->name))
			continue;
		inputs_set(r->arena, &r->inputs, v->name,
			   value_unknown(r->arena, type_without_optional(t)));
	}
}

/* --- evaluating --- */

/* Several lines are put in parentheses, so that line ends do not matter and a
 * heredoc may be last.  Positions still count from the first line. */
static struct source *console_source(struct arena *a, struct str text)
{
	struct pos before = { .line = 0, .column = 1, .byte = (uint32_t)-2 };

	if (text.n == 0 || str_chr(text, '\n') < 0)
		return source_new(a, STR(CONSOLE_INPUT), text);
	text = str_printf(a, "(\n%.*s\n)", STR_ARG(text));
	return source_fragment(a, STR(CONSOLE_INPUT), text, before);
}

const struct value *console_eval(struct arena *a, struct run_module *m,
				 struct str text, struct diags *ds)
{
	struct source *src = console_source(a, text);
	size_t errors = ds->errors;
	struct traversal_vec refs = { 0 };
	struct expression e;
	const struct value *v;
	struct run_mark mark;
	struct run_scope s;

	e = parse_expression(a, src, ds);
	if (!e.root || ds->errors != errors)
		return NULL;
	run_scope_init(&s, m, NULL);
	s.scope.console = true;
	expression_variables(a, e, &refs);
	config_check_expression(m->config, e, ds);
	if (ds->errors != errors || schema_check_references(a, m, &refs, ds))
		return NULL;
	mark = run_mark(m->run, ds);
	do
		v = eval_expression(a, &s.scope, e, ds);
	while (run_settle(&mark));
	return ds->errors == errors ? v : NULL;
}

/* --- printing --- */

/* A value that is a type: what type() returned. */
static bool is_type(const struct value *v)
{
	return value_has_mark(v, MARK_TYPE) && v->type->kind == TYPE_TUPLE &&
	       v->len == 1 && !value_has_mark_deep(v->elems[0], MARK_TYPE);
}

static int misused_type(struct diags *ds)
{
	return diag_error(
		ds, NULL, "Invalid use of type function",
		"The result of type() cannot be a part of another expression.");
}

int console_render(struct arena *a, struct buf *b, const struct value *v,
		   struct diags *ds)
{
	(void)a;
	if (is_type(v))
		buf_str(b, v->elems[0]->string);
	else if (value_has_mark_deep(v, MARK_TYPE))
		return misused_type(ds);
	else
		value_render(b, v);
	return 0;
}

static bool has_json(const struct value *v)
{
	return !value_has_mark_deep(v, MARK_SENSITIVE) &&
	       !value_has_mark_deep(v, MARK_EPHEMERAL) &&
	       value_wholly_known(v) && !value_has_infinity(v);
}

static void answer_diag(struct jw *w, const struct diag *d)
{
	struct range shown = d->subject, *r = &shown;

	/* of an empty range, at least one character is shown */
	if (r->start.byte == r->end.byte) {
		r->end.byte++;
		r->end.column++;
	}
	jw_object(w);
	jw_member_str(w, "summary", d->summary);
	jw_member_str(w, "detail", d->detail);
	if (range_present(r)) {
		const struct pos *ends[] = { &r->start, &r->end };
		static const char *const names[] = { "start", "end" };

		jw_key(w, "range");
		jw_object(w);
		for (int i = 0; i < 2; i++) {
			jw_key(w, names[i]);
			jw_object(w);
			jw_member_int(w, "line", ends[i]->line);
			jw_member_int(w, "column", ends[i]->column);
			jw_member_int(w, "byte", ends[i]->byte);
			jw_object_end(w);
		}
		jw_object_end(w);
	}
	jw_object_end(w);
}

static bool stands_before(const struct range *a, const struct range *b)
{
	return a->start.byte != b->start.byte ? a->start.byte < b->start.byte
					      : a->end.byte < b->end.byte;
}

/* Answers with the error that would be shown first: they are shown by their
 * place. */
static void answer_error(struct jw *w, const struct diags *ds)
{
	const struct diag *first = NULL;

	for (size_t i = 0; i < ds->len; i++) {
		const struct diag *d = &ds->items[i];

		if (d->severity == SEV_ERROR &&
		    (!first || stands_before(&d->subject, &first->subject)))
			first = d;
	}
	if (!first)
		return;
	jw_key(w, "error");
	answer_diag(w, first);
}

static void answer_warnings(struct jw *w, const struct diags *ds)
{
	if (ds->len == ds->errors)
		return;
	jw_key(w, "warnings");
	jw_array(w);
	for (size_t i = 0; i < ds->len; i++)
		if (ds->items[i].severity == SEV_WARNING)
			answer_diag(w, &ds->items[i]);
	jw_array_end(w);
}

static void answer_value(struct jw *w, const struct value *v, struct buf *b)
{
	struct jw inner = JW_INIT(b);

	if (is_type(v)) {
		jw_member_str(w, "type", STR("type"));
		jw_key(w, "json");
		jw_null(w);
	} else {
		buf_set_len(b, 0);
		type_render(b, v->type);
		jw_member_str(w, "type", buf_view(b));
		jw_key(w, "json");
		if (has_json(v)) {
			buf_set_len(b, 0);
			inner.html = true;
			value_to_json(&inner, v, NULL);
			jw_str(w, buf_view(b));
		} else {
			jw_null(w);
		}
	}
}

void console_answer(struct arena *a, struct run_module *m, struct buf *out,
		    struct str id, struct str expr)
{
	struct diags ds = DIAGS_INIT(a);
	struct jw w = JW_INIT(out);
	struct buf b = BUF_INIT, text = BUF_INIT;
	const struct value *v = console_eval(a, m, expr, &ds);

	jw_object(&w);
	jw_member_str(&w, "id", id);
	if (v && console_render(a, &text, v, &ds) == 0) {
		answer_value(&w, v, &b);
		jw_member_str(&w, "rendered", buf_view(&text));
	} else {
		answer_error(&w, &ds);
	}
	answer_warnings(&w, &ds);
	jw_object_end(&w);
	buf_putc(out, '\n');
	buf_release(&text);
	buf_release(&b);
}

/* --- lines --- */

bool console_lines_add(struct console_lines *l, struct str line)
{
	bool more = false;

	line = str_trim(line);
	if (str_ends(line, "\\")) {
		more = !str_ends(line, "\\\\");
		line.n--;
	}
	if (line.n) {
		if (l->text.len)
			buf_putc(&l->text, '\n');
		buf_str(&l->text, line);
		text_brackets(line, l->open);
	}
	if (l->open[0] < 0 || l->open[1] < 0 || l->open[2] < 0)
		return true;
	return !more && l->open[0] + l->open[1] + l->open[2] == 0;
}

void console_lines_clear(struct console_lines *l)
{
	buf_set_len(&l->text, 0);
	memset(l->open, 0, sizeof(l->open));
}
