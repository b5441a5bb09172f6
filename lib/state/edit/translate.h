/*
 * translate.h - providers of Terraform's registry in a state
 *
 * Terraform writes registry.terraform.io where a configuration names no host,
 * and here the same configuration means the default registry.  So a resource of
 * a state that has the one host is taken as the other's, unless the
 * configuration itself names that provider with its host.  What is read is
 * changed in memory alone, and stored with the next write.
 */
#ifndef TFPIPE_STATE_TRANSLATE_H
#define TFPIPE_STATE_TRANSLATE_H

#include "config/config.h"
#include "state/state.h"

/* Is there such a resource, and did nobody turn the translation off
 * (OPENTOFU_STATEFILE_PROVIDER_ADDRESS_TRANSLATION=0)?  Tells whether a
 * configuration must be at hand. */
bool state_translatable(const struct state *s);
/* c: of the whole tree; NULL: there is none.  Sets s->translated if a resource
 * was changed. */
void state_translate(struct state *s, const struct config *c);

#endif
