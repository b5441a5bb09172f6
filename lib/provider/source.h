/*
 * source.h - where provider programs come from
 *
 * lib/provider runs programs; which one serves an address (installed and in the
 * lock file, a development override, one that runs already) is for
 * lib/install to say, through this interface.
 */
#ifndef TFPIPE_PROVIDER_SOURCE_H
#define TFPIPE_PROVIDER_SOURCE_H

#include "addr/addr.h"
#include "base/map.h"

struct provider_package {
	struct str exe;     /* the program's path */
	struct str version; /* may be empty: not known */
	struct str hash;    /* of the package, as the lock file has it; empty:
	                       the schema is not cached on disk */
};

struct provider_source {
	/* 0, or -1 with a diagnostic: "Missing required provider" and the
	 * like.  Asked once an address; what it gives lives in a. */
	int (*find)(struct provider_source *s, struct arena *a,
		    struct provider_addr addr, struct provider_package *out,
		    struct diags *ds);
	void *data;
	struct str default_host; /* fills addresses the user abbreviates */
	/* A process that was closed and had not been configured serves the next
	 * who opens its address in the same loop; provider_source_close. */
	bool keep_idle;
	/* The schema that an earlier run kept is used until a process says that
	 * it has another one.  ask: it will not do, the process is asked first
	 * where it has not been.  trial: what is done can be done again, so
	 * answers count before the process has said anything, until
	 * provider_source_confirm; else they are held back. */
	bool ask, trial;
	/* A process gave another schema than the one that was used, and all its
	 * calls fail from then on.  Who can begins again, for now it is
	 * known. */
	bool changed;
	struct arena *arena; /* lives as long as every provider */
	/* How many processes there may be at a time; 0: any number.  Who has
	 * none waits for room (limit.c). */
	unsigned max_processes;
	/* How much of the work of a run waits for its turn: while some of the
	 * processes that are there are in use, no other is started in its
	 * way. */
	size_t work_waits;
	/* Private to lib/provider; zeroed at first. */
	struct map known; /* address -> what was found, its schema */
	struct limit *limit;
};

#endif
