/* funcs_json_test.c - functions of JSON and CSV texts */
#include "funcs_rows.h"

static const struct row json_out[] = {
	{ "jsonencode({ b = [1, true, null], a = \"x\" })",
	  "\"{\\\"a\\\":\\\"x\\\",\\\"b\\\":[1,true,null]}\"" },
	{ "jsonencode(\"<&>\\u2028\\u0007\\u007f\\b\\\"\")",
	  "!What follows the backslash is not an escape" },
	{ "jsonencode(1/3 > 0)", "\"true\"" },
	{ "jsonencode(1e30)", "\"1000000000000000000000000000000\"" },
	{ "jsonencode(0.1)", "\"0.1\"" },
	{ "jsonencode(null)", "\"null\"" },
	{ "jsonencode(toset([\"b\", \"a\"]))", "\"[\\\"a\\\",\\\"b\\\"]\"" },
	{ "jsonencode(tomap({ b = 1, a = 2 }))",
	  "\"{\\\"a\\\":2,\\\"b\\\":1}\"" },
	{ "jsonencode(1/0)", "!cannot serialize infinity as JSON" },
	{ "jsonencode([1/0])", "!cannot serialize infinity as JSON" },
	{ "jsonencode(u_str)", "(known after apply) string not null" },
	{ "jsonencode([u_str])",
	  "(known after apply) string not null prefix [" },
	{ "jsonencode({ a = u_str })",
	  "(known after apply) string not null prefix {" },
	{ "jsonencode(\"a${u_str}\")",
	  "(known after apply) string not null prefix \"" },
	{ "jsonencode({ a = s_str })", "(sensitive value)" },
};

static const struct row json_in[] = {
	{ "jsondecode(\"{\\\"a\\\":[1,2.50,1e3],\\\"b\\\":null,\\\"c\\\":"
	  "\\\"\\\\u00e9\\\\ud83d\\\\ude00\\\"}\")",
	  "{\n"
	  "  \"a\" = [\n"
	  "    1,\n"
	  "    2.5,\n"
	  "    1000,\n"
	  "  ]\n"
	  "  \"b\" = null\n"
	  "  \"c\" = \"é😀\"\n"
	  "}" },
	{ "jsondecode(\" [] \")", "[]" },
	{ "jsondecode(\"\\\"x\\\"\")", "\"x\"" },
	{ "jsondecode(\"-0\")", "-0" },
	{ "jsondecode(\"12345678901234567890123\")",
	  "12345678901234567890123" },
	{ "jsondecode(\"{\\\"a\\\":1,\\\"a\\\":2}\")",
	  "{\n"
	  "  \"a\" = 2\n"
	  "}" },
	{ "jsondecode(\"{\\\"a\\\":1,\\\"a\\\":\\\"x\\\"}\")",
	  "!duplicate \"a\" property in JSON object" },
	{ "jsondecode(\"\\\"\\\\ud800\\\"\")", "\"�\"" },
	{ "jsondecode(\"\")", "!premature EOF at offset 0" },
	{ "jsondecode(\"{\")", "!premature EOF at offset 1" },
	{ "jsondecode(\"[1,]\")",
	  "!unallowed token at this point in JSON text at" },
	{ "jsondecode(\"{\\\"a\\\":1,}\")",
	  "!invalid object key (must be a string) at" },
	{ "jsondecode(\"01\")", "!trailing garbage at offset 0" },
	{ "jsondecode(\"1 2\")", "!trailing garbage at offset 0" },
	{ "jsondecode(\"1\\\"\")", "!trailing garbage at offset 0" },
	/* Behind a closing bracket nothing is looked at. */
	{ "jsondecode(\"{\\\"a\\\":1} ]\\\"\")", "{\n  \"a\" = 1\n}" },
	{ "jsondecode(\"[1]}1\")", "[\n  1,\n]" },
	{ "jsondecode(\"1}\")", "1" },
	{ "jsondecode(\"1,}\")", "!trailing garbage at offset" },
	{ "jsondecode(\"}\")", "!" },
	{ "jsondecode(\"nul\")",
	  "!invalid string in json text at offset 0" },
	{ "jsondecode(\"'a'\")", "!invalid char in json text at offset 1" },
	{ "jsondecode(\"// c\\n1\")",
	  "!probable comment found in input text," },
	{ "jsondecode(\"\\\"a\\nb\\\"\")",
	  "!invalid character inside string at offset 2" },
	{ "jsondecode(\"\\\"\\\\x\\\"\")",
	  "!inside a string, '\\' occurs before a" },
	{ "jsondecode(u_str)", "(known after apply) dynamic" },
	{ "jsondecode(\"[${u_str}\")", "(known after apply) dynamic" },
	{ "jsondecode(\"\\\"${u_str}\")", "(known after apply) string" },
	{ "jsondecode(\"7${u_str}\")", "(known after apply) dynamic" },
	{ "jsondecode(\"x${u_str}\")", "(known after apply) dynamic" },
	{ "jsondecode(s_str)",
	  "!invalid char in json text at offset (sensitive value)" },
};

static const struct row csv[] = {
	{ "csvdecode(\"a,b\\n1,2\\n3,4\\n\")",
	  "tolist([\n"
	  "  {\n"
	  "    \"a\" = \"1\"\n"
	  "    \"b\" = \"2\"\n"
	  "  },\n"
	  "  {\n"
	  "    \"a\" = \"3\"\n"
	  "    \"b\" = \"4\"\n"
	  "  },\n"
	  "])" },
	{ "csvdecode(\"a,b\\r\\n\\\"x\\\"\\\"y\\\",\\\"p\\r\\nq\\\"\\r\\n"
	  "\")",
	  "tolist([\n"
	  "  {\n"
	  "    \"a\" = \"x\\\"y\"\n"
	  "    \"b\" = <<-EOT\n"
	  "    p\n"
	  "    q\n"
	  "    EOT\n"
	  "  },\n"
	  "])" },
	{ "csvdecode(\"a\")", "tolist([])" },
	{ "csvdecode(\"\\n\\na,b\\n\\n1,2\\n\\n\")",
	  "tolist([\n"
	  "  {\n"
	  "    \"a\" = \"1\"\n"
	  "    \"b\" = \"2\"\n"
	  "  },\n"
	  "])" },
	{ "csvdecode(\"a, b\\n 1 ,2\")",
	  "tolist([\n"
	  "  {\n"
	  "    \" b\" = \"2\"\n"
	  "    \"a\" = \" 1 \"\n"
	  "  },\n"
	  "])" },
	{ "csvdecode(\"a,\\n1,2\")",
	  "tolist([\n"
	  "  {\n"
	  "    \"\" = \"2\"\n"
	  "    \"a\" = \"1\"\n"
	  "  },\n"
	  "])" },
	{ "csvdecode(\"a,b\\n\\\"\\\",\")",
	  "tolist([\n"
	  "  {\n"
	  "    \"a\" = \"\"\n"
	  "    \"b\" = \"\"\n"
	  "  },\n"
	  "])" },
	{ "csvdecode(\"\")", "!missing header line" },
	{ "csvdecode(\"a,a\\n1,2\")", "!duplicate column name \"a\"" },
	{ "csvdecode(\"a,b\\n1\")",
	  "!CSV parse error on line 2: wrong number of" },
	{ "csvdecode(\"a,b\\n1,2,3\")",
	  "!CSV parse error on line 2: wrong number of" },
	{ "csvdecode(\"a,b\\nx\\\"y,1\")",
	  "!CSV parse error on line 2: bare \" in" },
	{ "csvdecode(\"a,b\\n\\\"x\\\"y,1\")",
	  "!CSV parse error on line 2: extraneous or" },
	{ "csvdecode(\"a,b\\n\\\"x,1\")",
	  "!CSV parse error on line 2: extraneous or" },
	{ "csvdecode(\"a\\n\\r\")", "tolist([])" },
	{ "csvdecode(u_str)", "(known after apply) dynamic" },
};

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(CHECK_ROWS(json_out));
	RUN(CHECK_ROWS(json_in));
	RUN(CHECK_ROWS(csv));
	return test_done("funcs_json");
}
