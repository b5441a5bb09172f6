/* reads.c - see plan_int.h */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "addr/provider.h"
#include "base/io.h"
#include "base/workdir.h"
#include "crypto/crypto.h"
#include "engine/plan/plan_int.h"

enum {
	KEY = 32,              /* digits of a key, and of the salt */
	KEPT = 30 * 24 * 3600, /* seconds that a read is remembered */
	LIMIT = 256 * 1024 * 1024,
};

static const char head[] = "tfpipe-reads 1 ";

struct reads {
	struct arena *arena;
	struct str path, salt;
	struct map when; /* key -> time_t * */
	time_t now;
};

/* --- the file --- */

static struct str line_of(struct str *text)
{
	const ptrdiff_t end = str_chr(*text, '\n');
	const size_t n = end < 0 ? text->n : (size_t)end;
	const struct str line = str_sub(*text, 0, n);

	*text = str_sub(*text, end < 0 ? n : n + 1, text->n);
	return line;
}

static bool is_key(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (str_hex_digit(s.p[i]) < 0)
			return false;
	return s.n == KEY;
}

static void put(struct reads *r, struct str key, time_t when)
{
	time_t *at = map_get(&r->when, key);

	if (!at) {
		at = ARENA_NEW(r->arena, time_t);
		map_put(r->arena, &r->when, str_dup(r->arena, key), at);
	}
	*at = when;
}

/* A line that is none, or of a time to come, is as if it were not there: the
 * object is read. */
static void take_line(struct reads *r, struct str line)
{
	const struct str key = str_sub(line, 0, KEY);
	const long long when =
		line.n > KEY ? strtoll(line.p + KEY, NULL, 10) : 0;

	if (is_key(key) && when <= r->now && when > r->now - KEPT)
		put(r, key, (time_t)when);
}

/* -1: there is no such file, or it is of no use. */
static int take_file(struct reads *r)
{
	struct str text, line;

	if (io_read_regular(r->arena, r->path.p, LIMIT, &text))
		return -1;
	line = line_of(&text);
	if (!str_starts(line, head) ||
	    !is_key(str_sub(line, sizeof(head) - 1, line.n)))
		return -1;
	r->salt = str_sub(line, sizeof(head) - 1, line.n);
	while (text.n)
		take_line(r, line_of(&text));
	return 0;
}

static int new_salt(struct reads *r)
{
	unsigned char bytes[KEY / 2];

	if (io_random(bytes, sizeof(bytes)))
		return -1;
	r->salt = str_hex(r->arena, bytes, sizeof(bytes));
	return 0;
}

struct reads *reads_open(struct plan *p)
{
	const struct run_options *o = &p->run->opts;
	struct reads *r;

	if (!o->refresh || o->importing || p->mode == RUN_DESTROY ||
	    p->run->config->test || !p->state->lineage.n || !p->opts.workdir)
		return NULL;
	r = ARENA_NEW(p->arena, struct reads);
	r->arena = p->arena;
	r->path = workdir_path(p->arena, p->opts.workdir, WORKDIR_READS);
	r->now = time(NULL);
	if (take_file(r) && (!o->refresh_older_than || new_salt(r)))
		return NULL;
	return r;
}

void reads_save(struct plan *p)
{
	struct reads *r = p->reads;
	struct buf b = BUF_INIT;

	buf_addf(&b, "%s%.*s\n", head, STR_ARG(r->salt));
	for (size_t i = 0; i < r->when.len; i++) {
		const struct map_entry *e = &r->when.entries[i];
		const time_t when = *(const time_t *)e->value;

		if (when)
			buf_addf(&b, "%.*s %lld\n", STR_ARG(e->key),
				 (long long)when);
	}
	if ((io_make_dirs(p->opts.workdir->data_dir.p, 0777) ||
	     io_replace_file(r->path.p, b.p, b.len, 0600)) &&
	    p->run->opts.refresh_older_than)
		diag_warning(p->diags, NULL, "Reads are not remembered",
			     "%.*s cannot be written: %s. The next plan with "
			     "-refresh=older-than reads these objects again.",
			     STR_ARG(r->path), io_why());
	buf_release(&b);
}

/* --- an object --- */

static void add(struct digest *d, struct str s)
{
	const uint64_t n = s.n;

	digest_add(d, &n, sizeof(n)); /* where one ends and another begins */
	digest_add(d, s.p, s.n);
}

/* By the salt nobody finds the key of a value that he guesses in a table made
 * beforehand.  Nothing is derived from the values of an encrypted state: there
 * every write of the state makes the object another one. */
static struct str key_of(struct job *j)
{
	const struct plan *p = j->p;
	const struct state_instance *si = j->it.si;
	struct digest *d = digest_new("sha256");
	unsigned char sum[DIGEST_MAX];
	const bool hidden = p->run->opts.encryption != NULL;
	size_t n;

	if (!d)
		return STR_NONE;
	add(d, p->reads->salt);
	add(d, p->state->lineage);
	add(d, p->run->opts.workspace);
	add(d, j->w.text);
	add(d, si->deposed);
	add(d, provider_config_text(j->w.a, &j->w.provider->addr));
	add(d, str_int(j->w.a, (int64_t)si->schema_version));
	add(d, hidden ? str_int(j->w.a, (int64_t)p->state->serial)
		      : si->attributes);
	n = digest_end(d, sum);
	return n < KEY / 2 ? STR_NONE : str_hex(j->w.a, sum, KEY / 2);
}

static struct str key(struct job *j)
{
	if (!j->reading.n)
		j->reading = key_of(j);
	return j->reading;
}

bool reads_recent(struct job *j)
{
	const struct reads *r = j->p->reads;
	const int64_t age = j->w.run->opts.refresh_older_than;
	const time_t *when = r ? map_get(&r->when, key(j)) : NULL;

	return when && *when && r->now - *when < age;
}

/* What was found otherwise, and is not in the state yet, is found again. */
void reads_note(struct job *j, bool as_stored)
{
	struct reads *r = j->p->reads;

	if (key(j).n)
		put(r, key(j), as_stored ? r->now : 0);
}
