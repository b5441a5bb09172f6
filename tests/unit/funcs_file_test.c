/*
 * funcs_file_test.c - functions of paths, files and templates, in a directory
 * made for the test
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "funcs_rows.h"

/* The files: names in order, directories before what is in them. */
static const struct made {
	const char *name;
	const char *text; /* NULL: a directory */
	const char *link; /* instead: a symbolic link to this */
} made[] = {
	{ "a.txt", "hello\n", NULL },
	{ "b.json", "{}", NULL },
	{ ".hidden", "", NULL },
	{ "[x].txt", "", NULL },
	{ "bytes", "\xff\xfe", NULL },
	{ "sub", NULL, NULL },
	{ "sub/c.txt", "c", NULL },
	{ "sub/deep", NULL, NULL },
	{ "sub/deep/d.txt", "d", NULL },
	{ "sub/deep/e.tf", "e", NULL },
	{ "sub/deep/round", NULL, ".." },
	{ "linked.txt", NULL, "a.txt" },
	{ "linkdir", NULL, "sub/deep" },
	{ "gonedir", NULL, NULL },
	{ "gonedir/gone", NULL, "nowhere" },
	{ "t", NULL, NULL },
	{ "t/plain.tftpl", "Hello, ${name}!", NULL },
	{ "t/loop.tftpl", "%{ for x in xs ~}\n${x};\n%{ endfor ~}\n", NULL },
	{ "t/one.tftpl", "${xs}", NULL },
	{ "t/broken.tftpl", "a\n${name", NULL },
	{ "t/wrong.tftpl", "${1 + name}", NULL },
	{ "t/outer.tftpl", "<${templatefile(\"t/plain.tftpl\", "
			   "{ name = name })}>", NULL },
	{ "t/self.tftpl", "${templatefile(\"t/self.tftpl\", {})}", NULL },
	{ "t/down.tftpl", "${n == 0 ? \"end\" : templatefile("
			  "\"t/down.tftpl\", { n = n - 1 })}", NULL },
};

static const struct row paths[] = {
	{ "basename(\"/a/b.txt\")", "\"b.txt\"" },
	{ "basename(\"a/b/\")", "\"b\"" },
	{ "basename(\"\")", "\".\"" },
	{ "basename(\"///\")", "\"/\"" },
	{ "dirname(\"/a/b.txt\")", "\"/a\"" },
	{ "dirname(\"a/../b/c\")", "\"b\"" },
	{ "dirname(\"a\")", "\".\"" },
	{ "dirname(\"\")", "\".\"" },
	{ "dirname(\"/\")", "\"/\"" },
	{ "dirname(\"a/b/\")", "\"a/b\"" },
	{ "abspath(\"/a/./b/../c//d/\")", "\"/a/c/d\"" },
	{ "abspath(\"/../..\")", "\"/\"" },
	{ "basename(abspath(\"sub/../x\"))", "\"x\"" },
	{ "dirname(abspath(\"x\")) == abspath(\".\")", "true" },
	{ "pathexpand(\"~\")", "\"/home/someone\"" },
	{ "pathexpand(\"~/a/../b\")", "\"/home/someone/b\"" },
	{ "pathexpand(\"a/~\")", "\"a/~\"" },
	{ "pathexpand(\"\")", "\"\"" },
	{ "pathexpand(\"~other/x\")", "!cannot expand user-specific home" },
};

static const struct row contents[] = {
	{ "file(\"a.txt\")", "<<EOT\nhello\n\nEOT" },
	{ "file(\"./sub/../sub/c.txt\")", "\"c\"" },
	{ "file(\"linked.txt\") == file(\"a.txt\")", "true" },
	{ "file(\".hidden\")", "\"\"" },
	{ "file(\"missing\")", "!no file exists at \"missing\"" },
	{ "file(\"gonedir/gone\")", "!no file exists at \"gonedir/gone\"" },
	{ "file(\"sub\")", "!failed to read file \"sub\"" },
	{ "file(\"a.txt/x\")", "!failed to read file \"a.txt/x\"" },
	{ "file(\"bytes\")", "!contents of \"bytes\" are not valid UTF-8" },
	{ "file(sensitive(\"a.txt\"))", "(sensitive value)" },
	{ "file(sensitive(\"missing\"))", "!no file exists at (sensitive" },
	{ "file(u_str)", "(known after apply) string not null" },
	{ "file(null)", "!Invalid function argument" },
	{ "filebase64(\"a.txt\")", "\"aGVsbG8K\"" },
	{ "filebase64(\"bytes\")", "\"//4=\"" },
	{ "filebase64(\"missing\")", "!no file exists at \"missing\"" },
	{ "fileexists(\"a.txt\")", "true" },
	{ "fileexists(\"linked.txt\")", "true" },
	{ "fileexists(\"missing\")", "false" },
	{ "fileexists(\"gonedir/gone\")", "false" },
	{ "fileexists(\"sub\")", "!is a directory, not a file" },
	{ "fileexists(\"/dev/null\")", "!is a device node" },
	{ "fileexists(sensitive(\"a.txt\"))", "(sensitive value)" },
	{ "filemd5(\"a.txt\") == md5(file(\"a.txt\"))", "true" },
	{ "filesha1(\"a.txt\") == sha1(file(\"a.txt\"))", "true" },
	{ "filesha256(\"a.txt\") == sha256(file(\"a.txt\"))", "true" },
	{ "filesha512(\"a.txt\") == sha512(file(\"a.txt\"))", "true" },
	{ "filebase64sha256(\"a.txt\") == base64sha256(\"hello\\n\")",
	  "true" },
	{ "filebase64sha512(\"a.txt\") == base64sha512(\"hello\\n\")",
	  "true" },
	{ "filemd5(\"bytes\")", "\"f3b25701fe362ec84616a93a45ce9998\"" },
	{ "filesha1(\"missing\")", "!no file exists at \"missing\"" },
	{ "base64gunzip(filebase64(\"a.txt\"))", "!Error in function call" },
};

static const struct row filesets[] = {
	{ "join(\" \", fileset(\".\", \"*\"))",
	  "\".hidden [x].txt a.txt b.json bytes linked.txt\"" },
	{ "join(\" \", fileset(\".\", \"*.txt\"))",
	  "\"[x].txt a.txt linked.txt\"" },
	{ "join(\" \", fileset(\".\", \"?.*\"))", "\"a.txt b.json\"" },
	{ "join(\" \", fileset(\".\", \"[ab].*\"))", "\"a.txt b.json\"" },
	{ "join(\" \", fileset(\".\", \"[^a].json\"))", "\"b.json\"" },
	{ "join(\" \", fileset(\".\", \"[c-z].json\"))", "\"\"" },
	{ "join(\" \", fileset(\".\", \"\\\\[x].txt\"))", "\"[x].txt\"" },
	{ "join(\" \", fileset(\".\", \"{a,b}.{txt,json}\"))",
	  "\"a.txt b.json\"" },
	{ "join(\" \", fileset(\".\", \"{sub/*,a}.txt\"))",
	  "\"a.txt sub/c.txt\"" },
	{ "join(\" \", fileset(\".\", \"sub/*\"))", "\"sub/c.txt\"" },
	{ "join(\" \", fileset(\"sub\", \"**/*.txt\"))",
	  "\"c.txt deep/d.txt\"" },
	{ "join(\" \", fileset(\"sub\", \"deep/*.tf\"))", "\"deep/e.tf\"" },
	{ "join(\" \", fileset(\"sub/deep\", \"../c.txt\"))",
	  "\"../c.txt\"" },
	{ "join(\" \", fileset(\"linkdir\", \"*\"))", "\"d.txt e.tf\"" },
	{ "join(\" \", fileset(\".\", \"linkdir/*\"))",
	  "\"linkdir/d.txt linkdir/e.tf\"" },
	{ "fileset(\"t\", \"**\") == fileset(\"t\", \"*\")", "true" },
	{ "length(fileset(\"missing\", \"*\"))", "0" },
	{ "fileset(\".\", \"a.txt\")", "toset([\n  \"a.txt\",\n])" },
	{ "fileset(\".\", \"gonedir/gone\")", "toset([])" },
	{ "fileset(\"gonedir\", \"*\")", "!failed to stat" },
	{ "fileset(\".\", \"[\")", "!failed to glob pattern \"[\"" },
	{ "fileset(\".\", \"a{\")", "!failed to glob pattern" },
	{ "fileset(\".\", \"{\\\"a[1,b]}\")", "toset([])" },
	{ "fileset(\".\", \"\")", "toset([])" },
	{ "fileset(sensitive(\"sub\"), \"*\")", "(sensitive value)" },
	{ "fileset(\"sub\", u_str)",
	  "(known after apply) set of string not null" },
};

static const struct row templates[] = {
	{ "templatefile(\"t/plain.tftpl\", { name = \"x\" })",
	  "\"Hello, x!\"" },
	{ "templatefile(\"t/plain.tftpl\", tomap({ name = 5 }))",
	  "\"Hello, 5!\"" },
	{ "templatefile(\"t/loop.tftpl\", { xs = [\"a\", \"b\"] })",
	  "<<EOT\na;\nb;\n\nEOT" },
	{ "templatefile(\"t/one.tftpl\", { xs = [1, true] })",
	  "[\n  1,\n  true,\n]" },
	{ "templatefile(\"t/outer.tftpl\", { name = \"x\" })",
	  "\"<Hello, x!>\"" },
	{ "templatefile(\"t/plain.tftpl\", {})",
	  "!vars map does not contain key \"name\", referenced at "
	  "t/plain.tftpl:1,10-14" },
	{ "templatefile(\"t/plain.tftpl\", { name = [] })",
	  "!t/plain.tftpl:1,10-14: Invalid template interpolation value" },
	{ "templatefile(\"t/broken.tftpl\", { name = 1 })",
	  "!t/broken.tftpl:1,1-2,1: Unclosed" },
	{ "templatefile(\"t/wrong.tftpl\", { name = \"a\" })",
	  "!t/wrong.tftpl:1" },
	{ "templatefile(\"t/plain.tftpl\", { \"1\" = 1 })",
	  "!invalid template variable name \"1\"" },
	{ "templatefile(\"t/plain.tftpl\", [])", "!invalid vars value" },
	{ "templatefile(\"t/plain.tftpl\", { name = s_str })",
	  "(sensitive value)" },
	{ "templatefile(\"t/plain.tftpl\", { name = u_str })",
	  "(known after apply) string not null prefix Hello, " },
	{ "templatefile(\"t/missing.tftpl\", {})", "!no file exists at" },
	{ "templatefile(\"bytes\", {})", "!not valid UTF-8" },
	{ "templatefile(\"t/down.tftpl\", { n = 100 })", "\"end\"" },
	{ "templatestring(\"a$${x}\", { x = 1 })", "\"a1\"" },
	{ "templatestring(\"$${[for v in xs : upper(v)]}\", "
	  "{ xs = [\"a\"] })", "[\n  \"A\",\n]" },
	{ "templatestring(\"$${x}\", {})",
	  "!vars map does not contain key \"x\"" },
	{ "templatestring(s_str, {})", "(sensitive value)" },
	{ "templatestring(u_str, {})", "(known after apply) dynamic" },
	{ "templatestring(\"$${u_str}\", {})", "!does not contain key" },
};

static int make_files(void)
{
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
		const struct made *m = &made[i];
		FILE *f;

		if (m->link ? symlink(m->link, m->name)
			    : !m->text && mkdir(m->name, 0700))
			return -1;
		if (!m->text)
			continue;
		f = fopen(m->name, "w");
		if (!f || fputs(m->text, f) == EOF || fclose(f))
			return -1;
	}
	return 0;
}

static void remove_files(void)
{
	for (size_t i = sizeof(made) / sizeof(made[0]); i-- > 0;)
		CHECK_ROW(remove(made[i].name) == 0, made[i].name);
}

static void test_recursion(void)
{
	static const struct row endless = {
		"templatefile(\"t/self.tftpl\", {})",
		"!maximum recursion depth 1024 reached"
	}, limited = {
		"templatefile(\"t/down.tftpl\", { n = 5 })",
		"!maximum recursion depth 3 reached"
	}, allowed = {
		"templatefile(\"t/down.tftpl\", { n = 3 })", "\"end\""
	}, invalid = {
		"templatefile(\"t/down.tftpl\", { n = 0 })",
		"!invalid value for TF_TEMPLATE_RECURSION_DEPTH: \"x\""
	};

	check_row(&endless);
	CHECK(setenv("TF_TEMPLATE_RECURSION_DEPTH", "3", 1) == 0);
	check_row(&limited);
	check_row(&allowed);
	CHECK(setenv("TF_TEMPLATE_RECURSION_DEPTH", "x", 1) == 0);
	check_row(&invalid);
	CHECK(unsetenv("TF_TEMPLATE_RECURSION_DEPTH") == 0);
}

int main(int argc, char **argv)
{
	char dir[] = "/tmp/funcs_file_test.XXXXXX";

	test_begin(argc, argv);
	if (!mkdtemp(dir) || chdir(dir) || make_files() ||
	    setenv("HOME", "/home/someone", 1)) {
		test_note("cannot make %s: %s", dir, strerror(errno));
		return 1;
	}
	RUN(CHECK_ROWS(paths));
	RUN(CHECK_ROWS(contents));
	RUN(CHECK_ROWS(filesets));
	RUN(CHECK_ROWS(templates));
	RUN(test_recursion());
	remove_files();
	CHECK(chdir("/") == 0 && rmdir(dir) == 0);
	return test_done("funcs_file");
}
