/* show.c - reading a stream for display; see show.h */
#include "ui/show_int.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void keep_schema(struct shown *s, const struct json *rec)
{
	struct resource_schema *rs = ARENA_NEW(s->arena,
					       struct resource_schema);

	rs->type = json_get_str(rec, "type");
	rs->version = (uint64_t)json_get_int(rec, "version", 0);
	rs->block = schema_block_from_json(s->arena, json_get(rec, "block"));
	shown_schema_put(s->arena, &s->schemas, json_get_str(rec, "mode"),
			 rs->type, json_get_str(rec, "provider"), rs);
}

/* What tf-apply was given was displayed already: of that only the changes,
 * which programs are told of, and warnings nobody has seen are wanted. */
static bool is_wanted(const struct show *sh, struct str kind)
{
	if (!sh->o->live || !shows_apply(sh) || sh->s.applying)
		return true;
	return str_is(kind, "resource_change")
		       ? !sh->o->continued && sh->v.json
		       : str_is(kind, "diagnostic") && sh->o->warnings;
}

static int on_kept(struct show *sh, struct str kind, struct str line,
		   struct diags *ds)
{
	struct shown *s = &sh->s;
	const struct json *rec;

	if (str_is(kind, "resource_change")) {
		s->nchanges++;
		if (sh->v.json || sh->into.out)
			vec_push(s->arena, &s->changes,
				 str_dup(s->arena, line));
		if (!sh->v.json && shows_plan(sh))
			plan_text_change(&sh->v, s, line);
		return 0;
	}
	if (str_is(kind, "resource_drift")) {
		vec_push(s->arena, &s->drift, str_dup(s->arena, line));
		return 0;
	}
	if (str_is(kind, "output_change")) {
		vec_push(s->arena, &s->outputs, str_dup(s->arena, line));
		return 0;
	}
	if (str_is(kind, "check_result")) {
		vec_push(s->arena, &s->checks, str_dup(s->arena, line));
		return 0;
	}
	rec = stream_parse(s->arena, line, ds);
	if (!rec)
		return -1;
	if (str_is(kind, "diagnostic"))
		live_diag_keep(sh, line, rec);
	else if (str_is(kind, "plan"))
		s->plan = rec;
	else if (str_is(kind, "schema"))
		keep_schema(s, rec);
	return 0;
}

static bool is_kept(struct str kind)
{
	static const char *const kinds[] = {
		"resource_change", "resource_drift", "output_change",
		"check_result", "diagnostic", "plan", "schema",
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (str_is(kind, kinds[i]))
			return true;
	return false;
}

static int on_record(void *data, struct str kind, struct str line,
		     struct diags *ds)
{
	struct show *sh = data;
	struct shown *s = &sh->s;
	int rc;

	s->applying = s->applying || stream_has_stage(&s->info, "tf-apply");
	if (str_is(kind, "event"))
		return live_event(sh, line, ds);
	if (is_kept(kind))
		return is_wanted(sh, kind) ? on_kept(sh, kind, line, ds) : 0;
	if (sh->o->live || !sh->o->json)
		return 0;
	rc = config_read_record(s->config, kind, line, ds);
	if (rc == 1)
		rc = state_read_record(s->previous, s->prior, kind, line, ds);
	return rc < 0 ? -1 : 0;
}

static int finish_render(struct show *sh)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	if (!sh->o->json) {
		plan_text(&sh->v, &sh->s);
		if (sh->s.applying)
			live_applied(sh);
		else if (!sh->s.plan) /* what a stage has failed with */
			live_diags(sh);
		return 0;
	}
	config_finish(sh->s.config, &sh->diags);
	sh->s.had_prior = !state_is_empty(sh->s.prior);
	w.html = true;
	plan_json(&w, &sh->s);
	buf_putc(&b, '\n');
	out_str(sh->v.out, buf_view(&b));
	buf_release(&b);
	return 0;
}

static int render_state(struct show *sh, const struct state *st)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	if (!sh->o->json && !st->lineage.n && state_is_empty(st)) {
		out_str(sh->v.out, STR("No state.\n"));
		return 0;
	}
	sh->opened.arena = sh->s.arena;
	sh->opened.source = sh->o->providers;
	if (opened_state_schemas(&sh->opened, st, &sh->s.schemas, &sh->diags))
		return 1;
	if (!sh->o->json) {
		state_text(&sh->v, st, &sh->s.schemas);
		return 0;
	}
	w.html = true;
	state_json(&w, st, &sh->s.schemas);
	buf_putc(&b, '\n');
	out_str(sh->v.out, buf_view(&b));
	buf_release(&b);
	return 0;
}

/* A state file: JSON with "version" and no "record". */
static int render_state_text(struct show *sh, struct str text, struct str name)
{
	struct arena *a = sh->s.arena;
	struct diags found = DIAGS_INIT(a);
	const struct state *st =
		text.n ? state_parse(a, text,
				     arena_strndup(a, name.p, name.n), &found)
		       : state_new(a);

	if (!st) {
		diag_error(&sh->diags, NULL, "Failed to read the given file as "
			   "a state or plan file",
			   "It is no stream, and no state either: %.*s: %.*s",
			   STR_ARG(found.items[0].summary),
			   STR_ARG(found.items[0].detail));
		return 1;
	}
	diags_append(&sh->diags, &found);
	return render_state(sh, st);
}

static void show_init(struct show *sh, struct arena *a,
		      const struct show_options *o)
{
	const char *automation = getenv("TF_IN_AUTOMATION");

	sh->o = o;
	sh->out = (struct out)OUT_INIT(STDOUT_FILENO);
	sh->err = (struct out)OUT_INIT(STDERR_FILENO);
	sh->diags = (struct diags)DIAGS_INIT(a);
	sh->s.arena = a;
	sh->s.config = config_new(a);
	sh->s.previous = state_new(a);
	sh->s.prior = state_new(a);
	sh->v = (struct view){
		.arena = a,
		.out = &sh->out,
		.err = &sh->err,
		.style = text_style_for(STDOUT_FILENO, o->no_color),
		.err_style = text_style_for(STDERR_FILENO, o->no_color),
		.json = o->json,
		.show_sensitive = o->show_sensitive,
		.in_automation = automation && *automation,
	};
}

/* Rendering takes a stream or a state: looks at the first bytes.  A pipe is
 * copied to memory first. Returns the descriptor to read the stream from, or
 * -1: with *text filled when it is no stream, with a diagnostic when it could
 * not be read. */
static int look_inside(int fd, struct str name, struct buf *text,
		       struct diags *ds)
{
	static const char head[] = "{\"record\"";

	if (!io_read_fd(fd, text, 0)) {
		if (!str_starts(buf_view(text), head))
			return -1;
		if (lseek(fd, 0, SEEK_SET) == 0)
			return fd;
		fd = memfd_create("stream", MFD_CLOEXEC);
		if (fd >= 0 && !io_write_all(fd, text->p, text->len) &&
		    lseek(fd, 0, SEEK_SET) == 0)
			return fd;
	}
	return diag_error(ds, NULL, "Failed to read the given file as a state "
			  "or plan file", "Cannot read %.*s: %s.",
			  STR_ARG(name), strerror(errno));
}

static void flush_shown(void *data)
{
	struct show *sh = data;

	out_flush(&sh->out);
	if (sh->into.out)
		out_flush(&sh->into_out);
}

/* What the parts of a command say goes to one file. */
static int open_into(struct show *sh)
{
	const char *path = arena_strndup(sh->s.arena, sh->o->json_into.p,
					 sh->o->json_into.n);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC |
				    (sh->o->continued ? O_APPEND : O_TRUNC),
		      0600);

	if (fd < 0)
		return diag_error(&sh->diags, NULL, "Invalid argument",
				  "Cannot open %s, the file of -json-into: "
				  "%s.", path, strerror(errno));
	sh->into_out = (struct out)OUT_INIT(fd);
	sh->into = sh->v;
	sh->into.json = true;
	sh->into.out = &sh->into_out;
	return 0;
}

static int live_begin(struct show *sh)
{
	const struct show_options *o = sh->o;

	if (o->json_into.n && open_into(sh))
		return 1;
	if (o->continued || str_is(o->op, "validate"))
		return 0;
	if (o->json)
		ui_version(&sh->v);
	if (sh->into.out)
		ui_version(&sh->into);
	return 0;
}

/* The stream, and a copy of it in the file of -keep, which is left empty when
 * there was no plan in it or not all of it could be written; or, with -feed, for
 * the stage that reads there. */
static int read_kept(struct show *sh, int fd)
{
	const struct show_options *o = sh->o;
	const struct str name = o->feed.n ? o->feed : o->keep;
	struct stream_copy copy = { -1, o->feed.n };
	int rc, to;

	if (name.n) {
		copy.fd = open(arena_strndup(sh->s.arena, name.p, name.n),
			       copy.feed ? O_WRONLY | O_CLOEXEC
					 : O_WRONLY | O_CREAT | O_TRUNC |
						   O_CLOEXEC, 0600);
		if (copy.fd < 0)
			return diag_error(&sh->diags, NULL,
					  "Cannot save the plan", "%.*s: %s.",
					  STR_ARG(name), strerror(errno));
	}
	to = copy.fd;
	if (copy.feed)
		signal(SIGPIPE, SIG_IGN);
	rc = stream_read_live(sh->s.arena, fd, &copy, &sh->s.info, on_record,
			      flush_shown, sh, &sh->diags);
	if (to < 0)
		return rc;
	if (copy.feed)
		return close(to), rc;
	if ((rc || !sh->s.plan) && ftruncate(to, 0) == 0 && !rc)
		return close(to);
	if (close(to) && !rc)
		rc = diag_error(&sh->diags, NULL, "Cannot save the plan",
				"%.*s: %s.", STR_ARG(name), strerror(errno));
	return rc;
}

static int read_and_finish(struct show *sh, int fd)
{
	int rc = read_kept(sh, fd);

	if (rc)
		return 1;
	if (!sh->o->live)
		return finish_render(sh);
	if (str_is(sh->o->op, "validate"))
		return live_validate(sh);
	return live_finish(sh);
}

int show_run(struct arena *a, const struct show_options *o, int fd,
	     struct str name)
{
	struct show sh = { 0 };
	struct buf text = BUF_INIT;
	int rc;

	show_init(&sh, a, o);
	if (o->state) {
		rc = render_state(&sh, o->state);
	} else if (!o->live) {
		int stream = look_inside(fd, name, &text, &sh.diags);

		if (stream >= 0)
			rc = read_and_finish(&sh, stream);
		else
			rc = diags_failed(&sh.diags) ||
			     render_state_text(&sh, buf_view(&text), name);
	} else {
		rc = live_begin(&sh);
		if (!rc)
			rc = read_and_finish(&sh, fd);
	}
	if (out_flush(&sh.out) || out_flush(&sh.err) ||
	    (sh.into.out && out_flush(&sh.into_out)))
		rc = 1;
	diags_print(&sh.diags, NULL);
	if (diags_failed(&sh.diags))
		rc = 1;
	opened_close(&sh.opened);
	buf_release(&sh.s.changes_text.text);
	arena_release(&sh.s.changes_text.scratch);
	out_release(&sh.out);
	out_release(&sh.err);
	out_release(&sh.into_out);
	buf_release(&text);
	return rc;
}
