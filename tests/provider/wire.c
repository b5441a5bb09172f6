/* wire.c - values, paths and bytes as messages have them */
#include "json/read.h"
#include "provider.h"
#include "value/codec_json.h"
#include "value/codec_msgpack.h"
#include "value/number.h"

static void *wire_alloc(void *data, size_t n)
{
	return arena_alloc(data, n);
}

static void wire_free(void *data, void *p)
{
	(void)data;
	(void)p;
}

ProtobufCAllocator arena_allocator(struct arena *a)
{
	return (ProtobufCAllocator){ wire_alloc, wire_free, a };
}

struct str bytes_of(ProtobufCBinaryData d)
{
	return (struct str){ (const char *)d.data, d.len };
}

ProtobufCBinaryData give_bytes(struct str s)
{
	return (ProtobufCBinaryData){ s.n, (uint8_t *)s.p };
}

char *give_text(struct arena *a, struct str s)
{
	return arena_strndup(a, s.p ? s.p : "", s.n);
}

const struct value *take_value(struct arena *a, const Tfplugin__DynamicValue *v,
			       const struct type *t)
{
	struct json_error jerr;
	struct verror err;
	const struct json *j;

	if (!v)
		return NULL;
	if (v->msgpack.len)
		return value_from_msgpack(a, bytes_of(v->msgpack), t, &err);
	j = json_parse(a, bytes_of(v->json), &jerr);
	return j ? value_from_json(a, j, t, &err) : NULL;
}

/* The type by which v is written: its own, where that is not what the schema
 * says, but dynamic where the schema says so. */
static const struct type *wire_type(struct arena *a, const struct value *v,
				    const struct type *want)
{
	const struct type *t = v->type;
	const struct type **elems;
	struct type_attr *attrs;

	if (want->kind == TYPE_DYNAMIC || type_conforms(t, want))
		return want;
	if (v->state != VALUE_KNOWN ||
	    (t->kind != TYPE_OBJECT && t->kind != TYPE_TUPLE))
		return t;
	if (t->kind == TYPE_TUPLE) {
		elems = ARENA_ARRAY(a, const struct type *, t->len);
		for (size_t i = 0; i < t->len; i++)
			elems[i] = type_is_collection(want)
					   ? wire_type(a, v->elems[i],
						       want->elem)
					   : v->elems[i]->type;
		return type_tuple(elems, t->len);
	}
	attrs = ARENA_ARRAY(a, struct type_attr, t->len);
	for (size_t i = 0; i < t->len; i++) {
		const struct type *w = t->attrs[i].type;
		int k = want->kind == TYPE_OBJECT
				? type_attr_index(want, t->attrs[i].name)
				: -1;

		if (k >= 0)
			w = want->attrs[k].type;
		else if (want->kind == TYPE_MAP)
			w = want->elem;
		attrs[i].name = t->attrs[i].name;
		attrs[i].type = wire_type(a, v->elems[i], w);
	}
	return type_object(attrs, t->len);
}

Tfplugin__DynamicValue *give_value(struct arena *a, const struct value *v,
				   const struct type *t)
{
	Tfplugin__DynamicValue *d = ARENA_NEW(a, Tfplugin__DynamicValue);
	struct buf b = BUF_INIT;

	tfplugin__dynamic_value__init(d);
	value_to_msgpack(&b, v, wire_type(a, v, t));
	d->msgpack = give_bytes(buf_dup(a, &b));
	buf_release(&b);
	return d;
}

Tfplugin__AttributePath *give_path(struct arena *a, struct path p)
{
	Tfplugin__AttributePath *out = ARENA_NEW(a, Tfplugin__AttributePath);

	tfplugin__attribute_path__init(out);
	out->n_steps = p.len;
	out->steps = ARENA_ARRAY(a, Tfplugin__AttributePath__Step *, p.len);
	for (size_t i = 0; i < p.len; i++) {
		const struct path_step *from = &p.steps[i];
		Tfplugin__AttributePath__Step *s =
			ARENA_NEW(a, Tfplugin__AttributePath__Step);

		tfplugin__attribute_path__step__init(s);
		out->steps[i] = s;
		if (!from->index) {
			s->selector_case =
				TFPLUGIN__ATTRIBUTE_PATH__STEP__SELECTOR_ATTRIBUTE_NAME;
			s->attribute_name = give_text(a, from->attr);
		} else if (from->index->type == &type_number) {
			s->selector_case =
				TFPLUGIN__ATTRIBUTE_PATH__STEP__SELECTOR_ELEMENT_KEY_INT;
			value_get_int(from->index, &s->element_key_int);
		} else {
			s->selector_case =
				TFPLUGIN__ATTRIBUTE_PATH__STEP__SELECTOR_ELEMENT_KEY_STRING;
			s->element_key_string =
				give_text(a, from->index->string);
		}
	}
	return out;
}

void pack_message(struct buf *out, const ProtobufCMessage *m)
{
	size_t n = protobuf_c_message_get_packed_size(m);

	buf_grow(out, n);
	protobuf_c_message_pack(m, (uint8_t *)out->p + out->len);
	out->len += n;
}
