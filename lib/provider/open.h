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

/*
 * plugin_log.c: the log of plugins' output
 *
 * A plugin's standard error carries JSON lines with a level, or any text.
 * Lines at or above the level in TF_LOG_PROVIDER (else TF_LOG) are appended to
 * TF_LOG_PATH, or written to our standard error, as in OpenTofu's log.
 */

enum log_level { LOG_TRACE, LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR, LOG_OFF };

struct plugin_log {
	enum log_level level; /* LOG_OFF: nothing is written */
	bool json;            /* TF_LOG=JSON */
	int fd;
	bool opened; /* fd is ours to close */
};

/* Is it one of the words, or empty? */
bool log_level_valid(const char *word);
/* As the environment asks.  A log file that cannot be opened is replaced by
 * standard error. */
void plugin_log_open(struct plugin_log *l);
/* Opens the log of our own messages: TF_LOG_CORE, else TF_LOG. */
void plugin_log_open_core(struct plugin_log *l);
void plugin_log_close(struct plugin_log *l);
/* name: "provider.terraform-provider-random_v3.9.0" */
void plugin_log_write(const struct plugin_log *l, enum log_level level,
		      struct str name, struct str message);
/* A line of a plugin's standard error. */
void plugin_log_line(const struct plugin_log *l, struct str name,
		     struct str line);

#endif
