/* aws_int.h - a client, as the files of aws.h share it */
#ifndef TFPIPE_REMOTE_AWS_INT_H
#define TFPIPE_REMOTE_AWS_INT_H

#include "remote/aws.h"
#include "remote/aws_client.h"
#include "remote/aws_profile.h"

struct aws {
	struct remote *rem;
	struct arena *a; /* of it */
	struct aws_settings s;
	struct aws_profile profile; /* that the settings or the environment
				       name, or "default" */
	/* Kept until they expire: found, and after the role of the settings. */
	struct aws_keys found, keys;
	time_t skew;       /* the services' clock less ours, in seconds */
	uint64_t pause_ms; /* before each request, in adaptive mode */
	enum aws_trouble trouble;
};

#endif
