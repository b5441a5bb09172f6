/*
 * hosts_test.c - addresses relative to others, and what the CLI configuration and
 * the environment say of hosts
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/source/url.h"
#include "remote/credentials.h"
#include "json/tree.h"
#include "test.h"
#include "base/io.h"
#include "install/cli_config.h"
#include "json/json.h"

static struct arena a = ARENA_INIT;
static char dir[] = "/tmp/hosts_test.XXXXXX";

/* The examples of RFC 3986, section 5.4, and what hosts write beside them. */
static void test_resolve(void)
{
	static const char base[] = "https://a.test/b/c/d;p?q";
	static const struct {
		const char *ref, *want;
	} rows[] = {
		{ "g", "https://a.test/b/c/g" },
		{ "./g", "https://a.test/b/c/g" },
		{ "g/", "https://a.test/b/c/g/" },
		{ "/g", "https://a.test/g" },
		{ "//g", "https://g" },
		{ "?y", "https://a.test/b/c/d;p?y" },
		{ "g?y#s", "https://a.test/b/c/g?y#s" },
		{ "", "https://a.test/b/c/d;p?q" },
		{ ".", "https://a.test/b/c/" },
		{ "..", "https://a.test/b/" },
		{ "../g", "https://a.test/b/g" },
		{ "../..", "https://a.test/" },
		{ "../../../g", "https://a.test/g" },
		{ "/./g", "https://a.test/g" },
		{ "/../g", "https://a.test/g" },
		{ "g/../h", "https://a.test/b/c/h" },
		{ "HTTP://x:8/y", "HTTP://x:8/y" },
		{ "file:///etc/passwd", "" },
		{ "g:h", "" },
		{ "https:///x", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		CHECK_STR(url_resolve(&a, str_c(base), str_c(rows[i].ref)),
			  rows[i].want);
	/* A service's address loses what is behind its last slash. */
	CHECK_STR(url_resolve(&a, STR("https://a.test/v1/providers"),
			      STR("x/y/versions")),
		  "https://a.test/v1/x/y/versions");
	CHECK_STR(url_resolve(&a, STR("https://a.test"), STR("x")),
		  "https://a.test/x");
}

static void test_parts(void)
{
	CHECK_STR(url_host_port(&a, STR("https://u:p@A.test:8/x@y")),
		  "a.test:8");
	CHECK_STR(host_name(&a, STR("A.Test:443")), "a.test");
	CHECK_STR(host_name(&a, STR("a.test:8443")), "a.test:8443");
}

static void read_config(const char *text, struct cli_config *c, size_t errors)
{
	struct diags ds = DIAGS_INIT(&a);
	int fd = open("rc", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	CHECK(fd >= 0 && io_write_all(fd, text, strlen(text)) == 0);
	close(fd);
	setenv("TF_CLI_CONFIG_FILE", "rc", 1);
	cli_config_read(&a, c, &ds);
	CHECK(ds.errors == errors);
}

static struct str token_of(const struct cli_config *c, const char *host)
{
	struct str token, why = STR_NONE;

	CHECK(host_token(&a, &c->hosts, str_c(host), &token, &why) == 0);
	return token;
}

static void test_hosts(void)
{
	struct cli_config c;
	const struct json *services;

	read_config("host \"Registry.Test\" {\n"
		    "  services = { \"modules.v1\" = \"https://x.test/m/\" }\n"
		    "}\n"
		    "host \"old.test\" {\n"
		    "  services {\n \"providers.v1\" = \"/p/\"\n }\n"
		    "}\n"
		    "credentials \"a.test\" { token = \"one\" }\n"
		    "registry_protocols {\n"
		    "  retry_count = 0\n"
		    "  request_timeout_seconds = \"7\"\n"
		    "}\n", &c, 0);
	services = map_get(&c.hosts.services, STR("registry.test"));
	CHECK(services);
	CHECK_STR(json_get_str(services, "modules.v1"), "https://x.test/m/");
	services = map_get(&c.hosts.services, STR("old.test"));
	CHECK(services && json_get(services, "providers.v1"));
	CHECK_STR(token_of(&c, "a.test"), "one");
	CHECK_STR(token_of(&c, "b.test"), "");
	CHECK(c.hosts.retries == 0 && c.hosts.seconds == 7);

	setenv("TF_REGISTRY_DISCOVERY_RETRY", "0", 1); /* no number above 0 */
	setenv("TF_REGISTRY_CLIENT_TIMEOUT", "3", 1);
	read_config("", &c, 0);
	CHECK(c.hosts.retries == 1 && c.hosts.seconds == 3);
	unsetenv("TF_REGISTRY_DISCOVERY_RETRY");
	unsetenv("TF_REGISTRY_CLIENT_TIMEOUT");

	read_config("{\"credentials\": {\"a.test\": {\"token\": \"two\"}}}", &c,
		    0);
	CHECK_STR(token_of(&c, "a.test"), "two");
	read_config("registry_protocols {\n retry_count = \"x\"\n}", &c, 1);
}

static void test_token_variables(void)
{
	struct cli_config c;

	read_config("credentials \"my-host.test\" { token = \"file\" }\n", &c,
		    0);
	CHECK_STR(token_of(&c, "my-host.test"), "file");
	setenv("TF_TOKEN_my__host_test", "variable", 1);
	CHECK_STR(token_of(&c, "my-host.test"), "variable");
	CHECK_STR(token_of(&c, "my.host.test"), "");
	unsetenv("TF_TOKEN_my__host_test");
}

static void put_program(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);

	CHECK(fd >= 0 && io_write_all(fd, text, strlen(text)) == 0);
	close(fd);
}

static void test_helper(void)
{
	static const char config[] = "credentials_helper \"x\" {\n"
				     "  args = [\"--deep\"]\n}\n"
				     "credentials \"file.test\" {\n"
				     "  token = \"file\"\n}\n";
	struct str token, why = STR_NONE;
	struct cli_config c;

	setenv("HOME", dir, 1);
	read_config(config, &c, 0);
	CHECK_STR(token_of(&c, "a.test"), ""); /* there is no such program */
	/* One that a configuration brings along does not count. */
	CHECK(io_make_dirs("terraform.d/plugins", 0700) == 0);
	put_program("terraform.d/plugins/terraform-credentials-x",
		    "#!/bin/sh\necho '{\"token\":\"stolen\"}'\n");
	CHECK_STR(token_of(&c, "a.test"), "");
	CHECK(io_make_dirs(".terraform.d/plugins", 0700) == 0);
	put_program(".terraform.d/plugins/terraform-credentials-x",
		    "#!/bin/sh\n"
		    "[ \"$3\" != bad.test ] || { echo no >&2; exit 1; }\n"
		    "echo \"{\\\"token\\\":\\\"$1 $2 $3\\\"}\"\n");
	CHECK_STR(token_of(&c, "a.test"), "--deep get a.test");
	CHECK_STR(token_of(&c, "file.test"), "file");
	CHECK(host_token(&a, &c.hosts, STR("bad.test"), &token, &why) == -1);
	CHECK(str_find(why, STR("failed: no")) >= 0);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	umask(077);
	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	RUN(test_resolve());
	RUN(test_parts());
	RUN(test_hosts());
	RUN(test_token_variables());
	RUN(test_helper());
	CHECK(chdir("/") == 0 && io_remove_tree(dir) == 0);
	arena_release(&a);
	return test_done("hosts");
}
