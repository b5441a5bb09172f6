/* funcs_yaml_test.c - functions of YAML texts */
#include "funcs_rows.h"

static const struct row yaml_out[] = {
	{ "yamlencode({ b = [1, { x = null, y = true }], a = \"x\" })",
	  "<<EOT\n"
	  "\"a\": \"x\"\n"
	  "\"b\":\n"
	  "- 1\n"
	  "- \"x\": null\n"
	  "  \"y\": true\n"
	  "\n"
	  "EOT" },
	{ "yamlencode([])",
	  "<<EOT\n"
	  "[]\n"
	  "\n"
	  "EOT" },
	{ "yamlencode({})",
	  "<<EOT\n"
	  "{}\n"
	  "\n"
	  "EOT" },
	{ "yamlencode([[], {}, [[1]]])",
	  "<<EOT\n"
	  "- []\n"
	  "- {}\n"
	  "- - - 1\n"
	  "\n"
	  "EOT" },
	{ "yamlencode(\"a\")",
	  "<<EOT\n"
	  "\"a\"\n"
	  "\n"
	  "EOT" },
	{ "yamlencode(1)",
	  "<<EOT\n"
	  "1\n"
	  "...\n"
	  "\n"
	  "EOT" },
	{ "yamlencode(null)",
	  "<<EOT\n"
	  "null\n"
	  "...\n"
	  "\n"
	  "EOT" },
	{ "yamlencode(\"a\\nb\\n\")",
	  "<<EOT\n"
	  "|\n"
	  "  a\n"
	  "  b\n"
	  "\n"
	  "EOT" },
	{ "yamlencode(\"a\\nb\")",
	  "<<EOT\n"
	  "|-\n"
	  "  a\n"
	  "  b\n"
	  "\n"
	  "EOT" },
	{ "yamlencode(\"a\\n\\n\")",
	  "<<EOT\n"
	  "|+\n"
	  "  a\n"
	  "\n"
	  "\n"
	  "EOT" },
	{ "yamlencode(\"\\n a\\n\")",
	  "<<EOT\n"
	  "|2\n"
	  "\n"
	  "   a\n"
	  "\n"
	  "EOT" },
	{ "yamlencode(\"a \\nb\")",
	  "<<EOT\n"
	  "\"a \\nb\"\n"
	  "\n"
	  "EOT" },
	{ "yamlencode(\"tab\\t\\\"q\\\" \\\\ é 😀 \\u2028 \\u0000\")",
	  "<<EOT\n"
	  "\"tab\\t\\\"q\\\" \\\\ é \\U0001F600 \\L \\0\"\n"
	  "\n"
	  "EOT" },
	{ "yamlencode(\"\\ufeffab\")",
	  "<<EOT\n"
	  "\"\\uFEFF\\x61\\x62\"\n"
	  "\n"
	  "EOT" },
	{ "yamlencode({ \"a\\nb\" = 1, \"k: x\" = \"true\" })",
	  "<<EOT\n"
	  "? |-\n"
	  "  a\n"
	  "  b\n"
	  ": 1\n"
	  "\"k: x\": \"true\"\n"
	  "\n"
	  "EOT" },
	{ "yamlencode({ (join(\"\", range(100))) = 1 })",
	  "<<EOT\n"
	  "? \"0123456789101112131415161718192021222324252627282930313233"
	  "34353637383940414243444546474849505152535455565758596061626364"
	  "65666768697071727374757677787980818283848586878889909192939495"
	  "96979899\"\n"
	  ": 1\n"
	  "\n"
	  "EOT" },
	{ "yamlencode(join(\" \", [for i in range(30) : \"word${i}\"]))",
	  "<<EOT\n"
	  "\"word0 word1 word2 word3 word4 word5 word6 word7 word8 word9 "
	  "word10 word11 word12\n"
	  "  word13 word14 word15 word16 word17 word18 word19 word20 word"
	  "21 word22 word23 word24\n"
	  "  word25 word26 word27 word28 word29\"\n"
	  "\n"
	  "EOT" },
	{ "yamlencode([join(\"  \", [for i in range(30) : \"w${i}\"])])",
	  "<<EOT\n"
	  "- \"w0  w1  w2  w3  w4  w5  w6  w7  w8  w9  w10  w11  w12  w13"
	  "  w14  w15  w16  w17\n"
	  "  \\ w18  w19  w20  w21  w22  w23  w24  w25  w26  w27  w28  w2"
	  "9\"\n"
	  "\n"
	  "EOT" },
	{ "yamlencode({ a = { b = [\"x\\ny\"] } })",
	  "<<EOT\n"
	  "\"a\":\n"
	  "  \"b\":\n"
	  "  - |-\n"
	  "    x\n"
	  "    y\n"
	  "\n"
	  "EOT" },
	{ "yamlencode(1/0)",
	  "<<EOT\n"
	  "+Inf\n"
	  "...\n"
	  "\n"
	  "EOT" },
	{ "yamlencode([u_str])", "(known after apply) string" },
	{ "yamlencode(s_str)", "(sensitive value)" },
};

static const struct row yaml_in[] = {
	{ "yamldecode(\"a: 1\\nb: [x, 'y', \\\"z\\\\n\\\"]\\nc:\\n  - d: "
	  "~\\n  - true\\n\")",
	  "{\n"
	  "  \"a\" = 1\n"
	  "  \"b\" = [\n"
	  "    \"x\",\n"
	  "    \"y\",\n"
	  "    <<-EOT\n"
	  "    z\n"
	  "    \n"
	  "    EOT,\n"
	  "  ]\n"
	  "  \"c\" = [\n"
	  "    {\n"
	  "      \"d\" = null\n"
	  "    },\n"
	  "    true,\n"
	  "  ]\n"
	  "}" },
	{ "yamldecode(\"[yes, No, on, OFF, y, N, tRue, null, Null, ~]\")",
	  "[\n"
	  "  true,\n"
	  "  false,\n"
	  "  true,\n"
	  "  false,\n"
	  "  true,\n"
	  "  false,\n"
	  "  \"tRue\",\n"
	  "  null,\n"
	  "  null,\n"
	  "  null,\n"
	  "]" },
	{ "yamldecode(\"[0x1F, 0o17, 017, 0b1, 1_000, +5, -0, .5, 5., 1e3"
	  ", 0x, 1:30]\")",
	  "[\n"
	  "  31,\n"
	  "  15,\n"
	  "  17,\n"
	  "  \"0b1\",\n"
	  "  \"1_000\",\n"
	  "  5,\n"
	  "  -0,\n"
	  "  0.5,\n"
	  "  5,\n"
	  "  1000,\n"
	  "  \"0x\",\n"
	  "  \"1:30\",\n"
	  "]" },
	{ "yamldecode(\"[.inf, -.INF, +.Inf]\")",
	  "[\n"
	  "  +Inf,\n"
	  "  -Inf,\n"
	  "  +Inf,\n"
	  "]" },
	{ "yamldecode(\".nan\")",
	  "!on line 1, column 1: floating point NaN is" },
	{ "yamldecode(\"[2001-12-14, 2001-1-2T3:4:5Z, 2001-12-14 21:59:43"
	  ".1, 2001-02-30]\")",
	  "[\n"
	  "  \"2001-12-14T00:00:00Z\",\n"
	  "  \"2001-01-02T03:04:05Z\",\n"
	  "  \"2001-12-14T21:59:43Z\",\n"
	  "  \"2001-02-30\",\n"
	  "]" },
	{ "yamldecode(\"2001-12-14t21:59:43.10-05:00\")",
	  "\"2001-12-14T21:59:43-05:00\"" },
	{ "yamldecode(\"|-\\n  yes\")", "\"true\"" },
	{ "yamldecode(\"|-\\n  0x10\")", "\"16\"" },
	{ "yamldecode(\">\\n  a\\n  b\\n\\n  c\\n\")",
	  "<<EOT\n"
	  "a b\n"
	  "c\n"
	  "\n"
	  "EOT" },
	{ "yamldecode(\"a: &x {k: 1}\\nb: *x\\nc: {<<: *x, k: 2}\\nd: {k:"
	  " 2, <<: *x}\")",
	  "{\n"
	  "  \"a\" = {\n"
	  "    \"k\" = 1\n"
	  "  }\n"
	  "  \"b\" = {\n"
	  "    \"k\" = 1\n"
	  "  }\n"
	  "  \"c\" = {\n"
	  "    \"k\" = 2\n"
	  "  }\n"
	  "  \"d\" = {\n"
	  "    \"k\" = 1\n"
	  "  }\n"
	  "}" },
	{ "yamldecode(\"a: {<<: [{x: 1}, {x: 2, y: 3}]}\")",
	  "{\n"
	  "  \"a\" = {\n"
	  "    \"true\" = 3\n"
	  "    \"x\" = 2\n"
	  "  }\n"
	  "}" },
	{ "yamldecode(\"a: {<<: 1}\")",
	  "!on line 1, column 9: cannot merge number into" },
	{ "yamldecode(\"a: {<<: [1]}\")",
	  "!on line 1, column 11: cannot merge number" },
	{ "yamldecode(\"&a [*a]\")",
	  "!on line 1, column 5: cannot refer to anchor" },
	{ "yamldecode(\"&a [1, &a 2, *a]\")",
	  "!on line 1, column 14: cannot refer to anchor" },
	{ "yamldecode(\"*a\")",
	  "!on line 1, column 1: reference to undefined" },
	{ "yamldecode(\"- &a 1\\n- &a 2\\n- *a\")",
	  "[\n"
	  "  1,\n"
	  "  2,\n"
	  "  2,\n"
	  "]" },
	{ "yamldecode(\"{1: a, true: b, 1.5: c}\")",
	  "{\n"
	  "  \"1\" = \"a\"\n"
	  "  \"1.5\" = \"c\"\n"
	  "  \"true\" = \"b\"\n"
	  "}" },
	{ "yamldecode(\"{~: a}\")",
	  "!on line 1, column 2: mapping key cannot be" },
	{ "yamldecode(\"{[a]: b}\")",
	  "!on line 1, column 2: only strings are allowed" },
	{ "yamldecode(\"a: 1\\na: 2\")",
	  "{\n"
	  "  \"a\" = 2\n"
	  "}" },
	{ "yamldecode(\"!!str 1\")", "\"1\"" },
	{ "yamldecode(\"[!!int \\\"5\\\", !!int 0b101, !!float 1, !!bool "
	  "yes, !!null x, !!binary aGk=]\")",
	  "[\n"
	  "  \"5\",\n"
	  "  5,\n"
	  "  1,\n"
	  "  true,\n"
	  "  null,\n"
	  "  \"aGk=\",\n"
	  "]" },
	{ "yamldecode(\"!!int x\")",
	  "!on line 1, column 1: cannot parse \"x\" as" },
	{ "yamldecode(\"!!bool 1x\")",
	  "!on line 1, column 1: cannot parse \"1x\" as" },
	{ "yamldecode(\"!!binary x\")",
	  "!on line 1, column 1: cannot parse \"x\" as" },
	{ "yamldecode(\"!!timestamp x\")",
	  "!on line 1, column 1: cannot parse \"x\" as" },
	{ "yamldecode(\"!x 1\")",
	  "!on line 1, column 1: unsupported tag \"!x\"" },
	{ "yamldecode(\"!!set {a}\")",
	  "!on line 1, column 1: can't interpret mapping" },
	{ "yamldecode(\"!!seq {a}\")",
	  "!on line 1, column 1: can't interpret mapping" },
	{ "yamldecode(\"\")",
	  "!on line 1, column 1: missing start of document" },
	{ "yamldecode(\"---\\n...\\n\")", "null" },
	{ "yamldecode(\"a\\n---\\nb\")",
	  "!on line 2, column 1: unexpected extra content" },
	{ "yamldecode(\"%YAML 1.1\\n---\\na\")", "\"a\"" },
	{ "yamldecode(\"%YAML 1.2\\n---\\na\")",
	  "!on line 1, column 1: found incompatible YAML" },
	{ "yamldecode(\"\\ufeffa: 1\")",
	  "{\n"
	  "  \"a\" = 1\n"
	  "}" },
	{ "yamldecode(\"\\\"it\\\\'s\\\"\")", "\"it's\"" },
	{ "yamldecode(\"\\\"\\\\q\\\"\")",
	  "!on line 1, column 2: found unknown escape" },
	{ "yamldecode(\"a: b: c\")",
	  "!on line 1, column 5: mapping values are not" },
	{ "yamldecode(\"[a, b\")",
	  "!on line 2, column 1: did not find expected" },
	{ "yamldecode(\"\\ta\")",
	  "!on line 1, column 1: found character that" },
	{ "yamldecode(\"a: 'x\")",
	  "!on line 1, column 6: found unexpected end of" },
	{ "yamldecode(u_str)", "(known after apply) dynamic" },
	{ "yamldecode(s_str)", "(sensitive value)" },
	{ "yamldecode(\"[a:, {b:}, 'c']\")",
	  "[\n"
	  "  \"a:\",\n"
	  "  {\n"
	  "    \"b:\" = null\n"
	  "  },\n"
	  "  \"c\",\n"
	  "]" },
	{ "yamldecode(\"[it's:]\")[0]", "\"it's:\"" },
	{ "yamldecode(\"[a:[b]]\")", "!expected ',' or ']'" },
	{ "yamldecode(\"a?b\")", "\"a?b\"" },
	{ "yamldecode(\"[a?b]\")", "!expected ',' or ']'" },
	{ "yamldecode(\"['a?b']\")[0]", "\"a?b\"" },
	{ "yamldecode(\"- [a]\\n- {b: c}\\n- d?\")[2]", "\"d?\"" },
};

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(CHECK_ROWS(yaml_out));
	RUN(CHECK_ROWS(yaml_in));
	return test_done("funcs_yaml");
}
