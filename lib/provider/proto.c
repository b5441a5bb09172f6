/* proto.c - see provider_int.h */
#include "json/read.h"
#include "provider/provider_int.h"
#include "provider/request.h"
#include "value/codec_json.h"
#include "value/codec_msgpack.h"
#include "value/number.h"

static void *arena_allocate(void *data, size_t n)
{
	return arena_alloc(data, n);
}

static void arena_forget(void *data, void *p)
{
	(void)data, (void)p; /* the arena frees all at once */
}

const ProtobufCMessage *proto_unpack(struct arena *a,
				     const ProtobufCMessageDescriptor *type,
				     struct str bytes)
{
	ProtobufCAllocator in_arena = { arena_allocate, arena_forget, a };

	return protobuf_c_message_unpack(type, &in_arena, bytes.n,
					 (const uint8_t *)bytes.p);
}

void proto_pack(struct buf *out, const ProtobufCMessage *m)
{
	size_t n = protobuf_c_message_get_packed_size(m);

	buf_set_len(out, 0);
	buf_grow(out, n);
	protobuf_c_message_pack(m, (uint8_t *)out->p);
	out->len = n;
	out->p[n] = '\0';
}

struct str proto_text(struct arena *a, const char *s)
{
	struct str in = str_c(s), out;
	struct buf b = BUF_INIT;

	if (str_utf8_valid(in))
		return str_dup(a, in);
	for (size_t i = 0; i < in.n;) {
		size_t n = utf8_len(in.p + i, in.n - i);

		if (n)
			buf_add(&b, in.p + i, n);
		else
			buf_puts(&b, "\xef\xbf\xbd");
		i += n ? n : 1;
	}
	out = buf_dup(a, &b);
	buf_release(&b);
	return out;
}

const struct value *proto_value(struct arena *a,
				const Tfplugin__DynamicValue *v,
				const struct type *t, struct verror *err)
{
	struct json_error jerr;
	const struct json *j;

	if (!v || (!v->msgpack.len && !v->json.len))
		return value_null(a, t);
	if (v->msgpack.len)
		return value_from_msgpack(a, proto_bytes(&v->msgpack), t, err);
	j = json_parse(a, proto_bytes(&v->json), &jerr);
	if (j)
		return value_from_json(a, j, t, err);
	*err = (struct verror){ .message = str_c(jerr.message) };
	return NULL;
}

int proto_put_value(struct arena *a, Tfplugin__DynamicValue *out,
		    const struct value *v, const struct type *t)
{
	struct buf b = BUF_INIT;
	int rc = value_to_msgpack(&b, v, t);

	tfplugin__dynamic_value__init(out);
	out->msgpack.data = arena_dup(a, b.p, b.len);
	out->msgpack.len = b.len;
	buf_release(&b);
	return rc;
}

struct path proto_path(struct arena *a, const Tfplugin__AttributePath *p)
{
	struct path out = { NULL, 0 };

	for (size_t i = 0; p && i < p->n_steps; i++) {
		const Tfplugin__AttributePath__Step *s = p->steps[i];

		switch (s->selector_case) {
		case TFPLUGIN__ATTRIBUTE_PATH__STEP__SELECTOR_ATTRIBUTE_NAME:
			out = path_attr(a, out,
					proto_text(a, s->attribute_name));
			break;
		case TFPLUGIN__ATTRIBUTE_PATH__STEP__SELECTOR_ELEMENT_KEY_STRING:
			out = path_index(
				a, out,
				value_string(
					a,
					proto_text(a, s->element_key_string)));
			break;
		case TFPLUGIN__ATTRIBUTE_PATH__STEP__SELECTOR_ELEMENT_KEY_INT:
			out = path_index(a, out,
					 value_int(a, s->element_key_int));
			break;
		default:
			break;
		}
	}
	return out;
}

void proto_diags(struct provider_request *r, size_t n,
		 Tfplugin__Diagnostic *const *ds)
{
	for (size_t i = 0; i < n; i++) {
		const Tfplugin__Diagnostic *d = ds[i];

		request_diag(
			r,
			d->severity == TFPLUGIN__DIAGNOSTIC__SEVERITY__WARNING
				? SEV_WARNING
				: SEV_ERROR,
			proto_path(r->arena, d->attribute),
			proto_text(r->arena, d->summary).p,
			proto_text(r->arena, d->detail));
	}
}
