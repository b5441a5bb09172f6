/* aws_endpoint.c - see aws.h
 *
 * docs.aws.amazon.com, "AWS service endpoints", "Amazon S3 dual-stack
 * endpoints", "Virtual hosting of general purpose buckets".
 */
#include <ctype.h>

#include "remote/aws.h"
#include "config/source/url.h"
#include "remote/remote.h"

/* --- regions --- */

/* Partitions by how their regions begin; the last is for all others. */
static const struct partition {
	const char *region;  /* the beginning of names */
	const char *domain;  /* of services */
	const char *dual;    /* of those with IPv6 */
	const char *central; /* the region that IAM's requests are signed for */
} partitions[] = {
	{ "cn-", "amazonaws.com.cn", "api.amazonwebservices.com.cn",
	  "cn-north-1" },
	{ "eusc-", "amazonaws.eu", "api.amazonwebservices.eu",
	  "eusc-de-east-1" },
	{ "us-isob-", "sc2s.sgov.gov", "api.aws.scloud", "us-isob-east-1" },
	{ "us-isof-", "csp.hci.ic.gov", "api.aws.hci.ic.gov",
	  "us-isof-south-1" },
	{ "us-iso-", "c2s.ic.gov", "api.aws.ic.gov", "us-iso-east-1" },
	{ "eu-isoe-", "cloud.adc-e.uk", "api.cloud-aws.adc-e.uk",
	  "eu-isoe-west-1" },
	{ "us-gov-", "amazonaws.com", "api.aws", "us-gov-west-1" },
	{ "", "amazonaws.com", "api.aws", "us-east-1" },
};

static const struct partition *partition_of(struct str region)
{
	const struct partition *p = partitions;

	while (!str_starts(region, p->region))
		p++;
	return p;
}

bool aws_region_known(struct str region)
{
	static const char *const all[] = {
		"af-south-1",     "ap-east-1",       "ap-east-2",
		"ap-northeast-1", "ap-northeast-2",  "ap-northeast-3",
		"ap-south-1",     "ap-south-2",      "ap-southeast-1",
		"ap-southeast-2", "ap-southeast-3",  "ap-southeast-4",
		"ap-southeast-5", "ap-southeast-6",  "ap-southeast-7",
		"ca-central-1",   "ca-west-1",       "cn-north-1",
		"cn-northwest-1", "eu-central-1",    "eu-central-2",
		"eu-isoe-west-1", "eu-north-1",      "eu-south-1",
		"eu-south-2",     "eu-west-1",       "eu-west-2",
		"eu-west-3",      "eusc-de-east-1",  "il-central-1",
		"me-central-1",   "me-south-1",      "mx-central-1",
		"sa-east-1",      "us-east-1",       "us-east-2",
		"us-gov-east-1",  "us-gov-west-1",   "us-iso-east-1",
		"us-iso-west-1",  "us-isob-east-1",  "us-isob-west-1",
		"us-isof-east-1", "us-isof-south-1", "us-west-1",
		"us-west-2",
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (str_is(region, all[i]))
			return true;
	return false;
}

/* --- hosts --- */

static const struct {
	const char *host, *service;
} services[AWS_SERVICES] = {
	[AWS_S3] = { "s3", "s3" },
	[AWS_DYNAMODB] = { "dynamodb", "dynamodb" },
	[AWS_STS] = { "sts", "sts" },
	[AWS_IAM] = { "iam", "iam" },
	[AWS_SSO] = { "portal.sso", "awsssoportal" },
	[AWS_KMS] = { "kms", "kms" },
};

/* The government's regions have some services by their plain name alone. */
static bool has_fips_name(enum aws_service s, const struct partition *p)
{
	return !str_is(str_c(p->region), "us-gov-") ||
	       (s != AWS_DYNAMODB && s != AWS_STS);
}

static struct str host_of(struct arena *a, const struct aws_settings *s,
			  enum aws_service service, const char *name,
			  struct str region)
{
	const struct partition *p = partition_of(region);
	const char *fips = s->fips && has_fips_name(service, p) ? "-fips" : "";

	if (service == AWS_IAM && str_is(str_c(p->central), "us-gov-west-1"))
		return STR("iam.us-gov.amazonaws.com");
	if (service == AWS_IAM && !*p->region)
		return str_printf(a, "iam%s.%s", fips, p->domain);
	if (service == AWS_S3)
		return str_printf(a, "%s%s%s.%.*s.%s", name, fips,
				  s->dualstack ? ".dualstack" : "",
				  STR_ARG(region), p->domain);
	return str_printf(a, "%s%s.%.*s.%s", name, fips, STR_ARG(region),
			  s->dualstack ? p->dual : p->domain);
}

/* Reads an endpoint of the settings.  The path has no slash at its end. */
static int read_endpoint(struct arena *a, struct str text,
			 struct aws_place *out, struct str *why)
{
	struct url u;

	if (str_find(text, STR("://")) < 0)
		text = STR_CAT(a, STR("https://"), text);
	if (url_parse(a, text, &u) || !u.host.n ||
	    !(str_is(u.scheme, "https") || str_is(u.scheme, "http"))) {
		*why = str_printf(a, "%.*s is no address of a service",
				  STR_ARG(url_redacted(a, text)));
		return -1;
	}
	out->scheme = u.scheme;
	out->host = u.host;
	if (str_ends(u.host, str_is(u.scheme, "https") ? ":443" : ":80"))
		out->host.n -= str_is(u.scheme, "https") ? 4 : 3;
	out->path = remote_escape(a, u.path, true);
	while (str_ends(out->path, "/"))
		out->path.n--;
	return 0;
}

/* --- buckets --- */

static bool is_address(struct str host)
{
	if (str_starts(host, "["))
		return true;
	for (size_t i = 0; i < host.n && host.p[i] != ':'; i++)
		if (!isdigit((unsigned char)host.p[i]) && host.p[i] != '.')
			return false;
	return true;
}

/* May the name of a bucket be a part of a host's name? */
static bool is_host_name(struct str bucket, bool tls)
{
	if (bucket.n < 3 || bucket.n > 63 ||
	    !isalnum((unsigned char)bucket.p[0]) ||
	    !isalnum((unsigned char)bucket.p[bucket.n - 1]) ||
	    is_address(bucket) || str_find(bucket, STR("..")) >= 0)
		return false;
	for (size_t i = 0; i < bucket.n; i++) {
		const unsigned char c = (unsigned char)bucket.p[i];

		if (!islower(c) && !isdigit(c) && c != '-' &&
		    (c != '.' || tls)) /* no certificate has it */
			return false;
	}
	return true;
}

/* arn:PARTITION:s3:REGION:ACCOUNT:accesspoint/NAME: its host has all of it. */
static int read_access_point(struct arena *a, const struct aws_settings *s,
			     struct str arn, bool own, struct aws_place *out,
			     struct str *why)
{
	struct str part[5], name = arn;

	for (size_t i = 0; i < 5; i++) {
		const ptrdiff_t end = str_chr(name, ':');

		part[i] = str_sub(name, 0, end < 0 ? name.n : (size_t)end);
		name = str_sub(name, part[i].n + (end >= 0), name.n);
	}
	if (!str_is(part[2], "s3") || !part[3].n || !part[4].n ||
	    !str_starts(name, "accesspoint") || name.n < 13) {
		*why = str_printf(a, "%.*s is no access point of a region",
				  STR_ARG(arn));
		return -1;
	}
	name = str_sub(name, 12, name.n);
	out->region = part[3];
	if (!own)
		out->host = host_of(a, s, AWS_S3, "s3-accesspoint", part[3]);
	out->host = STR_CAT(a, name, STR("-"), part[4], STR("."), out->host);
	return 0;
}

static int add_bucket(struct arena *a, const struct aws_settings *s,
		      const struct aws_call *call, bool own,
		      struct aws_place *out, struct str *why)
{
	if (str_starts(call->bucket, "arn:"))
		return read_access_point(a, s, call->bucket, own, out, why);
	if (s->path_style || is_address(out->host) ||
	    !is_host_name(call->bucket, str_is(out->scheme, "https")))
		out->path = STR_CAT(a, out->path, STR("/"),
				    remote_escape(a, call->bucket, false));
	else
		out->host = STR_CAT(a, call->bucket, STR("."), out->host);
	return 0;
}

/* --- places --- */

int aws_endpoint(struct arena *a, const struct aws_settings *s,
		 const struct aws_call *call, struct aws_place *out,
		 struct str *why)
{
	const struct str own = s->endpoints[call->service];
	struct str region = s->region;

	if (call->service == AWS_STS && s->sts_region.n)
		region = s->sts_region;
	if (!region.n || str_is(region, "aws-global"))
		region = STR("us-east-1");
	*out = (struct aws_place){ .scheme = STR("https"),
				   .region = region,
				   .service = str_c(
					   services[call->service].service) };
	if (call->service == AWS_IAM)
		out->region = str_c(partition_of(region)->central);
	if (own.n && read_endpoint(a, own, out, why))
		return -1;
	if (!own.n)
		out->host = host_of(a, s, call->service,
				    services[call->service].host, region);
	if (call->bucket.n && add_bucket(a, s, call, own.n > 0, out, why))
		return -1;
	out->path = STR_CAT(a, out->path, STR("/"),
			    remote_escape(a, call->path, true));
	return 0;
}
