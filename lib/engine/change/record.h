/*
 * record.h - planned changes as records, written and read
 *
 * A change is written twice: as `resource_change` (or `resource_drift`), the
 * published shape for people and programs, and as `planned`, the authority for
 * apply, with the exact planned value.  All who read a plan, to show it or to
 * carry it out, read it by change_reader, which requires that the stream says
 * one thing: that the two records of a change agree in all that both say, that
 * what the change says was there before is what the state's records have, and
 * that what planning found otherwise is told where people see it.
 */
#ifndef TFPIPE_ENGINE_CHANGE_RECORD_H
#define TFPIPE_ENGINE_CHANGE_RECORD_H

#include "engine/change/change.h"

/*
 * published.c: `resource_change`, `resource_drift` and `output_change` as they
 * are published: read, and what writes them of the action
 *
 * Source of the shape: `resource_changes` and `output_changes` of what
 * OpenTofu's show -json says.
 */

/* The members of such a record, as JSON texts within its line; STR_NONE: it
 * does not have one. */
struct published {
	struct str address, previous_address, module_address, mode, type, name;
	struct str index, provider_name, deposed, action_reason, refreshed;
	struct str change;
	struct str planned; /* of an output, as values are in streams */
	/* within `change` */
	struct str actions, before, after, after_unknown;
	struct str before_sensitive, after_sensitive;
	struct str replace_paths, before_identity, after_identity;
	struct str importing, generated_config;
};

/* 0, or -1 when the line is not JSON, or has one of them twice. */
int published_read(struct str line, struct published *out);
/* The members of a copy of the line that p was read from. */
struct published published_of_copy(const struct published *p, struct str line,
				   struct str copy);
/* The name of a member that differs; NULL: none does.  What only a
 * resource_change has is not compared: the reason, whether it was read. */
const char *published_differs(struct arena *a, const struct published *x,
			      const struct published *y);
/* Do two JSON texts say the same?  1.0 and 1, or other spacing, are no
 * difference. */
bool published_same_json(struct arena *a, struct str x, struct str y);
/* The action that `actions` says; -1: none that is known. */
int published_action(struct str actions);

/* "delete-then-create" as a published plan has it: two words. */
void change_actions_json(struct jw *w, enum action a);

/* Both records; a deletion of a data source is an internal affair and has no
 * resource_change.  schema may be NULL: then only marks on the values tell what
 * is sensitive. */
void change_write(struct stream_out *o, const struct change *c,
		  const struct resource_schema *schema);
/* Writes a change made outside, in the published shape alone. */
void change_write_drift(struct stream_out *o, const struct change *c,
			const struct resource_schema *schema);

/* What a record of the state says of an object, as JSON texts. */
struct change_object {
	bool said;  /* there is such a record, */
	bool there; /* and it has an object */
	bool tainted;
	struct str attributes, sensitive, identity, provider;
	struct str line; /* the record */
	bool read;       /* internal: it was looked at */
};

/* What the stream says of one object, current or deposed. */
struct change_entry {
	struct str address, deposed;
	struct change_object previous; /* as the last run left it, */
	struct change_object prior;    /* as planning found it, if otherwise */
	/* internal */
	struct change *change; /* if changes are kept */
	enum action action;
	bool planned, published; /* these records were read, */
	bool settled;            /* and say the same */
	bool imports;
	bool nothing_before;     /* settled: it said so, */
	struct str matched;      /* or this */
	struct str planned_line; /* not settled yet */
	struct str change_line;
	struct str drift_line;
	bool drift_apart; /* what it says was before the state has otherwise */
};

struct change_reader {
	struct arena *arena;
	bool shown_only; /* changes are not kept, */
	bool brief;      /* nor is a value shown of those that do nothing */
	bool refreshed;  /* what planning found is all that is stored: objects
			    may come without a change, from "import" */
	bool destroys;   /* all: of what planning found gone nothing is told */
	struct change_vec changes; /* in stream order; before is not filled */
	struct map
		entries; /* address, and deposed key -> struct change_entry */
	bool does;       /* there is a change that does something */
	/* internal */
	struct map moves;   /* address -> where the object was, as text, */
	struct map moved;   /* and the addresses that objects were at */
	struct map deposed; /* address -> an entry that planning found there */
	struct map schemas; /* mode, type, provider -> struct change_schema */
	struct buf held;    /* the last resource_change, */
	struct published last;         /* its members, */
	struct change_entry *held_for; /* and whose planned it waits for */
	struct str provider_text;      /* the last one parsed */
	struct provider_config_addr provider;
	struct str provider_json, provider_name; /* the same of another */
	struct change_schema *schema; /* the last one looked up, or read */
	struct published schema_of;   /* for what */
	struct str why;               /* a value cannot be read */
};

/* The records of changes, and of schemas and the state, which are looked at
 * here to see whether they agree.  1: not a record of these kinds. */
int change_read_record(struct change_reader *r, struct str kind,
		       struct str line, struct diags *ds);
/* When all are read: every planned change has its resource_change, the reverse,
 * and nothing contradicts anything else. */
int change_read_finish(struct change_reader *r, struct diags *ds);
void change_reader_release(struct change_reader *r);

/* A schema that the stream has. */
struct change_schema {
	struct str line;
	struct str mode, provider; /* its members */
	struct resource_schema schema;
	bool confirmed; /* by the provider, as who asks may note */
	bool sensitive; /* internal: some of it is */
};
/* NULL: the stream has none.  provider: its full name. */
struct change_schema *change_schema_of(const struct change_reader *r,
				       enum resource_mode mode, struct str type,
				       struct str provider);

/* Looks at the record, if nobody has. */
const struct change_object *change_object_read(struct change_object *o);
/* Is the change among those that people are shown? */
bool change_is_shown(const struct change_reader *r,
		     const struct change_entry *e);
/* Did planning find the object otherwise than the state has it, wherever it was
 * there? */
bool change_found_otherwise(struct change_reader *r, struct change_entry *e);
/* Or has it other private data, another identity, version or provider?
 * *provider: the new one. */
bool change_kept_otherwise(struct change_reader *r, struct change_entry *e,
			   struct str *provider);
/* Is it the same object as before, at another address? */
bool change_only_moved(struct change_reader *r, struct change_entry *e);

#endif
