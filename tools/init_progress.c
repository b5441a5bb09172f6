/* init_progress.c - how much has come of what tf-init fetches */
#include "tf-init.h"

#include <stdio.h>
#include <time.h>

enum { EVERY_MS = 1000 };

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

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

/* What is over within a second is worth no message. */
static bool is_time(struct tool *t)
{
	const uint64_t now = now_ms();

	if (!t->progress_ms)
		t->progress_ms = now;
	if (now - t->progress_ms < EVERY_MS)
		return false;
	t->progress_ms = now;
	return true;
}

static void on_progress(void *data, size_t packages, int64_t have, int64_t all)
{
	struct tool *t = data;
	char of[32] = "", text[96];

	if (all >= 0)
		snprintf(of, sizeof(of), " of %.1f", (double)all / 1e6);
	snprintf(text, sizeof(text), "Downloading %zu package%s: %.1f%s MB",
		 packages, packages == 1 ? "" : "s", (double)have / 1e6, of);
	if (t->status.on && (all < 0 || all >= 1000000)) /* or it flickers */
		status_note(&t->status, str_c(text));
	if ((!t->json && !t->v.into) || !is_time(t))
		return;
	put_message(t->json ? &t->v : t->v.into, str_c(text), packages, have,
		    all);
}

void init_progress(struct tool *t)
{
	if (!t->status.on && !t->json && !t->v.into)
		return;
	t->hosts.progress = on_progress;
	t->hosts.progress_data = t;
}
