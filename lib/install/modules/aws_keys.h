/*
 * aws_keys.h - who asks S3: the environment, and the files of profiles that the
 * AWS tools have; see aws.h
 */
#ifndef TFPIPE_INSTALL_AWS_KEYS_H
#define TFPIPE_INSTALL_AWS_KEYS_H

#include "install/modules/aws.h"

/* The keys of the environment, or of a profile in the files that the AWS tools
 * have (~/.aws/credentials, ~/.aws/config); of that alone where its name is not
 * empty.  Both may say who else tells them: a program, a role, a container's
 * or machine's service.  *region: where roles are asked for; where it is empty
 * it becomes what the environment or the profile says, if they do.  -1 with
 * *why, a sentence without its full stop. */
int aws_keys_find(struct module_store *s, struct str profile,
		  struct aws_keys *out, struct str *region, struct str *why);

#endif
