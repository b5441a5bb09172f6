/* provider_int.h - what the files of this room share */
#ifndef TFPIPE_PROVIDER_PROVIDER_INT_H
#define TFPIPE_PROVIDER_PROVIDER_INT_H

#include "provider/proto/tfplugin.pb-c.h"
#include "provider/provider.h"
#include "value/convert.h"
#include "provider/plugin/plugin.h"
#include "provider/source.h"
#include "lang/eval/eval.h"
#include "base/workdir.h"

/* proto.c: the protocol's messages and the project's own types */

/* Unpacks into the arena, without an end to be freed; NULL: it is no such
 * message. */
const ProtobufCMessage *proto_unpack(struct arena *a,
				     const ProtobufCMessageDescriptor *type,
				     struct str bytes);
/* Packs into out, which is emptied first. */
void proto_pack(struct buf *out, const ProtobufCMessage *m);
/* Copies text from a plugin, with invalid UTF-8 replaced. */
struct str proto_text(struct arena *a, const char *s);
static inline struct str proto_bytes(const ProtobufCBinaryData *b)
{
	return (struct str){ (const char *)b->data, b->len };
}

/* The value of a message, by type t; a missing one is null.  NULL with *err. */
const struct value *proto_value(struct arena *a,
				const Tfplugin__DynamicValue *v,
				const struct type *t, struct verror *err);
/* v as t, into *out.  -1: it is none. */
int proto_put_value(struct arena *a, Tfplugin__DynamicValue *out,
		    const struct value *v, const struct type *t);
struct path proto_path(struct arena *a, const Tfplugin__AttributePath *p);
/* A provider's diagnostics become the request's. */
void proto_diags(struct provider_request *r, size_t n,
		 Tfplugin__Diagnostic *const *ds);

/*
 * schema_proto.c: schemas as a plugin sends them
 *
 * The answers stay encoded; a type's schema is decoded on first use
 * (provider_resource_schema), for most are never used.
 */

/* A type's schema, not decoded yet; see struct resource_schema. */
struct lazy_schema {
	struct arena *arena;
	int protocol;
	bool done;           /* decoded, or found to be invalid */
	struct str schema;   /* a Schema */
	struct str identity; /* an IdentitySchema; may be empty */
	struct str why;      /* invalid: why */
};

/* The answers to GetProviderSchema and GetResourceIdentitySchemas (empty: it
 * has none), as they came. */
struct schema_answers {
	int protocol;
	struct str schema, identities;
};

/* Decodes; s->block stays NULL when it is invalid. */
void schema_decode(struct resource_schema *s);
/* A function's signature, without what calls it.  NULL: it is invalid. */
struct func *schema_function(struct arena *a, struct str name,
			     struct str bytes);

/*
 * remote.c: the provider that is a process
 *
 * A struct remote_provider is one of them; the first request, or the need for
 * its schema, starts its process.  A struct known, in the source, is shared by
 * all of one address (the program, the schema).
 */

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
	bool reattached; /* another program's, TF_REATTACH_PROVIDERS */
	bool shared;     /* share.c */
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

/* What serves the address; NULL with a diagnostic. */
struct known *provider_find(struct provider_source *src,
			    struct provider_addr addr, struct diags *ds);

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
	struct trace_span *span;
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

/* limit.c: at most so many provider processes at a time */

/* A process was started; is closed. */
void limit_started(const struct known *k);
void limit_close(const struct known *k, struct plugin *p);
/* p has got a process; is closed. */
void limit_awake(struct remote_provider *p);
void limit_forget(struct remote_provider *p);
/* For callers that cannot wait: ends unused processes. */
void limit_make_room(const struct known *k);
bool limit_reached(const struct known *k);
/* p->message is its configuration. */
void limit_configured(struct remote_provider *p);
/* Keeps the request if it has to wait. */
bool limit_waits(struct rpc *c);
void limit_answered(struct remote_provider *p);
/* Nothing is started any more. */
void limit_stop(struct remote_provider *p);

/* open.c: finding and starting the provider for an address */

/* Does the user ask for mutual TLS with providers (TFPIPE_PLUGIN_TLS)? */
bool remote_wants_tls(void);

/* remote_calls.c: the calls of a provider, a message each */

/* How a request is called; NULL: not by a call. */
const struct rpc_spec *rpc_spec(const struct provider_request *r);

/* remote_schema.c: the schema of a provider process */

/* The schema, from the process.  -1 with diagnostics. */
int remote_schema(struct remote_provider *p, struct diags *ds);
/* Requests it and drops the answer: some providers need to be asked. */
void remote_ask_schema(struct remote_provider *p);
/* Asks without waiting; got is called with the answers, or with NULL where
 * there are none. */
void remote_ask_answers(struct remote_provider *p,
			void (*got)(struct known *k,
				    const struct schema_answers *x));
/* Decodes the schema from the answers of a process.  -1 with diagnostics. */
int remote_take_schema(struct known *k, const struct schema_answers *x,
		       struct diags *ds);

/* remote_values.c: values, identities and the like in messages */

char *rpc_cstr(struct rpc *c, struct str s);
/* The inverse; NULL with an error in the request. */
const struct value *rpc_get(struct rpc *c, const Tfplugin__DynamicValue *v);
const struct value *rpc_get_as(struct rpc *c, const Tfplugin__DynamicValue *v,
			       const struct type *t);
const struct value *rpc_get_identity(struct rpc *c,
				     const Tfplugin__IdentityData *v);
/* An error for each write-only attribute that came back with a value. */
void rpc_check_write_only(struct rpc *c, const struct value *v);
/* An error of the request where the provider put it off, unasked. */
void rpc_check_deferred(struct rpc *c, const Tfplugin__Deferred *d);

/*
 * schema_answer.c: the answer to the call for the schema, read field by field;
 * schemas of types are decoded later (schema_proto.c)
 */

/* Reads the answers into *out.  The bytes are borrowed as long as *out lives.
 * -1 with diagnostics: the provider's own, or that it is invalid. */
int schema_read(struct arena *a, int protocol, struct str answer,
		struct str identities, struct provider_schema *out,
		struct diags *ds);

/* schema_cache.c: the answers about schemas, kept from run to run */

/* Takes the schema that an earlier run kept, if there is one. */
void schema_cache_read(struct known *k);
/* Keeps what a process gave. */
void schema_cache_write(struct known *k, const struct schema_answers *x);

/*
 * schema_confirm.c: is the schema that an earlier run kept still the
 * provider's?
 */

/* Asks the process that was just started, unless it is known. */
void remote_confirm(struct remote_provider *p);
/* Holds an answer back until the process has confirmed the schema. */
bool remote_hold(struct rpc *c, int status, struct str text,
		 struct str message);

struct provider;

/* builtin.c: the built-in provider: terraform.io/builtin/terraform */

/* The built-in provider: terraform_data, terraform_remote_state.  delay_ms and
 * shuffle are for tests: completions are delayed and reordered. */
struct provider *provider_builtin_new(struct arena *a, struct loop *loop,
				      unsigned delay_ms, bool shuffle);
/* The provider for a working directory (NULL: any) with the delay that the
 * environment asks for: TFPIPE_TEST_BUILTIN_DELAY=MS[,shuffle], a hook for
 * tests. */
struct provider *provider_builtin_open(struct arena *a, struct loop *loop,
				       const struct workdir *w);

/* builtin_data.c: the resource type terraform_data */

const struct resource_schema *data_resource_schema(struct arena *a);
void data_validate(struct provider_request *r);
void data_upgrade(struct provider_request *r);
void data_plan(struct provider_request *r);
void data_apply(struct provider_request *r);
void data_import(struct provider_request *r);
void data_move(struct provider_request *r);

/*
 * builtin_funcs.c: provider::terraform::…: decode_tfvars, encode_tfvars,
 * encode_expr
 */

void builtin_functions(struct arena *a, struct map *out);

/* builtin_state.c: the data source terraform_remote_state */

const struct resource_schema *remote_state_schema(struct arena *a);

struct remote_states {          /* those that this run has read */
	struct arena *arena;    /* of what they have */
	struct loop *loop;      /* goes on while a host is asked */
	struct workdir workdir; /* whoever asks is in */
	struct map known;
};

void remote_state_validate(struct remote_states *all,
			   struct provider_request *r);
/* Calls r->done, at once or when somebody else's reading ends. */
void remote_state_read(struct remote_states *all, struct provider_request *r);

#endif
