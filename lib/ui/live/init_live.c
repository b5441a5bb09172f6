/* init_live.c - see init_live.h; the texts are in init_text.c */
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "ui/live/init_live.h"
#include "remote/fetch.h"
#include "json/write.h"
#include "ui/ask.h"
#include "ui/live/live_int.h"
#include "ui/view.h"

enum { EVERY_MS = 1000 };

static const char stamp_member[] = "\"@timestamp\":\"";

void init_live_start(struct init_live *l, struct arena *a, bool json,
		     bool no_color)
{
	ui_standard(&l->v, a, &l->out, &l->err, json, no_color);
	if (json)
		return;
	status_init(&l->status, l->out.fd, l->v.style.color);
	l->out.before = l->err.before = status_clear;
	l->out.before_data = l->err.before_data = &l->status;
}

/* Bytes stay in the buffer. */
static int held(void *data)
{
	(void)data;
	return -1;
}

void init_live_last_words(struct init_live *l)
{
	struct arena *a = l->v.arena;
	struct out kept = OUT_INIT(STDOUT_FILENO);
	struct diags ds = DIAGS_INIT(a);
	struct view v = l->v;
	char *text;

	kept.before = held;
	v.out = &kept;
	diag_error(&ds, NULL, "Installation canceled",
		   "Installation was canceled by an interrupt signal.");
	ui_diags(&v, &ds, NULL);
	text = arena_strndup(a, kept.buf.p, kept.buf.len);
	out_release(&kept);
	io_fail_on_signals(STDOUT_FILENO, text,
			   strstr(text, stamp_member) + strlen(stamp_member));
}

/* The details may quote hosts, and programs that asked them: host_text removes
 * control characters. */
static void init_live_diags(struct init_live *l, struct diags *ds,
			    const struct config *c)
{
	for (size_t i = 0; i < ds->len; i++)
		ds->items[i].detail =
			host_text(l->v.arena, ds->items[i].detail);
	ui_diags(&l->v, ds, c ? &c->sources : NULL);
}

int init_live_outcome(struct init_live *l, enum init_outcome o,
		      struct diags *ds, const struct config *c)
{
	switch (o) {
	case INIT_LISTED:
	case INIT_PASSED:
		return 1;
	case INIT_EMPTY:
		init_say_empty(&l->v);
		return 0;
	case INIT_PART:
		init_live_diags(l, ds, c);
		return 0;
	case INIT_DONE:
		if (!l->v.json)
			ui_say(&l->v, "");
		init_live_diags(l, ds, c);
		init_say_done(&l->v, c && c->root && c->root->cloud);
		return 0;
	case INIT_CONFIG_FAILED:
		init_say_config_failed(&l->v);
		break;
	case INIT_FAILED:
		break;
	}
	init_live_diags(l, ds, c);
	return 1;
}

int init_live_end(struct init_live *l)
{
	int rc = diags_written(l->v.arena, &l->out);

	if (l->v.into && diags_written(l->v.arena, &l->into_out))
		rc = -1;
	status_clear(&l->status);
	status_release(&l->status);
	out_release(&l->out);
	out_release(&l->err);
	out_release(&l->into_out);
	return rc ? -1 : 0;
}

/* --- how much has come --- */

static void put_message(struct view *v, struct str text, size_t packages,
			int64_t have, int64_t all)
{
	struct buf line = BUF_INIT;
	struct jw w = ui_message(&line, "info", text);

	jw_key(&w, "download");
	jw_object(&w);
	if (all >= 0)
		jw_member_int(&w, "all", all);
	jw_member_int(&w, "have", have);
	jw_member_int(&w, "packages", (int64_t)packages);
	jw_object_end(&w);
	jw_member_str(&w, "type", STR("download_progress"));
	ui_message_end(v, &line, &w);
	out_flush(v->out);
}

/* At most one message every EVERY_MS, and none for a shorter download. */
static bool is_time(struct init_live *l)
{
	const uint64_t now = clock_ms();

	if (!l->progress_ms)
		l->progress_ms = now;
	if (now - l->progress_ms < EVERY_MS)
		return false;
	l->progress_ms = now;
	return true;
}

static void on_progress(void *data, size_t packages, int64_t have, int64_t all)
{
	struct init_live *l = data;
	char of[32] = "", text[96];

	if (all >= 0)
		snprintf(of, sizeof(of), " of %.1f", (double)all / 1e6);
	snprintf(text, sizeof(text), "Downloading %zu package%s: %.1f%s MB",
		 packages, packages == 1 ? "" : "s", (double)have / 1e6, of);
	if (l->status.on && (all < 0 || all >= 1000000)) /* or it flickers */
		status_note(&l->status, str_c(text));
	if ((!l->v.json && !l->v.into) || !is_time(l))
		return;
	put_message(l->v.json ? &l->v : l->v.into, str_c(text), packages, have,
		    all);
}

static void on_news(void *data, const struct init_news *n)
{
	struct init_live *l = data;

	init_say_news(&l->v, n);
}

/* `about` is indented as a whole. */
static int on_question(void *data, const struct init_question *q,
		       struct str *answer, struct diags *ds)
{
	struct init_live *l = data;
	struct question asked = { .query = q->query, .summary = q->summary };
	struct buf about = BUF_INIT;
	int rc;

	for (const char *p = q->about; *p; p++) {
		buf_putc(&about, *p);
		if (*p == '\n' && p[1] != '\n')
			buf_puts(&about, "  ");
	}
	asked.about = about.p;
	rc = ui_ask(&l->v, &asked, answer, ds);
	buf_release(&about);
	return rc;
}

void init_live_follow(struct init_live *l, struct init *t)
{
	t->told = on_news;
	t->ask = l->v.json ? NULL : on_question; /* nobody reads it */
	t->data = l;
	if (!l->status.on && !l->v.json && !l->v.into)
		return;
	t->hosts.progress = on_progress;
	t->hosts.progress_data = l;
}
