"""lang_values.py - texts of expressions that stand for values

POOLS has for each kind of argument what is interesting there; ANY is what may
stand anywhere, right or wrong.  Names that begin with u are unknown, s
sensitive, e ephemeral: PRELUDE declares them.
"""
PRELUDE = r'''
terraform {
  required_providers {
    terraform = {
      source = "terraform.io/builtin/terraform"
    }
  }
}
variable "e" {
  type      = string
  default   = "fleeting"
  ephemeral = true
}
variable "en" {
  default   = 3
  ephemeral = true
}
variable "el" {
  type      = list(string)
  default   = ["e1", "e2"]
  ephemeral = true
}
variable "s" {
  type      = string
  default   = "secret"
  sensitive = true
}
variable "sm" {
  type      = map(string)
  default   = { a = "s1", b = "s2" }
  sensitive = true
}
variable "o" {
  type = object({
    a = string
    b = optional(number, 3)
    c = optional(object({ d = optional(list(string), ["q"]) }), {})
  })
  default = { a = "x" }
}
variable "lo" {
  type    = list(object({ id = string, n = number }))
  default = [{ id = "i-1", n = 1 }, { id = "i-2", n = null }]
}
variable "mo" {
  type    = map(object({ id = string, n = number }))
  default = { one = { id = "i-1", n = 1 }, two = { id = "i-2", n = 2 } }
}
variable "any" {
  default = { list = [1, "two", true], deep = { x = null } }
}
resource "terraform_data" "u" {
  input = "in"
}
resource "terraform_data" "many" {
  count = 2
}
resource "terraform_data" "each" {
  for_each = toset(["a", "b"])
}
locals {
  u    = terraform_data.u.output
  us   = terraform_data.u.id
  un   = tonumber(terraform_data.u.output)
  ub   = tobool(terraform_data.u.output)
  ul   = split(",", terraform_data.u.id)
  uset = toset(split(",", terraform_data.u.id))
  um   = { for x in split(",", terraform_data.u.id) : x => x }
  ut   = [terraform_data.u.id, 1]
  uo   = { a = terraform_data.u.id, b = 1 }
  up   = "pre-${terraform_data.u.id}"
  umap = tomap({ a = terraform_data.u.id })
  uini = toset([terraform_data.u.id, "x"])
  st   = ["p", sensitive("x")]
  so   = { a = "p", b = sensitive("x") }
  users = [
    { name = "ann", roles = ["admin", "dev"] },
    { name = "bob", roles = [] },
  ]
  tpl  = "Hello, $${name}! %%{ for x in xs ~} <$${x}> %%{ endfor ~}"
  tbad = "$${unclosed"
  tpl2 = "$${a}$${upper(b)}$${nope}"
}
'''

UNKNOWN = ["local.u", "local.us", "local.un", "local.ub", "local.ul",
           "local.uset", "local.um", "local.ut", "local.uo", "local.up",
           "local.umap", "local.uini", "terraform_data.many[*].id",
           "terraform_data.each"]
MARKED = ["var.e", "var.en", "var.el", "var.s", "var.sm", "local.st",
          "local.so", "sensitive(1)", "sensitive(true)", "sensitive([])",
          "sensitive(null)", "sensitive(local.us)"]
NULLS = ["null", "tostring(null)", "tonumber(null)", "tobool(null)",
         "tolist(null)", "tomap(null)", "[null]", "{ a = null }"]
NUMBERS = """0 1 -1 2 3 7 10 -0 1.5 -2.5 0.1 1e308 -1e308 1e400 1e-40
9223372036854775807 9223372036854775808 -9223372036854775809 4294967296
1234567890123456789012345678901234567890 (0.1+0.2) (1/3) 1e21 1e20
123456789.123456789 0.5 255 256 16 36 62 64 100 1e2 (2/3) 1.0 1E+3
0.000001 0.0000001 2147483648 65536""".split()
BOOLS = ["true", "false"]


def q(s):
    """A string as the language writes it."""
    for a, b in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r"),
                 ("\t", "\\t"), ("${", "$${"), ("%{", "%%{")):
        s = s.replace(a, b)
    return '"%s"' % s


STRINGS = [q(s) for s in [
    "", "a", "b", "abc", "Ab Cd", "10", "1.50", " 7", "true", "1e3", "0x1F",
    "hello world", "a,b,,c", "ünï", "e\u0301a", "\u212b", "ﬁ", "ß", "İi",
    "👩\u200d👩\u200d👧x", "🇩🇪🇫🇷", "\ufeffx", "\u05d0\u05d1 c",
    "\u200b", "a\nb\n",
    "line\r\nline\r\n", "  x\t\n", "\u00a0x\u2003", "${x}", "%{x}", 'say "hi"',
    "back\\slash", "a/b/../c.txt", "-x-", "xx", "aXbX", "日本語", "ǆ Ǆ", "o'neil",
    "<a&b>", "\u2028", "null", "-0", "+5", "1_000", ".5", "5.", "0b1", "\x07",
    "\x7f", "a.b", "🧑🏽‍🚀", "ſK", "ÀÉ", "a\u0300\u0301", "각", "각"]] + [
        '"\\u0000"', '"\\U0001F600"', 'jsondecode("\\"\\\\ud83d\\"")']
LISTS = ["[]", "[1, 2, 3]", '["b", "a", "c"]', '[1, "a", true]', "[null]",
         '["a", null]', '[""]', '["", "a", "", "a"]', "[[1], [2, 3], []]",
         'tolist(["a", "b"])', "tolist([])", "toset([])", 'toset(["b", "a"])',
         "toset([1, 2])", "toset([[1], [2]])", "[{ a = 1 }, { a = 2 }]",
         "[{ a = 1 }, { b = 2 }]", "[1, [2, [3, [4]]]]", "[true, false]",
         "[1.5, 2]", '["1", 2]', '[true, "true"]', '["10", "9", "B", "a"]',
         '["é", "e", "z", "E"]', "[sensitive(1), 2]", "local.ut", "local.ul",
         "local.uini", "[local.us]", '[local.us, "a"]', "var.el", "local.st",
         "[[], {}]", '[["a"], toset(["b"])]', "range(3)", "var.lo",
         "values(var.mo)", "[[]]", "[null, null]", "concat([], [])",
         "[tolist([]), [1]]", "toset([null])", "[local.u]",
         '[[1, "a"], [2, null]]', "[-1, 0, 1e3]", "[0.1, 0.2]"]
MAPS = ["{}", "{ a = 1 }", '{ a = 1, b = "x" }', '{ "x y" = null }',
        'tomap({ a = "1", b = "2" })', "tomap({})", "{ a = { b = 1 } }",
        "{ a = [1], b = [] }", "{ 1 = true, 10 = false, 9 = null }",
        '{ a = ["x", "y"], b = ["y"] }', "local.uo", "local.um", "var.sm",
        "local.umap", "local.so", "var.mo", "var.o", "{ (local.us) = 1 }",
        '{ a = local.us, b = "k" }', '{ "é" = 1, "e\\u0301" = 2 }',
        "{ a = tolist([]), b = toset([]) }", "var.any", "{ A = 1, a = 2 }",
        '{ for k in ["b", "a"] : k => upper(k) }', "{ a = null, b = null }",
        'tomap({ a = ["x"], b = ["x", "y"] })', '{ "" = 1 }']
ANY = (NUMBERS[:8] + BOOLS + STRINGS[:14] + LISTS + MAPS + UNKNOWN + MARKED
       + NULLS + NUMBERS[8:16])

PREFIXES = [q(s) for s in """10.0.0.0/8 10.1.2.3/16 192.168.1.0/24 0.0.0.0/0
10.0.0.0/32 10.0.0.0/31 fd00::/8 2001:db8::/32 2001:DB8::1/64 ::/0 ::1/128
::ffff:10.0.0.0/104 10.0.0.0/33 10.0.0/8 10.0.0.0 010.0.0.0/8 10.0.0.0/08
fe80::%eth0/10 2001:db8:0:0:1::/80 1.2.3.4/-1 /8 10.0.0.0/+8 fd00:fd12::/56
256.0.0.0/8 :::/8 1:2:3:4:5:6:7:8/127 1.2.3.4.5/8 ::ffff:1.2.3.4/128
10.00.0.0/8 ::01.2.3.4/128 12345::/16 a::b::c/8 10.0.0.0/8/8""".split()]
ADDRESSES = [q(s) for s in """10.0.0.1 10.1.0.0/24 ::1 2001:db8::5 1.2.3
10.0.0.0/8 ::ffff:10.0.0.1 fd00::/120 x 0.0.0.0/0 ::/0 010.1.1.1
10.0.0.1/32 fe80::1%eth0""".split()] + [q("")]
TIMES = [q(s) for s in """2024-02-29T23:59:59Z 2018-01-01T00:00:00Z
2018-01-02T23:12:01-08:00 2018-01-02T23:12:01+05:45 0000-01-01T00:00:00Z
9999-12-31T23:59:59Z 2016-12-31T23:59:60Z 2018-1-2T3:4:5Z 2018-01-02
2018-01-02T03:04:05 2018-01-02T03:04:05.123456789Z 2018-01-02t03:04:05z
2018-13-01T00:00:00Z 2018-02-30T00:00:00Z 2018-01-02T24:00:00Z
2018-01-02T03:04:05,5Z 2018-01-02T03:04:05+25:00 2018-01-02T03:04:05-00:00
2018-01-02T12:00:00Z 1969-12-31T23:59:59Z 2000-01-01T00:00:00.Z
2018-01-02T03:04Z 12018-01-02T03:04:05Z 2018-01-02T03:04:05+0100
2018-01-02T03:60:05Z 2018-00-10T03:04:05Z 2018-01-00T03:04:05Z
2018-01-02T03:04:05Zx 2018-01-02T03:04:05.1234567891Z""".split()] + [
    q("2018-01-02 03:04:05Z"), q(""), q("today")]
DURATIONS = [q(s) for s in """1h -1h30m 1.5h 10m 1ms 1us 1ns 1µs 1μs 90s 0 -0
1 1d h 1h1 +5m .5s 5.s . 2562047h47m16.854775807s 2562047h48m 1h-1m 1e3s
-2562047h47m16.854775808s 1000000h 0.1ns 1H 99999999999999999999h
1.00000000000000000000001h 3m3m""".split()] + [q(""), q("1h 1m")]
DATES = [q(s) for s in [
    "YYYY-MM-DD", "DD MMM YYYY hh:mm ZZZ", "EEEE, DD-MMM-YY hh:mm:ss ZZZ",
    "EEE", "H:mm AA", "h aa", "HH 'o''clock'", "'unclosed", "MMMM D", "Z",
    "ZZZZ", "ZZZZZ", "ZZ", "YYY", "YYYYY", "M/D/YY", "EE", "E", "A", "aaa",
    "x", "sss", "s m", "", "ü", "'é'", "hhh", "L", "DDD", "'a", "''", "'",
    "T", "MMMMM", "Y", "a", "mm'm'", "YYYY\nMM", "AAA", "EEEEE"]]
PATTERNS = [q(s) for s in [
    "a", "[a-z]+", "(a)(b)?", "(?P<x>a)(?P<y>b)?", "(?P<x>a)(b)", "(?i)AB",
    r"\pL+", r"\p{Greek}", r"\PL", r"(?s)a.b", "(?m)^l", r"\z", r"\Z", r"\bx",
    "a*?", "a+?b", "(a", "a)", "[a", "[z-a]", "a{2,1}", "a{1001}", "a{2}",
    "**", r"(a)\1", "(?=a)", "(?!a)", "(?<n>a)", "(?<=a)", "a++", r"\d+",
    r"[[:alpha:]]+", "[[:nope:]]", r"[^\n]", "", "^", "$", ".", "x*", "|",
    "(|a)*", "(a|b|ab)(c|bcd)(d*)", "(?U)a+", "(?x)a b", r"\x41", r"\x{1F600}",
    r"\u0041", r"\Qa.b\E", r"\C", r"\8", r"[\w-]+", r"(?i)ß", r"(?i)ſ",
    r"[^a]", r"a|b|", r"(?:ab)+", r"(?i:a)b", r"(?P<a>x)(?P<a>y)", "(?P<1>x)",
    "(?P<>x)", r"\A.", r"[\pN]", r"[a-\d]", r"\_", "(?P=x)", "x{,2}", "{1}",
    "a{1,2}{3}", "((((a))))", r"\p{Nope}", "[]a]", "[]", r"(?-i)a", "(?z)a",
    "(?i", "a{0}", "é", "[é-ü]", r"\S+", r"\h", r"\R", "(?#c)a", "(?>a)",
    r"[[.a.]]", "a**", r"\B", r"[\b]", r"\07", r"\123", r"(.)(.)", r"/",
    r"\/", "[[:^alpha:]]", r"\p{^Lu}", r"\p{L", "(?im-s:.)", "\\"]]
SLASHED = ['"/%s/"' % p[1:-1] for p in PATTERNS]
REPLACEMENTS = [q(s) for s in [
    "", "X", "$1", "${1}x", "$1x", "$x", "${x}", "$$", "$0", "$9", "\\1",
    "${nope}", "$", "${", "é", "$1$2", "${y}-${x}"]]
FORMATS = [q(s) for s in [
    "%s", "%d", "%v", "%q", "%t", "%5s|%-5s|", "%05d", "%+d", "% d", "%x",
    "%X", "%#x", "%b", "%o", "%e", "%E", "%f", "%.2f", "%g", "%G", "%8.3f",
    "%-8.3f|", "%%", "%5%", "%", "%z", "%!", "%[1]s", "%[2]d %[1]d",
    "%[3]s", "%[0]s", "%[x]s", "%[1]", "%*d", "%.*f", "%.3s", "%.0f",
    "%#v", "%+v", "%#v %#v", "a%sb%dc", "é%s", "%s %s", "", "x", "%.1e",
    "%5t", "%08.2f", "%+.1f", "%-05d|", "% x", "%c", "%U", "%p", "%T", "%i",
    "%10v|", "%-10v|", "%.2v", "%.2q", "%s%", "%5.1s|", "%x %s", "%x",
    "%.1000s", "%[1]v %[1]d", "%+q", "%#o", "%010.3e",
    "%+05d", "%s %[1]s %s", "%日", "%-s|", "%+s", "%0s", "%03s", "% s",
    "%.f", "%5.f", "%.0s|", "%.20g", "%.15f", "%20.10f", "%#b", "%#X",
    "%-+5d|", "%+-5d|", "%.-1f", "%3d", "%-3t|", "%.0e", "%#g", "%#f"]]
YAMLS = [q(s) for s in [
    "a: 1", "- 1\n- two\n", "a: &x {b: 1}\nc: *x", "a: &x {b: 1}\nc: {<<: *x, d: 2}",
    "<<: [{a: 1}, {a: 2, b: 3}]", "!!str 1", "!!int \"5\"", "!!float 1",
    "!!bool yes", "!!null x", "!foo 1", "!!binary aGk=", "!!set {a, b}",
    "0o17", "017", "0x1f", "0b11", "1_000", "1e3", ".inf", "-.INF", ".nan",
    "yes", "no", "on", "True", "TRUE", "~", "", "null", "Null", "2001-12-14",
    "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43", "!!timestamp 2001-12-14",
    "|\n a\n  b\n", ">\n a\n b\n\n c\n", "|+\n a\n\n", "|-\n a\n", "'it''s'",
    '"a\\tb\\u263A\\x41"', "a: b: c", "a:\n\t- x", "[1, 2", "{a: 1, a: 2}",
    "a: 1\na: 2", "? a\n: b", "? [a]\n: b", "1: a\n2: b", "true: x", "null: x",
    "--- a", "---\na\n---\nb", "--- a\n...\n", "%YAML 1.2\n---\na", "# c", "*x",
    "&a [*a]", "a: |\n  x\n", "- - 1\n  - 2", "\ufeffa: 1", "a: 'x", "1.5", "-0",
    "+5", "1.", ".5", "12e03", "-2E+05", "190:20:30", "0.", "=", "<<", "a: =",
    "- !!str\n- x", "9223372036854775808", "1e400", "0x8000000000000000",
    "!!map [1]", "!!seq {a: 1}", "{a, b: }", "[a, , b]", "@x", "`x", "%x",
    "a: #c", "a:#c", "- ", "-", "a: - b", "\"a\n  b\"", "'a\n\n  b'", "a\n b",
    "{a: [1, {b: 2}]}", "!<tag:yaml.org,2002:str> 1", "!!int 1.5", "!!float x",
    "y", "n", "Y", "off", "1__0", "0x", "0o8", "08", "1:2", "é: ü", "- a\n b",
    "a: >-\n  x\n  y\nb: |2\n    z", "[a]: 1", "{<<: {a: 1}, a: 2}", "<<: 1",
    "a: !!null", "!!str", "!!binary '***'", "-.5", "+.inf", "1e", "--- |\n x",
    "- &x a\n- *x\n- &x b\n- *x", "{\"a\":1}", "[\"a\"]", "\t", "a\tb", "\u0085"]]
JSONS = [q(s) for s in [
    "1", "1.50", "1e400", "-0", "\"a\"", "[]", "{}", "[1,\"a\",null]", "null",
    '{"a":{"b":[true]}}', '{"a":1,"a":2}', "[1,]", "{a:1}", "", " 1 ", "1 2",
    "tru", "01", "+1", ".5", "1.", '"\\ud83d\\ude00"', '"\\ud83d"', '"\\x"',
    '"a\nb"', "[", '{"a"', "nul", "'a'", "\ufeff1", "NaN", "[1 2]", '{"a" 1}',
    "12345678901234567890123", "0.1", '{"":1}', "[[[]]]", '"\u2028"', "//c\n1",
    '"\\u0000"', "1E5", "-", "true false", '{"a":1}}', "]", ",", '"', "\\",
    '{"a":1,}', "0x1", "1e", '[1,"', '{"é":"e\u0301"}']]
CSVS = [q(s) for s in [
    "a,b\n1,2\n", "a,b\r\n1,2\r\n", "a,b\n1\n", "a,b\n1,2,3\n", "a,a\n1,2\n", "",
    "a\n", "a,b\n\"x,y\",\"q\"\"q\"\n", "a\n\"x\ny\"\n", "a\n\"x", "a\nx\"y\n",
    "a,b\n\n1,2\n", "\ufeffa,b\n1,2", " a , b \n 1 , 2 ", "a;b\n1;2", "a,\n1,2",
    "a\n\"x\"y\n", "\n\n", "a,b", "#a\n1", "a\n\r1\n", "a,b\n1,\n,2", "\"a\"\n1",
    "a\n\"x\"\"\n", "a,b\n1,2\n3", "a\n\"x\r\ny\"", "a\rb\n1"]]
BASE64 = [q(s) for s in [
    "aGVsbG8=", "", "aGVsbG8", "/////w==", "-_8=", "aGk=\n", "a Gk=", "====",
    "aGVsbG8=x", "w6k=", "77u/eA==", "4oKs", "aA==", "aB==", "A", "AA", "a===",
    "ww==", "YQBiAA==", "/v8AYQ==", "//5hAA==", "gqA=", "gg=="]]
GZIPS = ['base64gzip("hello")', 'base64gzip("")', q("H4sIAAAAAAAA/8pIzcnJBwQAAP//"
                                               "hqYQNgUAAAA=")] + BASE64[:5]
ENCODINGS = [q(s) for s in """UTF-8 utf8 UTF-16LE UTF-16BE UTF-16 latin1
ISO-8859-1 ISO-8859-15 windows-1252 cp1252 us-ascii ascii Shift_JIS sjis
EUC-JP euc-kr gb18030 gbk gb2312 big5 koi8-r macintosh ibm866 nope UTF-32
utf-7 unicode x-user-defined replacement iso-8859-8-i hz-gb-2312 cp437
windows-31j iso-2022-jp ISO-10646-UCS-2 csUTF8 utf-16le""".split()] + [q("")]
PATHS = [q(s) for s in """a.txt data/a.txt ./a.txt /nope . .. data nope/x
data/../a.txt ~/x ~ ~user/x bin.dat tpl/self.tmpl tpl/list.tmpl tpl/bad.tmpl
tpl/rec.tmpl tpl/deep.tmpl //a//b/ / a/ é.txt empty.txt tpl/other.tmpl
tpl/in.tmpl bom.txt a/../.. C:\\x""".split()] + [q(""), q("a b")]
GLOBS = [q(s) for s in """* ** *.txt **/*.txt {a,b}.txt [ab].txt [!a]* ? data/*
[a- \\*.txt {a,{b,c}}.txt {a *.{txt,md} **/** ../* /* [^a]* [é]* [a-c].txt
[]a] */ {}.txt """.split()] + [q("")]
DELIMITERS = [q(s) for s in [",", "", " ", "\n", "bX", "é", "--", "a"]]
INTS = [q(s) for s in """10 ff FF zZ -7f 0x1f 0b1 1_0 777 + - +5 1.5 é Zz 9
123456789012345678901234567890 00""".split()] + [q(" 1"), q("")] + NUMBERS[:9]
BASES = "2 8 10 16 36 62 0 1 63 37 -1 1.5 3 1e3".split()
COUNTS = "0 1 2 3 -1 1.5 5 100 -2 1e20 0.5".split()
BITS = "0 1 2 4 8 16 24 32 33 64 96 128 -1 1.5 1000".split()
HOSTS = """0 1 5 -1 -2 255 256 65535 4294967295 18446744073709551616 1.5 -256
-257 340282366920938463463374607431768211455 1e40""".split()
UUIDS = [q(s) for s in """dns url oid x500 DNS
6ba7b810-9dad-11d1-80b4-00c04fd430c8 nope
{6ba7b810-9dad-11d1-80b4-00c04fd430c8} 6ba7b8109dad11d180b400c04fd430c8
urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8
6ba7b810-9dad-11d1-80b4-00c04fd430cg""".split()] + [q("")]
TEMPLATES = ["local.tpl", "local.tbad", "local.tpl2", q("plain"),
             'file("tpl/self.tmpl")', '"x${"y"}"', "local.us", "var.s",
             '"%%{ if a }"', '"$${a.b[0]}"']
KEYS = [q(s) for s in ["a", "b", "", "x y", "nope", "é", "1"]] + ["0", "null"]

TFVARS = [q(s) for s in [
    "a = 1", "a = 1\nb = [1, \"x\"]\n", "a = 1 b", "a = var.x", "b {}", "",
    "a = \"${1}\"", "a = <<EOT\nx\nEOT\n", "\"a\" = 1", "a = 1\na = 2", "a =",
    "# c\na = null", "a = upper(\"x\")", "a = { b = 1e3, \"c d\" = true }", "é = 1",
    "a = [for x in [1] : x]", "a = 1 + 1", "{\"a\": 1}", "a = -1", "a: 1"]]

# The pools of a function's parameters; the last is that of all further ones.
POOLS = {
    "cidrhost": [PREFIXES, HOSTS], "cidrnetmask": [PREFIXES],
    "cidrsubnet": [PREFIXES, BITS, HOSTS], "cidrsubnets": [PREFIXES, BITS],
    "cidrcontains": [PREFIXES, ADDRESSES + PREFIXES],
    "timeadd": [TIMES, DURATIONS], "timecmp": [TIMES, TIMES],
    "formatdate": [DATES, TIMES], "regex": [PATTERNS, STRINGS],
    "regexall": [PATTERNS, STRINGS],
    "replace": [STRINGS, SLASHED + STRINGS[:12], REPLACEMENTS],
    "format": [FORMATS, ANY], "formatlist": [FORMATS, LISTS + ANY],
    "yamldecode": [YAMLS], "jsondecode": [JSONS], "csvdecode": [CSVS],
    "base64decode": [BASE64], "base64gunzip": [GZIPS],
    "textencodebase64": [STRINGS, ENCODINGS],
    "textdecodebase64": [BASE64, ENCODINGS],
    "parseint": [INTS, BASES], "substr": [STRINGS, COUNTS, COUNTS],
    "range": [NUMBERS[:14] + COUNTS], "indent": [COUNTS, STRINGS],
    "split": [DELIMITERS, STRINGS], "join": [DELIMITERS, LISTS],
    "chunklist": [LISTS, COUNTS], "slice": [LISTS, COUNTS, COUNTS],
    "element": [LISTS, COUNTS], "uuidv5": [UUIDS, STRINGS],
    "lookup": [MAPS, KEYS, ANY], "contains": [LISTS, ANY],
    "index": [LISTS, ANY], "zipmap": [LISTS, LISTS], "merge": [MAPS],
    "keys": [MAPS], "values": [MAPS], "transpose": [MAPS],
    "templatestring": [TEMPLATES, MAPS + [
        '{ name = "n", xs = ["1"] }', '{ a = 1, b = "x" }', '{ "a b" = 1 }']],
    "templatefile": [PATHS, MAPS + ['{ x = "v", xs = ["1", "2"] }'] * 9],
    "fileset": [[q("data"), q("tpl"), q("nope"), q("a.txt")], GLOBS],
    "pathexpand": [PATHS],
    "dirname": [PATHS], "basename": [PATHS], "abspath": [PATHS[:10]],
    "urldecode": [[q(s) for s in "a+b %41 %zz % %C3%A9 %ff a%2".split()]],
    "sum": [LISTS], "max": [NUMBERS], "min": [NUMBERS], "sort": [LISTS],
    "setproduct": [LISTS], "concat": [LISTS], "flatten": [LISTS],
    "coalescelist": [LISTS], "coalesce": [ANY], "length": [LISTS + MAPS + STRINGS],
    "log": [NUMBERS, NUMBERS], "pow": [NUMBERS[:14] + COUNTS, COUNTS],
    "title": [STRINGS], "trim": [STRINGS, STRINGS], "reverse": [LISTS],
    "one": [LISTS], "matchkeys": [LISTS, LISTS, LISTS],
    "tonumber": [STRINGS + ANY], "tobool": [STRINGS[:14] + ANY],
    "yamlencode": [ANY + STRINGS + NUMBERS + YAMLS],
    "jsonencode": [ANY + STRINGS + NUMBERS],
    "tostring": [NUMBERS + ANY],
}
for name in ("file filebase64 filebase64sha256 filebase64sha512 filemd5 "
             "filesha1 filesha256 filesha512 fileexists").split():
    POOLS[name] = [PATHS]

# Not the same twice, or without a value here.
NOT_CALLED = {"timestamp", "plantimestamp", "uuid", "bcrypt", "rsadecrypt",
              "base64gzip"}
FILES = {
    "a.txt": "hello\n", "data/a.txt": "in data", "data/b.md": "b",
    "bin.dat": b"\xff\xfe\x00", "empty.txt": "", "é.txt": "é",
    "bom.txt": "\ufeffbom", "tpl/list.tmpl": "%{ for x in xs }[${x}]%{ endfor }",
    "tpl/self.tmpl": '${templatefile("tpl/self.tmpl", {})}',
    "tpl/bad.tmpl": "${x", "tpl/other.tmpl": "${x}${nope}",
    "tpl/rec.tmpl": '${templatefile("tpl/list.tmpl", { xs = [x] })}',
    "tpl/deep.tmpl": "%{ if x == 1 ~}\n  a\n%{ else }b%{ endif ~}\n",
    "tpl/in.tmpl": '${templatestring(x, {})} ${file("a.txt")}',
}
