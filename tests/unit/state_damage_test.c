/*
 * state_damage_test.c - journals that are damaged in a thousand ways
 *
 * Whatever is done to a journal, each outcome that it told is recovered, or it
 * is told that something is lost; what stands on its own is used by whoever
 * decides so, but of a group all or nothing.  A journal that ends earlier, behind a whole line, is another
 * thing: nobody can tell it from that of a run that was ended there.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "json/read.h"
#include "json/tree.h"
#include "state/backend/backend.h"
#include "state/backend/lock.h"
#include "test.h"

enum { KEYS = 12, RECORDS = 40, LINES = 200 };

static const char journal[] = ".terraform.tfstate.journal";
static const char kept[] = ".terraform.tfstate.journal.stale";

static struct arena arena = ARENA_INIT;
static struct diags ds;
static char dir[64];
static uint64_t seed = 1;

static const struct module_addr root = { NULL, 0 };
static const struct resource_addr res = { MODE_MANAGED, STR_INIT("t"),
					  STR_INIT("n") };

static size_t below(size_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(seed >> 33) % n;
}

static struct state_resource *resource(struct state *s)
{
	struct state_resource *r = state_resource_make(s, root, &res);

	r->provider.provider = provider_builtin;
	return r;
}

static struct state_instance *instance(int key, int generation)
{
	struct state_instance *i = ARENA_NEW(&arena, struct state_instance);

	i->key = (struct inst_key){ KEY_INT, key, STR_NONE };
	i->attributes = str_printf(&arena, "{\"g\":%d,\"pad\":\"%0100d\"}",
				   generation, generation);
	return i;
}

static int generation(const struct state *s, int key)
{
	struct state_resource *r = state_resource(s, root, &res);
	struct inst_key k = { KEY_INT, key, STR_NONE };
	struct state_instance *i = r ? state_instance(r, k) : NULL;
	struct json_error err;

	return i ? (int)json_get_int(json_parse(&arena, i->attributes, &err),
				     "g", -1)
		 : -1;
}

static struct backend *open_backend(struct backend_options *o)
{
	struct backend *b = backend_open(&arena, o, &ds);

	CHECK(b != NULL);
	CHECK(!backend_lock(b, "test", 0, &ds));
	return b;
}

/* A line of the whole journal, and what it says: -1 is gone, 0 nothing. */
static struct told {
	struct str line;
	int key, generation;
	size_t group; /* where its group ends; 0: it has none */
	bool head;    /* of a group */
	bool all;     /* the snapshot, which comes last */
} told[LINES];
static size_t ntold;
static struct str whole;  /* the journal */
static struct str stored; /* the state file */

/* Takes the journal apart: the lines of a snapshot belong to its own. */
static void take_lines(void)
{
	struct str rest = whole;
	size_t group = 0;

	for (ptrdiff_t n; (n = str_chr(rest, '\n')) >= 0;) {
		struct json_error err;
		const struct json *j;
		struct told *t = &told[ntold++];
		const char *key;

		*t = (struct told){ .line = str_sub(rest, 0, (size_t)n) };
		j = json_parse(&arena, t->line, &err);
		t->line.n = (size_t)n + 1 +
			    (size_t)json_get_int(j, "bytes", -1) + 1;
		rest = str_sub(rest, t->line.n, rest.n);
		t->all = str_is(json_get_str(j, "record"), "snapshot");
		t->head = str_is(json_get_str(j, "record"), "group");
		if (t->head)
			group = ntold + (size_t)json_get_int(j, "lines", 0);
		t->group = ntold <= group ? group : 0;
		if (!str_is(json_get_str(j, "record"), "outcome"))
			continue;
		key = strchr(json_get_str(j, "address").p, '[') + 1;
		t->key = atoi(key);
		t->generation = json_get(j, "gone")
					? -1
					: (int)json_get_int(
						  json_get(j, "attributes"),
						  "g", 0);
	}
}

static void make(bool snapshot)
{
	struct backend_options o = { .backup_path = STR("-") };
	struct backend *b = open_backend(&o);
	struct state *s = backend_read(b, &ds);
	struct buf text = BUF_INIT;

	for (int k = 0; k < KEYS; k++)
		state_put(s, resource(s), instance(k, 1));
	CHECK(!backend_write(b, s, &ds));
	CHECK(io_read_file("terraform.tfstate", &text, 0) == 0);
	stored = buf_dup(&arena, &text);
	for (int i = 0, left = 0; i < RECORDS || left; i++) {
		int k = (int)below(KEYS);
		struct str addr = str_printf(&arena, "t.n[%d]", k);
		bool gone = below(5) == 0;

		if (left)
			left--;
		else if (below(2))
			CHECK(!journal_intent(b, addr, STR_NONE, "update"));
		else if (below(2))
			CHECK(!journal_group(b, (size_t)(left = 1 + (int)below(3)) + 1));
		CHECK(!journal_outcome(b, resource(s),
				       gone ? NULL : instance(k, i + 2), addr,
				       STR_NONE));
		if (gone)
			state_remove(s, resource(s), instance(k, 1)->key,
				     STR_NONE);
		else
			state_put(s, resource(s), instance(k, i + 2));
		if (below(3) == 0)
			CHECK(!journal_sync(b));
	}
	if (snapshot) {
		/* as if it had ended within the overwriting */
		CHECK(link(journal, "linked") == 0);
		CHECK(!backend_write(b, s, &ds));
		CHECK(rename("linked", journal) == 0);
	}
	backend_close(b);
	buf_set_len(&text, 0);
	CHECK(io_read_file(journal, &text, 0) == 0);
	whole = buf_dup(&arena, &text);
	buf_release(&text);
	ntold = 0;
	take_lines();
	CHECK(ntold > RECORDS);
}

/* --- damages --- */

static size_t start_of(size_t line)
{
	return (size_t)(told[line].line.p - whole.p);
}

static void add(struct buf *out, size_t from, size_t to)
{
	buf_str(out, str_sub(whole, from, to));
}

static const char *damage(struct buf *out)
{
	const size_t a = below(ntold), c = below(ntold - 1);
	const size_t at = below(whole.n), n = 1 + below(600);
	const size_t end = at + n < whole.n ? at + n : whole.n;

	switch (below(8)) {
	case 0:
		buf_str(out, whole);
		out->p[at] ^= (char)(1 << below(8));
		return "a bit";
	case 1:
		add(out, 0, start_of(c));
		add(out, start_of(c + 1), whole.n);
		return "a line cut out";
	case 2:
		add(out, 0, start_of(c));
		buf_str(out, told[c + 1].line);
		buf_str(out, told[c].line);
		add(out, start_of(c + 1) + told[c + 1].line.n, whole.n);
		return "two lines swapped";
	case 3:
		add(out, 0, start_of(a) + told[a].line.n);
		add(out, start_of(a), whole.n);
		return "a line twice";
	case 4:
		if (whole.p[at] == '\n' || (at && whole.p[at - 1] == '\n'))
			return NULL;
		add(out, 0, at);
		return "cut off";
	case 5:
		buf_str(out, whole);
		memset(out->p + at, 0, end - at);
		return "bytes that are 0";
	case 6:
		if (end == whole.n)
			return NULL;
		add(out, 0, at);
		add(out, end, whole.n);
		return "bytes cut out";
	default:
		add(out, 0, at);
		for (size_t i = 0; i < n; i++)
			buf_putc(out, (char)below(256));
		add(out, at, whole.n);
		return "bytes put in";
	}
}

/* --- what is left --- */

static bool holds(struct str text, struct str line)
{
	ptrdiff_t at = str_find(text, line);

	return at == 0 || (at > 0 && text.p[at - 1] == '\n');
}

/* Is the line there, and all of its group? */
static bool counts(struct str text, size_t i)
{
	size_t end = told[i].group;

	if (!end)
		return holds(text, told[i].line);
	while (!told[i].head)
		i--;
	while (i < end && holds(text, told[i].line))
		i++;
	return i == end;
}

/* What the state has to be when only the lines count that are in text. */
static void expect(int *want, struct str text)
{
	const bool all = told[ntold - 1].all &&
			 holds(text, told[ntold - 1].line);

	for (int k = 0; k < KEYS; k++)
		want[k] = 1;
	for (size_t i = 0; i < ntold; i++)
		if (told[i].generation && (all || counts(text, i)))
			want[told[i].key] = told[i].generation;
}

static bool same(const struct state *s, const int *want)
{
	for (int k = 0; k < KEYS; k++)
		if (generation(s, k) != want[k])
			return false;
	return true;
}

static bool said(const char *summary)
{
	for (size_t i = 0; i < ds.len; i++)
		if (str_is(ds.items[i].summary, summary))
			return true;
	return false;
}

static enum journal_decision use(void *data, const struct journal_report *r)
{
	(void)data;
	CHECK(r->usable && r->damage.n);
	return JOURNAL_USE;
}

static bool is_kept(struct str text)
{
	struct buf b = BUF_INIT;
	bool same = io_read_file(kept, &b, 0) == 0 &&
		    str_eq(buf_view(&b), text);

	buf_release(&b);
	return same;
}

/* Is the journal gone, or without outcomes that would be used again? */
static bool is_done(void)
{
	struct buf b = BUF_INIT;
	bool done = io_read_file(journal, &b, 0) ||
		    str_find(buf_view(&b), STR("\"outcome\"")) < 0;

	buf_release(&b);
	return done;
}

static void one(struct str text, const char *what)
{
	struct backend_options o = { .backup_path = STR("-") };
	struct arena before = arena;
	int all[KEYS], left[KEYS];
	struct backend *b;
	struct state *s;
	char row[64];
	bool refused;

	arena = (struct arena)ARENA_INIT;
	ds = (struct diags)DIAGS_INIT(&arena);
	snprintf(row, sizeof(row), "%s, seed %llx", what,
		 (unsigned long long)seed);
	expect(all, whole);
	expect(left, text);
	unlink(kept);
	CHECK(!io_replace_file(journal, text.p, text.n, 0600));
	CHECK(!io_replace_file("terraform.tfstate", stored.p, stored.n, 0600));
	b = open_backend(&o);
	s = backend_read(b, &ds);
	refused = !s;
	if (refused)
		CHECK_ROW(said("Journal damaged"), row);
	else
		CHECK_ROW(same(s, all) || said("Journal is cut off"), row);
	if (!refused)
		CHECK_ROW(same(s, left), row);
	backend_close(b);
	if (refused) {
		o.decide = use;
		ds = (struct diags)DIAGS_INIT(&arena);
		b = open_backend(&o);
		s = backend_read(b, &ds);
		CHECK_ROW(s && same(s, left), row);
		CHECK_ROW(is_kept(text), row);
		backend_close(b);
	}
	CHECK_ROW(is_done(), row);
	arena_release(&arena);
	arena = before;
}

static void test_damages(int count, bool snapshot)
{
	char command[128];

	ds = (struct diags)DIAGS_INIT(&arena);
	snprintf(dir, sizeof(dir), "/tmp/state-test-XXXXXX");
	if (!mkdtemp(dir) || chdir(dir)) {
		perror(dir);
		exit(1);
	}
	make(snapshot);
	for (int i = 0; i < count;) {
		struct buf text = BUF_INIT;
		const char *what = damage(&text);

		if (what && ++i)
			one(buf_view(&text), what);
		buf_release(&text);
	}
	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	if (chdir("/") || system(command))
		perror(command);
}

int main(int argc, char **argv)
{
	const char *count = getenv("TEST_DAMAGES");
	int n = count ? atoi(count) : 100;

	test_begin(argc, argv);
	RUN(test_damages(n, false));
	RUN(test_damages(n, true));
	arena_release(&arena);
	return test_done("state_damage");
}
