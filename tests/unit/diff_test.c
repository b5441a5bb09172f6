/* diff_test.c - differences of JSON values and how they are displayed */
#include "json/read.h"
#include "test.h"
#include "ui/diff/diff.h"

static const struct json *parse(struct arena *a, const char *text)
{
	struct json_error err;

	return json_parse(a, str_c(text), &err);
}

struct row {
	const char *name, *change, *want;
};

/* Outputs: by their JSON alone. */
static const struct row untyped[] = {
	{ "create", "{\"after\":\"x\"}", "\"x\"" },
	{ "delete", "{\"before\":\"x\",\"after\":null}", "\"x\" -> null" },
	{ "update", "{\"before\":1,\"after\":2}", "1 -> 2" },
	{ "same", "{\"before\":true,\"after\":true}", "true" },
	{ "unknown", "{\"before\":null,\"after_unknown\":true}",
	  "(known after apply)" },
	{ "becomes unknown", "{\"before\":\"x\",\"after_unknown\":true}",
	  "\"x\" -> (known after apply)" },
	{ "sensitive",
	  "{\"before\":\"x\",\"after\":\"y\",\"before_sensitive\":true,"
	  "\"after_sensitive\":true}",
	  "(sensitive value)" },
	{ "escapes", "{\"after\":\"a\\\"b\\\\c\\td\\u0001\"}",
	  "\"a\\\"b\\\\c\\td\\x01\"" },
	{ "type change", "{\"before\":\"x\",\"after\":[1]}",
	  "\"x\" -> [\n      + 1,\n    ]" },
	{ "object",
	  "{\"before\":{\"a\":1,\"bb\":2,\"c\":3},"
	  "\"after\":{\"a\":1,\"bb\":5,\"d\":4}}",
	  "{\n      ~ bb = 2 -> 5\n      - c  = 3\n      + d  = 4\n"
	  "        # (1 unchanged attribute hidden)\n    }" },
	{ "list in the middle",
	  "{\"before\":[1,2,3,4,5,6],\"after\":[1,2,3,9,5,6]}",
	  "[\n        # (2 unchanged elements hidden)\n        3,\n"
	  "      - 4,\n      + 9,\n        5,\n"
	  "        # (1 unchanged element hidden)\n    ]" },
	{ "heredoc", "{\"before\":\"a\\nb\",\"after\":\"a\\nc\"}",
	  "<<-EOT\n        a\n      - b\n      + c\n    EOT" },
	{ "jsonencode",
	  "{\"before\":\"{\\\"a\\\":1}\",\"after\":\"{\\\"a\\\":2}\"}",
	  "jsonencode(\n      ~ {\n          ~ a = 1 -> 2\n        }\n    )" },
	{ "whitespace",
	  "{\"before\":\"[1]\",\"after\":\"[ 1 ]\"}",
	  "jsonencode( # whitespace changes\n        [\n            1,\n"
	  "        ]\n    )" },
	{ "id is always shown",
	  "{\"before\":{\"id\":\"i\",\"x\":1,\"y\":2},"
	  "\"after\":{\"id\":\"i\",\"x\":1,\"y\":3}}",
	  "{\n        id = \"i\"\n      ~ y  = 2 -> 3\n"
	  "        # (1 unchanged attribute hidden)\n    }" },
};

static void test_untyped(void)
{
	for (size_t i = 0; i < sizeof(untyped) / sizeof(untyped[0]); i++) {
		struct arena a = ARENA_INIT;
		struct buf b = BUF_INIT;
		struct diff_input in =
			diff_input_from(&a, parse(&a, untyped[i].change));
		struct diff_style st = { 0 };

		diff_render(&b, diff_json(&a, &in), 0, st);
		if (!str_is(buf_view(&b), untyped[i].want))
			test_note("%s:\n%.*s", untyped[i].name,
				  STR_ARG(buf_view(&b)));
		CHECK_ROW(str_is(buf_view(&b), untyped[i].want),
			  untyped[i].name);
		buf_release(&b);
		arena_release(&a);
	}
}

static const struct row blocks[] = {
	{ "create",
	  "{\"before\":null,\"after\":{\"name\":\"n\"},"
	  "\"after_unknown\":{\"id\":true}}",
	  "{\n      + id   = (known after apply)\n"
	  "      + name = \"n\"\n    }" },
	{ "replace",
	  "{\"before\":{\"id\":\"1\",\"name\":\"n\",\"tags\":{\"a\":\"b\"}},"
	  "\"after\":{\"name\":\"m\",\"tags\":{\"a\":\"b\"}},"
	  "\"after_unknown\":{\"id\":true},\"replace_paths\":[[\"name\"]]}",
	  "{\n      ~ id   = \"1\" -> (known after apply)\n"
	  "      ~ name = \"n\" -> \"m\" # forces replacement\n"
	  "        tags = {\n            \"a\" = \"b\"\n        }\n    }" },
	{ "destroy", "{\"before\":{\"id\":\"1\",\"list\":[\"x\"]},"
		     "\"after\":null}",
	  "{\n      - id   = \"1\" -> null\n      - list = [\n"
	  "          - \"x\",\n        ] -> null\n    }" },
	{ "block changes",
	  "{\"before\":{\"id\":\"1\",\"disk\":[{\"size\":1},{\"size\":2}]},"
	  "\"after\":{\"id\":\"1\",\"disk\":[{\"size\":1},{\"size\":3}]}}",
	  "{\n        id = \"1\"\n\n      ~ disk {\n"
	  "          ~ size = 2 -> 3\n        }\n\n"
	  "        # (1 unchanged block hidden)\n    }" },
	{ "set", "{\"before\":{\"set\":[\"a\",\"b\"]},"
		 "\"after\":{\"set\":[\"b\",\"c\"]}}",
	  "{\n      ~ set = [\n          - \"a\",\n          + \"c\",\n"
	  "            # (1 unchanged element hidden)\n        ]\n    }" },
	{ "becomes sensitive",
	  "{\"before\":{\"name\":\"a\"},\"after\":{\"name\":\"a\"},"
	  "\"after_sensitive\":{\"name\":true}}",
	  "{\n      # Warning: this attribute value will be marked as "
	  "sensitive and will not\n      # display in UI output after "
	  "applying this change. The value is unchanged.\n"
	  "      ~ name = (sensitive value)\n    }" },
};

static const struct schema_block *schema(struct arena *a)
{
	struct schema_attr *top = ARENA_ARRAY(a, struct schema_attr, 5);
	struct schema_attr *size = ARENA_ARRAY(a, struct schema_attr, 1);
	struct schema_block *disk = ARENA_NEW(a, struct schema_block);
	struct schema_block *b = ARENA_NEW(a, struct schema_block);
	struct schema_nested *n = ARENA_NEW(a, struct schema_nested);

	top[0] = (struct schema_attr){ .name = STR("id"),
				       .type = &type_string };
	top[1] = (struct schema_attr){ .name = STR("name"),
				       .type = &type_string };
	top[2] = (struct schema_attr){ .name = STR("list"),
				       .type = type_list(&type_string) };
	top[3] = (struct schema_attr){ .name = STR("set"),
				       .type = type_set(&type_string) };
	top[4] = (struct schema_attr){ .name = STR("tags"),
				       .type = type_map(&type_string) };
	size[0] = (struct schema_attr){ .name = STR("size"),
					.type = &type_number };
	disk->attrs = size;
	disk->nattrs = 1;
	*n = (struct schema_nested){ .type_name = STR("disk"),
				     .nesting = NESTING_LIST,
				     .block = disk };
	b->attrs = top;
	b->nattrs = 5;
	b->blocks = n;
	b->nblocks = 1;
	return b;
}

static void test_blocks(void)
{
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
		struct arena a = ARENA_INIT;
		struct buf b = BUF_INIT;
		struct diff_input in =
			diff_input_from(&a, parse(&a, blocks[i].change));
		struct diff_style st = { 0 };

		diff_render(&b, diff_block(&a, &in, schema(&a)), 0, st);
		if (!str_is(buf_view(&b), blocks[i].want))
			test_note("%s:\n%.*s", blocks[i].name,
				  STR_ARG(buf_view(&b)));
		CHECK_ROW(str_is(buf_view(&b), blocks[i].want),
			  blocks[i].name);
		buf_release(&b);
		arena_release(&a);
	}
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_untyped());
	RUN(test_blocks());
	return test_done("diff");
}
