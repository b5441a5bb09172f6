/*
 * provider.h - a provider plugin for tests, and how a call goes through it
 *
 * A call is unpacked (calls.c finds its method), answered honestly by a
 * handler (resources.c, others.c) that fills in struct answer, spoiled as
 * ordered (spoil.c), and packed (pack.c).
 *
 * Environment:
 *   TEST_PROVIDER_PROTOCOL  5 or 6 (default)
 *   TEST_PROVIDER_DIR       where the remote objects are, TYPE.ID.json each;
 *                           without it, objects are what the state says
 *   TEST_PROVIDER_IDS       name: ids are made of the attribute `name`, so that
 *                           they do not depend on who came first
 *   TEST_PROVIDER_DO        orders, see orders.h
 *   TEST_PROVIDER_LOG       a file that gets a line for each call
 *   TEST_PROVIDER_SOCKET    the socket lies where plugins' library would put it,
 *                           and the file gets the modes of it and its directory
 *   TEST_PROVIDER_HUGE      so many resource types more
 *   TEST_PROVIDER_TLS       none, other: see make_secure
 */
#ifndef TEST_PROVIDER_PROVIDER_H
#define TEST_PROVIDER_PROVIDER_H

#include "orders.h"
#include "provider/proto/tfplugin.pb-c.h"
#include "schema.h"
#include "server.h"

struct request;

struct provider {
	struct arena arena;
	struct loop *loop;
	unsigned protocol;
	struct catalogue catalogue;
	const char *dir, *log; /* may be NULL */
	struct order_vec orders;
	struct order_vec own; /* of the provider configuration */
	struct str prefix;    /* from the provider configuration */
	bool stopped, done;
	struct request *hung;
};

struct complaint {
	bool warning;
	struct path path;
	struct str summary;
};

struct answer {
	const struct value *object; /* NULL: none */
	const struct type *type;    /* that the schema gives it */
	struct str private_data;
	const struct value *identity;
	struct path_vec replace;
	VEC(struct complaint) complaints;
	bool legacy, deferred, garbage;
	struct str type_name; /* imported */
	unsigned copies;      /* imported */
	int64_t renew_at;     /* seconds since 1970; 0: never */
	struct str error;     /* of a function */
	int argument;
};

struct method {
	const char *name5, *name6; /* after the service's name */
	const char *call;          /* what orders call it */
	const ProtobufCMessageDescriptor *in;
	void (*handle)(struct request *r);
	void (*pack)(struct request *r, struct buf *out);
};

struct request {
	struct provider *p;
	struct call *call;
	struct arena *a; /* the call's */
	const struct method *method;
	const void *in; /* the message */
	const char *what; /* the method's call, or what it is in fact */
	const struct resource_type *type; /* may be NULL */
	struct str name; /* of the object, as its attribute says */
	const struct value *prior, *config, *planned; /* may be NULL */
	struct str note; /* added to the line in the log */
	struct answer answer;
	struct request *next; /* hung */
	bool finishes;        /* hung: Stop brings the answer */
};

extern const struct method methods[];

/* --- calls.c --- */
void provider_call(void *provider, struct call *c);
void request_send(struct request *r);
/* Ends the calls that hang, with an error each. */
void provider_stop(struct provider *p);

/* --- spoil.c: what was ordered; sends the answer unless that is not to be */
void request_finish(struct request *r);
/* Is this order for this call on this object? */
bool order_applies(const struct order *o, const struct request *r);

/* --- wire.c --- */
extern ProtobufCAllocator arena_allocator(struct arena *a);
struct str bytes_of(ProtobufCBinaryData d);
const struct value *take_value(struct arena *a, const Tfplugin__DynamicValue *v,
			       const struct type *t);
Tfplugin__DynamicValue *give_value(struct arena *a, const struct value *v,
				   const struct type *t);
ProtobufCBinaryData give_bytes(struct str s);
char *give_text(struct arena *a, struct str s);
Tfplugin__AttributePath *give_path(struct arena *a, struct path p);
void pack_message(struct buf *out, const ProtobufCMessage *m);

/* --- schema_wire.c --- */
void pack_schema(struct request *r, struct buf *out);
void pack_metadata(struct request *r, struct buf *out);
void pack_identity_schemas(struct request *r, struct buf *out);
void pack_functions(struct request *r, struct buf *out);

/* --- pack.c --- */
void pack_nothing(struct request *r, struct buf *out);
void pack_diagnostics(struct request *r, struct buf *out);
void pack_validate_provider(struct request *r, struct buf *out);
void pack_upgrade(struct request *r, struct buf *out);
void pack_upgrade_identity(struct request *r, struct buf *out);
void pack_read(struct request *r, struct buf *out);
void pack_plan(struct request *r, struct buf *out);
void pack_apply(struct request *r, struct buf *out);
void pack_import(struct request *r, struct buf *out);
void pack_move(struct request *r, struct buf *out);
void pack_read_data(struct request *r, struct buf *out);
void pack_open(struct request *r, struct buf *out);
void pack_renew(struct request *r, struct buf *out);
void pack_call(struct request *r, struct buf *out);

/* --- handlers: resources.c --- */
/* Returns the text for the log about a module's provider_meta. */
struct str meta_text(struct request *r, const Tfplugin__DynamicValue *m);
void handle_validate(struct request *r);
void handle_upgrade(struct request *r);
void handle_upgrade_identity(struct request *r);
void handle_read(struct request *r);
void handle_plan(struct request *r);
void handle_apply(struct request *r);
void handle_import(struct request *r);
void handle_move(struct request *r);

/* --- handlers: others.c --- */
void handle_nothing(struct request *r);
void handle_stop(struct request *r);
void handle_validate_provider(struct request *r);
void handle_configure(struct request *r);
void handle_validate_data(struct request *r);
void handle_read_data(struct request *r);
void handle_validate_ephemeral(struct request *r);
void handle_open(struct request *r);
void handle_renew(struct request *r);
void handle_close(struct request *r);
void handle_call(struct request *r);

/* --- life.c: what an honest provider plans and makes --- */
const struct value *life_plan(struct arena *a, const struct schema_block *b,
			      const struct value *prior,
			      const struct value *config,
			      const struct value *proposed);
const struct value *life_apply(struct request *r,
			       const struct value *planned, struct str id);
/* Returns the remote object with the earlier text where that means the same. */
const struct value *life_normalize(struct arena *a,
				   const struct value *was,
				   const struct value *is);

/* --- store.c: the remote system --- */
struct str store_new_id(struct request *r);
const struct value *store_load(struct request *r, struct str id);
void store_save(struct request *r, struct str id, const struct value *v);
void store_delete(struct request *r, struct str id);
/* An object of the type from JSON that may lack attributes or have others. */
const struct value *object_from_json(struct arena *a, const struct type *t,
				     const struct json *j);

/* The text of a string attribute; empty if there is none. */
struct str text_at(const struct value *object, const char *name);

#endif
