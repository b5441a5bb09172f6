/* msgpack_item_int.h - takes items of msgpack, see msgpack_int.h */
#ifndef TFPIPE_VALUE_MSGPACK_ITEM_INT_H
#define TFPIPE_VALUE_MSGPACK_ITEM_INT_H

#include "value/msgpack_int.h"

/* The next item: scalars whole, containers their head.  False at the end, on
 * what is not msgpack, and when a length cannot be true: an item takes a byte
 * at least. */
bool msgpack_take(struct msgpack_input *in, struct msgpack_item *it);
/* Skips the content of an item whose head was taken. */
bool msgpack_skip_rest(struct msgpack_input *in,
		       const struct msgpack_item *head);

#endif
