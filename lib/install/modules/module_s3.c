/* module_s3.c - packages of modules in S3 and compatible services
 *
 *	s3::https://s3-REGION.amazonaws.com/BUCKET/KEY
 *	s3::https://BUCKET.s3.REGION.amazonaws.com/KEY
 *	s3::https://HOST/BUCKET/KEY?region=REGION
 *
 * Whatever form the address has, requests name the bucket as the first part of
 * the path.
 */
#include <stdlib.h>

#include "install/modules/modules_int.h"
#include "remote/aws.h"
#include "remote/xml.h"
#include "remote/remote.h"

struct place {
	struct str endpoint; /* https://HOST, with a path maybe */
	struct str host;     /* of it */
	struct str base;     /* its path, without a slash at the end */
	struct str bucket, key, version, region;
	bool has_region; /* the address says it */
	bool amazon; /* it is Amazon's, unless the environment has another */
	struct aws_keys keys;
};

static const char *const domains[] = {
	".amazonaws.com", ".amazonaws.com.cn", ".amazonaws.eu",   ".c2s.ic.gov",
	".sc2s.sgov.gov", ".cloud.adc-e.uk",   ".csp.hci.ic.gov",
};

/* Amazon's domain that the host belongs to; STR_NONE: another's. */
static struct str domain_of(struct str host)
{
	for (size_t i = 0; i < sizeof(domains) / sizeof(*domains); i++)
		if (str_ends(host, domains[i]) && host.n > strlen(domains[i]))
			return str_c(domains[i]);
	return STR_NONE;
}

static bool cut_path(struct str path, struct str *first, struct str *rest)
{
	ptrdiff_t slash;

	if (!str_starts(path, "/"))
		return false;
	path = str_sub(path, 1, path.n);
	slash = str_chr(path, '/');
	if (slash < 1)
		return false;
	*first = str_sub(path, 0, (size_t)slash);
	*rest = str_sub(path, (size_t)slash + 1, path.n);
	return true;
}

static struct str region_in(struct str label)
{
	if (str_starts(label, "s3-"))
		return str_sub(label, 3, label.n);
	return str_starts(label, "s3") ? str_sub(label, 2, label.n) : label;
}

enum { LABELS = 4 };

/* The names between dots; how many, at most LABELS. */
static size_t labels_of(struct str host, struct str out[LABELS])
{
	size_t n = 0;
	ptrdiff_t dot;

	do {
		dot = str_chr(host, '.');
		out[n++] = str_sub(host, 0, dot < 0 ? host.n : (size_t)dot);
		host = str_sub(host, out[n - 1].n + (dot >= 0), host.n);
	} while (dot >= 0 && n < LABELS);
	return n;
}

static bool read_amazon(struct arena *a, const struct url *u, struct str domain,
			struct place *p)
{
	struct str label[LABELS];
	size_t n = labels_of(str_sub(u->host, 0, u->host.n - domain.n), label);
	bool good = n < LABELS, path = n == 1;

	if (n == 1) {
		p->region = region_in(label[0]);
	} else if (n == 2 && str_is(label[0], "s3")) {
		p->region = label[1];
		path = true;
	} else if (n == 2) {
		p->region = region_in(label[1]);
		good = p->region.n > 0;
	} else {
		p->region = label[2];
	}
	p->has_region = p->region.n > 0;
	if (!p->has_region)
		p->region = STR("us-east-1");
	if (path) {
		good &= cut_path(u->path, &p->bucket, &p->key);
	} else {
		p->bucket = label[0];
		p->key = u->path.n ? str_sub(u->path, 1, u->path.n) : u->path;
	}
	p->endpoint = str_printf(a, "https://s3.%.*s%.*s", STR_ARG(p->region),
				 STR_ARG(domain));
	p->amazon = true;
	return good;
}

static bool read_other(struct arena *a, const struct url *u, struct place *p)
{
	p->region = url_parameter(a, u->query, "region");
	p->has_region = p->region.n > 0;
	if (!p->has_region)
		p->region = STR("us-east-1");
	p->endpoint = str_printf(a, "%.*s://%.*s", STR_ARG(u->scheme),
				 STR_ARG(u->host));
	return cut_path(u->path, &p->bucket, &p->key);
}

/* Reads the host as it is sent: without the scheme's default port. */
static int read_endpoint(struct arena *a, struct place *p, struct str *why)
{
	struct url u;

	if (url_parse(a, p->endpoint, &u) || !u.host.n ||
	    !(str_is(u.scheme, "https") || str_is(u.scheme, "http"))) {
		*why = str_printf(a, "%.*s is no address of S3",
				  STR_ARG(url_redacted(a, p->endpoint)));
		return -1;
	}
	p->host = u.host;
	if (str_ends(u.host, str_is(u.scheme, "https") ? ":443" : ":80"))
		p->host.n -= str_is(u.scheme, "https") ? 4 : 3;
	p->base = remote_escape(a, u.path, true);
	while (p->base.n && p->base.p[p->base.n - 1] == '/')
		p->base.n--;
	p->endpoint = STR_CAT(a, u.scheme, STR("://"), p->host);
	return 0;
}

/* Keys in the address count alone, a profile there before all others. */
static int read_keys(struct module_store *s, struct str query, struct place *p,
		     struct str *why)
{
	struct arena *a = s->a;
	const struct str profile = url_parameter(a, query, "aws_profile");
	const struct aws_keys own = {
		url_parameter(a, query, "aws_access_key_id"),
		url_parameter(a, query, "aws_access_key_secret"),
		url_parameter(a, query, "aws_access_token"), 0
	};
	const bool given = own.id.p || own.secret.p || own.token.p;
	struct aws_settings settings = { .profile = profile };
	struct aws *c;

	if (!profile.n || p->has_region)
		settings.region = p->region;
	c = aws_open(module_store_remote(s), &settings, why);
	if (!c)
		return -1;
	if (p->amazon && aws_settings_of(c)->endpoints[AWS_S3].n)
		p->endpoint = aws_settings_of(c)->endpoints[AWS_S3];
	p->keys = own;
	if (given && !profile.n)
		return 0;
	if (aws_keys_of(c, &p->keys, why))
		return -1;
	if (aws_settings_of(c)->region.n)
		p->region = aws_settings_of(c)->region;
	return 0;
}

static int read_place(struct module_store *s, const struct url *u,
		      struct place *p, struct str *why)
{
	const struct str domain = domain_of(u->host);
	struct arena *a = s->a;

	*p = (struct place){ .version = url_parameter(a, u->query, "version") };
	if (!(domain.n ? read_amazon(a, u, domain, p) : read_other(a, u, p))) {
		*why = domain.n ? STR("URL is not a valid S3 URL")
				: STR("URL is not a valid S3 compliant URL");
		return -1;
	}
	return read_keys(s, u->query, p, why) || read_endpoint(a, p, why) ? -1
									  : 0;
}

/* A signed request for a key, or for the bucket. */
static struct object object_of(struct arena *a, const struct place *p,
			       struct str key, struct str query)
{
	const struct aws_request r = {
		.host = p->host,
		.path = STR_CAT(a, p->base, STR("/"),
				remote_escape(a, p->bucket, true),
				key.n ? STR("/") : STR(""),
				remote_escape(a, key, true)),
		.query = query,
		.region = p->region,
		.service = STR("s3"),
	};
	struct object o = {
		.name = key,
		.url = STR_CAT(a, p->endpoint, r.path,
			       query.n ? STR("?") : STR(""), query),
	};

	o.nheaders = aws_sign(a, &r, &p->keys, time(NULL), o.headers);
	return o;
}

/* --- what is below a key --- */

static int read_list(struct module_store *s, const struct place *p,
		     struct str prefix, struct str text, struct objects *all,
		     struct str *more, struct str *why)
{
	struct str rest = text, one;

	while ((one = xml_element(s->a, &rest, "Contents")).p) {
		struct str key = one, size = one, name;
		struct object o;

		name = xml_element(s->a, &key, "Key");
		size = xml_element(s->a, &size, "Size");
		if (!name.n)
			continue;
		o = object_of(s->a, p, name, STR_NONE);
		o.size = size.n ? strtoll(size.p, NULL, 10) : 0;
		if (bucket_add(s->a, all, &o, prefix, why))
			return -1;
	}
	rest = text;
	*more = STR_NONE;
	if (str_is(xml_element(s->a, &rest, "IsTruncated"), "true")) {
		rest = text;
		*more = xml_element(s->a, &rest, "NextContinuationToken");
	}
	return 0;
}

/* By the names of its parameters in order, as the signature has them. */
static struct str list_query(struct arena *a, struct str prefix,
			     struct str more)
{
	struct str q = STR("list-type=2");

	if (more.n)
		q = STR_CAT(a, STR("continuation-token="),
			    remote_escape(a, more, false), STR("&"), q);
	return STR_CAT(a, q, STR("&prefix="), remote_escape(a, prefix, false));
}

static int list(struct module_store *s, const struct place *p,
		struct objects *all, struct str *why)
{
	const struct str prefix = bucket_prefix(s->a, p->key);
	struct str more = STR_NONE;
	int pages = 0;

	do {
		struct fetch_request ask = { .redirects = FETCH_NO_REDIRECTS,
					     .retries = REMOTE_RETRIES };
		struct fetch_answer answer;
		const struct object o =
			object_of(s->a, p, STR_NONE,
				  list_query(s->a, prefix, more));

		ask.url = o.url;
		ask.headers = o.headers;
		ask.nheaders = o.nheaders;
		if (fetch_wait(module_store_hosts(s), &ask, &answer) ||
		    answer.status != 200) {
			*why = xml_failure(s->a, &answer);
			return -1;
		}
		if (read_list(s, p, prefix, answer.body, all, &more, why))
			return -1;
	} while (more.n && ++pages < BUCKET_PAGES);
	if (more.n)
		*why = STR("the list of objects has no end");
	return more.n ? -1 : 0;
}

/* --- packages --- */

int module_s3_get(struct module_store *s, const struct package_request *r,
		  struct str *why)
{
	struct objects all = { 0 };
	struct place p;
	struct object o;
	struct str query = STR_NONE;

	if (read_place(s, &r->parts, &p, why))
		return -1;
	if (!r->kind.n)
		return bucket_no_checksum(r, why) || list(s, &p, &all, why) ||
				       bucket_fetch(s, r, &all, why)
			       ? -1
			       : 0;
	if (p.version.n)
		query = STR_CAT(s->a, STR("versionId="),
				remote_escape(s->a, p.version, false));
	o = object_of(s->a, &p, p.key, query);
	return bucket_archive(s, r, &o, p.version.n > 0, why);
}
