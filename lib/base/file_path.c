/* file_path.c - see file_path.h */
#include "base/file_path.h"

struct str file_path_directory(struct str path)
{
	while (path.n && path.p[path.n - 1] != '/')
		path.n--;
	return path;
}

struct str file_path_name(struct str path)
{
	return str_sub(path, file_path_directory(path).n, path.n);
}

struct str file_path_in(struct arena *a, struct str dir, struct str name)
{
	if (!dir.n || str_is(dir, ".") || str_starts(name, "/"))
		return str_dup(a, name);
	return STR_CAT(a, dir, str_ends(dir, "/") ? STR_NONE : STR("/"), name);
}

/* The part of s up to the next slash; advances *s behind it. */
static struct str next_part(struct str *s)
{
	ptrdiff_t slash = str_chr(*s, '/');
	struct str part = slash < 0 ? *s : str_sub(*s, 0, (size_t)slash);

	*s = slash < 0 ? STR_NONE : str_sub(*s, (size_t)slash + 1, s->n);
	return part;
}

/* Length of b without its last part. */
static size_t parent_length(const struct buf *b, size_t root)
{
	size_t n = b->len;

	while (n > root && b->p[n - 1] != '/')
		n--;
	return n > root ? n - 1 : root;
}

struct str file_path_clean(struct arena *a, struct str path)
{
	bool rooted = path.n && path.p[0] == '/';
	size_t root = rooted, up = rooted; /* what .. must not take away */
	struct buf b = BUF_INIT;
	struct str r;

	if (rooted)
		buf_putc(&b, '/');
	while (path.n) {
		struct str part = next_part(&path);

		if (part.n == 0 || str_is(part, "."))
			continue;
		if (str_is(part, "..") && b.len > up) {
			buf_set_len(&b, parent_length(&b, root));
			continue;
		}
		if (str_is(part, "..") && rooted)
			continue;
		if (b.len > root)
			buf_putc(&b, '/');
		buf_str(&b, part);
		if (str_is(part, ".."))
			up = b.len;
	}
	r = b.len ? buf_dup(a, &b) : STR(".");
	buf_release(&b);
	return r;
}

struct str file_path_join(struct arena *a, struct str dir, struct str path)
{
	if (!dir.n)
		return path.n ? file_path_clean(a, path) : STR_NONE;
	return file_path_clean(a, STR_CAT(a, dir, STR("/"), path));
}
