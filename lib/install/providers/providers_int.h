/*
 * providers_int.h - one run of install_providers, and its part for a provider
 *
 * All providers are looked for in parallel, then those not installed are
 * fetched in parallel; each has errors of its own, which are reported in the
 * order of the providers.
 */
#ifndef TFPIPE_INSTALL_PROVIDERS_INT_H
#define TFPIPE_INSTALL_PROVIDERS_INT_H

#include "install/providers/lockfile.h"
#include "install/package/owned_dir.h"
#include "install/providers/places.h"
#include "install/providers/providers.h"
#include "install/providers/remote.h"
#include "install/providers/verify.h"
#include "install/package/workers.h"

struct install_job;

struct installer {
	struct arena *a;
	const struct install_providers_options *o;
	struct cli_config cli;
	struct lockfile locks; /* as they were */
	struct lockfile new_locks;
	struct str platform;  /* this one */
	struct str installed; /* DATA_DIR/providers */
	/* Takes a package that was fetched, or found in a directory; NULL:
	 * job_install.  If set, installed packages do not count, nor, without
	 * by_lock, do hashes of the lock. */
	int (*put)(struct install_job *j);
	bool by_lock;
	/* Before that, in a worker: fills j->found; NULL: nothing, or without
	 * `put` job_unpack. */
	int (*unpack)(struct install_job *j);
	void *put_data;
	struct diags *ds;
	struct install_job *jobs;
	size_t njobs;
	bool any_signed;
	/* of requests, begun with the first */
	struct loop *loop;
	struct package_source remote;
	struct owned_dir own;
	struct str scratch;      /* its path; empty: none yet */
	bool stopped;            /* by a signal */
	struct workers *workers; /* check and unpack what was fetched */
	size_t busy;             /* jobs that wait for an answer */
	bool idle;
};

/* The stage at which a job failed. */
enum job_stage {
	STAGE_FIND,
	STAGE_LOCK, /* the locked version is not allowed */
	STAGE_OFFER,
	STAGE_DOWNLOAD,
	STAGE_CHECK
};

/* A worker's results for a package; with a hash it is unpacked. */
struct unpacked {
	struct str hash;
	bool same; /* its place has the same package */
};

struct install_job {
	struct installer *in;
	const struct requirement *r;
	struct str platform;
	enum job_stage stage;
	const struct lock *old;  /* the entry of the lock file, if any */
	const struct lock *lock; /* the same, if it decides the version */
	struct diags ds;
	bool done; /* there is nothing more to do */
	/* finding */
	struct places places;
	struct versions_answer *answers; /* by place */
	size_t asked;                    /* answers that are still to come */
	struct package_vec all;
	const struct package *chosen;
	/* fetching */
	size_t place; /* the offer's place */
	struct package_offer offer;
	struct str archive; /* downloaded */
	int64_t have, of;   /* of its bytes, while it comes; -1: unknown */
	struct authentication auth;
	struct str tmp; /* it is unpacked here; empty: not yet */
	int claim;      /* of place_claim, or -1 */
	struct unpacked found;
	bool incomplete;       /* the lock has hashes of this platform only */
	struct str_vec hashes; /* for installer.put */
};

/* Prepares for requests; 0, or -1 with a diagnostic. */
int installer_ready(struct installer *in, struct diags *ds);
void job_tell(struct install_job *j, enum provider_event e, struct str detail);
/* Continues a job that has got its answer. */
void job_goes_on(struct install_job *j);

/* Finds, chooses and fetches for all jobs; 0, or -1 where one has errors, which
 * are its own. */
int installer_run(struct installer *in);
void installer_end(struct installer *in);

/* check_work.c: checks of an archive and its unpacking, in a worker. */
typedef void job_checked_fn(struct install_job *j, struct str why);

#endif
