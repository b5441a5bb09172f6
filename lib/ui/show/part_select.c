/*
 * part_select.c - what of a plan or a state is shown, by -select (show_int.h)
 *
 * In a file of its own, because tf-ui selects nothing: it needs no functions.
 */
#include "select/select.h"
#include "ui/show/show.h"
#include "ui/show/show_int.h"

int shown_select(struct shown *s, struct str line, bool *shown,
		 struct diags *ds)
{
	const enum select_answer answer =
		select_record(s->select, STR("resource_change"), line, ds);

	s->asked++;
	s->selected += answer > SELECT_NO;
	*shown = answer != SELECT_NO;
	return answer == SELECT_ERROR ? -1 : 0;
}

void shown_select_finish(struct shown *s, struct diags *ds)
{
	if (!s->select)
		return;
	vec_push(s->arena, &s->parts,
		 ((struct select_part){ select_text(s->select), false,
					s->selected, s->asked }));
	select_finish(s->select, ds);
}

int shown_select_state(struct shown *s, const struct state *st,
		       struct diags *ds)
{
	for (size_t r = 0; s->select && r < st->resources.len; r++) {
		struct state_resource *res = st->resources.items[r];
		size_t kept = 0;

		for (size_t i = 0; i < res->instances.len; i++) {
			struct state_instance *obj = res->instances.items[i];
			const enum select_answer answer =
				select_instance(s->select, res, obj, ds);

			if (answer == SELECT_ERROR)
				return -1;
			s->asked++;
			s->selected += answer != SELECT_NO;
			if (answer != SELECT_NO)
				res->instances.items[kept++] = obj;
		}
		res->instances.len = kept;
		res->kept = false;
	}
	shown_select_finish(s, ds);
	return 0;
}
