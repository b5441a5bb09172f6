/* events_provision.h - the events of provisioners and of ephemeral resources */
#ifndef TFPIPE_ENGINE_EVENTS_PROVISION_H
#define TFPIPE_ENGINE_EVENTS_PROVISION_H

#include "engine/change/events.h"

void event_provision_start(struct events *e, const struct instance_addr *addr,
			   struct str provisioner);
void event_provision_output(struct events *e, const struct instance_addr *addr,
			    struct str provisioner, struct str text);
void event_provision_end(struct events *e, const struct instance_addr *addr,
			 struct str provisioner, bool failed);
/* "Opening...", "Open complete" and the like. */
void event_ephemeral(struct events *e, const struct instance_addr *addr,
		     const char *message, bool complete);

#endif
