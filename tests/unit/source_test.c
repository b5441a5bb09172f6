/*
 * source_test.c - normal forms of module sources
 *
 * The right side is what OpenTofu 1.12.6 writes into modules.json; it refuses
 * those without one, but for /abs//.., which leads out of a package.
 */
#include "config/source/source.h"
#include "test.h"
#include "config/source/url.h"

static struct arena a = ARENA_INIT;

static const struct {
	const char *source;
	enum source_kind kind;
	const char *normal;
} rows[] = {
	{ "./a", SOURCE_LOCAL, "./a" },
	{ "./a//b/../c", SOURCE_LOCAL, "./a/c" },
	{ ".\\a\\b", SOURCE_LOCAL, "./a/b" },
	{ "../a", SOURCE_LOCAL, "../a" },
	{ "../", SOURCE_LOCAL, "./.." },
	{ "./../a", SOURCE_LOCAL, "../a" },
	{ "a", SOURCE_UNKNOWN, NULL },
	{ "a/b/c", SOURCE_REGISTRY, "registry.opentofu.org/a/b/c" },
	{ "a/b/c//d/./e", SOURCE_REGISTRY, "registry.opentofu.org/a/b/c//d/e" },
	{ "a/b/c//../d", SOURCE_UNKNOWN, NULL },
	{ "Example.COM/a/b/c", SOURCE_REGISTRY, "example.com/a/b/c" },
	{ "example.com:443/a/b/c", SOURCE_REGISTRY, "example.com/a/b/c" },
	{ "example.com:8080/a/b/c", SOURCE_REGISTRY, "example.com:8080/a/b/c" },
	{ "example.com:99999/a/b/c", SOURCE_REMOTE, "example.com:99999/a/b/c" },
	{ "a..b/a/b/c", SOURCE_UNKNOWN, NULL },
	{ "-a.b/a/b/c", SOURCE_UNKNOWN, NULL },
	{ "example.com/a/b/c?ref=1", SOURCE_UNKNOWN, NULL },
	{ "localhost:8080/a/b/c", SOURCE_REMOTE, "localhost:8080/a/b/c" },
	{ "github.com/a/b", SOURCE_REMOTE, "git::https://github.com/a/b.git" },
	{ "github.com/a/b.git", SOURCE_REMOTE,
	  "git::https://github.com/a/b.git" },
	{ "github.com/a/b/c/d", SOURCE_REMOTE,
	  "git::https://github.com/a/b.git//c/d" },
	{ "github.com/a/b//c/*?ref=v1", SOURCE_REMOTE,
	  "git::https://github.com/a/b.git//c/*?ref=v1" },
	{ "github.com/a/b?ref=v1", SOURCE_REMOTE,
	  "git::https://github.com/a/b.git?ref=v1" },
	{ "github.com/a", SOURCE_UNKNOWN, NULL },
	{ "git@github.com:a/b", SOURCE_REMOTE,
	  "git::ssh://git@github.com/a/b" },
	{ "git@github.com:a/b.git//c?ref=v1&depth=1", SOURCE_REMOTE,
	  "git::ssh://git@github.com/a/b.git//c?depth=1&ref=v1" },
	{ "git@host:/abs/b", SOURCE_REMOTE, "git::ssh://git@host/abs/b" },
	{ "git@host:22/b", SOURCE_REMOTE, "git::ssh://git@host/22/b" },
	{ "me@host:a/b", SOURCE_UNKNOWN, NULL },
	{ "git::me@host:a/b", SOURCE_UNKNOWN, NULL },
	{ "git::git@host:a/b", SOURCE_REMOTE, "git::ssh://git@host/a/b" },
	{ "git::https://example.com/a.git", SOURCE_REMOTE,
	  "git::https://example.com/a.git" },
	{ "git::https://example.com/a.git//b/../c?ref=v1", SOURCE_REMOTE,
	  "git::https://example.com/a.git//c?ref=v1" },
	{ "git::https://user:pw@example.com/a.git", SOURCE_REMOTE,
	  "git::https://user:pw@example.com/a.git" },
	{ "git::ssh://git@example.com:22/a.git", SOURCE_REMOTE,
	  "git::ssh://git@example.com:22/a.git" },
	{ "git:://example.com/a", SOURCE_UNKNOWN, NULL },
	{ "git:://example.com/a//b?ref=v1", SOURCE_UNKNOWN, NULL },
	{ "git::/abs/a", SOURCE_REMOTE, "git::file:///abs/a" },
	{ "git::a/b", SOURCE_UNKNOWN, NULL },
	{ "hg::https://example.com/a", SOURCE_REMOTE,
	  "hg::https://example.com/a" },
	{ "https://example.com/a.zip", SOURCE_REMOTE,
	  "https://example.com/a.zip" },
	{ "https://example.com/a.zip//b?archive=tar.gz&checksum=md5:00",
	  SOURCE_REMOTE,
	  "https://example.com/a.zip//b?archive=tar.gz&checksum=md5:00" },
	{ "http://example.com/a?x=//y", SOURCE_REMOTE,
	  "http://example.com/a?x=//y" },
	{ "HTTPS://example.com/a", SOURCE_REMOTE, "HTTPS://example.com/a" },
	{ "oci://example.com/a:tag", SOURCE_REMOTE, "oci://example.com/a:tag" },
	{ "s3::https://s3-eu-west-1.amazonaws.com/bucket/a.zip", SOURCE_REMOTE,
	  "s3::https://s3-eu-west-1.amazonaws.com/bucket/a.zip" },
	{ "s3-eu-west-1.amazonaws.com/bucket/a.zip", SOURCE_REMOTE,
	  "s3::https://s3-eu-west-1.amazonaws.com/bucket/a.zip" },
	{ "bucket.s3-eu-west-1.amazonaws.com/a.zip", SOURCE_REMOTE,
	  "s3::https://s3-eu-west-1.amazonaws.com/bucket/a.zip" },
	{ "bucket.s3.eu-west-1.amazonaws.com/a.zip", SOURCE_REMOTE,
	  "s3::https://s3.eu-west-1.amazonaws.com/bucket/a.zip" },
	{ "x.bucket.s3.eu-west-1.amazonaws.com/a.zip", SOURCE_UNKNOWN, NULL },
	{ "gcs::https://www.googleapis.com/storage/v1/bucket/a.zip",
	  SOURCE_REMOTE,
	  "gcs::https://www.googleapis.com/storage/v1/bucket/a.zip" },
	{ "www.googleapis.com/storage/v1/bucket/a.zip", SOURCE_REMOTE,
	  "gcs::https://www.googleapis.com/storage/v1/bucket/a.zip" },
	{ "www.googleapis.com/storage/v1/bucket", SOURCE_REGISTRY,
	  "www.googleapis.com/storage/v1/bucket" },
	{ "/abs/a", SOURCE_REMOTE, "file:///abs/a" },
	{ "/abs/a//b", SOURCE_REMOTE, "file:///abs/a//b" },
	{ "/abs/a b/ü", SOURCE_REMOTE, "file:///abs/a b/ü" },
	{ "/abs//..", SOURCE_UNKNOWN, NULL },
	{ "file:///abs/a", SOURCE_REMOTE, "file:///abs/a" },
	{ "file::/abs/a", SOURCE_REMOTE, "file::file:///abs/a" },
	{ "gitlab.com/a/b/c", SOURCE_REGISTRY, "gitlab.com/a/b/c" },
	{ "gitlab.com/a/b", SOURCE_UNKNOWN, NULL },
	{ "https://exa[mple.com/a", SOURCE_UNKNOWN, NULL },
	{ "https://example.com:port/a", SOURCE_UNKNOWN, NULL },
	{ ":x", SOURCE_UNKNOWN, NULL },
};

static struct str source_of(const char *source, bool versioned,
			    enum source_kind *kind)
{
	const char *summary = NULL;
	struct str why = STR_NONE;
	struct str s = source_read(&a, str_c(source), versioned, kind,
				   &summary, &why);

	CHECK_ROW((s.p != NULL) == (why.p == NULL), source);
	return s;
}

static void test_sources(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		enum source_kind kind, again;
		struct str s = source_of(rows[i].source, false, &kind);

		CHECK_ROW(kind == rows[i].kind, rows[i].source);
		if (!rows[i].normal) {
			CHECK_ROW(!s.p, rows[i].source);
			continue;
		}
		CHECK_STR(s, rows[i].normal);
		/* A normal form does not change. */
		CHECK_STR(source_of(rows[i].normal, false, &again), rows[i].normal);
		CHECK_ROW(again == kind, rows[i].source);
	}
}

/* A version makes it a module of a registry. */
static void test_versions(void)
{
	enum source_kind kind;

	CHECK(source_of("a/b/c", true, &kind).p && kind == SOURCE_REGISTRY);
	CHECK(!source_of("./a", true, &kind).p);
	CHECK(!source_of("git::https://example.com/a", true, &kind).p);
}

static void test_split(void)
{
	struct module_address m;
	struct str rest;

	module_address_split(&a, STR("git::https://h/x.git//a/b?ref=v1"), &m);
	CHECK_STR(m.package, "git::https://h/x.git?ref=v1");
	CHECK_STR(m.subdir, "a/b");
	CHECK_STR(module_address_getter(m.package, &rest), "git");
	CHECK_STR(rest, "https://h/x.git?ref=v1");
	module_address_split(&a, STR("file:///a/b"), &m);
	CHECK_STR(m.package, "file:///a/b");
	CHECK(!m.subdir.n);
	CHECK(!module_address_getter(m.package, &rest).n);
	CHECK_STR(rest, "file:///a/b");
}

static void test_queries(void)
{
	static const char *const without[] = { "ref", NULL };
	bool bad;

	CHECK_STR(url_parameter(&a, STR("a=1&ref=x%2Fy+z&ref=w"), "ref"),
		  "x/y z");
	CHECK(!url_parameter(&a, STR("a=1&b"), "ref").p);
	CHECK_STR(url_query(&a, STR("z=1&ref=x&a=%20&z=0"), without, &bad),
		  "a=+&z=1&z=0");
	CHECK(!bad);
	CHECK_STR(url_query(&a, STR("a=%zz&b=1"), NULL, &bad), "b=1");
	CHECK(bad);
}

static void test_secrets(void)
{
	CHECK_STR(url_redacted(&a, STR("git::https://u:pw@h/x?ref=v1")),
		  "git::https://u:redacted@h/x?ref=v1");
	CHECK_STR(url_redacted(&a, STR("https://u:pw@h/x")),
		  "https://u:redacted@h/x");
	CHECK_STR(url_redacted(&a, STR("git::ssh://git@h/x?sshkey=QUJD")),
		  "git::ssh://git@h/x?sshkey=redacted");
	CHECK_STR(url_redacted(&a, STR("https://token@h/x")),
		  "https://redacted@h/x");
	CHECK_STR(url_redacted(&a, STR("git::ssh://git@h/x")),
		  "git::ssh://git@h/x");
	CHECK_STR(url_redacted(&a, STR("https://h/x.zip?b=1&token=t&a=2")),
		  "https://h/x.zip?a=2&b=1&token=redacted");
	CHECK_STR(url_redacted(&a, STR("s3::https://h/x?X-Amz-Signature=s&"
				       "X-Amz-Credential=c&versionId=1")),
		  "s3::https://h/x?versionId=1&X-Amz-Signature=redacted&"
		  "X-Amz-Credential=redacted");
	CHECK_STR(url_redacted(&a, STR("https://h/x?PRIVATE%5Ftoken=t&sig=s&"
				       "sig=t&key=k")),
		  "https://h/x?PRIVATE_token=redacted&sig=redacted&"
		  "key=redacted");
	CHECK_STR(url_redacted(&a, STR("https://h/x?token=a;b&ref=1")),
		  "https://h/x?ref=1");
	CHECK_STR(url_redacted(&a, STR("https://h/x?design=1&author=me&"
				       "keyboard=2&ref=v1")),
		  "https://h/x?design=1&author=me&keyboard=2&ref=v1");
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_sources());
	RUN(test_versions());
	RUN(test_split());
	RUN(test_queries());
	RUN(test_secrets());
	arena_release(&a);
	return test_done("source");
}
