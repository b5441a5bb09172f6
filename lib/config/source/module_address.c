/* module_address.c - see source.h */
#include "config/source/source.h"
#include "base/file_path.h"
#include "config/source/url.h"

struct str module_address_getter(struct str package, struct str *rest)
{
	size_t i = 0;

	*rest = package;
	while (i < package.n &&
	       ((package.p[i] >= '0' && package.p[i] <= '9') ||
		((package.p[i] | 0x20) >= 'a' && (package.p[i] | 0x20) <= 'z')))
		i++;
	if (!i || i + 2 >= package.n || memcmp(package.p + i, "::", 2) != 0)
		return STR_NONE;
	*rest = str_sub(package, i + 2, package.n);
	return str_sub(package, 0, i);
}

/* A subdirectory is before the query, after a "//" other than the scheme's. */
static void split(struct arena *a, struct str s, struct str *package,
		  struct str *subdir)
{
	ptrdiff_t query = str_chr(s, '?'), scheme, sub;
	struct str head = query < 0 ? s : str_sub(s, 0, (size_t)query);
	struct str tail = str_sub(s, head.n, s.n);
	size_t from;

	scheme = str_find(head, STR("://"));
	from = scheme < 0 ? 0 : (size_t)scheme + 3;
	sub = str_find(str_sub(head, from, head.n), STR("//"));
	*package = s;
	*subdir = STR_NONE;
	if (sub < 0)
		return;
	from += (size_t)sub;
	*package = STR_CAT(a, str_sub(head, 0, from), tail);
	*subdir = str_sub(head, from + 2, head.n);
}

void module_address_split(struct arena *a, struct str text,
			  struct module_address *out)
{
	split(a, text, &out->package, &out->subdir);
	out->subdir = file_path_join(a, out->subdir, STR_NONE);
}

struct str module_address_text(struct arena *a, const struct module_address *m)
{
	ptrdiff_t query = str_chr(m->package, '?');
	const size_t head = query < 0 ? m->package.n : (size_t)query;

	if (!m->subdir.n)
		return m->package;
	return STR_CAT(a, str_sub(m->package, 0, head), STR("//"), m->subdir,
		       str_sub(m->package, head, m->package.n));
}

/* --- what is written without a scheme --- */

/* 1: detected, *out is set; 0: not of this kind; -1: invalid. */
typedef int detect_fn(struct arena *a, struct str s, struct str *out,
		      struct str *why);

/* The parts between slashes; the last one has the rest. */
static size_t parts(struct str s, struct str *out, size_t most)
{
	size_t n = 0;

	for (;;) {
		ptrdiff_t slash = str_chr(s, '/');

		if (slash < 0 || n + 1 == most) {
			out[n++] = s;
			return n;
		}
		out[n++] = str_sub(s, 0, (size_t)slash);
		s = str_sub(s, (size_t)slash + 1, s.n);
	}
}

static struct str with_git(struct arena *a, struct str path)
{
	return str_ends(path, ".git") ? path : STR_CAT(a, path, STR(".git"));
}

static int detect_github(struct arena *a, struct str s, struct str *out,
			 struct str *why)
{
	ptrdiff_t query = str_chr(s, '?');
	struct str head = query < 0 ? s : str_sub(s, 0, (size_t)query), p[4];
	struct str tail = str_sub(s, head.n, s.n);
	struct url u;
	size_t n;

	if (!str_starts(s, "github.com/"))
		return 0;
	n = parts(head, p, 4);
	if (n < 3 || url_parse(a,
			       STR_CAT(a, STR("https://github.com/"), p[1],
				       STR("/"), p[2]),
			       &u)) {
		*why = STR("addresses at GitHub are github.com/USER/REPO");
		return -1;
	}
	u.path = with_git(a, u.path);
	if (n > 3)
		u.path = STR_CAT(a, u.path, STR("//"), p[3]);
	if (tail.n == 1)
		tail = STR_NONE;
	*out = STR_CAT(a, STR("git::"), url_text(a, &u), tail);
	return 1;
}

/* git@HOST:PATH */
static int detect_ssh(struct arena *a, struct str s, struct str *out,
		      struct str *why)
{
	struct url u = { .scheme = STR("ssh"),
			 .has_user = true,
			 .user = STR("git") };
	ptrdiff_t colon, query;
	bool bad;

	if (!str_starts(s, "git@"))
		return 0;
	s = str_sub(s, 4, s.n);
	colon = str_chr(s, ':');
	if (colon < 1 || (size_t)colon + 1 == s.n)
		return 0;
	u.host = str_sub(s, 0, (size_t)colon);
	s = str_sub(s, (size_t)colon + 1, s.n);
	if (s.n > 1 && s.p[0] == '/')
		s = str_sub(s, 1, s.n);
	query = str_chr(s, '?');
	u.path = query < 0 ? s : str_sub(s, 0, (size_t)query);
	if (query >= 0) {
		u.query = url_query(a, str_sub(s, (size_t)query + 1, s.n), NULL,
				    &bad);
		u.has_query = u.query.n > 0;
		if (bad) {
			*why = STR("its query is not valid");
			return -1;
		}
	}
	*out = STR_CAT(a, STR("git::"), url_text(a, &u));
	return 1;
}

/* OpenTofu asks the host which of two kinds of repository it is; since 2020
 * there is one kind. */
static int detect_bitbucket(struct arena *a, struct str s, struct str *out,
			    struct str *why)
{
	struct url u;

	if (!str_starts(s, "bitbucket.org/"))
		return 0;
	if (url_parse(a, STR_CAT(a, STR("https://"), s), &u)) {
		*why = STR(
			"it is not the address of a repository at Bitbucket");
		return -1;
	}
	u.path = with_git(a, u.path);
	u.raw_path = STR_NONE;
	*out = STR_CAT(a, STR("git::"), url_text(a, &u));
	return 1;
}

static int detect_url(struct arena *a, const char *getter, struct str text,
		      struct str *out, struct str *why)
{
	struct url u;

	if (url_parse(a, text, &u)) {
		*why = STR("it is not an address of an object");
		return -1;
	}
	*out = STR_CAT(a, str_c(getter), url_text(a, &u));
	return 1;
}

/* www.googleapis.com/storage/VERSION/BUCKET/OBJECT */
static int detect_gcs(struct arena *a, struct str s, struct str *out,
		      struct str *why)
{
	struct str p[5];

	if (str_find(s, STR(".googleapis.com/")) < 0)
		return 0;
	if (parts(s, p, 5) < 5) {
		*why = STR("it is not an address of Google Cloud Storage");
		return -1;
	}
	return detect_url(a, "gcs::",
			  STR_CAT(a, STR("https://www.googleapis.com/storage/"),
				  p[2], STR("/"), p[3], STR("/"), p[4]),
			  out, why);
}

/* REGION.amazonaws.com/…, BUCKET.REGION.amazonaws.com/…, and
 * BUCKET.s3.REGION.amazonaws.com/… */
static int detect_s3(struct arena *a, struct str s, struct str *out,
		     struct str *why)
{
	struct str p[2], label[6], rest;
	const struct str https = STR("https://"), dot = STR(".amazonaws.com/");
	size_t n = 0;

	if (str_find(s, STR(".amazonaws.com/")) < 0)
		return 0;
	parts(s, p, 2);
	for (rest = p[0]; n < 6;
	     rest = str_sub(rest, label[n - 1].n + 1, rest.n)) {
		ptrdiff_t at = str_chr(rest, '.');

		label[n++] = at < 0 ? rest : str_sub(rest, 0, (size_t)at);
		if (at < 0)
			break;
	}
	if (n == 3)
		return detect_url(a, "s3::",
				  STR_CAT(a, https, label[0], dot, p[1]), out,
				  why);
	if (n == 4)
		return detect_url(a, "s3::",
				  STR_CAT(a, https, label[1], dot, label[0],
					  STR("/"), p[1]),
				  out, why);
	if (n == 5 && str_is(label[1], "s3"))
		return detect_url(a, "s3::",
				  STR_CAT(a, https, STR("s3."), label[2], dot,
					  label[0], STR("/"), p[1]),
				  out, why);
	*why = STR("it is not an address of S3");
	return -1;
}

static int detect_file(struct arena *a, struct str s, struct str *out,
		       struct str *why)
{
	if (!s.n) {
		*why = STR("it names no package");
		return -1;
	}
	if (s.p[0] != '/') {
		*why = STR_NONE;
		return -1;
	}
	*out = STR_CAT(a, STR("file://"), s);
	return 1;
}

static int detect_any(struct arena *a, struct str s, struct str *out,
		      struct str *why)
{
	static detect_fn *const all[] = { detect_github,    detect_ssh,
					  detect_bitbucket, detect_gcs,
					  detect_s3,        detect_file };
	int rc = 0;

	for (size_t i = 0; !rc && i < sizeof(all) / sizeof(*all); i++)
		rc = all[i](a, s, out, why);
	return rc;
}

/* --- all together --- */

/* Escapes the subdirectory that a detector found once more, unless it is valid
 * in a URL as it is. */
static int escape_subdir(struct arena *a, struct str *text)
{
	struct str package, inner;
	struct url u;

	split(a, *text, &package, &inner);
	if (!inner.n)
		return 0;
	if (url_parse(a, package, &u))
		return -1;
	u.path = STR_CAT(a, u.path, STR("//"), inner);
	u.raw_path = u.path;
	*text = url_text(a, &u);
	return 0;
}

/* package is GETTER::URL, or what a detector knows. */
static int detect_package(struct arena *a, struct str package,
			  struct module_address *out, struct str *why)
{
	struct str rest, inner, found = STR_NONE, detected;
	struct str getter = module_address_getter(package, &rest);
	struct url u;

	out->package = package;
	out->subdir = STR_NONE;
	/* The // of GETTER::// is that of no URL: no package is before it. */
	split(a, rest, &rest, &inner);
	if (!url_parse(a, rest, &u) && u.scheme.n)
		return 0;
	if (detect_any(a, rest, &found, why) < 0)
		return -1;
	detected = module_address_getter(found, &rest);
	if (escape_subdir(a, &rest)) {
		*why = STR("it is not a URL");
		return -1;
	}
	split(a, rest, &found, &inner);
	if (!getter.n)
		getter = detected;
	out->package = getter.n ? STR_CAT(a, getter, STR("::"), found) : found;
	out->subdir = inner;
	return 0;
}

static bool leads_out(struct str subdir)
{
	return str_is(subdir, "..") || str_starts(subdir, "../");
}

int module_address_detect(struct arena *a, struct str source,
			  struct module_address *out, struct str *why)
{
	struct module_address given;

	module_address_split(a, source, &given);
	if (detect_package(a, given.package, out, why))
		return -1;
	out->subdir = file_path_join(a, out->subdir, given.subdir);
	if (!leads_out(given.subdir) && !leads_out(out->subdir))
		return 0;
	*why = STR("its subdirectory leads out of the package");
	return -1;
}
