/*
 * gzip_funcs.c - base64gunzip, base64gzip
 */
#include "base/base64.h"
#include "codec/gzip.h"
#include "funcs/funcs_int.h"
#include "lang/eval/func.h"
#include "value/marks.h"

static const struct value *do_base64gzip(struct func_call *c)
{
	struct str encoded;
	struct buf b = BUF_INIT;
	const char *wrong = gzip_pack(&b, arg_str(c, 0));

	encoded = base64_encode(c->arena, buf_view(&b));
	buf_release(&b);
	if (wrong)
		return func_fail(c, -1, "failed to gzip: %s", wrong);
	return value_string(c->arena, encoded);
}

const struct func func_base64gzip = {
	.name = "base64gzip",
	.description = "The string, compressed with gzip, in Base64.",
	.params = PARAMS({ "str", &type_string, 0, NULL }),
	.result = &type_string,
	.impl = do_base64gzip,
};

/* Limit of the unpacked size, which a text of a thousandth of it may reach. */
enum { GUNZIP_MAX = 1 << 30 };

static const struct value *do_base64gunzip(struct func_call *c)
{
	const struct marks *m = NULL;
	const struct value *v = func_unmark(c, 0, &m);
	struct buf b = BUF_INIT, out = BUF_INIT;
	const char *wrong;
	size_t bad;

	if (encoding_base64_read(&b, v->string, &bad)) {
		buf_release(&b);
		return func_fail(c, -1, "failed to decode base64 data %.*s",
				 STR_ARG(func_quote_unless_secret(
					 c->arena, v->string, m)));
	}
	wrong = "unexpected end of data";
	if (b.len)
		wrong = gzip_unpack(&out, buf_view(&b), GUNZIP_MAX);
	if (wrong)
		func_fail(c, -1, "failed to gunzip bytestream: %s", wrong);
	buf_release(&b);
	if (wrong) {
		buf_release(&out);
		return NULL;
	}
	return value_with_marks(c->arena, buf_value(c->arena, &out), m);
}

const struct func func_base64gunzip = {
	.name = "base64gunzip",
	.description =
		"The string that was compressed with gzip and encoded in Base64.",
	.params = PARAMS({ "str", &type_string, PARAM_MARKED, NULL }),
	.result = &type_string,
	.impl = do_base64gunzip,
};
