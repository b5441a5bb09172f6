/*
 * module_http.c - packages of modules on web servers
 *
 * An archive is fetched; for any other URL the server is asked for the
 * package's location (terraform-get=1), given in a header or in a meta tag of a
 * page.
 */
#include <errno.h>
#include <strings.h>
#include <unistd.h>

#include "install/modules/modules_int.h"
#include "base/file_path.h"
#include "base/io.h"
#include "config/source/source.h"
#include "install/package/copy_tree.h"
#include "install/package/kept.h"
#include "install/package/unpack.h"

enum { MOST_HOPS = 10 };

/* Adds the user's name and password for the host (netrc) to the URL. */
static struct str with_user(struct module_store *s, struct url u)
{
	if (!u.user.n && netrc_find(s->a, u.host, &u.user, &u.password))
		u.has_user = u.has_password = true;
	return url_text(s->a, &u);
}

static struct str failure(struct arena *a, const struct fetch_answer *answer)
{
	return answer->error.n
		       ? answer->error
		       : str_printf(a, "bad response code: %d", answer->status);
}

/* --- archives --- */

/* An archive that is asked for, and what was kept of it. */
struct asking {
	struct str key; /* under which it is kept */
	bool sure;
	struct kept_archive kept;
	struct str file; /* the download */
	struct str copy; /* where kept.file is */
};

static struct fetch_request request_of(struct module_store *s,
				       const struct asking *k,
				       const struct web_archive *w)
{
	struct fetch_header *h =
		ARENA_ARRAY(s->a, struct fetch_header, w->nheaders + 1);
	struct fetch_request ask = { .url = w->url,
				     .to = k->file,
				     .token = w->token,
				     .headers = h,
				     .most = unpack_module_limit(),
				     .redirects = w->redirects };

	for (; ask.nheaders < w->nheaders; ask.nheaders++)
		h[ask.nheaders] = w->headers[ask.nheaders];
	if (k->kept.etag.n)
		h[ask.nheaders++] = (struct fetch_header){ STR("If-None-Match"),
							   k->kept.etag };
	return ask;
}

static int ask_archive(struct module_store *s, const struct asking *k,
		       const struct package_request *r,
		       const struct web_archive *w, struct str *why)
{
	const struct fetch_request ask = request_of(s, k, w);
	struct fetch_answer answer;
	struct str etag;

	if (!downloads_get(s->downloads, &ask, &answer) &&
	    answer.status == 304 && k->kept.etag.n)
		return module_store_archive(s, r, k->kept.file, why);
	if (answer.error.n || answer.status != 200) {
		*why = w->failure(s->a, &answer);
		return -1;
	}
	if (module_store_archive(s, r, k->file, why))
		return -1;
	etag = fetch_answer_header(&answer, "etag");
	if (k->sure || etag.n)
		kept_archive_put(s->a, k->key, k->file, etag);
	return 0;
}

static struct asking *prepare(struct module_store *s,
			      const struct package_request *r,
			      const struct web_archive *w)
{
	const struct str sum = r->checksum;
	struct asking *k = ARENA_NEW(s->a, struct asking);

	*k = (struct asking){ .file = module_beside(s->a, r->dir, ".archive"),
			      .copy = module_beside(s->a, r->dir, ".kept") };
	k->sure =
		w->sure || s->pinned.n || (sum.n && !str_starts(sum, "file:"));
	k->key = STR_CAT(s->a, w->url, STR("\n"), sum, STR("\n"), s->pinned);
	kept_archive_find(s->a, k->key, k->copy, &k->kept);
	return k;
}

int module_http_get_archive(struct module_store *s,
			    const struct package_request *r,
			    const struct web_archive *w, struct str *why)
{
	const struct asking *k = map_get(&s->asked, r->dir);
	struct str unused;
	int rc;

	if (!k)
		k = prepare(s, r, w);
	if (k->sure && k->kept.file.n &&
	    !module_store_archive(s, r, k->kept.file, &unused))
		rc = 0;
	else
		rc = ask_archive(s, k, r, w, why);
	map_put(s->a, &s->asked, r->dir, NULL);
	io_remove_tree(k->copy.p);
	unlink(k->file.p);
	return rc;
}

static struct web_archive web_archive(struct module_store *s,
				      const struct package_request *r)
{
	return (struct web_archive){ .url = with_user(s, r->parts),
				     .failure = failure };
}

static int fetch_archive(struct module_store *s,
			 const struct package_request *r, struct str *why)
{
	const struct web_archive w = web_archive(s, r);

	return module_http_get_archive(s, r, &w, why);
}

bool module_http_coming(struct module_store *s, const struct package_request *r)
{
	const struct web_archive w = web_archive(s, r);
	struct fetch_request ask;
	struct asking *k;

	/* what is kept is copied beside the module */
	if (!r->kind.n ||
	    io_make_dirs(str_dup(s->a, file_path_directory(r->dir)).p, 0777))
		return false;
	k = prepare(s, r, &w);
	map_put(s->a, &s->asked, r->dir, k);
	ask = request_of(s, k, &w);
	if (!k->sure || !k->kept.file.n)
		downloads_want(s->downloads, &ask);
	return true;
}

/* --- where a package is --- */

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '/';
}

static bool same_word(struct str s, const char *word)
{
	return s.n == strlen(word) && !strncasecmp(s.p, word, s.n);
}

/* The next attribute of a tag: NAME [ = VALUE ].  false: there is none. */
static bool read_attribute(struct str *tag, struct str *name, struct str *value)
{
	struct str t = *tag;
	size_t i = 0, from;
	char quote = 0;

	while (i < t.n && is_space(t.p[i]))
		i++;
	from = i;
	while (i < t.n && !is_space(t.p[i]) && t.p[i] != '=')
		i++;
	*name = str_sub(t, from, i);
	*value = STR_NONE;
	while (i < t.n && is_space(t.p[i]))
		i++;
	if (i < t.n && t.p[i] == '=') {
		for (i++; i < t.n && is_space(t.p[i]) && t.p[i] != '/'; i++)
			;
		if (i < t.n && (t.p[i] == '"' || t.p[i] == '\''))
			quote = t.p[i++];
		from = i;
		while (i < t.n && (quote ? t.p[i] != quote
					 : !is_space(t.p[i]) || t.p[i] == '/'))
			i++;
		*value = str_sub(t, from, i);
		i += quote && i < t.n;
	}
	*tag = str_sub(t, i, t.n);
	return name->n > 0;
}

static struct str unquote(struct arena *a, struct str s)
{
	static const struct {
		const char *entity;
		char c;
	} all[] = { { "&amp;", '&' },  { "&lt;", '<' },    { "&gt;", '>' },
		    { "&quot;", '"' }, { "&apos;", '\'' }, { "&#39;", '\'' },
		    { "&#34;", '"' },  { "&#38;", '&' } };
	char *out = arena_alloc(a, s.n + 1);
	size_t n = 0;

	while (s.n) {
		size_t take = 1;

		out[n] = s.p[0];
		for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
			if (str_starts(s, all[i].entity)) {
				out[n] = all[i].c;
				take = strlen(all[i].entity);
				break;
			}
		n++;
		s = str_sub(s, take, s.n);
	}
	out[n] = '\0';
	return (struct str){ out, n };
}

/* <meta name="terraform-get" content="…"> in the head of a page. */
static struct str read_page(struct arena *a, struct str page)
{
	ptrdiff_t at;

	while ((at = str_chr(page, '<')) >= 0) {
		struct str tag, word, name, value;
		struct str content = STR_NONE;
		bool ours = false;

		page = str_sub(page, (size_t)at + 1, page.n);
		if (str_starts(page, "!--")) {
			at = str_find(page, STR("-->"));
			page = at < 0 ? STR_NONE
				      : str_sub(page, (size_t)at + 3, page.n);
			continue;
		}
		at = str_chr(page, '>');
		tag = str_sub(page, 0, at < 0 ? page.n : (size_t)at);
		if (same_word(str_trim(tag), "/head"))
			break;
		if (!read_attribute(&tag, &word, &value) ||
		    same_word(word, "body"))
			break;
		if (!same_word(word, "meta"))
			continue;
		while (read_attribute(&tag, &name, &value)) {
			if (same_word(name, "name"))
				ours = str_is(value, "terraform-get");
			else if (same_word(name, "content"))
				content = value;
		}
		if (ours && content.n)
			return unquote(a, content);
	}
	return STR_NONE;
}

/* STR_NONE with *why. */
static struct str ask_where(struct module_store *s,
			    const struct package_request *r, struct str *why)
{
	struct fetch_answer answer;
	struct fetch_request ask = { .url = STR_NONE };
	struct url u = r->parts;
	struct str source;

	u.query = STR_CAT(s->a, u.query, u.query.n ? STR("&") : STR(""),
			  STR("terraform-get=1"));
	u.query = url_query(s->a, u.query, NULL, NULL);
	u.has_query = true;
	ask.url = with_user(s, u);
	if (fetch_wait(module_store_hosts(s), &ask, &answer) ||
	    answer.status < 200 || answer.status > 299) {
		*why = failure(s->a, &answer);
		return STR_NONE;
	}
	source = fetch_answer_header(&answer, "x-terraform-get");
	if (!source.n)
		source = read_page(s->a, answer.body);
	if (!source.n)
		*why = STR("no source URL was returned");
	return source.n ? str_dup(s->a, source) : STR_NONE;
}

/* Fetches the part of a package that the host refers to. */
static int get_part(struct module_store *s, const struct module_address *m,
		    struct str dir, struct str *why)
{
	struct str whole = module_beside(s->a, dir, ".whole"), part;
	int rc = -1;

	io_remove_tree(whole.p);
	if (module_store_package(s, m->package, whole, why))
		return -1;
	part = module_subdir(s->a, whole, m->subdir, why);
	if (part.n) {
		rc = copy_tree(part.p, dir.p, copy_all);
		if (rc)
			*why = str_printf(s->a, "%.*s cannot be copied: %s",
					  STR_ARG(part), strerror(errno));
	}
	io_remove_tree(whole.p);
	if (rc)
		io_remove_tree(dir.p);
	return rc;
}

static int get_elsewhere(struct module_store *s, struct str source,
			 struct str dir, struct str *why)
{
	struct module_address m;
	struct str rest;
	struct url u;

	module_address_split(s->a, source, &m);
	module_address_getter(m.package, &rest);
	if (url_parse(s->a, rest, &u) || !u.scheme.n) {
		*why = str_printf(s->a, "invalid source string: %.*s",
				  STR_ARG(source));
		return -1;
	}
	if (str_is(m.subdir, "..") || str_starts(m.subdir, "../")) {
		*why = STR(
			"the subdirectory that the host names leads out of the package");
		return -1;
	}
	return m.subdir.n ? get_part(s, &m, dir, why)
			  : module_store_package(s, m.package, dir, why);
}

int module_http_get(struct module_store *s, const struct package_request *r,
		    struct str *why)
{
	struct str source;
	int rc = -1;

	if (r->kind.n)
		return fetch_archive(s, r, why);
	if (r->checksum.n) {
		*why = STR(
			"checksum cannot be specified for directory download");
		return -1;
	}
	if (++s->hops > MOST_HOPS) {
		*why = str_printf(s->a,
				  "too many X-Terraform-Get redirects: %d",
				  s->hops);
	} else {
		source = ask_where(s, r, why);
		if (source.n)
			rc = get_elsewhere(s, source, r->dir, why);
	}
	s->hops--;
	return rc;
}
