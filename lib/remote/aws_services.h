/* aws_services.h - temporary keys, from services; see aws.h */
#ifndef TFPIPE_REMOTE_AWS_SERVICES_H
#define TFPIPE_REMOTE_AWS_SERVICES_H

#include "remote/aws.h"

/* All: 0, or -1 with *why.  The region may be empty. */
int aws_role_keys(struct remote *rem, const struct aws_role *r,
		  const struct aws_keys *keys, struct str region,
		  struct aws_keys *out, struct str *why);
/* Does the environment name a container's service? */
bool aws_in_container(void);
int aws_container_keys(struct remote *rem, struct aws_keys *out,
		       struct str *why);
/* The service of a virtual machine (EC2): 1 where there is none. */
int aws_machine_keys(struct remote *rem, struct aws_keys *out, struct str *why);

#endif
