/*
 * remote_int.h - the provider that is a process
 *
 * A struct remote_provider is one of them; the first request, or the need for
 * its schema, starts its process.  A struct known, in the source, is shared by
 * all of one address (the program, the schema).
 */
#ifndef TFPIPE_PROVIDER_REMOTE_INT_H
#define TFPIPE_PROVIDER_REMOTE_INT_H

#include "provider/plugin.h"
#include "provider/proto_int.h"
#include "provider/schema_proto.h"
#include "provider/source.h"
#include "value/convert.h"

/* The origin of the schema in use. */
enum schema_from {
	SCHEMA_NOWHERE,
	SCHEMA_KEPT,  /* an earlier run */
	SCHEMA_ASKED, /* the same, and a process is being asked */
	SCHEMA_GIVEN, /* by a process of this run */
};

/* An answer to a request, held back. */
struct held {
	struct rpc *call;
	int status;
	struct str text, message;
};

struct held_vec VEC_OF(struct held);

struct known {
	struct provider_source *source;
	struct arena *arena; /* the source's */
	struct provider_addr addr;
	struct str name; /* the address, as messages show it */
	struct provider_package package;
	const char *exe; /* package.exe; NULL: reattached */
	struct reattach reattach;
	bool reattached;
	struct provider_schema *schema; /* NULL: not known yet */
	enum schema_from from;
	struct schema_answers kept; /* its encoding, from SCHEMA_KEPT on */
	struct held_vec held;       /* while SCHEMA_ASKED */
	const struct remote_provider *asked; /* the one asked in SCHEMA_ASKED */
	bool answered;                       /* SCHEMA_ASKED is over */
	struct plugin *idle; /* a process without a user; or NULL */
};

struct rpc; /* a call under way */

struct remote_provider {
	struct provider base;
	struct known *known;
	struct plugin *plugin; /* NULL: not started */
	bool configured;       /* or to be stopped: not for another's use */
	struct buf message;    /* scratch */
	unsigned running;      /* calls that were sent and not answered */
	/* With a limit on processes: limit.c. */
	struct rpc *waiting, **waiting_tail; /* to be sent when it is there */
	struct buf configuration;            /* as it was sent */
	unsigned opened; /* ephemeral resources: it has to stay */
	uint64_t used;   /* when it answered last */
	bool waking;     /* is being configured again */
	bool stopped, buried;
	struct diags *broken; /* why it could not be started again */
	struct arena arena;   /* while it is started again */
	struct provider_request again;
};

/* A new process; NULL with diagnostics. */
struct plugin *remote_process(const struct known *k, struct loop *loop,
			      struct diags *ds);
/* Starts the process if it is not; -1 with diagnostics. */
int remote_start(struct remote_provider *p, struct diags *ds);

/* Sends a request to the running process; -1 with an error in it. */
int remote_send(struct rpc *c);
/* Sends p->again, the configuration as it was sent the first time. */
void remote_configure_again(struct remote_provider *p);
void remote_finish_late(struct rpc *c, bool failed);
/* Fails a request that will not be sent, for the run is to end. */
void remote_not_sent(struct rpc *c);

/* Passes the answer to a request on to its caller. */
void remote_deliver(struct rpc *c, int status, struct str text,
		    struct str message);
/* The request fails: its provider has another schema than the one in use. */
void remote_fail_changed(struct rpc *c);
/* Why a call failed, in words; r may be NULL (the schema). */
void remote_failure(struct remote_provider *p, const struct provider_request *r,
		    const struct plugin_method *m, int status, struct str text,
		    struct diag *out, struct arena *a);

extern const struct provider_ops remote_ops;

struct rpc_spec {
	struct plugin_method method;
	/* Makes the message; NULL with an error in the request. */
	const ProtobufCMessage *(*build)(struct rpc *c);
	const ProtobufCMessageDescriptor *answer;
	void (*got)(struct rpc *c, const ProtobufCMessage *m);
};

struct rpc {
	struct remote_provider *p;
	struct provider_request *r;
	const struct rpc_spec *spec;
	const struct resource_schema *schema; /* of r->type, if it has one */
	bool failed;      /* a value could not be encoded or decoded */
	struct rpc *next; /* in remote.waiting */
};

/* v as the resource type's value, or type t's; NULL counts as null. */
Tfplugin__DynamicValue *rpc_put(struct rpc *c, const struct value *v);
Tfplugin__DynamicValue *rpc_put_as(struct rpc *c, const struct value *v,
				   const struct type *t);
/* NULL when there is none. */
Tfplugin__IdentityData *rpc_put_identity(struct rpc *c, const struct value *v);
/* The provider_meta value; NULL when the provider has no schema for it. */
Tfplugin__DynamicValue *rpc_put_meta(struct rpc *c);
Tfplugin__RawState *rpc_put_raw(struct rpc *c, struct str json);
/* The text of an object of strings, as a flatmap; other members are left out.
 */
Tfplugin__RawState *rpc_put_flat(struct rpc *c, struct str json);
Tfplugin__ClientCapabilities *rpc_capabilities(struct rpc *c);
ProtobufCBinaryData rpc_bytes(struct str s);

#endif
