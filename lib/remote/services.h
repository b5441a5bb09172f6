/*
 * services.h - the registries of a host: service discovery
 *
 * https://HOST/.well-known/terraform.json is asked for once a run and host,
 * with the host's token if there is one; a `host` block of the CLI
 * configuration is an answer without a request.
 */
#ifndef TFPIPE_REMOTE_SERVICES_H
#define TFPIPE_REMOTE_SERVICES_H

#include "remote/cli_hosts.h"
#include "remote/fetch.h"

enum service_status {
	SERVICE_FOUND,
	SERVICE_NONE,          /* the host has no such service */
	SERVICE_OTHER_VERSION, /* it has one of another major version */
	SERVICE_UNREACHABLE,   /* why says it */
};

struct service {
	enum service_status status;
	struct str url;   /* absolute */
	struct str token; /* of the host; empty: there is none */
	struct str why;   /* a sentence without a full stop */
	/* The service's entry, of any JSON kind; addresses in it are relative
	 * to base. If that is no address (login.v1), the other members say that
	 * there is no service. */
	const struct json *entry;
	struct str base;
};

typedef void service_fn(void *data, const struct service *s);

struct services;

struct services *services_new(struct arena *a, const struct cli_hosts *h,
			      struct fetch *f, struct loop *l);
/* id is "providers.v1", "modules.v1", …; host as host_name has it.  fn is
 * called once, from the loop. */
void services_find(struct services *s, struct str host, const char *id,
		   service_fn *fn, void *data);
const struct cli_hosts *services_hosts(const struct services *s);

#endif
