/* view.c - what is told of tests: text, messages, JUnit's XML */
#include "base/io.h"
#include "base/product.h"
#include "base/visible.h"
#include "state/file/file.h"
#include "suite/suite_int.h"
#include "ui/diag_text.h"
#include "ui/view.h"

static const char *test_status_word(enum test_status s)
{
	static const char *const words[] = { "pending", "skip", "pass", "fail",
					     "error" };

	return words[s];
}

/* Of errors people are told that they failed. */
static const char *shown(enum test_status s)
{
	return test_status_word(s == TEST_ERROR ? TEST_FAIL : s);
}

static void put_status(struct view *v, struct buf *b, enum test_status s)
{
	static const char *const paints[] = { "", "", PAINT_GREEN, PAINT_RED,
					      PAINT_RED };
	bool color = v->style.color && *paints[s];

	buf_addf(b, "%s%s%s", color ? paints[s] : "", shown(s),
		 color ? PAINT_PLAIN : "");
}

static void say(struct view *v, struct buf *b)
{
	out_str(v->out, buf_view(b));
	out_flush(v->out);
	buf_release(b);
}

/* --- messages --- */

/* The members that say what a message is about. */
static void about(struct jw *w, const struct test_file *f,
		  const struct test_run *r)
{
	if (f)
		jw_member_str(w, "@testfile", f->config->name);
	if (r)
		jw_member_str(w, "@testrun", r->block->name);
}

static void end(struct view *v, struct buf *line, struct jw *w,
		const char *type)
{
	jw_member_str(w, "type", str_c(type));
	ui_message_end(v, line, w);
	out_flush(v->out);
}

static void put_diags(const struct view *v, const struct diags *ds,
		      const struct test_file *f, const struct test_run *r)
{
	struct view of = *v;

	of.into = NULL;
	of.test_file = f ? f->config->name : STR_NONE;
	of.test_run = r->block->name;
	ui_diags(&of, ds,
		 r->config ? &r->config->sources : &r->suite->config->sources);
}

/* --- the beginning and the end --- */

static void abstract(struct suite *s, struct view *v)
{
	struct buf line = BUF_INIT;
	size_t runs = 0;
	struct jw w;

	for (size_t i = 0; i < s->files.len; i++)
		runs += s->files.items[i]->nruns;
	w = ui_message(&line, "info",
		       str_printf(v->arena,
				  "Found %zu file%s and %zu run block%s",
				  s->files.len, s->files.len == 1 ? "" : "s",
				  runs, runs == 1 ? "" : "s"));
	jw_key(&w, "test_abstract");
	jw_object(&w);
	for (size_t i = 0; i < s->files.len; i++) {
		const struct test_file *f = s->files.items[i];

		jw_key_str(&w, f->config->name);
		if (!f->nruns) {
			jw_null(&w);
			continue;
		}
		jw_array(&w);
		for (size_t k = 0; k < f->nruns; k++)
			jw_str(&w, f->runs[k].block->name);
		jw_array_end(&w);
	}
	jw_object_end(&w);
	end(v, &line, &w, "test_abstract");
}

void view_abstract(struct suite *s)
{
	for (struct view *v = s->view; v; v = v->into)
		if (v->json)
			abstract(s, v);
}

struct counts {
	size_t of[TEST_ERROR + 1];
};

static struct counts count(const struct suite *s)
{
	struct counts c = { { 0 } };

	for (size_t i = 0; i < s->files.len; i++)
		for (size_t k = 0; k < s->files.items[i]->nruns; k++)
			c.of[s->files.items[i]->runs[k].status]++;
	return c;
}

static void put_summary(const struct suite *s, struct view *v, struct buf *b,
			const struct counts *c)
{
	bool well = s->status == TEST_PASS, color = v->style.color && !v->json;

	if (s->status <= TEST_SKIP)
		buf_puts(b, "Executed 0 tests");
	else
		buf_addf(b, "%s%s%s %zu passed, %zu failed",
			 !color ? ""
			 : well ? PAINT_GREEN
				: PAINT_RED,
			 well ? "Success!" : "Failure!",
			 color ? PAINT_PLAIN : "", c->of[TEST_PASS],
			 c->of[TEST_FAIL] + c->of[TEST_ERROR]);
	if (c->of[TEST_SKIP])
		buf_addf(b, ", %zu skipped", c->of[TEST_SKIP]);
	buf_putc(b, '.');
}

static void conclusion(struct suite *s, struct view *v)
{
	const struct counts c = count(s);
	struct buf text = BUF_INIT, line = BUF_INIT;
	struct jw w;

	if (!v->json)
		buf_putc(&text, '\n');
	put_summary(s, v, &text, &c);
	if (!v->json) {
		buf_putc(&text, '\n');
		say(v, &text);
		return;
	}
	w = ui_message(&line, "info", buf_view(&text));
	jw_key(&w, "test_summary");
	jw_object(&w);
	jw_member_str(&w, "status", str_c(test_status_word(s->status)));
	jw_member_int(&w, "passed", (int64_t)c.of[TEST_PASS]);
	jw_member_int(&w, "failed", (int64_t)c.of[TEST_FAIL]);
	jw_member_int(&w, "errored", (int64_t)c.of[TEST_ERROR]);
	jw_member_int(&w, "skipped", (int64_t)c.of[TEST_SKIP]);
	jw_object_end(&w);
	end(v, &line, &w, "test_summary");
	buf_release(&text);
}

void view_conclusion(struct suite *s)
{
	for (struct view *v = s->view; v; v = v->into)
		conclusion(s, v);
}

/* --- a file and its runs --- */

static void status_message(struct view *v, struct test_file *f,
			   struct test_run *r)
{
	enum test_status st = r ? r->status : f->status;
	struct buf line = BUF_INIT;
	struct jw w;

	w = ui_message(&line, "info",
		       r ? str_printf(v->arena, "  \"%.*s\"... %s",
				      STR_ARG(r->block->name), shown(st))
			 : str_printf(v->arena, "%.*s... %s",
				      STR_ARG(f->config->name), shown(st)));
	about(&w, f, r);
	jw_key(&w, r ? "test_run" : "test_file");
	jw_object(&w);
	jw_member_str(&w, "path", f->config->name);
	if (r)
		jw_member_str(&w, "run", r->block->name);
	jw_member_str(&w, "status", str_c(test_status_word(st)));
	jw_object_end(&w);
	end(v, &line, &w, r ? "test_run" : "test_file");
}

static void verbose_message(struct view *v, struct test_file *f,
			    struct test_run *r)
{
	const char *what = r->block->plan ? "plan" : "state";
	const char *type = arena_printf(v->arena, "test_%s", what);
	struct buf line = BUF_INIT;
	struct jw w;

	w = ui_message(&line, "info",
		       str_printf(v->arena,
				  "-verbose flag enabled, printing %s", what));
	about(&w, f, r);
	jw_key(&w, type);
	jw_raw(&w, str_trim(buf_view(&r->verbose)));
	end(v, &line, &w, type);
}

static void put_run(struct view *v, struct test_file *f, struct test_run *r)
{
	struct buf b = BUF_INIT;

	if (v->json) {
		status_message(v, f, r);
		if (r->verbose.len)
			verbose_message(v, f, r);
	} else {
		buf_addf(&b, "  run \"%.*s\"... ",
			 STR_ARG(visible_word(v->arena, r->block->name)));
		put_status(v, &b, r->status);
		buf_putc(&b, '\n');
		buf_str(&b, buf_view(&r->verbose));
		say(v, &b);
	}
	put_diags(v, &r->ds, f, r);
}

static void put_file(struct view *v, struct test_file *f)
{
	struct buf b = BUF_INIT;

	if (v->json) {
		status_message(v, f, NULL);
	} else {
		buf_addf(&b, "%.*s... ",
			 STR_ARG(visible_word(v->arena, f->config->name)));
		put_status(v, &b, f->status);
		buf_putc(&b, '\n');
		say(v, &b);
	}
	for (size_t i = 0; i < f->nruns; i++)
		put_run(v, f, &f->runs[i]);
}

static struct view apart(const struct view *v)
{
	struct view one = *v;

	one.into = NULL;
	return one;
}

void view_file(struct test_file *f)
{
	for (struct view *v = f->suite->view; v; v = v->into) {
		struct view one = apart(v);

		put_file(&one, f);
	}
}

/* --- what is left --- */

static bool is_left(const struct state_resource *r)
{
	return r->addr.mode == MODE_MANAGED && r->instances.len;
}

static bool leaves(const struct state *s)
{
	for (size_t i = 0; i < s->resources.len; i++)
		if (is_left(s->resources.items[i]))
			return true;
	return false;
}

typedef void object_fn(void *data, struct str address, struct str deposed);

static void each_object(struct arena *a, const struct state *s, object_fn *fn,
			void *data)
{
	struct state_resource **all = state_resources_sorted(a, s);

	for (size_t i = 0; i < s->resources.len; i++) {
		const struct state_resource *r = all[i];
		struct state_instance **in;

		if (!is_left(r))
			continue;
		in = state_instances_sorted(a, r);
		for (size_t k = 0; k < r->instances.len; k++) {
			struct instance_addr addr = { r->module, r->addr,
						      in[k]->key };

			fn(data, instance_addr_text(a, &addr), in[k]->deposed);
		}
	}
}

static void put_object(void *data, struct str address, struct str deposed)
{
	struct buf *b = data;

	buf_addf(b, "  - %.*s", STR_ARG(address));
	if (deposed.n)
		buf_addf(b, " (%.*s)", STR_ARG(deposed));
	buf_putc(b, '\n');
}

static void write_object(void *data, struct str address, struct str deposed)
{
	struct jw *w = data;

	jw_object(w);
	jw_member_str(w, "instance", address);
	if (deposed.n)
		jw_member_str(w, "deposed_key", deposed);
	jw_object_end(w);
}

static void say_error(struct view *v, struct str text)
{
	struct buf b = BUF_INIT;

	text_wrap(&b, text, v->err_style.width);
	out_flush(v->out);
	out_str(v->err, buf_view(&b));
	out_flush(v->err);
	buf_release(&b);
}

static struct str left_text(struct view *v, struct test_run *r)
{
	return str_printf(
		v->arena,
		"%s left %s resources in state after executing %.*s/%.*s, these "
		"left-over resources can be viewed by reading the statefile "
		"written to disk(errored_test.tfstate) and they need to be cleaned "
		"up manually:",
		product_name(), v->json ? "some" : "the following",
		STR_ARG(r->file->config->name), STR_ARG(r->block->name));
}

static void left_message(struct view *v, struct test_run *r)
{
	struct buf line = BUF_INIT;
	struct jw w = ui_message(&line, "error", left_text(v, r));

	about(&w, r->file, r);
	jw_key(&w, "test_cleanup");
	jw_object(&w);
	jw_key(&w, "failed_resources");
	jw_array(&w);
	each_object(v->arena, r->state->state, write_object, &w);
	jw_array_end(&w);
	jw_object_end(&w);
	end(v, &line, &w, "test_cleanup");
}

static void put_left(struct view *v, struct test_run *r)
{
	struct buf b = BUF_INIT;

	if (v->json) {
		left_message(v, r);
		return;
	}
	say_error(v, STR_CAT(v->arena, STR("\n"), left_text(v, r), STR("\n")));
	each_object(v->arena, r->state->state, put_object, &b);
	out_str(v->err, buf_view(&b));
	out_flush(v->err);
	buf_release(&b);
}

static void put_cleanup(struct view *v, struct test_run *r)
{
	bool left = leaves(r->state->state);

	if (!v->json && diags_failed(&r->ds))
		say_error(
			v,
			str_printf(
				v->arena,
				"%s encountered an error destroying resources created while executing %.*s/%.*s.\n",
				product_name(), STR_ARG(r->file->config->name),
				STR_ARG(r->block->name)));
	if (v->json && left)
		put_left(v, r);
	put_diags(v, &r->ds, r->file, r);
	if (!v->json && left)
		put_left(v, r);
	if (left && v->json)
		ui_say(v, "Writing state to file: errored_test.tfstate");
	else if (left)
		say_error(v, STR("\nWriting state to file: "
				 "errored_test.tfstate\n"));
}

static void keep_left(struct test_run *r)
{
	struct view *v = r->suite->view;
	struct buf text = BUF_INIT;
	struct diags ds = DIAGS_INIT(v->arena);

	state_write(&text, r->state->state);
	if (io_replace_file("errored_test.tfstate", text.p, text.len, 0600)) {
		diag_error(
			&ds, NULL, "Failed to persist state",
			"errored_test.tfstate cannot be written: %s. What is left is told above.",
			io_why());
		ui_diags(v, &ds, NULL);
	}
	buf_release(&text);
}

void view_cleanup(struct test_run *r)
{
	for (struct view *v = r->suite->view; v; v = v->into) {
		struct view one = apart(v);

		put_cleanup(&one, r);
	}
	if (leaves(r->state->state))
		keep_left(r);
}

/* --- interruptions --- */

void view_interrupted(struct suite *s, bool again)
{
	ui_say_error(
		s->view,
		again ? "\nTwo interrupts received. Exiting immediately. "
			"Note that data loss may have occurred.\n"
		      : arena_printf(
				s->view->arena,
				"\nInterrupt received.\n"
				"Please wait for %s to exit or data loss may occur.\n"
				"Gracefully shutting down...\n",
				product_name()));
}

static void left_state(struct view *v, const struct test_state *st)
{
	struct buf b = BUF_INIT;

	if (!leaves(st->state))
		return;
	say_error(
		v,
		st->by && st->key.n
			? str_printf(
				  v->arena,
				  "\n%s has already created the following resources for \"%.*s\" from \"%.*s\":\n",
				  product_name(), STR_ARG(st->by->block->name),
				  STR_ARG(st->key))
			: str_printf(
				  v->arena,
				  "\n%s has already created the following resources from the module under test:\n",
				  product_name()));
	each_object(v->arena, st->state, put_object, &b);
	out_str(v->err, buf_view(&b));
	out_flush(v->err);
	buf_release(&b);
}

static void left_states(struct view *v, struct test_file *f)
{
	struct buf line = BUF_INIT;
	struct jw w = ui_message(
		&line, "error",
		str_printf(
			v->arena,
			"%s was interrupted during test execution, and may not have "
			"performed the expected cleanup operations.",
			product_name()));

	about(&w, f, NULL);
	jw_key(&w, "test_interrupt");
	jw_object(&w);
	for (size_t i = 0; i < f->states.len; i++)
		if (!f->states.items[i]->key.n) {
			jw_key(&w, "state");
			jw_array(&w);
			each_object(v->arena, f->states.items[i]->state,
				    write_object, &w);
			jw_array_end(&w);
		}
	jw_key(&w, "states");
	jw_object(&w);
	for (size_t i = 0; i < f->states.len; i++)
		if (f->states.items[i]->key.n && f->states.items[i]->by) {
			jw_key_str(&w, f->states.items[i]->by->block->name);
			jw_array(&w);
			each_object(v->arena, f->states.items[i]->state,
				    write_object, &w);
			jw_array_end(&w);
		}
	jw_object_end(&w);
	jw_object_end(&w);
	end(v, &line, &w, "test_interrupt");
}

void view_left(struct suite *s, struct test_file *f)
{
	for (struct view *v = s->view; v; v = v->into) {
		if (v->json) {
			left_states(v, f);
			continue;
		}
		say_error(
			v,
			str_printf(
				v->arena,
				"\n%s was interrupted while executing %.*s, and may not have "
				"performed the expected cleanup operations.\n",
				product_name(), STR_ARG(f->config->name)));
		for (size_t i = 0; i < f->states.len; i++)
			left_state(v, f->states.items[i]);
	}
}

/* --- JUnit's XML --- */

static void put_xml(struct buf *b, struct str text)
{
	for (size_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.p[i];

		if (c == '<')
			buf_puts(b, "&lt;");
		else if (c == '>')
			buf_puts(b, "&gt;");
		else if (c == '&')
			buf_puts(b, "&amp;");
		else if (c == '"')
			buf_puts(b, "&quot;");
		else if (c >= 32 || c == '\n' || c == '\t')
			buf_putc(b, (char)c);
	}
}

static void put_problem(struct buf *b, struct test_run *r)
{
	const char *tag = r->status == TEST_FAIL ? "failure" : "error";

	for (size_t i = 0; i < r->ds.len; i++) {
		const struct diag *d = &r->ds.items[i];

		if (d->severity != SEV_ERROR)
			continue;
		buf_addf(b, "\n      <%s message=\"", tag);
		put_xml(b, d->summary);
		buf_puts(b, "\">");
		if (range_present(&d->subject)) {
			put_xml(b, d->subject.file);
			buf_addf(b, ":%u: ", d->subject.start.line);
		}
		put_xml(b, d->detail);
		buf_addf(b, "</%s>", tag);
	}
}

static void put_case(struct buf *b, struct test_file *f, struct test_run *r)
{
	buf_puts(b, "    <testcase classname=\"");
	put_xml(b, f->config->name);
	buf_puts(b, "\" name=\"");
	put_xml(b, r->block->name);
	buf_addf(b, "\" time=\"%.3f\">", r->seconds);
	if (r->status <= TEST_SKIP)
		buf_puts(b, "\n      <skipped/>");
	else if (r->status > TEST_PASS)
		put_problem(b, r);
	buf_puts(b, "\n    </testcase>\n");
}

static void put_counts(struct buf *b, const struct counts *c)
{
	size_t all = 0;

	for (int i = 0; i <= TEST_ERROR; i++)
		all += c->of[i];
	buf_addf(
		b,
		" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n",
		all, c->of[TEST_FAIL], c->of[TEST_ERROR],
		c->of[TEST_SKIP] + c->of[TEST_PENDING]);
}

int view_junit(struct suite *s, struct diags *ds)
{
	const struct counts all = count(s);
	struct buf b = BUF_INIT;
	int rc;

	buf_puts(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		     "<testsuites");
	put_counts(&b, &all);
	for (size_t i = 0; i < s->files.len; i++) {
		struct test_file *f = s->files.items[i];
		struct counts c = { { 0 } };

		for (size_t k = 0; k < f->nruns; k++)
			c.of[f->runs[k].status]++;
		buf_puts(&b, "  <testsuite name=\"");
		put_xml(&b, f->config->name);
		buf_putc(&b, '"');
		put_counts(&b, &c);
		for (size_t k = 0; k < f->nruns; k++)
			put_case(&b, f, &f->runs[k]);
		buf_puts(&b, "  </testsuite>\n");
	}
	buf_puts(&b, "</testsuites>\n");
	rc = io_replace_file(arena_strndup(s->arena, s->o->junit.p,
					   s->o->junit.n),
			     b.p, b.len, 0666);
	buf_release(&b);
	if (!rc)
		return 0;
	return diag_error(ds, NULL, "Failed to write the JUnit report",
			  "%.*s cannot be written: %s.", STR_ARG(s->o->junit),
			  io_why());
}
