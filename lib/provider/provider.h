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

struct provider_imported {
	struct str type;
	const struct value *state;
	struct str private_data;
	const struct value *identity; /* may be NULL */
};

/* One call.  The caller owns it and keeps it alive until done is called; in
 * members are set by the caller, out members by the provider, in `arena`. */
struct provider_request {
	enum provider_call call;
	struct arena *arena; /* results are allocated here */
	enum resource_mode mode;
	struct str type;    /* resource type */
	struct str address; /* of the instance, for messages; may be empty */
	struct encryption *encryption;   /* read data: of states; or NULL */
	const struct trace_span *within; /* in traces; or NULL */
	/* in */
	const struct value *config;   /* validate, configure, plan, read data */
	const struct value *prior;    /* plan, apply, read (current state) */
	const struct value *proposed; /* plan: proposed new state */
	const struct value *planned;  /* apply */
	const struct value *meta;     /* provider_meta; may be NULL */
	struct str private_in;        /* raw bytes */
	struct str raw_state;         /* upgrade, move: JSON text; upgrade
	                                     of an identity: that */
	bool raw_is_flat;             /* upgrade: raw_state is an object of
	                                     strings, a flatmap of old SDKs */
	uint64_t raw_version;         /* upgrade: schema version of it */
	struct str raw_identity;      /* move: JSON text; may be empty */
	int64_t raw_identity_version;
	struct str import_id;
	const struct value *identity_in; /* import by identity; what is known
	                                     of it: read, plan, apply */
	struct str source_provider, source_type; /* move */
	const struct func *function;             /* function call */
	const struct value *const *args;
	size_t nargs;
	/* out */
	const struct value *state; /* new/planned/upgraded/read/result;
	                                     NULL on failure */
	struct path_vec requires_replace;
	struct str private_out;
	bool legacy_type_system;
	bool deferred;
	struct provider_imported *imported;
	size_t nimported;
	const struct value *identity_out; /* may be NULL */
	bool not_sent;                    /* failed before it went out, for the
	                                     run is to end */
	uint64_t renew_at_ms;             /* ephemeral; 0: never */
	struct map functions;             /* list: name -> struct func * */
	int function_arg;                 /* failed: the argument at fault, -1
	                                     for the call as a whole */
	struct diags diags;               /* from the provider; ranges are to be
	                                     filled in from `paths` */
	struct path_vec diag_paths;       /* parallel to diags.items */
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
