/*
 * source.h - where provider programs come from
 *
 * lib/provider runs programs; lib/install decides which one serves an address
 * (installed and in the lock file, a development override, one that runs
 * already), through this interface.
 */
#ifndef TFPIPE_PROVIDER_SOURCE_H
#define TFPIPE_PROVIDER_SOURCE_H

#include "addr/addr.h"
#include "base/map.h"

struct workdir;

struct provider_package {
	struct str exe;     /* the program's path */
	struct str version; /* may be empty: not known */
	struct str hash;    /* of the package, as the lock file has it; empty:
	                       the schema is not cached on disk */
};

struct provider_source {
	/* 0, or -1 with a diagnostic: "Missing required provider" and the like.
	 * Called once per address; its results live in a. */
	int (*find)(struct provider_source *s, struct arena *a,
		    struct provider_addr addr, struct provider_package *out,
		    struct diags *ds);
	void *data;
	struct str default_host; /* fills addresses the user abbreviates */
	const struct workdir *workdir; /* NULL: none in particular */
	/* A process that was closed and never configured serves the next user
	 * that opens its address in the same loop; provider_source_close. */
	bool keep_idle;
	/* The schema that an earlier run kept is used until a process gives
	 * another one.  ask: that is not enough, the process is asked first
	 * unless it has been.  trial: the work is repeatable, so answers count
	 * before the process has confirmed the schema, until
	 * provider_source_confirm; else they are held back. */
	bool ask, trial;
	/* A process gave another schema than the one in use, and all its calls
	 * fail from then on.  Callers that are able to start over do so, now
	 * that it is known. */
	bool changed;
	struct arena *arena; /* lives as long as every provider */
	/* The most processes at a time; 0: any number.  Requests to providers
	 * without one wait for room (limit.c). */
	unsigned max_processes;
	/* How much of the run's work waits for its turn: meanwhile, while some
	 * processes are in use, none is ended to make room. */
	size_t work_waits;
	/* Private to lib/provider; zeroed at first. */
	struct map known; /* address -> what was found, its schema */
	struct limit *limit;
};

#endif
