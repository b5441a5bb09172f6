/* addr_test.c - addresses and references: reading, printing, order */
#include "addr/addr.h"
#include "addr/provider.h"
#include "addr/walk.h"
#include "lang/syntax/parse.h"
#include "test.h"
#include "addr/reference.h"
#include "addr/target.h"

static struct arena a = ARENA_INIT;

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
	CHECK_STR(inst_key_text(&a, KEY_ABSENT), "");
	CHECK_STR(inst_key_text(&a, ikey(-3)), "[-3]");
	CHECK_STR(inst_key_text(&a, skey("a\"b\\\n")), "[\"a\\\"b\\\\\\n\"]");
	CHECK_STR(inst_key_text(&a, skey("${x} $ %{ %")),
		  "[\"$${x} $ %%{ %\"]");
	CHECK_STR(inst_key_text(&a, skey("\xc3\xa9\x07\xe2\x80\x8b")),
		  "[\"\xc3\xa9\\u0007\\u200b\"]");
	CHECK_STR(inst_key_text(&a, skey("\xff")), "[\"\xef\xbf\xbd\"]");
	CHECK(inst_key_cmp(KEY_ABSENT, ikey(0)) < 0);
	CHECK(inst_key_cmp(ikey(9), ikey(10)) < 0);
	CHECK(inst_key_cmp(ikey(9), skey("1")) < 0);
	CHECK(inst_key_cmp(skey("10"), skey("9")) < 0);
	CHECK(!inst_key_equal(ikey(0), KEY_ABSENT));
}

/* As the language converts an index: a number's text need not be the shortest. */
static void test_literal_keys(void)
{
	static const char *const ones[] = { "1", "01", "1.0", "1e0" };

	for (size_t i = 0; i < sizeof(ones) / sizeof(*ones); i++)
		CHECK_ROW(inst_key_means(skey(ones[i]), ikey(1)), ones[i]);
	CHECK(inst_key_means(ikey(1), skey("1")));
	CHECK(!inst_key_means(ikey(1), skey("01")));
	CHECK(!inst_key_means(skey("01"), skey("1")));
	CHECK(!inst_key_means(skey("1.5"), ikey(1)));
	CHECK(!inst_key_means(skey("x"), KEY_ABSENT));
	CHECK(!inst_key_means(KEY_ABSENT, ikey(0)));
	CHECK(inst_key_means(KEY_ABSENT, KEY_ABSENT));
	CHECK(inst_key_equal(inst_key_other(&a, skey("x")), skey("x")));
	CHECK(inst_key_equal(inst_key_other(&a, ikey(-1)), skey("-1")));
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
	CHECK_STR(addr_implied_provider(STR("aws_vpc_x")), "aws");
	CHECK_STR(addr_implied_provider(STR("aws")), "aws");
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

/* Patterns, each with an instance that it matches and one that it does not. */
static void test_patterns(void)
{
	static const struct {
		const char *text, *in, *out; /* in: NULL: an error */
	} rows[] = {
		{ "t.*", "t.abc[1]", "data.t.abc" },
		{ "t.a*c", "t.abc", "t.abcd" },
		{ "t.*b*", "t.abc[\"x\"]", "t.acd" },
		{ "*.*", "t.a", "module.m.t.a" },
		{ "aws_*.x", "aws_vpc.x", "google_vpc.x" },
		{ "module.*", "module.m[1].module.n.t.a", "t.a" },
		{ "module.m*", "module.my[\"k\"].t.a", "module.n.t.a" },
		{ "module.*.t.*", "module.m[\"k\"].t.a[0]",
		  "module.m.module.n.t.a" },
		{ "module.*.module.n.t.a", "module.m[2].module.n[3].t.a",
		  "module.m.module.o.t.a" },
		{ "module.m*[*].t.a", "module.m[7].t.a", "module.n[7].t.a" },
		{ "module.*[\"k\"].t.a", "module.m[\"k\"].t.a",
		  "module.m[\"l\"].t.a" },
		{ "t.*[1]", "t.a[1]", "t.a[2]" },
		{ "t.*a[*]", "t.a[\"x\"]", "t.b[\"x\"]" },
		{ "t.a[*]", NULL, NULL },
		{ "module.m[*].t.a", NULL, NULL },
		{ "data.*.a", "data.t.a", "t.a" },
		{ "t.*[\"*.org\"]", "t.a[\"*.org\"]", "t.a[\"x.org\"]" },
		{ "t.*[\"a].b\"]", "t.a[\"a].b\"]", "t.a" },
		{ "*", NULL, NULL },
		{ "t*", NULL, NULL },
		{ "t.*.", NULL, NULL },
		{ "t.*.b", NULL, NULL },
		{ "t..*", NULL, NULL },
		{ "t.*[", NULL, NULL },
		{ "t.*[a]", NULL, NULL },
		{ "t.*[0]x", NULL, NULL },
		{ "t[*].a", NULL, NULL },
		{ "data[*].t.a", NULL, NULL },
		{ "data.*", NULL, NULL },
		{ "module.*.", NULL, NULL },
		{ "module.*.t", NULL, NULL },
		{ "t.* ", NULL, NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct diags ds = DIAGS_INIT(&a);
		struct instance_addr in, out;
		struct target t;
		struct buf b = BUF_INIT;
		int rc = selector_parse(&a, str_c(rows[i].text), "target", &t,
					&ds);

		CHECK_ROW((rc == 0) == (rows[i].in != NULL), rows[i].text);
		CHECK_ROW(diags_failed(&ds) == (rc != 0), rows[i].text);
		if (rc || !rows[i].in)
			continue;
		CHECK(!instance_addr_parse(&a, str_c(rows[i].in), &in, &ds));
		CHECK(!instance_addr_parse(&a, str_c(rows[i].out), &out, &ds));
		target_print(&b, &t);
		CHECK_STR(buf_view(&b), rows[i].text);
		buf_release(&b);
		CHECK_ROW(target_contains(&t, &in), rows[i].text);
		CHECK_ROW(!target_contains(&t, &out), rows[i].text);
	}
}

/* A quoted key is no pattern; state rm and -replace take no patterns. */
static void test_no_patterns(void)
{
	struct diags ds = DIAGS_INIT(&a);
	struct target t;

	CHECK(!selector_parse(&a, STR("t.a[\"*\"]"), "target", &t, &ds));
	CHECK(!t.glob.n && str_is(t.addr.key.s, "*"));
	CHECK(target_parse(&a, STR("t.*"), "target", &t, &ds));
	CHECK_STR(ds.items[0].summary, "Invalid target \"t.*\"");
}

static void test_targets(void)
{
	static const struct {
		const char *text;
		int kind; /* -1: an error */
		const char *in, *out; /* an instance that it contains, or not */
	} rows[] = {
		{ "t.a", TARGET_RESOURCE, "t.a[1]", "t.b" },
		{ "t.a[1]", TARGET_INSTANCE, "t.a[1]", "t.a" },
		{ "t.a[\"k\"]", TARGET_INSTANCE, "t.a[\"k\"]", "t.a[\"l\"]" },
		{ "data.t.a", TARGET_RESOURCE, "data.t.a", "t.a" },
		{ "module.m", TARGET_MODULE, "module.m[0].module.n.t.a",
		  "module.n.t.a" },
		{ "module.m[0]", TARGET_MODULE, "module.m[0].t.a",
		  "module.m[1].t.a" },
		{ "module.m.t.a", TARGET_RESOURCE, "module.m.t.a[\"x\"]",
		  "module.m[0].t.a" },
		{ "", -1, NULL, NULL },
		{ "t", -1, NULL, NULL },
		{ "t.a.b", -1, NULL, NULL },
		{ "t.a[", -1, NULL, NULL },
		{ "t.a[1.5]", -1, NULL, NULL },
		{ "t.a[true]", -1, NULL, NULL },
		{ "module", -1, NULL, NULL },
		{ "data.t", -1, NULL, NULL },
		{ "var.x.y.z", -1, NULL, NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct diags ds = DIAGS_INIT(&a);
		struct instance_addr in, out;
		struct target t;
		struct buf b = BUF_INIT;
		int rc = target_parse(&a, str_c(rows[i].text), "target", &t,
				      &ds);

		CHECK_ROW((rc == 0) == (rows[i].kind >= 0), rows[i].text);
		CHECK_ROW(diags_failed(&ds) == (rc != 0), rows[i].text);
		if (rc || rows[i].kind < 0)
			continue;
		CHECK_ROW((int)t.kind == rows[i].kind, rows[i].text);
		target_print(&b, &t);
		CHECK_STR(buf_view(&b), rows[i].text);
		buf_release(&b);
		CHECK(!instance_addr_parse(&a, str_c(rows[i].in), &in, &ds));
		CHECK(!instance_addr_parse(&a, str_c(rows[i].out), &out, &ds));
		CHECK_ROW(target_contains(&t, &in), rows[i].text);
		CHECK_ROW(!target_contains(&t, &out), rows[i].text);
	}
}

/* Read and printed again: the same, or an error. */
static void test_instances(void)
{
	static const char *const good[] = {
		"t.a", "t.a[0]", "data.t.a[\"x\"]", "ephemeral.t.a",
		"module.m.t.a", "module.m[3].module.n[\"a.b[0]\"].t.a[\"$${\"]",
	};
	static const char *const bad[] = {
		"", "t", "t.a[", "t.a[x]", "module.m", "t.a.b", "t.a[0][1]",
		"t.a[*]", "module.m[0]", "t..a", "1.a", "t.a[-1]",
	};
	struct diags ds = DIAGS_INIT(&a);
	struct instance_addr i;

	for (size_t k = 0; k < sizeof(good) / sizeof(*good); k++) {
		CHECK_ROW(!instance_addr_parse(&a, str_c(good[k]), &i, &ds),
			  good[k]);
		CHECK_STR(instance_addr_text(&a, &i), good[k]);
	}
	for (size_t k = 0; k < sizeof(bad) / sizeof(*bad); k++)
		CHECK_ROW(instance_addr_parse(&a, str_c(bad[k]), &i, &ds),
			  bad[k]);
}

/* The short path for plain addresses agrees with the parser, and refuses
 * others. */
static void test_plain(void)
{
	static const char *const plain[] = {
		"t_t.a", "t_t.a-b_1", "data.t_t.a", "t_t.a[0]", "t_t.a[12]",
		"t_t.a[\"x.y\"]", "data.t_t.a[\"\"]", "t_-.a",
	};
	static const char *const others[] = {
		"", "t.a", "t_t", "t_t.", ".a_b", "t_t.1", "t_t.a.b", "_.",
		"module.m_m.t_t.a", "ephemeral.t_t.a", "data.t_t", "t_t.a[01]",
		"t_t.a[\"\\n\"]", "t_t.a[\"${\"]", "t_t.a[\"\u00e9\"]",
		"t_t.a[x]", "t_t.a[]", "t_t.a[\"[\"]", "t_\u00e9.a", "t_t.a[\"x\"][0]",
		"t_t .a", "t_t.a[9999999999999999999]",
	};
	struct diags ds = DIAGS_INIT(&a);
	struct instance_addr i;
	struct target t;

	for (size_t k = 0; k < sizeof(plain) / sizeof(*plain); k++) {
		struct str text = str_c(plain[k]);

		CHECK_ROW(instance_addr_plain(text, &i), plain[k]);
		CHECK_STR(instance_addr_text(&a, &i), plain[k]);
		CHECK_ROW(!target_parse(&a, text, "target", &t, &ds),
			  plain[k]);
		CHECK_ROW(instance_addr_equal(&i, &t.addr), plain[k]);
	}
	for (size_t k = 0; k < sizeof(others) / sizeof(*others); k++)
		CHECK_ROW(!instance_addr_plain(str_c(others[k]), &i),
			  others[k]);
}

static void test_provider_configs(void)
{
	static const char *const good[] = {
		"provider[\"registry.opentofu.org/hashicorp/random\"]",
		"provider[\"terraform.io/builtin/terraform\"].x",
		"module.a.module.b.provider[\"ex.com/n/t\"].x",
		"provider[\"ex.com/n/t\"].x[\"k\"]",
	};
	static const char *const bad[] = {
		"", "provider", "provider.random", "provider[\"a/b/c/d\"]",
		"provider[0]", "provider[\"ex.com/n/t\"].x.y",
		"module.a", "module.a[0].provider[\"ex.com/n/t\"]",
	};
	struct provider_config_addr p;

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		struct diags ds = DIAGS_INIT(&a);

		CHECK_ROW(!provider_config_parse(&a, str_c(good[i]), &p, &ds),
			  good[i]);
		CHECK_STR(provider_config_text(&a, &p), good[i]);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct diags ds = DIAGS_INIT(&a);

		CHECK_ROW(provider_config_parse(&a, str_c(bad[i]), &p, &ds) &&
				  diags_failed(&ds), bad[i]);
	}
}

/* The reference in a text, and its forms in the published list. */
static void test_references(void)
{
	static const struct {
		const char *text;
		int kind; /* -1: an error */
		const char *printed, *published;
	} rows[] = {
		{ "var.x.y", REF_VARIABLE, "var.x", "var.x.y var.x" },
		{ "local.x", REF_LOCAL, "local.x", "local.x" },
		{ "t.a[0].id", REF_RESOURCE, "t.a[0]", "t.a[0].id t.a[0] t.a" },
		{ "data.t.a.b", REF_RESOURCE, "data.t.a",
		  "data.t.a.b data.t.a" },
		{ "module.m.o", REF_MODULE, "module.m.o",
		  "module.m.o module.m" },
		{ "count.index", REF_COUNT, "count.index", "count.index" },
		{ "each.key", REF_EACH, "each.key", "each.key" },
		{ "path.module", REF_PATH, "path.module", "path.module" },
		{ "terraform.workspace", REF_TERRAFORM, "terraform.workspace",
		  "terraform.workspace" },
		{ "self.id", REF_SELF, "self", "self.id self" },
		{ "var", -1, NULL, NULL },
		{ "data.t", -1, NULL, NULL },
		{ "t", -1, NULL, NULL },
		{ "local[0]", -1, NULL, NULL },
		{ "count", -1, NULL, NULL },
		{ "module", -1, NULL, NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct diags ds = DIAGS_INIT(&a);
		struct traversal_ref t = { 0 };
		struct source *src = source_new(&a, STR("t"),
						str_c(rows[i].text));
		struct str_vec names = { 0 };
		struct buf b = BUF_INIT;
		struct reference r;

		t.src = src;
		t.span = (struct span){ 0, (uint32_t)src->text.n };
		CHECK_ROW(!parse_traversal(&a, src, &t.traversal, &ds),
			  rows[i].text);
		CHECK_ROW((reference_parse(&a, &t, &r, &ds) == 0) ==
				  (rows[i].kind >= 0), rows[i].text);
		if (rows[i].kind < 0) {
			CHECK_ROW(diags_failed(&ds), rows[i].text);
			continue;
		}
		CHECK_ROW((int)r.kind == rows[i].kind, rows[i].text);
		reference_print(&b, &r);
		CHECK_STR(buf_view(&b), rows[i].printed);
		buf_release(&b);
		reference_publish(&a, &r, &names);
		for (size_t k = 0; k < names.len; k++) {
			if (k)
				buf_putc(&b, ' ');
			buf_str(&b, names.items[k]);
		}
		CHECK_STR(buf_view(&b), rows[i].published);
		buf_release(&b);
	}
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_keys());
	RUN(test_literal_keys());
	RUN(test_order());
	RUN(test_providers());
	RUN(test_targets());
	RUN(test_patterns());
	RUN(test_no_patterns());
	RUN(test_instances());
	RUN(test_plain());
	RUN(test_provider_configs());
	RUN(test_references());
	arena_release(&a);
	return test_done("addr");
}
