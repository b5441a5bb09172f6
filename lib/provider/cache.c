/* cache.c - see cache.h */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <openssl/evp.h>

#include "base/io.h"
#include "provider/cache.h"

static struct str directory(struct arena *a)
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

struct str cache_path(struct arena *a, const char *kind, struct str key)
{
	unsigned char sum[EVP_MAX_MD_SIZE];
	struct str dir = directory(a), path;
	struct buf b = BUF_INIT;
	unsigned n = 0;

	if (!dir.n || !EVP_Digest(key.n ? key.p : "", key.n, sum, &n,
				  EVP_sha256(), NULL))
		return STR_NONE;
	buf_addf(&b, "%.*s/%s/", STR_ARG(dir), kind);
	for (unsigned i = 0; i < n; i++)
		buf_addf(&b, "%02x", sum[i]);
	path = buf_dup(a, &b);
	buf_release(&b);
	return path;
}

struct str cache_read(struct str path)
{
	struct str out = STR_NONE;
	struct stat st;
	void *p;
	int fd;

	if (!path.n)
		return out;
	fd = open(path.p, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return out;
	/* Files are replaced, never changed: what is mapped stays. */
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

static const char *directory_of(struct arena *a, struct str path)
{
	while (path.n && path.p[path.n - 1] != '/')
		path.n--;
	return arena_strndup(a, path.p, path.n);
}

void cache_write(struct arena *a, struct str path, const struct str *pieces,
		 size_t n)
{
	struct buf all = BUF_INIT;

	if (!path.n)
		return;
	for (size_t i = 0; i < n; i++)
		buf_str(&all, pieces[i]);
	if (io_replace_file(path.p, all.p, all.len, 0600)) {
		io_make_dirs(directory_of(a, path), 0700);
		io_replace_file(path.p, all.p, all.len, 0600);
	}
	buf_release(&all);
}

struct str cache_identity(struct arena *a, const struct stat *st)
{
	return str_printf(a, "%lld %lld.%09ld %lld.%09ld %llu %llu",
			  (long long)st->st_size,
			  (long long)st->st_mtim.tv_sec, st->st_mtim.tv_nsec,
			  (long long)st->st_ctim.tv_sec, st->st_ctim.tv_nsec,
			  (unsigned long long)st->st_dev,
			  (unsigned long long)st->st_ino);
}
