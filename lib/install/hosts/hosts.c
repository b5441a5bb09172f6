/* hosts.c - see login.h */
#include "install/hosts/login.h"

void hosts_ready(struct arena *a, struct hosts *h)
{
	h->remote.a = a;
	remote_fetch(&h->remote);
}

void hosts_ready_services(struct arena *a, struct hosts *h,
			  const struct cli_hosts *cli)
{
	hosts_ready(a, h);
	if (!h->services)
		h->services =
			services_new(a, cli, h->remote.fetch, h->remote.loop);
}

void hosts_end(struct hosts *h)
{
	remote_end(&h->remote);
	h->services = NULL;
}
