/*
 * schema_confirm.c - is the schema that an earlier run kept still the
 * provider's?
 *
 * It may not be: some providers make theirs from their environment.  The first
 * process is asked alongside the first request; operations with effects wait
 * for its answer, repeatable ones check at the end.  If the process gives
 * another schema, all requests fail, and callers that are able to start over
 * use the new one.
 */
#include "provider/schema_cache.h"
#include "provider/provider_int.h"
#include "provider/plugin/plugin.h"

/* --- the same? --- */

/* Fields of a message, grouped by their first bytes, which hold the name of a
 * type. */
struct answer_part {
	struct str bytes;
	bool used;
	struct answer_part *next;
};

static struct str beginning(struct str bytes)
{
	enum { MUCH = 64 };

	return str_sub(bytes, 0, bytes.n < MUCH ? bytes.n : MUCH);
}

/* Takes the next field off *rest, whole: 1, 0 at the end, -1 when it is no
 * message. */
static int next_part(struct str *rest, struct str *bytes)
{
	struct str all = *rest;
	struct wire_field f;
	int rc = wire_next(rest, &f);

	*bytes = str_sub(all, 0, all.n - rest->n);
	return rc;
}

static int collect(struct arena *a, struct map *parts, struct str all)
{
	struct str bytes;
	int rc;

	while ((rc = next_part(&all, &bytes)) > 0) {
		struct map_entry *e = map_slot(a, parts, beginning(bytes));
		struct answer_part *p = ARENA_NEW(a, struct answer_part);

		*p = (struct answer_part){ .bytes = bytes, .next = e->value };
		e->value = p;
	}
	return rc;
}

/* Takes every part of the message out of those that there are. */
static bool all_there(const struct map *parts, struct str all)
{
	struct str bytes;
	int rc;

	while ((rc = next_part(&all, &bytes)) > 0) {
		struct answer_part *p = map_get(parts, beginning(bytes));

		while (p && (p->used || !str_eq(p->bytes, bytes)))
			p = p->next;
		if (!p)
			return false;
		p->used = true;
	}
	return rc == 0;
}

/* Maps have their entries in any order. */
bool schema_answer_same(struct str x, struct str y)
{
	struct arena scratch = ARENA_INIT;
	struct map parts = { 0 };
	bool same = str_eq(x, y) ||
		    (x.n == y.n && collect(&scratch, &parts, x) == 0 &&
		     all_there(&parts, y));

	arena_release(&scratch);
	return same;
}

/* --- what waits for it --- */

static void confirmed(struct known *k, const struct schema_answers *x)
{
	struct diags quiet = DIAGS_INIT(k->arena);
	struct held_vec held = k->held;

	k->held = (struct held_vec){ NULL, 0, 0 };
	k->answered = true;
	if (k->from == SCHEMA_ASKED && (!x || remote_take_schema(k, x, &quiet)))
		k->from = SCHEMA_KEPT;
	for (size_t i = 0; i < held.len; i++) {
		const struct held *h = &held.items[i];

		if (h->call->p->base.schema == k->schema)
			remote_deliver(h->call, h->status, h->text, h->message);
		else
			remote_fail_changed(h->call);
	}
}

void remote_confirm(struct remote_provider *p)
{
	if (p->known->from != SCHEMA_KEPT)
		return;
	p->known->from = SCHEMA_ASKED;
	p->known->answered = false;
	p->known->asked = p;
	remote_ask_answers(p, confirmed);
}

bool remote_hold(struct rpc *c, int status, struct str text, struct str message)
{
	struct known *k = c->p->known;
	struct arena *a = c->r->arena;

	if (k->from != SCHEMA_ASKED || k->source->trial)
		return false;
	vec_push(k->arena, &k->held,
		 ((struct held){ c, status, str_dup(a, text),
				 str_dup(a, message) }));
	return true;
}

/* --- in the end --- */

static int confirm_now(struct known *k, struct loop *loop, struct diags *ds)
{
	struct remote_provider p = { .base = { .loop = loop }, .known = k };
	int rc = remote_schema(&p, ds);

	remote_ops.close(&p.base);
	return rc;
}

int provider_source_confirm(struct provider_source *src, struct loop *loop,
			    struct diags *ds)
{
	for (size_t i = 0; i < src->known.len; i++) {
		struct known *k = src->known.entries[i].value;

		if (k->from == SCHEMA_ASKED)
			loop_run(loop, &k->answered);
		if ((k->from == SCHEMA_KEPT || k->from == SCHEMA_ASKED) &&
		    confirm_now(k, loop, ds))
			return -1;
	}
	return 0;
}
