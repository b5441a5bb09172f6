/*
 * aws_test.c - signatures of requests to Amazon's services, the places they go
 * to, and what the files of the AWS tools say
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/io.h"
#include "remote/aws.h"
#include "remote/remote_int.h"
#include "remote/remote.h"
#include "test.h"

static struct arena a = ARENA_INIT;
static char dir[] = "/tmp/aws_test.XXXXXX";

/* The examples of "Signature Calculations for the Authorization Header" in the
 * reference of S3. */
static const struct aws_keys keys = {
	STR_INIT("AKIAIOSFODNN7EXAMPLE"),
	STR_INIT("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"), { NULL, 0 }, 0
};
enum { THEN = 1369353600 }; /* 2013-05-24 */

static struct str signature(const struct aws_request *r)
{
	struct fetch_header out[AWS_HEADERS];
	struct str text;

	aws_sign(&a, r, &keys, THEN, out);
	text = out[0].value;
	return str_sub(text, text.n - 64, text.n);
}

static struct aws_request request(const char *method, const char *path,
				  const char *query)
{
	return (struct aws_request){
		.method = str_c(method),
		.host = STR("examplebucket.s3.amazonaws.com"),
		.path = str_c(path),
		.query = str_c(query),
		.region = STR("us-east-1"),
		.service = STR("s3"),
	};
}

static void test_examples(void)
{
	const struct fetch_header range = { STR("Range"), STR("bytes=0-9") };
	const struct fetch_header put[] = {
		{ STR("Date"), STR("Fri, 24 May 2013 00:00:00 GMT") },
		{ STR("x-amz-storage-class"), STR("REDUCED_REDUNDANCY") },
	};
	struct aws_request r = request("GET", "/test.txt", "");

	r.headers = &range;
	r.nheaders = 1;
	CHECK_STR(signature(&r),
		  "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036b"
		  "db41");
	r = request("PUT", "/test%24file.text", "");
	r.headers = put;
	r.nheaders = 2;
	r.hash = STR("44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b80"
		     "3f8b072");
	CHECK_STR(signature(&r),
		  "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece1"
		  "08bd");
	r = request("GET", "/", "lifecycle");
	CHECK_STR(signature(&r),
		  "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783"
		  "543");
	r = request("GET", "/", "max-keys=2&prefix=J");
	CHECK_STR(signature(&r),
		  "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc"
		  "6f7");
	/* In whatever order the parameters are sent. */
	r = request("GET", "/", "prefix=J&max-keys=2");
	CHECK_STR(signature(&r),
		  "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc"
		  "6f7");
}

/* Headers count by their names in order, without needless blanks. */
static void test_headers(void)
{
	const struct fetch_header one[] = {
		{ STR("X-Amz-Target"), STR("T.Op") },
		{ STR("content-type"), STR("a/b") },
	};
	const struct fetch_header other[] = {
		{ STR("Content-Type"), STR("  a/b ") },
		{ STR("x-amz-target"), STR("T.Op") },
	};
	const struct fetch_header spaced[] = { { STR("x-amz-a"),
						 STR("a   b") } };
	const struct fetch_header plain[] = { { STR("X-Amz-A"), STR("a b") } };
	struct aws_request r = request("POST", "/", "");
	struct str first;

	r.headers = one;
	r.nheaders = 2;
	first = signature(&r);
	r.headers = other;
	CHECK(str_eq(signature(&r), first));
	r.nheaders = 1;
	CHECK(!str_eq(signature(&r), first));
	r.headers = spaced;
	first = signature(&r);
	r.headers = plain;
	CHECK(str_eq(signature(&r), first));
}

static void test_escape(void)
{
	static const struct {
		const char *key, *want;
	} rows[] = {
		{ "env:/w/key", "env%3A/w/key" },
		{ "a+b", "a%2Bb" },
		{ "a b", "a%20b" },
		{ "%2F", "%252F" },
		{ "?#[]", "%3F%23%5B%5D" },
		{ "\xc3\xbc", "%C3%BC" },
		{ "a-b._~", "a-b._~" },
		{ "a/./b//c", "a/./b//c" },
		{ "x&y=(z)*'!", "x%26y%3D%28z%29%2A%27%21" },
	};
	struct aws_pairs pairs = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		CHECK_STR(remote_escape(&a, str_c(rows[i].key), true),
			  rows[i].want);
	vec_push(&a, &pairs, (struct aws_pair){ STR("a/b"), STR("c&d") });
	vec_push(&a, &pairs, (struct aws_pair){ STR("e"), STR_NONE });
	CHECK_STR(aws_query(&a, &pairs), "a%2Fb=c%26d&e=");
}

static const char *place(const struct aws_settings *s, enum aws_service service,
			 const char *bucket, const char *key)
{
	const struct aws_call call = { .service = service,
				       .bucket = str_c(bucket),
				       .path = str_c(key) };
	struct aws_place p;
	struct str why;

	if (aws_endpoint(&a, s, &call, &p, &why))
		return why.p;
	return arena_printf(&a, "%.*s://%.*s%.*s %.*s %.*s", STR_ARG(p.scheme),
			    STR_ARG(p.host), STR_ARG(p.path), STR_ARG(p.region),
			    STR_ARG(p.service));
}

static void test_places(void)
{
	static const struct {
		const char *region, *endpoint;
		bool style, dual, fips;
		enum aws_service service;
		const char *bucket, *want;
	} rows[] = {
		{ "us-east-1", "", 0, 0, 0, AWS_S3, "bucket",
		  "https://bucket.s3.us-east-1.amazonaws.com/k us-east-1 s3" },
		{ "eu-west-1", "", 1, 0, 0, AWS_S3, "bucket",
		  "https://s3.eu-west-1.amazonaws.com/bucket/k eu-west-1 s3" },
		{ "eu-west-1", "", 0, 1, 1, AWS_S3, "bucket",
		  "https://bucket.s3-fips.dualstack.eu-west-1.amazonaws.com/k "
		  "eu-west-1 s3" },
		{ "cn-north-1", "", 0, 0, 0, AWS_S3, "bucket",
		  "https://bucket.s3.cn-north-1.amazonaws.com.cn/k cn-north-1 "
		  "s3" },
		/* names that no certificate has, or no host */
		{ "eu-west-1", "", 0, 0, 0, AWS_S3, "a.bucket",
		  "https://s3.eu-west-1.amazonaws.com/a.bucket/k eu-west-1 s3" },
		{ "eu-west-1", "", 0, 0, 0, AWS_S3, "A_bucket",
		  "https://s3.eu-west-1.amazonaws.com/A_bucket/k eu-west-1 s3" },
		{ "eu-west-1", "http://s3.test:80", 0, 0, 0, AWS_S3, "a.bucket",
		  "http://a.bucket.s3.test/k eu-west-1 s3" },
		{ "eu-west-1", "http://127.0.0.1:9000/x/", 0, 0, 0, AWS_S3,
		  "bucket", "http://127.0.0.1:9000/x/bucket/k eu-west-1 s3" },
		{ "eu-west-1", "s3.test", 1, 0, 0, AWS_S3, "bucket",
		  "https://s3.test/bucket/k eu-west-1 s3" },
		{ "eu-west-1", "", 0, 0, 0, AWS_S3,
		  "arn:aws:s3:us-west-2:123456789012:accesspoint/mine",
		  "https://mine-123456789012.s3-accesspoint.us-west-2."
		  "amazonaws.com/k us-west-2 s3" },
		{ "eu-west-1", "", 0, 0, 0, AWS_DYNAMODB, "",
		  "https://dynamodb.eu-west-1.amazonaws.com/k eu-west-1 "
		  "dynamodb" },
		{ "eu-west-1", "", 0, 1, 1, AWS_DYNAMODB, "",
		  "https://dynamodb-fips.eu-west-1.api.aws/k eu-west-1 "
		  "dynamodb" },
		{ "us-gov-west-1", "", 0, 0, 1, AWS_STS, "",
		  "https://sts.us-gov-west-1.amazonaws.com/k us-gov-west-1 "
		  "sts" },
		{ "eu-west-1", "", 0, 0, 0, AWS_IAM, "",
		  "https://iam.amazonaws.com/k us-east-1 iam" },
		{ "us-gov-east-1", "", 0, 0, 0, AWS_IAM, "",
		  "https://iam.us-gov.amazonaws.com/k us-gov-west-1 iam" },
		{ "us-isob-east-1", "", 0, 0, 0, AWS_KMS, "",
		  "https://kms.us-isob-east-1.sc2s.sgov.gov/k us-isob-east-1 "
		  "kms" },
		{ "eu-west-1", "ftp://x", 0, 0, 0, AWS_S3, "bucket",
		  "ftp://x is no address of a service" },
		{ "eu-west-1", "", 0, 0, 0, AWS_S3,
		  "arn:aws:s3::123456789012:accesspoint/m.mrap",
		  "arn:aws:s3::123456789012:accesspoint/m.mrap is no access "
		  "point of a region" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct aws_settings s = { .region = str_c(rows[i].region),
					  .path_style = rows[i].style,
					  .dualstack = rows[i].dual,
					  .fips = rows[i].fips };

		s.endpoints[rows[i].service] = str_c(rows[i].endpoint);
		CHECK_STR(str_c(place(&s, rows[i].service, rows[i].bucket,
				      "k")),
			  rows[i].want);
	}
	CHECK(aws_region_known(STR("eusc-de-east-1")));
	CHECK(!aws_region_known(STR("eu-west-9")));
}

/* --- files --- */

static const char config[] =
	"[default]\n"
	"Region = eu-west-1 ; a comment\n"
	"S3 =\n"
	"  region = nested\n"
	"[profile work]\n"
	"role_arn='arn:aws:iam::1:role/r'\n"
	"source_profile = default\n"
	"services = local\n"
	"max_attempts = 7\n"
	"use_fips_endpoint = true\n"
	"[work]\n"
	"region = no\n"
	"[profile portal]\n"
	"sso_session = mine\n"
	"sso_account_id = 12\n"
	"[sso-session mine]\n"
	"sso_start_url = https://portal.test/start#/\n"
	"sso_region = eu-west-3\n"
	"[services local]\n"
	"dynamodb =\n"
	"  endpoint_url = http://127.0.0.1:8000\n"
	"S3 =\n"
	"  Endpoint_URL = http://127.0.0.1:9000\n";
static const char credentials[] = "[default]\n"
				  "aws_access_key_id = \"A\"\n"
				  "aws_secret_access_key = B # not of it\n"
				  "[work]\n"
				  "aws_session_token = C\n";

static void put(const char *name, const char *text)
{
	FILE *f = fopen(arena_printf(&a, "%s/%s", dir, name), "w");

	fputs(text, f);
	fclose(f);
}

static void test_profiles(void)
{
	struct aws_settings s = { .region = STR_NONE };
	struct aws_profile p;

	aws_profile_read(&a, &s, STR("default"), &p);
	CHECK(p.found);
	CHECK_STR(p.region, "eu-west-1");
	CHECK_STR(p.keys.id, "A");
	CHECK_STR(p.keys.secret, "B");
	aws_profile_read(&a, &s, STR("work"), &p);
	CHECK_STR(p.role.arn, "arn:aws:iam::1:role/r");
	CHECK_STR(p.region, "");
	CHECK_STR(p.keys.token, "C");
	CHECK_STR(p.endpoints[AWS_DYNAMODB], "http://127.0.0.1:8000");
	CHECK_STR(p.endpoints[AWS_S3], "http://127.0.0.1:9000");
	aws_profile_read(&a, &s, STR("portal"), &p);
	CHECK_STR(p.sso_url, "https://portal.test/start#/");
	CHECK_STR(p.sso_region, "eu-west-3");
	aws_profile_read(&a, &s, STR("none"), &p);
	CHECK(!p.found);
}

/* What the settings say goes before the environment, which goes before the
 * profile. */
static void test_order(void)
{
	struct aws_settings s = { .profile = STR("work") };
	struct aws_profile p;

	aws_settings_fill(&a, &s, &p);
	CHECK_STR(s.endpoints[AWS_S3], "http://127.0.0.1:9000");
	CHECK_STR(s.endpoints[AWS_STS], "");
	CHECK(s.fips && s.tries == 7);
	setenv("AWS_ENDPOINT_URL", "http://all.test", 1);
	setenv("AWS_ENDPOINT_URL_STS", "http://sts.test", 1);
	setenv("AWS_REGION", "eu-north-1", 1);
	s = (struct aws_settings){ .tries = 2 };
	s.endpoints[AWS_IAM] = STR("http://iam.test");
	aws_settings_fill(&a, &s, &p);
	CHECK_STR(s.endpoints[AWS_S3], "http://all.test");
	CHECK_STR(s.endpoints[AWS_STS], "http://sts.test");
	CHECK_STR(s.endpoints[AWS_IAM], "http://iam.test");
	CHECK_STR(s.region, "eu-north-1");
	CHECK(s.tries == 2 && !s.fips);
	setenv("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "true", 1);
	s = (struct aws_settings){ .tries = 0 };
	aws_settings_fill(&a, &s, &p);
	CHECK_STR(s.endpoints[AWS_S3], "");
}

/* A setting that can not be is refused, as the SDK's configuration does. */
static void test_wrong(void)
{
	static const struct {
		const char *name, *fits, *wrong;
	} rows[] = {
		{ "AWS_RETRY_MODE", "adaptive", "Adaptive" },
		{ "AWS_RETRY_MODE", "standard", "legacy" },
		{ "AWS_MAX_ATTEMPTS", "0", "-1" },
		{ "AWS_MAX_ATTEMPTS", "3", "3x" },
		{ "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE", "ipv6", "IPv5" },
		{ "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE", "IPv4", "4" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct aws_settings s = { .tries = 0 }, t = s;
		struct aws_profile p;

		setenv(rows[i].name, rows[i].fits, 1);
		CHECK_ROW(!aws_settings_fill(&a, &s, &p), rows[i].fits);
		setenv(rows[i].name, rows[i].wrong, 1);
		CHECK_ROW(aws_settings_fill(&a, &t, &p), rows[i].wrong);
		unsetenv(rows[i].name);
	}
}

static void test_paths(void)
{
	setenv("AWS_TEST_DIR", "/d", 1);
	CHECK_STR(aws_path(&a, STR("~/x")), arena_printf(&a, "%s/x", dir));
	CHECK_STR(aws_path(&a, STR("$AWS_TEST_DIR/${AWS_TEST_DIR}x/$/~")),
		  "/d//dx/$/~");
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	if (!mkdtemp(dir))
		return 1;
	put("config", config);
	put("credentials", credentials);
	setenv("HOME", dir, 1);
	setenv("AWS_CONFIG_FILE", arena_printf(&a, "%s/config", dir), 1);
	setenv("AWS_SHARED_CREDENTIALS_FILE",
	       arena_printf(&a, "%s/credentials", dir), 1);
	RUN(test_examples());
	RUN(test_headers());
	RUN(test_escape());
	RUN(test_places());
	RUN(test_profiles());
	RUN(test_order());
	RUN(test_wrong());
	RUN(test_paths());
	CHECK(io_remove_tree(dir) == 0);
	arena_release(&a);
	return test_done("aws");
}
