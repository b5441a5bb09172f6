/* platform.c - see remote.h */
#include <sys/utsname.h>

#include "remote/remote.h"

struct str platform_name(struct arena *a)
{
	static const struct {
		const char *machine, *arch;
	} names[] = {
		{ "x86_64", "amd64" },    { "aarch64", "arm64" },
		{ "arm64", "arm64" },     { "i686", "386" },
		{ "i386", "386" },        { "armv7l", "arm" },
		{ "armv6l", "arm" },      { "riscv64", "riscv64" },
		{ "ppc64le", "ppc64le" }, { "s390x", "s390x" },
	};
	struct utsname u;
	const char *arch;

	if (uname(&u))
		return STR("unknown_unknown");
	arch = u.machine;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(u.machine, names[i].machine) == 0)
			arch = names[i].arch;
	return str_printf(a, "%s_%s", str_lower(a, str_c(u.sysname)).p, arch);
}
