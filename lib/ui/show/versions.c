/* versions.c - see providers.h */
#include "ui/show/providers.h"
#include "addr/provider.h"
#include "base/confine.h"
#include "base/product.h"
#include "remote/remote.h"

static void put_confinement(struct buf *b)
{
	const struct confinement c = confine_known();

	if (c.off || (!c.landlock && !c.seccomp)) {
		buf_addf(b, "stages not confined: %s\n",
			 c.off ? "TFPIPE_CONFINE says so"
			       : "the kernel has no Landlock and no seccomp");
		return;
	}
	buf_puts(b, "stages confined by ");
	if (c.landlock)
		buf_addf(b, "Landlock (version %d)%s", c.landlock,
			 c.seccomp ? " and " : "");
	buf_puts(b, c.seccomp ? "seccomp" : "");
	if (!c.landlock || !c.seccomp)
		buf_addf(b, "; the kernel has no %s",
			 c.seccomp ? "Landlock" : "seccomp");
	buf_putc(b, '\n');
}

void versions_text(struct arena *a, struct buf *b, const struct lockfile *f)
{
	buf_addf(b,
		 "OpenTofu v%s\n%s v%s, compatible with OpenTofu v%s\non %s\n",
		 COMPATIBLE_VERSION, PRODUCT, PACKAGE_VERSION,
		 COMPATIBLE_VERSION, platform_name(a).p);
	put_confinement(b);
	for (size_t i = 0; i < f->locks.len; i++)
		buf_addf(b, "+ provider %.*s v%.*s\n",
			 STR_ARG(provider_addr_text(
				 a, f->locks.items[i].provider)),
			 STR_ARG(f->locks.items[i].version));
}

void versions_json(struct arena *a, struct buf *b, const struct lockfile *f)
{
	const struct confinement c = confine_known();

	buf_addf(b,
		 "{\n  \"terraform_version\": \"%s\",\n"
		 "  \"platform\": \"%s\",\n"
		 "  \"landlock\": %d,\n  \"seccomp\": %s,\n"
		 "  \"provider_selections\": {",
		 COMPATIBLE_VERSION, platform_name(a).p, c.off ? 0 : c.landlock,
		 c.seccomp && !c.off ? "true" : "false");
	for (size_t i = 0; i < f->locks.len; i++)
		buf_addf(b, "%s\n    \"%.*s\": \"%.*s\"", i ? "," : "",
			 STR_ARG(provider_addr_text(
				 a, f->locks.items[i].provider)),
			 STR_ARG(f->locks.items[i].version));
	buf_puts(b, f->locks.len ? "\n  }\n}\n" : "}\n}\n");
}
