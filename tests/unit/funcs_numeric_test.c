/*
 * funcs_numeric_test.c - functions of numbers: rounding, extremes, powers,
 * parsing, ranges
 */
#include "funcs_rows.h"

static const struct row rounding[] = {
	{ "abs(-7.25)", "7.25" },
	{ "abs(-9223372036854775808)", "9223372036854775808" },
	{ "abs(\"-3\")", "3" },
	{ "abs(-1/0)", "+Inf" },
	{ "abs(null)", "!it must not be null" },
	{ "abs([])", "!number required, but have tuple" },
	{ "ceil(-2.5)", "-2" },
	{ "ceil(-0.1)", "0" },
	{ "ceil(1e30 + 0.5)", "1000000000000000000000000000001" },
	{ "ceil(1/0)", "+Inf" },
	{ "floor(-2.5)", "-3" },
	{ "floor(7)", "7" },
	{ "floor(-1/0)", "-Inf" },
	{ "floor(1/3)", "0" },
	{ "signum(-40)", "-1" },
	{ "signum(0)", "0" },
	{ "signum(2.5)", "!value must be a whole number, between" },
	{ "signum(1e30)", "!value must be a whole number, between" },
};

static const struct row extremes[] = {
	{ "max(3, \"12\", -1)", "12" },
	{ "max(-1/0)", "-Inf" },
	{ "max()", "!must pass at least one number" },
	{ "max(1, u_num)", "(known after apply) number not null" },
	{ "min(4, 2.5, 3)", "2.5" },
	{ "min()", "!must pass at least one number" },
	{ "min(1/0, 7)", "7" },
	{ "min(1, \"x\")", "!a number is required" },
	{ "sum([1, 2, 3.5])", "6.5" },
	{ "sum(toset([1, 2, 2]))", "3" },
	{ "sum([\"4\", 5])", "9" },
	{ "sum([])", "!cannot sum an empty list" },
	{ "sum({ a = 1 })", "!argument must be list, set, or tuple." },
	{ "sum([1, null])", "!argument must be list, set, or tuple of" },
	{ "sum([1, \"x\"])", "!argument must be list, set, or tuple of" },
	{ "sum([1 / 0, -1 / 0])",
	  "!can't compute sum of opposing infinities" },
	{ "sum([1, u_num])", "(known after apply) number not null" },
	{ "sum(\"12\")", "!cannot sum noniterable" },
};

static const struct row powers[] = {
	{ "pow(2, 10)", "1024" },
	{ "pow(2, 64)", "18446744073709550000" },
	{ "pow(2, -2)", "0.25" },
	{ "pow(10, 15)", "1000000000000000" },
	{ "pow(1.5, 2.5)", "2.7556759606310757" },
	{ "pow(7, 1 / 3)", "1.912931182772389" },
	{ "pow(-8, 1 / 3)", "!the result is not a number" },
	{ "pow(-2, 3)", "-8" },
	{ "pow(0, 0)", "1" },
	{ "pow(0, -1)", "+Inf" },
	{ "pow(2, 5000)", "+Inf" },
	{ "pow(1e50, 1 / 3)", "46415888336127870" },
	{ "pow(9, 0.5)", "3" },
	{ "pow(4, -0.5)", "0.5" },
	{ "pow(1 / 0, -1)", "0" },
	{ "pow(0.5, 1 / 0)", "0" },
	{ "pow(1e400, 2)", "!value must be between" },
	{ "log(8, 2)", "3" },
	{ "log(100, 10)", "2" },
	{ "log(7, 3)", "1.7712437491614224" },
	{ "log(0.001, 10)", "-2.9999999999999996" },
	{ "log(0, 10)", "-Inf" },
	{ "log(-1, 10)", "!the result is not a number" },
	{ "log(10, 1)", "+Inf" },
	{ "log(1e400, 10)", "!value must be between" },
};

static const struct row parsing[] = {
	{ "parseint(\"ff\", 16)", "255" },
	{ "parseint(\"-FF\", 16)", "-255" },
	{ "parseint(\"+101\", 2)", "5" },
	{ "parseint(\"zZ\", 62)", "2231" },
	{ "parseint(\"Zz\", 62)", "3817" },
	{ "parseint(\"10\", 37)", "37" },
	{ "parseint(\"18446744073709551616\", 10)", "18446744073709551616" },
	{ "parseint(\"ffffffffffffffffffffffff\", 16)",
	  "79228162514264337593543950335" },
	{ "parseint(\"\", 10)", "!cannot parse \"\" as a base 10 integer" },
	{ "parseint(\"-\", 10)", "!cannot parse \"-\" as a base 10 integer" },
	{ "parseint(\"12a\", 10)",
	  "!cannot parse \"12a\" as a base 10 integer" },
	{ "parseint(\"1_0\", 10)",
	  "!cannot parse \"1_0\" as a base 10 integer" },
	{ "parseint(\" 1\", 10)",
	  "!cannot parse \" 1\" as a base 10 integer" },
	{ "parseint(\"1\", 1)",
	  "!base must be a whole number between 2 and 62" },
	{ "parseint(\"1\", 63)",
	  "!base must be a whole number between 2 and 62" },
	{ "parseint(\"1\", 2.5)", "!value must be a whole number, between" },
	{ "parseint(12, 10)",
	  "!first argument must be a string, not number" },
	{ "parseint(s_str, 36)", "(sensitive value)" },
	{ "parseint(u_str, 10)", "(known after apply) number not null" },
};

static const struct row ranges[] = {
	{ "range(4)",
	  "tolist([\n"
	  "  0,\n"
	  "  1,\n"
	  "  2,\n"
	  "  3,\n"
	  "])" },
	{ "range(0)", "tolist([])" },
	{ "range(-3)",
	  "tolist([\n"
	  "  0,\n"
	  "  -1,\n"
	  "  -2,\n"
	  "])" },
	{ "range(2, 5)",
	  "tolist([\n"
	  "  2,\n"
	  "  3,\n"
	  "  4,\n"
	  "])" },
	{ "range(5, 2)",
	  "tolist([\n"
	  "  5,\n"
	  "  4,\n"
	  "  3,\n"
	  "])" },
	{ "range(1, 2, 0.25)",
	  "tolist([\n"
	  "  1,\n"
	  "  1.25,\n"
	  "  1.5,\n"
	  "  1.75,\n"
	  "])" },
	{ "range(10, 0, -4)",
	  "tolist([\n"
	  "  10,\n"
	  "  6,\n"
	  "  2,\n"
	  "])" },
	{ "range(0, 3, -1)", "!end must be less than start when step is" },
	{ "range(3, 0, 1)", "!end must be greater than start when step is" },
	{ "range(1, 1, 0)", "tolist([])" },
	{ "range(1, 4, 0)", "!more than 1024 values were generated; either" },
	{ "range()", "!must have one, two, or three arguments" },
	{ "range(1, 2, 3, 4)", "!must have one, two, or three arguments" },
	{ "range(2000)", "!more than 1024 values were generated; either" },
	{ "range(1/0)", "!more than 1024 values were generated; either" },
	{ "range(0, 1/0, 1/0)", "tolist([\n  0,\n])" },
	{ "range(1/0, 0, -1/0)", "!opposing infinities" },
	{ "range(u_num)", "(known after apply) list of number not null" },
};

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(CHECK_ROWS(rounding));
	RUN(CHECK_ROWS(extremes));
	RUN(CHECK_ROWS(powers));
	RUN(CHECK_ROWS(parsing));
	RUN(CHECK_ROWS(ranges));
	return test_done("funcs_numeric");
}
