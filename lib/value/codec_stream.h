/* codec_stream.h - the stream's encoding of values */
#ifndef TFPIPE_VALUE_CODEC_STREAM_H
#define TFPIPE_VALUE_CODEC_STREAM_H

#include "json/write.h"
#include "value/convert.h"

/* --- the stream's encoding (tf-stream(5)) ---
 * An object {"value":…,"type":…,"unknown":[…],"sensitive":[…],"numbers":[…]};
 * members other than value are left out where plain JSON says it all.
 *
 *   unknown    [{"path":[…],"not_null":true,"prefix":…,"min":…,…}] with the
 *              refinements; in value they stand as null
 *   sensitive  paths, outermost only; a set is marked as a whole
 *   numbers    paths of numbers written as strings, because a double (and so
 *              many a JSON tool) would lose their digits
 *
 * Ephemeral values must not get here (asserted); other marks tell of the run
 * that made them and do not travel.  Numbers come back at 512 bits, and -0 as
 * 0, as from OpenTofu's plans. */
void value_to_stream(struct jw *w, const struct value *v);

#endif
