/* versions.c - see versions.h */
#include "ui/show/versions.h"

#include "addr/provider.h"
#include "base/product.h"
#include "install/package/platform.h"

void versions_text(struct arena *a, struct buf *b, const struct lockfile *f)
{
	buf_addf(b,
		 "OpenTofu v%s\n%s v%s, compatible with OpenTofu v%s\non %s\n",
		 COMPATIBLE_VERSION, PRODUCT, PACKAGE_VERSION,
		 COMPATIBLE_VERSION, package_platform(a).p);
	for (size_t i = 0; i < f->locks.len; i++)
		buf_addf(b, "+ provider %.*s v%.*s\n",
			 STR_ARG(provider_addr_text(
				 a, f->locks.items[i].provider)),
			 STR_ARG(f->locks.items[i].version));
}

void versions_json(struct arena *a, struct buf *b, const struct lockfile *f)
{
	buf_addf(b,
		 "{\n  \"terraform_version\": \"%s\",\n"
		 "  \"platform\": \"%s\",\n  \"provider_selections\": {",
		 COMPATIBLE_VERSION, package_platform(a).p);
	for (size_t i = 0; i < f->locks.len; i++)
		buf_addf(b, "%s\n    \"%.*s\": \"%.*s\"", i ? "," : "",
			 STR_ARG(provider_addr_text(
				 a, f->locks.items[i].provider)),
			 STR_ARG(f->locks.items[i].version));
	buf_puts(b, f->locks.len ? "\n  }\n}\n" : "}\n}\n");
}
