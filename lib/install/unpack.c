/* unpack.c - see unpack.h */
#include "install/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include <archive.h>
#include <archive_entry.h>
#include <openssl/evp.h>

#include "base/io.h"
#include "install/packages.h"

enum { READ_BLOCK = 1 << 16, OPEN_DIRS = 16 };
/* The largest provider is about 800 MB. */
static const int64_t most_bytes = (int64_t)8 << 30;

struct unpack {
	struct archive *in;
	struct str archive, dir;
	int64_t left; /* bytes that may still come */
	struct diags *ds;
};

static int failed(struct unpack *u, const char *why)
{
	return diag_error(u->ds, NULL, "Failed to install provider",
			  "The archive %.*s cannot be unpacked: %s.",
			  STR_ARG(u->archive), why ? why : "unknown error");
}

/* Relative, and without a way up. */
static bool is_inside(struct str path)
{
	size_t from = 0;

	if (!path.n || path.p[0] == '/' || str_chr(path, '\\') >= 0)
		return false;
	for (size_t i = 0; i <= path.n; i++) {
		if (i < path.n && path.p[i] != '/')
			continue;
		if (str_is(str_sub(path, from, i), ".."))
			return false;
		from = i + 1;
	}
	return true;
}

static int copy_data(struct unpack *u, int fd)
{
	const void *block;
	la_int64_t at;
	size_t n;
	int rc;

	while ((rc = archive_read_data_block(u->in, &block, &n, &at)) ==
	       ARCHIVE_OK) {
		u->left -= (int64_t)n;
		if (u->left < 0)
			return failed(u, "it is too large");
		if (io_write_all(fd, block, n))
			return failed(u, strerror(errno));
	}
	return rc == ARCHIVE_EOF ? 0 : failed(u, archive_error_string(u->in));
}

static int copy_file(struct unpack *u, struct archive_entry *e, char *path)
{
	char *slash = strrchr(path, '/');
	int fd, rc;

	*slash = '\0';
	if (io_make_dirs(path, 0777))
		return failed(u, strerror(errno));
	*slash = '/';
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		  (archive_entry_perm(e) & 0777) | 0600);
	if (fd < 0)
		return failed(u, strerror(errno));
	rc = copy_data(u, fd);
	if (close(fd) && !rc)
		rc = failed(u, strerror(errno));
	return rc;
}

static int copy_entry(struct unpack *u, struct archive_entry *e)
{
	const char *name = archive_entry_pathname_utf8(e);
	char *path;

	if (!name)
		name = archive_entry_pathname(e);
	if (!name || !is_inside(str_c(name)))
		return failed(u, "a name in it leads elsewhere");
	path = arena_printf(u->ds->arena, "%.*s/%s", STR_ARG(u->dir), name);
	switch (archive_entry_filetype(e)) {
	case AE_IFDIR:
		return io_make_dirs(path, 0777) ? failed(u, strerror(errno))
						: 0;
	case AE_IFREG:
		return copy_file(u, e, path);
	default: /* packages have no links */
		return failed(u, "it holds something that is no file");
	}
}

static int copy_entries(struct unpack *u)
{
	struct archive_entry *e;
	int rc;

	while ((rc = archive_read_next_header(u->in, &e)) == ARCHIVE_OK ||
	       rc == ARCHIVE_WARN)
		if (copy_entry(u, e))
			return -1;
	return rc == ARCHIVE_EOF ? 0 : failed(u, archive_error_string(u->in));
}

int unpack_zip(struct str archive, struct str dir, struct diags *ds)
{
	struct unpack u = { .in = archive_read_new(), .archive = archive,
			    .dir = dir, .left = most_bytes, .ds = ds };
	int rc;

	if (!u.in)
		return failed(&u, "out of memory");
	archive_read_support_format_zip(u.in);
	if (mkdir(arena_strndup(ds->arena, dir.p, dir.n), 0777))
		rc = failed(&u, strerror(errno));
	else if (archive_read_open_filename(
			 u.in,
			 arena_strndup(ds->arena, archive.p, archive.n),
			 READ_BLOCK) != ARCHIVE_OK)
		rc = failed(&u, archive_error_string(u.in));
	else
		rc = copy_entries(&u);
	archive_read_free(u.in);
	return rc;
}

/* --- hashing --- */

static bool hash_entry(struct arena *a, struct archive *in,
		       struct archive_entry *e, int64_t *left,
		       struct str_vec *lines)
{
	const char *name = archive_entry_pathname_utf8(e);
	EVP_MD_CTX *sum = EVP_MD_CTX_new();
	unsigned char digest[EVP_MAX_MD_SIZE];
	bool good = sum && EVP_DigestInit_ex(sum, EVP_sha256(), NULL);
	const void *block;
	la_int64_t at;
	unsigned size = 0;
	size_t n;
	int rc;

	while ((rc = archive_read_data_block(in, &block, &n, &at)) ==
		       ARCHIVE_OK && (*left -= (int64_t)n) >= 0)
		good = good && EVP_DigestUpdate(sum, block, n);
	good = good && EVP_DigestFinal_ex(sum, digest, &size) && name &&
	       rc == ARCHIVE_EOF;
	EVP_MD_CTX_free(sum);
	if (good && archive_entry_filetype(e) == AE_IFREG)
		vec_push(a, lines, STR_CAT(a, package_hex(a, digest, size),
					   STR("  "), str_c(name)));
	return good;
}

struct str unpack_hash(struct arena *a, struct str archive)
{
	struct archive *in = archive_read_new();
	struct str_vec lines = { 0 };
	struct archive_entry *e;
	int64_t left = most_bytes;
	int rc = ARCHIVE_FATAL;

	if (!in)
		return STR_NONE;
	archive_read_support_format_zip(in);
	if (archive_read_open_filename(in, str_dup(a, archive).p,
				       READ_BLOCK) == ARCHIVE_OK)
		while ((rc = archive_read_next_header(in, &e)) ==
			       ARCHIVE_OK || rc == ARCHIVE_WARN)
			if (!hash_entry(a, in, e, &left, &lines))
				break;
	archive_read_free(in);
	return rc == ARCHIVE_EOF ? package_lines_hash(a, &lines) : STR_NONE;
}

static int remove_one(const char *path, const struct stat *st, int kind,
		      struct FTW *ftw)
{
	(void)st;
	(void)ftw;
	return kind == FTW_DP ? rmdir(path) : unlink(path);
}

int remove_tree(const char *path)
{
	if (!unlink(path) || errno == ENOENT)
		return 0;
	return nftw(path, remove_one, OPEN_DIRS, FTW_DEPTH | FTW_PHYS);
}
