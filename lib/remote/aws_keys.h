/* aws_keys.h - the keys that a client's requests are signed with; see aws.h */
#ifndef TFPIPE_REMOTE_AWS_KEYS_H
#define TFPIPE_REMOTE_AWS_KEYS_H

#include "remote/aws.h"

struct aws;

/* Finds the keys by the settings, the environment, and the profile, which may
 * refer to another source: a program, a role, a portal, a container's or
 * machine's service.  They are kept until shortly before they expire.  -1 with
 * *why, a sentence without its full stop. */
int aws_keys_of(struct aws *c, struct aws_keys *out, struct str *why);
/* The next request finds them anew. */
void aws_keys_forget(struct aws *c);

#endif
