/* aws_sign.h - AWS Signature Version 4; see aws.h */
#ifndef TFPIPE_REMOTE_AWS_SIGN_H
#define TFPIPE_REMOTE_AWS_SIGN_H

#include "remote/aws.h"

/* Writes the headers that sign it; returns their number. */
size_t aws_sign(struct arena *a, const struct aws_request *r,
		const struct aws_keys *keys, time_t now,
		struct fetch_header out[AWS_HEADERS]);
/* The query of a request. */
struct str aws_query(struct arena *a, const struct aws_pairs *pairs);

#endif
