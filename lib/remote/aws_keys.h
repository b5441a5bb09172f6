/*
 * aws_keys.h - credentials for S3: the environment, and the profiles of the AWS
 * tools; see aws.h
 */
#ifndef TFPIPE_REMOTE_AWS_KEYS_H
#define TFPIPE_REMOTE_AWS_KEYS_H

#include "remote/aws.h"

/* Finds the keys of the environment, or of a profile of the AWS tools
 * (~/.aws/credentials, ~/.aws/config); only of the profile if its name is not
 * empty.  Both may refer to another source: a program, a role, a container's or
 * machine's service.  *region: where roles are requested; if empty, set from
 * the environment or the profile, if they have one.  -1 with *why, a sentence
 * without its full stop. */
int aws_keys_find(struct remote *rem, struct str profile, struct aws_keys *out,
		  struct str *region, struct str *why);

#endif
