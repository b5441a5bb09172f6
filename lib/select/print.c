/*
 * print.c - a line with what an expression comes to, for programs that take
 * lines apart (select.h)
 *
 * A list has a field for each element, with tabs between them.  A string stands
 * as it is, but for what would end a field or a line: so an address is what
 * other commands take.  What is no scalar is JSON.
 */
#include "json/write.h"
#include "select/select_int.h"
#include "value/codec_json.h"
#include "value/marks.h"

static void put_text(struct buf *out, struct str s)
{
	static const struct {
		char c;
		const char *as;
	} ends[] = { { '\n', "\\n" }, { '\r', "\\r" }, { '\t', "\\t" } };

	for (size_t i = 0; i < s.n; i++) {
		const char *as = NULL;

		for (size_t k = 0; k < sizeof(ends) / sizeof(ends[0]); k++)
			if (s.p[i] == ends[k].c)
				as = ends[k].as;
		if (as)
			buf_str(out, str_c(as));
		else
			buf_putc(out, s.p[i]);
	}
}

/* The words are those of the lines of tf-show(1). */
static void put_field(struct arena *a, const struct value *v,
		      bool show_sensitive, struct buf *out)
{
	struct jw w = JW_INIT(out);

	if (!show_sensitive && value_has_mark_deep(v, MARK_SENSITIVE)) {
		buf_str(out, STR("sensitive"));
		return;
	}
	v = value_unmark_deep(a, v, NULL);
	if (!value_wholly_known(v))
		buf_str(out, STR("unknown"));
	else if (value_is_null(v))
		return;
	else if (v->type->kind == TYPE_STRING)
		put_text(out, v->string);
	else
		value_to_json(&w, v, NULL);
}

static bool is_sequence(const struct value *v)
{
	return value_usable(v) &&
	       (v->type->kind == TYPE_TUPLE || v->type->kind == TYPE_LIST ||
		v->type->kind == TYPE_SET);
}

void print_line(struct arena *a, const struct value *v, bool show_sensitive,
		struct buf *out)
{
	const bool hidden =
		!show_sensitive && value_has_mark(v, MARK_SENSITIVE);

	if (hidden || !is_sequence(v))
		put_field(a, v, show_sensitive, out);
	else
		for (uint32_t i = 0; i < v->len; i++) {
			if (i)
				buf_putc(out, '\t');
			put_field(a, v->elems[i], show_sensitive, out);
		}
	buf_putc(out, '\n');
}
