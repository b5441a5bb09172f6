/* aws_services.h - temporary keys, from services; see aws.h */
#ifndef TFPIPE_REMOTE_AWS_SERVICES_H
#define TFPIPE_REMOTE_AWS_SERVICES_H

#include "remote/aws.h"

struct aws;
struct aws_profile;

/* All: 0, or -1 with *why. */
/* keys: of who asks; not for an identity on the web. */
int aws_role_keys(struct aws *c, const struct aws_role *r,
		  const struct aws_keys *keys, struct aws_keys *out,
		  struct str *why);
/* Does the environment name a container's service? */
bool aws_in_container(void);
int aws_container_keys(struct aws *c, struct aws_keys *out, struct str *why);
/* The service of a virtual machine (EC2): 1 where there is none. */
int aws_machine_keys(struct aws *c, struct aws_keys *out, struct str *why);
/* The portal that somebody has logged in at, by the AWS tools. */
int aws_portal_keys(struct aws *c, const struct aws_profile *p,
		    struct aws_keys *out, struct str *why);
/* "2026-01-02T03:04:05Z"; 0: it is none. */
time_t aws_time(struct arena *a, struct str text);

#endif
