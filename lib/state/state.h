/*
 * state.h - state in memory: version 4 of the state file, and its records
 *
 * Attributes stay JSON text (slices of the file or of a record) until someone
 * who knows the schema decodes them; unchanged instances are written back
 * without being decoded at all.  Resources are held in the order of the file
 * (sorted on writing as OpenTofu sorts); lookups go through maps.
 */
#ifndef TFPIPE_STATE_STATE_H
#define TFPIPE_STATE_STATE_H

#include "addr/addr.h"
#include "stream/stream.h"
#include "schema/objects.h"

struct state_instance {
	struct inst_key key;
	struct str deposed; /* key of 8 hex digits; empty: current */
	bool tainted;       /* "status": "tainted" */
	bool create_before_destroy;
	bool skip_destroy; /* lifecycle.destroy = false at last apply */
	uint64_t schema_version;
	struct str attributes; /* JSON text of the object; empty: flatmap */
	struct str attributes_flat; /* very old states; JSON text */
	struct str sensitive;    /* JSON text of sensitive_attributes paths */
	struct str private_data; /* base64 as in the file */
	struct str identity;     /* JSON text; empty: none */
	uint64_t identity_schema_version;
	bool identity_unversioned; /* a file gave identity without a version */
	struct str *dependencies;  /* resource addresses without keys, sorted */
	size_t ndependencies;
	struct str provider_key;     /* instance key text when the provider has
	                              for_each: ["a"]; empty: none */
	size_t slot;                 /* where instances holds it (state.c) */
	const struct value *decoded; /* attributes by the present schema, kept
	                                for later use; or NULL */
};

struct state_resource {
	struct module_addr module;
	struct resource_addr addr;
	struct provider_config_addr provider;
	/* Current ones and deposed, in no promised order: removing one moves
	 * the last into its place. */
	VEC(struct state_instance *) instances;
	struct map index; /* key and deposed key -> instance; use state_instance
	                     and state_deposed */
	struct map deposed_keys; /* every one that was ever in instances */
	size_t place;            /* where the state's resources hold it */
	bool kept; /* in files even without instances: set by a failed apply for
	              what it expanded, cleared by the next success */
};
struct state_resource_vec VEC_OF(struct state_resource *);

struct state_output {
	struct str name;
	const struct value *value; /* sensitive as mark */
	struct str deprecated;     /* the author's words; empty: it is not */
};

/* What is set and removed in any order is put in order when it is listed. */
struct state_outputs {
	VEC(struct state_output) items; /* value NULL: removed */
	struct map places;              /* name -> place in items + 1 */
	bool in_order; /* sorted by name, without removed ones */
};

struct state_output_list {
	const struct state_output *items;
	size_t len;
};

struct state_check {
	struct str object_kind, config_addr, status;
	struct str objects; /* JSON text of the list */
};

struct state {
	struct arena *arena;
	struct str terraform_version;
	uint64_t serial;
	struct str lineage;                     /* empty: a new state */
	struct state_outputs *outputs;          /* NULL: none; listed by
						   state_outputs_sorted */
	VEC(struct state_resource *) resources; /* in no promised order */
	struct map by_addr; /* "module.a[0].t.n" -> state_resource * */
	VEC(struct state_check) checks;
	bool checks_known;    /* check_results was not null */
	struct str backend;   /* its type, set by backend_read */
	struct str workspace; /* likewise */
	bool absent;     /* likewise: there is no file of it; a host that has
				 none yet counts as one with an empty state */
	bool translated; /* providers of Terraform's registry were taken as
			    those of the default one (edit/translate.c) */
	/* Texts met in files and records, each parsed once (read_addr.c). */
	struct map modules, providers, dependencies;
};

struct state *state_new(struct arena *a);

/* No resource instances and no outputs. */
bool state_is_empty(const struct state *s);

struct state_resource *state_resource(const struct state *s,
				      struct module_addr m,
				      const struct resource_addr *r);
struct state_resource *state_resource_make(struct state *s,
					   struct module_addr m,
					   const struct resource_addr *r);
/* Takes a resource out of the state, with its instances; and puts one in, its
 * address being free. For moves. */
void state_drop_resource(struct state *s, struct state_resource *r);
void state_add_resource(struct state *s, struct state_resource *r);
struct state_instance *state_instance(const struct state_resource *r,
				      struct inst_key key);
/* The next object of the instance, the current one and deposed ones; *at: 0 at
 * the beginning.  NULL: that was all.  Objects may be removed meanwhile. */
struct state_instance *state_next_object(const struct state_resource *r,
					 struct inst_key key, size_t *at);
/* Is there any object of the key, current or deposed?  r may be NULL. */
bool state_has_key(const struct state_resource *r, struct inst_key key);
struct state_instance *state_deposed(const struct state_resource *r,
				     struct inst_key key, struct str deposed);
/* Adds or replaces the instance with i's key and deposed key. i is kept, so it
 * lives as long as the state; give a new one rather than change the key or the
 * deposed key of one that is in the state. */
void state_put(struct state *s, struct state_resource *r,
	       struct state_instance *i);
void state_remove(struct state *s, struct state_resource *r,
		  struct inst_key key, struct str deposed);
/* A fresh deposed key not used by r's instance. */
struct str state_deposed_key(struct arena *a, const struct state_resource *r);

/* Sorted by name.  Good until one is set; of what was listed the names stay. */
struct state_output_list state_outputs_sorted(const struct state *s);
/* NULL: there is none.  Good until one is set. */
const struct state_output *state_output_entry(const struct state *s,
					      struct str name);
const struct value *state_output(const struct state *s, struct str name);
void state_output_set(struct state *s, struct str name,
		      const struct value *v); /* NULL removes */
/* All that `from` has, to what has none. */
void state_copy_outputs(struct state *to, const struct state *from);
/* The deprecation message kept with an output; the output must exist. */
void state_output_deprecate(struct state *s, struct str name,
			    struct str message);

/* How many instances there are, deposed objects among them. */
size_t state_instance_count(const struct state *s);
/* Instances as files and plans list them: by key (none, numbers, strings), the
 * current object before deposed ones. An array in a, r->instances.len long. */
struct state_instance **state_instances_sorted(struct arena *a,
					       const struct state_resource *r);
/* Resources as state files order them: module, mode, type, name. */
struct state_resource **state_resources_sorted(struct arena *a,
					       const struct state *s);
/* "module.a[0].data.t.n": the key of by_addr. */
void state_resource_text(struct buf *b, struct module_addr m,
			 const struct resource_addr *r);
/* The instance's provider, key included. */
struct str state_provider_text(struct arena *a, const struct state_resource *r,
			       const struct state_instance *i);

/*
 * state_value.c: a state instance's attributes as a value of its schema
 *
 * Of an instance that has attributes_flat instead, those (state/flatmap.h).
 */

/* Decodes i->attributes by the schema's implied type, with marks from
 * sensitive_attributes and from the schema's sensitive attributes.  Attributes
 * that the schema does not have, as another version of the provider may have
 * stored them, are left out.  NULL when the others do not fit the schema. */
const struct value *state_instance_value(struct arena *a,
					 const struct state_instance *i,
					 const struct schema_block *schema);
/* The instance's object as it is published (schema_mark_published).  Of a
 * deposed object a set is sensitive as a whole, as in OpenTofu. */
const struct value *state_instance_published(struct arena *a,
					     const struct state_instance *i,
					     const struct schema_block *schema);
/* As the JSON has it, without a schema, marked by sensitive_attributes.  NULL
 * where it is no JSON. */
const struct value *state_instance_as_written(struct arena *a,
					      const struct state_instance *i);
/* Why state_instance_value is NULL: "a number is required". */
struct str state_instance_misfit(struct arena *a,
				 const struct state_instance *i,
				 const struct schema_block *schema);
/* The instance's value; NULL, too, when an attribute is none of the schema's.
 */
const struct value *state_instance_exact(struct arena *a,
					 const struct state_instance *i,
					 const struct schema_block *schema);
/* The JSON text of attributes without those that the schema does not have, at
 * any depth except inside dynamic values; the text itself, not a copy, when it
 * has no others or is not JSON.  OpenTofu: stripRemovedStateAttributes. */
struct str state_attributes_fitting(struct arena *a, struct str attributes,
				    const struct schema_block *schema);
/* v with the marks of i's sensitive_attributes. */
const struct value *state_instance_mark(struct arena *a,
					const struct state_instance *i,
					const struct value *v);

#endif
