/*
 * proto_int.h - the protocol's messages and the project's own types
 */
#ifndef TFPIPE_PROVIDER_PROTO_INT_H
#define TFPIPE_PROVIDER_PROTO_INT_H

#include "provider/proto/tfplugin.pb-c.h"
#include "provider/provider.h"
#include "value/convert.h"

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

#endif
