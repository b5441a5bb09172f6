/* status.c - see live.h */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ui/live/live.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/io.h"
#include "base/visible.h"
#include "base/source.h"

enum {
	REDRAW_MS = 100, /* at most that often */
	TICK_MS = 1000,  /* without events: updates the times */
	SLOW_MS = 3000,  /* the slowest are listed after longer applies */
	RATE_MS = 5000,  /* a rate needs so long, */
	RATE_DONE = 20,  /* and so many that are done */
};

void status_init(struct status *s, int fd, bool color)
{
	const char *term = getenv("TERM");

	*s = (struct status){ .fd = fd, .color = color };
	s->on = isatty(fd) && term && *term && strcmp(term, "dumb") != 0;
}

void status_release(struct status *s)
{
	for (size_t i = 0; i < s->nrunning; i++)
		buf_release(&s->running[i].text);
	for (size_t i = 0; i < STATUS_SLOWEST; i++)
		buf_release(&s->slow[i].text);
	free(s->running);
}

void status_applying(struct status *s)
{
	s->applying = true;
	s->began_ms = clock_ms();
	s->done = s->total = 0;
}

/* --- what is running --- */

static const char *verb_for(struct str type, struct str action)
{
	static const struct {
		const char *action, *verb;
	} verbs[] = {
		{ "create", "creating" },
		{ "update", "modifying" },
		{ "delete", "destroying" },
		{ "read", "reading" },
	};

	if (str_starts(type, "refresh_"))
		return "refreshing";
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (str_is(action, verbs[i].action))
			return verbs[i].verb;
	return "applying";
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

/* Adds op to the slowest if it is one of them; else releases it. */
static void rank(struct status *s, struct status_op op)
{
	size_t i = STATUS_SLOWEST;

	while (i && s->slow[i - 1].took_ms < op.took_ms)
		i--;
	if (i == STATUS_SLOWEST || !s->applying) {
		buf_release(&op.text);
		return;
	}
	buf_release(&s->slow[STATUS_SLOWEST - 1].text);
	memmove(s->slow + i + 1, s->slow + i,
		(STATUS_SLOWEST - 1 - i) * sizeof(op));
	s->slow[i] = op;
}

static void end(struct status *s, struct str addr, struct str deposed)
{
	for (size_t i = 0; i < s->nrunning; i++) {
		struct status_op op = s->running[i];
		struct str text = buf_view(&op.text);

		if (op.addr != addr.n ||
		    !str_eq(str_sub(text, 0, addr.n), addr) ||
		    !str_eq(str_sub(text, op.addr, text.n), deposed))
			continue;
		s->nrunning--;
		memmove(s->running + i, s->running + i + 1,
			(s->nrunning - i) * sizeof(op));
		op.took_ms = clock_ms() - op.since_ms;
		rank(s, op);
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

void status_line(const struct status *s, uint64_t now, size_t width,
		 struct buf *out)
{
	struct buf op = BUF_INIT;
	size_t used;

	if (s->total)
		buf_addf(out, "%zu/%zu", s->done, s->total);
	else
		buf_addf(out, "%zu done", s->done);
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

void status_slowest(const struct status *s, struct buf *out)
{
	struct buf took = BUF_INIT;

	if (!s->on || !s->applying || clock_ms() - s->began_ms < SLOW_MS ||
	    s->slow[0].took_ms < 1000)
		return;
	buf_puts(out, "\nSlowest:\n");
	for (size_t i = 0; i < STATUS_SLOWEST; i++) {
		const struct status_op *op = &s->slow[i];

		if (op->took_ms < 1000)
			break;
		buf_set_len(&took, 0);
		buf_seconds(&took, (int64_t)(op->took_ms + 500) / 1000);
		buf_addf(out, "  %8.*s  ", STR_ARG(buf_view(&took)));
		visible_line(out, (struct str){ op->text.p, op->addr });
		buf_addf(out, " (%s)\n", op->verb);
	}
	buf_release(&took);
}
