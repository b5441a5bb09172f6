/*
 * limit.c - at most so many provider processes at a time
 *
 * With source->max_processes a request whose provider has no process waits
 * until there is room.  Room is made by ending a process that nothing is asked
 * of and that has no ephemeral resources open; its provider is started again by
 * its next request and gets the very bytes that it was configured with.
 * Callers notice only the time it takes.
 *
 * It is decided when the loop is idle: callers that got an answer have made
 * their next request by then, so a process without a request is not needed at
 * the moment.  While work waits for its turn (source->work_waits) and processes
 * are in use, none is ended: that work is likely for one that runs.  Every
 * request ends, so there is room eventually, unless all processes have
 * ephemeral resources open; then one more than the limit runs.
 */
#include "provider/open.h"
#include "provider/provider_int.h"

struct ending { /* a process that was asked to end */
	struct limit *limit;
	struct plugin *plugin; /* NULL: closed already */
	struct ending *next;
};

struct remote_vec VEC_OF(struct remote_provider *);

struct limit {
	struct provider_source *source;
	struct loop *loop;
	size_t live; /* processes, those that end included */
	size_t ending;
	struct ending *endings;
	struct remote_vec awake;  /* have a process */
	struct remote_vec wanted; /* wait for one, in order */
	uint64_t clock;           /* counts answers */
};

static bool limited(const struct known *k)
{
	return k->source->max_processes && !k->reattached;
}

static struct limit *limit_of(struct provider_source *src)
{
	if (!src->limit) {
		src->limit = ARENA_NEW(src->arena, struct limit);
		src->limit->source = src;
	}
	return src->limit;
}

static void take_out(struct remote_vec *v, const struct remote_provider *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < v->len; i++)
		if (v->items[i] != p)
			v->items[kept++] = v->items[i];
	v->len = kept;
}

static bool full(const struct limit *l)
{
	return l->live >= l->source->max_processes || l->wanted.len;
}

bool provider_asleep(const struct provider_source *src,
		     const struct provider *base)
{
	const struct remote_provider *p = (const struct remote_provider *)base;

	if (!src || !src->limit || (base && base->ops != &remote_ops))
		return false;
	if (!p)
		return full(src->limit);
	return limited(p->known) && !p->broken &&
	       (p->waking || (!p->plugin && full(src->limit)));
}

/* --- processes, counted --- */

void limit_started(const struct known *k)
{
	if (limited(k))
		limit_of(k->source)->live++;
}

void limit_close(const struct known *k, struct plugin *p)
{
	if (p && limited(k))
		limit_of(k->source)->live--;
	plugin_close(p);
}

void limit_awake(struct remote_provider *p)
{
	if (limited(p->known))
		vec_push(p->known->arena, &limit_of(p->known->source)->awake,
			 p);
}

void limit_forget(struct remote_provider *p)
{
	if (!limited(p->known))
		return;
	take_out(&limit_of(p->known->source)->awake, p);
	take_out(&limit_of(p->known->source)->wanted, p);
	p->waiting = NULL;
}

static void pass(void *data);

static void later(struct limit *l)
{
	if (l->wanted.len)
		loop_at_turn_end(l->loop, pass, l);
}

static void close_ending(struct ending *e)
{
	struct limit *l = e->limit;

	if (!e->plugin)
		return;
	plugin_close(e->plugin);
	e->plugin = NULL;
	l->live--;
	l->ending--;
	later(l);
}

static void gone(void *data)
{
	close_ending(data);
}

static void retire(struct limit *l, struct plugin *p)
{
	struct ending *e = l->endings;

	while (e && e->plugin)
		e = e->next;
	if (!e) {
		e = ARENA_NEW(l->source->arena, struct ending);
		*e = (struct ending){ .limit = l, .next = l->endings };
		l->endings = e;
	}
	e->plugin = p;
	l->ending++;
	plugin_retire(p, gone, e);
}

void provider_source_settle(struct provider_source *src)
{
	if (!src || !src->limit)
		return;
	for (struct ending *e = src->limit->endings; e; e = e->next)
		close_ending(e);
}

/* --- who can do without --- */

static bool in_use(const struct remote_provider *p)
{
	return p->running || p->waking ||
	       (p->known->from == SCHEMA_ASKED && p->known->asked == p);
}

static bool any_in_use(const struct limit *l)
{
	for (size_t i = 0; i < l->awake.len; i++)
		if (in_use(l->awake.items[i]))
			return true;
	return false;
}

/* The least recently used of the processes that can be ended. */
static struct remote_provider *unused(const struct limit *l)
{
	struct remote_provider *best = NULL;

	for (size_t i = 0; i < l->awake.len; i++) {
		struct remote_provider *p = l->awake.items[i];

		if (!in_use(p) && !p->opened && (!best || p->used < best->used))
			best = p;
	}
	return best;
}

/* A process that ended by itself takes no room, and is not started again: its
 * provider fails all requests. */
static void bury(struct limit *l)
{
	for (size_t i = l->awake.len; i-- > 0;) {
		struct remote_provider *p = l->awake.items[i];

		if (!plugin_death(p->plugin).n)
			continue;
		p->buried = true;
		l->live--;
		take_out(&l->awake, p);
	}
}

static struct plugin *take_idle(struct limit *l)
{
	const struct map *known = &l->source->known;

	for (size_t i = 0; i < known->len; i++) {
		struct known *k = known->entries[i].value;
		struct plugin *idle = k->idle;

		if (idle && !k->reattached) {
			k->idle = NULL;
			return idle;
		}
	}
	return NULL;
}

static struct plugin *take_unused(struct limit *l)
{
	struct plugin *idle = take_idle(l);
	struct remote_provider *p = idle ? NULL : unused(l);

	if (!p)
		return idle;
	idle = p->plugin;
	p->plugin = NULL;
	take_out(&l->awake, p);
	return idle;
}

void limit_make_room(const struct known *k)
{
	struct limit *l = limited(k) ? limit_of(k->source) : NULL;
	struct plugin *p;

	while (l && l->live >= l->source->max_processes && (p = take_unused(l)))
		limit_close(k, p);
}

bool limit_reached(const struct known *k)
{
	return limited(k) && full(limit_of(k->source));
}

/* --- requests that wait --- */

/* Fails a request: the run is to end, or the process cannot be started. */
static void refuse(struct rpc *c)
{
	if (!c->p->broken) {
		remote_not_sent(c);
		return;
	}
	diags_append(&c->r->diags, c->p->broken);
	remote_finish_late(c, true);
}

bool limit_waits(struct rpc *c)
{
	struct remote_provider *p = c->p;
	struct limit *l;

	if (!limited(p->known) || (p->plugin && !p->waking))
		return false;
	if (p->broken || (p->stopped && !p->plugin)) {
		refuse(c);
		return true;
	}
	*p->waiting_tail = c;
	p->waiting_tail = &c->next;
	if (p->waking)
		return true;
	l = limit_of(p->known->source);
	l->loop = p->base.loop;
	if (p->waiting == c)
		vec_push(l->source->arena, &l->wanted, p);
	later(l);
	return true;
}

static struct rpc *take_waiting(struct remote_provider *p)
{
	struct rpc *first = p->waiting;

	p->waiting = NULL;
	p->waiting_tail = &p->waiting;
	return first;
}

/* Fails all requests that wait: the process cannot be started again. */
static void fail_waiting(struct remote_provider *p, const struct diags *why)
{
	struct arena *a = p->known->arena;
	struct rpc *c, *next;

	p->broken = ARENA_NEW(a, struct diags);
	*p->broken = (struct diags)DIAGS_INIT(a);
	diags_append(p->broken, why);
	for (c = take_waiting(p); c; c = next) {
		next = c->next;
		refuse(c);
	}
}

static void send_waiting(struct remote_provider *p)
{
	struct rpc *c, *next;

	for (c = take_waiting(p); c; c = next) {
		next = c->next;
		if (c->r->call == CALL_WAKE)
			remote_finish_late(c, false);
		else if (remote_send(c) < 0)
			remote_finish_late(c, true);
	}
}

void limit_stop(struct remote_provider *p)
{
	struct rpc *c, *next;

	p->stopped = true;
	if (p->plugin || !limited(p->known))
		return;
	take_out(&limit_of(p->known->source)->wanted, p);
	for (c = take_waiting(p); c; c = next) {
		next = c->next;
		refuse(c);
	}
}

/* --- starting again --- */

void limit_configured(struct remote_provider *p)
{
	if (!limited(p->known))
		return;
	buf_set_len(&p->configuration, 0);
	buf_str(&p->configuration, buf_view(&p->message));
}

static void configured(struct provider_request *r)
{
	struct remote_provider *p = r->data;
	struct limit *l = limit_of(p->known->source);
	struct diags errors = DIAGS_INIT(r->arena);

	p->waking = false;
	for (size_t i = 0; i < r->diags.len; i++) /* warnings were shown */
		if (r->diags.items[i].severity == SEV_ERROR)
			diags_push(&errors, r->diags.items[i]);
	if (errors.len) {
		fail_waiting(p, &errors);
		take_out(&l->awake, p);
		retire(l, p->plugin);
		p->plugin = NULL;
	} else {
		send_waiting(p);
	}
	arena_release(&p->arena);
	later(l);
}

static void wake(struct limit *l)
{
	struct remote_provider *p = l->wanted.items[0];
	struct diags ds = DIAGS_INIT(&p->arena);

	take_out(&l->wanted, p);
	if (remote_start(p, &ds)) {
		fail_waiting(p, &ds);
		arena_release(&p->arena);
	} else if (p->configuration.len) {
		p->waking = true;
		p->again = (struct provider_request){
			.call = CALL_CONFIGURE,
			.arena = &p->arena,
			.done = configured,
			.data = p,
			.diags = DIAGS_INIT(&p->arena),
		};
		remote_configure_again(p);
	} else {
		send_waiting(p);
	}
}

/* A process that is not configured serves any of its kind. */
static bool adopt(struct limit *l, struct remote_provider *p)
{
	for (size_t i = 0; i < l->awake.len; i++) {
		struct remote_provider *q = l->awake.items[i];

		if (q->known != p->known || q->configured || in_use(q) ||
		    q->base.loop != p->base.loop)
			continue;
		p->plugin = q->plugin;
		q->plugin = NULL;
		l->awake.items[i] = p;
		return true;
	}
	return false;
}

static bool has_room(struct limit *l, struct remote_provider *p)
{
	const struct plugin *idle = p->known->idle;

	return l->live < l->source->max_processes ||
	       (idle && plugin_loop(idle) == p->base.loop) || adopt(l, p);
}

static void make_room(struct limit *l)
{
	const bool used = any_in_use(l);
	struct plugin *p;

	if (l->source->work_waits && used)
		return;
	while (l->ending < l->wanted.len && (p = take_unused(l)))
		retire(l, p);
	if (l->wanted.len && !l->ending && !used)
		wake(l); /* those that are there have to stay */
}

static void pass(void *data)
{
	struct limit *l = data;

	if (loop_busy(l->loop)) {
		later(l);
		return;
	}
	bury(l);
	while (l->wanted.len && has_room(l, l->wanted.items[0]))
		wake(l);
	make_room(l);
}

void limit_answered(struct remote_provider *p)
{
	p->running--;
	if (!limited(p->known))
		return;
	p->used = ++limit_of(p->known->source)->clock;
	later(limit_of(p->known->source));
}

void provider_source_work_done(struct provider_source *src)
{
	if (src->limit)
		later(src->limit);
}
