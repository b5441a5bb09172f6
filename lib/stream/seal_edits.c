/*
 * seal_edits.c - which records differ from what the seals say
 *
 * Records whose numbers are in the seals are set aside, in whatever order they
 * are.  What is left in the stream was changed or added, what is left in the
 * seals was taken out.  What was planned is known by name, so that what was
 * changed is told from what was taken out; of the other kinds as many were
 * changed as are left in both.
 */
#include "stream/seal_int.h"

#include "base/map.h"
#include "json/slice.h"

struct entry {
	uint32_t mark, part;
	struct str label; /* up to the first tab, */
	struct str more;  /* what follows it */
	bool used;
};

struct entry_vec VEC_OF(struct entry);

struct comparing {
	struct arena *arena; /* of the result */
	struct arena scratch;
	int kind;
	struct entry_vec listed, read;
	struct map by_label; /* planned: of those listed, number + 1 */
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

static void take_all(struct arena *a, const struct kept *k, int kind,
		     struct entry_vec *out)
{
	const uint32_t *mark = (const uint32_t *)(const void *)k->marks.p;
	size_t step = kind == SEAL_PLANNED ? 2 : 1;
	struct str labels = buf_view(&k->labels);

	for (size_t i = 0; i + step <= k->marks.len / sizeof(*mark);
	     i += step) {
		struct str line = next_line(&labels);
		ptrdiff_t tab = str_find(line, STR("\t"));
		struct entry e = { .mark = mark[i], .label = line };

		if (kind == SEAL_PLANNED)
			e.part = mark[i + 1];
		if (tab >= 0) {
			e.label = str_sub(line, 0, (size_t)tab);
			e.more = str_sub(line, (size_t)tab + 1, line.n);
		}
		vec_push(a, out, e);
	}
}

static struct str entry_key(const struct entry *e)
{
	return (struct str){ (const char *)&e->mark, sizeof(e->mark) };
}

static void set_aside(struct comparing *c)
{
	size_t *next = ARENA_ARRAY(&c->scratch, size_t, c->listed.len + 1);
	struct map waiting = { 0 }; /* number -> first of those, + 1 */

	for (size_t i = c->listed.len; i-- > 0;) {
		struct map_entry *e = map_slot(&c->scratch, &waiting,
					       entry_key(&c->listed.items[i]));

		next[i] = (size_t)(uintptr_t)e->value;
		e->value = (void *)(uintptr_t)(i + 1);
	}
	for (size_t i = 0; i < c->read.len; i++) {
		ptrdiff_t at = map_index(&waiting,
					 entry_key(&c->read.items[i]));
		size_t n = at < 0 ? 0
				  : (size_t)(uintptr_t)
					    waiting.entries[at].value;

		if (!n)
			continue;
		waiting.entries[at].value = (void *)(uintptr_t)next[n - 1];
		c->listed.items[n - 1].used = true;
		c->read.items[i].used = true;
	}
}

/* What the record was before: by what it is about, else any. */
static struct entry *former(struct comparing *c, const struct entry *e,
			    size_t *from)
{
	size_t n;

	if (c->kind == SEAL_PLANNED) {
		n = (size_t)(uintptr_t)map_get(&c->by_label, e->label);
		return n && !c->listed.items[n - 1].used
			       ? &c->listed.items[n - 1] : NULL;
	}
	while (*from < c->listed.len && c->listed.items[*from].used)
		++*from;
	return *from < c->listed.len ? &c->listed.items[*from] : NULL;
}

/* The members of which it is known that they differ. */
static const char *differing(const struct entry *now, const struct entry *was)
{
	bool action = !str_eq(now->more, was->more);
	bool part = now->part != was->part;

	return action && part ? "action, planned" : action ? "action"
	       : part	      ? "planned" : "";
}

/* Labels are pieces of JSON strings. */
static struct str unescaped(struct comparing *c, struct str text)
{
	struct json_error err;
	const struct json *j;

	if (!text.n || !memchr(text.p, '\\', text.n))
		return str_dup(c->arena, text);
	j = json_parse(&c->scratch,
		       STR_CAT(&c->scratch, STR("\""), text, STR("\"")), &err);
	return str_dup(c->arena,
		       j && j->kind == JSON_STRING ? j->text : text);
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
			x->phase = str_dup(c->arena, json_slice_str(
							     &c->scratch,
							     j.value));
	}
}

/* What the label says. */
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
		  enum seal_what what, const char *members)
{
	struct seal_edit x = { .kind = str_c(seal_kinds[c->kind]),
			       .what = what, .members = str_c(members),
			       .whole = what == SEAL_TAKEN && !c->read.len };

	if (e)
		describe(c, e, &x);
	vec_push(c->arena, c->out, x);
}

static void compare(struct comparing *c)
{
	size_t before = c->out->len, from = 0;

	set_aside(c);
	for (size_t i = 0; c->kind == SEAL_PLANNED && i < c->listed.len; i++)
		if (!c->listed.items[i].used)
			map_put(&c->scratch, &c->by_label,
				c->listed.items[i].label,
				(void *)(uintptr_t)(i + 1));
	for (size_t i = 0; i < c->read.len; i++) {
		struct entry *e = &c->read.items[i], *was;

		if (e->used)
			continue;
		was = former(c, e, &from);
		if (was)
			was->used = true;
		found(c, e, was ? SEAL_CHANGED : SEAL_ADDED,
		      was ? differing(e, was) : "");
	}
	for (size_t i = 0; i < c->listed.len; i++)
		if (!c->listed.items[i].used)
			found(c, &c->listed.items[i], SEAL_TAKEN, "");
	if (c->out->len == before) /* numbers that differ in their upper half */
		found(c, NULL, SEAL_CHANGED, "");
}

static bool differs(const struct kind_state *k)
{
	return k->seen.n != k->before.n || k->seen.sum != k->before.sum;
}

static void compare_kind(struct arena *a, struct seal *s, int kind,
			 struct seal_edit_vec *out)
{
	struct comparing c = { .arena = a, .scratch = ARENA_INIT,
			       .kind = kind, .out = out };
	struct kept listed = { BUF_INIT, BUF_INIT };

	seal_listed(s, kind, &listed);
	take_all(&c.scratch, &listed, kind, &c.listed);
	take_all(&c.scratch, &s->k[kind].read, kind, &c.read);
	compare(&c);
	arena_release(&c.scratch);
	buf_release(&listed.marks);
	buf_release(&listed.labels);
}

bool seal_edits(struct arena *a, struct seal *s, struct str last_stage,
		struct seal_edit_vec *out)
{
	for (int i = 0; i < SEAL_KINDS; i++)
		s->k[i].found = s->k[i].seen;
	s->sealed = s->tool.n && str_eq(s->tool, last_stage);
	for (int i = 0; s->sealed && i < SEAL_KINDS; i++)
		if (differs(&s->k[i]) && (i < SEAL_CONFIG || s->config_known))
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
		take_all(&c.scratch, &s->k[c.kind].read, c.kind, &c.read);
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

/* Where nothing was sealed before, all of it. */
bool seal_renewed(const struct seal *s, int kind)
{
	return !s->sealed || s->k[kind].accepted ||
	       (kind >= SEAL_CONFIG && !s->config_known);
}
