/* flatmap_test.c - attributes of states before version 4 */
#include "json/read.h"
#include "json/write.h"
#include "state/flatmap.h"
#include "test.h"
#include "value/type.h"

#define UNKNOWN "74D93920-ED26-11E3-AC10-0800200C9A66"

/* An object with the attribute v of the type; its JSON, "-" where there is
 * none.  Quotes are ' in all of them. */
static void check(const char *type, const char *flat, const char *want)
{
	struct arena a = ARENA_INIT;
	struct json_error err;
	struct buf b = BUF_INIT, text = BUF_INIT;
	struct jw w = JW_INIT(&b);
	const struct json *j;

	buf_addf(&text, "[['object',{'v':%s}],{%s}]", type, flat);
	for (size_t i = 0; i < text.len; i++)
		if (text.p[i] == '\'')
			text.p[i] = '"';
	j = json_parse(&a, buf_view(&text), &err);
	j = flatmap_json(&a, &j->items[1], type_from_json(&a, &j->items[0]));
	if (j)
		jw_json(&w, j);
	else
		buf_puts(&b, "-");
	for (size_t i = 0; i < b.len; i++)
		if (b.p[i] == '"')
			b.p[i] = '\'';
	CHECK_STR(buf_view(&b), want);
	buf_release(&b);
	buf_release(&text);
	arena_release(&a);
}

static void test_primitive(void)
{
	check("'string'", "'v':'x','w':'y'", "{'v':'x'}");
	check("'string'", "'v':''", "{'v':''}");
	check("'number'", "'v':'3'", "{'v':'3'}");
	check("'string'", "'w':'x'", "{'v':null}");
	check("'string'", "'v':'" UNKNOWN "'", "{'v':null}");
	check("'dynamic'", "'v':'x'", "-");
}

static void test_sequences(void)
{
	check("['list','string']", "'v.#':'2','v.1':'b','v.0':'a'",
	      "{'v':['a','b']}");
	check("['list','string']", "'v.#':'0'", "{'v':[]}");
	check("['list','string']", "'v.0':'a'", "{'v':null}");
	check("['list','string']", "'v.#':'" UNKNOWN "'", "{'v':null}");
	check("['list','string']", "'v.#':'2x','v.0':'a'", "-");
	check("['list','string']", "'v.#':'','v.0':'a'", "-");
	check("['list','string']", "'v.#':'99999999','v.0':'a'", "-");
	check("['tuple',['string','number']]",
	      "'v.#':'2','v.0':'a','v.1':'1'", "{'v':['a','1']}");
	check("['tuple',['string','number']]", "'v.#':'1','v.0':'a'", "-");
	check("['tuple',[]]", "'v.#':'0'", "{'v':[]}");
	check("['list',['list','string']]",
	      "'v.#':'1','v.0.#':'1','v.0.0':'a'", "{'v':[['a']]}");
}

static void test_sets(void)
{
	check("['set','string']", "'v.#':'2','v.17':'a','v.4':'b','v2.5':'c'",
	      "{'v':['a','b']}");
	check("['set','string']", "'v.#':'0'", "{'v':[]}");
	check("['set','string']", "'v.17':'a'", "{'v':null}");
	check("['set',['object',{'a':'string','b':'string'}]]",
	      "'v.#':'2','v.1.a':'x','v.1.b':'y','v.20.a':'z'",
	      "{'v':[{'a':'x','b':'y'},{'a':'z','b':null}]}");
	/* of an empty object there is nothing but the count */
	check("['set',['object',{'a':'string'}]]", "'v.#':'1'",
	      "{'v':[{'a':null}]}");
	check("['set',['list','string']]", "'v.#':'1','v.7.#':'x'", "-");
}

static void test_maps(void)
{
	check("['map','string']", "'v.%':'2','v.a':'x','v.b.c':'y'",
	      "{'v':{'a':'x','b.c':'y'}}");
	check("['map','string']", "'v.%':'0'", "{'v':{}}");
	check("['map','string']", "'v.a':'x'", "{'v':null}");
	check("['map','string']", "'v.%':'" UNKNOWN "','v.a':'x'",
	      "{'v':null}");
	check("['object',{'a':'string','b':['list','string']}]",
	      "'v.a':'x','v.b.#':'1','v.b.0':'y'", "{'v':{'a':'x','b':['y']}}");
	check("['object',{'a':'string'}]", "", "{'v':{'a':null}}");
}

int main(void)
{
	RUN(test_primitive());
	RUN(test_sequences());
	RUN(test_sets());
	RUN(test_maps());
	return test_done("flatmap");
}
