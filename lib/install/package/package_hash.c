/* package_hash.c - see hash.h */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "install/package/hash.h"
#include "base/io.h"
#include "crypto/crypto.h"
#include "provider/schema_cache.h"

enum { DEPTH_MAX = 50, DIGEST = 64 };

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
		if (io_is_directory(path.p))
			rc = list_files(a, path,
					str_printf(a, "%.*s/", STR_ARG(name)),
					depth + 1, out);
		else
			vec_push(a, out, name);
	}
	closedir(d);
	return rc;
}

/* Reads in pieces: programs may have a hundred megabytes. */
static size_t digest_file(struct str path, const char *kind, unsigned char *sum)
{
	struct digest *d = digest_new(kind);
	int fd = d ? open(path.p, O_RDONLY | O_CLOEXEC) : -1;
	static const size_t room = 64 << 10;
	char *chunk = xmalloc(room);
	ssize_t got = -1;
	size_t n;

	while (fd >= 0 && ((got = read(fd, chunk, room)) > 0 ||
			   (got < 0 && errno == EINTR)))
		if (got > 0)
			digest_add(d, chunk, (size_t)got);
	n = digest_end(d, sum);
	free(chunk);
	if (fd >= 0)
		close(fd);
	return got ? 0 : n;
}

struct str package_file_digest(struct arena *a, struct str path,
			       const char *kind)
{
	unsigned char sum[DIGEST_MAX];
	size_t n = digest_file(str_dup(a, path), kind, sum);

	return n ? str_hex(a, sum, n) : STR_NONE;
}

/* The name follows the digest, whose length is fixed. */
static int by_line_name(const void *x, const void *y)
{
	struct str l = *(const struct str *)x, r = *(const struct str *)y;

	return str_cmp(str_sub(l, DIGEST, l.n), str_sub(r, DIGEST, r.n));
}

struct str package_lines_hash(struct arena *a, struct str_vec *lines)
{
	struct buf all = BUF_INIT;
	struct str sum;

	if (lines->len)
		qsort(lines->items, lines->len, sizeof(*lines->items),
		      by_line_name);
	for (size_t i = 0; i < lines->len; i++)
		buf_addf(&all, "%.*s\n", STR_ARG(lines->items[i]));
	sum = digest_base64(a, "sha256", buf_view(&all));
	buf_release(&all);
	return sum.n ? STR_CAT(a, STR("h1:"), sum) : STR_NONE;
}

struct str package_hash(struct arena *a, struct str dir)
{
	struct names files = { 0 };
	struct str_vec lines = { 0 };

	if (list_files(a, dir, STR(""), 0, &files))
		return STR_NONE;
	for (size_t i = 0; i < files.len; i++) {
		struct str path = str_printf(a, "%.*s/%.*s", STR_ARG(dir),
					     STR_ARG(files.items[i]));
		struct str sum = package_file_digest(a, path, "sha256");

		if (!sum.n)
			return STR_NONE;
		vec_push(a, &lines, STR_CAT(a, sum, STR("  "), files.items[i]));
	}
	return package_lines_hash(a, &lines);
}

/* What the package is as long as nobody touches it: each file that its hash is
 * of, by name and identity. */
static struct str identity(struct arena *a, struct str dir)
{
	struct names files = { 0 };
	char *real = realpath(str_dup(a, dir).p, NULL);
	struct buf all = BUF_INIT;
	struct str out = STR_NONE;
	struct stat st;
	size_t i = 0;

	if (real && !list_files(a, dir, STR(""), 0, &files) && files.len) {
		str_sort(files.items, files.len);
		buf_puts(&all, real);
		for (; i < files.len; i++) {
			struct str name = files.items[i];

			if (stat(STR_CAT(a, dir, STR("/"), name).p, &st))
				break;
			buf_addf(&all, "\n%.*s\n%.*s",
				 STR_ARG(cache_identity(a, &st)),
				 STR_ARG(name));
		}
	}
	if (files.len && i == files.len)
		out = buf_dup(a, &all);
	buf_release(&all);
	free(real);
	return out;
}

struct str package_hash_kept(struct arena *a, struct str dir)
{
	const struct str key = identity(a, dir);
	struct cache_file kept = { 0 };
	struct str hash;

	if (key.n)
		kept = cache_file(a, "packages", key);
	hash = cache_read(kept);
	if (str_starts(hash, "h1:"))
		return hash;
	hash = package_hash(a, dir);
	if (hash.n)
		cache_write(a, kept, &hash, 1);
	return hash;
}
