/* part.c - a plan or a state of which a part is shown; see show_int.h */
#include "select/select.h"
#include "ui/show/show.h"
#include "ui/show/show_int.h"
#include "ui/view.h"

int shown_keep_part(struct shown *s, struct str line, struct diags *ds)
{
	struct select_part part;

	if (select_part_read(s->arena, line, &part, ds))
		return -1;
	vec_push(s->arena, &s->parts, part);
	return 0;
}

struct str shown_part_said(struct arena *a, const struct shown *s, size_t i,
			   const char *what)
{
	const struct select_part *p = &s->parts.items[i];

	return str_printf(
		a,
		"Note: This is a part: %llu of %llu %s, those for which this is %s: %.*s",
		(unsigned long long)p->selected, (unsigned long long)p->of,
		what, p->inverted ? "false" : "true", STR_ARG(p->expression));
}

void shown_parts_text(struct view *v, const struct shown *s, const char *what,
		      const char *more)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < s->parts.len; i++) {
		const struct str text = shown_part_said(v->arena, s, i, what);

		buf_putc(&b, '\n');
		text_wrap(&b, text, v->style.width - 1);
	}
	if (s->parts.len && more)
		text_wrap(&b, str_c(more), v->style.width - 1);
	out_str(v->out, buf_view(&b));
	buf_release(&b);
}

void shown_parts_json(struct jw *w, const struct shown *s)
{
	if (!s->parts.len)
		return;
	jw_key(w, "selection");
	jw_array(w);
	for (size_t i = 0; i < s->parts.len; i++) {
		jw_object(w);
		select_part_members(w, &s->parts.items[i]);
		jw_object_end(w);
	}
	jw_array_end(w);
}
