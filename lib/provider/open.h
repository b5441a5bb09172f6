/* open.h - finding and starting the provider for an address */
#ifndef TFPIPE_PROVIDER_OPEN_H
#define TFPIPE_PROVIDER_OPEN_H

#include "provider/provider.h"
#include "base/str.h"

struct provider;
struct provider_package;
struct provider_source;

struct provider *provider_open(struct arena *a, struct loop *loop,
			       struct provider_source *src,
			       struct provider_addr addr, struct diags *ds);
/* Starts the process that provider_open would wait for, if any, so that several
 * providers start in parallel.  For sources with keep_idle. */
void provider_prepare(struct loop *loop, struct provider_source *src,
		      struct provider_addr addr);
/* The provider's version and the hash of its package; NULL: it is built in.
 * Both may be empty: under development, or started by another program. */
const struct provider_package *provider_package(const struct provider *p);
/* With src->keep_idle: ends the processes that were kept for another use.  To
 * be called before the loop they run in is freed. */
void provider_source_close(struct provider_source *src);

/*
 * share.c: a process that several programs of a run use
 *
 * It is never configured, so what one of them asks is nothing to the others:
 * it tells schemas, validates and upgrades.  TFPIPE_SHARED_PROVIDERS names
 * those that run, in the form of TF_REATTACH_PROVIDERS; who finds one there
 * that cannot be reached starts its own.
 */

struct shared_provider;

/* Starts it; the loop serves it.  NULL: it cannot be had, which the programs
 * find out and say. */
struct shared_provider *shared_provider_start(struct arena *a,
					      struct loop *loop,
					      struct provider_source *src,
					      struct provider_addr addr);
/* Its member of the variable's object, when it is there, which is waited for;
 * empty: it has failed. */
struct str shared_provider_entry(struct shared_provider *p);
/* Ends it.  NULL is fine. */
void shared_provider_end(struct shared_provider *p);

/* limit.c: at most so many provider processes at a time */

/* With src->max_processes: would a request have to wait for room now?  p NULL:
 * one to a provider that is not open yet. */
bool provider_asleep(const struct provider_source *src,
		     const struct provider *p);
/* src->work_waits has become less. */
void provider_source_work_done(struct provider_source *src);
/* Waits for the processes that were asked to end to make room. */
void provider_source_settle(struct provider_source *src);

/* remote_schema.c: the schema of a provider process */

/* The schema of a type; NULL when there is none, and with a diagnostic (ds may
 * be NULL) when the provider's is invalid. */
const struct resource_schema *provider_resource_schema(
	const struct provider_schema *s, enum resource_mode mode,
	struct str type, struct diags *ds);

#endif
