/* driver_test.c - the words of a command line */
#include "driver/driver_int.h"
#include "test.h"

static struct arena a = ARENA_INIT;

/* The words, each in brackets. */
static const char *split(const char *text)
{
	struct str_vec words = { 0 };
	struct buf b = BUF_INIT;
	const char *wrong = shell_split(&a, str_c(text), &words), *out;

	for (size_t i = 0; i < words.len; i++)
		buf_addf(&b, "[%.*s]", STR_ARG(words.items[i]));
	out = wrong ? arena_printf(&a, "wrong: %s", wrong)
		    : arena_strndup(&a, b.p, b.len);
	buf_release(&b);
	return out ? out : "";
}

static void splits(void)
{
	static const char *const cases[][2] = {
		{ "", "" },
		{ "  \t\n ", "" },
		{ "-a  -b=c", "[-a][-b=c]" },
		{ "'a b' \"c d\"", "[a b][c d]" },
		{ "-var='x=\"y z\"'", "[-var=x=\"y z\"]" },
		{ "-var x=pa$word", "[-var][x=pa$word]" },
		{ "`id`", "[`id`]" },
		{ "`id -u` b", "[`id -u`][b]" },
		{ "$(id -u) b", "[$(id -u)][b]" },
		{ "a[0] *", "[a[0]][*]" },
		{ "a\\ b", "[a b]" },
		{ "'a\\b'", "[a\\b]" },
		{ "\"a\\\"b\"", "[a\"b]" },
		{ "'' \"\"", "[][]" },
		{ "a''b", "[ab]" },
		{ "a;b", "wrong: ';' has to be quoted" },
		{ "a|b", "wrong: '|' has to be quoted" },
		{ "a &", "wrong: '&' has to be quoted" },
		{ "'a;b'", "[a;b]" },
		{ "'a", "wrong: a ' is not closed" },
		{ "\"a", "wrong: a \" is not closed" },
		{ "`a", "wrong: a ` is not closed" },
		{ "a\\", "wrong: it ends with a backslash" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		CHECK_STR(str_c(split(cases[i][0])), cases[i][1]);
}

static void quotes(void)
{
	struct buf b = BUF_INIT;

	shell_quote(&b, STR("it's $HOME `x` \\ \"\n"));
	CHECK_STR(buf_view(&b), "'it'\\''s $HOME `x` \\ \"\n'");
	buf_release(&b);
}

/* Tables are looked through in order, and help shows them in it. */
static void tables_are_sorted(void)
{
	struct word_options o;

	for (unsigned bit = 1; bit <= CMD_VERSION; bit <<= 1) {
		const struct opt *p = run_options_table(&a, bit, &o);

		CHECK(p->name != NULL);
		for (; p->name && p[1].name; p++)
			CHECK(strcmp(p->name, p[1].name) < 0);
	}
}

static void commands_are_found(void)
{
	struct str_vec words = { 0 };
	size_t n;

	vec_push(&a, &words, STR("state"));
	vec_push(&a, &words, STR("mv"));
	vec_push(&a, &words, STR("list"));
	CHECK_STR(str_c(command_find(&words, &n)->name), "state mv");
	CHECK(n == 2);
	words.items[1] = STR("mov");
	CHECK_STR(str_c(command_find(&words, &n)->name), "state");
	CHECK(n == 1);
	words.items[0] = STR("run-apply");
	CHECK(command_find(&words, &n) == NULL);
	CHECK(str_is(command_suggest(&a, "", STR("aply")), "apply"));
	CHECK(str_is(command_suggest(&a, "state", STR("lst")), "list"));
	CHECK(!command_suggest(&a, "", STR("frobnicate")).n);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(splits());
	RUN(quotes());
	RUN(tables_are_sorted());
	RUN(commands_are_found());
	arena_release(&a);
	return test_done("driver");
}
