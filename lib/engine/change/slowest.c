/*
 * slowest.c - what took long, and how far planning has come: the records
 * `slowest` and `progress` (events.h)
 *
 * The readers are lib/ui/show/slowest.c and lib/ui/live/status.c.
 */
#include "base/clock.h"
#include "engine/change/change_int.h"
#include "engine/change/events.h"
#include "json/write.h"
#include "stream/stream.h"

enum { SLOW_MS = 1000 };

void events_took(struct events *e, const struct instance_addr *addr,
		 struct str deposed, const char *action, uint64_t since)
{
	const uint64_t ms = clock_ms() - since;
	size_t i = EVENT_SLOWEST;

	if (ms < SLOW_MS)
		return;
	while (i && e->slow[i - 1].ms < ms)
		i--;
	if (i == EVENT_SLOWEST)
		return;
	memmove(e->slow + i + 1, e->slow + i,
		(EVENT_SLOWEST - 1 - i) * sizeof(*e->slow));
	e->slow[i] = (struct event_slow){
		.address = instance_addr_text(e->arena, addr),
		.deposed = str_dup(e->arena, deposed),
		.action = action,
		.ms = ms,
	};
}

void events_slowest(struct events *e, const char *phase)
{
	struct jw w;

	if (!e->slow[0].ms)
		return;
	w = stream_record(e->out, "slowest", STR_NONE);
	jw_key(&w, "phase");
	jw_cstr(&w, phase);
	jw_key(&w, "operations");
	jw_array(&w);
	for (size_t i = 0; i < EVENT_SLOWEST && e->slow[i].ms; i++) {
		jw_object(&w);
		jw_member_str(&w, "address", e->slow[i].address);
		if (e->slow[i].deposed.n)
			jw_member_str(&w, "deposed", e->slow[i].deposed);
		jw_key(&w, "action");
		jw_cstr(&w, e->slow[i].action);
		jw_member_int(&w, "milliseconds", (int64_t)e->slow[i].ms);
		jw_object_end(&w);
	}
	jw_array_end(&w);
	stream_record_end(e->out, &w);
}

static void counts(struct jw *w, const char *name, size_t done, size_t known)
{
	jw_key(w, name);
	jw_object(w);
	jw_member_int(w, "done", (int64_t)done);
	jw_member_int(w, "known", (int64_t)known);
	jw_object_end(w);
}

bool events_progress(struct events *e, const struct event_progress *p)
{
	const uint64_t now = clock_ms();
	struct jw w;

	if (now < e->progress_due)
		return false;
	e->progress_due = now + EVENT_PROGRESS_MS;
	w = stream_record(e->out, "progress", STR_NONE);
	jw_key(&w, "phase");
	jw_cstr(&w, "plan");
	counts(&w, "refreshing", p->read, p->to_read);
	counts(&w, "planning", p->planned, p->to_plan);
	stream_record_end(e->out, &w);
	return true;
}
