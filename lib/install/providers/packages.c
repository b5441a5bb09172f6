/* packages.c - see providers_int.h */
#include <dirent.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>

#include "install/providers/providers_int.h"
#include "base/io.h"

static int newest_first(const void *x, const void *y)
{
	return version_cmp(&((const struct package *)y)->version,
			   &((const struct package *)x)->version);
}

struct str package_dir(struct arena *a, struct str root, struct provider_addr p,
		       struct str version, struct str platform)
{
	return str_printf(a, "%.*s/%.*s/%.*s/%.*s/%.*s/%.*s", STR_ARG(root),
			  STR_ARG(p.host), STR_ARG(p.namespace),
			  STR_ARG(p.type), STR_ARG(version), STR_ARG(platform));
}

/* The version in "terraform-provider-TYPE_VERSION_OS_ARCH.zip"; empty if the
 * name is another. */
static struct str packed_version(struct arena *a, struct str name,
				 struct provider_addr p, struct str platform)
{
	struct str before =
		str_printf(a, "terraform-provider-%.*s_", STR_ARG(p.type));
	struct str after = str_printf(a, "_%.*s.zip", STR_ARG(platform));

	if (!str_starts(name, before.p) || !str_ends(name, after.p) ||
	    name.n <= before.n + after.n)
		return STR_NONE;
	return str_sub(name, before.n, name.n - after.n);
}

/* Is the directory entry a package of p? */
static bool read_entry(struct arena *a, struct str base, struct str name,
		       struct provider_addr p, struct str platform,
		       struct package *out)
{
	struct str packed = packed_version(a, name, p, platform);

	*out = (struct package){ .dir = STR_NONE };
	if (name.p[0] == '.' ||
	    !version_parse(packed.n ? packed : name, &out->version))
		return false;
	out->version_text = version_text(a, &out->version);
	if (packed.n) {
		out->archive = str_printf(a, "%.*s/%.*s", STR_ARG(base),
					  STR_ARG(name));
		return true;
	}
	out->dir = str_printf(a, "%.*s/%.*s/%.*s", STR_ARG(base), STR_ARG(name),
			      STR_ARG(platform));
	return io_is_directory(out->dir.p);
}

struct listing {
	struct arena *a;
	struct provider_addr p;
	struct str platform;
	struct package_vec *out;
};

static void list_packages(const struct listing *l, struct str base)
{
	DIR *d = opendir(base.p);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		struct str name = str_dup(l->a, str_c(e->d_name));
		struct package pkg;

		if (read_entry(l->a, base, name, l->p, l->platform, &pkg))
			vec_push(l->a, l->out, pkg);
	}
	if (d)
		closedir(d);
}

/* Ignores case: addresses are in small letters, folders of a mirror may not be.
 * Depth 0 has hosts, 1 namespaces, 2 types. */
static void list_below(const struct listing *l, struct str base, int depth)
{
	const struct str wanted[] = { l->p.host, l->p.namespace, l->p.type };
	struct dirent *e;
	DIR *d;

	if (depth == 3) {
		list_packages(l, base);
		return;
	}
	d = opendir(base.p);
	while (d && (e = readdir(d)))
		if (strlen(e->d_name) == wanted[depth].n &&
		    strncasecmp(e->d_name, wanted[depth].p, wanted[depth].n) ==
			    0)
			list_below(l,
				   str_printf(l->a, "%.*s/%s", STR_ARG(base),
					      e->d_name),
				   depth + 1);
	if (d)
		closedir(d);
}

void packages_list(struct arena *a, struct str root, struct provider_addr p,
		   struct str platform, struct package_vec *out)
{
	const struct listing l = { a, p, platform, out };
	size_t before = out->len;

	list_below(&l, str_printf(a, "%.*s", STR_ARG(root)), 0);
	if (out->len > before)
		qsort(out->items + before, out->len - before,
		      sizeof(*out->items), newest_first);
}

const struct package *package_choose(const struct requirement *r,
				     const struct lock *lock,
				     const struct package_vec *all)
{
	const struct package *best = NULL;
	struct version locked;

	if (lock && !version_parse(lock->version, &locked))
		lock = NULL;
	for (size_t i = 0; i < all->len; i++) {
		const struct package *p = &all->items[i];

		if (lock ? version_cmp(&p->version, &locked) != 0
			 : !version_allowed_of_provider(&r->all, &p->version))
			continue;
		if (!best || version_cmp(&p->version, &best->version) > 0)
			best = p;
	}
	return best;
}

/* --- the program --- */

/* Is it a name of the program of p: terraform-provider-TYPE, with anything
 * after a '_' or '.'? */
static bool names_program(const char *name, struct provider_addr p)
{
	static const char prefix[] = "terraform-provider-";
	const size_t n = sizeof(prefix) - 1;
	const char *rest = name + n;

	if (strncmp(name, prefix, n) != 0 ||
	    strncmp(rest, p.type.p, p.type.n) != 0)
		return false;
	rest += p.type.n;
	return *rest == '\0' || *rest == '_' || *rest == '.';
}

/* The program in a directory; empty if there is none.  Of several the first by
 * name. */
struct str package_program(struct arena *a, struct str dir,
			   struct provider_addr p)
{
	struct str best = STR_NONE;
	DIR *d = opendir(arena_strndup(a, dir.p, dir.n));
	struct dirent *e;

	while (d && (e = readdir(d))) {
		struct str path;
		struct stat st;

		if (!names_program(e->d_name, p))
			continue;
		path = str_printf(a, "%.*s/%s", STR_ARG(dir), e->d_name);
		if (stat(path.p, &st) || !S_ISREG(st.st_mode))
			continue;
		if (!best.n || str_cmp(path, best) < 0)
			best = path;
	}
	if (d)
		closedir(d);
	return best;
}
