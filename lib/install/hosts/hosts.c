/* hosts.c - see hosts.h */
#include "install/hosts/hosts.h"

#include "base/loop.h"

void hosts_ready(struct arena *a, struct hosts *h)
{
	if (h->loop)
		return;
	h->loop = loop_new();
	h->fetch = fetch_new(a, h->loop);
}

void hosts_ready_services(struct arena *a, struct hosts *h,
			  const struct cli_hosts *cli)
{
	hosts_ready(a, h);
	if (!h->services)
		h->services = services_new(a, cli, h->fetch, h->loop);
}

void hosts_stop(struct hosts *h)
{
	fetch_free(h->fetch);
	h->fetch = NULL;
}

void hosts_end(struct hosts *h)
{
	if (!h->loop)
		return;
	hosts_stop(h);
	loop_free(h->loop);
	h->loop = NULL;
	h->fetch = NULL;
	h->services = NULL;
}
