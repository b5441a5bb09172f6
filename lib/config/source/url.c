/* url.c - see url.h */
#include <stdlib.h>
#include <strings.h>

#include "config/source/url.h"
#include "config/source/source.h"
#include "base/file_path.h"

/* The part of a URL that a text is in; each escapes other characters. */
enum url_part { PART_USER, PART_HOST, PART_PATH, PART_QUERY };

static bool is_alnum(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9');
}

static bool stands(char c, enum url_part part)
{
	static const char *const more[] = {
		[PART_USER] = "$&+,;=",
		[PART_HOST] = "!$&'()*+,;=:[]<>\"",
		[PART_PATH] = "$&+,/:;=@",
		[PART_QUERY] = "",
	};

	return is_alnum(c) ||
	       (c && (strchr("-_.~", c) || strchr(more[part], c)));
}

static struct str escape(struct arena *a, struct str s, enum url_part part)
{
	char *out = arena_alloc(a, s.n * 3 + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++) {
		const unsigned char c = (unsigned char)s.p[i];

		if (stands(s.p[i], part)) {
			out[n++] = s.p[i];
		} else if (part == PART_QUERY && c == ' ') {
			out[n++] = '+';
		} else {
			out[n++] = '%';
			out[n++] = "0123456789ABCDEF"[c >> 4];
			out[n++] = "0123456789ABCDEF"[c & 15];
		}
	}
	out[n] = '\0';
	return (struct str){ out, n };
}

struct str url_escape(struct arena *a, struct str s)
{
	return escape(a, s, PART_QUERY);
}

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* STR_NONE: it cannot be decoded. */
static struct str unescape(struct arena *a, struct str s, enum url_part part)
{
	char *out = arena_alloc(a, s.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (part == PART_HOST && c != '%' && !(c & 0x80) &&
		    !stands(c, part))
			return STR_NONE;
		if (part == PART_QUERY && c == '+')
			c = ' ';
		if (s.p[i] == '%') {
			if (i + 2 >= s.n || hex(s.p[i + 1]) < 0 ||
			    hex(s.p[i + 2]) < 0)
				return STR_NONE;
			c = (char)(hex(s.p[i + 1]) << 4 | hex(s.p[i + 2]));
			/* A host must not escape ASCII. */
			if (part == PART_HOST && !(c & 0x80))
				return STR_NONE;
			i += 2;
		}
		out[n++] = c;
	}
	out[n] = '\0';
	return (struct str){ out, n };
}

/* Splits s at the first c; if there is none, *before is s, returns false. */
static bool cut(struct str s, char c, struct str *before, struct str *after)
{
	ptrdiff_t at = str_chr(s, c);

	*before = at < 0 ? s : str_sub(s, 0, (size_t)at);
	*after = at < 0 ? STR_NONE : str_sub(s, (size_t)at + 1, s.n);
	return at >= 0;
}

/* [ SCHEME ":" ] rest.  -1: it begins with a colon. */
static int read_scheme(struct arena *a, struct str *rest, struct str *scheme)
{
	for (size_t i = 0; i < rest->n; i++) {
		const char c = rest->p[i];

		if (c == ':' && !i)
			return -1;
		if (c == ':') {
			*scheme = str_lower(a, str_sub(*rest, 0, i));
			*rest = str_sub(*rest, i + 1, rest->n);
			return 0;
		}
		if (!is_alnum(c) && !(i && strchr("+-.", c)))
			return 0;
		if (!i && c >= '0' && c <= '9')
			return 0;
	}
	return 0;
}

/* [ ":" DIGITS ] at the end */
static bool is_port(struct str s)
{
	for (size_t i = 1; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return true;
}

static int read_host(struct arena *a, struct str s, struct url *u)
{
	size_t colon = s.n;

	if (s.n && s.p[0] == '[') {
		ptrdiff_t end = str_chr(s, ']');

		if (end < 0)
			return -1;
		colon = (size_t)end + 1;
		if (colon < s.n && s.p[colon] != ':')
			return -1;
	} else if (str_chr(s, '[') >= 0) {
		return -1;
	} else {
		while (colon && s.p[colon - 1] != ':')
			colon--;
		colon = colon ? colon - 1 : s.n;
		if (str_chr(s, ':') < (ptrdiff_t)colon && colon < s.n)
			return -1;
	}
	if (!is_port(str_sub(s, colon, s.n)))
		return -1;
	u->host = unescape(a, s, PART_HOST);
	return u->host.p ? 0 : -1;
}

static int read_user(struct arena *a, struct str s, struct url *u)
{
	struct str user, password;

	for (size_t i = 0; i < s.n; i++)
		if (!is_alnum(s.p[i]) &&
		    !(s.p[i] && strchr("-._:~!$&'()*+,;=%@", s.p[i])))
			return -1;
	u->has_user = true;
	u->has_password = cut(s, ':', &user, &password);
	u->user = unescape(a, user, PART_USER);
	u->password = unescape(a, password, PART_USER);
	return u->user.p && u->password.p ? 0 : -1;
}

static int read_authority(struct arena *a, struct str s, struct url *u)
{
	size_t at = s.n;

	while (at && s.p[at - 1] != '@')
		at--;
	if (at && read_user(a, str_sub(s, 0, at - 1), u))
		return -1;
	return read_host(a, str_sub(s, at, s.n), u);
}

static bool begins_twice(struct str s)
{
	return s.n > 1 && s.p[0] == '/' && s.p[1] == '/';
}

static int read_path(struct arena *a, struct str s, struct url *u)
{
	u->path = unescape(a, s, PART_PATH);
	if (!u->path.p)
		return -1;
	if (!str_eq(escape(a, u->path, PART_PATH), s))
		u->raw_path = str_dup(a, s);
	return 0;
}

int url_parse(struct arena *a, struct str text, struct url *u)
{
	struct str rest, first, after;

	*u = (struct url){ .bare = false };
	for (size_t i = 0; i < text.n; i++)
		if ((unsigned char)text.p[i] < 0x20 || text.p[i] == 0x7f)
			return -1;
	cut(text, '#', &rest, &u->fragment);
	u->fragment = str_dup(a, u->fragment);
	if (!unescape(a, u->fragment, PART_PATH).p ||
	    read_scheme(a, &rest, &u->scheme))
		return -1;
	u->has_query = cut(rest, '?', &rest, &u->query);
	u->query = str_dup(a, u->query);
	if (!rest.n || rest.p[0] != '/') {
		if (u->scheme.n) {
			u->opaque = str_dup(a, rest);
			return 0;
		}
		cut(rest, '/', &first, &after);
		if (str_chr(first, ':') >= 0)
			return -1;
	}
	if (begins_twice(rest) && (u->scheme.n || !str_starts(rest, "///"))) {
		rest = str_sub(rest, 2, rest.n);
		if (cut(rest, '/', &first, &after))
			rest = str_sub(rest, first.n, rest.n);
		else
			rest = STR_NONE;
		if (read_authority(a, first, u))
			return -1;
	} else if (u->scheme.n && rest.n) {
		u->bare = true;
	}
	return read_path(a, rest, u);
}

/* Could the path have been written like this? */
static bool is_path(struct arena *a, const struct url *u)
{
	for (size_t i = 0; i < u->raw_path.n; i++) {
		const char c = u->raw_path.p[i];

		if (!stands(c, PART_PATH) && !(c && strchr("!'()*[]%", c)))
			return false;
	}
	return u->raw_path.n &&
	       str_eq(unescape(a, u->raw_path, PART_PATH), u->path);
}

static void write_authority(struct arena *a, struct buf *b, const struct url *u)
{
	buf_puts(b, "//");
	if (u->has_user) {
		buf_str(b, escape(a, u->user, PART_USER));
		if (u->has_password) {
			buf_putc(b, ':');
			buf_str(b, escape(a, u->password, PART_USER));
		}
		buf_putc(b, '@');
	}
	buf_str(b, escape(a, u->host, PART_HOST));
}

static void write_rest(struct arena *a, struct buf *b, const struct url *u)
{
	struct str path, first, after;
	const bool known = u->scheme.n || u->host.n || u->has_user;

	if (known && !(u->bare && !u->host.n && !u->has_user) &&
	    (u->host.n || u->path.n || u->has_user))
		write_authority(a, b, u);
	path = is_path(a, u) ? u->raw_path : escape(a, u->path, PART_PATH);
	if (path.n && path.p[0] != '/' && u->host.n)
		buf_putc(b, '/');
	cut(path, '/', &first, &after);
	if (!b->len && str_chr(first, ':') >= 0)
		buf_puts(b, "./");
	buf_str(b, path);
}

struct str url_text(struct arena *a, const struct url *u)
{
	struct buf b = BUF_INIT;
	struct str s;

	if (u->scheme.n)
		buf_addf(&b, "%.*s:", STR_ARG(u->scheme));
	if (u->opaque.n)
		buf_str(&b, u->opaque);
	else
		write_rest(a, &b, u);
	if (u->has_query)
		buf_addf(&b, "?%.*s", STR_ARG(u->query));
	if (u->fragment.n)
		buf_addf(&b, "#%.*s", STR_ARG(u->fragment));
	s = buf_dup(a, &b);
	buf_release(&b);
	return s;
}

/* --- queries --- */

struct parameter {
	struct str name, value;
	size_t place;
};
struct parameters {
	struct parameter *items;
	size_t n;
	bool bad;
};

static void read_query(struct arena *a, struct str query,
		       struct parameters *out)
{
	size_t most = 1;

	for (size_t i = 0; i < query.n; i++)
		most += query.p[i] == '&';
	out->items = ARENA_ARRAY(a, struct parameter, most);
	while (query.n) {
		struct str part, name, value;
		struct parameter p;

		cut(query, '&', &part, &query);
		if (!part.n)
			continue;
		cut(part, '=', &name, &value);
		p.name = unescape(a, name, PART_QUERY);
		p.value = unescape(a, value, PART_QUERY);
		p.place = out->n;
		if (str_chr(part, ';') >= 0 || !p.name.p || !p.value.p)
			out->bad = true;
		else
			out->items[out->n++] = p;
	}
}

struct str url_parameter(struct arena *a, struct str query, const char *name)
{
	struct parameters q = { 0 };

	read_query(a, query, &q);
	for (size_t i = 0; i < q.n; i++)
		if (str_is(q.items[i].name, name))
			return q.items[i].value;
	return STR_NONE;
}

void url_parameters(struct arena *a, struct str query, struct str_vec *out)
{
	struct parameters q = { 0 };

	read_query(a, query, &q);
	for (size_t i = 0; i < q.n; i++) {
		vec_push(a, out, q.items[i].name);
		vec_push(a, out, q.items[i].value);
	}
}

static int by_name(const void *x, const void *y)
{
	const struct parameter *p = x, *q = y;
	const int c = str_cmp(p->name, q->name);

	return c ? c : (p->place > q->place) - (p->place < q->place);
}

static bool is_listed(struct str name, const char *const *list)
{
	for (; list && *list; list++)
		if (str_is(name, *list))
			return true;
	return false;
}

struct str url_query(struct arena *a, struct str query,
		     const char *const *without, bool *bad)
{
	struct parameters q = { 0 };
	struct buf b = BUF_INIT;

	read_query(a, query, &q);
	qsort(q.items, q.n, sizeof(*q.items), by_name);
	for (size_t i = 0; i < q.n; i++) {
		if (is_listed(q.items[i].name, without))
			continue;
		if (b.len)
			buf_putc(&b, '&');
		buf_str(&b, escape(a, q.items[i].name, PART_QUERY));
		buf_putc(&b, '=');
		buf_str(&b, escape(a, q.items[i].value, PART_QUERY));
	}
	if (bad)
		*bad = q.bad;
	return buf_take(a, &b);
}

/* A user name alone may be a token, except for SSH, which only needs a name. */
static bool hide_user(struct url *u)
{
	const bool token = u->has_user && !u->has_password &&
			   str_starts(u->scheme, "http");

	if (u->has_password)
		u->password = STR("redacted");
	if (token)
		u->user = STR("redacted");
	return u->has_password || token;
}

/* Does the name of a parameter say that its value is secret?  Each host has its
 * own names for tokens, signatures, keys and passwords. */
static bool is_secret(struct str name)
{
	static const char *const whole[] = { "auth", "code", "jwt", "key",
					     "pass", "pwd",  "sas", "sig" };
	static const char *const part[] = {
		"access_key", "access-key", "accesskey", "api_key",
		"api-key",    "apikey",     "authoriz",  "credential",
		"passphrase", "passwd",     "password",  "private",
		"secret",     "signature",  "sshkey",    "token",
	};

	if (str_is(name, "aws_access_key_id"))
		return false;
	for (size_t i = 0; i < sizeof(whole) / sizeof(*whole); i++)
		if (!strcasecmp(name.p, whole[i]))
			return true;
	for (size_t i = 0; i < sizeof(part) / sizeof(*part); i++)
		if (strcasestr(name.p, part[i]))
			return true;
	return false;
}

/* The parameters without those that are secret, which come last.  Malformed
 * ones, which nobody gets, are left out then, too. */
static bool hide_parameters(struct arena *a, struct url *u)
{
	struct str_vec all = { 0 };
	const char **secret;
	bool bad = false;
	size_t n = 0;

	url_parameters(a, u->query, &all);
	secret = ARENA_ARRAY(a, const char *, all.len / 2 + 1);
	secret[0] = NULL;
	for (size_t i = 0; i < all.len; i += 2) {
		const char *name = str_dup(a, all.items[i]).p;

		if (!is_secret(str_c(name)) || is_listed(all.items[i], secret))
			continue;
		secret[n++] = name;
		secret[n] = NULL;
	}
	url_query(a, u->query, NULL, &bad);
	if (!n && !bad)
		return false;
	u->query = url_query(a, u->query, secret, NULL);
	for (size_t i = 0; i < n; i++)
		u->query = STR_CAT(a, u->query, u->query.n ? STR("&") : STR(""),
				   escape(a, str_c(secret[i]), PART_QUERY),
				   STR("=redacted"));
	return true;
}

struct str url_redacted(struct arena *a, struct str text)
{
	struct str rest, getter = module_address_getter(text, &rest);
	struct url u;
	bool hidden;

	if (url_parse(a, rest, &u))
		return text;
	hidden = hide_user(&u);
	hidden |= hide_parameters(a, &u);
	if (!hidden)
		return text;
	return STR_CAT(a, getter, getter.n ? STR("::") : STR(""),
		       url_text(a, &u));
}

/* --- addresses as hosts give them; RFC 3986, 5.2 --- */

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
