/* funcs_object_test.c - functions of maps, objects and sets */
#include "funcs_rows.h"

static const struct row maps[] = {
	{ "keys({ b = 1, a = 2 })",
	  "[\n"
	  "  \"a\",\n"
	  "  \"b\",\n"
	  "]" },
	{ "keys(tomap({ b = \"1\", a = \"2\" }))",
	  "tolist([\n"
	  "  \"a\",\n"
	  "  \"b\",\n"
	  "])" },
	{ "keys({})", "[]" },
	{ "keys(tomap({}))", "tolist([])" },
	{ "keys(\"a\")", "!must have map or object type" },
	{ "keys(u_map)", "(known after apply) list of string not null" },
	{ "keys({ a = u_str })",
	  "[\n"
	  "  \"a\",\n"
	  "]" },
	{ "keys(sensitive({ a = 1 }))", "(sensitive value)" },
	{ "keys({ a = s_str })",
	  "[\n"
	  "  \"a\",\n"
	  "]" },
	{ "values({ b = 1, a = \"x\" })",
	  "[\n"
	  "  \"x\",\n"
	  "  1,\n"
	  "]" },
	{ "values(tomap({ b = 1, a = 2 }))",
	  "tolist([\n"
	  "  2,\n"
	  "  1,\n"
	  "])" },
	{ "values({})", "[]" },
	{ "values([1])", "!values() requires a map as the first argument" },
	{ "values({ a = s_str })",
	  "[\n"
	  "  (sensitive value),\n"
	  "]" },
	{ "lookup({ a = 1 }, \"a\")", "1" },
	{ "lookup({ a = 1 }, \"b\", \"d\")", "\"d\"" },
	{ "lookup({ a = 1 }, \"b\")",
	  "!the given object has no attribute \"b\"" },
	{ "lookup(tomap({ a = 1 }), \"b\", \"2\")", "2" },
	{ "lookup(tomap({ a = 1 }), \"b\", \"x\")",
	  "!the default value must have the same type as" },
	{ "lookup(tomap({ a = 1 }), \"b\")",
	  "!lookup failed to find key \"b\"" },
	{ "lookup(tomap({ a = 1 }), \"a\", 2, 3)",
	  "!lookup() takes two or three arguments, got 4" },
	{ "lookup([], \"a\")",
	  "!lookup() requires a map as the first argument" },
	{ "lookup({ a = 1 }, u_str, 2)", "(known after apply) dynamic" },
	{ "lookup(tomap({ a = 1 }), u_str, 2)",
	  "(known after apply) number" },
	{ "lookup({ a = null }, \"a\", 1)", "null" },
	{ "lookup(tomap({ a = \"x\" }), s_str, \"y\")", "(sensitive value)" },
	{ "merge({ a = 1, b = 2 }, { b = \"x\" })",
	  "{\n"
	  "  \"a\" = 1\n"
	  "  \"b\" = \"x\"\n"
	  "}" },
	{ "merge(tomap({ a = 1 }), tomap({ b = 2 }))",
	  "tomap({\n"
	  "  \"a\" = 1\n"
	  "  \"b\" = 2\n"
	  "})" },
	{ "merge(tomap({ a = 1 }), { b = \"x\" })",
	  "{\n"
	  "  \"a\" = 1\n"
	  "  \"b\" = \"x\"\n"
	  "}" },
	{ "merge({ a = 1 }, null)",
	  "{\n"
	  "  \"a\" = 1\n"
	  "}" },
	{ "merge()", "{}" },
	{ "merge({ a = 1 }, [])",
	  "!arguments must be maps or objects, got \"tuple\"" },
	{ "merge({ a = 1 }, u_map)", "(known after apply) dynamic" },
	{ "merge(u_map, u_map)",
	  "(known after apply) map of string not null" },
	{ "merge({ a = 1 }, sensitive({ b = 2 }))", "(sensitive value)" },
	/* Of a null not even the marks are taken. */
	{ "merge(sensitive(null), { b = 2 })", "{\n  \"b\" = 2\n}" },
	{ "merge(sensitive(tomap(null)), { b = 2 })", "{\n  \"b\" = 2\n}" },
	{ "merge({ a = s_str }, { b = 2 })",
	  "{\n"
	  "  \"a\" = (sensitive value)\n"
	  "  \"b\" = 2\n"
	  "}" },
	{ "transpose({ a = [\"x\", \"y\"], b = [\"y\"] })",
	  "tomap({\n"
	  "  \"x\" = tolist([\n"
	  "    \"a\",\n"
	  "  ])\n"
	  "  \"y\" = tolist([\n"
	  "    \"a\",\n"
	  "    \"b\",\n"
	  "  ])\n"
	  "})" },
	{ "transpose({})", "tomap({})" },
	{ "transpose({ a = [null] })",
	  "!cannot use null string for [\"a\"][0]" },
	{ "transpose({ a = null })", "!cannot use null list for [\"a\"]" },
	{ "transpose({ a = [u_str] })",
	  "(known after apply) map of list of string not null" },
	{ "zipmap([\"a\", \"b\"], [1, \"x\"])",
	  "{\n"
	  "  \"a\" = 1\n"
	  "  \"b\" = \"x\"\n"
	  "}" },
	{ "zipmap([\"a\", \"b\"], tolist([1, 2]))",
	  "tomap({\n"
	  "  \"a\" = 1\n"
	  "  \"b\" = 2\n"
	  "})" },
	{ "zipmap([\"a\"], [1, 2])",
	  "!number of keys (1) does not match number of" },
	{ "zipmap([\"a\", \"a\"], [1, 2])",
	  "{\n"
	  "  \"a\" = 2\n"
	  "}" },
	{ "zipmap([], [])", "{}" },
	{ "zipmap([\"a\"], {})",
	  "!values argument must be a list or tuple value" },
	{ "zipmap([\"a\", u_str], [1, 2])", "(known after apply) dynamic" },
	{ "zipmap([s_str], [1])", "(sensitive value)" },
	{ "zipmap([null], [1])", "!keys list has null value at index 0" },
};

static const struct row sets[] = {
	{ "setunion([\"b\", \"a\"], [\"c\"])",
	  "toset([\n"
	  "  \"a\",\n"
	  "  \"b\",\n"
	  "  \"c\",\n"
	  "])" },
	{ "setunion([1], [\"a\"])",
	  "toset([\n"
	  "  \"1\",\n"
	  "  \"a\",\n"
	  "])" },
	{ "setunion([])", "toset([])" },
	{ "setunion([\"a\"], [u_str])",
	  "toset([\n"
	  "  \"a\",\n"
	  "  (known after apply),\n"
	  "])" },
	{ "setunion([[1]], [[\"a\"]])",
	  "toset([\n"
	  "  [\n"
	  "    \"1\",\n"
	  "  ],\n"
	  "  [\n"
	  "    \"a\",\n"
	  "  ],\n"
	  "])" },
	{ "setunion([{}], [\"a\"])",
	  "!given sets must all have compatible element" },
	{ "setintersection([\"a\", \"b\", \"c\"], [\"c\", \"b\"], [\"b\"]"
	  ")",
	  "toset([\n"
	  "  \"b\",\n"
	  "])" },
	{ "setintersection([1, 2], [\"2\"])",
	  "toset([\n"
	  "  \"2\",\n"
	  "])" },
	{ "setintersection([\"a\"], [])", "toset([])" },
	{ "setintersection([\"a\"], [u_str])",
	  "(known after apply) set of string not null" },
	{ "setsubtract([\"a\", \"b\", \"c\"], [\"b\", \"z\"])",
	  "toset([\n"
	  "  \"a\",\n"
	  "  \"c\",\n"
	  "])" },
	{ "setsubtract([1, 2], [1, 2])", "toset([])" },
	{ "setsubtract(toset([]), [\"a\"])", "toset([])" },
	{ "setproduct([\"a\", \"b\"], [1, 2])",
	  "tolist([\n"
	  "  [\n"
	  "    \"a\",\n"
	  "    1,\n"
	  "  ],\n"
	  "  [\n"
	  "    \"a\",\n"
	  "    2,\n"
	  "  ],\n"
	  "  [\n"
	  "    \"b\",\n"
	  "    1,\n"
	  "  ],\n"
	  "  [\n"
	  "    \"b\",\n"
	  "    2,\n"
	  "  ],\n"
	  "])" },
	{ "setproduct([\"b\", \"a\"], toset([1]))",
	  "toset([\n"
	  "  [\n"
	  "    \"a\",\n"
	  "    1,\n"
	  "  ],\n"
	  "  [\n"
	  "    \"b\",\n"
	  "    1,\n"
	  "  ],\n"
	  "])" },
	{ "setproduct([], [\"a\"])", "tolist([])" },
	{ "setproduct([\"a\"])", "!at least two arguments are required" },
	{ "setproduct([\"a\"], \"b\")", "!a set or a list is required" },
	{ "setproduct([\"a\"], [1, \"x\"])",
	  "tolist([\n"
	  "  [\n"
	  "    \"a\",\n"
	  "    \"1\",\n"
	  "  ],\n"
	  "  [\n"
	  "    \"a\",\n"
	  "    \"x\",\n"
	  "  ],\n"
	  "])" },
	{ "setproduct([[1], \"x\"], [\"a\"])",
	  "!all elements must be of the same type" },
	{ "setproduct([\"a\", \"b\"], u_list)",
	  "(known after apply) list of tuple not null" },
	{ "setproduct([\"a\"], [u_str])",
	  "tolist([\n"
	  "  [\n"
	  "    \"a\",\n"
	  "    (known after apply),\n"
	  "  ],\n"
	  "])" },
	{ "setproduct(s_list, [\"a\"])", "(sensitive value)" },
};

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(CHECK_ROWS(maps));
	RUN(CHECK_ROWS(sets));
	return test_done("funcs_object");
}
