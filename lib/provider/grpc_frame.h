/* grpc_frame.h - the framing of messages; see grpc.h */
#ifndef TFPIPE_PROVIDER_GRPC_FRAME_H
#define TFPIPE_PROVIDER_GRPC_FRAME_H

#include "provider/grpc.h"

void grpc_frame_prefix(unsigned char out[GRPC_PREFIX], size_t length);
/* Calls fn with each message that is complete.  GRPC_OK, or the status the
 * call fails with: compressed, or too large. */
enum grpc_status grpc_deframe(struct grpc_deframer *d, struct str bytes,
			      grpc_message_fn *fn, void *data);
/* Is a frame unfinished? */
bool grpc_deframe_partial(const struct grpc_deframer *d);
void grpc_deframer_release(struct grpc_deframer *d);
/* grpc-message: decodes %XX. */
struct str grpc_percent_decode(struct arena *a, struct str s);

#endif
