/* show.c - rendering a stream or a state; see show.h */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/confine.h"
#include "base/visible.h"
#include "config/record/records.h"
#include "encrypt/encrypt.h"
#include "engine/stage/stage.h"
#include "engine/stage/edits.h"
#include "json/write.h"
#include "state/file/file.h"
#include "stream/stream.h"
#include "ui/outputs.h"
#include "ui/show/explain.h"
#include "ui/show/show.h"
#include "ui/show/show_int.h"
#include "ui/view.h"

static const char cannot_read[] =
	"Failed to read the given file as a state or plan file";

struct show {
	const struct show_options *o;
	struct view v;
	struct shown s;
	struct out out, err;
	struct diags diags;             /* our own: the stream is broken */
	struct opened_providers opened; /* for their schemas */
	struct line_vec applied;        /* the events of tf-apply, */
	struct str slowest;             /* and what it took longest for */
	struct explain_records explained;
};

static int on_record(void *data, struct str kind, struct str line,
		     struct diags *ds)
{
	struct show *sh = data;
	struct shown *s = &sh->s;
	int rc;

	if (str_is(kind, "event")) {
		if (!sh->o->json && shown_applying(s))
			vec_push(s->arena, &sh->applied,
				 str_dup(s->arena, line));
		return 0;
	}
	if (str_is(kind, "slowest") && shown_applying(s))
		sh->slowest = str_dup(s->arena, line);
	if (shown_is_kept(s, kind) && shown_keep(s, kind, line, ds))
		return -1;
	if (sh->o->explain.n)
		explain_keep(&sh->explained, kind, line);
	if (!sh->o->json && !sh->o->explain.n)
		return 0;
	rc = config_read_record(s->config, kind, line, ds);
	/* what planning found replaces the rest when that is there */
	if (rc == 1 && !str_starts(kind, "prior_"))
		rc = state_read_record(s->previous, s->prior, kind, line, ds);
	return rc < 0 ? -1 : 0;
}

static int read_prior(struct show *sh)
{
	struct shown *s = &sh->s;
	const struct map *objects = &s->said.changes.entries;
	const struct map *outputs = &s->said.outputs;
	int rc = 0;

	for (size_t i = 0; rc >= 0 && i < objects->len; i++) {
		const struct change_entry *e = objects->entries[i].value;

		if (e->prior.said)
			rc = state_read_record(s->previous, s->prior,
					       STR("prior_state"),
					       e->prior.line, &sh->diags);
	}
	for (size_t i = 0; rc >= 0 && i < outputs->len; i++) {
		const struct plan_output *o = outputs->entries[i].value;

		if (o->prior.p)
			rc = state_read_record(s->previous, s->prior,
					       STR("prior_output"), o->prior,
					       &sh->diags);
	}
	return rc < 0 ? -1 : 0;
}

/* Has the stream failed, and does that count as a failure here, too? */
static bool has_failed(const struct show *sh)
{
	return (sh->s.info.failed || sh->s.errored) && !sh->o->saved;
}

static int render_status(const struct show *sh)
{
	if (has_failed(sh) || !sh->s.plan)
		return 1;
	return sh->o->detailed_exitcode && shown_applyable(&sh->s) ? 2 : 0;
}

/* Shows the apply's events; last: those for the end (counts, outputs), else the
 * others. */
static void put_applied(struct show *sh, bool last)
{
	struct arena scratch = ARENA_INIT;

	for (size_t i = 0; i < sh->applied.len; i++) {
		struct shown_event e;

		if (!shown_event_read(&scratch, sh->applied.items[i], &e,
				      &sh->diags) &&
		    last == event_is_last(e.type))
			event_text(&sh->v, &e);
		arena_reset(&scratch);
	}
	arena_release(&scratch);
}

static void put_slowest(struct show *sh)
{
	struct buf b = BUF_INIT;

	if (sh->slowest.n)
		slowest_text(&b, sh->slowest);
	out_str(sh->v.out, buf_view(&b));
	buf_release(&b);
}

static void finish_text(struct show *sh)
{
	if (sh->s.plan)
		plan_text(&sh->v, &sh->s);
	if (shown_applying(&sh->s)) {
		if (sh->applied.len)
			out_str(sh->v.out, STR("\n"));
		put_applied(sh, false);
		shown_put_diags(&sh->s, &sh->v);
		put_applied(sh, true);
		put_slowest(sh);
	} else if (!sh->s.plan || has_failed(sh)) {
		shown_put_diags(&sh->s, &sh->v);
	}
}

/* The plan in another form.  What was said of a run that failed goes to
 * standard error, as the form may be for a program. */
static int finish_form(struct show *sh)
{
	const bool failed = !sh->s.plan || has_failed(sh);
	struct view said = sh->v;
	int rc = 0;

	sh->v.diags_apart = failed;
	if (sh->s.plan)
		rc = sh->o->form->put(&sh->v, &sh->s, sh->o->max_size,
				      &sh->diags);
	said.out = &sh->err;
	said.style = sh->v.err_style;
	if (failed)
		shown_put_diags(&sh->s, &said);
	if (!sh->s.plan)
		shown_no_plan(&sh->s, &sh->diags);
	return rc ? 1 : render_status(sh);
}

/* A bare text, as OpenTofu has it: programs get no line break. */
static int cannot_show(struct show *sh, const char *what, struct str why)
{
	out_str(&sh->err,
		str_printf(sh->s.arena, "Failed to marshal %s: %.*s%s", what,
			   STR_ARG(visible_word(sh->v.arena, why)),
			   isatty(STDERR_FILENO) ? "\n" : ""));
	return 1;
}

static int finish_json(struct show *sh)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);
	struct str why;
	int rc;

	sh->s.had_prior = !state_is_empty(sh->s.prior);
	w.html = true;
	rc = plan_json(&w, &sh->s, &why);
	buf_putc(&b, '\n');
	if (!rc)
		out_str(sh->v.out, buf_view(&b));
	buf_release(&b);
	return rc ? cannot_show(sh,
				"plan to json: error marshaling prior state",
				why)
		  : render_status(sh);
}

static int finish_explained(struct show *sh)
{
	struct diags quiet = DIAGS_INIT(sh->s.arena);

	if (!sh->s.plan || has_failed(sh)) {
		shown_put_diags(&sh->s, &sh->v);
		if (!sh->s.plan)
			shown_no_plan(&sh->s, &sh->diags);
		return 1;
	}
	config_finish(sh->s.config, &quiet);
	return explain_run(&sh->s, &sh->explained, &sh->v, sh->o->explain,
			   &sh->diags)
		       ? 1
		       : 0;
}

static int finish(struct show *sh)
{
	struct diags quiet = DIAGS_INIT(sh->s.arena);

	if (shown_finish_plan(&sh->s, &sh->diags))
		return 1;
	shown_select_finish(&sh->s, &sh->diags);
	if (sh->s.plan && !shown_applying(&sh->s))
		edits_tell_unsealed(&sh->s.info, &sh->diags);
	if (sh->o->form)
		return finish_form(sh);
	if (sh->o->explain.n)
		return finish_explained(sh);
	if (!sh->o->json)
		finish_text(sh);
	else
		config_finish(sh->s.config, sh->s.plan ? &sh->diags : &quiet);
	if (!sh->s.plan)
		shown_no_plan(&sh->s, &sh->diags);
	if (!sh->o->json || !sh->s.plan)
		return render_status(sh);
	return read_prior(sh) ? 1 : finish_json(sh);
}

static int put_state_json(struct show *sh, const struct state *st,
			  struct state_objects *objects)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);
	int rc;

	w.html = true;
	rc = state_json(&w, st, objects);
	buf_putc(&b, '\n');
	if (!rc)
		out_str(sh->v.out, buf_view(&b));
	buf_release(&b);
	return rc;
}

static int render_state(struct show *sh, const struct state *st)
{
	struct state_objects objects = { .arena = sh->s.arena,
					 .schemas = &sh->s.schemas,
					 .part_of = &sh->s };
	int rc;

	if (sh->o->form)
		return diag_error(
			&sh->diags, NULL, "No plan to show",
			"-summary and -format show what a plan changes, and this is a state.");
	if (shown_select_state(&sh->s, st, &sh->diags))
		return 1;
	if (!sh->o->json)
		shown_parts_text(&sh->v, &sh->s, "objects", NULL);
	if (!sh->o->json && st->absent) {
		out_str(sh->v.out, STR("No state.\n"));
		return 0;
	}
	sh->opened.arena = sh->s.arena;
	sh->opened.source = sh->o->providers;
	if (opened_state_schemas(&sh->opened, st, &sh->s.schemas, &sh->diags))
		return 1;
	rc = sh->o->json ? put_state_json(sh, st, &objects)
			 : state_text(&sh->v, st, &objects);
	return rc ? cannot_show(sh, "state to json", objects.why) : 0;
}

/* Is it a stream that was reformatted: with several lines a record, or sorted
 * members? */
static bool is_spread(struct str text)
{
	size_t i = 0;

	while (i < text.n && memchr(" \t\r\n{", text.p[i], 5))
		i++;
	text = str_sub(text, i, text.n);
	return str_starts(text, "\"record\"") || str_starts(text, "\"format\"");
}

/* A state file: JSON with "version" and no "record". */
static int render_state_text(struct show *sh, struct str text, struct str name)
{
	struct arena *a = sh->s.arena;
	struct diags found = DIAGS_INIT(a);
	struct state *st =
		text.n ? state_parse(a, text, arena_strndup(a, name.p, name.n),
				     &found)
		       : NULL;

	if (!text.n) {
		diag_error(
			&sh->diags, NULL, cannot_read,
			"%.*s is empty: the program that should write it has failed, or there is no state yet.",
			STR_ARG(name));
		return 1;
	}
	if (is_spread(text)) {
		diag_error(&sh->diags, NULL, "Not a stream",
			   "A record is one line, as jq writes with -c, and "
			   "begins with its member record, as without -S.");
		return 1;
	}
	if (str_starts(text, "PK\3\4")) {
		diag_error(&sh->diags, NULL, cannot_read,
			   "It is a plan of OpenTofu's or Terraform's, which "
			   "only the version that made it can read.");
		return 1;
	}
	if (!st) {
		diag_error(&sh->diags, NULL, cannot_read,
			   "It is neither a plan nor a state. %.*s: %.*s",
			   STR_ARG(found.items[0].summary),
			   STR_ARG(found.items[0].detail));
		return 1;
	}
	diags_append(&sh->diags, &found);
	current_translate(a, sh->o->workdir, st, NULL);
	return render_state(sh, st);
}

static void init(struct show *sh, struct arena *a, const struct show_options *o)
{
	*sh = (struct show){
		.o = o,
		.out = OUT_INIT(o->fd ? o->fd : STDOUT_FILENO),
		.err = OUT_INIT(STDERR_FILENO),
		.diags = DIAGS_INIT(a),
	};
	shown_init(&sh->s, a);
	sh->v = (struct view){
		.arena = a,
		.out = &sh->out,
		.err = &sh->err,
		.style = text_style_for(STDOUT_FILENO, o->no_color),
		.err_style = text_style_for(STDERR_FILENO, o->no_color),
		.json = o->json,
		.show_sensitive = o->show_sensitive,
	};
	ui_for_people(&sh->v);
	sh->s.keep_changes = o->json || o->form || o->explain.n;
	sh->s.keep_graph = o->form && o->form->graph;
	sh->explained.arena = a;
	sh->s.tells_found = true;
	sh->s.select = o->select;
	sh->s.wanted = o->select ? shown_select : NULL;
	sh->s.text = sh->s.keep_changes ? NULL : &sh->v;
}

static int show_input(struct show *sh, int fd, struct str name)
{
	struct saved in;
	int rc = saved_open(sh->o->encryption, fd, name, &in, &sh->diags);

	/* What is a state has schemas that providers are started for. */
	if (!rc && in.stream)
		confine(&(struct confine){ 0 });
	if (!rc && in.stream)
		rc = stream_read(sh->s.arena, in.fd, &sh->s.info, NULL,
				 on_record, sh, &sh->diags)
			     ? 1
			     : finish(sh);
	else
		rc = rc || render_state_text(sh, buf_view(&in.text), name);
	saved_release(&in, fd);
	return rc;
}

int show_run(struct arena *a, const struct show_options *o, int fd,
	     struct str name)
{
	struct show sh;
	int rc;

	init(&sh, a, o);
	rc = o->state ? render_state(&sh, o->state) : show_input(&sh, fd, name);
	if (diags_written(a, &sh.out) || out_flush(&sh.err))
		rc = 1;
	diags_print(&sh.diags, NULL);
	if (diags_failed(&sh.diags))
		rc = 1;
	opened_close(&sh.opened);
	shown_release(&sh.s);
	out_release(&sh.out);
	out_release(&sh.err);
	return rc;
}

int show_open(const struct str_vec *operands, struct str *name,
	      struct diags *ds)
{
	int fd;

	*name = STR("standard input");
	if (operands->len == 0 || str_is(operands->items[0], "-")) {
		if (isatty(STDIN_FILENO))
			return diag_error(
				ds, NULL, "No input",
				"tf-show reads a stream or a state from its "
				"standard input, or from the file named.");
		return STDIN_FILENO;
	}
	*name = operands->items[0];
	fd = open(name->p, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return diag_error(
			ds, NULL,
			"Failed to read the given file as a state or plan file",
			"Cannot open %s: %s.", name->p, strerror(errno));
	return fd;
}

int show_both(struct arena *a, const struct show_options *o, int fd,
	      struct str name, struct str path, struct diags *ds)
{
	struct show_options json = *o;
	struct view v = { .arena = a };
	struct out into;
	int rc;

	if (ui_open_into(&v, &into, path, false, ds))
		return 1;
	fd = o->state ? fd : io_seekable(fd);
	if (fd < 0)
		return diag_error(ds, NULL, "Cannot read", "%.*s: %s.",
				  STR_ARG(name), strerror(errno));
	rc = show_run(a, o, fd, name);
	json.json = true;
	json.fd = into.fd;
	if (rc != 1) {
		lseek(fd, 0, SEEK_SET);
		show_run(a, &json, fd, name);
	}
	return rc;
}
