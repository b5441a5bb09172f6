/* cache.c - see schema_cache.h */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/io.h"
#include "base/file_path.h"
#include "provider/schema_cache.h"

struct str cache_directory(struct arena *a)
{
	const char *own = getenv("TFPIPE_CACHE_DIR");
	const char *xdg = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");

	if (own)
		return str_c(own);
	if (xdg && *xdg == '/')
		return str_printf(a, "%s/tfpipe", xdg);
	if (home && *home == '/')
		return str_printf(a, "%s/.cache/tfpipe", home);
	return STR("");
}

struct cache_file cache_file(struct arena *a, const char *kind, struct str key)
{
	struct cache_file f = { cache_directory(a), key };

	if (f.path.n)
		f.path = str_printf(a, "%.*s/%s/%016llx", STR_ARG(f.path), kind,
				    (unsigned long long)str_lasting_hash(key));
	return f;
}

static struct str head(struct arena *a, struct str key)
{
	return str_printf(a, "%zu %.*s\n", key.n, STR_ARG(key));
}

/* Returns what follows the head, if that is this key's. */
static struct str content(struct str file, struct str key)
{
	struct arena scratch = ARENA_INIT;
	struct str begin = head(&scratch, key);
	struct str out =
		file.n >= begin.n && str_eq(str_sub(file, 0, begin.n), begin)
			? str_sub(file, begin.n, file.n)
			: STR_NONE;

	arena_release(&scratch);
	return out;
}

static struct str map_file(struct str path)
{
	struct str out = STR_NONE;
	struct stat st;
	void *p;
	int fd;

	fd = open(path.p, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return out;
	/* Files are replaced, never changed, so a mapping stays valid. */
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 &&
	    st.st_uid == geteuid()) {
		p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd,
			 0);
		if (p != MAP_FAILED)
			out = (struct str){ p, (size_t)st.st_size };
	}
	close(fd);
	return out;
}

struct str cache_read(struct cache_file f)
{
	return f.path.n ? content(map_file(f.path), f.key) : STR_NONE;
}

void cache_write(struct arena *a, struct cache_file f, const struct str *pieces,
		 size_t n)
{
	struct buf all = BUF_INIT;

	if (!f.path.n)
		return;
	buf_str(&all, head(a, f.key));
	for (size_t i = 0; i < n; i++)
		buf_str(&all, pieces[i]);
	if (io_replace_file(f.path.p, all.p, all.len, 0600)) {
		io_make_dirs(str_dup(a, file_path_directory(f.path)).p, 0700);
		io_replace_file(f.path.p, all.p, all.len, 0600);
	}
	buf_release(&all);
}

struct str cache_identity(struct arena *a, const struct stat *st)
{
	return str_printf(a, "%lld %lld.%09ld %lld.%09ld %llu %llu",
			  (long long)st->st_size, (long long)st->st_mtim.tv_sec,
			  st->st_mtim.tv_nsec, (long long)st->st_ctim.tv_sec,
			  st->st_ctim.tv_nsec, (unsigned long long)st->st_dev,
			  (unsigned long long)st->st_ino);
}
