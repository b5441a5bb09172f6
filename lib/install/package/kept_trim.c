/* kept_trim.c - limits the age and the size of what is kept; see kept.h */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "install/package/package_int.h"
#include "base/io.h"
#include "base/vec.h"
#include "install/package/kept.h"

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

void kept_trim(struct arena *a, struct str top)
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
