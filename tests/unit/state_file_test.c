/*
 * state_file_test.c - state files read and written; lookups; records
 *
 * A state in canonical form must come out byte for byte as it went in; others
 * must come out in canonical form.
 */
#include <stdlib.h>
#include <unistd.h>

#include "addr/provider.h"
#include "state/file/file.h"
#include "state/state.h"
#include "stream/stream.h"
#include "test.h"
#include "value/number.h"

#define HEAD                                                       \
	"{\n  \"version\": 4,\n  \"terraform_version\": \"1.12.6\",\n" \
	"  \"serial\": 3,\n  \"lineage\": \"l-1\",\n"
#define PROVIDER "provider[\\\"terraform.io/builtin/terraform\\\"]"

static struct arena arena = ARENA_INIT;

static struct state *parse_text(struct str text, struct diags *ds)
{
	return state_parse(&arena, text, "test.tfstate", ds);
}

static struct state *parse(const char *text)
{
	struct diags ds = DIAGS_INIT(&arena);
	struct state *s = parse_text(str_c(text), &ds);

	for (size_t i = 0; i < ds.len; i++)
		test_note("%.*s: %.*s", STR_ARG(ds.items[i].summary),
			  STR_ARG(ds.items[i].detail));
	return s;
}

/* --- canonical files --- */

static const char empty_file[] = HEAD
	"  \"outputs\": {},\n  \"resources\": [],\n"
	"  \"check_results\": null\n}\n\n";

static const char full_file[] = HEAD
	"  \"outputs\": {\n"
	"    \"a\": {\n"
	"      \"value\": {\n"
	"        \"k\": [\n"
	"          1,\n"
	"          2.5\n"
	"        ],\n"
	"        \"n\": null\n"
	"      },\n"
	"      \"type\": [\n"
	"        \"object\",\n"
	"        {\n"
	"          \"k\": [\n"
	"            \"tuple\",\n"
	"            [\n"
	"              \"number\",\n"
	"              \"number\"\n"
	"            ]\n"
	"          ],\n"
	"          \"n\": \"string\"\n"
	"        }\n"
	"      ]\n"
	"    },\n"
	"    \"b\": {\n"
	"      \"value\": \"x\\u003cy\\u003e\\u0026\\u2028\\n\\\"\\\\\",\n"
	"      \"type\": \"string\",\n"
	"      \"sensitive\": true,\n"
	"      \"deprecated\": \"use a\"\n"
	"    }\n"
	"  },\n"
	"  \"resources\": [\n"
	"    {\n"
	"      \"mode\": \"data\",\n"
	"      \"type\": \"zeta\",\n"
	"      \"name\": \"d\",\n"
	"      \"provider\": \"" PROVIDER "\",\n"
	"      \"instances\": [\n"
	"        {\n"
	"          \"schema_version\": 0,\n"
	"          \"attributes\": {},\n"
	"          \"sensitive_attributes\": []\n"
	"        }\n"
	"      ]\n"
	"    },\n"
	"    {\n"
	"      \"mode\": \"managed\",\n"
	"      \"type\": \"alpha\",\n"
	"      \"name\": \"m\",\n"
	"      \"provider\": \"" PROVIDER "\",\n"
	"      \"instances\": [\n"
	"        {\n"
	"          \"index_key\": 0,\n"
	"          \"status\": \"tainted\",\n"
	"          \"schema_version\": 7,\n"
	"          \"attributes\": {\n"
	"            \"e\": [],\n"
	"            \"id\": \"\\u003ca\\u003e\",\n"
	"            \"n\": -1.5e+30,\n"
	"            \"o\": {\n"
	"              \"p\": null,\n"
	"              \"q\": true\n"
	"            }\n"
	"          },\n"
	"          \"sensitive_attributes\": [\n"
	"            [\n"
	"              {\n"
	"                \"type\": \"get_attr\",\n"
	"                \"value\": \"e\"\n"
	"              },\n"
	"              {\n"
	"                \"type\": \"index\",\n"
	"                \"value\": {\n"
	"                  \"value\": 0,\n"
	"                  \"type\": \"number\"\n"
	"                }\n"
	"              }\n"
	"            ]\n"
	"          ],\n"
	"          \"private\": \"e30=\",\n"
	"          \"dependencies\": [\n"
	"            \"alpha.n\",\n"
	"            \"module.a.module.b.data.x.y\"\n"
	"          ],\n"
	"          \"create_before_destroy\": true,\n"
	"          \"skip_destroy\": true,\n"
	"          \"identity\": {\n"
	"            \"id\": \"1\"\n"
	"          },\n"
	"          \"identity_schema_version\": 0\n"
	"        },\n"
	"        {\n"
	"          \"index_key\": 0,\n"
	"          \"deposed\": \"0a1b2c3d\",\n"
	"          \"schema_version\": 7,\n"
	"          \"attributes_flat\": {\n"
	"            \"id\": \"old\"\n"
	"          },\n"
	"          \"sensitive_attributes\": []\n"
	"        },\n"
	"        {\n"
	"          \"index_key\": 10,\n"
	"          \"schema_version\": 0,\n"
	"          \"attributes\": {},\n"
	"          \"sensitive_attributes\": []\n"
	"        }\n"
	"      ]\n"
	"    },\n"
	"    {\n"
	"      \"module\": \"module.m[\\\"a b\\\"].module.n[0]\",\n"
	"      \"mode\": \"managed\",\n"
	"      \"type\": \"alpha\",\n"
	"      \"name\": \"k\",\n"
	"      \"instances\": [\n"
	"        {\n"
	"          \"index_key\": \"é\\u003c\",\n"
	"          \"provider\": \"module.m.provider[\\\"registry.opentofu.org/"
		"hashicorp/random\\\"].w[\\\"k\\\"]\",\n"
	"          \"schema_version\": 0,\n"
	"          \"attributes\": {\n"
	"            \"id\": \"x\"\n"
	"          },\n"
	"          \"sensitive_attributes\": []\n"
	"        }\n"
	"      ]\n"
	"    }\n"
	"  ],\n"
	"  \"check_results\": [\n"
	"    {\n"
	"      \"object_kind\": \"check\",\n"
	"      \"config_addr\": \"check.c\",\n"
	"      \"status\": \"fail\",\n"
	"      \"objects\": [\n"
	"        {\n"
	"          \"object_addr\": \"check.c\",\n"
	"          \"status\": \"fail\",\n"
	"          \"failure_messages\": [\n"
	"            \"no\"\n"
	"          ]\n"
	"        }\n"
	"      ]\n"
	"    },\n"
	"    {\n"
	"      \"object_kind\": \"var\",\n"
	"      \"config_addr\": \"var.x\",\n"
	"      \"status\": \"unknown\",\n"
	"      \"objects\": null\n"
	"    }\n"
	"  ]\n"
	"}\n\n";

static void check_round(const char *text)
{
	struct state *s = parse(text);
	struct buf out = BUF_INIT;

	CHECK(s != NULL);
	if (s) {
		state_write(&out, s);
		CHECK_STR(buf_view(&out), text);
	}
	buf_release(&out);
}

/* Squeezed, then read and written: the same again. */
static void test_round_trips(void)
{
	struct buf compact = BUF_INIT, again = BUF_INIT;
	struct state *s = parse(full_file);

	check_round(empty_file);
	check_round(full_file);
	if (!s)
		return;
	state_write_compact(&compact, s);
	CHECK(compact.len < sizeof(full_file) * 2 / 3);
	CHECK(str_ends(buf_view(&compact), "]}\n"));
	CHECK(memchr(compact.p, '\n', compact.len - 1) == NULL);
	s = parse(compact.p);
	CHECK(s != NULL);
	if (s)
		state_write(&again, s);
	CHECK_STR(buf_view(&again), full_file);
	buf_release(&compact);
	buf_release(&again);
}

/* Files in other forms are written in canonical form. */
static void test_normal_form(void)
{
	static const char loose[] =
		"\t{\"resources\":[{\"instances\":[{\"index_key\":\"b\","
		"\"attributes\":{ \"h\" : \"<&>\xe2\x80\xa8\" , \"e\":{ } ,"
		"\"l\":[ ]},\"dependencies\":[\"module.a[0].t.n\"],"
		"\"sensitive_attributes\":null,\"extra\":[1,{\"x\":null}]},"
		"{\"index_key\":2},{\"index_key\":1.0}],\"name\":\"n\","
		"\"type\":\"t\",\"mode\":\"managed\",\"each\":\"map\","
		"\"provider\":\"" PROVIDER "\"},{\"mode\":\"managed\","
		"\"type\":\"t\",\"name\":\"none\",\"provider\":\"" PROVIDER
		"\",\"instances\":[]}],\"lineage\":\"l-1\",\"serial\":3,"
		"\"terraform_version\":\"0.13.0\",\"version\":4}\r\n";
	static const char want[] = HEAD
		"  \"outputs\": {},\n  \"resources\": [\n    {\n"
		"      \"mode\": \"managed\",\n"
		"      \"type\": \"t\",\n"
		"      \"name\": \"n\",\n"
		"      \"provider\": \"" PROVIDER "\",\n"
		"      \"instances\": [\n"
		"        {\n"
		"          \"index_key\": 1,\n"
		"          \"schema_version\": 0,\n"
		"          \"attributes\": {},\n"
		"          \"sensitive_attributes\": []\n"
		"        },\n"
		"        {\n"
		"          \"index_key\": 2,\n"
		"          \"schema_version\": 0,\n"
		"          \"attributes\": {},\n"
		"          \"sensitive_attributes\": []\n"
		"        },\n"
		"        {\n"
		"          \"index_key\": \"b\",\n"
		"          \"schema_version\": 0,\n"
		"          \"attributes\": {\n"
		"            \"h\": \"\\u003c\\u0026\\u003e\\u2028\",\n"
		"            \"e\": {},\n"
		"            \"l\": []\n"
		"          },\n"
		"          \"sensitive_attributes\": [],\n"
		"          \"dependencies\": [\n"
		"            \"module.a.t.n\"\n"
		"          ]\n"
		"        }\n"
		"      ]\n"
		"    },\n"
		"    {\n"
		"      \"mode\": \"managed\",\n"
		"      \"type\": \"t\",\n"
		"      \"name\": \"none\",\n"
		"      \"provider\": "
		"\"provider[\\\"terraform.io/builtin/terraform\\\"]\",\n"
		"      \"instances\": []\n"
		"    }\n  ],\n  \"check_results\": null\n}\n\n";
	struct state *s = parse(loose);
	struct buf out = BUF_INIT;

	CHECK(s != NULL);
	if (!s)
		return;
	CHECK_STR(s->terraform_version, "0.13.0");
	state_write(&out, s);
	CHECK_STR(buf_view(&out), want);
	buf_release(&out);
}

/* --- refused files --- */

#define R(fields_) "{\"version\":4,\"resources\":[{\"mode\":\"managed\"," \
	"\"type\":\"t\",\"name\":\"n\"," fields_ "}]}"
#define I(fields_) R("\"provider\":\"" PROVIDER "\",\"instances\":[" fields_ "]")
#define UNSUPPORTED "Unsupported state file format"
#define INVALID "Invalid state file format"
#define METADATA "Invalid resource instance metadata in state"

static const struct {
	const char *text, *summary;
} refused[] = {
	{ "tfstate\x01", UNSUPPORTED },
	{ "x", UNSUPPORTED },
	{ " ", UNSUPPORTED },
	{ "[]", UNSUPPORTED },
	{ "{", UNSUPPORTED },
	{ "{}", UNSUPPORTED },
	{ "{\"version\":4}x", UNSUPPORTED },
	{ "{\"version\":4,\"resources\":[{]}", UNSUPPORTED },
	{ "{\"version\":4,\"lineage\":\"a\nb\"}", UNSUPPORTED },
	{ "{\"version\":4,\"lineage\":\"\\x\"}", UNSUPPORTED },
	{ "{\"version\":4,\"lineage\":\"\\u12g4\"}", UNSUPPORTED },
	{ "{\"version\":4,\"x\":01}", UNSUPPORTED },
	{ "{\"version\":4,\"x\":1.}", UNSUPPORTED },
	{ "{\"version\":4,\"x\":1e}", UNSUPPORTED },
	{ "{\"version\":4,\"x\":tru}", UNSUPPORTED },
	{ "{\"version\":4,\"x\":[1 2]}", UNSUPPORTED },
	{ "{\"version\":4,\"x\":{\"a\" 1}}", UNSUPPORTED },
	{ "{\"version\":4,\"x\":[1,]}", UNSUPPORTED },
	{ "{\"version\":4,\"x\":\"\xff\"}", UNSUPPORTED },
	{ "{\"version\":null}", UNSUPPORTED },
	{ "{\"version\":\"4\"}", UNSUPPORTED },
	{ "{\"version\":0}", UNSUPPORTED },
	{ "{\"version\":3,\"serial\":-1}", "State format upgrade failed" },
	{ "{\"version\":3,\"modules\":[],}", UNSUPPORTED },
	{ "{\"version\":5,\"terraform_version\":\"9.9\"}", UNSUPPORTED },
	{ "{\"version\":99999999999999999999}", UNSUPPORTED },
	{ "{\"encryption_version\":\"v0\",\"encrypted_data\":\"\"}",
	  UNSUPPORTED },
	{ "{\"version\":4,\"serial\":-1}", INVALID },
	{ "{\"version\":4,\"serial\":1.5}", INVALID },
	{ "{\"version\":4,\"serial\":18446744073709551616}", INVALID },
	{ "{\"version\":4,\"lineage\":7}", INVALID },
	{ "{\"version\":4,\"outputs\":[]}", INVALID },
	{ "{\"version\":4,\"resources\":{}}", INVALID },
	{ "{\"version\":4,\"check_results\":{}}", INVALID },
	{ "{\"version\":4,\"terraform_version\":\"new\"}",
	  "Invalid OpenTofu version string" },
	{ "{\"version\":4,\"outputs\":{\"a\":{\"value\":1}}}",
	  "Invalid output value type in state" },
	{ "{\"version\":4,\"outputs\":{\"a\":{\"value\":[],\"type\":"
	  "\"string\"}}}", "Invalid output value saved in state" },
	{ "{\"version\":4,\"resources\":[{\"mode\":\"x\"}]}",
	  "Invalid resource mode in state" },
	{ R("\"instances\":[{}]"), "Provider field missing state" },
	{ R("\"provider\":7"), INVALID },
	{ R("\"instances\":7"), INVALID },
	{ I("{\"schema_version\":\"1\"}"), INVALID },
	{ I("{\"create_before_destroy\":1}"), INVALID },
	{ I("{\"index_key\":true}"), METADATA },
	{ I("{\"index_key\":[]}"), METADATA },
	{ I("{\"status\":\"odd\"}"), METADATA },
	{ I("{\"deposed\":\"123\"}"), METADATA },
	{ I("{\"private\":\"e3\"}"), METADATA },
	{ I("{\"private\":\"e3*=\"}"), METADATA },
	{ I("{\"sensitive_attributes\":[[{\"type\":\"odd\",\"value\":1}]]}"),
	  METADATA },
	{ I("{\"sensitive_attributes\":[7]}"), METADATA },
	{ I("{\"dependencies\":7}"), METADATA },
	{ I("{\"dependencies\":[7]}"), METADATA },
	{ I("{},{}"), "Duplicate resource instance in state" },
	{ I("{\"deposed\":\"12345678\"},{\"deposed\":\"12345678\"}"),
	  "Duplicate resource instance in state" },
	{ R("\"instances\":[{\"provider\":\"provider[\\\"a.b/c/d\\\"]\"},"
	    "{\"index_key\":1,\"provider\":\"provider[\\\"a.b/c/e\\\"]\"}]"),
	  "Provider instance field conflict in state" },
};

static void test_refused(void)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		struct diags ds = DIAGS_INIT(&arena);

		CHECK_ROW(!parse_text(str_c(refused[i].text), &ds),
			  refused[i].text);
		CHECK_ROW(ds.len && str_is(ds.items[0].summary,
					   refused[i].summary),
			  refused[i].text);
	}
}

/* Where the module or the provider of a resource cannot be read, that is told
 * and nothing of its instances. */
static void test_unknown_owner(void)
{
	static const char *const owners[] = {
		"\"module\":\"odd\",\"provider\":\"provider[\\\"a.b/c/d\\\"]\"",
		"\"module\":\"module.m\",\"provider\":\"odd\"",
	};

	for (size_t i = 0; i < sizeof(owners) / sizeof(*owners); i++) {
		struct diags ds = DIAGS_INIT(&arena);
		const char *text = arena_printf(
			&arena,
			"{\"version\":4,\"resources\":[{\"mode\":\"managed\","
			"\"type\":\"t\",\"name\":\"n\",%s,\"instances\":"
			"[{\"status\":\"odd\"}]}]}",
			owners[i]);

		CHECK_ROW(!parse_text(str_c(text), &ds), text);
		CHECK_ROW(ds.errors == 1, text);
		CHECK_ROW(ds.len && !str_is(ds.items[0].summary, METADATA),
			  text);
	}
}

/* Any prefix of a good file is refused or the file, never a crash. */
static void test_prefixes(void)
{
	size_t n = sizeof(full_file) - 1;

	for (size_t i = 1; i < n - 2; i++) {
		struct arena a = ARENA_INIT;
		struct diags ds = DIAGS_INIT(&a);
		char *exact = xmalloc(i); /* so that ASan sees an overrun */

		memcpy(exact, full_file, i);
		CHECK(!state_parse(&a, (struct str){ exact, i }, "x", &ds));
		CHECK(ds.errors != 0);
		free(exact);
		arena_release(&a);
	}
}

static void test_deep(void)
{
	struct buf text = BUF_INIT;
	struct diags ds = DIAGS_INIT(&arena);

	buf_puts(&text, "{\"version\":4,\"x\":");
	for (int i = 0; i < 100000; i++)
		buf_putc(&text, '[');
	CHECK(!parse_text(buf_view(&text), &ds));
	buf_release(&text);
}

static void test_legacy_provider(void)
{
	struct state *s = parse(
		"{\"version\":4,\"resources\":[{\"module\":\"module.a\","
		"\"mode\":\"managed\",\"type\":\"aws_x\",\"name\":\"n\","
		"\"provider\":\"module.a.provider.aws.west\","
		"\"instances\":[{}]}]}");

	CHECK(s != NULL);
	if (s)
		CHECK_STR(provider_config_text(&arena,
					       &s->resources.items[0]->provider),
			  "module.a.provider[\"registry.opentofu.org/-/aws\"]"
			  ".west");
}

/* --- lookups and changes --- */

static const struct resource_addr alpha_m = { MODE_MANAGED, STR_INIT("alpha"),
					      STR_INIT("m") };
static const struct module_addr root = { NULL, 0 };

static struct inst_key int_key(int64_t i)
{
	return (struct inst_key){ KEY_INT, i, STR_NONE };
}

static void test_lookup(void)
{
	struct state *s = parse(full_file);
	struct state_resource *r;
	struct state_instance *i;

	if (!s)
		return;
	r = state_resource(s, root, &alpha_m);
	CHECK(r && r->instances.len == 3);
	CHECK(map_get(&s->by_addr, STR("alpha.m")) == r);
	CHECK(map_get(&s->by_addr, STR("data.zeta.d")) != NULL);
	CHECK(map_get(&s->by_addr,
		      STR("module.m[\"a b\"].module.n[0].alpha.k")) != NULL);
	i = state_instance(r, int_key(0));
	CHECK(i && i->tainted && i->create_before_destroy && i->skip_destroy);
	CHECK(i && i->schema_version == 7 && i->ndependencies == 2);
	CHECK(i && i->identity.n && !i->identity_unversioned);
	CHECK(state_instance(r, KEY_ABSENT) == NULL);
	CHECK(state_instance(r, int_key(1)) == NULL);
	i = state_deposed(r, int_key(0), STR("0a1b2c3d"));
	CHECK(i && i->attributes_flat.n && !i->attributes.n);
	CHECK(state_deposed(r, int_key(10), STR("0a1b2c3d")) == NULL);
	CHECK(state_resource(s, root, &(struct resource_addr){
		MODE_DATA, STR("alpha"), STR("m") }) == NULL);
	CHECK(value_has_mark(state_output(s, STR("b")), MARK_SENSITIVE));
	CHECK(!value_has_mark(state_output(s, STR("a")), MARK_SENSITIVE));
	CHECK(state_output(s, STR("c")) == NULL);
	CHECK(!state_is_empty(s));
}

static struct state_instance *new_instance(int64_t key)
{
	struct state_instance *i = ARENA_NEW(&arena, struct state_instance);

	i->key = int_key(key);
	i->attributes = STR("{}");
	return i;
}

static void test_put_remove(void)
{
	enum { N = 500 };
	struct state *s = state_new(&arena);
	struct state_resource *r = state_resource_make(s, root, &alpha_m);
	struct state_instance **sorted, *again;

	CHECK(state_resource_make(s, root, &alpha_m) == r);
	CHECK(state_is_empty(s));
	for (int k = 0; k < N; k++) /* 7 is coprime to N: each key once */
		state_put(s, r, new_instance(k * 7 % N));
	CHECK(r->instances.len == N);
	again = new_instance(3);
	state_put(s, r, again);
	CHECK(r->instances.len == N && state_instance(r, int_key(3)) == again);
	sorted = state_instances_sorted(&arena, r);
	for (int k = 0; k < N; k++)
		CHECK(sorted[k]->key.i == k);
	for (int k = 0; k < N; k += 2)
		state_remove(s, r, int_key(k), STR_NONE);
	state_remove(s, r, int_key(0), STR_NONE); /* gone already */
	CHECK(r->instances.len == N / 2);
	for (int k = 0; k < N; k++)
		CHECK((state_instance(r, int_key(k)) != NULL) == (k % 2 == 1));
	state_put(s, r, new_instance(0));
	CHECK(state_instance(r, int_key(0)) && r->instances.len == N / 2 + 1);
}

static void test_deposed_key(void)
{
	struct state *s = state_new(&arena);
	struct state_resource *r = state_resource_make(s, root, &alpha_m);
	struct str k = state_deposed_key(&arena, r);
	struct str other = state_deposed_key(&arena, r);

	CHECK(k.n == 8 && strspn(k.p, "0123456789abcdef") == 8);
	CHECK(!str_eq(k, other));
}

static void test_outputs(void)
{
	struct state *s = state_new(&arena);
	const char *const names[] = { "m", "c", "x", "a", "m" };

	for (int i = 0; i < 5; i++)
		state_output_set(s, str_c(names[i]), value_int(&arena, i));
	CHECK(state_outputs_sorted(s).len == 4);
	CHECK_STR(state_outputs_sorted(s).items[0].name, "a");
	CHECK_STR(state_outputs_sorted(s).items[3].name, "x");
	CHECK(state_output(s, STR("m"))->integer == 4);
	state_output_set(s, STR("c"), NULL);
	state_output_set(s, STR("nope"), NULL);
	CHECK(state_outputs_sorted(s).len == 3 && !state_output(s, STR("c")));
	CHECK_STR(state_outputs_sorted(s).items[1].name, "m");
}

/* Set and removed in the order that costs most; with quadratic cost this takes
 * minutes. */
static void test_many_outputs(void)
{
	struct state *s = state_new(&arena);
	const size_t n = 300000;
	struct state_output_list list;
	struct str *names = ARENA_ARRAY(&arena, struct str, n);

	for (size_t i = n; i-- > 0;) {
		names[i] = str_printf(&arena, "o%06zu", i);
		state_output_set(s, names[i], &value_true);
	}
	list = state_outputs_sorted(s);
	CHECK(list.len == n && str_eq(list.items[0].name, names[0]));
	for (size_t i = 0; i < n - 1; i++)
		state_output_set(s, list.items[i].name, NULL);
	CHECK(state_outputs_sorted(s).len == 1);
	CHECK(state_output(s, names[n - 1]) && !state_output(s, names[0]));
	state_output_set(s, names[0], &value_false);
	list = state_outputs_sorted(s);
	CHECK(list.len == 2 && str_eq(list.items[0].name, names[0]));
}

static void test_equal(void)
{
	struct state *x = parse(full_file), *y = parse(full_file);

	if (!x || !y)
		return;
	y->serial = 99;
	y->lineage = STR("other");
	CHECK(state_equal_content(x, y));
	state_instance(state_resource(y, root, &alpha_m), int_key(10))
		->attributes = STR("{\n}");
	CHECK(state_equal_content(x, y)); /* white space is no content */
	state_instance(state_resource(y, root, &alpha_m), int_key(10))
		->attributes = STR("{\"a\":1}");
	CHECK(!state_equal_content(x, y));
	y = parse(full_file);
	state_remove(y, state_resource(y, root, &alpha_m), int_key(0),
		     STR("0a1b2c3d"));
	CHECK(!state_equal_content(x, y));
}

/* --- records --- */

struct lines {
	struct state *previous, *prior;
	int seen;
};

static int take_record(void *data, struct str kind, struct str line,
		       struct diags *ds)
{
	struct lines *l = data;
	int rc = state_read_record(l->previous, l->prior, kind, line, ds);

	l->seen += rc == 0;
	return rc < 0 ? -1 : 0;
}

static int read_stream(FILE *f, struct lines *l, struct diags *ds)
{
	struct stream_info info = { .present = false };

	fflush(f);
	lseek(fileno(f), 0, SEEK_SET);
	return stream_read(&arena, fileno(f), &info, NULL, take_record, l, ds);
}

static void write_stream(FILE *f, const struct state *s, bool show)
{
	struct stream_out o;

	stream_out_init(&o, fileno(f), show);
	o.redact = !show;
	stream_begin(&o, "test", NULL);
	state_records(&o, s);
	CHECK(stream_end(&o, false) == 0);
	stream_out_release(&o);
}

static void test_records(void)
{
	struct diags ds = DIAGS_INIT(&arena);
	struct state *s = parse(full_file);
	struct lines l = { state_new(&arena), state_new(&arena), 0 };
	struct buf out = BUF_INIT;
	FILE *f = tmpfile();

	if (!s || !f)
		return;
	write_stream(f, s, true);
	CHECK(read_stream(f, &l, &ds) == 0);
	CHECK(l.seen == 1 + 5 + 2 + 2);
	CHECK(l.previous->serial == 3);
	CHECK_STR(l.previous->lineage, "l-1");
	state_write(&out, l.previous);
	CHECK_STR(buf_view(&out), full_file);
	buf_set_len(&out, 0);
	state_write(&out, l.prior);
	CHECK_STR(buf_view(&out), full_file);
	buf_release(&out);
	fclose(f);
}

static void test_prior_records(void)
{
	struct diags ds = DIAGS_INIT(&arena);
	struct state *s = parse(full_file);
	struct state_resource *r = state_resource(s, root, &alpha_m), *p;
	struct lines l = { state_new(&arena), state_new(&arena), 0 };
	struct str gone = STR("{\"record\":\"prior_state\",\"address\":"
			      "\"alpha.m[10]\",\"gone\":true}");
	struct str changed = STR("{\"record\":\"prior_state\",\"address\":"
				 "\"alpha.m[0]\",\"provider\":\"" PROVIDER
				 "\",\"schema_version\":8,\"attributes\":"
				 "{\"id\":\"new\"}}");
	FILE *f = tmpfile();

	if (!f)
		return;
	write_stream(f, s, true);
	CHECK(read_stream(f, &l, &ds) == 0);
	CHECK(take_record(&l, STR("prior_state"), gone, &ds) == 0);
	CHECK(take_record(&l, STR("prior_state"), changed, &ds) == 0);
	CHECK(state_read_record(l.previous, l.prior, STR("node"), gone,
				&ds) == 1);
	r = state_resource(l.previous, root, &alpha_m);
	p = state_resource(l.prior, root, &alpha_m);
	CHECK(state_instance(r, int_key(10)) && !state_instance(p, int_key(10)));
	CHECK(state_instance(r, int_key(0))->schema_version == 7);
	CHECK(state_instance(p, int_key(0))->schema_version == 8);
	CHECK(!state_instance(p, int_key(0))->tainted);
	CHECK(state_deposed(p, int_key(0), STR("0a1b2c3d")) != NULL);
	fclose(f);
}

static void test_redacted(void)
{
	struct state *s = parse(full_file);
	struct buf text = BUF_INIT;
	FILE *f = tmpfile();

	if (!s || !f)
		return;
	write_stream(f, s, false);
	lseek(fileno(f), 0, SEEK_SET);
	CHECK(io_read_fd(fileno(f), &text, 0) == 0);
	CHECK(str_find(buf_view(&text), STR("(sensitive value)")) > 0);
	CHECK(str_find(buf_view(&text), STR("e30=")) < 0);
	CHECK(str_find(buf_view(&text), STR("003ca")) < 0);
	CHECK(str_find(buf_view(&text), STR("<a>")) < 0);
	CHECK(str_find(buf_view(&text), STR("x<y")) < 0);
	buf_release(&text);
	fclose(f);
}

static void test_bad_records(void)
{
	static const char *const bad[] = {
		"{\"record\":\"previous_run_state\"}",
		"{\"record\":\"previous_run_state\",\"address\":\"a.b[\"}",
		"{\"record\":\"previous_run_state\",\"address\":\"a.b\","
		"\"sensitive_attributes\":[1]}",
		"{\"record\":\"previous_run_state\",\"address\":\"a.b\","
		"\"private\":\"***\"}",
		"{\"record\":\"previous_run_state\",\"address\":\"a.b\","
		"\"dependencies\":7}",
		"{\"record\":\"previous_run_state\",\"address\":7}",
		"{\"record\":\"previous_run_state\",",
		"{\"record\":\"previous_run_state\",\"address\":\"a.b\","
		"\"provider\":\"nonsense\"}",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct diags ds = DIAGS_INIT(&arena);
		struct state *s = state_new(&arena);

		CHECK_ROW(state_read_record(s, NULL, STR("previous_run_state"),
					    str_c(bad[i]), &ds) == -1, bad[i]);
		CHECK_ROW(ds.errors == 1, bad[i]);
	}
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_round_trips());
	RUN(test_normal_form());
	RUN(test_refused());
	RUN(test_unknown_owner());
	RUN(test_prefixes());
	RUN(test_deep());
	RUN(test_legacy_provider());
	RUN(test_lookup());
	RUN(test_put_remove());
	RUN(test_deposed_key());
	RUN(test_outputs());
	RUN(test_many_outputs());
	RUN(test_equal());
	RUN(test_records());
	RUN(test_prior_records());
	RUN(test_redacted());
	RUN(test_bad_records());
	arena_release(&arena);
	return test_done("state_file");
}
