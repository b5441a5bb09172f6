/*
 * filter.c - the records of a stream that an expression selects (select.h)
 *
 * Of the kinds that are asked the others are left out, and of a change its
 * `planned` record with it.  All else passes: what is left is a plan from which
 * somebody has taken changes, which the seal of tf-plan tells as well.
 */
#include "base/visible.h"
#include "json/read.h"
#include "select/select_int.h"

/* --- a change and its `planned` record --- */

static const char kept[] = "kept", dropped[] = "dropped";

/* The address of the object, with the key of a deposed one. */
static struct str whose_line(struct arena *a, struct str line)
{
	const struct str address =
		json_slice_str(a, json_slice_get(line, "address"));
	const struct str deposed =
		json_slice_str(a, json_slice_get(line, "deposed"));

	return str_printf(a, "%.*s %.*s", STR_ARG(deposed), STR_ARG(address));
}

static void pass_line(struct select_filter *f, struct str line)
{
	out_str(&f->out->out, line);
	out_str(&f->out->out, STR("\n"));
}

/* The planned records of it that came before the change. */
static void let_waiting(struct select_filter *f, struct str id, bool keep)
{
	for (size_t i = 0; i < f->waits.len; i++)
		if (str_eq(f->waits_for.items[i], id)) {
			if (keep && f->out)
				pass_line(f, f->waits.items[i]);
			f->waits_for.items[i] = STR_NONE;
		}
}

static void decide(struct select_filter *f, struct str line, bool keep)
{
	const struct str id = whose_line(&f->scratch, line);

	if (f->last.len)
		map_put(f->arena, &f->decided,
			str_dup(f->arena, buf_view(&f->last)),
			(void *)(f->last_kept ? kept : dropped));
	buf_set_len(&f->last, 0);
	buf_str(&f->last, id);
	f->last_kept = keep;
	if (f->waits.len)
		let_waiting(f, id, keep);
}

/* Returns whether the planned record passes now. */
static bool pass_planned(struct select_filter *f, struct str line)
{
	const struct str id = whose_line(&f->scratch, line);
	const char *was;

	if (f->last.len && str_eq(buf_view(&f->last), id)) {
		buf_set_len(&f->last, 0);
		return f->last_kept;
	}
	was = map_get(&f->decided, id);
	if (was)
		return was == kept;
	vec_push(f->arena, &f->waits, str_dup(f->arena, line));
	vec_push(f->arena, &f->waits_for, str_dup(f->arena, id));
	return false;
}

/* --- the stream --- */

static void note_address(struct select_filter *f)
{
	const struct str address = select_address(f->select);

	if (!f->addresses || !address.n)
		return;
	buf_str(&f->list, address);
	buf_putc(&f->list, '\n');
}

static int ask(struct select_filter *f, struct str kind, struct str line)
{
	const enum select_answer a =
		select_record(f->select, kind, line, f->ds);
	const bool keep = a == SELECT_MAYBE || (a == SELECT_YES) != f->invert;

	if (a == SELECT_ERROR)
		return -1;
	f->asked++;
	f->selected += keep;
	if (keep)
		note_address(f);
	if (keep && f->print &&
	    select_print(f->print, kind, line, f->show_sensitive, &f->list,
			 f->ds))
		return -1;
	if (str_is(kind, "resource_change"))
		decide(f, line, keep);
	if (f->out)
		f->out->leave_out = !keep;
	return 0;
}

static int on_record(void *data, struct str kind, struct str line,
		     struct diags *ds)
{
	struct select_filter *f = data;

	(void)ds;
	arena_reset(&f->scratch);
	f->plan |= str_is(kind, "plan");
	if (select_asks(f->select, kind))
		return ask(f, kind, line);
	if (f->out && str_is(kind, "planned") &&
	    select_asks(f->select, STR("resource_change")))
		f->out->leave_out = !pass_planned(f, line);
	return 0;
}

/* Changes of data sources that go have no resource_change. */
static void let_rest(struct select_filter *f)
{
	for (size_t i = 0; f->out && i < f->waits.len; i++)
		if (f->waits_for.items[i].p)
			pass_line(f, f->waits.items[i]);
}

static int no_plan(struct select_filter *f)
{
	const struct str_vec *stages = &f->info.stages;
	const struct str last =
		stages->len ? stages->items[stages->len - 1] : STR("no stage");

	return diag_error(
		f->ds, NULL, "No plan in the stream",
		"It has been through %.*s, and there is no plan in it whose changes could be asked. -of=KIND,... asks other records.",
		STR_ARG(visible_word(f->arena, last)));
}

int select_filter_read(struct select_filter *f, int fd)
{
	const int rc = stream_read(f->arena, fd, &f->info, f->out, on_record, f,
				   f->ds);

	if (rc)
		return -1;
	let_rest(f);
	if (f->info.failed) {
		if (!f->out)
			diag_error(
				f->ds, NULL, "The input has failed",
				"The run that wrote it ended with an error, so it is not known what else there is.");
		return -1;
	}
	if (!f->plan && select_asks_plan(f->select))
		return no_plan(f);
	select_finish(f->select, f->ds);
	if (f->out)
		select_part_write(f->out,
				  &(struct select_part){ select_text(f->select),
							 f->invert, f->selected,
							 f->asked });
	return 0;
}

void select_filter_release(struct select_filter *f)
{
	arena_release(&f->scratch);
	buf_release(&f->last);
	buf_release(&f->list);
}
