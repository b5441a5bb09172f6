/*
 * provision.h - provisioners: local-exec
 *
 * The provisioners of one object run one after the other.  Their output is
 * reported as events, line by line, unless a sensitive or ephemeral value could
 * be read from it.
 */
#ifndef TFPIPE_ENGINE_APPLY_PROVISION_H
#define TFPIPE_ENGINE_APPLY_PROVISION_H

#include "engine/change/events.h"
#include "engine/run/run.h"

struct provisioning; /* under way */

struct provision_request {
	struct arena *arena; /* scratch; lives until done is called */
	struct events *events;
	struct instance_addr addr;
	const struct cfg_provisioner *provisioners;
	size_t n;
	bool destroy;              /* those of this time only */
	struct run_module *module; /* NULL: gone from the configuration */
	struct repetition rep;
	const struct value *self;
	struct run *run;
	struct diags *ds;
	void (*done)(void *data); /* failures are in ds */
	void *data;
};

/* Never calls done from inside. */
struct provisioning *provision_start(const struct provision_request *r);
/* Ends what runs: gently, or at once. */
void provision_stop(struct provisioning *p, bool at_once);
/* The run is over, whatever p still waits for. */
void provision_drop(struct provisioning *p);

/* Is there any provisioner for that time? */
bool provision_wanted(const struct cfg_provisioner_vec *v, bool destroy);

#endif
