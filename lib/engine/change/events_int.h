/* events_int.h - what the files of the events share */
#ifndef TFPIPE_ENGINE_CHANGE_EVENTS_INT_H
#define TFPIPE_ENGINE_CHANGE_EVENTS_INT_H

#include "engine/change/events.h"
#include "json/write.h"

/* Members come in the order of their names; those before "@" sort first. */
struct jw event_begin(struct events *e, struct str message);
/* The members that all events of the UI stream have.  Members that are not part
 * of it precede them in the record. */
void event_members(struct events *e, struct jw *w, struct str message);
/* type NULL: none. */
void event_end(struct events *e, struct jw *w, const char *type);
/* An event about an instance: the message is "ADDR" and what follows it; the
 * `hook` object is open. */
struct jw event_hook(struct events *e, const struct instance_addr *i,
		     struct str rest);
void event_resource(struct jw *w, const char *name,
		    const struct instance_addr *i);

#endif
