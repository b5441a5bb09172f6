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
	if (product_is_own()) {
		buf_addf(b,
			 "OpenTofu v%s\n%s v%s, compatible with OpenTofu v%s\n",
			 COMPATIBLE_VERSION, PRODUCT, PACKAGE_VERSION,
			 COMPATIBLE_VERSION);
	} else {
		buf_addf(b, "%s v%s\n", product_name(), COMPATIBLE_VERSION);
	}
	buf_addf(b, "on %s\n", platform_name(a).p);
	if (product_is_own())
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

	buf_puts(b, "{\n");
	if (product_is_own() || product_is_terraform()) /* 1.17 */
		buf_puts(b, "  \"format_version\": \"1.0\",\n");
	buf_addf(b,
		 "  \"terraform_version\": \"%s\",\n"
		 "  \"platform\": \"%s\",\n",
		 COMPATIBLE_VERSION, platform_name(a).p);
	if (product_is_own())
		buf_addf(b, "  \"landlock\": %d,\n  \"seccomp\": %s,\n",
			 c.off ? 0 : c.landlock,
			 c.seccomp && !c.off ? "true" : "false");
	buf_puts(b, "  \"provider_selections\": {");
	for (size_t i = 0; i < f->locks.len; i++)
		buf_addf(b, "%s\n    \"%.*s\": \"%.*s\"", i ? "," : "",
			 STR_ARG(provider_addr_text(
				 a, f->locks.items[i].provider)),
			 STR_ARG(f->locks.items[i].version));
	buf_puts(b, f->locks.len ? "\n  }" : "}");
	if (product_is_terraform())
		buf_puts(b, ",\n  \"terraform_outdated\": false");
	buf_puts(b, "\n}\n");
}
