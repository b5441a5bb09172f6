/* packages.c - see packages.h */
#include "install/packages.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <openssl/evp.h>

#include "base/io.h"

struct str package_platform(struct arena *a)
{
	static const struct {
		const char *machine, *arch;
	} names[] = {
		{ "x86_64", "amd64" },	 { "aarch64", "arm64" },
		{ "arm64", "arm64" },	 { "i686", "386" },
		{ "i386", "386" },	 { "armv7l", "arm" },
		{ "armv6l", "arm" },	 { "riscv64", "riscv64" },
		{ "ppc64le", "ppc64le" }, { "s390x", "s390x" },
	};
	struct utsname u;
	const char *arch;
	char *os;

	if (uname(&u))
		return STR("unknown_unknown");
	arch = u.machine;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(u.machine, names[i].machine) == 0)
			arch = names[i].arch;
	os = arena_strdup(a, u.sysname);
	for (char *p = os; *p; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
	return str_printf(a, "%s_%s", os, arch);
}

static bool is_directory(struct str path)
{
	struct stat st;

	return stat(path.p, &st) == 0 && S_ISDIR(st.st_mode);
}

static int newest_first(const void *x, const void *y)
{
	return version_cmp(&((const struct package *)y)->version,
			   &((const struct package *)x)->version);
}

struct str package_dir(struct arena *a, struct str root,
		       struct provider_addr p, struct str version,
		       struct str platform)
{
	return str_printf(a, "%.*s/%.*s/%.*s/%.*s/%.*s/%.*s", STR_ARG(root),
			  STR_ARG(p.host), STR_ARG(p.namespace),
			  STR_ARG(p.type), STR_ARG(version),
			  STR_ARG(platform));
}

/* The version in "terraform-provider-TYPE_VERSION_OS_ARCH.zip"; empty if the
 * name is another. */
static struct str packed_version(struct arena *a, struct str name,
				 struct provider_addr p, struct str platform)
{
	struct str before = str_printf(a, "terraform-provider-%.*s_",
				       STR_ARG(p.type));
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
	out->dir = str_printf(a, "%.*s/%.*s/%.*s", STR_ARG(base),
			      STR_ARG(name), STR_ARG(platform));
	return is_directory(out->dir);
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

/* Addresses are in small letters, the folders of a mirror as whoever made it
 * spelt them: depth 0 has hosts, 1 namespaces, 2 types. */
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
		    strncasecmp(e->d_name, wanted[depth].p,
				wanted[depth].n) == 0)
			list_below(l, str_printf(l->a, "%.*s/%s", STR_ARG(base),
						 e->d_name), depth + 1);
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
			 : !version_allowed(&r->all, &p->version))
			continue;
		/* A pre-release is chosen only by name. */
		if (!lock && p->version.prerelease.n && !r->all.len)
			continue;
		if (!best || version_cmp(&p->version, &best->version) > 0)
			best = p;
	}
	return best;
}

/* --- hashes --- */

enum { DEPTH_MAX = 50 };

struct names VEC_OF(struct str);

/* Every file below dir, by its path relative to the package. */
static int list_files(struct arena *a, struct str dir, struct str prefix,
		      int depth, struct names *out)
{
	DIR *d = opendir(dir.p);
	struct dirent *e;
	int rc = 0;

	if (!d || depth > DEPTH_MAX) {
		if (d)
			closedir(d);
		return -1;
	}
	while (!rc && (e = readdir(d))) {
		struct str path, name;

		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		name = str_printf(a, "%.*s%s", STR_ARG(prefix), e->d_name);
		path = str_printf(a, "%.*s/%s", STR_ARG(dir), e->d_name);
		if (is_directory(path))
			rc = list_files(a, path,
					str_printf(a, "%.*s/", STR_ARG(name)),
					depth + 1, out);
		else
			vec_push(a, out, name);
	}
	closedir(d);
	return rc;
}

static int by_name(const void *x, const void *y)
{
	return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

/* Programs of a hundred megabytes are not held in memory for it. */
static int digest_file(struct str path, unsigned char *sum, unsigned *n)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	int fd = open(path.p, O_RDONLY | O_CLOEXEC);
	static const size_t room = 64 << 10;
	char *chunk = xmalloc(room);
	ssize_t got = -1;
	bool good = fd >= 0 && ctx &&
		    EVP_DigestInit_ex(ctx, EVP_sha256(), NULL);

	while (good && (got = read(fd, chunk, room)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		good = got > 0 && EVP_DigestUpdate(ctx, chunk, (size_t)got);
	}
	good = good && EVP_DigestFinal_ex(ctx, sum, n);
	if (!good && errno == 0)
		errno = EIO;
	EVP_MD_CTX_free(ctx);
	free(chunk);
	if (fd >= 0) {
		int saved = errno;

		close(fd);
		errno = saved;
	}
	return good ? 0 : -1;
}

static int hash_file(struct buf *out, struct str path, struct str name)
{
	unsigned char sum[EVP_MAX_MD_SIZE];
	unsigned n = 0;
	int rc = digest_file(path, sum, &n);

	for (unsigned i = 0; !rc && i < n; i++)
		buf_addf(out, "%02x", sum[i]);
	buf_addf(out, "  %.*s\n", STR_ARG(name));
	return rc;
}

struct str package_hash(struct arena *a, struct str dir)
{
	unsigned char sum[EVP_MAX_MD_SIZE];
	char text[EVP_MAX_MD_SIZE * 2];
	struct names files = { 0 };
	struct buf lines = BUF_INIT;
	unsigned n = 0;
	int rc = list_files(a, dir, STR(""), 0, &files);

	if (files.len)
		qsort(files.items, files.len, sizeof(*files.items), by_name);
	for (size_t i = 0; !rc && i < files.len; i++)
		rc = hash_file(&lines,
			       str_printf(a, "%.*s/%.*s", STR_ARG(dir),
					  STR_ARG(files.items[i])),
			       files.items[i]);
	if (!rc && !EVP_Digest(lines.p ? lines.p : "", lines.len, sum, &n,
			       EVP_sha256(), NULL))
		rc = -1;
	buf_release(&lines);
	if (rc)
		return STR_NONE;
	EVP_EncodeBlock((unsigned char *)text, sum, (int)n);
	return str_printf(a, "h1:%s", text);
}
