/* module_hash.c - see modules_int.h */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "install/modules/modules_int.h"
#include "crypto/crypto.h"
#include "install/package/hash.h"
#include "provider/schema_cache.h"

enum { DEPTH_MAX = 100 };

struct entry {
	struct str path; /* of the file */
	struct str name; /* in the package */
	struct str identity;
	struct str inode; /* the same for hard links; empty: a link */
	bool hidden;
};
struct entry_vec VEC_OF(struct entry);

static void add(struct arena *a, struct str path, struct str name, bool hidden,
		const struct stat *st, struct entry_vec *out)
{
	const bool link = S_ISLNK(st->st_mode);
	struct entry e = { .path = path, .hidden = hidden };

	e.name = link ? STR_CAT(a, name, STR("@")) : name;
	e.identity = cache_identity(a, st);
	if (!link)
		e.inode = str_printf(a, "%llu %llu %lld",
				     (unsigned long long)st->st_dev,
				     (unsigned long long)st->st_ino,
				     (long long)st->st_size);
	vec_push(a, out, e);
}

static int list(struct arena *a, struct str dir, struct str prefix, bool hidden,
		int depth, struct entry_vec *out);

static int list_one(struct arena *a, struct str dir, struct str prefix,
		    const char *entry, bool hidden, int depth,
		    struct entry_vec *out)
{
	struct str path = str_printf(a, "%.*s/%s", STR_ARG(dir), entry);
	struct str name = str_printf(a, "%.*s%s", STR_ARG(prefix), entry);
	struct stat st;

	hidden |= entry[0] == '.';
	if (strchr(entry, '\n')) {
		errno = EINVAL; /* lines could mean something else */
		return -1;
	}
	if (lstat(path.p, &st))
		return -1;
	if (S_ISDIR(st.st_mode))
		return list(a, path, STR_CAT(a, name, STR("/")), hidden,
			    depth + 1, out);
	if (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode))
		add(a, path, name, hidden, &st, out);
	return 0;
}

static int list(struct arena *a, struct str dir, struct str prefix, bool hidden,
		int depth, struct entry_vec *out)
{
	DIR *d = depth < DEPTH_MAX ? opendir(dir.p) : NULL;
	const struct dirent *e;
	int rc = 0, saved;

	if (!d)
		return -1;
	while (!rc && (errno = 0, e = readdir(d)))
		if (strcmp(e->d_name, ".") != 0 &&
		    strcmp(e->d_name, "..") != 0 &&
		    strcmp(e->d_name, ".git") != 0)
			rc = list_one(a, dir, prefix, e->d_name, hidden, depth,
				      out);
	rc = rc || errno ? -1 : 0;
	saved = errno;
	closedir(d);
	errno = saved;
	return rc;
}

static struct str link_digest(struct arena *a, struct str path)
{
	char target[PATH_MAX];
	unsigned char sum[DIGEST_MAX];
	ssize_t len = readlink(path.p, target, sizeof(target));
	size_t n =
		len < 0 ? 0
			: digest_of("sha256",
				    (struct str){ target, (size_t)len }, sum);

	return n ? str_hex(a, sum, n) : STR_NONE;
}

static struct str digest(struct arena *a, struct map *known,
			 const struct entry *e)
{
	const struct str *have;
	struct str sum;

	if (!e->inode.n)
		return link_digest(a, e->path);
	have = map_get(known, e->inode);
	if (have)
		return *have;
	sum = package_file_digest(a, e->path, "sha256");
	if (sum.n)
		map_put(a, known, e->inode, arena_dup(a, &sum, sizeof(sum)));
	return sum;
}

static int hash(struct arena *a, struct map *known,
		const struct entry_vec *files, struct module_hash *out)
{
	struct str_vec all = { 0 }, visible = { 0 };

	for (size_t i = 0; i < files->len; i++) {
		const struct entry *e = &files->items[i];
		struct str sum = digest(a, known, e), line;

		if (!sum.n)
			return -1;
		line = STR_CAT(a, sum, STR("  "), e->name);
		vec_push(a, &all, line);
		if (!e->hidden)
			vec_push(a, &visible, line);
	}
	out->all = package_lines_hash(a, &all);
	out->visible = package_lines_hash(a, &visible);
	return out->all.n && out->visible.n ? 0 : -1;
}

/* The cache entry of the hashes.  Its key changes whenever a file does. */
static struct cache_file kept_file(struct arena *a,
				   const struct entry_vec *files)
{
	struct buf b = BUF_INIT;
	struct cache_file f;

	for (size_t i = 0; i < files->len; i++)
		buf_addf(&b, "%.*s\n%.*s\n", STR_ARG(files->items[i].identity),
			 STR_ARG(files->items[i].name));
	f = cache_file(a, "modules", buf_dup(a, &b));
	buf_release(&b);
	return f;
}

static bool read_kept(struct cache_file f, struct module_hash *out)
{
	struct str text = cache_read(f);
	ptrdiff_t end = str_chr(text, '\n');

	if (end < 0 || !str_starts(text, "h1:"))
		return false;
	out->all = str_sub(text, 0, (size_t)end);
	out->visible = str_sub(text, (size_t)end + 1, text.n);
	return str_starts(out->visible, "h1:");
}

int module_hash(struct arena *a, struct map *known, struct str dir,
		struct module_hash *out)
{
	struct entry_vec files = { 0 };
	struct cache_file kept;

	if (list(a, str_dup(a, dir), STR_NONE, false, 0, &files))
		return -1;
	kept = kept_file(a, &files);
	if (read_kept(kept, out))
		return 0;
	if (hash(a, known, &files, out))
		return -1;
	cache_write(a, kept,
		    (struct str[]){ out->all, STR("\n"), out->visible }, 3);
	return 0;
}
