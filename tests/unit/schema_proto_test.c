/* schema_proto_test.c - messages of the protocol: fields, schemas of both
 * versions, values, paths */
#include <stdlib.h>

#include "provider/provider_int.h"
#include "provider/open.h"
#include "provider/schema_cache.h"
#include "provider/plugin/plugin.h"
#include "test.h"

/* --- fields --- */

static void test_fields(void)
{
	/* 1: varint 300; 2: "ab"; 3: fixed32; 4: fixed64 */
	static const char bytes[] = "\x08\xac\x02\x12\x02"
				    "ab\x1d\x01\0\0\0\x21\x02\0\0\0\0\0\0\0";
	struct str s = { bytes, sizeof(bytes) - 1 };
	struct wire_field f;

	CHECK(wire_next(&s, &f) == 1);
	CHECK(f.number == 1 && !f.is_bytes && f.value == 300);
	CHECK(wire_next(&s, &f) == 1);
	CHECK(f.number == 2 && f.is_bytes);
	CHECK_STR(f.bytes, "ab");
	CHECK(wire_next(&s, &f) == 1);
	CHECK(f.number == 3 && f.value == 1);
	CHECK(wire_next(&s, &f) == 1);
	CHECK(f.number == 4 && f.value == 2);
	CHECK(wire_next(&s, &f) == 0);
	CHECK_STR(wire_get((struct str){ bytes, sizeof(bytes) - 1 }, 2), "ab");
	CHECK(wire_get((struct str){ bytes, sizeof(bytes) - 1 }, 9).n == 0);
}

static void test_bad_fields(void)
{
	static const struct str rows[] = {
		STR_INIT("\x08"),         /* no value */
		STR_INIT("\x08\x80\x80"), /* a number without an end */
		STR_INIT("\x12\x05"       /* shorter than it says */
			 "ab"),
		STR_INIT("\x0b\x0c"),     /* a group */
		STR_INIT("\0\x01"),       /* number 0 */
		STR_INIT("\x1d\x01\x02"), /* half a fixed32 */
		STR_INIT("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct str s = rows[i];
		struct wire_field f;

		CHECK(wire_next(&s, &f) == -1);
	}
}

/* --- schemas --- */

static ProtobufCBinaryData binary(struct arena *a, const ProtobufCMessage *m)
{
	struct buf b = BUF_INIT;
	ProtobufCBinaryData out;

	proto_pack(&b, m);
	out.len = b.len;
	out.data = arena_dup(a, b.p, b.len);
	buf_release(&b);
	return out;
}

static ProtobufCBinaryData text(const char *s)
{
	return (ProtobufCBinaryData){ strlen(s), (uint8_t *)s };
}

/* An attribute of either version, string by default. */
static ProtobufCBinaryData attribute(struct arena *a, int protocol,
				     const char *name, const char *type,
				     bool write_only)
{
	Tfplugin__Attribute5 five = TFPLUGIN__ATTRIBUTE5__INIT;
	Tfplugin__Attribute6 six = TFPLUGIN__ATTRIBUTE6__INIT;

	five.name = six.name = (char *)name;
	five.type = six.type = text(type);
	five.optional = six.optional = 1;
	five.write_only = six.write_only = write_only;
	five.deprecation_message = six.deprecation_message = (char *)"old";
	return protocol == 5 ? binary(a, &five.base) : binary(a, &six.base);
}

/* name, wo; block "b" as a list, at least 1, of such blocks without it. */
static ProtobufCBinaryData schema(struct arena *a, int protocol, int64_t version)
{
	Tfplugin__Schema s = TFPLUGIN__SCHEMA__INIT;
	Tfplugin__Block outer = TFPLUGIN__BLOCK__INIT;
	Tfplugin__Block inner = TFPLUGIN__BLOCK__INIT;
	Tfplugin__NestedBlock nested = TFPLUGIN__NESTED_BLOCK__INIT;
	Tfplugin__NestedBlock *blocks[] = { &nested };
	ProtobufCBinaryData attrs[] = {
		attribute(a, protocol, "name", "\"string\"", false),
		attribute(a, protocol, "wo", "[\"list\",\"number\"]", true),
	};

	inner.attributes = attrs;
	inner.n_attributes = 1;
	outer.attributes = attrs;
	outer.n_attributes = 2;
	outer.block_types = blocks;
	outer.n_block_types = 1;
	outer.description = (char *)"what it is";
	nested.type_name = (char *)"b";
	nested.nesting = TFPLUGIN__NESTING__LIST;
	nested.min_items = 1;
	nested.block = &inner;
	s.version = version;
	s.block = &outer;
	return binary(a, &s.base);
}

static struct str answer(struct arena *a, int protocol, bool bad)
{
	typedef Tfplugin__GetSchemaResponse__ResourceSchemasEntry Entry;
	Tfplugin__GetSchemaResponse r = TFPLUGIN__GET_SCHEMA_RESPONSE__INIT;
	Tfplugin__ServerCapabilities c = TFPLUGIN__SERVER_CAPABILITIES__INIT;
	Tfplugin__Schema provider = TFPLUGIN__SCHEMA__INIT;
	Entry good = TFPLUGIN__GET_SCHEMA_RESPONSE__RESOURCE_SCHEMAS_ENTRY__INIT;
	Entry other = TFPLUGIN__GET_SCHEMA_RESPONSE__RESOURCE_SCHEMAS_ENTRY__INIT;
	Entry *entries[] = { &good, &other };
	ProtobufCBinaryData b;

	good.key = (char *)"x_good";
	good.value = schema(a, protocol, 3);
	other.key = (char *)"x_bad";
	other.value = bad ? text("\xff\xff") : schema(a, protocol, -1);
	r.resource_schemas = entries;
	r.n_resource_schemas = 2;
	r.provider = &provider;
	r.server_capabilities = &c;
	c.get_provider_schema_optional = 1;
	c.plan_destroy = 1;
	b = binary(a, &r.base);
	return (struct str){ (char *)b.data, b.len };
}

static void check_good(const struct resource_schema *s)
{
	const struct schema_attr *wo;
	const struct schema_nested *b;

	CHECK(s && s->version == 3 && s->published == 3 && s->block);
	if (!s || !s->block)
		return;
	CHECK_STR(s->block->description, "what it is");
	wo = schema_attr_find(s->block, STR("wo"));
	CHECK(wo && wo->write_only && wo->optional && !wo->computed);
	CHECK(wo && wo->type == &type_list_number);
	CHECK_STR(wo->deprecation_message, "old");
	b = schema_nested_find(s->block, STR("b"));
	CHECK(b && b->nesting == NESTING_LIST && b->min_items == 1);
	CHECK(b && b->block->nattrs == 1);
	CHECK(type_attr_index(s->block->implied, STR("b")) >= 0);
}

static void test_schemas(void)
{
	for (int protocol = 5; protocol <= 6; protocol++) {
		struct arena a = ARENA_INIT;
		struct diags ds = DIAGS_INIT(&a);
		struct provider_schema s = { .addr = provider_builtin };
		const struct resource_schema *good;

		CHECK(schema_read(&a, protocol, answer(&a, protocol, false),
				  STR(""), &s, &ds) == 0);
		CHECK(s.schema_optional && s.plan_destroy && !s.move_state);
		CHECK(s.managed.len == 2 && s.data.len == 0);
		CHECK(s.config && s.config->nattrs == 0 && !s.meta);
		good = provider_resource_schema(&s, MODE_MANAGED,
						STR("x_good"), &ds);
		check_good(good);
		CHECK(good == provider_resource_schema(&s, MODE_MANAGED,
						       STR("x_good"), NULL));
		CHECK(!provider_resource_schema(&s, MODE_DATA, STR("x_good"),
						&ds));
		CHECK(ds.errors == 0);
		/* A negative version, and bytes that are no schema, are said
		 * when the type is asked for. */
		CHECK(!provider_resource_schema(&s, MODE_MANAGED, STR("x_bad"),
						&ds));
		CHECK(ds.errors == 1);
		s = (struct provider_schema){ .addr = provider_builtin };
		CHECK(schema_read(&a, protocol, answer(&a, protocol, true),
				  STR(""), &s, &ds) == 0);
		CHECK(!provider_resource_schema(&s, MODE_MANAGED, STR("x_bad"),
						&ds));
		CHECK(ds.errors == 2);
		arena_release(&a);
	}
}

/* A schema of one resource type, with attributes of these types of either
 * version of the protocol. */
static struct str answer_of(struct arena *a, int protocol, const char *first,
			    const char *second)
{
	typedef Tfplugin__GetSchemaResponse__ResourceSchemasEntry Entry;
	Tfplugin__GetSchemaResponse r = TFPLUGIN__GET_SCHEMA_RESPONSE__INIT;
	Tfplugin__Schema provider = TFPLUGIN__SCHEMA__INIT;
	Tfplugin__Schema s = TFPLUGIN__SCHEMA__INIT;
	Tfplugin__Block block = TFPLUGIN__BLOCK__INIT;
	Entry only = TFPLUGIN__GET_SCHEMA_RESPONSE__RESOURCE_SCHEMAS_ENTRY__INIT;
	Entry *entries[] = { &only };
	ProtobufCBinaryData attrs[] = {
		attribute(a, protocol, "first", first, false),
		attribute(a, protocol, "second", second, false),
	};
	ProtobufCBinaryData b;

	block.attributes = attrs;
	block.n_attributes = 2;
	s.block = &block;
	only.key = (char *)"x_only";
	only.value = binary(a, &s.base);
	r.resource_schemas = entries;
	r.n_resource_schemas = 1;
	r.provider = &provider;
	b = binary(a, &r.base);
	return (struct str){ (char *)b.data, b.len };
}

static void test_invalid_schemas(void)
{
	static const struct {
		const char *first, *second, *why; /* NULL: it is valid */
	} rows[] = {
		{ "\"string\"", "[\"list\",\"bool\"]", NULL },
		{ "\"string\"", "\"text\"", "attribute \"second\"" },
		{ "[\"list\"]", "\"number\"", "attribute \"first\"" },
		{ "", "\"text\"", "attribute \"first\"" },
	};

	for (size_t i = 0; i < 2 * sizeof(rows) / sizeof(*rows); i++) {
		struct arena a = ARENA_INIT;
		struct diags ds = DIAGS_INIT(&a);
		struct provider_schema s = { .addr = provider_builtin };
		const int protocol = 5 + i % 2;
		const char *why = rows[i / 2].why;
		struct str bytes = answer_of(&a, protocol, rows[i / 2].first,
					     rows[i / 2].second);

		CHECK(schema_read(&a, protocol, bytes, STR(""), &s, &ds) == 0);
		CHECK(!why == (provider_resource_schema(&s, MODE_MANAGED,
							STR("x_only"),
							&ds) != NULL));
		CHECK(ds.errors == (why ? 1 : 0));
		if (why && ds.len)
			CHECK(str_find(ds.items[0].detail, str_c(why)) >= 0);
		arena_release(&a);
	}
}

/* The entries of maps come in any order, and each as often as it does. */
static void test_same_answers(void)
{
	static const char ab[] = "\x12\x01" "a" "\x12\x01" "b";
	static const struct {
		const char *other;
		bool same;
	} cases[] = {
		{ "\x12\x01" "a" "\x12\x01" "b", true },
		{ "\x12\x01" "b" "\x12\x01" "a", true },
		{ "\x12\x01" "a" "\x12\x01" "a", false },
		{ "\x12\x01" "a" "\x1a\x01" "b", false },
		{ "\x12\x01" "a", false },
		{ "", false },
		{ "no message", false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct str x = str_c(ab), y = str_c(cases[i].other);

		CHECK(schema_answer_same(x, y) == cases[i].same);
		CHECK(schema_answer_same(y, x) == cases[i].same);
	}
}

/* Version 5 has no nested attributes; in version 6 they are objects. */
static void test_nested_attribute(void)
{
	struct arena a = ARENA_INIT;
	Tfplugin__Attribute6 leaf = TFPLUGIN__ATTRIBUTE6__INIT;
	Tfplugin__Attribute6 top = TFPLUGIN__ATTRIBUTE6__INIT;
	Tfplugin__Attribute6 *attrs[] = { &leaf };
	Tfplugin__NestedObject o = TFPLUGIN__NESTED_OBJECT__INIT;
	Tfplugin__Block block = TFPLUGIN__BLOCK__INIT;
	Tfplugin__Schema s = TFPLUGIN__SCHEMA__INIT;
	ProtobufCBinaryData bytes, all;
	struct lazy_schema l = { .arena = &a, .protocol = 6 };
	struct resource_schema r = { .lazy = &l };

	leaf.name = (char *)"leaf";
	leaf.type = text("\"bool\"");
	leaf.computed = 1;
	o.attributes = attrs;
	o.n_attributes = 1;
	o.nesting = TFPLUGIN__NESTING__MAP;
	top.name = (char *)"top";
	top.nested_type = &o;
	bytes = binary(&a, &top.base);
	block.attributes = &bytes;
	block.n_attributes = 1;
	s.block = &block;
	all = binary(&a, &s.base);
	l.schema = (struct str){ (char *)all.data, all.len };
	schema_decode(&r);
	CHECK(r.block && r.block->nattrs == 1);
	CHECK(r.block && r.block->attrs[0].nested &&
	      r.block->attrs[0].nested->nesting == NESTING_MAP);
	CHECK(r.block && r.block->attrs[0].type->kind == TYPE_MAP);
	/* The same number means write_only in version 5: not a message. */
	l = (struct lazy_schema){ .arena = &a, .protocol = 5,
				  .schema = l.schema };
	r = (struct resource_schema){ .lazy = &l };
	schema_decode(&r);
	CHECK(!r.block && l.why.n);
	arena_release(&a);
}

/* Deep nesting is refused before anything recurses. */
static void test_depth(void)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;

	for (int i = 0; i < 100000; i++) { /* from the inside out */
		struct buf outer = BUF_INIT;
		size_t n = b.len;
		char varint[10];
		int len = 0;

		do {
			varint[len++] = (char)((n & 0x7f) | (n > 0x7f ? 0x80 : 0));
			n >>= 7;
		} while (n);
		if (i > 3000)
			break; /* deep enough to show, and quadratic */
		buf_putc(&outer, i % 2 ? 0x1a : 0x12);
		buf_add(&outer, varint, (size_t)len);
		buf_str(&outer, buf_view(&b));
		buf_release(&b);
		b = outer;
	}
	for (int protocol = 5; protocol <= 6; protocol++) {
		struct lazy_schema l = { .arena = &a, .protocol = protocol,
					 .schema = buf_view(&b) };
		struct resource_schema r = { .lazy = &l };

		schema_decode(&r);
		CHECK(!r.block && l.why.n);
	}
	buf_release(&b);
	arena_release(&a);
}

static void test_functions(void)
{
	struct arena a = ARENA_INIT;
	Tfplugin__Function f = TFPLUGIN__FUNCTION__INIT;
	Tfplugin__Function__Parameter p =
		TFPLUGIN__FUNCTION__PARAMETER__INIT;
	Tfplugin__Function__Parameter *ps[] = { &p };
	Tfplugin__Function__Return ret = TFPLUGIN__FUNCTION__RETURN__INIT;
	ProtobufCBinaryData b;
	struct func *got;

	p.name = (char *)"path";
	p.type = text("\"string\"");
	p.allow_null_value = 1;
	ret.type = text("[\"set\",\"bool\"]");
	f.parameters = ps;
	f.n_parameters = 1;
	f.variadic_parameter = &p;
	f.return_ = &ret;
	f.summary = (char *)"tells";
	b = binary(&a, &f.base);
	got = schema_function(&a, STR("exists"), proto_bytes(&b));
	CHECK(got && strcmp(got->name, "exists") == 0);
	CHECK(got && strcmp(got->params[0].name, "path") == 0);
	CHECK(got && got->params[0].flags == PARAM_NULL);
	CHECK(got && !got->params[1].name && got->variadic);
	CHECK(got && got->result->kind == TYPE_SET);
	ret.type = text("\"nothing\"");
	b = binary(&a, &f.base);
	CHECK(!schema_function(&a, STR("exists"), proto_bytes(&b)));
	f.return_ = NULL;
	b = binary(&a, &f.base);
	CHECK(!schema_function(&a, STR("exists"), proto_bytes(&b)));
	CHECK(!schema_function(&a, STR("exists"), STR("\xff")));
	arena_release(&a);
}

/* --- values, paths, texts --- */

static void test_values(void)
{
	struct arena a = ARENA_INIT;
	Tfplugin__DynamicValue v = TFPLUGIN__DYNAMIC_VALUE__INIT;
	struct verror err;
	const struct value *got;

	CHECK(value_is_null(proto_value(&a, NULL, &type_string, &err)));
	CHECK(value_is_null(proto_value(&a, &v, &type_string, &err)));
	v.json = text("\"from json\"");
	got = proto_value(&a, &v, &type_string, &err);
	CHECK(got && value_usable(got));
	CHECK_STR(got->string, "from json");
	v.json = text("{");
	CHECK(!proto_value(&a, &v, &type_string, &err));
	CHECK(err.message.n != 0);
	v.json = text("true false");
	CHECK(!proto_value(&a, &v, &type_bool, &err));
	CHECK(proto_put_value(&a, &v, value_string(&a, STR("there")),
			      &type_string) == 0);
	got = proto_value(&a, &v, &type_string, &err);
	CHECK_STR(got->string, "there");
	CHECK(!proto_value(&a, &v, &type_bool, &err));
	CHECK(proto_put_value(&a, &v, value_string(&a, STR("no number")),
			      &type_number) < 0);
	arena_release(&a);
}

static void test_paths(void)
{
	struct arena a = ARENA_INIT;
	Tfplugin__AttributePath p = TFPLUGIN__ATTRIBUTE_PATH__INIT;
	Tfplugin__AttributePath__Step s[4];
	Tfplugin__AttributePath__Step *steps[4];

	for (int i = 0; i < 4; i++) {
		tfplugin__attribute_path__step__init(&s[i]);
		steps[i] = &s[i];
	}
	s[0].selector_case =
		TFPLUGIN__ATTRIBUTE_PATH__STEP__SELECTOR_ATTRIBUTE_NAME;
	s[0].attribute_name = (char *)"a";
	s[1].selector_case =
		TFPLUGIN__ATTRIBUTE_PATH__STEP__SELECTOR_ELEMENT_KEY_INT;
	s[1].element_key_int = 2;
	s[2].selector_case =
		TFPLUGIN__ATTRIBUTE_PATH__STEP__SELECTOR_ELEMENT_KEY_STRING;
	s[2].element_key_string = (char *)"k";
	p.steps = steps;
	p.n_steps = 4; /* the last has no selector: skipped */
	CHECK_STR(path_text(&a, proto_path(&a, &p)), ".a[2][\"k\"]");
	CHECK(proto_path(&a, NULL).len == 0);
	CHECK_STR(proto_text(&a, "plain"), "plain");
	CHECK_STR(proto_text(&a, "a\xff" "b"), "a\xef\xbf\xbd" "b");
	arena_release(&a);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_fields());
	RUN(test_bad_fields());
	RUN(test_schemas());
	RUN(test_invalid_schemas());
	RUN(test_nested_attribute());
	RUN(test_depth());
	RUN(test_functions());
	RUN(test_values());
	RUN(test_paths());
	RUN(test_same_answers());
	return test_done("schema_proto");
}
