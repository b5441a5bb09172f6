/* wire.c - see plugin.h */
#include "provider/plugin/plugin_int.h"

static int take_varint(struct str *s, uint64_t *out)
{
	*out = 0;
	for (unsigned shift = 0; shift < 64 && s->n; shift += 7) {
		unsigned char c = (unsigned char)*s->p;

		*s = str_sub(*s, 1, s->n);
		*out |= (uint64_t)(c & 0x7f) << shift;
		if (!(c & 0x80))
			return 0;
	}
	return -1;
}

static int take_fixed(struct str *s, size_t n, uint64_t *out)
{
	if (s->n < n)
		return -1;
	*out = 0;
	for (size_t i = 0; i < n; i++)
		*out |= (uint64_t)(unsigned char)s->p[i] << (8 * i);
	*s = str_sub(*s, n, s->n);
	return 0;
}

int wire_next(struct str *rest, struct wire_field *f)
{
	uint64_t tag;

	if (!rest->n)
		return 0;
	if (take_varint(rest, &tag) < 0 || tag >> 3 == 0 ||
	    tag >> 3 > UINT32_MAX >> 3)
		return -1;
	*f = (struct wire_field){ .number = (uint32_t)(tag >> 3) };
	switch (tag & 7) {
	case 0:
		return take_varint(rest, &f->value) < 0 ? -1 : 1;
	case 1:
		return take_fixed(rest, 8, &f->value) < 0 ? -1 : 1;
	case 5:
		return take_fixed(rest, 4, &f->value) < 0 ? -1 : 1;
	case 2:
		if (take_varint(rest, &f->value) < 0 || f->value > rest->n)
			return -1;
		f->is_bytes = true;
		f->bytes = str_sub(*rest, 0, (size_t)f->value);
		*rest = str_sub(*rest, (size_t)f->value, rest->n);
		return 1;
	default: /* groups, which proto3 has not */
		return -1;
	}
}

int wire_entry(struct str entry, struct str *key, struct str *value)
{
	struct wire_field f;
	int rc;

	*key = *value = (struct str){ "", 0 };
	while ((rc = wire_next(&entry, &f)) > 0) {
		if (f.number == 1 && f.is_bytes)
			*key = f.bytes;
		else if (f.number == 2 && f.is_bytes)
			*value = f.bytes;
	}
	return rc;
}

struct str wire_get(struct str message, uint32_t number)
{
	struct str found = { "", 0 };
	struct wire_field f;

	while (wire_next(&message, &f) > 0)
		if (f.number == number && f.is_bytes)
			found = f.bytes;
	return found;
}
