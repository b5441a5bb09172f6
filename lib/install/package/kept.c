/* kept.c - see kept.h */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "install/package/package_int.h"
#include "install/package/kept.h"
#include "base/file_path.h"
#include "base/io.h"
#include "crypto/crypto.h"
#include "install/package/copy_tree.h"
#include "install/package/hash.h"
#include "provider/schema_cache.h"
#include "base/vec.h"

/* A cryptographic hash: no crafted address may lead to another's package. */
struct str kept_place(struct arena *a, const char *kind, struct str key)
{
	const struct str top = cache_directory(a);
	const struct str sum = top.n ? digest_hex(a, "sha256", key) : STR_NONE;

	if (!sum.n)
		return STR_NONE;
	return str_printf(a, "%.*s/%s/%.*s", STR_ARG(top), kind, STR_ARG(sum));
}

bool kept_use(struct str place)
{
	struct stat st;

	return place.n && !lstat(place.p, &st) && S_ISDIR(st.st_mode) &&
	       st.st_uid == geteuid() && !utimensat(AT_FDCWD, place.p, NULL, 0);
}

struct str kept_begin(struct arena *a, struct str place)
{
	char *dir;

	if (!place.n)
		return STR_NONE;
	dir = arena_printf(a, "%.*s.new.XXXXXX",
			   STR_ARG(file_path_directory(place)));
	if (io_make_dirs(str_dup(a, file_path_directory(place)).p, 0700) ||
	    !mkdtemp(dir))
		return STR_NONE;
	return str_c(dir);
}

static void kept_trim(struct arena *a, struct str top);

void kept_end(struct arena *a, struct str place, struct str dir)
{
	/* rename(2) also replaces an empty directory. */
	if (rename(dir.p, place.p) && !io_exchange(dir.p, place.p))
		kept_use(place);
	io_remove_tree(dir.p);
	kept_trim(a, cache_directory(a));
}

/* --- archives --- */

static const char *in(struct arena *a, struct str dir, const char *name)
{
	return arena_printf(a, "%.*s/%s", STR_ARG(dir), name);
}

/* The file `tag` has the archive's SHA-256, and the ETag on the second line. */
void kept_archive_find(struct arena *a, struct str key, struct str dir,
		       struct kept_archive *out)
{
	const struct str place = kept_place(a, KEPT_ARCHIVES, key);
	struct str tag, sum, file;
	ptrdiff_t end;

	*out = (struct kept_archive){ .file = STR_NONE };
	io_remove_tree(dir.p);
	if (!kept_use(place) || copy_tree(place.p, dir.p, copy_all) ||
	    io_read_regular(a, in(a, dir, "tag"), 1 << 16, &tag) ||
	    (end = str_chr(tag, '\n')) < 0)
		return;
	file = str_c(in(a, dir, "archive"));
	sum = package_file_digest(a, file, "sha256");
	if (!sum.n || !str_eq(sum, str_sub(tag, 0, (size_t)end)))
		return;
	out->file = file;
	out->etag = str_sub(tag, (size_t)end + 1, tag.n);
}

bool kept_archive_there(struct arena *a, struct str key)
{
	return kept_use(kept_place(a, KEPT_ARCHIVES, key));
}

void kept_archive_put(struct arena *a, struct str key, struct str file,
		      struct str etag)
{
	const struct str place = kept_place(a, KEPT_ARCHIVES, key);
	struct str dir = kept_begin(a, place), tag;

	if (!dir.n)
		return;
	tag = STR_CAT(a, package_file_digest(a, file, "sha256"), STR("\n"),
		      etag);
	if (!copy_file(file.p, in(a, dir, "archive")) &&
	    !io_replace_file(in(a, dir, "tag"), tag.p, tag.n, 0600))
		kept_end(a, place, dir);
	else
		io_remove_tree(dir.p);
}

/* --- limits of age and size --- */

enum { DAYS = 30, SECONDS_A_DAY = 86400, MIB = 1 << 20, MOST_MIB = 5120 };

struct entry {
	char *path;
	int64_t size;
	struct timespec used;
};
struct entries VEC_OF(struct entry);

static int64_t most_bytes(void)
{
	const char *text = getenv("TFPIPE_CACHE_SIZE");
	char *end;
	long long n = text && *text ? strtoll(text, &end, 10) : MOST_MIB;

	if (text && *text && (*end || n < 0 || n > INT64_MAX / MIB))
		n = MOST_MIB;
	return n * MIB;
}

/* Removes entries unused for long or never finished; lists the rest. */
static void list(struct arena *a, struct str dir, struct entries *out)
{
	const time_t oldest = time(NULL) - (time_t)DAYS * SECONDS_A_DAY;
	DIR *d = opendir(dir.p);
	const struct dirent *e;
	struct stat st;

	while (d && (e = readdir(d))) {
		char *path =
			arena_printf(a, "%.*s/%s", STR_ARG(dir), e->d_name);

		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") ||
		    fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		if (st.st_mtime < oldest)
			io_remove_tree(path);
		else if (e->d_name[0] != '.') /* unless it is being made */
			vec_push(a, out,
				 (struct entry){ path, tree_size(path),
						 st.st_mtim });
	}
	if (d)
		closedir(d);
}

static int by_use(const void *x, const void *y)
{
	const struct timespec *l = &((const struct entry *)x)->used;
	const struct timespec *r = &((const struct entry *)y)->used;

	if (l->tv_sec != r->tv_sec)
		return l->tv_sec < r->tv_sec ? -1 : 1;
	return (l->tv_nsec > r->tv_nsec) - (l->tv_nsec < r->tv_nsec);
}

/* Removes entries unused for a month; then the least recently used, until the
 * rest is at most TFPIPE_CACHE_SIZE. */
static void kept_trim(struct arena *a, struct str top)
{
	static const char *const kinds[] = { KEPT_ARCHIVES, KEPT_REPOSITORIES };
	struct entries all = { 0 };
	int64_t sum = 0, most = most_bytes();

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		list(a, str_printf(a, "%.*s/%s", STR_ARG(top), kinds[i]), &all);
	if (all.len)
		qsort(all.items, all.len, sizeof(*all.items), by_use);
	for (size_t i = 0; i < all.len; i++)
		sum += all.items[i].size;
	for (size_t i = 0; i < all.len && sum > most; i++) {
		io_remove_tree(all.items[i].path);
		sum -= all.items[i].size;
	}
}
