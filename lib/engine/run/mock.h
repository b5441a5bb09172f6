/*
 * mock.h - instances of a test that no provider is asked about
 *
 * An instance is mocked if its provider is (mock_provider), or if it is
 * overridden (override_resource, override_data).  Its schema is that of the
 * real provider, which also validates its configuration and upgrades its state;
 * planned and read values are made here: what is configured, what the test
 * says, and for the rest values that depend on the resource type alone.  What
 * is planned is what is applied, and what was made stays as it is.
 */
#ifndef TFPIPE_ENGINE_RUN_MOCK_H
#define TFPIPE_ENGINE_RUN_MOCK_H

#include "engine/run/worker.h"

/* Answers w->q, which is complete, in a later turn of the loop, if w is mocked
 * and the call is none of those that go to the provider all the same. */
bool mock_answer(struct worker *w);
/* Sends q to p, unless that is mocked: then nothing answers it.  For what is
 * asked about ephemeral resources that are open. */
void mock_or_start(struct run_provider *p, struct provider_request *q);
static inline bool run_provider_mocked(const struct run_provider *p)
{
	return p->config && p->config->mocked;
}

#endif
