/* status.c - see live.h */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ui/live/live.h"
#include "ui/show/show.h"
#include "json/tree.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/io.h"
#include "base/visible.h"

enum {
	REDRAW_MS = 100, /* at most that often */
	TICK_MS = 1000,  /* without events: updates the times */
	SLOW_MS = 3000,  /* the slowest are listed after longer runs */
	RATE_MS = 5000,  /* a rate needs so long, */
	RATE_DONE = 20,  /* and so many that are done */
};

void status_init(struct status *s, int fd, bool color)
{
	const char *term = getenv("TERM");

	*s = (struct status){ .fd = fd,
			      .color = color,
			      .began_ms = clock_ms() };
	s->on = isatty(fd) && term && *term && strcmp(term, "dumb") != 0;
}

void status_release(struct status *s)
{
	for (size_t i = 0; i < s->nrunning; i++)
		buf_release(&s->running[i].text);
	free(s->running);
}

void status_applying(struct status *s)
{
	s->applying = true;
	s->began_ms = clock_ms();
	s->done = s->total = s->planned = s->to_plan = 0;
}

/* --- what is running --- */

static const char *verb_for(struct str type, struct str action)
{
	return shown_verb(str_starts(type, "refresh_") ? STR("refresh")
						       : action);
}

static void start(struct status *s, struct str addr, struct str deposed,
		  const char *verb)
{
	struct status_op *op;

	if (s->nrunning == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 16;
		s->running = xrealloc(s->running, s->cap * sizeof(*s->running));
	}
	op = &s->running[s->nrunning++];
	*op = (struct status_op){ .addr = addr.n,
				  .verb = verb,
				  .since_ms = clock_ms() };
	buf_str(&op->text, addr);
	buf_str(&op->text, deposed);
}

static void end(struct status *s, struct str addr, struct str deposed)
{
	for (size_t i = 0; i < s->nrunning; i++) {
		struct status_op op = s->running[i];
		const struct str text = buf_view(&op.text);

		if (op.addr != addr.n ||
		    !str_eq(str_sub(text, 0, addr.n), addr) ||
		    !str_eq(str_sub(text, op.addr, text.n), deposed))
			continue;
		s->nrunning--;
		memmove(s->running + i, s->running + i + 1,
			(s->nrunning - i) * sizeof(op));
		buf_release(&op.text);
		return;
	}
}

void status_event(struct status *s, const struct shown_event *e)
{
	bool refresh = str_starts(e->type, "refresh_");

	if (!(refresh || str_starts(e->type, "apply_")))
		return;
	s->stale = true;
	if (str_ends(e->type, "_start")) {
		if (!s->nrunning && !s->drawn)
			s->drawn_ms = clock_ms(); /* no line if quick */
		start(s, e->address, e->deposed, verb_for(e->type, e->action));
	} else if (!str_ends(e->type, "_progress")) {
		end(s, e->address, e->deposed);
		/* the total of planning is what the state has to refresh */
		s->done += refresh || s->applying || !s->total;
	}
}

static size_t member(const struct json *counts, const char *name)
{
	const int64_t n = json_get_int(counts, name, 0);

	return n > 0 ? (size_t)n : 0;
}

void status_progress(struct status *s, const struct json *record, bool partial)
{
	const struct json *read = json_get(record, "refreshing");
	const struct json *planned = json_get(record, "planning");

	if (partial) {
		s->done = member(read, "done");
		s->total = member(read, "known");
	}
	s->planned = member(planned, "done");
	s->to_plan = member(planned, "known");
	s->stale = true;
}

/* --- the line --- */

/* Counts columns: a character outside ASCII may be two columns wide. */
static size_t columns(struct str s)
{
	size_t n = 0;

	for (size_t i = 0, len; i < s.n; i += len) {
		len = grapheme_len(str_sub(s, i, s.n));
		n += len > 1 ? 2 : 1;
	}
	return n;
}

/* Truncates a line that is wider. */
static void cut(struct buf *b, size_t width)
{
	struct str s = buf_view(b);
	size_t n = 0, i = 0;

	if (columns(s) <= width)
		return;
	while (i < s.n) {
		size_t len = grapheme_len(str_sub(s, i, s.n));

		n += len > 1 ? 2 : 1;
		if (n + 2 > width)
			break;
		i += len;
	}
	buf_set_len(b, i);
	buf_puts(b, "…");
}

static void put_op(struct buf *b, const struct status_op *op, uint64_t now)
{
	visible_line(b, (struct str){ op->text.p, op->addr });
	buf_addf(b, " %s ", op->verb);
	/* rounded, as the events' are: both say the same at the same time */
	buf_seconds(b, (int64_t)(now - op->since_ms + 500) / 1000);
}

/* What a longer apply does in a second, and how long the rest takes at that. */
static void put_rate(struct buf *b, const struct status *s, uint64_t now)
{
	const uint64_t ms = now - s->began_ms;
	double rate;

	if (!s->applying || ms < RATE_MS || s->done < RATE_DONE ||
	    s->done >= s->total)
		return;
	rate = (double)s->done * 1000 / (double)ms;
	buf_addf(b, rate < 10 ? ", %.1f/s, " : ", %.0f/s, ", rate);
	buf_seconds(b, (int64_t)((double)(s->total - s->done) / rate + 0.5));
	buf_puts(b, " left");
}

static void put_counts(struct buf *b, const struct status *s)
{
	if (s->total)
		buf_addf(b, "%s %zu/%zu",
			 s->applying ? "applying" : "refreshing", s->done,
			 s->total);
	else if (!s->to_plan)
		buf_addf(b, "%zu done", s->done);
	if (s->to_plan)
		buf_addf(b, "%splanning %zu/%zu", s->total ? ", " : "",
			 s->planned, s->to_plan);
}

void status_line(const struct status *s, uint64_t now, size_t width,
		 struct buf *out)
{
	struct buf op = BUF_INIT;
	size_t used;

	put_counts(out, s);
	put_rate(out, s, now);
	used = columns(buf_view(out));
	for (size_t i = 0; i < s->nrunning; i++) {
		size_t left = s->nrunning - i - 1, room = left ? 12 : 0;

		buf_set_len(&op, 0);
		buf_puts(&op, i ? ", " : "  ");
		put_op(&op, &s->running[i], now);
		if (i && used + columns(buf_view(&op)) + room > width) {
			buf_addf(out, ", %zu more", left + 1);
			break;
		}
		used += columns(buf_view(&op));
		buf_str(out, buf_view(&op));
	}
	cut(out, width);
	buf_release(&op);
}

static size_t terminal_width(int fd)
{
	struct winsize ws;

	if (ioctl(fd, TIOCGWINSZ, &ws) == 0 && ws.ws_col > 1)
		return ws.ws_col - 1u;
	return 78;
}

/* In a terminal that was made narrower the line may have become several, which
 * begin at the cursor: all below it is cleared. */
#define CLEAR "\033[J"

static void put(struct status *s, uint64_t now, struct str line)
{
	struct buf b = BUF_INIT;

	if (s->color)
		buf_addf(&b, CLEAR "\033[2m%.*s\033[0m\r", STR_ARG(line));
	else
		buf_addf(&b, CLEAR "%.*s\r", STR_ARG(line));
	io_write_all(s->fd, b.p, b.len);
	s->drawn = true;
	s->stale = false;
	s->drawn_ms = now;
	buf_release(&b);
}

static void draw(struct status *s, uint64_t now)
{
	struct buf line = BUF_INIT;

	status_line(s, now, terminal_width(s->fd), &line);
	put(s, now, buf_view(&line));
	buf_release(&line);
}

void status_note(struct status *s, struct str text)
{
	const uint64_t now = s->on ? clock_ms() : 0;
	struct buf line = BUF_INIT;

	if (!s->on || (s->drawn && now < s->drawn_ms + REDRAW_MS))
		return;
	visible_line(&line, text);
	cut(&line, terminal_width(s->fd));
	put(s, now, buf_view(&line));
	buf_release(&line);
}

int status_clear(void *data)
{
	struct status *s = data;

	if (s->drawn)
		io_write_all(s->fd, CLEAR, sizeof(CLEAR) - 1);
	s->drawn = false;
	return 0;
}

void status_wait(struct status *s, int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	while (s->on && s->nrunning) {
		uint64_t now = clock_ms(), next = s->drawn_ms;

		next += s->drawn && !s->stale ? TICK_MS : REDRAW_MS;
		if (now >= next) {
			draw(s, now);
			continue;
		}
		if (poll(&p, 1, (int)(next - now)) != 0)
			return;
	}
	status_clear(s);
}

bool status_took_long(const struct status *s)
{
	return s->on && clock_ms() - s->began_ms >= SLOW_MS;
}
