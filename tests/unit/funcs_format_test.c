/* funcs_format_test.c - format and formatlist: verbs, layout and arguments */
#include "funcs_rows.h"

static const struct row verbs[] = {
	{ "format(\"%s|%v|%q\", \"a\", \"b\", \"c\\\"\\n\")",
	  "\"a|b|\\\"c\\\\\\\"\\\\n\\\"\"" },
	{ "format(\"%d %d\", 7, \"-12\")", "\"7 -12\"" },
	{ "format(\"%d\", 1e499999999)", "!unsupported value for \"%d\" at" },
	{ "format(\"%f\", 1e-499999999)", "!unsupported value for \"%f\" at" },
	{ "format(\"%v %e\", -2.5e4999999, 1e4999999)",
	  "\"-2.5e+4999999 1.000000e+4999999\"" },
	{ "length(tostring(1e999999))", "1000000" },
	{ "tostring(1.5e1000001)", "\"1.5e+1000001\"" },
	{ "tonumber(tostring(1/3e1000001)) == 1/3e1000001", "true" },
	{ "format(\"%d\", 1.5)",
	  "!unsupported value for \"%d\" at 0: an integer" },
	{ "format(\"%d\", \"x\")",
	  "!unsupported value for \"%d\" at 0: a number is" },
	{ "format(\"%b %o %x %X\", 10, 10, 255, 255)", "\"1010 12 ff FF\"" },
	{ "format(\"%#b %#o %#x %#X\", 10, 10, 255, 255)",
	  "\"0b1010 012 0xff 0XFF\"" },
	{ "format(\"%x\", -255)", "\"-ff\"" },
	{ "format(\"%x\", \"hi\")",
	  "!unsupported value for \"%x\" at 0: a number is" },
	{ "format(\"%t %t\", true, \"false\")", "\"true false\"" },
	{ "format(\"%t\", 1)", "!unsupported value for \"%t\" at 0: bool" },
	{ "format(\"%e %E\", 12345.678, 0.00012)",
	  "\"1.234568e+04 1.200000E-04\"" },
	{ "format(\"%f %.2f %.0f %.0f\", 1/3, 2.345, 0.5, 1.5)",
	  "\"0.333333 2.34 0 2\"" },
	{ "format(\"%.1f %.3f\", 0.25, 1e-5)", "\"0.2 0.000\"" },
	{ "format(\"%g %g %g %g\", 100000, 1e6, 1e-4, 1e-5)",
	  "\"100000 1e+06 0.0001 1e-05\"" },
	{ "format(\"%.3g %.10g %G\", 1234.5, 1234.5, 1e-7)",
	  "\"1.23e+03 1234.5 1E-07\"" },
	{ "format(\"%v %v\", 1e21, 123456789.123)",
	  "\"1e+21 1.23456789123e+08\"" },
	{ "format(\"%v %#v %v\", null, \"a\", [1, { a = null }])",
	  "\"null \\\"a\\\" [1,{\\\"a\\\":null}]\"" },
	{ "format(\"%v\", 1/0)", "\"+Inf\"" },
	{ "format(\"%s %f %05.1f|\", -1/0, 1/0, 1/0)",
	  "\"-Inf +Inf  +Inf|\"" },
	{ "format(\"%#v\", 1/0)",
	  "!unsupported value for \"%#v\" at 0: cannot" },
	{ "format(\"%s\", [1])",
	  "!unsupported value for \"%s\" at 0: string" },
	{ "format(\"%s\", null)",
	  "!unsupported value for \"%s\" at 0: null value" },
	{ "format(\"%d\", null)",
	  "!unsupported value for \"%d\" at 0: null value" },
	{ "format(\"%z\", 1)",
	  "!unsupported format verb 'z' in \"%z\" at offset" },
	{ "format(\"%O\", 1)",
	  "!unsupported format verb 'O' in \"%O\" at offset" },
	{ "format(\"%.20f\", 0.1)", "\"0.10000000000000000000\"" },
	{ "format(\"%.30e\", 1/3)",
	  "\"3.333333333333333333333333333333e-01\"" },
};

static const struct row layout[] = {
	{ "format(\"%5s|%-5s|%05s|\", \"é\", \"é\", \"é\")",
	  "\"    é|é    |0000é|\"" },
	{ "format(\"%5d|%-5d|%05d|%+d|% d\", 42, 42, 42, 42, 42)",
	  "\"   42|42   |00042|+42| 42\"" },
	{ "format(\"%+05d|%-05d|% 05d\", -42, 42, 42)",
	  "\"-0042|42   | 0042\"" },
	{ "format(\"%.5d|%8.5d|%08.5d|%-8.5d|\", 42, 42, 42, 42)",
	  "\"00042|   00042|   00042|00042   |\"" },
	{ "format(\"%.0d|%.d|\", 0, 0)", "\"||\"" },
	{ "format(\"%8.3f|%-8.2f|%08.2f|%+.1f|% .1f\", 1.5, 1.5, -1.5, 2,"
	  " 2)",
	  "\"   1.500|1.50    |-0001.50|+2.0| 2.0\"" },
	{ "format(\"%10.3e|%-12g|%012g\", 1234.5, 0.1, 0.1)",
	  "\" 1.234e+03|0.1         |0000000000.1\"" },
	{ "format(\"%6v|%-6v|%06v\", 1.5, true, \"x\")",
	  "\"   1.5|true  |00000x\"" },
	{ "format(\"%.2s|%.10s|%.0s\", \"héllo\", \"a\", \"abc\")",
	  "\"hé|a|abc\"" },
	{ "format(\"%6q|%-8q|\", \"a\", \"b\")",
	  "\"   \\\"a\\\"|\\\"b\\\"     |\"" },
	{ "format(\"%4s|\", \"👩\342\200\215👩\342\200\215👧\")",
	  "\"   👩\\u200d👩\\u200d👧|\"" },
	{ "format(\"%-0-5d|\", 7)", "\"7    |\"" },
	{ "format(\"%.1000001f\", 1)",
	  "!Error in function call: The call to \"format\" failed: the wi"
	  "dth or precision of \"%.1000001f\" at 0 is too large." },
	{ "format(\"%10000000s\", \"a\")",
	  "!Error in function call: The call to \"format\" failed: the wi"
	  "dth or precision of \"%10000000s\" at 0 is too large." },
};

static const struct row arguments[] = {
	{ "format(\"%[2]s %[1]s %s\", \"a\", \"b\")", "\"b a b\"" },
	{ "format(\"%[1]d%[1]x\", 255)", "\"255ff\"" },
	{ "format(\"%[3]s\", \"a\")",
	  "!not enough arguments for \"%[3]s\" at 0: need" },
	{ "format(\"%[0]s\", \"a\")",
	  "!unrecognized format character '0' at offset 2" },
	{ "format(\"%[1]\", \"a\")",
	  "!invalid format string starting at offset 4" },
	{ "format(\"%[x]s\", \"a\")",
	  "!unrecognized format character 'x' at offset 2" },
	{ "format(\"%s\")", "!not enough arguments for \"%s\" at 0: need" },
	{ "format(\"%s\", \"a\", \"b\")",
	  "!too many arguments; only 1 used by format" },
	{ "format(\"none\", 1)",
	  "!too many arguments; no verbs in format string" },
	{ "format(\"100%%\")", "\"100%\"" },
	{ "format(\"%\")", "!invalid format string starting at offset 1" },
	{ "format(\"a%!\")",
	  "!unrecognized format character '!' at offset 2" },
	{ "format(\"%é\", 1)",
	  "!unrecognized format character 'é' at offset 1" },
	{ "format(\"%5%\", 1)",
	  "!unrecognized format character '%' at offset 2" },
	{ "format(\"%*d\", 5, 42)",
	  "!unrecognized format character '*' at offset 1" },
	{ "format(\"%s\", u_str)", "(known after apply) string not null" },
	{ "format(\"abc-%s\", u_str)",
	  "(known after apply) string not null prefix abc-" },
	{ "format(\"a%%b%s\", u_str)",
	  "(known after apply) string not null" },
	{ "format(\"%v\", [u_str])", "(known after apply) string not null" },
	{ "format(\"%s\", s_str)", "(sensitive value)" },
	{ "format(\"%s\", e_str)", "(ephemeral value)" },
	{ "format(u_str, 1)", "(known after apply) string not null" },
};

static const struct row lists[] = {
	{ "formatlist(\"%s-%s\", [\"a\", \"b\"], \"x\")",
	  "tolist([\n"
	  "  \"a-x\",\n"
	  "  \"b-x\",\n"
	  "])" },
	{ "formatlist(\"%s\", [])", "tolist([])" },
	{ "formatlist(\"%s\")",
	  "!not enough arguments for \"%s\" at 0: need" },
	{ "formatlist(\"plain\")",
	  "tolist([\n"
	  "  \"plain\",\n"
	  "])" },
	{ "formatlist(\"%s=%d\", [\"a\", \"b\"], [1, 2])",
	  "tolist([\n"
	  "  \"a=1\",\n"
	  "  \"b=2\",\n"
	  "])" },
	{ "formatlist(\"%s%s\", [\"a\", \"b\"], [\"c\"])",
	  "!argument 2 has length 1, which is" },
	{ "formatlist(\"%d\", toset([3, 1]))",
	  "tolist([\n"
	  "  \"1\",\n"
	  "  \"3\",\n"
	  "])" },
	{ "formatlist(\"%s\", [\"a\", u_str])",
	  "tolist([\n"
	  "  \"a\",\n"
	  "  (known after apply),\n"
	  "])" },
	{ "formatlist(\"%s\", u_list)",
	  "(known after apply) list of string not null" },
	{ "formatlist(\"%s\", u_any)",
	  "(known after apply) list of string not null" },
	{ "formatlist(\"%d\", [\"a\"])",
	  "!error on format iteration 0: unsupported" },
	{ "formatlist(\"%v\", null)",
	  "tolist([\n"
	  "  \"null\",\n"
	  "])" },
	{ "formatlist(\"%v\", [null])",
	  "tolist([\n"
	  "  \"null\",\n"
	  "])" },
	{ "formatlist(\"%v\", { a = 1 })",
	  "tolist([\n"
	  "  \"{\\\"a\\\":1}\",\n"
	  "])" },
};

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(CHECK_ROWS(verbs));
	RUN(CHECK_ROWS(layout));
	RUN(CHECK_ROWS(arguments));
	RUN(CHECK_ROWS(lists));
	return test_done("funcs_format");
}
