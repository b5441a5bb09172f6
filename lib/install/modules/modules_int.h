/* modules_int.h - what the files of this room share */
#ifndef TFPIPE_INSTALL_MODULES_MODULES_INT_H
#define TFPIPE_INSTALL_MODULES_MODULES_INT_H

#include <stdbool.h>

#include "base/str.h"
#include "install/package/copy_tree.h"
#include "install/hosts/login.h"
#include "base/map.h"
#include "config/source/url.h"
#include "install/cli_config.h"
#include "remote/fetch.h"
#include "install/modules/git/git.h"
#include "install/oci/oci.h"
#include "install/modules/modules.h"
#include "base/vec.h"
#include "base/diag.h"
#include "base/opts.h"
#include "config/config.h"
#include "json/json.h"
#include "config/source/source.h"

struct ahead;
struct copies;
struct downloads;
struct git;
struct hosts;
struct module_store;

/*
 * ahead.c: repositories that are cloned before their turn
 *
 * Modules are installed one after another, in the order in which loading asks
 * for them.  All calls of a module are known before the first of them is
 * installed, so their repositories are cloned in parallel, by processes of
 * their own, each into a directory beside that of its module.  When a module's
 * turn comes, its clone is waited for and moved into place.
 *
 * Git never prompts ahead of a turn.  If it fails, for that reason or another,
 * the clone is made again in its turn, and only those errors count.
 */

struct ahead *ahead_new(struct arena *a, struct git *git, struct hosts *hosts);
/* Wants a repository (git_fetch) for the module in dir; false: a clone of it
 * exists, or is wanted already. */
bool ahead_want(struct ahead *h, struct str url, struct str commit,
		struct str dir);
/* All calls of one module have been given: begins to clone, unless there is
 * only one repository, which is left for its turn. */
void ahead_begin(struct ahead *h);
/* Waits for a clone of the repository, which git (git.c) then knows, and moves
 * what was made for dir there.  true: all is done. */
bool ahead_take(struct ahead *h, struct str url, struct str dir);
/* Removes the clones that were not taken. */
void ahead_end(struct ahead *h);

/*
 * copies.c: copies of a package, made before the turns of their modules
 *
 * Many calls of one module may name the same package.  It is fetched in the
 * turn of the first call, and the others get copies (module_store.c).  If there
 * are enough of them, workers make these copies at once, each beside the
 * directory of its module, and in its turn a copy is moved into place.
 *
 * A copy that cannot be made is left for its turn, and only those errors count.
 */

struct copies *copies_new(struct arena *a, struct hosts *hosts);
/* The module in dir will want the package.  true: it is the first that does,
 * which gets the package itself, as the others get copies. */
bool copies_want(struct copies *c, struct str package, struct str dir);
/* The package is complete, in `from`, and stays there until copies_end: begins
 * to copy, unless that is as quickly done in the turns. */
void copies_begin(struct copies *c, struct str package, struct str from,
		  copy_fn *how);
/* Waits for the copy for dir and moves it there.  false: none was made. */
bool copies_take(struct copies *c, struct str dir);
/* Removes the copies that were not taken. */
void copies_end(struct copies *c);

/*
 * downloads.c: files that are downloaded before their turn
 *
 * All calls of a module are known before the first of them is installed, so
 * their archives are requested in parallel, as their repositories are cloned
 * (ahead.c).  A file goes to its place at once; in its turn it is waited for,
 * and its answer counts whatever it is.
 */

struct downloads *downloads_new(struct arena *a, struct hosts *hosts);
/* Wants a file (request.to), to be downloaded from downloads_begin on. */
void downloads_want(struct downloads *d, const struct fetch_request *r);
void downloads_begin(struct downloads *d);
/* The answer to the request: waits for that which is under way for its file, or
 * makes one now.  0, or -1 with out->error. */
int downloads_get(struct downloads *d, const struct fetch_request *r,
		  struct fetch_answer *out);
/* Removes the files that were not taken. */
void downloads_end(struct downloads *d);

/*
 * module_store.c: packages of modules, fetched from wherever they are
 *
 * Each address is fetched once a run: another package with it is a copy,
 * without hidden files (as OpenTofu copies it), files of remote packages as
 * hard links.
 */

struct module_store_options {
	bool input; /* may prompt for names and passwords */
	struct hosts *hosts;
};

struct module_store *module_store_new(struct arena *a,
				      const struct module_store_options *o);
/* Puts the package (struct module_address.package) into dir, which must not
 * exist and whose parent does; of a repository the commit, unless that is
 * empty.  -1 with *why: a sentence without its full stop; then dir is not
 * there. */
int module_store_fetch(struct module_store *s, struct str package,
		       struct str commit, struct str dir, struct str *why);
/* Announces a later module_store_fetch.  true: the package may be fetched ahead
 * of it (ahead.c), from module_store_begin on.
 */
bool module_store_coming(struct module_store *s, struct str package,
			 struct str commit, struct str dir);
void module_store_begin(struct module_store *s);
/* Nothing more is fetched. */
void module_store_end(struct module_store *s);
struct git *module_store_git(struct module_store *s);
/* Finds a subdirectory, which may have wildcards, of a package.  STR_NONE with
 * *why. */
struct str module_subdir(struct arena *a, struct str dir, struct str subdir,
			 struct str *why);

/* What the getters of packages share (module_store.c) */

struct module_store {
	struct arena *a;
	struct module_store_options o;
	struct map fetched; /* package -> struct str *: its directory */
	struct git *git;
	struct map hg_clones; /* address -> struct str *: its directory */
	struct ahead *ahead;
	struct copies *copies;
	struct downloads *downloads;
	struct map asked; /* directory -> struct asking * (module_http.c) */
	struct cli_config *cli; /* with the first registry */
	struct str cli_why;     /* its errors; empty: none */
	struct oci *oci;        /* with the first OCI registry */
	struct map versions;    /* package of a registry -> struct json * */
	struct map locations;   /* PACKAGE VERSION -> struct location * */
	struct str commit;      /* of the package that is fetched; or empty */
	/* VERSION of the registry's package being fetched: then the content at
	 * its address does not change. */
	struct str pinned;
	struct vendor *vendor; /* with the first package, if there is one */
	int hops; /* how often a host said that the package is elsewhere */
};

/* A package, and the parameters of its address, which are taken out of the
 * URL. */
struct package_request {
	struct str url; /* of the getter: without GETTER:: */
	struct url parts;
	struct str kind;     /* of archive; empty: a directory */
	struct str checksum; /* as written; may be empty */
	struct str dir;      /* the destination; NUL-terminated */
};

/* All: 0, or -1 with *why; then dir is not there. */
typedef int get_fn(struct module_store *s, const struct package_request *r,
		   struct str *why);
get_fn module_http_get, module_s3_get, module_gcs_get, module_hg_get,
	module_oci_get;

/* An archive on the web. */
struct web_archive {
	struct str url;
	const struct fetch_header *headers;
	size_t nheaders;
	struct str token; /* for the host; or empty */
	int redirects;    /* as of fetch_request */
	bool sure;        /* the content never changes */
	/* Describes why an answer cannot be used. */
	struct str (*failure)(struct arena *a,
			      const struct fetch_answer *answer);
};

/* checksum.c: ?checksum= of the archives that modules travel in */

/* KIND:HEX, HEX, or file:URL, which is asked. */
int checksum_check(struct module_store *s, const struct package_request *r,
		   struct str file, struct str *why);

/*
 * module_bucket.c: packages of modules in stores of objects (S3, GCS)
 *
 * A package is one object, an archive, or all objects below a name.  Names of
 * objects are compared by their parts: mods/net.zip is not below mods/net.
 */

enum { BUCKET_HEADERS = 4 };
/* The most pages of a list; longer ones are refused. */
enum { BUCKET_PAGES = 1000 };

struct object {
	struct str name; /* below that of the package */
	struct str url;
	struct fetch_header headers[BUCKET_HEADERS];
	size_t nheaders;
	struct str token;
	int64_t size;
};
struct objects VEC_OF(struct object);

/* The prefix of all objects of a package: NAME/, or nothing. */
struct str bucket_prefix(struct arena *a, struct str name);
/* Adds the object, unless it represents a directory.  -1 with *why if its name
 * cannot be a file's. */
int bucket_add(struct arena *a, struct objects *all, const struct object *o,
	       struct str prefix, struct str *why);
/* Fetches them in parallel into r->dir. */
int bucket_fetch(struct module_store *s, const struct package_request *r,
		 const struct objects *all, struct str *why);
/* Fetches a package that is one object, an archive; sure: the content at its
 * address never changes. */
int bucket_archive(struct module_store *s, const struct package_request *r,
		   const struct object *o, bool sure, struct str *why);
/* Refuses a checksum: several objects have no common one. */
int bucket_no_checksum(const struct package_request *r, struct str *why);

/*
 * module_locks.c: .terraform.modules.lock: the version or commit of each
 * package of modules, and its hashes
 *
 * HCL as in .terraform.lock.hcl, but a file of its own, since OpenTofu refuses
 * unknown blocks in that one.  Sorted, so that unchanged locks are the same
 * bytes.
 */

struct module_lock {
	struct str address;    /* of the package, without secrets */
	struct str version;    /* of a registry's module; else empty */
	struct str commit;     /* of a git repository; else empty */
	struct str_vec hashes; /* module_hash.c; one of them it has to be */
	bool used;             /* in this run */
	bool added;            /* in this run: the file does not have it */
};

struct module_locks {
	VEC(struct module_lock) items;
	bool present; /* there is a file */
	struct str text;
};

int module_locks_read(struct arena *a, const char *path,
		      struct module_locks *out, struct diags *ds);
/* NULL: there is none. */
struct module_lock *module_locks_find(const struct module_locks *l,
				      struct str address, struct str version);
void module_lock_add_hash(struct arena *a, struct module_lock *l,
			  struct str hash);
bool module_lock_equal(const struct module_lock *l,
		       const struct module_lock *r);
/* The text of the file. */
struct str module_locks_text(struct arena *a, struct module_locks *l);

/*
 * module_guard.c: holds the packages of modules to the lock file for them
 *
 * Without the file nothing is checked, unless it is to be created.  A package
 * that is a link to a local directory has no lock: its content may change.
 */

struct module_guard_options {
	const struct workdir *workdir;
	bool create;     /* make the file, with what is used and nothing else */
	bool upgrade;    /* ignore its content */
	bool readonly;   /* it is not changed */
	struct git *git; /* gives commits */
};

struct module_guard {
	struct arena *a;
	struct module_guard_options o;
	bool on;
	struct module_locks locks;
	/* The file as of the time of installation: distinguishes a package that
	 * was changed from one whose lock is another now. */
	struct module_locks before;
	struct map digests;
};

/* The package to check, whose version may be empty, in dir, for the module
 * whose path is `path`. */
struct guarded {
	struct str path, package, version, dir;
	bool fetched; /* now */
};

int module_guard_start(struct arena *a, struct module_guard *g,
		       const struct module_guard_options *o, struct diags *ds);
/* The version of a registry's module that the lock file has: the newest that
 * the constraints, which may be empty, allow; STR_NONE: none. */
struct str module_guard_version(const struct module_guard *g,
				struct str package, struct str constraints);
/* The commit of a repository; may be empty. */
struct str module_guard_commit(const struct module_guard *g,
			       struct str package);
/* 0: the package may be used.  1: it is installed, but there is another lock
 * for it now: it has to be fetched again.  -1 after a diagnostic. */
int module_guard_check(struct module_guard *g, const struct guarded *p,
		       struct diags *ds);
/* Is the package a local directory, or a copy of one? */
bool module_guard_own(const struct module_guard *g, const struct guarded *p);
/* Writes the lock file, if it changed, and its copy. */
int module_guard_end(struct module_guard *g, struct diags *ds);

/*
 * module_hash.c: the hash of a module's package
 *
 * "h1:…" as of providers: the SHA-256 of lines with the SHA-256 and name of
 * each file.  A link counts by its target, with "@" after its name; git's own
 * directory (.git) does not count.  Copies of a package lack hidden files
 * (module_store.c), so there are two hashes.
 */

struct module_hash {
	struct str all;
	struct str visible; /* the same where nothing is hidden */
};

/* known: digests of files in this run, which hard links share.  -1 with errno.
 * A package that has not changed since it was hashed is not read again
 * (provider/cache.c). */
int module_hash(struct arena *a, struct map *known, struct str dir,
		struct module_hash *out);

/* module_http.c: packages of modules on web servers */

/* Announces that module_http_get will be called.  true: the archive is
 * downloaded ahead of it, or is kept. */
bool module_http_coming(struct module_store *s,
			const struct package_request *r);
/* Fetches it, unless it is kept, and unpacks it into r->dir. */
int module_http_get_archive(struct module_store *s,
			    const struct package_request *r,
			    const struct web_archive *w, struct str *why);

/* module_store.c: see module_store.c */

int module_store_package(struct module_store *s, struct str package,
			 struct str dir, struct str *why);
/* Unpacks an archive on disk into r->dir. */
int module_store_archive(struct module_store *s,
			 const struct package_request *r, struct str file,
			 struct str *why);
struct remote *module_store_remote(struct module_store *s);
/* Started with the first use. */
struct fetch *module_store_hosts(struct module_store *s);
/* NULL with *why where the CLI configuration is wrong. */
struct services *module_store_services(struct module_store *s, struct str *why);
struct oci *module_store_oci(struct module_store *s, struct str *why);
/* The vendor folder.  NULL with *why. */
const struct vendor *module_store_vendor(struct module_store *s,
					 struct str *why);
/* A package in it; NULL with *why. */
const struct vendored *module_store_vendored(struct module_store *s,
					     struct str package,
					     struct str version,
					     struct str *why);
/* A name beside dir that no module has. */
struct str module_beside(struct arena *a, struct str dir, const char *what);

/* netrc.c: names and passwords for hosts, from the file of ftp(1) */

/* The user's name and password at a host, HOST or HOST:PORT, of NETRC or
 * ~/.netrc. */
bool netrc_find(struct arena *a, struct str host, struct str *user,
		struct str *password);

struct location;

/*
 * module_registry.c: the module registry protocol
 *
 * A registry lists the versions of a module, and gives the location of each
 * one's package.  Each is requested once a run.
 */

struct registry_module {
	struct str host, path; /* HOST, NAMESPACE/NAME/SYSTEM */
	struct str package;    /* HOST/NAMESPACE/NAME/SYSTEM */
	struct str subdir;     /* which the call asks for; may be empty */
	struct str version;    /* chosen by registry_choose */
	struct str located;    /* by registry_fetch: where it is in its
				  package; may be empty */
};

/* The address of a call with SOURCE_REGISTRY. */
void registry_module_read(struct arena *a, struct str source,
			  struct registry_module *out);
/* Chooses the newest version that the call allows.  -1 after a diagnostic,
 * which names the call. */
int registry_choose(struct module_store *s, const struct cfg_call *call,
		    struct registry_module *m, struct diags *ds);
/* Announces that the package will be fetched into dir, from the registry
 * itself.  true: it is downloaded ahead of that, or is kept. */
bool registry_coming_direct(struct module_store *s, const struct location *l,
			    struct str dir);
/* Fetches the package into dir; *subdir is the module's path in it. */
int registry_fetch(struct module_store *s, const struct cfg_call *call,
		   struct registry_module *m, struct str dir,
		   struct str *subdir, struct diags *ds);

/*
 * registry_ahead.c: requests to module registries, made in parallel before
 * their calls' turn
 */

struct registry_wish {
	const struct cfg_call *call;
	/* In: the locked version, or empty.  Out: the version chosen. */
	struct registry_module m;
	struct str dir; /* the directory for its package */
};
struct registry_wishes VEC_OF(struct registry_wish);

/* Asks where all of them are, and says so (module_store_coming): true if any is
 * fetched ahead of its turn.  Reports no errors; failed requests are repeated
 * in their turn.  A single call asks nothing ahead. */
bool registry_coming(struct module_store *s, struct registry_wishes *all);

/*
 * registry_ask.c: questions to module registries and their answers
 * (module_registry.c)
 */

/* The location of a package: an address, or (direct) a URL of the
 * registry's. */
struct location {
	struct module_address at;
	bool direct, with_token;
	struct str url, token;
};

struct registry_question {
	struct str url, token;
};

/* PACKAGE VERSION */
struct str registry_release(struct arena *a, const struct registry_module *m);
/* Make the question for the versions, for the location of m->version: 0, or -1
 * with *why. */
int registry_ask_versions(struct module_store *s,
			  const struct registry_module *m,
			  struct registry_question *out, struct str *why);
int registry_ask_location(struct module_store *s,
			  const struct registry_module *m,
			  struct registry_question *out, struct str *why);
/* Asks, and waits: 0, or -1 with *why. */
int registry_ask(struct module_store *s, const struct registry_question *q,
		 struct fetch_answer *answer, struct str *why);
/* Asks without waiting; `answered` is called from fetch_run. */
void registry_ask_start(struct module_store *s,
			const struct registry_question *q, fetch_fn *answered,
			void *data);

/* Keep the content of an answer for the rest of the run.  NULL: it is
 * invalid. */
const struct json *registry_take_versions(struct module_store *s,
					  const struct registry_module *m,
					  const struct fetch_answer *answer);
const struct location *registry_take_location(struct module_store *s,
					      const struct registry_module *m,
					      const struct registry_question *q,
					      const struct fetch_answer *answer,
					      struct str *why);
/* The location if it is known by now, or NULL. */
const struct location *registry_location(const struct module_store *s,
					 const struct registry_module *m);

/*
 * registry_versions.c: the form of a module registry's list of versions; see
 * module_registry.c
 */

/* registry_versions.c: does an answer have the form {"modules": [{"versions":
 * [{"version": "1.0.0"}]}]}?  Others are an error, as in OpenTofu, not a list
 * without versions. */
bool registry_versions_valid(const struct json *j);

#endif
