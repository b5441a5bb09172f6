/* addr_test.c - addresses and references: reading, printing, order */
#include "test.h"

#include "addr/addr.h"

static struct arena a = ARENA_INIT;

static struct str printed(struct inst_key k)
{
	struct buf b = BUF_INIT;
	struct str s;

	key_print(&b, k);
	s = buf_dup(&a, &b);
	buf_release(&b);
	return s;
}

static struct inst_key skey(const char *s)
{
	return (struct inst_key){ KEY_STRING, 0, str_c(s) };
}

static struct inst_key ikey(int64_t i)
{
	return (struct inst_key){ KEY_INT, i, STR_NONE };
}

static void test_keys(void)
{
	CHECK_STR(printed(KEY_ABSENT), "");
	CHECK_STR(printed(ikey(-3)), "[-3]");
	CHECK_STR(printed(skey("a\"b\\\n")), "[\"a\\\"b\\\\\\n\"]");
	CHECK_STR(printed(skey("${x} $ %{ %")), "[\"$${x} $ %%{ %\"]");
	CHECK_STR(printed(skey("\xc3\xa9\x07\xe2\x80\x8b")),
		  "[\"\xc3\xa9\\u0007\\u200b\"]");
	CHECK_STR(printed(skey("\xff")), "[\"\xef\xbf\xbd\"]");
	CHECK(key_cmp(KEY_ABSENT, ikey(0)) < 0);
	CHECK(key_cmp(ikey(9), ikey(10)) < 0);
	CHECK(key_cmp(ikey(9), skey("1")) < 0);
	CHECK(key_cmp(skey("10"), skey("9")) < 0);
	CHECK(!key_equal(ikey(0), KEY_ABSENT));
}

static struct instance_addr inst(enum resource_mode mode, const char *type,
				 const char *name, struct inst_key k)
{
	return (struct instance_addr){ .resource = { mode, str_c(type),
						     str_c(name) },
				       .key = k };
}

static void test_order(void)
{
	struct instance_addr x = inst(MODE_MANAGED, "t", "a", ikey(2));
	struct instance_addr y = inst(MODE_MANAGED, "t", "a", ikey(10));
	struct instance_addr d = inst(MODE_DATA, "z", "z", KEY_ABSENT);
	struct instance_addr e = inst(MODE_EPHEMERAL, "z", "z", KEY_ABSENT);
	struct module_addr root = { NULL, 0 };

	CHECK(instance_addr_cmp(&x, &y) < 0);
	CHECK(instance_addr_cmp(&d, &x) < 0);
	CHECK(instance_addr_cmp(&e, &d) < 0);
	y.module = module_addr_child(&a, root, STR("m"), skey("k"));
	CHECK(instance_addr_cmp(&x, &y) < 0);
	CHECK_STR(instance_addr_text(&a, &y), "module.m[\"k\"].t.a[10]");
	CHECK_STR(instance_addr_text(&a, &d), "data.z.z");
	CHECK(instance_addr_equal(&x, &x) && !instance_addr_equal(&x, &y));
	CHECK_STR(resource_implied_provider(STR("aws_vpc_x")), "aws");
	CHECK_STR(resource_implied_provider(STR("aws")), "aws");
}

static void test_providers(void)
{
	static const struct {
		const char *source, *want; /* NULL: an error */
	} rows[] = {
		{ "random", "registry.opentofu.org/hashicorp/random" },
		{ "Foo/Bar", "registry.opentofu.org/foo/bar" },
		{ "ex.com:8080/a/b", "ex.com:8080/a/b" },
		{ "ex.com:443/a/b", "ex.com/a/b" },
		{ "-/aws", "registry.opentofu.org/-/aws" },
		{ "", NULL },
		{ "a//b", NULL },
		{ "a/b/c/d", NULL },
		{ "a/b_c", NULL },
		{ "a/-b", NULL },
		{ "a/b--c", NULL },
		{ "a.b/c", NULL },
		{ "h..x/a/b", NULL },
		{ "a/terraform-provider-x", NULL },
		{ "a/opentofu-x", NULL },
		{ "ex.com/-/aws", NULL },
	};
	struct str host = STR("registry.opentofu.org"), why;
	struct provider_addr p;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		int rc = provider_addr_parse(&a, str_c(rows[i].source), host,
					     &p, &why);

		CHECK_ROW(!rc == !!rows[i].want, rows[i].source);
		if (!rc && rows[i].want)
			CHECK_STR(provider_addr_text(&a, p), rows[i].want);
		if (rc)
			CHECK_ROW(why.n > 0, rows[i].source);
	}
	CHECK_STR(provider_addr_text(&a, provider_builtin),
		  "terraform.io/builtin/terraform");
}

int main(void)
{
	test_keys();
	test_order();
	test_providers();
	arena_release(&a);
	return test_done("addr");
}
