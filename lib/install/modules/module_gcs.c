/* module_gcs.c - packages of modules in Google Cloud Storage
 *
 *	gcs::https://www.googleapis.com/storage/v1/BUCKET/OBJECT#GENERATION
 *
 * Requested with a token (google_token.h), or anonymously.  Lists come from the
 * JSON API, objects from the XML API, as in OpenTofu.
 */
#include <stdlib.h>

#include "install/modules/modules_int.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"
#include "remote/remote.h"
#include "remote/google_token.h"
#include "remote/xml.h"

static const char host[] = "https://storage.googleapis.com";

struct place {
	struct str bucket, name, token;
	struct str generation; /* digits; or empty */
};

/* /storage/VERSION/BUCKET/OBJECT */
static bool read_path(struct str path, struct place *p)
{
	struct str part[3] = { STR_NONE, STR_NONE, STR_NONE };

	path = str_starts(path, "/") ? str_sub(path, 1, path.n) : STR_NONE;
	for (size_t i = 0; i < 3; i++) {
		ptrdiff_t slash = str_chr(path, '/');

		if (slash < 0)
			return false;
		part[i] = str_sub(path, 0, (size_t)slash);
		path = str_sub(path, (size_t)slash + 1, path.n);
	}
	p->bucket = part[2];
	p->name = path;
	return p->bucket.n > 0;
}

static int read_place(struct arena *a, const struct url *u, struct place *p,
		      struct str *why)
{
	static const char digits[] = "0123456789";
	const struct str domain = STR(".googleapis.com");

	*p = (struct place){ .generation = u->fragment };
	if (!str_ends(u->host, domain.p) ||
	    str_chr(str_sub(u->host, 0, u->host.n - domain.n), '.') >= 0 ||
	    !read_path(u->path, p)) {
		*why = STR("URL is not a valid GCS URL");
		return -1;
	}
	if (strspn(str_dup(a, p->generation).p, digits) < p->generation.n) {
		*why = str_printf(a, "\"%.*s\" is no generation of an object",
				  STR_ARG(p->generation));
		return -1;
	}
	return 0;
}

static struct object object_of(struct arena *a, const struct place *p,
			       struct str name)
{
	return (struct object){
		.name = name,
		.token = p->token,
		.url = str_printf(a, "%s/%.*s/%.*s", host,
				  STR_ARG(remote_escape(a, p->bucket, false)),
				  STR_ARG(remote_escape(a, name, true)))
	};
}

static int refused(struct arena *a, const struct place *p,
		   const struct fetch_answer *answer, struct str *why)
{
	*why = xml_failure(a, answer);
	if (!p->token.n && (answer->status == 401 || answer->status == 403))
		*why = STR_CAT(a, *why,
			       STR("; there is no token in "
				   "GOOGLE_OAUTH_ACCESS_TOKEN, and no file "
				   "that GOOGLE_APPLICATION_CREDENTIALS "
				   "names"));
	return -1;
}

static int read_list(struct arena *a, const struct place *p, struct str prefix,
		     struct str body, struct objects *all, struct str *more,
		     struct str *why)
{
	struct json_error wrong = { 0, NULL };
	const struct json *j = json_parse(a, body, &wrong);
	const struct json *items = j ? json_get(j, "items") : NULL;

	*more = json_get_str(j, "nextPageToken");
	if (!j || j->kind != JSON_OBJECT ||
	    (items && items->kind != JSON_ARRAY)) {
		*why = STR("the answer is no list of objects");
		return -1;
	}
	for (uint32_t i = 0; items && i < items->len; i++) {
		struct object o =
			object_of(a, p, json_get_str(&items->items[i], "name"));
		struct str size = json_get_str(&items->items[i], "size");

		o.size = size.n ? strtoll(str_dup(a, size).p, NULL, 10) : 0;
		if (o.name.n && bucket_add(a, all, &o, prefix, why))
			return -1;
	}
	return 0;
}

static int list(struct module_store *s, const struct place *p,
		struct objects *all, struct str *why)
{
	const struct str prefix = bucket_prefix(s->a, p->name);
	struct str more = STR_NONE;
	int pages = 0;

	do {
		struct fetch_request ask = { .token = p->token,
					     .redirects = FETCH_NO_REDIRECTS,
					     .retries = REMOTE_RETRIES };
		struct fetch_answer answer;

		ask.url = str_printf(
			s->a, "%s/storage/v1/b/%.*s/o?prefix=%.*s%s%.*s", host,
			STR_ARG(remote_escape(s->a, p->bucket, false)),
			STR_ARG(remote_escape(s->a, prefix, false)),
			more.n ? "&pageToken=" : "",
			STR_ARG(remote_escape(s->a, more, false)));
		if (fetch_wait(module_store_hosts(s), &ask, &answer) ||
		    answer.status != 200)
			return refused(s->a, p, &answer, why);
		if (read_list(s->a, p, prefix, answer.body, all, &more, why))
			return -1;
	} while (more.n && ++pages < BUCKET_PAGES);
	if (more.n)
		*why = STR("the list of objects has no end");
	return more.n ? -1 : 0;
}

int module_gcs_get(struct module_store *s, const struct package_request *r,
		   struct str *why)
{
	const struct google_settings who = google_modules();
	struct remote *rem = module_store_remote(s);
	struct objects all = { 0 };
	struct object o;
	struct place p;

	if (read_place(s->a, &r->parts, &p, why) ||
	    google_token(rem, &who, &rem->google_token, why))
		return -1;
	p.token = rem->google_token.text;
	if (!r->kind.n)
		return bucket_no_checksum(r, why) || list(s, &p, &all, why) ||
				       bucket_fetch(s, r, &all, why)
			       ? -1
			       : 0;
	o = object_of(s->a, &p, p.name);
	if (p.generation.n)
		o.url = STR_CAT(s->a, o.url, STR("?generation="), p.generation);
	return bucket_archive(s, r, &o, p.generation.n > 0, why);
}
