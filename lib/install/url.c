/* url.c - see url.h */
#include "install/url.h"

struct parts {
	struct str scheme;    /* with :// */
	struct str authority;
	struct str path;
	struct str rest;      /* ?query#fragment */
};

static bool is_scheme_char(char c, bool first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (!first && ((c >= '0' && c <= '9') || c == '+' || c == '-' ||
			   c == '.'));
}

/* The length of "scheme:", 0 if s begins otherwise. */
static size_t scheme_length(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == ':')
			return i ? i + 1 : 0;
		if (!is_scheme_char(s.p[i], i == 0))
			return 0;
	}
	return 0;
}

static size_t until(struct str s, size_t from, const char *set)
{
	while (from < s.n && !strchr(set, s.p[from]))
		from++;
	return from;
}

static void split_path(struct str s, struct parts *out)
{
	size_t n = until(s, 0, "?#");

	out->path = str_sub(s, 0, n);
	out->rest = str_sub(s, n, s.n);
}

/* s after its scheme: //authority/path?rest */
static bool split_authority(struct str s, struct parts *out)
{
	size_t n;

	if (!str_starts(s, "//"))
		return false;
	n = until(s, 2, "/?#");
	out->authority = str_sub(s, 2, n);
	split_path(str_sub(s, n, s.n), out);
	return out->authority.n > 0;
}

static bool is_web(struct str scheme)
{
	static const char *const web[] = { "http:", "https:" };

	for (size_t i = 0; i < 2; i++) {
		bool same = scheme.n == strlen(web[i]);

		for (size_t k = 0; same && k < scheme.n; k++)
			same = (scheme.p[k] | 0x20) == (web[i][k] | 0x20);
		if (same)
			return true;
	}
	return false;
}

static bool split(struct str url, struct parts *out)
{
	size_t n = scheme_length(url);

	*out = (struct parts){ .scheme = str_sub(url, 0, n) };
	return is_web(out->scheme) &&
	       split_authority(str_sub(url, n, url.n), out);
}

/* "." and ".." taken out of an absolute path. */
static void add_clean(struct buf *b, struct str path)
{
	const size_t start = b->len;

	for (size_t i = 0; i < path.n;) {
		size_t end = until(path, i + 1, "/");
		struct str step = str_sub(path, i, end); /* "/name" */
		bool last = end == path.n;

		if (str_is(step, "/..")) {
			while (b->len > start && b->p[b->len - 1] != '/')
				buf_set_len(b, b->len - 1);
			if (b->len > start)
				buf_set_len(b, b->len - 1);
		}
		if (str_is(step, "/..") || str_is(step, "/.")) {
			if (last)
				buf_putc(b, '/');
		} else {
			buf_str(b, step);
		}
		i = end;
	}
}

static struct str join(struct arena *a, const struct parts *base,
		       struct str path, struct str rest)
{
	struct buf b = BUF_INIT;
	struct str out;

	buf_str(&b, base->scheme);
	buf_puts(&b, "//");
	buf_str(&b, base->authority);
	add_clean(&b, path);
	buf_str(&b, rest);
	out = buf_dup(a, &b);
	buf_release(&b);
	return out;
}

/* A relative path takes the place of what is after the base's last slash. */
static struct str merge(struct arena *a, struct str base, struct str path)
{
	size_t n = base.n;

	while (n && base.p[n - 1] != '/')
		n--;
	return n ? STR_CAT(a, str_sub(base, 0, n), path)
		 : STR_CAT(a, STR("/"), path);
}

struct str url_resolve(struct arena *a, struct str base, struct str ref)
{
	struct parts b, r = { .scheme = STR_NONE };

	if (scheme_length(ref))
		return split(ref, &r) ? join(a, &r, r.path, r.rest) : STR_NONE;
	if (!split(base, &b))
		return STR_NONE;
	if (str_starts(ref, "//")) {
		r.scheme = b.scheme;
		return split_authority(ref, &r) ? join(a, &r, r.path, r.rest)
						: STR_NONE;
	}
	split_path(ref, &r);
	if (!r.path.n)
		return join(a, &b, b.path, r.rest.n ? r.rest : b.rest);
	if (r.path.p[0] == '/')
		return join(a, &b, r.path, r.rest);
	return join(a, &b, merge(a, b.path, r.path), r.rest);
}

/* An authority without user and password. */
static struct str bare(struct str authority)
{
	size_t from = 0;

	for (size_t i = 0; i < authority.n; i++)
		if (authority.p[i] == '@')
			from = i + 1;
	return str_sub(authority, from, authority.n);
}

struct str url_host_port(struct arena *a, struct str url)
{
	struct parts p;
	struct str host;
	char *text;

	if (!split(url, &p))
		return STR_NONE;
	host = bare(p.authority);
	text = arena_strndup(a, host.p, host.n);
	for (char *c = text; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
	return str_c(text);
}

struct str url_base_name(struct str url)
{
	struct parts p;
	size_t n;

	if (!split(url, &p))
		return STR_NONE;
	for (n = p.path.n; n && p.path.p[n - 1] != '/'; n--)
		;
	return str_sub(p.path, n, p.path.n);
}
