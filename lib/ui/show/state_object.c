/* state_object.c - see show_int.h */
#include "ui/show/show_int.h"
#include "addr/provider.h"
#include "state/state.h"
#include "value/marks.h"

static void unknown_schema(struct state_objects *o,
			   const struct state_resource *r)
{
	struct buf b = BUF_INIT;

	buf_puts(&b, "no schema found for ");
	resource_addr_print(&b, r->addr);
	buf_addf(&b, " (in provider %.*s)",
		 STR_ARG(provider_addr_text(o->arena, r->provider.provider)));
	o->why = buf_take(o->arena, &b);
}

const struct value *state_object(struct state_objects *o, struct arena *a,
				 const struct state_resource *r,
				 const struct state_instance *i,
				 const struct resource_schema **schema)
{
	const struct resource_schema *s =
		shown_schema(o->schemas, r->addr.mode, r->addr.type,
			     r->provider.provider);
	const struct value *v = NULL;

	*schema = s;
	if (s)
		v = state_instance_published(a, i, s->block);
	if (v)
		return v;
	*schema = NULL;
	if (o->any || (o->schemaless && !s))
		v = state_instance_as_written(a, i);
	if (v)
		return o->any ? v : value_with_marks(a, v, &marks_sensitive);
	if (!o->why.n && s)
		o->why = state_instance_misfit(o->arena, i, s->block);
	else if (!o->why.n)
		unknown_schema(o, r);
	return NULL;
}
