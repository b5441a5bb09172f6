/*
 * funcs_regex_test.c - functions of regular expressions: captured, accepted,
 * rejected
 */
#include "funcs_rows.h"

static const struct row captures[] = {
	{ "regex(\"[a-z]+\", \"12abc34\")", "\"abc\"" },
	{ "regex(\"(\\\\d+)-(\\\\d+)?\", \"x12-\")",
	  "[\n"
	  "  \"12\",\n"
	  "  tostring(null),\n"
	  "]" },
	{ "regex(\"(?P<y>\\\\d{4})-(?P<m>\\\\d\\\\d)\", \"on 2024-05-06\""
	  ")",
	  "{\n"
	  "  \"m\" = \"05\"\n"
	  "  \"y\" = \"2024\"\n"
	  "}" },
	{ "regex(\"(?<a>x)(?P<a>y)\", \"xy\")",
	  "{\n"
	  "  \"a\" = \"y\"\n"
	  "}" },
	{ "regex(\"(?P<a>x)(y)\", \"xy\")",
	  "!invalid regexp pattern: cannot mix both named" },
	{ "regex(\"(?:a|ab)(c|bcd)(d*)\", \"abcd\")",
	  "[\n"
	  "  \"bcd\",\n"
	  "  \"\",\n"
	  "]" },
	{ "regex(\"(a*)*\", \"b\")",
	  "[\n"
	  "  \"\",\n"
	  "]" },
	{ "regex(\"(a*)+\", \"aab\")",
	  "[\n"
	  "  \"aa\",\n"
	  "]" },
	{ "regex(\"(|a)+\", \"aaa\")",
	  "[\n"
	  "  \"\",\n"
	  "]" },
	{ "regex(\"(?:|a||b)*\", \"ab\")", "\"\"" },
	{ "regex(\"(?:a||b)*\", \"ab\")", "\"ab\"" },
	{ "regex(\"(?:(a|b*)*c?)*\", \"abcbb\")",
	  "[\n"
	  "  \"bb\",\n"
	  "]" },
	{ "regex(\"(?:()(a|b*))+\", \"ab\")",
	  "[\n"
	  "  \"\",\n"
	  "  \"b\",\n"
	  "]" },
	{ "regex(\"(?:^)*(a)\", \"ba\")",
	  "[\n"
	  "  \"a\",\n"
	  "]" },
	{ "regex(\"(a|b)*?c\", \"abc\")",
	  "[\n"
	  "  \"b\",\n"
	  "]" },
	{ "regex(\"x*\", \"\")", "\"\"" },
	{ "regex(\"a\", \"b\")",
	  "!pattern did not match any part of the given" },
	{ "regex(\"a\", u_str)", "(known after apply) string not null" },
	{ "regex(\"(a)(b)\", u_str)", "(known after apply) tuple not null" },
	{ "regex(u_str, \"a\")", "(known after apply) dynamic" },
	{ "regexall(\"a.\", \"abacad\")",
	  "tolist([\n"
	  "  \"ab\",\n"
	  "  \"ac\",\n"
	  "  \"ad\",\n"
	  "])" },
	{ "regexall(\"x*\", \"axb\")",
	  "tolist([\n"
	  "  \"\",\n"
	  "  \"x\",\n"
	  "  \"\",\n"
	  "])" },
	{ "regexall(\"(?P<k>\\\\w)=(?P<v>\\\\w)\", \"a=1,b=2\")",
	  "tolist([\n"
	  "  {\n"
	  "    \"k\" = \"a\"\n"
	  "    \"v\" = \"1\"\n"
	  "  },\n"
	  "  {\n"
	  "    \"k\" = \"b\"\n"
	  "    \"v\" = \"2\"\n"
	  "  },\n"
	  "])" },
	{ "regexall(\"z\", \"abc\")", "tolist([])" },
	{ "regexall(\"\", \"日本\")",
	  "tolist([\n"
	  "  \"\",\n"
	  "  \"\",\n"
	  "  \"\",\n"
	  "])" },
	{ "regexall(\"a\", s_str)", "(sensitive value)" },
	{ "regexall(\"a\", u_str)",
	  "(known after apply) list of string not null" },
};

static const struct row syntax[] = {
	{ "regex(\"\\\\Qa.b\\\\E+\", \"a.bbb\")", "\"a.bbb\"" },
	{ "regex(\"\\\\x41\\\\x{1F600}\\\\101\\\\a?\\\\t?\", \"A😀A\")",
	  "\"A😀A\"" },
	{ "regex(\"[[:alpha:]]+[^[:alpha:]]\", \"ab1\")", "\"ab1\"" },
	{ "regex(\"[[:^digit:]]+\", \"12ab\")", "\"ab\"" },
	{ "regex(\"[]a]+\", \"x]a]\")", "\"]a]\"" },
	{ "regex(\"[a\\\\]b-]+\", \"x-]ab\")", "\"-]ab\"" },
	{ "regex(\"[^\\\\D5]+\", \"5512\")", "\"12\"" },
	{ "regex(\"\\\\p{Greek}+\", \"abαβγ\")", "\"αβγ\"" },
	{ "regex(\"\\\\p{^Greek}+\", \"αβabc\")", "\"abc\"" },
	{ "regex(\"\\\\PN+\", \"12ab3\")", "\"ab\"" },
	{ "regex(\"\\\\p{Lu}\\\\p{Ll}\", \"aBc\")", "\"Bc\"" },
	{ "regex(\"[\\\\pL\\\\d]+\", \"_é9_\")", "\"é9\"" },
	{ "regex(\"(?i)straSSE\", \"STRASSE\")", "\"STRASSE\"" },
	{ "regex(\"(?i)k+\", \"kK\\u212a\")", "\"kKK\"" },
	{ "regex(\"(?i)[^x]\", \"Xy\")", "\"y\"" },
	{ "regex(\"(?i)\\\\w+\", \"\\u017f!\")", "\"ſ\"" },
	{ "regex(\"a(?i)b|c\", \"aB\")", "\"aB\"" },
	{ "regex(\"(?i:a)b\", \"Ab\")", "\"Ab\"" },
	{ "regex(\"(?s).+\", \"a\\nb\")",
	  "<<EOT\n"
	  "a\n"
	  "b\n"
	  "EOT" },
	{ "regex(\".+\", \"a\\nb\")", "\"a\"" },
	{ "regex(\"(?m)^b$\", \"a\\nb\\nc\")", "\"b\"" },
	{ "regex(\"^b$\", \"a\\nb\")",
	  "!pattern did not match any part of the given" },
	{ "regex(\"(?m)^$\", \"a\\n\")", "\"\"" },
	{ "regex(\"a\\\\z\", \"ba\")", "\"a\"" },
	{ "regex(\"\\\\Ab?\", \"ab\")", "\"\"" },
	{ "regex(\"\\\\bfoo\\\\b\", \"a foo b\")", "\"foo\"" },
	{ "regex(\"\\\\Boo\", \"foo\")", "\"oo\"" },
	{ "regex(\"(?U)a+\", \"aaa\")", "\"a\"" },
	{ "regex(\"(?U)a+?\", \"aaa\")", "\"aaa\"" },
	{ "regex(\"a{2,3}\", \"aaaa\")", "\"aaa\"" },
	{ "regex(\"a{2,}?\", \"aaaa\")", "\"aa\"" },
	{ "regex(\"a{,2}\", \"a{,2}\")", "\"a{,2}\"" },
	{ "regex(\"a{1,2}{\", \"aa{\")", "\"aa{\"" },
	{ "regex(\"(?:a{0}b){2}\", \"bb\")", "\"bb\"" },
	{ "regex(\"\\\\s\", \"\\u000b\")",
	  "!pattern did not match any part of the given" },
	{ "regex(\"(?i)[^\\\\W]+\", \"!k\\u212aS\")", "\"kKS\"" },
	{ "regex(\"[[:^ascii:]]\", \"aé\")", "\"é\"" },
	{ "regex(\"a$\", \"a\\n\")",
	  "!pattern did not match any part of the given" },
	{ "regex(\"(*UTF)\", \"a\")",
	  "!invalid regexp pattern: missing argument to" },
	{ "regex(\"#(?#x)\", \"a\")", "!invalid regexp pattern: invalid or" },
	{ "regex(\"x{1000}\", \"y\")",
	  "!pattern did not match any part of the given" },
};

static const struct row rejected[] = {
	{ "regex(\"a(?=b)\", \"ab\")",
	  "!invalid regexp pattern: invalid or" },
	{ "regex(\"(?<=a)b\", \"ab\")",
	  "!invalid regexp pattern: invalid named capture" },
	{ "regex(\"(a)\\\\1\", \"aa\")",
	  "!invalid regexp pattern: invalid escape" },
	{ "regex(\"\\\\Z\", \"a\")",
	  "!invalid regexp pattern: invalid escape" },
	{ "regex(\"\\\\C\", \"a\")",
	  "!invalid regexp pattern: invalid escape" },
	{ "regex(\"a**\", \"a\")",
	  "!invalid regexp pattern: invalid nested" },
	{ "regex(\"a++\", \"a\")",
	  "!invalid regexp pattern: invalid nested" },
	{ "regex(\"*a\", \"a\")",
	  "!invalid regexp pattern: missing argument to" },
	{ "regex(\"a|*\", \"a\")",
	  "!invalid regexp pattern: missing argument to" },
	{ "regex(\"(a\", \"a\")",
	  "!invalid regexp pattern: missing closing ) in" },
	{ "regex(\"a)\", \"a\")",
	  "!invalid regexp pattern: unexpected ) in a)" },
	{ "regex(\"[a\", \"a\")",
	  "!invalid regexp pattern: missing closing ] in" },
	{ "regex(\"[b-a]\", \"a\")",
	  "!invalid regexp pattern: invalid character" },
	{ "regex(\"[[:foo:]]\", \"a\")",
	  "!invalid regexp pattern: invalid character" },
	{ "regex(\"[a-\\\\d]\", \"a\")",
	  "!invalid regexp pattern: invalid escape" },
	{ "regex(\"\\\\p{Foo}\", \"a\")",
	  "!invalid regexp pattern: invalid character" },
	{ "regex(\"\\\\pX\", \"a\")",
	  "!invalid regexp pattern: invalid character" },
	{ "regex(\"\\\\8\", \"a\")",
	  "!invalid regexp pattern: invalid escape" },
	{ "regex(\"\\\\x{110000}\", \"a\")",
	  "!invalid regexp pattern: invalid escape" },
	{ "regex(\"\\\\xg1\", \"a\")",
	  "!invalid regexp pattern: invalid escape" },
	{ "regex(\"a\\\\\", \"a\")",
	  "!invalid regexp pattern: trailing backslash at" },
	{ "regex(\"a{1001}\", \"a\")",
	  "!invalid regexp pattern: invalid repeat count" },
	{ "regex(\"a{3,2}\", \"a\")",
	  "!invalid regexp pattern: invalid repeat count" },
	{ "regex(\"(a{100}){100}\", \"a\")",
	  "!invalid regexp pattern: invalid repeat count" },
	{ "regex(\"(?P<a-b>x)\", \"x\")",
	  "!invalid regexp pattern: invalid named capture" },
	{ "regex(\"(?P<>x)\", \"x\")",
	  "!invalid regexp pattern: invalid named capture" },
	{ "regex(\"(?z)a\", \"a\")", "!invalid regexp pattern: invalid or" },
	{ "regex(\"(?i-)a\", \"a\")", "!invalid regexp pattern: invalid or" },
};

/* Patterns too hard for a backtracking matcher, and one that nests too deep. */
static const struct row limits[] = {
	{ "regex(\"(a|a)*[bc]\", format(\"%-60s\", \"\"))",
	  "!pattern did not match any part of the given" },
	{ "regex(\"( | )*[bc]\", format(\"%-60s\", \"\"))",
	  "!pattern did not match any part of the given" },
	{ "regex(\"(?: | )*[bc]\", format(\"%-60sb\", \"\"))",
	  "\"                                                            b\"" },
	{ "regex(\"(?:(?: | )*[bc]|( | )*$)\", format(\"%-60s.\", \"\"))",
	  "[\n  tostring(null),\n]" },
	{ "regex(\"(?: *)*x|( | )*[b ]x\", format(\"%-60s.\", \"\"))",
	  "!pattern did not match any part of the given" },
	{ "length(regexall(\"(?: *)*x?\", format(\"%-100000s\", \"\")))",
	  "1" },
	{ "regex(format(\"%s%s\", join(\"\", [for i in range(1001) : "
	  "\"(\"]), \"a\"), \"a\")",
	  "!invalid regexp pattern: expression nests too" },
};

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(CHECK_ROWS(captures));
	RUN(CHECK_ROWS(syntax));
	RUN(CHECK_ROWS(rejected));
	RUN(CHECK_ROWS(limits));
	return test_done("funcs_regex");
}
