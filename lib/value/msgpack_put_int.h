/* msgpack_put_int.h - writes items of msgpack, see msgpack_int.h */
#ifndef TFPIPE_VALUE_MSGPACK_PUT_INT_H
#define TFPIPE_VALUE_MSGPACK_PUT_INT_H

#include "base/str.h"

void msgpack_put_nil(struct buf *out);
void msgpack_put_bool(struct buf *out, bool b);
void msgpack_put_int(struct buf *out, int64_t n);
void msgpack_put_uint(struct buf *out, uint64_t n);
void msgpack_put_double(struct buf *out, double d);
void msgpack_put_str(struct buf *out, struct str s);
void msgpack_put_bin(struct buf *out, struct str bytes);
void msgpack_put_ext(struct buf *out, signed char code, struct str bytes);
/* Heads: so many items, or pairs, are put next. */
void msgpack_put_array(struct buf *out, uint32_t len);
void msgpack_put_map(struct buf *out, uint32_t len);

#endif
