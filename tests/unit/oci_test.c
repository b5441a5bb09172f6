/*
 * oci_test.c - names in OCI registries, challenges, and who the user is there
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "install/oci/oci_int.h"
#include "test.h"
#include "base/base64.h"
#include "base/io.h"
#include "install/cli_config.h"
#include "install/oci/oci.h"

static struct arena a = ARENA_INIT;
static char dir[] = "/tmp/oci_test.XXXXXX";

/* --- names --- */

static void test_addresses(void)
{
	static const struct {
		const char *text, *want; /* DOMAIN NAME; empty: invalid */
	} rows[] = {
		{ "example.com", "example.com " },
		{ "localhost:5000", "localhost:5000 " },
		{ "a.test/b", "a.test b" },
		{ "a.test:1/b/c.d/e__f/g--h", "a.test:1 b/c.d/e__f/g--h" },
		{ "[::1]:5000/a", "[::1]:5000 a" },
		{ "a.test/", "" }, { "a.test/B", "" }, { "a.test/b/", "" },
		{ "a.test//b", "" }, { "a.test/b..c", "" },
		{ "a.test/b___c", "" }, { "a.test/b_-c", "" },
		{ "a.test/-b", "" }, { "a.test/b-", "" },
		{ "a.test/b:1", "" }, { "a.test/b@sha256:00", "" },
		{ "a.test/../b", "" }, { "a.test/b?c", "" },
		{ "", "" }, { "/b", "" }, { ":1/b", "" }, { "u@a.test/b", "" },
		{ "a.test:x/b", "" }, { "a b/c", "" }, { "a.test?x", "" },
		{ "a.test#x", "" }, { "https://a.test/b", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct oci_address at;
		struct str why, got = STR_NONE;

		if (!oci_address_parse(&a, str_c(rows[i].text), &at, &why))
			got = STR_CAT(&a, at.domain, STR(" "), at.name);
		CHECK_STR(got, rows[i].want);
	}
}

static void test_tags(void)
{
	char longest[130];

	memset(longest, 'a', sizeof(longest));
	CHECK(oci_tag_valid(STR("v1.0-rc_1")));
	CHECK(oci_tag_valid(STR("_")));
	CHECK(oci_tag_valid((struct str){ longest, 128 }));
	CHECK(!oci_tag_valid((struct str){ longest, 129 }));
	CHECK(!oci_tag_valid(STR("")));
	CHECK(!oci_tag_valid(STR(".a")));
	CHECK(!oci_tag_valid(STR("-a")));
	CHECK(!oci_tag_valid(STR("a+b")));
	CHECK(!oci_tag_valid(STR("a/b")));
}

#define ZEROS "00000000000000000000000000000000"
#define EMPTY_SUM \
	"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static void test_digests(void)
{
	CHECK(oci_digest_valid(STR("sha256:" ZEROS ZEROS)));
	CHECK(oci_digest_valid(STR("sha384:" ZEROS ZEROS ZEROS)));
	CHECK(oci_digest_valid(STR("sha512:" ZEROS ZEROS ZEROS ZEROS)));
	CHECK(!oci_digest_valid(STR("sha384:" ZEROS ZEROS)));
	CHECK(!oci_digest_valid(STR("sha256:" ZEROS)));
	CHECK(!oci_digest_valid(STR("sha512:" ZEROS ZEROS)));
	CHECK(!oci_digest_valid(STR("md5:" ZEROS)));
	CHECK(!oci_digest_valid(STR(ZEROS ZEROS)));
	CHECK(!oci_digest_valid(STR("")));
	CHECK(!oci_digest_valid(STR("sha256:" ZEROS
				    "0000000000000000000000000000000A")));
	CHECK(!oci_digest_valid(STR("sha256:" ZEROS
				    "000000000000000000000000000000/.")));
	CHECK(oci_digest_matches(&a, STR("sha256:" EMPTY_SUM), STR("")));
	CHECK(!oci_digest_matches(&a, STR("sha256:" EMPTY_SUM), STR("x")));
}

/* --- challenges --- */

static void test_challenges(void)
{
	static const struct {
		const char *text, *want; /* SCHEME|REALM|SERVICE|SCOPE */
	} rows[] = {
		{ "Bearer realm=\"https://r/t\",service=\"s\",scope=\"x y\"",
		  "bearer|https://r/t|s|x y" },
		{ "bearer  realm = r , service= \"a\\\"b\\\\\"",
		  "bearer|r|a\"b\\|" },
		{ "Basic realm=\"x\"", "basic|x||" },
		{ "Basic", "basic|||" },
		{ "Bearer error=\"e\", realm=r", "bearer|r||" },
		{ "Bearer realm=\"r\", Basic realm=\"b\"", "bearer|r||" },
		{ "Bearer realm=\"r", "bearer|r||" },
		{ "Bearer realm=\"r\\", "bearer|r\\||" },
		{ "Bearer realm=", "bearer|||" },
		{ "Bearer realm=a;service=b", "bearer|a||" },
		{ "", "|||" }, { "=", "|||" }, { ",", "|||" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct oci_challenge c;

		oci_challenge_read(&a, str_c(rows[i].text), &c);
		CHECK_STR(STR_CAT(&a, c.scheme, STR("|"), c.realm, STR("|"),
				  c.service, STR("|"), c.scope),
			  rows[i].want);
	}
}

static void test_realms(void)
{
	static const struct {
		const char *realm, *registry;
		bool allowed;
	} rows[] = {
		{ "https://auth.test/t", "a.test", true },
		{ "https://auth.test", "a.test", true },
		{ "https://8.8.8.8/t", "a.test", true },
		{ "https://127.0.0.1:5001/t", "127.0.0.1:5000", true },
		{ "https://[::1]/t", "[::1]:5000", true },
		{ "https://[2001:db8::1]/t", "a.test", true },
		{ "https://]a.test/t", "a.test", true }, /* no address */
		{ "http://auth.test/t", "a.test", false },
		{ "HTTP://a.test/t", "a.test", false },
		{ "file:///etc/passwd", "a.test", false },
		{ "/t", "a.test", false }, { "", "a.test", false },
		{ "https://", "a.test", false },
		{ "https://127.0.0.1/t", "a.test", false },
		{ "https://127.1.2.3:8/t", "127.0.0.1", false },
		{ "https://10.0.0.1/t", "a.test", false },
		{ "https://172.16.0.1/t", "a.test", false },
		{ "https://172.32.0.1/t", "a.test", true },
		{ "https://192.168.0.1/t", "a.test", false },
		{ "https://169.254.169.254/t", "a.test", false },
		{ "https://0.0.0.0/t", "a.test", false },
		{ "https://[::1]/t", "a.test", false },
		{ "https://[::]/t", "a.test", false },
		{ "https://[fe80::1]/t", "a.test", false },
		{ "https://[fd00::1]/t", "a.test", false },
		{ "https://[::ffff:10.0.0.1]/t", "a.test", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct str why = oci_realm_refusal(&a, str_c(rows[i].realm),
						   str_c(rows[i].registry));

		CHECK((why.n == 0) == rows[i].allowed);
	}
}

/* --- templates --- */

static void test_template(void)
{
	const struct provider_addr p = { STR("h.test"), STR("n"), STR("t") };
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "a.test/${hostname}/${namespace}/${type}",
		  "a.test/h.test/n/t" },
		{ "a.test/%{ if type == \"t\" }x%{ else }y%{ endif }",
		  "a.test/x" },
		{ "${hostname}/x", "h.test/x" }, { "a.test", "" },
		{ "${null}", "" }, { "a.test/${[]}", "" },
		{ "a.test/${type.x}", "" }, { "a.test/${upper(type)}", "" },
		{ "a.test/${", "" }, { "a.test/x:1", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct oci_address at;
		struct str why, got = STR_NONE;

		if (!oci_template_address(&a, str_c(rows[i].text), p, &at,
					  &why))
			got = oci_address_text(&a, at);
		CHECK_STR(got, rows[i].want);
	}
}

/* --- credentials --- */

static void put(const char *path, const char *text, mode_t mode)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, mode);

	CHECK(fd >= 0 && !io_write_all(fd, text, strlen(text)) && !close(fd));
}

/* USER:PASSWORD:TOKEN that the configuration has for a repository; or why. */
static const char *known(const char *rc, const char *domain, const char *name)
{
	struct cli_config c;
	struct diags ds = DIAGS_INIT(&a);
	struct oci_credentials k;
	struct str why;

	put("rc", rc, 0600);
	setenv("TF_CLI_CONFIG_FILE", "rc", 1);
	if (cli_config_read(&a, &c, &ds))
		return "invalid";
	if (oci_credentials_find(&a, &c.oci, (struct oci_address){
					 str_c(domain), str_c(name) },
				 &k, &why))
		return str_dup(&a, why).p;
	return arena_printf(&a, "%.*s:%.*s:%.*s", STR_ARG(k.user),
			    STR_ARG(k.password), STR_ARG(k.token));
}

#define BLOCK(label, user) \
	"oci_credentials \"" label "\" { username = \"" user \
	"\" password = \"p\" }\n"

static void test_blocks(void)
{
	static const char rc[] =
		BLOCK("a.test", "all") BLOCK("a.test/b", "b")
		BLOCK("a.test/b/c", "c") BLOCK("a.test:5000", "port")
		"oci_credentials \"t.test\" { access_token = \"x\" "
		"refresh_token = \"y\" }\n";
	static const char *const bad[] = {
		"oci_credentials \"a.test\" {}\n",
		"oci_credentials \"a.test\" { username = \"u\" }\n",
		"oci_credentials \"a.test\" { password = \"u\" }\n",
		"oci_credentials \"a.test\" { access_token = \"u\" }\n",
		"oci_credentials \"a.test\" { username = \"u\" password = "
		"\"p\" docker_credentials_helper = \"x\" }\n",
		"oci_credentials \"a.test\" { username = 1 password = \"p\" "
		"}\n",
		"oci_credentials \"a.test/b\" { docker_credentials_helper = "
		"\"x\" }\n",
		"oci_credentials \"a.test\" { docker_credentials_helper = "
		"\"x/y\" }\n",
		"oci_credentials \"a.test\" { docker_credentials_helper = "
		"\"\" }\n",
		BLOCK("a.test/b:1", "x"), BLOCK("a.test/", "x"), BLOCK("", "x"),
		BLOCK("a.test", "x") BLOCK("a.test", "y"),
		"oci_credentials { username = \"u\" password = \"p\" }\n",
		"oci_default_credentials {}\noci_default_credentials {}\n",
		"oci_default_credentials { discover_ambient_credentials = 1 "
		"}\n",
		"oci_default_credentials { discover_ambient_credentials = "
		"false docker_style_config_files = [] }\n",
		"oci_default_credentials { docker_style_config_files = \"x\" "
		"}\n",
		"oci_default_credentials { docker_credentials_helper = \"\" "
		"}\n",
	};

	CHECK_STR(str_c(known(rc, "a.test", "x")), "all:p:");
	CHECK_STR(str_c(known(rc, "a.test", "b")), "b:p:");
	CHECK_STR(str_c(known(rc, "a.test", "bb")), "all:p:");
	CHECK_STR(str_c(known(rc, "a.test", "b/x")), "b:p:");
	CHECK_STR(str_c(known(rc, "a.test", "b/c/d")), "c:p:");
	CHECK_STR(str_c(known(rc, "a.test:5000", "b")), "port:p:");
	CHECK_STR(str_c(known(rc, "a.test:5001", "b")), "::");
	CHECK_STR(str_c(known(rc, "x.a.test", "b")), "::");
	CHECK_STR(str_c(known(rc, "t.test", "b")), "::x");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		CHECK_STR(str_c(known(bad[i], "a.test", "b")), "invalid");
	CHECK_STR(str_c(known("{\"oci_credentials\": {\"a.test\": "
			      "{\"username\": \"j\", \"password\": \"p\"}}}",
			      "a.test", "b")), "j:p:");
}

#define AUTH(user) "\"auth\": \"" user "\""
#define NAMED(file) \
	"oci_default_credentials { docker_style_config_files = [" file "] }\n"

static void test_files(void)
{
	/* f:p, g:p, h:p */
	put("one", "{\"auths\": {\"a.test\": {" AUTH("Zjpw") "}, "
		   "\"a.test/b\": {" AUTH("Zzpw") "}, \"https://i.test/v1/\": "
		   "{" AUTH("Zjpw") "}, \"n.test\": {}, \"o.test\": null, "
		   "\"w.test\": {" AUTH("Zg==") "}}, \"x\": 1}", 0600);
	put("two", "{\"auths\": {\"a.test\": {" AUTH("aDpw") "}, \"c.test\": {"
		   AUTH("aDpw") "}}}", 0600);
	put("bad", "{\"auths\": {\"a.test\": {" AUTH("*") "}}}", 0600);
	CHECK_STR(str_c(known(NAMED("\"one\""), "a.test", "x")), "f:p:");
	CHECK_STR(str_c(known(NAMED("\"one\""), "a.test", "b/c")), "g:p:");
	CHECK_STR(str_c(known(NAMED("\"one\""), "i.test", "b")), "::");
	CHECK_STR(str_c(known(NAMED("\"one\""), "n.test", "b")), "::");
	CHECK_STR(str_c(known(NAMED("\"one\""), "o.test", "b")), "::");
	CHECK_STR(str_c(known(NAMED("\"one\""), "w.test", "b")), "::");
	CHECK_STR(str_c(known(NAMED("\"one\", \"two\""), "a.test", "x")),
		  "f:p:");
	CHECK_STR(str_c(known(NAMED("\"two\", \"one\""), "a.test", "x")),
		  "h:p:");
	CHECK_STR(str_c(known(NAMED("\"two\", \"one\""), "a.test", "b")),
		  "g:p:");
	CHECK_STR(str_c(known(NAMED("\"one\"") BLOCK("a.test", "u"), "a.test",
			      "x")), "u:p:");
	CHECK_STR(str_c(known(NAMED("\"one\"") BLOCK("a.test", "u"), "a.test",
			      "b")), "g:p:");
	CHECK(strstr(known(NAMED("\"one\"") BLOCK("w.test", "u"), "w.test",
			   "x"), "has no name and password") != NULL);
	CHECK(strstr(known(NAMED("\"bad\""), "c.test", "x"), "bad is no "
		     "configuration file") != NULL);
	CHECK(strstr(known(NAMED("\"none\""), "c.test", "x"), "none: No such "
		     "file") != NULL);
}

/* Without any setting in the configuration. */
static void test_usual_files(void)
{
	setenv("HOME", dir, 1);
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("XDG_RUNTIME_DIR");
	CHECK_STR(str_c(known("", "a.test", "x")), "::");
	CHECK(io_make_dirs(".docker", 0700) == 0);
	CHECK(rename("one", ".docker/config.json") == 0);
	CHECK_STR(str_c(known("", "a.test", "x")), "f:p:");
	CHECK(io_make_dirs(".config/containers", 0700) == 0);
	CHECK(rename("two", ".config/containers/auth.json") == 0);
	CHECK_STR(str_c(known("", "a.test", "x")), "h:p:");
	CHECK_STR(str_c(known("", "a.test", "b")), "g:p:");
	CHECK_STR(str_c(known(NAMED(""), "a.test", "x")), "::");
	CHECK_STR(str_c(known("oci_default_credentials { "
			      "discover_ambient_credentials = false }",
			      "a.test", "x")), "::");
	/* One that is broken: somebody else's, so that it is no error. */
	CHECK(rename("bad", ".dockercfg") == 0);
	CHECK_STR(str_c(known("", "a.test", "x")), "::");
	CHECK(unlink(".dockercfg") == 0);
	setenv("XDG_RUNTIME_DIR", dir, 1);
	CHECK(io_make_dirs("containers", 0700) == 0);
	put("containers/auth.json", "{\"auths\": {\"a.test\": {"
	    AUTH("Zzpw") "}}}", 0600);
	CHECK_STR(str_c(known("", "a.test", "x")), "g:p:");
	setenv("XDG_CONFIG_HOME", "/nowhere", 1);
	CHECK_STR(str_c(known("", "c.test", "x")), "::");
}

static void test_helpers(void)
{
	static const char own[] = "oci_credentials \"a.test\" { "
				  "docker_credentials_helper = \"x\" }\n";
	static const char all[] = "oci_default_credentials { "
				  "docker_credentials_helper = \"x\" }\n";
	const char *path = getenv("PATH");

	CHECK(io_make_dirs("bin", 0700) == 0);
	put("bin/docker-credential-x", "#!/bin/sh\nread -r url\n"
	    "case $url in\n"
	    "*none*) echo credentials not found in native keychain; exit 1;;\n"
	    "*bad*) echo locked; exit 1;;\n"
	    "*token*) echo '{\"Username\": \"<token>\", \"Secret\": \"s\"}';;\n"
	    "*junk*) echo junk;;\n"
	    "*) echo \"{\\\"Username\\\": \\\"$1\\\", \\\"Secret\\\": "
	    "\\\"$url\\\"}\";;\nesac\n", 0700);
	setenv("PATH", arena_printf(&a, "%s/bin:%s", dir, path), 1);
	CHECK_STR(str_c(known(own, "a.test", "x")), "get:https://a.test:");
	CHECK_STR(str_c(known(own, "b.test", "x")), "::");
	CHECK_STR(str_c(known(all, "b.test:5000", "x")),
		  "get:https://b.test:5000:");
	CHECK_STR(str_c(known(all, "none.test", "x")), "::");
	CHECK(strstr(known(all, "bad.test", "x"), "docker-credential-x "
		     "failed: locked") != NULL);
	CHECK(strstr(known(all, "token.test", "x"), "with a token") != NULL);
	CHECK(strstr(known(all, "junk.test", "x"), "no JSON") != NULL);
	put("two", "{\"credsStore\": \"x\", \"credHelpers\": {\"n.test\": "
		   "\"none-such\"}}", 0600);
	CHECK_STR(str_c(known(NAMED("\"two\""), "a.test", "x")),
		  "get:https://a.test:");
	CHECK(strstr(known(NAMED("\"two\""), "n.test", "x"),
		     "docker-credential-none-such cannot be run") != NULL);
	CHECK_STR(str_c(known(NAMED("\"two\"") BLOCK("n.test", "u"), "n.test",
			      "x")), "u:p:");
	setenv("PATH", path, 1);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	umask(077);
	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	RUN(test_addresses());
	RUN(test_tags());
	RUN(test_digests());
	RUN(test_challenges());
	RUN(test_realms());
	RUN(test_template());
	RUN(test_blocks());
	RUN(test_files());
	RUN(test_usual_files());
	RUN(test_helpers());
	CHECK(chdir("/") == 0 && io_remove_tree(dir) == 0);
	arena_release(&a);
	return test_done("oci");
}
