/* lock.c - taking, describing and handing on the lock of a state */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "state/backend/lock.h"
#include "json/write.h"
#include "state/backend/backend_int.h"
#include "base/clock.h"
#include "base/product.h"
#include "base/uuid.h"
#include "json/read.h"

enum {
	WAIT_NOTICE_MS = 400, /* before people are told that we wait */
	POLL_MS = 50,         /* between looks whether to wait on */
};

struct str state_new_lineage(struct arena *a)
{
	char text[UUID_SIZE];

	while (uuid_random(text))
		;
	return str_dup(a, str_c(text));
}

/* RFC 3339 with the nanoseconds' trailing zeros left out. */
static struct str time_now(struct arena *a)
{
	struct timespec now;
	struct tm tm;
	char date[32], frac[16] = "";
	size_t n;

	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &tm);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm);
	if (now.tv_nsec) {
		n = (size_t)snprintf(frac, sizeof(frac), ".%09ld", now.tv_nsec);
		while (frac[n - 1] == '0')
			frac[--n] = '\0';
	}
	return str_printf(a, "%s%sZ", date, frac);
}

/* The field n of a line of passwd(5). */
static struct str passwd_field(struct str line, int n)
{
	ptrdiff_t colon;

	while (n-- > 0) {
		colon = str_chr(line, ':');
		if (colon < 0)
			return STR_NONE;
		line = str_sub(line, (size_t)colon + 1, line.n);
	}
	colon = str_chr(line, ':');
	return colon < 0 ? STR_NONE : str_sub(line, 0, (size_t)colon);
}

/* Our name, for people.  Not by getpwuid: it loads the system's name services,
 * which takes longer than everything else here, and crashes without memory. */
static struct str user_name(struct arena *a)
{
	struct buf text = BUF_INIT;
	struct str uid = str_printf(a, "%lu", (unsigned long)getuid());
	struct str name = str_env("USER"), rest;
	ptrdiff_t end;

	if (io_read_file("/etc/passwd", &text, 1 << 20))
		buf_set_len(&text, 0);
	for (rest = buf_view(&text); rest.n;) {
		struct str line = rest;

		end = str_chr(rest, '\n');
		line.n = end < 0 ? rest.n : (size_t)end;
		rest = str_sub(rest, end < 0 ? rest.n : line.n + 1, rest.n);
		if (str_eq(passwd_field(line, 2), uid)) {
			name = str_dup(a, passwd_field(line, 0));
			break;
		}
	}
	buf_release(&text);
	return name;
}

struct lock_info lock_info_new(struct arena *a, const char *operation)
{
	struct lock_info l = { .operation = str_c(arena_strdup(a, operation)),
			       .version = STR(COMPATIBLE_VERSION) };
	struct str user = user_name(a);
	char host[256] = "";

	if (gethostname(host, sizeof(host) - 1))
		host[0] = '\0';
	l.id = state_new_lineage(a);
	l.who = str_printf(a, "%.*s@%s", STR_ARG(user), host);
	l.created = time_now(a);
	return l;
}

void lock_info_write(struct buf *out, const struct lock_info *l)
{
	struct jw w = { .out = out, .html = true };

	buf_set_len(out, 0);
	jw_object(&w);
	jw_member_str(&w, "ID", l->id);
	jw_member_str(&w, "Operation", l->operation);
	jw_member_str(&w, "Info", l->info);
	jw_member_str(&w, "Who", l->who);
	jw_member_str(&w, "Version", l->version);
	jw_member_str(&w, "Created", l->created);
	jw_member_str(&w, "Path", l->path);
	jw_object_end(&w);
}

int lock_info_read(struct arena *a, struct str text, struct lock_info *out)
{
	struct json_scan sc = json_scan_start(a, text);
	const struct {
		const char *name;
		struct str *to;
	} members[] = {
		{ "ID", &out->id },           { "Operation", &out->operation },
		{ "Info", &out->info },       { "Who", &out->who },
		{ "Version", &out->version }, { "Created", &out->created },
		{ "Path", &out->path },
	};
	bool first = true;
	struct str name;
	int rc;

	*out = (struct lock_info){ .id = STR_NONE };
	if (!str_utf8_valid(text) || json_scan_open(&sc, '{'))
		return -1;
	while ((rc = json_scan_member(&sc, &first, &name)) == 1) {
		struct str *to = NULL;

		for (size_t i = 0; i < 7; i++)
			if (str_is(name, members[i].name))
				to = members[i].to;
		if (to && json_scan_peek(&sc) == '"'
			    ? json_scan_string(&sc, to)
			    : json_scan_value(&sc, NULL))
			return -1;
	}
	return rc || json_scan_end(&sc) || !out->id.n ? -1 : 0;
}

/* 2026-01-02T03:04:05.6Z as "2026-01-02 03:04:05.6 +0000 UTC". */
static void print_time(struct buf *out, struct str t)
{
	size_t zone = t.n;

	if (t.n < 20 || t.p[10] != 'T') {
		buf_str(out, t);
		return;
	}
	buf_addf(out, "%.10s ", t.p);
	while (zone > 19 && t.p[zone - 1] != 'Z' && t.p[zone - 1] != '+' &&
	       t.p[zone - 1] != '-')
		zone--;
	buf_add(out, t.p + 11, zone - 12);
	if (t.p[zone - 1] == 'Z' || t.n - zone != 5) {
		buf_puts(out, " +0000 UTC");
		return;
	}
	for (int i = 0; i < 2; i++)
		buf_addf(out, " %c%.2s%.2s", t.p[zone - 1], t.p + zone,
			 t.p + zone + 3);
}

/* "Lock Info:" and its lines, as OpenTofu prints them. */
static void lock_info_print(struct buf *out, const struct lock_info *l)
{
	buf_addf(out, "Lock Info:\n  ID:        %.*s\n", STR_ARG(l->id));
	buf_addf(out, "  Path:      %.*s\n", STR_ARG(l->path));
	buf_addf(out, "  Operation: %.*s\n", STR_ARG(l->operation));
	buf_addf(out, "  Who:       %.*s\n", STR_ARG(l->who));
	buf_addf(out, "  Version:   %.*s\n", STR_ARG(l->version));
	buf_puts(out, "  Created:   ");
	print_time(out, l->created);
	buf_addf(out, "\n  Info:      %.*s\n", STR_ARG(l->info));
}

static int lock_error(struct backend *b, struct diags *ds,
		      const struct lock_info *holder, const char *why)
{
	struct buf info = BUF_INIT;

	if (holder->id.n)
		lock_info_print(&info, holder);
	/* One on a file ends with its holder. */
	if (holder->id.n && b->ops->remote)
		buf_addf(
			&info,
			"\nIf nobody holds it any more:\n\n    %s force-unlock %.*s\n",
			product_command(), STR_ARG(holder->id));
	diag_error(ds, NULL, "Error acquiring the state lock",
		   "Error message: %s\n%.*s\nOnly one program at a time may "
		   "write a state. Try again when the other one has finished, "
		   "or wait for it with -lock-timeout. -lock=false goes on "
		   "without the lock, which can lose what the other one "
		   "writes.",
		   why, STR_ARG(buf_view(&info)));
	buf_release(&info);
	return -1;
}

int backend_lock_error(struct backend *b, struct str why, struct diags *ds)
{
	return lock_error(b, ds, &(struct lock_info){ .id = STR_NONE },
			  arena_strndup(b->arena, why.p, why.n));
}

int backend_lock_left(struct backend *b, struct str id, struct str why,
		      struct diags *ds)
{
	return diag_error(
		ds, NULL, "Error acquiring the state lock",
		"Error message: %.*s\n\n"
		"It is not known whether the lock was taken all the same, and it "
		"could not be given back. If others find the state %.*s locked by "
		"%.*s, and nobody works on it:\n\n"
		"    %s force-unlock %.*s",
		STR_ARG(why), STR_ARG(b->name), STR_ARG(b->lock.who),
		product_command(), STR_ARG(id));
}

int backend_unlock_error(struct backend *b, struct str why, struct diags *ds)
{
	return diag_error(
		ds, NULL, "Error releasing the state lock",
		"Error message: %.*s\n\n"
		"The state %.*s may still be locked as %.*s. If it is, so that "
		"others have to wait, and nobody works on it:\n\n"
		"    %s force-unlock %.*s",
		STR_ARG(why), STR_ARG(b->name), STR_ARG(b->lock.id),
		product_command(), STR_ARG(b->lock.id));
}

void backend_set_operation(struct backend *b, const char *operation)
{
	b->opts.operation = str_c(operation);
}

static void sleep_ms(uint64_t ms)
{
	struct timespec t = { (time_t)(ms / 1000),
			      (long)(ms % 1000) * 1000000 };

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

/* Sleeps at most that long; false: no longer wanted. */
static bool pause_ms(const struct backend_options *o, uint64_t ms)
{
	const uint64_t until = clock_ms() + ms;

	for (uint64_t now = clock_ms(); now < until; now = clock_ms()) {
		if (o->stop_waiting && o->stop_waiting(o->waiting_data))
			return false;
		sleep_ms(until - now < POLL_MS ? until - now : POLL_MS);
	}
	return true;
}

int backend_lock(struct backend *b, const char *operation, uint64_t timeout_ms,
		 struct diags *ds)
{
	uint64_t start = clock_ms(), delay = 50, waited;
	bool told = false;

	if (b->locked)
		return b->adopted
			       ? 0
			       : diag_error(
					 ds, NULL,
					 "Error acquiring the state lock",
					 "This program holds the lock already.");
	if (rows_claim_later(b, operation))
		return 0;
	b->lock = lock_info_new(b->arena, operation);
	for (;;) {
		struct lock_info holder = { .id = STR_NONE };
		const char *why = "";

		switch (b->ops->lock(b, &b->lock, &holder, &why, ds)) {
		case LOCK_TAKEN:
			b->locked = true;
			return 0;
		case LOCK_FAILED:
			return -1;
		case LOCK_HELD:
			break;
		}
		waited = clock_ms() - start;
		if (waited >= timeout_ms)
			return lock_error(b, ds, &holder, why);
		if (waited >= WAIT_NOTICE_MS && !told && b->opts.waiting) {
			b->opts.waiting(b->opts.waiting_data);
			told = true;
		}
		waited = timeout_ms - waited; /* is left */
		if (!pause_ms(&b->opts, delay < waited ? delay : waited))
			return lock_error(b, ds, &holder, why);
		if (delay < 1000)
			delay *= 2;
	}
}

static bool unit(struct str *s, double *ms)
{
	static const struct {
		const char *name;
		double ms;
	} units[] = { { "ms", 1 },      { "us", 0.001 }, { "ns", 0.000001 },
		      { "h", 3600000 }, { "m", 60000 },  { "s", 1000 } };

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (!str_starts(*s, units[i].name))
			continue;
		*ms = units[i].ms;
		*s = str_sub(*s, strlen(units[i].name), s->n);
		return true;
	}
	return false;
}

int lock_timeout_parse(struct str text, uint64_t *ms)
{
	double total = 0, scale, n, place;

	*ms = 0;
	if (str_is(text, "0"))
		return 0;
	if (!text.n)
		return -1;
	while (text.n) {
		struct str before = text;

		n = 0;
		while (text.n && *text.p >= '0' && *text.p <= '9') {
			n = n * 10 + (*text.p - '0');
			text = str_sub(text, 1, text.n);
		}
		if (text.n && *text.p == '.') {
			text = str_sub(text, 1, text.n);
			for (place = 0.1;
			     text.n && *text.p >= '0' && *text.p <= '9';
			     place /= 10) {
				n += place * (*text.p - '0');
				text = str_sub(text, 1, text.n);
			}
		}
		if (text.n == before.n || !unit(&text, &scale))
			return -1;
		total += n * scale;
	}
	if (!(total < 1e15))
		return -1;
	*ms = (uint64_t)total;
	return 0;
}

int lock_timeout_option(struct str text, uint64_t *ms, struct diags *ds)
{
	*ms = 0;
	if (!text.n || !lock_timeout_parse(text, ms))
		return 0;
	return diag_error(
		ds, NULL, "Failed to parse command-line flags",
		"-lock-timeout is a duration such as 10s or 1m30s, not \"%.*s\".",
		STR_ARG(text));
}

int backend_unlock(struct backend *b, struct diags *ds)
{
	if (!b->locked)
		return 0;
	b->locked = false;
	if (b->adopted) {
		b->adopted = false;
		return 0;
	}
	return b->ops->unlock(b, ds);
}

int backend_force_unlock(struct backend *b, struct str id, bool forced,
			 struct diags *ds)
{
	return b->ops->force_unlock(b, id, forced, ds);
}

struct str lock_token(void)
{
	return str_env(LOCK_TOKEN);
}

void lock_token_set(struct arena *a, struct str token)
{
	if (token.n)
		setenv(LOCK_TOKEN, arena_strndup(a, token.p, token.n), 1);
	else
		unsetenv(LOCK_TOKEN);
}

struct str backend_lock_token(const struct backend *b)
{
	return b->locked ? b->lock.id : STR_NONE;
}

int backend_adopt_lock(struct backend *b, struct str token, struct diags *ds)
{
	const struct lock_info *handed = handover_lock(b);
	struct lock_info holder = { .id = STR_NONE };

	if (b->locked)
		return 0;
	if (handed)
		holder = *handed;
	if (!token.n || (!handed && !b->ops->is_locked(b, &holder)) ||
	    !str_eq(holder.id, token))
		return diag_error(
			ds, NULL, "Error acquiring the state lock",
			"The lock that this program was started under "
			"is no longer held: its ID was %.*s%s%.*s.",
			STR_ARG(token),
			holder.id.n ? ", but the state is locked as " : "",
			STR_ARG(holder.id));
	b->lock = holder;
	b->locked = b->adopted = true;
	lock_token_set(b->arena, STR_NONE);
	return 0;
}
