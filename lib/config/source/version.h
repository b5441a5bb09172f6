/*
 * version.h - version numbers and constraints ("~> 1.2, != 1.2.5")
 *
 * The rules are those of the language's constraint strings: segments count
 * numerically, missing ones are 0.  They differ in pre-releases: a module's
 * satisfies only a constraint that names a pre-release of the same segments, a
 * provider's is chosen only where a constraint names exactly it.
 */
#ifndef TFPIPE_CONFIG_VERSION_H
#define TFPIPE_CONFIG_VERSION_H

#include "base/str.h"
#include "base/vec.h"

enum { VERSION_SEGMENTS = 8 };

struct version {
	uint64_t seg[VERSION_SEGMENTS]; /* 0 beyond those written */
	size_t given;                   /* segments written */
	bool letter;                    /* written with a "v" before them */
	struct str prerelease;          /* without "-"; empty if none */
	struct str metadata;            /* without "+"; empty if none */
};

/* s must be all of the version; with an optional "v" before it.  Slices point
 * into s. */
bool version_parse(struct str s, struct version *out);
/* "1.2.3-beta.1+x", at least three segments. */
struct str version_text(struct arena *a, const struct version *v);
/* Precedence; metadata does not count. */
int version_cmp(const struct version *a, const struct version *b);

enum version_op {
	VERSION_EQ,
	VERSION_NE,
	VERSION_GT,
	VERSION_LT,
	VERSION_GE,
	VERSION_LE,
	VERSION_PESSIMISTIC, /* ~> */
};

struct version_constraint {
	enum version_op op;
	struct version v;
};
struct version_constraints VEC_OF(struct version_constraint);

/* Comma-separated; false when s is not written correctly. */
bool version_constraints_parse(struct arena *a, struct str s,
			       struct version_constraints *out);
/* ">= 1.2.0", in the normal form of lock files: segments as given after ~>,
 * three otherwise. */
struct str version_constraint_text(struct arena *a,
				   const struct version_constraint *c);
/* Are all of them satisfied? */
bool version_allowed(const struct version_constraints *c,
		     const struct version *v);
/* May v be chosen for a provider?  A pre-release only if a constraint is
 * exactly that version, so without constraints never. */
bool version_allowed_of_provider(const struct version_constraints *c,
				 const struct version *v);

#endif
