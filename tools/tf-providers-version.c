/*
 * tf-providers-version.c - tf version: whose behaviour this has, what it is,
 * and which providers the lock file selects
 *
 * Source of the layout, which programs read: OpenTofu 1.12.6.
 */
#include <stdio.h>

#include "base/product.h"
#include "install/providers/lockfile.h"
#include "install/providers/packages.h"
#include "tf-providers.h"

static void put_text(struct arena *a, const struct lockfile *f)
{
	printf("OpenTofu v%s\n%s v%s, compatible with OpenTofu v%s\non %s\n",
	       COMPATIBLE_VERSION, PRODUCT, PACKAGE_VERSION,
	       COMPATIBLE_VERSION, package_platform(a).p);
	for (size_t i = 0; i < f->locks.len; i++)
		printf("+ provider %.*s v%.*s\n",
		       STR_ARG(provider_addr_text(a, f->locks.items[i].provider)),
		       STR_ARG(f->locks.items[i].version));
}

static void put_json(struct arena *a, const struct lockfile *f)
{
	printf("{\n  \"terraform_version\": \"%s\",\n  \"platform\": \"%s\",\n"
	       "  \"provider_selections\": {", COMPATIBLE_VERSION,
	       package_platform(a).p);
	for (size_t i = 0; i < f->locks.len; i++)
		printf("%s\n    \"%.*s\": \"%.*s\"", i ? "," : "",
		       STR_ARG(provider_addr_text(a, f->locks.items[i].provider)),
		       STR_ARG(f->locks.items[i].version));
	printf("%s}\n}\n", f->locks.len ? "\n  " : "");
}

int show_versions(struct arena *a, bool json, struct diags *ds)
{
	struct lockfile f = { 0 };

	if (lockfile_read(a, ".terraform.lock.hcl", &f, ds))
		return -1;
	if (json)
		put_json(a, &f);
	else
		put_text(a, &f);
	return 0;
}
