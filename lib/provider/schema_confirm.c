/*
 * schema_confirm.c - is the schema that an earlier run kept still the provider's?
 *
 * It need not be: some providers make theirs from their surroundings.  The first
 * process is asked beside the first request; answers are held back until it has
 * said so.  Where it gives another schema, no answer counts: all requests fail,
 * and who can begins again with the schema that is known now.
 */
#include "provider/remote_int.h"
#include "provider/wire.h"

/* --- the same? --- */

/* Counts the fields of a message in *counts, by their bytes: +1, or -1 where they
 * are there.  false: there are others, or it is no message. */
static bool count_fields(struct arena *a, struct map *counts, struct str all,
			 bool other)
{
	struct str rest = all;
	struct wire_field f;
	int rc;

	while ((rc = wire_next(&rest, &f)) > 0) {
		struct str bytes = str_sub(all, 0, all.n - rest.n);
		struct map_entry *e = map_slot(a, counts, bytes);
		uintptr_t n = (uintptr_t)e->value;

		if (other && !n)
			return false;
		e->value = (void *)(other ? n - 1 : n + 1);
		all = rest;
	}
	return rc == 0;
}

/* Maps have their entries in any order. */
static bool same_fields(struct arena *a, struct str x, struct str y)
{
	struct map counts = { 0 };

	return str_eq(x, y) ||
	       (x.n == y.n && count_fields(a, &counts, x, false) &&
		count_fields(a, &counts, y, true));
}

bool schema_answers_same(const struct schema_answers *x,
			 const struct schema_answers *y)
{
	struct arena scratch = ARENA_INIT;
	bool same = x->protocol == y->protocol &&
		    same_fields(&scratch, x->schema, y->schema) &&
		    same_fields(&scratch, x->identities, y->identities);

	arena_release(&scratch);
	return same;
}

/* --- what waits for it --- */

static void confirmed(struct known *k, const struct schema_answers *x)
{
	struct diags quiet = DIAGS_INIT(k->arena);
	struct held_vec held = k->held;

	k->held = (struct held_vec){ NULL, 0, 0 };
	if (k->from == SCHEMA_ASKED &&
	    (!x || remote_take_schema(k, x, &quiet)))
		k->from = SCHEMA_KEPT;
	for (size_t i = 0; i < held.len; i++) {
		const struct held *h = &held.items[i];

		if (h->call->p->base.schema == k->schema)
			remote_deliver(h->call, h->status, h->text,
				       h->message);
		else
			remote_fail_changed(h->call);
	}
}

void remote_confirm(struct remote *p)
{
	if (p->known->from != SCHEMA_KEPT)
		return;
	p->known->from = SCHEMA_ASKED;
	remote_ask_answers(p, confirmed);
}

bool remote_hold(struct rpc *c, int status, struct str text,
		 struct str message)
{
	struct known *k = c->p->known;
	struct arena *a = c->r->arena;

	if (k->from != SCHEMA_ASKED)
		return false;
	vec_push(k->arena, &k->held,
		 ((struct held){ c, status, str_dup(a, text),
				 str_dup(a, message) }));
	return true;
}

/* --- all at once --- */

static int confirm_now(struct known *k, struct loop *loop, struct diags *ds)
{
	struct remote p = { .base = { .loop = loop }, .known = k };
	int rc = remote_schema(&p, ds);

	remote_ops.close(&p.base);
	return rc;
}

int provider_source_confirm(struct provider_source *src, struct loop *loop,
			    struct diags *ds)
{
	for (size_t i = 0; i < src->known.len; i++) {
		struct known *k = src->known.entries[i].value;

		if ((k->from == SCHEMA_KEPT || k->from == SCHEMA_ASKED) &&
		    confirm_now(k, loop, ds))
			return -1;
	}
	return 0;
}
