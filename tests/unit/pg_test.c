/* pg_test.c - connection strings and names of PostgreSQL */
#include "pg/pg.h"
#include "test.h"

/* The settings as NAME=VALUE with commas; "-": the text is refused. */
static void check(const char *text, const char *want)
{
	struct arena a = ARENA_INIT;
	struct pg_settings s = { 0 };
	struct buf out = BUF_INIT;

	if (pg_settings_parse(&a, str_c(text), &s))
		buf_puts(&out, "-");
	else
		for (size_t i = 0; i < s.len; i++)
			buf_addf(&out, "%s%.*s=%.*s", i ? "," : "",
				 STR_ARG(s.items[i].name),
				 STR_ARG(s.items[i].value));
	CHECK_STR(buf_view(&out), want);
	buf_release(&out);
	arena_release(&a);
}

static void test_urls(void)
{
	check("postgres://", "");
	check("postgres://h", "host=h");
	check("postgresql://u:p@h:1/d", "user=u,password=p,host=h,port=1,dbname=d");
	check("postgres://u%40x:p%3a%2f@h/d%20d",
	      "user=u@x,password=p:/,host=h,dbname=d d");
	check("postgres://u:p@q@h/d", "user=u,password=p@q,host=h,dbname=d");
	check("postgres://u@/d?host=/run/pg", "user=u,dbname=d,host=/run/pg");
	check("postgres://[::1]:5/d", "host=::1,port=5,dbname=d");
	check("postgres://a:1,b/d", "host=a,b,port=1,,dbname=d");
	check("postgres://h/d?sslmode=disable&options=-c+a%3Db",
	      "host=h,dbname=d,sslmode=disable,options=-c a=b");
	check("postgres://h?sslmode=disable", "host=h,sslmode=disable");
	check("postgres://u:p%zz@h", "-");
	check("postgres://u:p%0@h", "-");
	check("postgres://u:p%00@h", "-");
	check("postgres://[::1/d", "-");
}

static void test_pairs(void)
{
	check("host=h  port = 1", "host=h,port=1");
	check("password='a b\\'c' user=u\\ v", "password=a b'c,user=u v");
	check("password=''", "password=");
	check(" ", "");
	check("host", "-");
	check("=h", "-");
	check("password='a", "-");
	check("mysql://h", "-");
}

static void test_quote(void)
{
	struct arena a = ARENA_INIT;

	CHECK_STR(pg_quote(&a, STR("a\"b")), "\"a\"\"b\"");
	arena_release(&a);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_urls());
	RUN(test_pairs());
	RUN(test_quote());
	return test_done("pg");
}
