/* gzip_test.c - see codec/gzip.h */
#include "codec/gzip.h"
#include "test.h"

static const char *there_and_back(struct str in, size_t max, struct buf *out)
{
	struct buf packed = BUF_INIT;
	const char *wrong = gzip_pack(&packed, in);

	if (!wrong)
		wrong = gzip_unpack(out, buf_view(&packed), max);
	buf_release(&packed);
	return wrong;
}

static void test_max(void)
{
	enum { N = 200000 }; /* some blocks, the last one not full */
	struct buf in = BUF_INIT, out = BUF_INIT;

	for (int i = 0; i < N; i++)
		buf_putc(&in, (char)('a' + i % 26));
	CHECK(!there_and_back(buf_view(&in), N, &out));
	CHECK(str_eq(buf_view(&in), buf_view(&out)));
	buf_set_len(&out, 0);
	CHECK_STR(str_c(there_and_back(buf_view(&in), N - 1, &out)),
		  "the result is too large");
	buf_release(&in);
	buf_release(&out);
}

static void test_members(void)
{
	struct buf packed = BUF_INIT, out = BUF_INIT;
	struct str cut;

	gzip_pack(&packed, STR("one"));
	gzip_pack(&packed, STR("two"));
	CHECK(!gzip_unpack(&out, buf_view(&packed), 6));
	CHECK(str_is(buf_view(&out), "onetwo"));
	cut = str_sub(buf_view(&packed), 0, packed.len - 1);
	CHECK_STR(str_c(gzip_unpack(&out, cut, 6)), "unexpected end of data");
	buf_release(&packed);
	buf_release(&out);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_max());
	RUN(test_members());
	return test_done("gzip");
}
