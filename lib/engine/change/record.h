/*
 * record.h - planned changes as records, written and read
 *
 * A change is written twice: as `resource_change` (or `resource_drift`), the
 * published shape for people and programs, and as `planned`, the authority for
 * apply, with the exact planned value.  The reader requires that both agree: a
 * plan that was edited by hand must not show one thing and do another.
 */
#ifndef TFPIPE_ENGINE_CHANGE_RECORD_H
#define TFPIPE_ENGINE_CHANGE_RECORD_H

#include "engine/change/change.h"

/* Both records; a deletion of a data source is an internal affair and has no
 * resource_change.  schema may be NULL: then only marks on the values tell what
 * is sensitive. */
void change_write(struct stream_out *o, const struct change *c,
		  const struct resource_schema *schema);
/* Writes a change made outside, in the published shape alone. */
void change_write_drift(struct stream_out *o, const struct change *c,
			const struct resource_schema *schema);

struct change_reader {
	struct arena *arena;
	struct change_vec changes; /* in stream order; before is not filled */
	/* internal */
	struct map planned;       /* key -> index + 1 of a change */
	struct map published;     /* key -> what its resource_change said */
	struct str provider_text; /* the last one parsed */
	struct provider_config_addr provider;
	struct str why; /* a value cannot be read */
};

/* 1: not a record of these kinds. */
int change_read_record(struct change_reader *r, struct str kind,
		       struct str line, struct diags *ds);
/* When all are read: every planned change has its resource_change, they agree,
 * and the reverse. */
int change_read_finish(struct change_reader *r, struct diags *ds);

#endif
