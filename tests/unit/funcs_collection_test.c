/* funcs_collection_test.c - functions of lists, tuples and searches in them */
#include "funcs_rows.h"

static const struct row lists[] = {
	{ "chunklist([\"a\", \"b\", \"c\"], 2)",
	  "tolist([\n"
	  "  tolist([\n"
	  "    \"a\",\n"
	  "    \"b\",\n"
	  "  ]),\n"
	  "  tolist([\n"
	  "    \"c\",\n"
	  "  ]),\n"
	  "])" },
	{ "chunklist([\"a\"], 0)",
	  "tolist([\n"
	  "  tolist([\n"
	  "    \"a\",\n"
	  "  ]),\n"
	  "])" },
	{ "chunklist([], 2)", "tolist([])" },
	{ "chunklist([\"a\"], -1)", "!the size argument must be positive" },
	{ "chunklist([\"a\"], 1.5)",
	  "!invalid size: value must be a whole number," },
	{ "compact([\"a\", \"\", null, \"b\"])",
	  "tolist([\n"
	  "  \"a\",\n"
	  "  \"b\",\n"
	  "])" },
	{ "compact([])", "tolist([])" },
	{ "compact([\"a\", u_str])",
	  "(known after apply) list of string not null" },
	{ "concat([1], [\"a\"], [])",
	  "[\n"
	  "  1,\n"
	  "  \"a\",\n"
	  "]" },
	{ "concat(tolist([1]), tolist([\"a\"]))",
	  "tolist([\n"
	  "  \"1\",\n"
	  "  \"a\",\n"
	  "])" },
	{ "concat([], tolist([\"a\"]))",
	  "[\n"
	  "  \"a\",\n"
	  "]" },
	{ "concat()", "!at least one argument is required" },
	{ "concat([\"a\"], \"b\")",
	  "!all arguments must be lists or tuples; got" },
	{ "concat([\"a\"], toset([\"b\"]))",
	  "!all arguments must be lists or tuples; got" },
	{ "concat([\"a\"], u_list)", "(known after apply) dynamic" },
	{ "concat([s_str], [\"b\"])",
	  "[\n"
	  "  (sensitive value),\n"
	  "  \"b\",\n"
	  "]" },
	{ "concat(s_list, [\"b\"])", "(sensitive value)" },
	{ "distinct([\"b\", \"a\", \"b\", \"c\", \"a\"])",
	  "tolist([\n"
	  "  \"b\",\n"
	  "  \"a\",\n"
	  "  \"c\",\n"
	  "])" },
	{ "distinct([1, \"1\", 2])",
	  "tolist([\n"
	  "  \"1\",\n"
	  "  \"2\",\n"
	  "])" },
	{ "distinct([[1], [2], [1]])",
	  "tolist([\n"
	  "  [\n"
	  "    1,\n"
	  "  ],\n"
	  "  [\n"
	  "    2,\n"
	  "  ],\n"
	  "])" },
	{ "distinct([null, null])",
	  "tolist([\n"
	  "  null,\n"
	  "])" },
	{ "distinct([])", "tolist([])" },
	{ "distinct([\"a\", u_str])",
	  "(known after apply) list of string not null" },
	{ "element([\"a\", \"b\", \"c\"], 4)", "\"b\"" },
	{ "element([\"a\", \"b\", \"c\"], -1)", "\"c\"" },
	{ "element([], 0)",
	  "!cannot use element function with an empty list" },
	{ "element(tolist([]), 0)",
	  "!cannot use element function with an empty list" },
	{ "element([\"a\", 1], u_num)", "(known after apply) dynamic" },
	{ "element(toset([\"a\"]), 0)",
	  "!cannot read elements from set of string" },
	{ "element(s_list, 0)", "(sensitive value)" },
	{ "flatten([[\"a\", [\"b\"]], [], \"c\", [[[\"d\"]]]])",
	  "[\n"
	  "  \"a\",\n"
	  "  \"b\",\n"
	  "  \"c\",\n"
	  "  \"d\",\n"
	  "]" },
	{ "flatten([])", "[]" },
	{ "flatten(\"a\")", "!can only flatten lists, sets and tuples" },
	{ "flatten([null, [\"a\"]])",
	  "[\n"
	  "  null,\n"
	  "  \"a\",\n"
	  "]" },
	{ "flatten([[\"a\"], u_list])", "(known after apply) dynamic" },
	{ "flatten([[\"a\", u_str]])",
	  "[\n"
	  "  \"a\",\n"
	  "  (known after apply),\n"
	  "]" },
	{ "flatten([toset([\"b\", \"a\"])])",
	  "[\n"
	  "  \"a\",\n"
	  "  \"b\",\n"
	  "]" },
	{ "flatten([s_list, \"x\"])", "(sensitive value)" },
	{ "one([])", "null" },
	{ "one([\"a\"])", "\"a\"" },
	{ "one([\"a\", \"b\"])",
	  "!must be a list, set, or tuple value with" },
	{ "one(toset([\"a\"]))", "\"a\"" },
	{ "one(\"a\")", "!must be a list, set, or tuple value with" },
	{ "one(u_list)", "(known after apply) string" },
	{ "reverse([\"a\", 1])",
	  "[\n"
	  "  1,\n"
	  "  \"a\",\n"
	  "]" },
	{ "reverse(toset([\"a\", \"b\"]))",
	  "tolist([\n"
	  "  \"b\",\n"
	  "  \"a\",\n"
	  "])" },
	{ "reverse(\"abc\")", "!can only reverse list or tuple values, not" },
	{ "reverse(s_list)", "(sensitive value)" },
	{ "slice([\"a\", \"b\", \"c\"], 1, 2)",
	  "[\n"
	  "  \"b\",\n"
	  "]" },
	{ "slice([\"a\", \"b\"], 0, 0)", "[]" },
	{ "slice([\"a\", \"b\"], 1, 3)",
	  "!end index must not be greater than the length" },
	{ "slice([\"a\", \"b\"], -1, 1)",
	  "!start index must not be less than zero" },
	{ "slice([\"a\", \"b\"], 2, 1)",
	  "!start index must not be greater than end index" },
	{ "slice(toset([\"a\"]), 0, 1)",
	  "!cannot slice a set, because its elements do" },
	{ "slice({}, 0, 1)", "!must be a list or tuple value" },
	{ "slice([\"a\", \"b\"], 0, u_num)", "(known after apply) dynamic" },
	{ "slice(tolist([\"a\", \"b\"]), 0, u_num)",
	  "(known after apply) list of string not null" },
};

static const struct row searches[] = {
	{ "alltrue([true, \"true\"])", "true" },
	{ "alltrue([])", "true" },
	{ "alltrue([true, null])", "false" },
	{ "alltrue([true, u_str == \"\"])",
	  "(known after apply) bool not null" },
	{ "alltrue([u_str == \"\", false])",
	  "(known after apply) bool not null" },
	{ "anytrue([false, \"true\"])", "true" },
	{ "anytrue([])", "false" },
	{ "anytrue([null, false])", "false" },
	{ "anytrue([u_str == \"\", true])", "true" },
	{ "anytrue([u_str == \"\", false])",
	  "(known after apply) bool not null" },
	{ "coalesce(\"\", null, \"b\")", "\"b\"" },
	{ "coalesce(1, \"a\")", "\"1\"" },
	{ "coalesce(null, null)",
	  "!no non-null, non-empty-string arguments" },
	{ "coalesce(\"\", \"\")",
	  "!no non-null, non-empty-string arguments" },
	{ "coalesce([], [\"a\"])", "tolist([])" },
	{ "coalesce(u_str, \"b\")", "(known after apply) string not null" },
	{ "coalesce(\"a\", u_str)", "\"a\"" },
	{ "coalesce(null, s_str)", "(sensitive value)" },
	{ "coalescelist([], [\"a\"])",
	  "[\n"
	  "  \"a\",\n"
	  "]" },
	{ "coalescelist([], null, [1])",
	  "!coalescelist arguments must be lists or tuples" },
	{ "coalescelist([], [])", "!no non-null arguments" },
	{ "coalescelist()", "!at least one argument is required" },
	{ "coalescelist(\"a\")",
	  "!coalescelist arguments must be lists or tuples" },
	{ "coalescelist([], u_list)", "(known after apply) dynamic" },
	{ "contains([\"a\", \"b\"], \"b\")", "true" },
	{ "contains([1], \"1\")", "false" },
	{ "contains(toset([1, 2]), 2)", "true" },
	{ "contains([], \"a\")", "false" },
	{ "contains([\"a\", u_str], \"a\")", "true" },
	{ "contains([\"a\", u_str], \"b\")",
	  "(known after apply) bool not null" },
	{ "contains(\"abc\", \"a\")",
	  "!argument must be list, tuple, or set" },
	{ "contains([[1]], [1])", "true" },
	{ "index([\"a\", \"b\"], \"b\")", "1" },
	{ "index([1, 2], \"2\")", "!item not found" },
	{ "index([\"a\"], \"z\")", "!item not found" },
	{ "index([], \"z\")", "!cannot search an empty list" },
	{ "index([u_str, \"a\"], \"a\")",
	  "(known after apply) number not null" },
	{ "index({ a = 1 }, 1)", "!argument must be a list or tuple" },
	{ "length(\"héllo 👩\342\200\215👩\342\200\215👧\")", "7" },
	{ "length([1, 2])", "2" },
	{ "length({ a = 1 })", "1" },
	{ "length(toset([\"a\", \"a\"]))", "1" },
	{ "length(toset([u_str, \"a\"]))",
	  "(known after apply) number not null min 1" },
	{ "length(null)", "!it must not be null" },
	{ "length(true)", "!argument must be a string, a collection type," },
	{ "length(u_str)", "(known after apply) number not null min 0" },
	{ "length(\"abcd${u_str}\")",
	  "(known after apply) number not null min 3" },
	{ "length(u_list)", "(known after apply) number not null min 0" },
	{ "length(u_any)", "(known after apply) number not null" },
	{ "length(s_list)", "(sensitive value)" },
	{ "matchkeys([\"a\", \"b\", \"c\"], [\"x\", \"y\", \"x\"], [\"x\""
	  "])",
	  "tolist([\n"
	  "  \"a\",\n"
	  "  \"c\",\n"
	  "])" },
	{ "matchkeys([\"a\", \"b\"], [\"1\", \"2\"], [2])",
	  "tolist([\n"
	  "  \"b\",\n"
	  "])" },
	{ "matchkeys([\"a\"], [\"x\", \"y\"], [\"x\"])",
	  "!length of keys and values should be equal" },
	{ "matchkeys([\"a\", \"b\"], [\"x\", \"y\"], [])", "tolist([])" },
	{ "matchkeys([\"a\", \"b\"], [\"x\", u_str], [\"x\"])",
	  "(known after apply) list of string not null" },
	{ "matchkeys([\"a\", \"b\"], [\"x\", \"y\"], [u_str])",
	  "(known after apply) list of string not null" },
	{ "matchkeys([\"a\", \"b\"], [\"x\", \"y\"], [\"x\", u_str])",
	  "(known after apply) list of string not null" },
	{ "list(\"a\")", "!the \"list\" function was deprecated in" },
	{ "map(\"a\", \"b\")", "!the \"map\" function was deprecated in" },
};

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(CHECK_ROWS(lists));
	RUN(CHECK_ROWS(searches));
	return test_done("funcs_collection");
}
