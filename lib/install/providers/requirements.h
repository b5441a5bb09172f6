/*
 * requirements.h - which providers are required, which are locked, and
 * mirrors of them
 */
#ifndef TFPIPE_INSTALL_PROVIDERS_REQUIREMENTS_H
#define TFPIPE_INSTALL_PROVIDERS_REQUIREMENTS_H

#include "config/config.h"
#include "config/source/version.h"
#include "state/state.h"
#include "addr/addr.h"

/* requirements.c: which providers a configuration and a state need */

struct requirement {
	struct provider_addr provider;
	struct str_vec texts;           /* the constraints, as written */
	struct version_constraints all; /* all of them */
	bool declared; /* in required_providers of some module */
	/* The first resource without an explicit provider: the name of its type
	 * decides; without an `of` there is none. */
	struct {
		struct str of, type;
		struct range at;
	} inferred;
};
struct requirement_vec VEC_OF(struct requirement *);

/* All providers of all modules, sorted by address, each once. */
void requirements_collect(struct arena *a, const struct config *c,
			  struct requirement_vec *out);
/* Collects the requirements of one module alone. */
void requirements_of_module(struct arena *a, const struct cfg_module *m,
			    struct requirement_vec *out);
/* Adds the providers of what a state still holds. */
void requirements_of_state(struct arena *a, const struct state *s,
			   struct requirement_vec *v);
/* An error for each provider without a namespace, which states of before 0.13
 * name; a warning of each type that more than one provider of the projects
 * themselves has: most often one of them was not meant. */
int requirements_check(struct arena *a, const struct requirement_vec *v,
		       struct str default_host, struct diags *ds);
bool provider_is_builtin(struct provider_addr p);
/* "~> 1.2, >= 1.4": constraints in the form that lock files have them in,
 * sorted, each once, with whole versions; empty if none. */
struct str requirements_normal(struct arena *a,
			       const struct version_constraints *c);
/* All constraints of r in that form. */
struct str requirement_text(struct arena *a, const struct requirement *r);

/*
 * lockfile.c: .terraform.lock.hcl: which version of each provider is used,
 * and the hashes of its packages
 */

struct lock {
	struct provider_addr provider;
	struct str version;
	struct str constraints;
	struct str_vec hashes;
};

struct lockfile {
	VEC(struct lock) locks;
};

/* A missing file is empty. */
int lockfile_read(struct arena *a, const char *path, struct lockfile *out,
		  struct diags *ds);
/* Locks the versions that Terraform locked of those of HashiCorp's providers
 * that are required of OpenTofu's registry, and warns of it.  The hashes do not
 * count: the packages are others. */
void lockfile_adopt(struct arena *a, struct lockfile *f,
		    const struct requirement_vec *reqs, struct diags *ds);
struct lock *lockfile_find(struct lockfile *f, struct provider_addr p);
/* The text of the file, sorted by provider and hash. */
struct str lockfile_text(struct arena *a, struct lockfile *f);
int lockfile_write(const char *path, struct str text, struct diags *ds);

/*
 * lock_mirror.c: `providers lock`: the lock file from registries, a network
 * mirror or a directory of packages, for this platform and for others
 */

struct lock_mirror_options {
	struct str dir;           /* of packages; empty: hosts are asked */
	struct str net_mirror;    /* empty: the registries */
	struct str_vec platforms; /* "linux_amd64"; none: this one */
	struct str_vec providers; /* sources; none: all that are required */
	struct str default_host;
	void (*say)(void *data, const char *line); /* progress */
	void *data;
};

/* Is there one source, of the right form?  -1: diagnosed. */
int lock_options_check(const struct lock_mirror_options *o, struct diags *ds);
/* Updates .terraform.lock.hcl of the working directory; *changed: its content
 * is different now. */
int lock_providers(struct arena *a, const struct config *c,
		   const struct lock_mirror_options *o, bool *changed,
		   struct diags *ds);

/* Are all of the form OS_ARCH? */
int lock_platforms_check(const struct str_vec *platforms, struct diags *ds);

/*
 * packed_mirror.c: `providers mirror`: the packages that a configuration
 * needs, from their registries into a directory, which is a filesystem mirror
 * and, on a web server, a network mirror.  For `vendor` they come from the CLI
 * configuration's places, whose directories may have them unpacked.
 */

struct packed_mirror_options {
	struct str dir;
	struct str_vec platforms; /* none: this one */
	struct str default_host;
	bool configured; /* the CLI configuration counts; what it overrides is
			    left out, with a warning */
	void (*say)(void *data, const char *line);
	void *data;
};

int mirror_providers(struct arena *a, const struct config *c,
		     const struct packed_mirror_options *o, struct diags *ds);

#endif
