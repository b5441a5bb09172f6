/*
 * install_test.c - where packages are looked for, what they hash to, what is
 * locked, and which version is chosen
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/module.h"
#include "test.h"
#include "addr/provider.h"
#include "base/io.h"
#include "install/cli_config.h"
#include "install/providers/requirements.h"
#include "install/providers/providers_int.h"
#include "install/providers/providers.h"
#include "install/package/unpack.h"

static struct arena a = ARENA_INIT;
static char dir[] = "/tmp/install_test.XXXXXX";

static void put(const char *name, const char *text)
{
	char *path = arena_strdup(&a, name), *slash = strrchr(path, '/');
	int fd;

	if (slash) {
		*slash = '\0';
		CHECK(io_make_dirs(path, 0700) == 0);
		*slash = '/';
	}
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	CHECK(fd >= 0 && io_write_all(fd, text, strlen(text)) == 0);
	close(fd);
}

static struct provider_addr provider(const char *text)
{
	struct provider_addr p = { .host = STR_NONE };
	struct str why;

	CHECK_ROW(provider_addr_parse(&a, str_c(text),
				      STR("registry.opentofu.org"), &p,
				      &why) == 0, text);
	return p;
}

/* The summaries of all diagnostics, one a line. */
static struct str summaries(const struct diags *ds)
{
	struct buf b = BUF_INIT;
	struct str s;

	for (size_t i = 0; i < ds->len; i++)
		buf_addf(&b, "%s%s: %.*s", i ? "\n" : "",
			 ds->items[i].severity == SEV_ERROR ? "error"
							    : "warning",
			 STR_ARG(ds->items[i].summary));
	s = buf_dup(&a, &b);
	buf_release(&b);
	return s;
}

/* --- the CLI configuration file --- */

static int read_cli(const char *text, struct cli_config *out,
		    struct diags *ds)
{
	*ds = (struct diags)DIAGS_INIT(&a);
	put("rc", text);
	setenv("TF_CLI_CONFIG_FILE", "rc", 1);
	return cli_config_read(&a, out, ds);
}

/* "dir:/a network:https://b direct:" */
static struct str mirrors_text(const struct cli_config *c)
{
	static const char *const kinds[] = {
		[MIRROR_DIR] = "dir", [MIRROR_NETWORK] = "network",
		[MIRROR_OCI] = "oci", [MIRROR_DIRECT] = "direct",
	};
	struct buf b = BUF_INIT;
	struct str s;

	for (size_t i = 0; i < c->mirrors.len; i++)
		buf_addf(&b, "%s%s:%.*s", i ? " " : "",
			 kinds[c->mirrors.items[i].kind],
			 STR_ARG(c->mirrors.items[i].dir));
	s = buf_dup(&a, &b);
	buf_release(&b);
	return s;
}

static void test_cli_mirrors(void)
{
	struct cli_config c;
	struct diags ds;

	setenv("HOME", "/home/u", 1);
	unsetenv("XDG_DATA_HOME");
	CHECK(read_cli("provider_installation {\n"
		       "  filesystem_mirror {\n    path = \"~/m\"\n  }\n"
		       "  network_mirror {\n    url = \"https://x/\"\n  }\n"
		       "  oci_mirror {\n    repository_template = \"x/t\"\n"
		       "    include = [\"a/b\"]\n  }\n"
		       "  direct {\n  }\n}\n", &c, &ds) == 0);
	CHECK_STR(mirrors_text(&c),
		  "dir:/home/u/m network:https://x/ oci:x/t direct:");
	CHECK(c.plugin_cache.n == 0);
	CHECK(!c.implied);
	/* Lines mean nothing here. */
	CHECK(read_cli("plugin_cache_dir = \"/c\" provider_installation { "
		       "filesystem_mirror { \"path\" = \"/a\", include = "
		       "[\"*/*/*\"] } filesystem_mirror { path = \"/b\" } "
		       "direct {} }", &c, &ds) == 0);
	CHECK_STR(mirrors_text(&c), "dir:/a dir:/b direct:");
	CHECK_STR(c.plugin_cache, "/c");
	CHECK(read_cli("plugin_cache_dir = \"/c\"; disable_checkpoint = true",
		       &c, &ds));
	CHECK(read_cli("provider_installation { direct { }", &c, &ds));
	CHECK(read_cli("\"plugin_cache_dir = 1", &c, &ds));
	setenv("CLI_TEST", "/v", 1);
	CHECK(read_cli("plugin_cache_dir = \"$CLI_TEST/${CLI_TEST}x$-\"\n"
		       "provider_installation {\n  oci_mirror {\n"
		       "    repository_template = \"r/${type}\"\n"
		       "    include = [\"a/*\"]\n  }\n"
		       "  network_mirror {\n    url = \"https://x/\"\n"
		       "    download_retry_count = 3\n"
		       "    trust_all_hashes = true\n  }\n"
		       "  direct {\n    download_retry_count = 3\n  }\n}\n",
		       &c, &ds) == 0);
	CHECK_STR(c.plugin_cache, "/v//vx$-");
	CHECK_STR(mirrors_text(&c),
		  "oci:r/${type} network:https://x/ direct:");
	CHECK(read_cli(" {\"plugin_cache_dir\": \"/j\", "
		       "\"provider_installation\": [{\"dev_overrides\": "
		       "{\"a/b\": \"/b\"}, \"filesystem_mirror\": "
		       "[{\"path\": \"/m\"}]}]}", &c, &ds) == 0);
	CHECK_STR(c.plugin_cache, "/j");
	CHECK_STR(mirrors_text(&c), "dir:/m");
	CHECK(c.overrides.len == 1);
	CHECK(read_cli("{\"provider_installation\": {\"oci_mirror\": "
		       "{\"repository_template\": \"r/${type == \\\"x\\\" ? "
		       "\\\"y\\\" : type}\", \"include\": [\"a/*\"]}}}", &c,
		       &ds) == 0);
	CHECK_STR(mirrors_text(&c), "oci:r/${type == \"x\" ? \"y\" : type}");
	CHECK(read_cli("plugin_cache_dir = \"~/c\"\n"
		       "credentials \"app.example.com\" {\n"
		       "  token = \"t\"\n}\n", &c, &ds) == 0);
	CHECK_STR(c.plugin_cache, "/home/u/c");
	CHECK_STR(mirrors_text(&c),
		  "dir:terraform.d/plugins dir:/home/u/.terraform.d/plugins "
		  "dir:/home/u/.local/share/terraform/plugins "
		  "dir:/usr/local/share/terraform/plugins "
		  "dir:/usr/share/terraform/plugins direct:");
	CHECK(c.implied);
	setenv("TF_PLUGIN_CACHE_DIR", "/env", 1);
	CHECK(read_cli("plugin_cache_dir = \"~/c\"\n", &c, &ds) == 0);
	CHECK_STR(c.plugin_cache, "/env");
	unsetenv("TF_PLUGIN_CACHE_DIR");
	setenv("XDG_DATA_HOME", "/xdg", 1);
	setenv("XDG_DATA_DIRS", "/a:/b", 1);
	CHECK(read_cli("", &c, &ds) == 0);
	CHECK_STR(mirrors_text(&c),
		  "dir:terraform.d/plugins dir:/home/u/.terraform.d/plugins "
		  "dir:/xdg/opentofu/plugins dir:/xdg/terraform/plugins "
		  "dir:/a/terraform/plugins dir:/b/terraform/plugins direct:");
	unsetenv("XDG_DATA_HOME");
	unsetenv("XDG_DATA_DIRS");
}

static void test_cli_overrides(void)
{
	struct cli_config c;
	struct diags ds;
	const struct str *to;

	CHECK(read_cli("provider_installation {\n  dev_overrides {\n"
		       "    \"acme/fake\" = \"~/dev\"\n"
		       "    \"example.com/x/y\" = \"/y\"\n  }\n"
		       "  direct {}\n}\n", &c, &ds) == 0);
	CHECK(c.overrides.len == 2);
	to = map_get(&c.overrides, STR("registry.opentofu.org/acme/fake"));
	CHECK(to && str_is(*to, "/home/u/dev"));
	to = map_get(&c.overrides, STR("example.com/x/y"));
	CHECK(to && str_is(*to, "/y"));
}

#define PATTERN(text)                                                        \
	"provider_installation {\n  direct {\n    exclude = [\"" text          \
	"\"]\n  }\n}\n"
#define BAD_PATTERN "error: Invalid provider source exclusion patterns"

static void test_cli_errors(void)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "provider_installation {\n  filesystem_mirror {\n  }\n}\n",
		  "error: Missing required argument" },
		{ "provider_installation {\n  network_mirror {\n"
		  "    path = \"x\"\n    url = \"y\"\n  }\n}\n",
		  "error: Unsupported argument" },
		{ "provider_installation {\n  magic {\n  }\n}\n",
		  "error: Unsupported block type" },
		{ "provider_installation {\n  filesystem_mirror {\n"
		  "    path = 1\n  }\n}\n",
		  "error: Invalid CLI configuration" },
		{ "provider_installation {\n  dev_overrides {\n"
		  "    \"a/b/c/d/e\" = \"x\"\n  }\n}\n",
		  "error: Invalid provider source string" },
		{ "provider_installation {\n",
		  "error: Unclosed configuration block" },
		{ "plugin_cache_dir = [1]\n",
		  "error: Invalid CLI configuration" },
		{ "provider_installation {\n}\nprovider_installation {\n}\n",
		  "error: No more than one provider_installation block may "
		  "be specified" },
		{ "provider_installation {\n  filesystem_mirror {\n"
		  "    path = \"\"\n  }\n}\n",
		  "error: Invalid CLI configuration" },
		{ "provider_installation {\n  filesystem_mirror {\n"
		  "    path = \"m\"\n    download_retry_count = 1\n  }\n}\n",
		  "error: Unsupported argument" },
		{ PATTERN("one"), BAD_PATTERN },
		{ PATTERN("a/b/c/d"), BAD_PATTERN },
		{ PATTERN("a b/c"), BAD_PATTERN },
		{ PATTERN("*/c"), BAD_PATTERN },
		{ PATTERN("*/a/*"), BAD_PATTERN },
		{ PATTERN("example.com/*/c"), BAD_PATTERN },
	};
	struct cli_config c;
	struct diags ds;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		CHECK_ROW(read_cli(rows[i].text, &c, &ds) == -1, rows[i].text);
		CHECK_STR(summaries(&ds), rows[i].want);
	}
	setenv("TF_CLI_CONFIG_FILE", "nowhere", 1);
	ds = (struct diags)DIAGS_INIT(&a);
	CHECK(cli_config_read(&a, &c, &ds) == 0);
	CHECK_STR(summaries(&ds),
		  "warning: Unable to open CLI configuration file");
	CHECK(c.mirrors.len == 6);
	/* Without the variable no file is no news. */
	unsetenv("TF_CLI_CONFIG_FILE");
	setenv("HOME", dir, 1);
	ds = (struct diags)DIAGS_INIT(&a);
	CHECK(cli_config_read(&a, &c, &ds) == 0 && ds.len == 0);
	put(".terraformrc", "plugin_cache_dir = \"/old\"\n");
	CHECK(cli_config_read(&a, &c, &ds) == 0);
	CHECK_STR(c.plugin_cache, "/old");
	put(".tofurc", "plugin_cache_dir = \"/new\"\n");
	CHECK(cli_config_read(&a, &c, &ds) == 0);
	CHECK_STR(c.plugin_cache, "/new");
	/* The first file that sets something counts. */
	put(".terraform.d/a.tfrc", "plugin_cache_dir = \"/a\"\n");
	put(".terraform.d/b.tfrc.json",
	    "{\"provider_installation\": [{\"direct\": [{}]}]}");
	put(".terraform.d/c.txt", "not read {");
	CHECK(cli_config_read(&a, &c, &ds) == 0);
	CHECK_STR(c.plugin_cache, "/new");
	CHECK_STR(mirrors_text(&c), "direct:");
	unlink(".tofurc");
	unlink(".terraformrc");
	CHECK(cli_config_read(&a, &c, &ds) == 0);
	CHECK_STR(c.plugin_cache, "/a");
	put("xdg/opentofu/tofurc", "plugin_cache_dir = \"/x\"\n");
	put("xdg/opentofu/d.tfrc", "plugin_cache_dir = \"/d\"\n");
	setenv("XDG_CONFIG_HOME", "xdg", 1);
	CHECK(cli_config_read(&a, &c, &ds) == 0);
	CHECK_STR(c.plugin_cache, "/x");
	CHECK_STR(mirrors_text(&c), "direct:");
	/* An old directory keeps the new one from being read. */
	unlink("xdg/opentofu/tofurc");
	CHECK(cli_config_read(&a, &c, &ds) == 0);
	CHECK_STR(c.plugin_cache, "/a");
	unlink(".terraform.d/a.tfrc");
	unlink(".terraform.d/b.tfrc.json");
	unlink(".terraform.d/c.txt");
	CHECK(rmdir(".terraform.d") == 0);
	CHECK(cli_config_read(&a, &c, &ds) == 0);
	CHECK_STR(c.plugin_cache, "/d");
	CHECK(c.implied);
	/* A file that is named is the only one. */
	put("named", "");
	setenv("TERRAFORM_CONFIG", "named", 1);
	CHECK(cli_config_read(&a, &c, &ds) == 0);
	CHECK(!c.plugin_cache.n);
	unsetenv("TERRAFORM_CONFIG");
	unsetenv("XDG_CONFIG_HOME");
}

static void test_patterns(void)
{
	static const struct {
		const char *include, *exclude, *provider;
		bool serves;
	} rows[] = {
		{ NULL, NULL, "acme/fake", true },
		{ "acme/*", NULL, "acme/fake", true },
		{ "acme/*", NULL, "example.com/acme/fake", false },
		{ "*/*", NULL, "other/fake", true },
		{ "*/*/*", NULL, "example.com/acme/fake", true },
		{ "example.com/*/*", NULL, "acme/fake", false },
		{ "example.com/*/fake", NULL, "example.com/x/fake", true },
		{ "registry.opentofu.org/acme/fake", NULL, "acme/fake", true },
		{ NULL, "acme/fake", "acme/fake", false },
		{ NULL, "acme/fake", "acme/real", true },
		{ "acme/*", "acme/fake", "acme/fake", false },
		{ "acme/*", "acme/fake", "acme/real", true },
		{ "fake", NULL, "hashicorp/fake", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct mirror m = { .kind = MIRROR_DIR };

		if (rows[i].include)
			vec_push(&a, &m.include, str_c(rows[i].include));
		if (rows[i].exclude)
			vec_push(&a, &m.exclude, str_c(rows[i].exclude));
		CHECK_ROW(mirror_serves(&m, provider(rows[i].provider)) ==
				  rows[i].serves, rows[i].provider);
	}
}

/* --- packages --- */

static void put_package(const char *version, const char *platform)
{
	put(arena_printf(&a, "m/registry.opentofu.org/acme/fake/%s/%s/"
			     "terraform-provider-fake_v%s", version, platform,
			 version), "#!/bin/sh\nexit 1\n");
}

static void test_packages(void)
{
	struct provider_addr p = provider("acme/fake");
	struct package_vec v = { 0 };
	struct str here = platform_name(&a);

	CHECK(str_starts(here, "linux_"));
	put_package("1.0.0", "linux_amd64");
	put_package("1.10.0", "linux_amd64");
	put_package("1.9.0", "linux_amd64");
	put_package("2.0.0", "linux_arm64");
	put_package("not-a-version", "linux_amd64");
	put("m/registry.opentofu.org/acme/fake/"
	    "terraform-provider-fake_1.9.5_linux_amd64.zip", "");
	put("m/registry.opentofu.org/acme/fake/"
	    "terraform-provider-fake_9.0.0_linux_arm64.zip", "");
	put("m/registry.opentofu.org/acme/fake/"
	    "terraform-provider-other_9.0.0_linux_amd64.zip", "");
	packages_list(&a, STR("m"), p, STR("linux_amd64"), &v);
	CHECK(v.len == 4);
	if (v.len != 4)
		return;
	CHECK_STR(v.items[0].version_text, "1.10.0");
	CHECK_STR(v.items[1].version_text, "1.9.5");
	CHECK(v.items[1].archive.n && !v.items[1].dir.n);
	CHECK_STR(v.items[2].version_text, "1.9.0");
	CHECK_STR(v.items[3].dir,
		  "m/registry.opentofu.org/acme/fake/1.0.0/linux_amd64");
	CHECK_STR(package_dir(&a, STR("m"), p, STR("1.0.0"),
			      STR("linux_amd64")),
		  "m/registry.opentofu.org/acme/fake/1.0.0/linux_amd64");
	packages_list(&a, STR("nowhere"), p, here, &v);
	CHECK(v.len == 4);
}

/* The sums were written by `tofu init` for the same files. */
static void test_hash(void)
{
	put("h/terraform-provider-fake_v1.0.0", "#!/bin/sh\nexit 1\n");
	put("h/docs/README.md", "read me\n");
	put("h/LICENSE", "hi");
	CHECK_STR(package_hash(&a, STR("h")),
		  "h1:Dl/qKM7HzgWygG2iyCNiAf1MD5of8IWrDZaJTIkcQeA=");
	put("h/LICENSE", "ho");
	CHECK(!str_is(package_hash(&a, STR("h")),
		      "h1:Dl/qKM7HzgWygG2iyCNiAf1MD5of8IWrDZaJTIkcQeA="));
	/* no file is left out, whatever its name */
	put("h/LICENSE", "hi");
	put("h/.hidden", "");
	CHECK(!str_is(package_hash(&a, STR("h")),
		      "h1:Dl/qKM7HzgWygG2iyCNiAf1MD5of8IWrDZaJTIkcQeA="));
	CHECK(package_hash(&a, STR("nowhere")).p == NULL);
}

/* Folders are looked into to a depth that no package has. */
static void test_hash_depth(void)
{
	struct buf path = BUF_INIT;

	buf_puts(&path, "n/1");
	for (int i = 2; i <= 50; i++)
		buf_addf(&path, "/%d", i);
	put(arena_printf(&a, "%.*s/file", STR_ARG(buf_view(&path))), "x");
	CHECK(package_hash(&a, STR("n")).n > 0);
	put(arena_printf(&a, "%.*s/51/file", STR_ARG(buf_view(&path))), "x");
	CHECK(package_hash(&a, STR("n")).p == NULL);
	buf_release(&path);
}

static void test_remove_tree(void)
{
	put("r/keep", "x");
	put("r/d/e/f", "x");
	CHECK(symlink("../keep", "r/d/link") == 0);
	CHECK(io_remove_tree("r/d") == 0);
	CHECK(access("r/d", F_OK) && !access("r/keep", F_OK));
	CHECK(io_remove_tree("r/nothing") == 0);
}

static void test_unpack(void)
{
	/* Good archives: tests/tools/tf-init.bats. */
	static const char *const bad[] = { "", "PK\x03\x04", "not a zip" };
	struct diags ds;
	struct str hash;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		ds = (struct diags)DIAGS_INIT(&a);
		put("bad.zip", bad[i]);
		CHECK_ROW(unpack_zip(STR("bad.zip"), STR("u"), &hash, &ds) == -1,
			  bad[i]);
		CHECK_STR(summaries(&ds), "error: Failed to install provider");
		CHECK(io_remove_tree("u") == 0);
	}
	ds = (struct diags)DIAGS_INIT(&a);
	CHECK(unpack_zip(STR("none.zip"), STR("u"), &hash, &ds) == -1);
	CHECK(ds.errors == 1);
	CHECK(io_remove_tree("u") == 0);
}

/* --- the lock file --- */

static const char lock_text[] =
	"# This file is maintained automatically by \"tofu init\".\n"
	"# Manual edits may be lost in future updates.\n"
	"\n"
	"provider \"registry.opentofu.org/acme/fake\" {\n"
	"  version     = \"1.0.0\"\n"
	"  constraints = \">= 1.0.0, < 2.0.0\"\n"
	"  hashes = [\n"
	"    \"h1:aaa=\",\n"
	"    \"zh:bbb\",\n"
	"  ]\n"
	"}\n"
	"\n"
	"provider \"registry.opentofu.org/acme/other\" {\n"
	"  version = \"0.1.0-beta1\"\n"
	"}\n";

static void test_lockfile(void)
{
	struct diags ds = DIAGS_INIT(&a);
	struct lockfile f;
	struct lock *l;

	put("lock", lock_text);
	CHECK(lockfile_read(&a, "lock", &f, &ds) == 0 && f.locks.len == 2);
	l = lockfile_find(&f, provider("acme/fake"));
	CHECK(l && str_is(l->version, "1.0.0") && l->hashes.len == 2);
	CHECK(!lockfile_find(&f, provider("acme/none")));
	CHECK_STR(lockfile_text(&a, &f), lock_text);
	/* By hand: another order, no constraints, comments. */
	put("lock", "provider \"registry.opentofu.org/acme/other\" {\n"
		    "  version = \"0.1.0-beta1\" # why\n}\n"
		    "provider \"registry.opentofu.org/acme/fake\" {\n"
		    "  hashes = [\"zh:bbb\", \"h1:aaa=\"]\n"
		    "  constraints = \">= 1.0.0, < 2.0.0\"\n"
		    "  version = \"1.0.0\"\n}\n");
	CHECK(lockfile_read(&a, "lock", &f, &ds) == 0);
	CHECK_STR(lockfile_text(&a, &f), lock_text);
	CHECK(lockfile_write("lock2", lockfile_text(&a, &f), &ds) == 0);
	CHECK(lockfile_read(&a, "lock2", &f, &ds) == 0 && f.locks.len == 2);
	CHECK(lockfile_read(&a, "nowhere", &f, &ds) == 0);
	CHECK(f.locks.len == 0 && ds.len == 0);
	CHECK(lockfile_write("no/such/dir", STR("x"), &ds) == -1);
	CHECK_STR(summaries(&ds), "error: Failed to save provider lock file");
}

static void test_lockfile_errors(void)
{
	static const struct {
		const char *label, *body, *want;
	} rows[] = {
		{ "acme/fake", "version = \"1.0.0\"",
		  "error: Non-normalized provider source address" },
		{ "terraform.io/builtin/terraform", "version = \"1.0.0\"",
		  "error: Invalid provider source address" },
		{ "registry.opentofu.org/acme/fake", "",
		  "error: Missing required argument" },
		{ "registry.opentofu.org/acme/fake", "version = 1",
		  "error: Invalid dependency lock file" },
		{ "registry.opentofu.org/acme/fake", "version = \"x\"",
		  "error: Invalid provider version number" },
		{ "registry.opentofu.org/acme/fake", "version = \"1.0\"",
		  "error: Invalid provider version number" },
		{ "registry.opentofu.org/acme/fake",
		  "version = \"1.0.0\"\nconstraints = \"what\"",
		  "error: Invalid provider version constraints" },
		{ "registry.opentofu.org/acme/fake",
		  "version = \"1.0.0\"\nconstraints = \"~> 1.0, >= 1\"",
		  "error: Invalid provider version constraints" },
		{ "registry.opentofu.org/acme/fake",
		  "version = \"1.0.0\"\nconstraints = \"< 2.0.0, 1.0.0\"",
		  "error: Invalid provider version constraints" },
		{ "registry.opentofu.org/acme/fake",
		  "version = \"1.0.0\"\nhashes = []",
		  "error: Invalid provider hash set" },
		{ "registry.opentofu.org/acme/fake",
		  "version = \"1.0.0\"\nhashes = [\"abc\"]",
		  "error: Invalid provider hash string" },
		{ "registry.opentofu.org/acme/fake",
		  "version = \"1.0.0\"\n}\n"
		  "provider \"registry.opentofu.org/acme/fake\" {\n"
		  "version = \"1.0.0\"",
		  "error: Duplicate provider lock" },
		{ "registry.opentofu.org/acme/fake",
		  "version = \"1.0.0\"\ncolour = \"red\"",
		  "error: Unsupported argument" },
		{ "registry.opentofu.org/acme/fake", "version = ",
		  "error: Invalid expression" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct diags ds = DIAGS_INIT(&a);
		struct lockfile f;

		put("lock", arena_printf(&a, "provider \"%s\" {\n%s\n}\n",
					 rows[i].label, rows[i].body));
		CHECK_ROW(lockfile_read(&a, "lock", &f, &ds) == -1,
			  rows[i].body);
		CHECK_STR(ds.len ? str_printf(&a, "error: %.*s",
					      STR_ARG(ds.items[0].summary))
				 : STR(""), rows[i].want);
	}
}

/* --- versions --- */

static struct requirement *require(const char *constraints)
{
	struct cfg_module *m = ARENA_NEW(&a, struct cfg_module);
	struct cfg_required_provider *rp =
		ARENA_NEW(&a, struct cfg_required_provider);
	struct requirement_vec v = { 0 };
	struct config *c = config_new(&a);

	rp->addr = provider("acme/fake");
	rp->version = str_c(constraints);
	map_put(&a, &m->required_providers, STR("fake"), rp);
	map_put(&a, &c->modules, STR(""), m);
	requirements_collect(&a, c, &v);
	CHECK(v.len == 1);
	return v.items[0];
}

static void test_constraints(void)
{
	static const struct {
		const char *written, *normal, *chosen;
	} rows[] = {
		{ "", "", "1.10.0" },
		{ "1.0", "1.0.0", "1.0.0" },
		{ "= 1.9", "1.9.0", "1.9.0" },
		{ "< 4, >= 1.0", ">= 1.0.0, < 4.0.0", "1.10.0" },
		{ "~> 1", "~> 1.0", "1.10.0" },
		{ "~> 1.9", "~> 1.9", "1.10.0" },
		{ "~> 1.9.0", "~> 1.9.0", "1.9.5" },
		{ "!= 1.10.0,>=1.9.0,~>1.9.0", ">= 1.9.0, ~> 1.9.0, != 1.10.0",
		  "1.9.5" },
		{ ">= 1, >= 1.0.0", ">= 1.0.0", "1.10.0" },
		{ "~> 2", "~> 2.0", NULL },
		{ "> 1.10.0", "> 1.10.0", NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct requirement *r = require(rows[i].written);
		struct package_vec v = { 0 };
		const struct package *p;

		CHECK_STR(requirement_text(&a, r), rows[i].normal);
		packages_list(&a, STR("m"), r->provider, STR("linux_amd64"),
			      &v);
		p = package_choose(r, NULL, &v);
		CHECK_ROW(!p == !rows[i].chosen &&
				  (!p || str_is(p->version_text,
						rows[i].chosen)),
			  rows[i].written);
	}
}

static void test_choice(void)
{
	struct lock lock = { .version = STR("1.0.0") };
	struct requirement *any = require("");
	struct package_vec v = { 0 };
	const struct package *p;

	put_package("3.0.0-rc1", "linux_amd64");
	packages_list(&a, STR("m"), any->provider, STR("linux_amd64"), &v);
	/* A pre-release is chosen by its name only. */
	p = package_choose(any, NULL, &v);
	CHECK(p && str_is(p->version_text, "1.10.0"));
	p = package_choose(require("3.0.0-rc1"), NULL, &v);
	CHECK(p && str_is(p->version_text, "3.0.0-rc1"));
	p = package_choose(any, &lock, &v);
	CHECK(p && str_is(p->version_text, "1.0.0"));
	lock.version = STR("1.0.1");
	CHECK(!package_choose(any, &lock, &v));
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	umask(077);
	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	RUN(test_cli_mirrors());
	RUN(test_cli_overrides());
	RUN(test_cli_errors());
	RUN(test_patterns());
	RUN(test_packages());
	RUN(test_hash());
	RUN(test_hash_depth());
	RUN(test_remove_tree());
	RUN(test_unpack());
	RUN(test_lockfile());
	RUN(test_lockfile_errors());
	RUN(test_constraints());
	RUN(test_choice());
	CHECK(chdir("/") == 0 && io_remove_tree(dir) == 0);
	arena_release(&a);
	return test_done("install");
}
