/*
 * numeric_funcs.c - abs, ceil, floor, log, max, min, parseint, pow, range,
 * signum
 *
 * log and pow compute in double precision with the operations of gomath.c, so
 * that the last digit is the ecosystem's on every machine; all else is exact.
 */
#include <ctype.h>
#include <math.h>

#include "funcs/funcs_int.h"
#include "lang/eval/func.h"
#include "value/marks.h"
#include "value/number.h"
#include "value/type.h"

/* A number from an mpfr_t; minus zero becomes zero. */
static const struct value *from_mpfr(struct arena *a, mpfr_ptr n)
{
	return mpfr_zero_p(n) ? &value_zero : number_new(a, n);
}

static const struct value *do_abs(struct func_call *c)
{
	const struct marks *m;
	const struct value *v = value_unmark(c->arena, c->args[0], &m);
	mpfr_t n;

	if (v->big) {
		mpfr_init2(n, number_bits(v));
		number_get(n, v);
		mpfr_abs(n, n, MPFR_RNDN);
		v = from_mpfr(c->arena, n);
		mpfr_clear(n);
	} else if (v->integer < 0) {
		v = number_neg(c->arena, v);
	}
	return value_with_marks(c->arena, v, m);
}

const struct func func_abs = {
	.name = "abs",
	.description = "The absolute value of a number.",
	.params = PARAMS(
		{ "num", &type_number, PARAM_DYNAMIC | PARAM_MARKED, NULL }),
	.result = &type_number,
	.impl = do_abs,
};

static const struct value *round_to(struct func_call *c, mpfr_rnd_t rnd)
{
	const struct value *v = c->args[0];
	mpfr_t n;

	if (!v->big)
		return v;
	mpfr_init2(n, number_bits(v));
	number_get(n, v);
	mpfr_rint(n, n, rnd);
	v = from_mpfr(c->arena, n);
	mpfr_clear(n);
	return v;
}

static const struct value *do_ceil(struct func_call *c)
{
	return round_to(c, MPFR_RNDU);
}

const struct func func_ceil = {
	.name = "ceil",
	.description =
		"The smallest whole number that is not less than the given one.",
	.params = PARAMS({ "num", &type_number, 0, NULL }),
	.result = &type_number,
	.impl = do_ceil,
};

static const struct value *do_floor(struct func_call *c)
{
	return round_to(c, MPFR_RNDD);
}

const struct func func_floor = {
	.name = "floor",
	.description =
		"The greatest whole number that is not greater than the given one.",
	.params = PARAMS({ "num", &type_number, 0, NULL }),
	.result = &type_number,
	.impl = do_floor,
};

/* Argument i as a double; -1 with the call failed if it is out of range. An
 * infinity stays one. */
static int arg_double(struct func_call *c, size_t i, double *out)
{
	*out = value_get_double(c->args[i]);
	if (isinf(*out) && !number_is_infinite(c->args[i])) {
		const char *most =
			arena_printf(c->arena, "%f", 0x1.fffffffffffffp+1023);

		func_fail(c, -1, "value must be between -%s and %s inclusive",
			  most, most);
		return -1;
	}
	return 0;
}

static const struct value *from_double(struct func_call *c, double d)
{
	if (isnan(d))
		return func_fail(c, -1, "the result is not a number");
	return value_double(c->arena, d);
}

static const struct value *do_log(struct func_call *c)
{
	double num, base;

	if (arg_double(c, 0, &num) || arg_double(c, 1, &base))
		return NULL;
	return from_double(c, gomath_log(num) / gomath_log(base));
}

const struct func func_log = {
	.name = "log",
	.description = "The logarithm of a number in the given base.",
	.params = PARAMS({ "num", &type_number, 0, NULL },
			 { "base", &type_number, 0, NULL }),
	.result = &type_number,
	.impl = do_log,
};

static const struct value *do_pow(struct func_call *c)
{
	double num, power;

	if (arg_double(c, 0, &num) || arg_double(c, 1, &power))
		return NULL;
	return from_double(c, gomath_pow(num, power));
}

const struct func func_pow = {
	.name = "pow",
	.description = "The first number raised to the power of the second.",
	.params = PARAMS({ "num", &type_number, 0, NULL },
			 { "power", &type_number, 0, NULL }),
	.result = &type_number,
	.impl = do_pow,
};

static const struct value *do_signum(struct func_call *c)
{
	int64_t n;

	if (!value_get_int(c->args[0], &n))
		return func_fail(c, -1, WHOLE_NUMBER);
	return value_int(c->arena, (n > 0) - (n < 0));
}

const struct func func_signum = {
	.name = "signum",
	.description = "-1, 0 or 1, the sign of a whole number.",
	.params = PARAMS({ "num", &type_number, 0, NULL }),
	.result = &type_number,
	.impl = do_signum,
};

/* The number with the smallest (sign -1) or greatest (1) value. */
static const struct value *extreme(struct func_call *c, int sign)
{
	const struct value *best;

	if (c->nargs == 0)
		return func_fail(c, -1, "must pass at least one number");
	best = c->args[0];
	for (size_t i = 1; i < c->nargs; i++) {
		if (number_cmp(c->args[i], best) * sign > 0)
			best = c->args[i];
	}
	return best;
}

static const struct value *do_max(struct func_call *c)
{
	return extreme(c, 1);
}

const struct func func_max = {
	.name = "max",
	.description = "The greatest of the given numbers.",
	.params = NO_PARAMS,
	.variadic = PARAM("numbers", &type_number, PARAM_DYNAMIC, NULL),
	.result = &type_number,
	.impl = do_max,
};

static const struct value *do_min(struct func_call *c)
{
	return extreme(c, -1);
}

const struct func func_min = {
	.name = "min",
	.description = "The smallest of the given numbers.",
	.params = NO_PARAMS,
	.variadic = PARAM("numbers", &type_number, PARAM_DYNAMIC, NULL),
	.result = &type_number,
	.impl = do_min,
};

static const struct type *parseint_type(struct func_call *c)
{
	const struct type *t = c->args[0]->type;

	if (t == &type_string)
		return &type_number;
	return func_fail_type(c, 0, "first argument must be a string, not %.*s",
			      STR_ARG(type_friendly(c->arena, t)));
}

/* The value of a digit: letters continue after 9, above base 36 in the order
 * a-z, A-Z. 99 for anything else. */
static int digit_value(unsigned char ch, int64_t base)
{
	if (isdigit(ch))
		return ch - '0';
	if (ch >= 'a' && ch <= 'z')
		return ch - 'a' + 10;
	if (ch >= 'A' && ch <= 'Z')
		return ch - 'A' + (base <= 36 ? 10 : 36);
	return 99;
}

/* At the precision that the number needs, but at least 64 bits, as OpenTofu
 * does it.  MPFR has the letters of bases above 36 the other way round. */
static const struct value *parse_integer(struct arena *a, struct str s,
					 int64_t base)
{
	size_t bits = s.n * 6 < NUMBER_BITS ? NUMBER_BITS : s.n * 6;
	char *digits = arena_strndup(a, s.p, s.n), *p = digits;
	const struct value *v;
	mpfr_t n;

	p += *p == '-' || *p == '+';
	if (!*p)
		return NULL;
	for (; *p; p++) {
		if (digit_value((unsigned char)*p, base) >= base)
			return NULL;
		if (base > 36 && isalpha((unsigned char)*p))
			*p ^= 'a' ^ 'A';
	}
	if (p != digits + s.n) /* U+0000 inside */
		return NULL;
	mpfr_init2(n, (mpfr_prec_t)bits);
	mpfr_strtofr(n, digits, NULL, (int)base, MPFR_RNDN);
	bits = mpfr_zero_p(n) ? 64 : (size_t)mpfr_get_exp(n);
	mpfr_prec_round(n, (mpfr_prec_t)(bits < 64 ? 64 : bits), MPFR_RNDN);
	v = from_mpfr(a, n);
	mpfr_clear(n);
	return v;
}

static const struct value *do_parseint(struct func_call *c)
{
	const struct marks *nm, *bm;
	const struct value *num, *base, *r;
	int64_t b;

	if (!parseint_type(c))
		return NULL;
	num = value_unmark(c->arena, c->args[0], &nm);
	base = value_unmark(c->arena, c->args[1], &bm);
	if (!value_get_int(base, &b))
		return func_fail(c, 1, WHOLE_NUMBER);
	if (b < 2 || b > 62)
		return func_fail(
			c, 1,
			"base must be a whole number between 2 and 62 inclusive");
	r = parse_integer(c->arena, num->string, b);
	if (!r) {
		struct str digits =
			func_quote_unless_secret(c->arena, num->string, nm);

		return func_fail(
			c, 0, "cannot parse %.*s as a base %.*s integer",
			STR_ARG(digits),
			STR_ARG(bm ? func_quote_unless_secret(c->arena,
							      STR_NONE, bm)
				   : value_number_text(c->arena, base)));
	}
	return value_with_marks(c->arena, r, marks_union(c->arena, nm, bm));
}

const struct func func_parseint = {
	.name = "parseint",
	.description = "The whole number that a string of digits means in "
		       "the given base (2 to 62).",
	.params = PARAMS({ "number", &type_dynamic, PARAM_MARKED, NULL },
			 { "base", &type_number, PARAM_MARKED, NULL }),
	.result_type = parseint_type,
	.impl = do_parseint,
};

struct range_limits {
	const struct value *start, *end, *step;
	bool down;
};

/* Sorts out the arguments of range(); -1 with the call failed. */
static int range_limits(struct func_call *c, struct range_limits *l)
{
	size_t n = c->nargs;

	if (n < 1 || n > 3) {
		func_fail(c, -1, "must have one, two, or three arguments");
		return -1;
	}
	l->start = n == 1 ? &value_zero : c->args[0];
	l->end = n == 1 ? c->args[0] : c->args[1];
	l->step = n == 3 ? c->args[2]
			 : value_int(c->arena,
				     number_cmp(l->end, l->start) < 0 ? -1 : 1);
	/* A step of zero is detected later, when it makes no progress. */
	l->down = number_sign(l->step) < 0;
	if (l->down && number_cmp(l->end, l->start) > 0) {
		func_fail(c, 1,
			  "end must be less than start when step is negative");
		return -1;
	}
	if (!l->down && number_cmp(l->end, l->start) < 0) {
		func_fail(
			c, 1,
			"end must be greater than start when step is positive");
		return -1;
	}
	return 0;
}

static const struct value *do_range(struct func_call *c)
{
	const struct value *items[1024], *num;
	struct range_limits l;
	size_t n = 0;

	if (range_limits(c, &l))
		return NULL;
	for (num = l.start;; num = number_add(c->arena, num, l.step)) {
		int order;

		if (!num)
			return func_fail(
				c, -1,
				"there is nothing between opposing infinities");
		order = number_cmp(num, l.end);
		if (l.down ? order <= 0 : order >= 0)
			break;
		if (n == 1024)
			return func_fail(c, -1,
					 "more than 1024 values were "
					 "generated; either decrease the "
					 "difference between start and end or "
					 "use a smaller step");
		items[n++] = num;
	}
	return value_list(c->arena, &type_number, items, n);
}

const struct func func_range = {
	.name = "range",
	.description = "A list of numbers from a start (0 if not given) up "
		       "to, not including, an end, in steps (of 1 if not "
		       "given).",
	.params = NO_PARAMS,
	.variadic = PARAM("params", &type_number, 0, NULL),
	.result = &type_list_number,
	.impl = do_range,
};
