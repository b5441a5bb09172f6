/*
 * funcs_convert_test.c - functions of conversions, and of what marks and hides
 * values
 */
#include "funcs_rows.h"

static const struct row conversions[] = {
	{ "tobool(\"true\")", "true" },
	{ "tobool(\"yes\")", "!cannot convert \"yes\" to bool; only the" },
	{ "tobool(1)", "!cannot convert number to bool" },
	{ "tobool(null)", "tobool(null)" },
	{ "tobool(u_str)", "(known after apply) bool" },
	{ "tobool([])", "!cannot convert tuple to bool" },
	{ "tobool(s_str)", "!cannot convert this sensitive string to bool" },
	{ "tobool(e_str)", "!cannot convert this ephemeral string to bool" },
	{ "tonumber(\"1e3\")", "1000" },
	{ "tonumber(\"0x10\")",
	  "!cannot convert \"0x10\" to number; given string" },
	{ "tonumber(true)", "!cannot convert bool to number" },
	{ "tonumber(\"\")", "!cannot convert \"\" to number; given string" },
	{ "tonumber(u_str)", "(known after apply) number" },
	{ "tonumber([])", "!cannot convert tuple to number" },
	{ "tonumber(null)", "tonumber(null)" },
	{ "tostring(1.50)", "\"1.5\"" },
	{ "tostring(1/3 > 0)", "\"true\"" },
	{ "tostring(null)", "tostring(null)" },
	{ "tostring([])", "!cannot convert tuple to string" },
	{ "tostring(u_num)", "(known after apply) string" },
	{ "tolist([\"a\", 1])",
	  "tolist([\n"
	  "  \"a\",\n"
	  "  \"1\",\n"
	  "])" },
	{ "tolist(toset([3, 1, 2]))",
	  "tolist([\n"
	  "  1,\n"
	  "  2,\n"
	  "  3,\n"
	  "])" },
	{ "tolist({})", "!cannot convert object to list of any single" },
	{ "tolist(\"a\")", "!cannot convert string to list of any single" },
	{ "tolist(u_any)", "(known after apply) list of dynamic" },
	{ "tolist(null)", "tolist(null) /* of dynamic */" },
	{ "toset([3, 1, 3])",
	  "toset([\n"
	  "  1,\n"
	  "  3,\n"
	  "])" },
	{ "toset(\"a\")", "!cannot convert string to set of any single" },
	{ "toset([u_str, \"a\"])",
	  "toset([\n"
	  "  \"a\",\n"
	  "  (known after apply),\n"
	  "])" },
	{ "tomap({ a = 1, b = \"x\" })",
	  "tomap({\n"
	  "  \"a\" = \"1\"\n"
	  "  \"b\" = \"x\"\n"
	  "})" },
	{ "tomap({ a = 1, b = [] })",
	  "!cannot convert object to map of any single" },
	{ "tomap([])", "!cannot convert tuple to map of any single type" },
	{ "tomap(null)", "tomap(null) /* of dynamic */" },
};

static const struct row markings[] = {
	{ "sensitive(\"a\")", "(sensitive value)" },
	{ "sensitive(null)", "(sensitive value)" },
	{ "sensitive(u_str)", "(known after apply)" },
	{ "nonsensitive(s_str)", "\"secret\"" },
	{ "nonsensitive(\"a\")", "\"a\"" },
	{ "nonsensitive(sensitive(e_str))", "(ephemeral value)" },
	{ "nonsensitive([s_str])",
	  "[\n"
	  "  (sensitive value),\n"
	  "]" },
	{ "issensitive(s_str)", "true" },
	{ "issensitive(\"a\")", "false" },
	{ "issensitive([s_str])", "false" },
	{ "issensitive(u_str)", "(known after apply) bool not null" },
	{ "issensitive(sensitive(u_str))",
	  "(known after apply) bool not null" },
	{ "ephemeralasnull(e_str)", "tostring(null)" },
	{ "ephemeralasnull({ a = e_str, b = 1 })",
	  "{\n"
	  "  \"a\" = tostring(null)\n"
	  "  \"b\" = 1\n"
	  "}" },
	{ "ephemeralasnull([e_str, s_str])",
	  "[\n"
	  "  tostring(null),\n"
	  "  (sensitive value),\n"
	  "]" },
	{ "ephemeralasnull(u_str)", "(known after apply) string" },
	{ "ephemeralasnull(\"a\")", "\"a\"" },
	{ "ephemeralasnull({ (e_str) = 1 })", "null" },
	{ "ephemeralasnull([{ (e_str) = 1 }])", "[\n  null,\n]" },
};

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(CHECK_ROWS(conversions));
	RUN(CHECK_ROWS(markings));
	return test_done("funcs_convert");
}
