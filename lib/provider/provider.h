/*
 * provider.h - one interface to all providers, asynchronous
 *
 * A struct provider is one configured provider instance.  A request is started
 * with provider_start and completes later in the event loop by its callback,
 * in any order; the built-in provider completes by loop_defer.  Values go in
 * and out as struct value of the schema's implied type; a provider process's
 * encoding is behind this interface.
 *
 * Source of the calls: plugin protocol 5/6; names are those of version 6.
 */
#ifndef TFPIPE_PROVIDER_PROVIDER_H
#define TFPIPE_PROVIDER_PROVIDER_H

#include "addr/addr.h"
#include "base/loop.h"
#include "lang/eval/func.h"
#include "schema/schema.h"
#include "value/path.h"

struct encryption;  /* encrypt/encrypt.h */
struct lazy_schema; /* schema_proto.c */

struct resource_schema {
	struct str type;
	uint64_t published; /* the version that the provider gives it */
	/* The version that objects are stored with: of data and of ephemeral
	 * resources 0, as they are read anew each time and never upgraded. */
	uint64_t version;
	const struct schema_block *block;
	const struct schema_block *identity; /* may be NULL */
	int64_t identity_version;
	struct lazy_schema *lazy; /* not NULL: see provider_resource_schema */
};

struct provider_schema {
	struct provider_addr addr;
	const struct schema_block *config;
	const struct schema_block *meta; /* may be NULL */
	/* Type -> resource_schema *, for their names: they may not be decoded
	 * yet, so get them by provider_resource_schema. */
	struct map managed, data, ephemeral;
	/* Name -> struct func *.  Those without impl are called by
	 * CALL_FUNCTION. */
	struct map functions;
	bool plan_destroy;    /* capability: PlanResourceChange on destroy */
	bool schema_optional; /* GetProviderSchema may be skipped */
	bool move_state;
};

enum provider_call {
	CALL_VALIDATE_PROVIDER,
	CALL_CONFIGURE,
	CALL_VALIDATE_RESOURCE, /* managed, data or ephemeral, by mode */
	CALL_UPGRADE,
	CALL_READ_RESOURCE,
	CALL_PLAN,
	CALL_APPLY,
	CALL_IMPORT,
	CALL_MOVE,
	CALL_READ_DATA,
	CALL_OPEN_EPHEMERAL,
	CALL_RENEW_EPHEMERAL,
	CALL_CLOSE_EPHEMERAL,
	CALL_FUNCTION,
	CALL_UPGRADE_IDENTITY,
	CALL_LIST_FUNCTIONS, /* those it has now that it is configured */
	CALL_WAKE,           /* nothing is asked: its process is to be there */
};

/* An object of a resource type, as its provider has it. */
struct provider_object {
	const struct value *value;    /* out: NULL where the call has failed */
	struct str private_data;      /* raw bytes */
	const struct value *identity; /* as far as it is known; or NULL */
};

struct provider_imported {
	struct str type;
	struct provider_object object;
};

/* One call.  The caller owns it and keeps it alive until done is called.  What
 * goes in the caller sets, what comes out the provider, in `arena`: out begins
 * as zeros.  Only the member that the call names is there. */
struct provider_request {
	enum provider_call call;
	struct arena *arena;
	enum resource_mode mode;
	struct str type;          /* resource type */
	struct str address;       /* of the instance, for messages; or empty */
	const struct value *meta; /* provider_meta, of calls with an object and
				     of reading data; or NULL */
	const struct trace_span *within; /* in traces; or NULL */
	union {
		struct { /* the calls of validation, CALL_CONFIGURE */
			struct {
				const struct value *config;
			} in;
		} check;
		struct {
			struct {
				struct str state; /* JSON text */
				/* It is an object of strings: a flatmap of old
				 * SDKs. */
				bool is_flat;
				uint64_t version; /* of its schema */
			} in;
			struct {
				const struct value *value; /* NULL: failed */
			} out;
		} upgrade;
		struct {
			struct {
				struct str identity; /* JSON text */
				uint64_t version;
			} in;
			struct {
				const struct value *identity;
			} out;
		} upgrade_identity;
		struct {
			struct provider_object in, out;
		} read;
		struct {
			struct {
				const struct value *config, *proposed;
				struct provider_object prior;
			} in;
			struct {
				struct provider_object planned;
				struct path_vec requires_replace;
				bool legacy_type_system;
			} out;
		} plan;
		struct {
			struct {
				const struct value *config, *prior;
				struct provider_object planned;
			} in;
			struct {
				struct provider_object object;
				bool legacy_type_system;
			} out;
		} apply;
		struct {
			struct {
				struct str id; /* or by identity */
				const struct value *identity;
			} in;
			struct {
				struct provider_imported *imported;
				size_t n;
			} out;
		} import;
		struct {
			struct {
				struct str provider, type; /* the source's */
				struct str state, private_data;
				uint64_t version;
				struct str identity; /* JSON; may be empty */
				int64_t identity_version;
			} in;
			struct provider_object out;
		} move;
		struct {
			struct {
				const struct value *config;
				struct encryption *encryption; /* of states */
			} in;
			struct {
				const struct value *value; /* NULL: failed */
			} out;
		} read_data;
		struct {
			struct {
				const struct value *config;
			} in;
			struct {
				const struct value *value; /* NULL: failed */
				struct str private_data;
				uint64_t renew_at_ms; /* 0: never */
			} out;
		} open;
		struct { /* CALL_CLOSE_EPHEMERAL, too, which gives nothing */
			struct {
				struct str private_data;
			} in;
			struct {
				struct str private_data;
				uint64_t renew_at_ms;
			} out;
		} renew;
		struct {
			struct {
				const struct func *func;
				const struct value *const *args;
				size_t nargs;
			} in;
			struct {
				const struct value *value; /* NULL: failed: */
				int arg; /* the argument at fault, or -1 */
			} out;
		} function;
		struct {
			struct {
				struct map functions; /* name -> func * */
			} out;
		} list;
	};
	/* out, of any call */
	bool not_sent;      /* failed before it went out, for the run is
				       to end */
	struct diags diags; /* from the provider; ranges are to be filled
				       in from `diag_paths` */
	struct path_vec diag_paths; /* parallel to diags.items */
	/* completion */
	void (*done)(struct provider_request *r);
	void *data;
};

struct provider;

struct provider_ops {
	void (*start)(struct provider *p, struct provider_request *r);
	void (*stop)(struct provider *p);  /* graceful: finish what runs */
	void (*end)(struct provider *p);   /* it is going to be closed: several
	                                      end beside one another */
	void (*close)(struct provider *p); /* frees */
};

struct provider {
	const struct provider_ops *ops;
	struct provider_addr addr;
	const struct provider_schema *schema;
	struct loop *loop;
	bool external_effects; /* false: journal needs no sync for it */
};

static inline void provider_start(struct provider *p,
				  struct provider_request *r)
{
	p->ops->start(p, r);
}

/* Finds and starts the provider for an address: the built-in one, or a process.
 * Its schema is known on return; src NULL: only the built-in one exists. */
struct provider_package;
struct provider_source; /* how providers are found; see source.h */

#endif
