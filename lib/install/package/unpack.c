/* unpack.c - see unpack.h */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "install/package/unpack.h"
#include "archive/archive.h"
#include "base/io.h"
#include "crypto/crypto.h"
#include "install/package/hash.h"

enum {
	MOST_ENTRIES = 1000000,
	MODULE_MIB = 4096,
	PROVIDER_MIB = 8192 /* the largest is about 800 */
};

struct unpack {
	struct arena *a;
	struct packed *in;
	struct str dir; /* empty: nothing is written */
	int64_t left;   /* bytes that may still come */
	size_t entries; /* files and directories so far */
	bool module;
	struct str_vec *lines; /* of the hash of the files; NULL: none */
	struct str *why;
};

void unpack_load(void)
{
	packed_load();
	digest_load();
}

static int failed(struct unpack *u, const char *why)
{
	*u->why = str_c(arena_strdup(u->a, why ? why : "unknown error"));
	return -1;
}

static int64_t limit(const char *variable, long usual)
{
	const char *text = getenv(variable);
	const long mib = text && *text ? strtol(text, NULL, 10) : 0;

	return (int64_t)(mib > 0 && mib < 1 << 30 ? mib : usual) << 20;
}

static int64_t provider_limit(void)
{
	return limit("TFPIPE_MAX_PROVIDER_SIZE", PROVIDER_MIB);
}

int64_t unpack_module_limit(void)
{
	return limit("TFPIPE_MAX_MODULE_SIZE", MODULE_MIB);
}

/* Relative, without a way up, and nothing that moves a terminal. */
static bool is_inside(struct str path)
{
	size_t from = 0;

	if (!path.n || path.p[0] == '/')
		return false;
	for (size_t i = 0; i <= path.n; i++) {
		const unsigned char c =
			i < path.n ? (unsigned char)path.p[i] : '/';

		if (c < 0x20 || c == 0x7f)
			return false;
		if (c != '/' && c != '\\')
			continue;
		if (str_is(str_sub(path, from, i), ".."))
			return false;
		from = i + 1;
	}
	return true;
}

/* What goes on at an offset with n bytes is as long as that says: the holes of
 * sparse files count against the limit, for they are read, too. */
static int lengthen(struct unpack *u, int64_t *end, int64_t at, size_t n)
{
	if (at < *end)
		return failed(u, "it is damaged");
	u->left -= at - *end + (int64_t)n;
	*end = at + (int64_t)n;
	return u->left < 0 ? failed(u, "it is too large") : 0;
}

/* No kind that is hashed has holes. */
static int copy_blocks(struct unpack *u, int fd, struct digest *sum)
{
	const void *block;
	int64_t at = 0, end = 0;
	size_t n;
	int rc;

	while ((rc = packed_data(u->in, &block, &n, &at)) > 0) {
		if (lengthen(u, &end, at, n))
			return -1;
		if (sum)
			digest_add(sum, block, n);
		if (fd >= 0 &&
		    (lseek(fd, at, SEEK_SET) < 0 || io_write_all(fd, block, n)))
			return failed(u, strerror(errno));
	}
	if (rc)
		return failed(u, packed_why(u->in));
	if (lengthen(u, &end, at, 0)) /* by the hole that it ends in */
		return -1;
	return fd >= 0 && ftruncate(fd, end) ? failed(u, strerror(errno)) : 0;
}

/* The name as listing the directory gives it, for installed packages are hashed
 * again: without empty parts and ".". */
static struct str plain_name(struct arena *a, struct str name)
{
	struct str out = STR_NONE;

	while (name.n) {
		const ptrdiff_t slash = str_chr(name, '/');
		const size_t n = slash < 0 ? name.n : (size_t)slash;
		const struct str part = str_sub(name, 0, n);

		name = str_sub(name, slash < 0 ? n : n + 1, name.n);
		if (part.n && !str_is(part, "."))
			out = STR_CAT(a, out, out.n ? STR("/") : STR_NONE,
				      part);
	}
	return out;
}

/* fd may be -1.  The line is the one of hash.h. */
static int copy_data(struct unpack *u, int fd, const char *name)
{
	struct digest *sum = u->lines ? digest_new("sha256") : NULL;
	unsigned char digest[DIGEST_MAX];
	int rc = copy_blocks(u, fd, sum);
	const size_t n = digest_end(sum, digest);

	if (rc || !u->lines)
		return rc;
	if (!n)
		return failed(u, "it cannot be hashed on this machine");
	vec_push(u->a, u->lines,
		 STR_CAT(u->a, str_hex(u->a, digest, n), STR("  "),
			 plain_name(u->a, str_c(name))));
	return 0;
}

static int make_parent(struct unpack *u, char *path)
{
	char *slash = strrchr(path, '/');
	int rc;

	*slash = '\0';
	rc = io_make_dirs(path, 0777);
	*slash = '/';
	return rc ? failed(u, strerror(errno)) : 0;
}

/* Of a provider each file comes once, of a module the last one counts. */
static int open_file(struct unpack *u, const struct packed_entry *e, char *path)
{
	const mode_t mode = e->mode | 0600;
	int fd;

	if (make_parent(u, path))
		return -1;
	fd = open(path,
		  O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW |
			  (u->module ? O_TRUNC : O_EXCL),
		  mode);
	if (fd < 0)
		failed(u, strerror(errno));
	else if (u->module)
		fchmod(fd, mode);
	return fd;
}

static int copy_file(struct unpack *u, const struct packed_entry *e, char *path)
{
	int fd, rc;

	if (!u->dir.n)
		return copy_data(u, -1, e->name);
	fd = open_file(u, e, path);
	if (fd < 0)
		return -1;
	rc = copy_data(u, fd, e->name);
	if (u->module && e->dated)
		futimens(fd, (struct timespec[]){ { .tv_nsec = UTIME_NOW },
						  { .tv_sec = e->time } });
	if (close(fd) && !rc)
		rc = failed(u, strerror(errno));
	return rc;
}

static int copy_entry(struct unpack *u, const struct packed_entry *e)
{
	const char *name = e->name;
	char *path;

	while (u->module && name && *name == '/')
		name++;
	if (u->module && name && !*name)
		return 0;
	if (!name || !is_inside(str_c(name)))
		return failed(u, "a name in it leads elsewhere, or is none");
	if (++u->entries > MOST_ENTRIES)
		return failed(u, "it holds too many files");
	path = arena_printf(u->a, "%.*s/%s", STR_ARG(u->dir), name);
	switch (e->type) {
	case PACKED_DIRECTORY:
		return u->dir.n && io_make_dirs(path, 0777)
			       ? failed(u, strerror(errno))
			       : 0;
	case PACKED_LINK:
		if (!u->module)
			break;
		__attribute__((fallthrough));
	case PACKED_FILE:
		return copy_file(u, e, path);
	default:
		break;
	}
	return failed(u, "it holds something that is no file");
}

static int copy_entries(struct unpack *u)
{
	struct packed_entry e;
	int rc;

	while ((rc = packed_next(u->in, &e)) > 0)
		if (copy_entry(u, &e))
			return -1;
	if (rc)
		return failed(u, packed_why(u->in));
	return u->entries ? 0 : failed(u, "it is empty");
}

static int unpack(struct unpack *u, struct str archive)
{
	const char *file = arena_strndup(u->a, archive.p, archive.n);
	int rc;

	if (!u->in)
		return failed(u, "archives cannot be read on this machine");
	if (u->dir.n && mkdir(str_dup(u->a, u->dir).p, 0777))
		rc = failed(u, strerror(errno));
	else if (packed_open(u->in, file))
		rc = failed(u, packed_why(u->in));
	else
		rc = copy_entries(u);
	packed_close(u->in);
	return rc;
}

/* dir may be empty. */
static struct str unpack_provider(struct arena *a, struct str archive,
				  struct str dir, struct str *why)
{
	struct str_vec lines = { 0 };
	struct unpack u = { .a = a,
			    .in = packed_new(PACKED_ZIP),
			    .dir = dir,
			    .left = provider_limit(),
			    .lines = &lines,
			    .why = why };

	return unpack(&u, archive) ? STR_NONE : package_lines_hash(a, &lines);
}

int unpack_zip(struct str archive, struct str dir, struct str *hash,
	       struct diags *ds)
{
	struct str why = STR_NONE;

	*hash = unpack_provider(ds->arena, archive, dir, &why);
	if (hash->n)
		return 0;
	return diag_error(ds, NULL, "Failed to install provider",
			  "The archive %.*s cannot be unpacked: %.*s.",
			  STR_ARG(archive), STR_ARG(why));
}

struct str unpack_hash(struct arena *a, struct str archive)
{
	struct str why = STR_NONE;

	return unpack_provider(a, archive, STR_NONE, &why);
}

/* --- modules --- */

static const struct {
	const char *name;
	unsigned packed; /* 0: a file by itself */
} kinds[] = {
	{ "tar.bz2", PACKED_TAR | PACKED_BZIP2 },
	{ "tar.tbz2", PACKED_TAR | PACKED_BZIP2 },
	{ "tar.gz", PACKED_TAR | PACKED_GZIP },
	{ "tgz", PACKED_TAR | PACKED_GZIP },
	{ "tar.xz", PACKED_TAR | PACKED_XZ },
	{ "txz", PACKED_TAR | PACKED_XZ },
	{ "tar.zst", PACKED_TAR | PACKED_ZSTD },
	{ "tzst", PACKED_TAR | PACKED_ZSTD },
	{ "zip", PACKED_ZIP },
	{ "bz2", 0 },
	{ "gz", 0 },
	{ "xz", 0 },
};
enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static size_t find_kind(struct str kind)
{
	size_t i = 0;

	while (i < KINDS && !str_is(kind, kinds[i].name))
		i++;
	return i;
}

bool unpack_knows(struct str kind)
{
	return find_kind(kind) < KINDS;
}

struct str unpack_kind(struct str name)
{
	/* The longer ones come first. */
	for (size_t i = 0; i < KINDS; i++) {
		const size_t n = strlen(kinds[i].name);

		if (name.n > n && name.p[name.n - n - 1] == '.' &&
		    str_ends(name, kinds[i].name))
			return str_c(kinds[i].name);
	}
	return STR_NONE;
}

/* Sets *packed to what the kind may be; to everything if none is given. */
static int enable(struct unpack *u, struct str kind, unsigned *packed)
{
	const size_t one = find_kind(kind);

	if (kind.n && one == KINDS)
		return failed(u, "it is no archive");
	if (kind.n && !kinds[one].packed)
		return failed(
			u, "it is a compressed file, which holds no directory");
	*packed = 0;
	for (size_t i = 0; i < KINDS; i++)
		if (!kind.n || i == one)
			*packed |= kinds[i].packed;
	return 0;
}

int unpack_module(struct arena *a, struct str archive, struct str kind,
		  struct str dir, struct str *why)
{
	struct unpack u = { .a = a,
			    .dir = dir,
			    .left = unpack_module_limit(),
			    .module = true,
			    .why = why };
	unsigned packed;

	if (enable(&u, kind, &packed))
		return -1;
	u.in = packed_new(packed);
	return unpack(&u, archive);
}
