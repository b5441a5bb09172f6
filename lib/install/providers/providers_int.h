/*
 * providers_int.h - one run of install_providers, and its part for a provider
 *
 * All providers are looked for in parallel, then those not installed are
 * fetched in parallel; each has errors of its own, which are reported in the
 * order of the providers.
 */
#ifndef TFPIPE_INSTALL_PROVIDERS_PROVIDERS_INT_H
#define TFPIPE_INSTALL_PROVIDERS_PROVIDERS_INT_H

#include "addr/addr.h"
#include "config/source/version.h"
#include "install/package/hash.h"
#include "install/providers/requirements.h"
#include "remote/remote.h"
#include "install/cli_config.h"
#include "base/opts.h"
#include "install/providers/providers.h"
#include "install/package/kept.h"
#include "install/package/unpack.h"

struct install_job;

/*
 * packages.c: provider packages in directories
 *
 * A directory of packages has the layout of filesystem mirrors, unpacked (which
 * is also that of DATA_DIR/providers) or packed, or both:
 *
 * 	HOST/NAMESPACE/TYPE/VERSION/OS_ARCH/terraform-provider-TYPE…
 * 	HOST/NAMESPACE/TYPE/terraform-provider-TYPE_VERSION_OS_ARCH.zip
 */

struct package {
	struct version version;
	struct str version_text;
	struct str dir;     /* of the unpacked package; empty: packed, or with
			       an empty archive: on another machine */
	struct str archive; /* the zip file of a packed one */
	size_t place;       /* index of its place, for the caller */
	struct str_vec protocols; /* as its registry has them; or empty */
};
struct package_vec VEC_OF(struct package);

/* Adds all packages of p for the platform below root, newest first.  A
 * directory that does not exist holds none. */
void packages_list(struct arena *a, struct str root, struct provider_addr p,
		   struct str platform, struct package_vec *out);
/* ROOT/HOST/NAMESPACE/TYPE/VERSION/OS_ARCH */
struct str package_dir(struct arena *a, struct str root, struct provider_addr p,
		       struct str version, struct str platform);
/* The locked version if there is a lock, else the newest that is allowed; of
 * equals the first.  NULL: there is none. */
const struct package *package_choose(const struct requirement *r,
				     const struct lock *lock,
				     const struct package_vec *all);
/* The program of p in the directory of its package; STR_NONE: it has none. */
struct str package_program(struct arena *a, struct str dir,
			   struct provider_addr p);

/*
 * places.c: the places that may have packages of a provider
 *
 * The directories of -plugin-dir, or else all places of the CLI configuration
 * that serve the provider.
 */

struct places VEC_OF(const struct mirror *);

/* All that may have packages of p, in the order in which they count. */
void places_of(struct arena *a, const struct cli_config *cli,
	       const struct str_vec *plugin_dirs, struct provider_addr p,
	       struct places *out);
/* Is it asked over the network? */
bool place_is_remote(const struct mirror *m);
/* A place's name in messages: "the registry HOST", a directory. */
struct str place_text(struct arena *a, const struct mirror *m,
		      struct provider_addr p);

/*
 * verify.c: checks the authenticity of fetched packages
 *
 * A registry has the checksums of all platforms signed: SHA256SUMS and its
 * OpenPGP signature, which gpgv(1) verifies with the keys that the registry
 * names and nothing else.  A network mirror gives hashes, or nothing.
 */

struct authentication {
	struct str how;       /* "signed", "verified checksum", … */
	struct str key_id;    /* of the signature; empty: there is none */
	bool skipped;         /* the registry has no key for the provider */
	bool expired;         /* the key has */
	struct str zip_hash;  /* "zh:…" of the archive */
	struct str_vec local; /* hashes that were verified here */
	struct str_vec
		vouched; /* of all platforms, by who signs or is trusted */
};

/* Is it one, in hexadecimal? */
bool verify_is_sha256(struct str s);
/* Does the offer agree with itself, so that its archive is worth fetching?  -1
 * with *why, a sentence without a full stop. */
int verify_offer(struct arena *a, const struct package_offer *offer,
		 struct str platform, struct str *why);
/* Is the file the archive that was offered and signed, and one that the lock
 * allows, if it has this version?  allowed may be NULL; ARCHIVE.gpg is used for
 * what gpgv needs. */
int verify_archive(struct arena *a, struct provider_addr p,
		   const struct package_offer *offer, struct str platform,
		   struct str archive, const struct str_vec *allowed,
		   struct authentication *out, struct str *why);

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

/*
 * check_work.c: the checks of an archive, and its unpacking; see
 * providers_int.h
 */

void job_check(struct install_job *j, job_checked_fn *fn);

/* claim.c: temporary directories of packages */

/* claim.c: a descriptor that keeps others from removing what is unpacked beside
 * `place`, ROOT/…/VERSION/OS_ARCH; VERSION must exist.  Removes what killed
 * processes left in it and in other versions.  -1: locks do not work. */
int place_claim(struct arena *a, struct str place);

/*
 * fetch_packages.c: packages of any platform: for `providers lock` and
 * `providers mirror`, which ask registries or a network mirror whatever the CLI
 * configuration says of places, and for `vendor`, which follows it
 */

/* The summaries of errors, by how far the job got. */
struct fetch_summaries {
	const char *find, *lock, *offer, *download, *check;
};

struct fetch_packages_options {
	const struct requirement_vec *reqs;
	const struct str_vec *platforms;
	struct lockfile *locks; /* decide versions */
	struct str net_mirror;  /* an https address; empty: registries */
	/* Gives the places instead; then a package must be one that the lock
	 * file allows.  NULL: as above. */
	const struct cli_config *cli;
	/* The directory for archives, in the layout of packed mirrors (unpacked
	 * packages of directories stay unpacked); empty: archives are removed
	 * once their hashes are known. */
	struct str archives;
	struct fetch_summaries summaries;
	/* PROVIDER_INSTALLING before, PROVIDER_INSTALLED after each */
	void (*event)(void *data, const struct provider_news *n);
	void *data;
	struct str default_host;
};

struct fetched_package {
	const struct requirement *r;
	struct str version, platform;
	struct str_vec hashes; /* for the lock file; of an archive that is kept,
				  those that are about it */
};
struct fetched_packages VEC_OF(struct fetched_package);

/* Fetches all of them in parallel; -1 if one is missing (the others are
 * fetched). */
int fetch_packages(struct arena *a, const struct fetch_packages_options *o,
		   struct fetched_packages *out, struct diags *ds);

/* find.c: choosing the version of a provider */

/* find.c: lists the versions and chooses one. */
void job_find(struct install_job *j);
void job_choose(struct install_job *j);

/* gpgv.c: OpenPGP signatures, by gpgv(1); see verify.c */

/* gpgv.c: a detached signature of document by one of the armored keys.  0 with
 * the primary key's ID; 1: none of them made it; -1 with *why. */
int gpgv_verify(struct arena *a, struct str document, struct str signature,
		const struct str_vec *keys, struct str scratch,
		struct str *key_id, bool *expired, struct str *why);

/* install.c: putting a package into its place */

/* May the chosen package, whose files hash to this, be used by the lock? */
int job_check_hash(struct install_job *j, struct str hash);
/* Uses the locked package if it is installed or in the plugin cache; 1: it is
 * not. */
int job_use_present(struct install_job *j, struct str version);
/* Does the plugin cache have the chosen package, of which the lock file has no
 * hash, and may it be taken as it is? */
bool job_may_use_unlocked(const struct install_job *j);
int job_use_unlocked(struct install_job *j);
/* The directory to unpack the archive in: beside its place. */
struct str job_temporary(struct install_job *j);
/* Unpacks and checks an archive in j->tmp; on failure nothing is left. */
int job_unpack(struct install_job *j);
/* Removes what was unpacked and not put in its place. */
void job_drop(struct install_job *j);
/* Puts the package where it belongs, a directory's or the archive (which is
 * unpacked unless it is already), and remembers its hashes. */
int job_install(struct install_job *j);

/* net_mirror.c: the provider network mirror protocol; see providers.h */

/* A network mirror. */
void mirror_versions(struct package_source *r, const struct mirror *m,
		     struct provider_addr p, versions_fn *fn, void *data);
void mirror_package(struct package_source *r, const struct mirror *m,
		    struct provider_addr p, struct str version,
		    struct str platform, package_fn *fn, void *data);

/* oci_mirror.c: providers in OCI registries; see providers.h */

/* An OCI mirror. */
void oci_mirror_versions(struct package_source *r, const struct mirror *m,
			 struct provider_addr p, versions_fn *fn, void *data);
void oci_mirror_package(struct package_source *r, const struct mirror *m,
			struct provider_addr p, struct str version,
			struct str platform, package_fn *fn, void *data);

/* registry.c: the provider registry protocol; see providers.h */

/* The registry of the provider's host. */
void registry_versions(struct package_source *r, struct provider_addr p,
		       versions_fn *fn, void *data);
void registry_package(struct package_source *r, struct provider_addr p,
		      struct str version, struct str platform, int retries,
		      package_fn *fn, void *data);
/* Do we support a protocol of the list?  true if the list is empty. */
bool registry_protocols_spoken(const struct str_vec *protocols);
/* Why an answer cannot be used: "423 Locked", or "request failed after 2
 * attempts: …". */
struct str answer_failure(struct arena *a, const struct fetch_answer *answer);

/* registry.c: finding the namespace of a type; see providers.h */

void registry_namespace(struct package_source *r, struct provider_addr p,
			namespace_fn *fn, void *data);

/* remote_install.c: a package from a host */

/* remote_install.c: offer, download, checks, then job_install. */
void job_fetch(struct install_job *j);
/* Checks an archive on this machine, then job_install. */
void job_unpack_beside(struct install_job *j);
/* The lock's hashes if they count for the chosen version; else NULL. */
const struct str_vec *job_allowed_hashes(const struct install_job *j);

#endif
