/*
 * hosts.h - what a run needs for requests: one loop, one tf-fetch and the
 * services of each host, shared by modules and providers
 */
#ifndef TFPIPE_INSTALL_HOSTS_H
#define TFPIPE_INSTALL_HOSTS_H

#include "install/hosts/services.h"

struct hosts { /* the first three are NULL until something is asked */
	struct loop *loop;
	struct fetch *fetch;
	struct services *services;
	/* Bytes received of all packages being fetched, and their total (-1:
	 * unknown); NULL: no progress is wanted. */
	void (*progress)(void *data, size_t packages, int64_t have,
			 int64_t all);
	void *progress_data;
};

/* Makes the loop and tf-fetch, unless they exist. */
void hosts_ready(struct arena *a, struct hosts *h);
/* The same, and services; `cli` of the first call counts, and must live on. */
void hosts_ready_services(struct arena *a, struct hosts *h,
			  const struct cli_hosts *cli);
/* Ends tf-fetch, even in the middle of requests. */
void hosts_stop(struct hosts *h);
/* The same, and the loop, which held signals back; h can be used again. */
void hosts_end(struct hosts *h);

#endif
