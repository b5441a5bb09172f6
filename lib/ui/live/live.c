/*
 * live.c - reading a stream that is shown as it arrives (live.h)
 *
 * Source of the texts: OpenTofu 1.12.6; programs match them.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/confine.h"
#include "json/read.h"
#include "json/tree.h"
#include "stream/stream.h"
#include "ui/live/live_int.h"
#include "base/diag.h"
#include "base/product.h"
#include "base/visible.h"
#include "engine/stage/selectors.h"
#include "encrypt/encrypt.h"
#include "ui/show/show.h"
#include "ui/view.h"

struct view *live_next_view(struct live *l, const struct view *v)
{
	if (!v)
		return &l->v;
	return v == &l->v && l->into.out ? &l->into : NULL;
}

/* --- the plan --- */

/* A plan that failed before its first change is shown only if a plan was asked
 * for. */
static bool plan_is_shown(const struct live *l)
{
	const struct shown *s = &l->s;

	if (!s->plan || !l->op->plan)
		return false;
	return l->op->failed_plan || !s->info.failed || !s->plan->empty;
}

static void put_form(struct live *l)
{
	struct view v = l->v;

	if (l->o->form->alone) {
		v.out = &l->form_out;
		v.style = text_style_for(STDOUT_FILENO, l->o->no_color);
		v.diags_apart = l->s.info.failed || l->s.errored;
	}
	l->o->form->put(&v, &l->s, l->o->max_size, &l->diags);
}

static int show_plan(struct live *l)
{
	if (l->plan_shown || !plan_is_shown(l))
		return 0;
	if (shown_finish_plan(&l->s, &l->diags))
		return -1;
	l->plan_shown = true;
	for (struct view *v = NULL; (v = live_next_view(l, v));) {
		if (v->json)
			live_plan_messages(l, v);
		else if (l->o->form)
			put_form(l);
		else
			plan_text(v, &l->s);
	}
	return 0;
}

/* --- the records --- */

/* Is it part of a saved plan?  The configuration is, too: its warnings are
 * shown again, once. */
static bool is_saved(const struct live *l)
{
	return l->op->apply_only && !l->applying && !l->o->continued;
}

/* tf-apply's input was displayed before: it needs only the changes, for
 * programs, and the warnings that nobody has seen. */
static bool is_wanted(const struct live *l, struct str kind)
{
	if (!l->op->apply_only || l->applying)
		return true;
	return str_is(kind, "resource_change")
		       ? !l->o->continued && l->v.json
		       : str_is(kind, "diagnostic") &&
				 (l->o->warnings ||
				  (is_saved(l) && shown_parsing(&l->s)));
}

static int begin_apply(struct live *l)
{
	l->applying = true;
	l->slowest = STR_NONE; /* that was planning */
	status_applying(&l->status);
	if (!l->op->applies)
		return 0;
	live_forget_checks(l);
	return show_plan(l);
}

/* Is the object of the state one to refresh?  Data sources are read instead. */
static bool is_refreshed(struct arena *a, struct str line)
{
	struct str addr = json_slice_str(a, json_slice_get(line, "address"));

	return !plan_view_is_data(addr);
}

/* For the status line.  Counts the work: every object to refresh, unless only
 * some are selected, or the total from tf-apply. */
static void count_work(struct live *l, struct str kind, struct str line)
{
	struct arena scratch = ARENA_INIT;
	struct diags quiet = DIAGS_INIT(&scratch);
	struct selectors what;
	struct json_error err;

	if (str_is(kind, "previous_run_state")) {
		l->status.total += !l->partial && is_refreshed(&scratch, line);
	} else if (str_is(kind, "options")) {
		l->partial = selectors_read(&scratch, line, &what, &quiet) ||
			     target_set_narrows(&what.set) ||
			     !selectors_read_all(&what);
	} else if (str_is(kind, "slowest")) {
		l->slowest = str_dup(l->s.arena, line);
	} else if (str_is(kind, "progress")) {
		status_progress(&l->status,
				json_slice_tree(&scratch, line, NULL),
				l->partial);
	} else if (str_is(kind, "operations")) {
		l->status.total =
			(size_t)json_get_int(json_parse(&scratch, line, &err),
					     "total", 0);
	}
	arena_release(&scratch);
}

static int keep(struct live *l, struct str kind, struct str line,
		struct diags *ds)
{
	struct shown_diag_vec *all = &l->s.diags;
	const size_t n = all->len;
	int rc = shown_keep(&l->s, kind, line, ds);

	if (all->len > n && is_saved(l) && all->items[n].diag.again)
		all->len = n;
	if (all->len > n && !l->op->validates &&
	    diag_kind(all->items[n].diag.code)->early)
		live_early(l);
	return rc;
}

static int on_record(void *data, struct str kind, struct str line,
		     struct diags *ds)
{
	struct live *l = data;

	if (!l->applying && shown_applying(&l->s) && begin_apply(l))
		return -1;
	if (str_is(kind, "event"))
		return live_event(l, line, ds);
	if (str_is(kind, "operations"))
		live_planned(l);
	if (l->status.on)
		count_work(l, kind, line);
	if (!shown_is_kept(&l->s, kind) || !is_wanted(l, kind))
		return 0;
	return keep(l, kind, line, ds);
}

/* --- the beginning --- */

static void init(struct live *l, struct arena *a, const struct live_options *o)
{
	const char *automation = getenv("TF_IN_AUTOMATION");
	const bool elsewhere =
		str_is(o->out, "-") || (o->form && o->form->alone);
	const int fd = elsewhere ? STDERR_FILENO : STDOUT_FILENO;

	*l = (struct live){
		.o = o,
		.op = &live_ops[o->op],
		.out = OUT_INIT(fd),
		.err = OUT_INIT(STDERR_FILENO),
		.form_out = OUT_INIT(STDOUT_FILENO),
		.diags = DIAGS_INIT(a),
	};
	shown_init(&l->s, a);
	l->v = (struct view){
		.arena = a,
		.out = &l->out,
		.err = &l->err,
		.style = text_style_for(fd, o->no_color),
		.err_style = text_style_for(STDERR_FILENO, o->no_color),
		.json = o->json,
		.show_sensitive = o->show_sensitive,
		.raw_provisioners = o->raw_provisioners,
		.in_automation = automation && *automation,
		.display = o->display,
		.diags_apart = true,
	};
	ui_for_people(&l->v);
}

static int begin(struct live *l)
{
	const struct live_options *o = l->o;

	/* All parts of a command write to one file. */
	l->into = l->v;
	l->into.out = NULL;
	if (o->json_into.n && ui_open_into(&l->into, &l->into_out, o->json_into,
					   o->continued || o->begun, &l->diags))
		return -1;
	l->s.keep_changes = o->json || l->into.out || o->form;
	l->s.keep_graph = o->form && o->form->graph;
	if (!o->json && l->op->plan && !o->form)
		l->s.text = &l->v;
	if (o->continued || o->begun || l->op->validates)
		return 0;
	if (o->json)
		ui_version(&l->v);
	if (l->into.out)
		ui_version(&l->into);
	return 0;
}

/* --- reading --- */

static void flush_shown(void *data)
{
	struct live *l = data;

	if (l->out.buf.len)
		out_flush(&l->out);
	if (l->into.out)
		out_flush(&l->into_out);
	status_wait(&l->status, l->fd);
}

/* Sets up the status line; it is cleared before other output. */
static void init_status(struct live *l)
{
	if (l->o->json)
		return;
	status_init(&l->status, l->out.fd, l->v.style.color);
	l->out.before = l->err.before = status_clear;
	l->out.before_data = l->err.before_data = &l->status;
}

static void put_slowest(struct live *l)
{
	struct buf b = BUF_INIT;

	if (l->slowest.n && status_took_long(&l->status))
		slowest_text(&b, l->slowest);
	out_str(&l->out, buf_view(&b));
	buf_release(&b);
}

/* Duplicates a descriptor that is open already: opening a FIFO would wait for a
 * reader. */
static int open_feed(const char *path)
{
	static const char open_already[] = "/dev/fd/";
	const size_t n = sizeof(open_already) - 1;

	if (strncmp(path, open_already, n) == 0)
		return fcntl(atoi(path + n), F_DUPFD_CLOEXEC, 3);
	return open(path, O_WRONLY | O_CLOEXEC);
}

/* Reads and shows the stream, and copies it to the stage behind -feed. */
static int read_fed(struct live *l, int fd)
{
	const struct str name = l->o->feed;
	struct stream_copy copy = { .feed = true };
	int rc, to = open_feed(arena_strndup(l->s.arena, name.p, name.n));

	if (to < 0)
		return diag_error(&l->diags, NULL, "Cannot hand on the plan",
				  "%.*s: %s.", STR_ARG(name), strerror(errno));
	copy.fd = to;
	signal(SIGPIPE, SIG_IGN);
	confine(&(struct confine){ 0 });
	rc = stream_read_live(l->s.arena, fd, &copy, &l->s.info, on_record,
			      flush_shown, l, &l->diags);
	close(to);
	return rc;
}

/* Reads and shows the stream, and saves a copy as -out if it holds a plan. */
static int read_saved(struct live *l, int fd)
{
	struct stream_copy copy = { .fd = -1 };
	struct plan_file file = { .fd = -1 };
	const char *named[] = { NULL, NULL };
	int rc;

	if (l->o->out.n &&
	    plan_file_open(l->s.arena, l->o->out, &file, &l->diags))
		return -1;
	/* A stream that is a plan goes on to another program: that is plain. */
	if (l->o->out.n && !str_is(l->o->out, "-") && encryption_mentioned() &&
	    plan_file_seal(&file, &l->diags)) {
		plan_file_close(&file, false, &l->diags);
		return -1;
	}
	copy.fd = file.fd;
	named[0] = file.path;
	confine(&(struct confine){ .rename = named });
	rc = stream_read_live(l->s.arena, fd, &copy, &l->s.info, on_record,
			      flush_shown, l, &l->diags);
	return plan_file_close(&file, !rc && l->s.plan, &l->diags) ? -1 : rc;
}

/* --- the end --- */

static void next_step_text(struct live *l)
{
	const struct live_options *o = l->o;
	struct buf b = BUF_INIT;

	if (l->v.in_automation || str_is(o->out, "-"))
		return;
	buf_puts(&b, "\n");
	for (unsigned i = 0; i < l->v.style.width - 1; i++)
		buf_puts(&b, "─");
	buf_puts(&b, "\n\n");
	if (o->generated.n && l->s.generated) {
		text_wrap(
			&b,
			str_printf(
				l->s.arena,
				"%s has generated configuration and written it to %.*s. Please "
				"review the configuration and edit it as necessary before adding "
				"it to version control.",
				product_name(), STR_ARG(o->generated)),
			l->v.style.width - 1);
		buf_putc(&b, '\n');
	}
	if (o->out.n)
		buf_addf(
			&b,
			"Saved the plan to: %.*s\n\n"
			"To perform exactly these actions, run the following command to apply:\n"
			"    %s apply \"%.*s\"\n",
			STR_ARG(o->out), product_command(), STR_ARG(o->out));
	else
		text_wrap(
			&b,
			str_printf(
				l->s.arena,
				"Note: You didn't use the -out option to save this plan, so %s "
				"can't guarantee to take exactly these actions if you run \"%s "
				"apply\" now.",
				product_name(), product_command()),
			l->v.style.width - 1);
	out_str(l->v.out, buf_view(&b));
	buf_release(&b);
}

static void imported_text(struct live *l)
{
	const char *color = l->v.style.color ? PAINT_PLAIN PAINT_GREEN : "";

	out_str(l->v.out,
		str_printf(
			l->s.arena,
			"\n%sImport successful!\n\n"
			"The resources that were imported are shown above. These resources are now in\n"
			"your %s state and will henceforth be managed by %s.\n"
			"%s\n",
			color, product_name(), product_name(),
			*color ? PAINT_PLAIN : ""));
}

static void imported(struct live *l)
{
	for (struct view *v = NULL; (v = live_next_view(l, v));) {
		if (v->json)
			ui_say(v,
			       arena_printf(
				       l->s.arena,
				       "Import successful! The resources that were imported are shown "
				       "above. These resources are now in your %s state and will "
				       "henceforth be managed by %s",
				       product_name(), product_name()));
		else
			imported_text(l);
	}
}

static int finish(struct live *l)
{
	const struct live_op *op = l->op;
	struct shown *s = &l->s;
	bool applyable = shown_applyable(s);

	if (op->validates)
		return live_validate(l);
	if ((!l->applying && shown_applying(s) && begin_apply(l)) ||
	    show_plan(l))
		return 1;
	live_diags(l);
	live_last_events(l);
	put_slowest(l);
	if (s->info.failed || s->errored)
		return 1;
	if (op->plan && !s->plan) {
		shown_no_plan(s, &l->diags);
		return 1;
	}
	if (op->imported)
		imported(l);
	if (op->next_step && l->plan_shown && !l->v.json && applyable)
		next_step_text(l);
	return l->o->detailed_exitcode && applyable ? 2 : 0;
}

int live_run(struct arena *a, const struct live_options *o, int fd)
{
	struct live l;
	int rc;

	init(&l, a, o);
	l.fd = fd;
	init_status(&l);
	rc = begin(&l) || (o->feed.n ? read_fed(&l, fd) : read_saved(&l, fd));
	status_clear(&l.status);
	if (!rc)
		rc = finish(&l);
	if (diags_written(a, &l.out) || out_flush(&l.err) ||
	    diags_written(a, &l.form_out) ||
	    (l.into.out && diags_written(a, &l.into_out)))
		rc = 1;
	diags_print(&l.diags, NULL);
	if (diags_failed(&l.diags))
		rc = 1;
	status_release(&l.status);
	shown_release(&l.s);
	out_release(&l.out);
	out_release(&l.err);
	out_release(&l.form_out);
	out_release(&l.into_out);
	return rc;
}
