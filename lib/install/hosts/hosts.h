/*
 * hosts.h - what a run has to ask hosts with: one loop, one tf-fetch, and where
 * each host has its services, for modules and providers alike
 */
#ifndef TFPIPE_INSTALL_HOSTS_H
#define TFPIPE_INSTALL_HOSTS_H

#include "install/hosts/services.h"

struct hosts { /* the first three are NULL until something is asked */
	struct loop *loop;
	struct fetch *fetch;
	struct services *services;
	/* Bytes that are there of all packages being fetched, and that will be
	 * (-1: unknown); NULL: nobody is interested. */
	void (*progress)(void *data, size_t packages, int64_t have,
			 int64_t all);
	void *progress_data;
};

/* With a loop, and something to make requests with. */
void hosts_ready(struct arena *a, struct hosts *h);
/* The same, and services; `cli` of the first call counts, and must live on. */
void hosts_ready_services(struct arena *a, struct hosts *h,
			  const struct cli_hosts *cli);
/* Ends tf-fetch, whatever it is at. */
void hosts_stop(struct hosts *h);
/* The same, and the loop, which held signals back; h can be used again. */
void hosts_end(struct hosts *h);

#endif
