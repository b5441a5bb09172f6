/* aws_endpoint.h - the addresses of Amazon's services; see aws.h */
#ifndef TFPIPE_REMOTE_AWS_ENDPOINT_H
#define TFPIPE_REMOTE_AWS_ENDPOINT_H

#include "remote/aws.h"

struct aws_place {
	struct str scheme;
	struct str host; /* as it is sent: without the scheme's own port */
	struct str path; /* escaped */
	struct str region, service; /* as signatures name them */
};

/* Finds the place of a request.  0, or -1 with *why. */
int aws_endpoint(struct arena *a, const struct aws_settings *s,
		 const struct aws_call *call, struct aws_place *out,
		 struct str *why);
/* Is it a region that Amazon has, or may have? */
bool aws_region_known(struct str region);

#endif
