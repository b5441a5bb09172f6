/* selection.c - the record `selection`, written and read; see select.h */
#include "json/tree.h"
#include "select/select.h"
#include "stream/record.h"

void select_part_members(struct jw *w, const struct select_part *s)
{
	jw_member_str(w, "expression", s->expression);
	if (s->inverted)
		jw_member_bool(w, "inverted", true);
	jw_member_int(w, "selected", (int64_t)s->selected);
	jw_member_int(w, "of", (int64_t)s->of);
}

void select_part_write(struct stream_out *o, const struct select_part *s)
{
	struct jw w = stream_record(o, "selection", STR_NONE);

	select_part_members(&w, s);
	stream_record_end(o, &w);
}

int select_part_read(struct arena *a, struct str line, struct select_part *out,
		     struct diags *ds)
{
	const struct json *j = stream_parse(a, line, ds);

	if (!j)
		return -1;
	*out = (struct select_part){
		.expression = json_get_str(j, "expression"),
		.inverted = json_get_bool(j, "inverted", false),
		.selected = (uint64_t)json_get_int(j, "selected", 0),
		.of = (uint64_t)json_get_int(j, "of", 0),
	};
	return out->expression.n
		       ? 0
		       : record_invalid(ds, "it has no \"expression\"");
}
