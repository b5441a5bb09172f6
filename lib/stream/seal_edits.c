/*
 * seal_edits.c - which records differ from the seals
 *
 * Records whose numbers are in the seals are set aside, in whatever order they
 * are.  Records left over in the stream were changed or added, those left over
 * in the seals were changed or removed.  Planned changes are matched by name,
 * the other kinds by a few bits of their first member, which separates changed
 * records from added and removed ones; if the first member differs, too, as
 * many count as changed as are left over in both.
 */
#include "stream/seal.h"
#include "stream/stream_int.h"
#include "base/map.h"
#include "json/read.h"
#include "json/write.h"

struct entry {
	uint32_t mark;
	struct str label; /* up to the first tab, */
	struct str more;  /* what follows it */
	struct seal_members members;
	bool used;
};

struct entry_vec VEC_OF(struct entry);

struct comparing {
	struct arena *arena; /* of the result */
	struct arena scratch;
	int kind;
	const struct str_vec *names; /* of members */
	bool complete;               /* the members of all records are known */
	struct entry_vec listed, read;
	struct seal_edit_vec *out;
};

/* The next line; empty when there is none. */
static struct str next_line(struct str *text)
{
	const char *nl;
	struct str line;
	size_t n;

	if (!text->n)
		return STR("");
	nl = memchr(text->p, '\n', text->n);
	n = nl ? (size_t)(nl - text->p) : text->n;
	line = str_sub(*text, 0, n);

	*text = str_sub(*text, nl ? n + 1 : n, text->n);
	return line;
}

static void take_all(struct arena *a, const struct kept *k,
		     struct entry_vec *out)
{
	const uint32_t *mark = (const uint32_t *)(const void *)k->marks.p;
	struct str labels = buf_view(&k->labels);
	struct str members = buf_view(&k->members);
	struct seal_members m = { STR(""), STR("") };

	for (size_t i = 0; i < k->marks.len / sizeof(*mark); i++) {
		struct str line = next_line(&labels);
		ptrdiff_t tab = str_find(line, STR("\t"));
		struct entry e = { .mark = mark[i], .label = line };

		if (tab >= 0) {
			e.label = str_sub(line, 0, (size_t)tab);
			e.more = str_sub(line, (size_t)tab + 1, line.n);
		}
		seal_members_next(&members, &m);
		e.members = m;
		vec_push(a, out, e);
	}
}

/* --- what a record was before --- */

static struct str by_mark(const struct comparing *c, const struct entry *e)
{
	(void)c;
	return (struct str){ (const char *)&e->mark, sizeof(e->mark) };
}

/* The entry's name if that is known, or else a few bits of its first member if
 * that is. */
static struct str by_name(const struct comparing *c, const struct entry *e)
{
	struct str bits = e->members.bits;

	if (c->kind == SEAL_PLANNED)
		return e->label;
	return str_sub(bits, 0, bits.n < SEAL_NAME_BITS ? 0 : SEAL_NAME_BITS);
}

typedef struct str key_fn(const struct comparing *c, const struct entry *e);
typedef void pair_fn(struct comparing *c, const struct entry *now,
		     const struct entry *was);

/* Pairs those read with those listed that have the same key, in their order. */
static void pair(struct comparing *c, key_fn *key, pair_fn *fn)
{
	size_t *next = ARENA_ARRAY(&c->scratch, size_t, c->listed.len + 1);
	struct map waiting = { 0 }; /* key -> the first of those, + 1 */

	for (size_t i = c->listed.len; i-- > 0;) {
		struct map_entry *e;

		if (c->listed.items[i].used)
			continue;
		e = map_slot(&c->scratch, &waiting,
			     key(c, &c->listed.items[i]));
		next[i] = (size_t)(uintptr_t)e->value;
		e->value = (void *)(uintptr_t)(i + 1);
	}
	for (size_t i = 0; i < c->read.len; i++) {
		struct entry *e = &c->read.items[i];
		ptrdiff_t at = e->used ? -1 : map_index(&waiting, key(c, e));
		size_t n =
			at < 0 ? 0
			       : (size_t)(uintptr_t)waiting.entries[at].value;

		if (!n)
			continue;
		waiting.entries[at].value = (void *)(uintptr_t)next[n - 1];
		c->listed.items[n - 1].used = e->used = true;
		if (fn)
			fn(c, e, &c->listed.items[n - 1]);
	}
}

static struct str any(const struct comparing *c, const struct entry *e)
{
	(void)c;
	(void)e;
	return STR("");
}

/* --- telling of it --- */

/* Labels are pieces of JSON strings. */
static struct str unescaped(struct comparing *c, struct str text)
{
	struct str plain = STR_NONE;

	if (text.n && memchr(text.p, '\\', text.n))
		plain = json_unescape(&c->scratch, text);
	return str_dup(c->arena, plain.p ? plain : text);
}

/* The members of a node or an edge after its first. */
static void describe_rest(struct comparing *c, struct str rest,
			  struct seal_edit *x)
{
	struct str text = STR_CAT(&c->scratch, STR("{"),
				  str_sub(rest, rest.n > 0, rest.n));
	struct json_slice j = JSON_SLICE_INIT(text);

	while (json_slice_next(&j)) {
		if (str_is(j.name, "to"))
			x->to = str_dup(c->arena,
					json_slice_str(&c->scratch, j.value));
		else if (str_is(j.name, "phase"))
			x->phase = str_dup(c->arena, json_slice_str(&c->scratch,
								    j.value));
	}
}

/* Fills *x from the label. */
static void describe(struct comparing *c, const struct entry *e,
		     struct seal_edit *x)
{
	x->address = unescaped(c, e->label);
	if (c->kind == SEAL_PLANNED)
		x->action = unescaped(c, e->more);
	else if (c->kind == SEAL_EDGE || c->kind == SEAL_NODE)
		describe_rest(c, e->more, x);
}

static void found(struct comparing *c, const struct entry *e,
		  enum seal_what what, struct str_vec members)
{
	struct seal_edit x = { .kind = str_c(seal_kinds[c->kind]),
			       .what = what,
			       .members = members,
			       .whole = what == SEAL_TAKEN && !c->read.len };

	if (e)
		describe(c, e, &x);
	vec_push(c->arena, c->out, x);
}

static void changed(struct comparing *c, const struct entry *now,
		    const struct entry *was)
{
	found(c, now, SEAL_CHANGED,
	      seal_members_differ(c->arena, c->names, &now->members,
				  &was->members));
}

/* By another record, of which too little is known. */
static void replaced(struct comparing *c, const struct entry *now,
		     const struct entry *was)
{
	(void)was;
	found(c, now, SEAL_CHANGED, (struct str_vec){ 0 });
}

static void compare(struct comparing *c)
{
	const struct str_vec unknown = { 0 };
	size_t before = c->out->len;

	pair(c, by_mark, NULL);
	pair(c, by_name, changed);
	if (c->kind != SEAL_PLANNED)
		pair(c, any, c->complete ? changed : replaced);
	for (size_t i = 0; i < c->read.len; i++)
		if (!c->read.items[i].used)
			found(c, &c->read.items[i], SEAL_ADDED, unknown);
	for (size_t i = 0; i < c->listed.len; i++)
		if (!c->listed.items[i].used)
			found(c, &c->listed.items[i], SEAL_TAKEN, unknown);
	if (c->out->len == before) /* numbers that differ in their upper half */
		found(c, NULL, SEAL_CHANGED, unknown);
}

static bool differs(const struct kind_state *k)
{
	return k->seen.n != k->before.n || k->seen.sum != k->before.sum;
}

static void compare_kind(struct arena *a, struct seal *s, int kind,
			 struct seal_edit_vec *out)
{
	struct comparing c = { .arena = a,
			       .scratch = ARENA_INIT,
			       .kind = kind,
			       .names = &s->k[kind].names,
			       .out = out };
	struct kept listed = { .marks = BUF_INIT };

	seal_listed(s, kind, &listed);
	take_all(&c.scratch, &listed, &c.listed);
	take_all(&c.scratch, &s->k[kind].read, &c.read);
	c.complete = seal_members_complete(&listed) &&
		     seal_members_complete(&s->k[kind].read);
	compare(&c);
	arena_release(&c.scratch);
	seal_kept_release(&listed);
}

bool seal_edits(struct arena *a, struct seal *s, struct str last_stage,
		struct seal_edit_vec *out)
{
	for (int i = 0; i < SEAL_KINDS; i++)
		s->k[i].found = s->k[i].seen;
	s->sealed = s->tool.n && str_eq(s->tool, last_stage);
	for (int i = 0; s->sealed && i < SEAL_KINDS; i++)
		if ((i < SEAL_CONFIG || s->config_known) && differs(&s->k[i]))
			compare_kind(a, s, i, out);
	return s->sealed;
}

void seal_records_read(struct arena *a, const struct seal *s, struct str kind,
		       struct seal_edit_vec *out)
{
	struct comparing c = { .arena = a, .scratch = ARENA_INIT };

	while (c.kind < SEAL_KINDS && !str_is(kind, seal_kinds[c.kind]))
		c.kind++;
	if (c.kind < SEAL_KINDS)
		take_all(&c.scratch, &s->k[c.kind].read, &c.read);
	for (size_t i = 0; i < c.read.len; i++) {
		struct seal_edit x = { .kind = kind };

		describe(&c, &c.read.items[i], &x);
		vec_push(a, out, x);
	}
	arena_release(&c.scratch);
}

void seal_accept(struct seal *s, struct str kind)
{
	int i = seal_kind_index(s, kind);

	if (i >= 0)
		s->k[i].accepted = true;
}
