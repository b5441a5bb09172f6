/*
 * hosts.h - what a run needs for requests: remote.h and the services of each
 * host, shared by modules and providers
 */
#ifndef TFPIPE_INSTALL_HOSTS_H
#define TFPIPE_INSTALL_HOSTS_H

#include "remote/services.h"
#include "remote/remote.h"

struct hosts {
	struct remote remote;
	struct services *services; /* NULL until something is asked */
	/* Bytes received of all packages being fetched, and their total (-1:
	 * unknown); NULL: no progress is wanted. */
	void (*progress)(void *data, size_t packages, int64_t have,
			 int64_t all);
	void *progress_data;
};

/* Makes the loop and tf-fetch, unless they exist. */
void hosts_ready(struct arena *a, struct hosts *h);
/* Makes loop, tf-fetch and services; `cli` of the first call counts, and must
 * live on. */
void hosts_ready_services(struct arena *a, struct hosts *h,
			  const struct cli_hosts *cli);
/* Ends what was made (remote_end); h can be used again. */
void hosts_end(struct hosts *h);

#endif
