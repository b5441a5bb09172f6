/* grpc_frame.c - the framing of messages; see grpc.c */
#include "provider/plugin/plugin_int.h"

void grpc_frame_prefix(unsigned char out[GRPC_PREFIX], size_t length)
{
	out[0] = 0;
	out[1] = (unsigned char)(length >> 24);
	out[2] = (unsigned char)(length >> 16);
	out[3] = (unsigned char)(length >> 8);
	out[4] = (unsigned char)length;
}

/* The message's length from a prefix, or the status it fails with. */
static enum grpc_status read_prefix(const char *p, size_t *length)
{
	const unsigned char *u = (const unsigned char *)p;

	if (u[0] != 0) /* we never offer a compression */
		return u[0] == 1 ? GRPC_UNIMPLEMENTED : GRPC_INTERNAL;
	*length = (size_t)u[1] << 24 | (size_t)u[2] << 16 | (size_t)u[3] << 8 |
		  u[4];
	return *length > GRPC_MESSAGE_MAX ? GRPC_RESOURCE_EXHAUSTED : GRPC_OK;
}

/* Takes whole messages from the front; *used says how much they were. */
static enum grpc_status take_messages(struct str s, size_t *used,
				      grpc_message_fn *fn, void *data)
{
	*used = 0;
	while (s.n - *used >= GRPC_PREFIX) {
		enum grpc_status st;
		size_t n;

		st = read_prefix(s.p + *used, &n);
		if (st != GRPC_OK)
			return st;
		if (s.n - *used - GRPC_PREFIX < n)
			break;
		fn(data, (struct str){ s.p + *used + GRPC_PREFIX, n });
		*used += GRPC_PREFIX + n;
	}
	return GRPC_OK;
}

enum grpc_status grpc_deframe(struct grpc_deframer *d, struct str bytes,
			      grpc_message_fn *fn, void *data)
{
	struct buf *b = &d->buf;
	enum grpc_status st;
	size_t used;

	if (b->len) {
		buf_str(b, bytes);
		bytes = buf_view(b);
	}
	st = take_messages(bytes, &used, fn, data);
	if (st != GRPC_OK)
		return st;
	if (bytes.p != b->p) {
		buf_add(b, bytes.p + used, bytes.n - used);
	} else if (used) {
		memmove(b->p, b->p + used, b->len - used);
		buf_set_len(b, b->len - used);
	}
	return GRPC_OK;
}

void grpc_deframer_release(struct grpc_deframer *d)
{
	buf_release(&d->buf);
}
