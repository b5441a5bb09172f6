/* url_resolve.c - addresses as hosts give them, see url.h; RFC 3986, 5.2 */
#include "config/source/url.h"
#include "base/file_path.h"

static bool is_web(const struct url *u)
{
	return (str_is(u->scheme, "http") || str_is(u->scheme, "https")) &&
	       u->host.n && !u->opaque.n;
}

/* "." and ".." taken out of an absolute path. */
static struct str clean(struct arena *a, struct str path)
{
	struct buf b = BUF_INIT;
	struct str out;

	for (size_t i = 0, end; i < path.n; i = end) {
		struct str step; /* "/name" */
		bool up;

		for (end = i + 1; end < path.n && path.p[end] != '/';)
			end++;
		step = str_sub(path, i, end);
		up = str_is(step, "/..");
		while (up && b.len && b.p[b.len - 1] != '/')
			buf_set_len(&b, b.len - 1);
		if (up && b.len)
			buf_set_len(&b, b.len - 1);
		if (!up && !str_is(step, "/."))
			buf_str(&b, step);
		else if (end == path.n)
			buf_putc(&b, '/');
	}
	out = buf_dup(a, &b);
	buf_release(&b);
	return out;
}

/* An address as it is written: all but the path is kept. */
struct text {
	struct str origin; /* SCHEME://AUTHORITY, //AUTHORITY, or empty */
	struct str path;
	struct str rest; /* ?QUERY#FRAGMENT */
};

static size_t until(struct str s, size_t from, const char *set)
{
	while (from < s.n && !strchr(set, s.p[from]))
		from++;
	return from;
}

static struct text split(struct str s, const struct url *u)
{
	size_t colon = u->scheme.n ? u->scheme.n + 1 : 0;
	size_t path = u->host.n ? until(s, colon + 2, "/?#") : colon;
	size_t rest = until(s, path, "?#");

	return (struct text){ str_sub(s, 0, path), str_sub(s, path, rest),
			      str_sub(s, rest, s.n) };
}

/* A relative path replaces the part after the base's last slash. */
static struct str merge(struct arena *a, struct str base, struct str path)
{
	struct str dir = file_path_directory(base);

	return STR_CAT(a, dir.n ? dir : STR("/"), path);
}

struct str url_resolve(struct arena *a, struct str base, struct str ref)
{
	struct text b, r;
	struct url u, v;

	if (url_parse(a, ref, &u))
		return STR_NONE;
	r = split(ref, &u);
	if (u.scheme.n)
		return is_web(&u)
			       ? STR_CAT(a, r.origin, clean(a, r.path), r.rest)
			       : STR_NONE;
	if (url_parse(a, base, &v) || !is_web(&v))
		return STR_NONE;
	b = split(base, &v);
	if (r.origin.n)
		return STR_CAT(a, str_sub(base, 0, v.scheme.n + 1), r.origin,
			       clean(a, r.path), r.rest);
	if (!r.path.n)
		return STR_CAT(a, b.origin, clean(a, b.path),
			       r.rest.n ? r.rest : b.rest);
	if (r.path.p[0] != '/')
		r.path = merge(a, b.path, r.path);
	return STR_CAT(a, b.origin, clean(a, r.path), r.rest);
}

struct str url_host_port(struct arena *a, struct str url)
{
	struct url u;

	return url_parse(a, url, &u) || !is_web(&u) ? STR_NONE
						    : str_lower(a, u.host);
}
