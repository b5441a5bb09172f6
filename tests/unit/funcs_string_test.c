/* funcs_string_test.c - functions of strings */
#include "funcs_rows.h"

static const struct row cases[] = {
	{ "upper(\"straße ǆ ﬁ éα\")", "\"STRAßE Ǆ ﬁ ÉΑ\"" },
	{ "upper(12)", "\"12\"" },
	{ "upper(u_str)", "(known after apply) string not null" },
	{ "upper(null)", "!it must not be null" },
	{ "lower(\"ÀÉÎ İ ΑΣ\")", "\"àéî i ασ\"" },
	{ "lower(s_str)", "(sensitive value)" },
	{ "title(\"hello wörld foo_bar don't x-ray élan\")",
	  "\"Hello Wörld Foo_bar Don'T X-Ray Élan\"" },
	{ "title(\"ǆabc 1st 2nd\")", "\"ǅabc 1st 2nd\"" },
	{ "title(\"\")", "\"\"" },
	{ "strrev(\"añ日👩\342\200\215👩\342\200\215👧x\")",
	  "\"x👩\\u200d👩\\u200d👧日ña\"" },
	{ "strrev(\"e\\u0301a\")", "\"aé\"" },
	{ "strrev(\"\")", "\"\"" },
};

static const struct row parts[] = {
	{ "substr(\"hello wörld\", 6, 5)", "\"wörld\"" },
	{ "substr(\"hello\", -3, 2)", "\"ll\"" },
	{ "substr(\"hello\", -9, 2)", "\"he\"" },
	{ "substr(\"hello\", -2, 0)", "\"lo\"" },
	{ "substr(\"hello\", 2, 0)", "\"\"" },
	{ "substr(\"hello\", 9, 1)", "\"\"" },
	{ "substr(\"hello\", 1, -1)", "\"ello\"" },
	{ "substr(\"👩\342\200\215👩\342\200\215👧日本\", 1, 1)", "\"日\"" },
	{ "substr(\"\", 0, 3)", "\"\"" },
	{ "substr(\"a\", 0.5, 1)", "!value must be a whole number, between" },
	{ "split(\",\", \"a,b,,c\")",
	  "tolist([\n"
	  "  \"a\",\n"
	  "  \"b\",\n"
	  "  \"\",\n"
	  "  \"c\",\n"
	  "])" },
	{ "split(\",\", \"\")",
	  "tolist([\n"
	  "  \"\",\n"
	  "])" },
	{ "split(\"\", \"aé日\")",
	  "tolist([\n"
	  "  \"a\",\n"
	  "  \"é\",\n"
	  "  \"日\",\n"
	  "])" },
	{ "split(\"\", \"\")", "tolist([])" },
	{ "split(\"ab\", \"xabyabz\")",
	  "tolist([\n"
	  "  \"x\",\n"
	  "  \"y\",\n"
	  "  \"z\",\n"
	  "])" },
	{ "split(\",\", u_str)",
	  "(known after apply) list of string not null" },
	{ "chomp(\"a\\r\\n\\n\\r\")", "\"a\"" },
	{ "chomp(\"a\\n b\")",
	  "<<EOT\n"
	  "a\n"
	  " b\n"
	  "EOT" },
	{ "chomp(\"\\n\")", "\"\"" },
	{ "indent(2, \"a\\nb\\n\\nc\")",
	  "<<EOT\n"
	  "a\n"
	  "  b\n"
	  "  \n"
	  "  c\n"
	  "EOT" },
	{ "indent(0, \"a\\nb\")",
	  "<<EOT\n"
	  "a\n"
	  "b\n"
	  "EOT" },
	{ "indent(-1, \"a\")", "!the number of spaces is negative" },
	{ "indent(1.5, \"a\")", "!value must be a whole number, between" },
	{ "join(\"-\", [\"a\", \"b\"], [\"c\"])", "\"a-b-c\"" },
	{ "join(\"\", [])", "\"\"" },
	{ "join(\",\", [\"a\", null])",
	  "!element 1 is null; cannot concatenate null" },
	{ "join(\",\", [\"a\"], [\"b\", null])",
	  "!element 1 of list 2 is null; cannot" },
	{ "join(\",\")", "!at least one list is required" },
	{ "join(\",\", [\"a\", u_str])",
	  "(known after apply) string not null" },
	{ "join(\",\", [1, true])", "\"1,true\"" },
	{ "join(s_str, [\"a\", \"b\"])", "(sensitive value)" },
	{ "sort([\"b\", \"é\", \"a\", \"B\", \"10\", \"9\"])",
	  "tolist([\n"
	  "  \"10\",\n"
	  "  \"9\",\n"
	  "  \"B\",\n"
	  "  \"a\",\n"
	  "  \"b\",\n"
	  "  \"é\",\n"
	  "])" },
	{ "sort([])", "tolist([])" },
	{ "sort([\"b\", null])",
	  "!given list element 1 is null; a null string" },
	{ "sort([\"b\", u_str, \"a\"])",
	  "tolist([\n"
	  "  (known after apply),\n"
	  "  (known after apply),\n"
	  "  (known after apply),\n"
	  "])" },
	{ "sort(u_list)", "(known after apply) list of string not null" },
};

static const struct row ends[] = {
	{ "startswith(\"hello\", \"he\")", "true" },
	{ "startswith(\"hello\", \"\")", "true" },
	{ "startswith(\"abc${u_str}\", \"ab\")", "true" },
	{ "startswith(\"abc${u_str}\", \"ax\")", "false" },
	{ "startswith(\"abc${u_str}\", \"abcd\")",
	  "(known after apply) bool not null" },
	{ "startswith(u_str, \"\")", "true" },
	{ "endswith(\"hello\", \"lo\")", "true" },
	{ "endswith(\"lo\", \"hello\")", "false" },
	{ "strcontains(\"hello\", \"ell\")", "true" },
	{ "strcontains(\"hello\", \"\")", "true" },
	{ "strcontains(\"hello\", u_str)", "(known after apply) bool" },
	{ "trim(\"xxhixyx\", \"xy\")", "\"hi\"" },
	{ "trim(\"äaä\", \"ä\")", "\"a\"" },
	{ "trim(\"  a \", \"\")", "\"  a \"" },
	{ "trimspace(\"\\t \\u00a0a b\\u2003\\n\")", "\"a b\"" },
	{ "trimspace(\"\")", "\"\"" },
	{ "trimprefix(\"helloworld\", \"hello\")", "\"world\"" },
	{ "trimprefix(\"hello\", \"lo\")", "\"hello\"" },
	{ "trimsuffix(\"helloworld\", \"world\")", "\"hello\"" },
	{ "trimsuffix(\"a\", \"aa\")", "\"a\"" },
};

static const struct row replacing[] = {
	{ "replace(\"a.b.c\", \".\", \"-\")", "\"a-b-c\"" },
	{ "replace(\"abc\", \"\", \"-\")", "\"-a-b-c-\"" },
	{ "replace(\"\", \"\", \"x\")", "\"x\"" },
	{ "replace(\"aaa\", \"aa\", \"b\")", "\"ba\"" },
	{ "replace(\"hello\", \"/l+/\", \"L\")", "\"heLo\"" },
	{ "replace(\"a1b22\", \"/(\\\\d+)/\", \"<$1>\")", "\"a<1>b<22>\"" },
	{ "replace(\"a1b22\", \"/(?P<n>\\\\d+)/\", \"${n}$${n}\")",
	  "!There is no variable \"n\"" },
	{ "replace(\"abc\", \"/b/\", \"$0$0\")", "\"abbc\"" },
	{ "replace(\"abc\", \"/x*/\", \"-\")", "\"-a-b-c-\"" },
	{ "replace(\"abc\", \"/(a)(z)?/\", \"[$2]\")", "\"[]bc\"" },
	{ "replace(\"abc\", \"/b/\", \"$1x$x$\")", "\"a$c\"" },
	{ "replace(\"a/b\", \"/\", \"-\")", "\"a-b\"" },
	{ "replace(\"a//b\", \"//\", \"-\")", "\"-a-/-/-b-\"" },
	{ "replace(\"abc\", \"/(/\", \"x\")",
	  "!error parsing regexp: missing closing ): `(`" },
	{ "replace(\"日本\", \"/本/\", \"x\")", "\"日x\"" },
};

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(CHECK_ROWS(cases));
	RUN(CHECK_ROWS(parts));
	RUN(CHECK_ROWS(ends));
	RUN(CHECK_ROWS(replacing));
	return test_done("funcs_string");
}
