/*
 * ip_funcs.c - cidrcontains, cidrhost, cidrnetmask, cidrsubnet, cidrsubnets
 *
 * Host and subnet numbers are taken as OpenTofu takes them, to the bit: only
 * the low 64 bits of their magnitude are checked, and the number is or-ed into
 * the address in two's complement.  So a negative subnet number gives an
 * address nobody wants, but the same one.
 */
#include "funcs/funcs_int.h"
#include "lang/eval/func.h"
#include "value/number.h"

/* A whole number's sign and magnitude, big-endian. */
struct whole {
	bool negative;
	uint8_t bytes[64];
};

enum { WHOLE_LEN = sizeof(((struct whole *)NULL)->bytes) };

/* -1 if v is no whole number, or one with too many digits to mean anything. */
static int whole_get(const struct value *v, struct whole *out)
{
	mpfr_t n, byte;
	int rc = -1;

	mpfr_init2(n, NUMBER_BITS);
	mpfr_init2(byte, NUMBER_BITS);
	number_get(n, v);
	*out = (struct whole){ .negative = mpfr_sgn(n) < 0 };
	mpfr_abs(n, n, MPFR_RNDN);
	if (mpfr_integer_p(n) && mpfr_cmp_ui_2exp(n, 1, 256) < 0) {
		for (int i = WHOLE_LEN; i-- > 0;) {
			mpfr_fmod_ui(byte, n, 256, MPFR_RNDN);
			out->bytes[i] = (uint8_t)mpfr_get_ui(byte, MPFR_RNDN);
			mpfr_div_ui(n, n, 256, MPFR_RNDN);
			mpfr_trunc(n, n);
		}
		rc = 0;
	}
	mpfr_clear(n);
	mpfr_clear(byte);
	return rc;
}

static uint64_t whole_low64(const struct whole *w)
{
	uint64_t n = 0;

	for (int i = WHOLE_LEN - 8; i < WHOLE_LEN; i++)
		n = n << 8 | w->bytes[i];
	return n;
}

static void whole_shift(struct whole *w, int bits)
{
	for (; bits > 0; bits--) {
		for (int i = 0; i < WHOLE_LEN; i++) {
			w->bytes[i] = (uint8_t)(w->bytes[i] << 1);
			if (i + 1 < WHOLE_LEN)
				w->bytes[i] |= w->bytes[i + 1] >> 7;
		}
	}
}

/* To two's complement or back. */
static void whole_negate(struct whole *w)
{
	int carry = 1;

	for (int i = WHOLE_LEN; i-- > 0;) {
		carry += (uint8_t)~w->bytes[i];
		w->bytes[i] = (uint8_t)carry;
		carry >>= 8;
	}
}

/* ip |= w << shift; -1 if the result is no address any more. */
static int ip_insert(struct ip *ip, struct whole w, int shift)
{
	whole_shift(&w, shift);
	if (w.negative)
		whole_negate(&w);
	for (int i = 0; i < ip->len; i++)
		w.bytes[WHOLE_LEN - ip->len + i] |= ip->bytes[i];
	if (w.negative)
		whole_negate(&w);
	for (int i = 0; i < WHOLE_LEN - ip->len; i++) {
		if (w.bytes[i])
			return -1;
	}
	memcpy(ip->bytes, w.bytes + WHOLE_LEN - ip->len, (size_t)ip->len);
	return 0;
}

static const struct value *bad_cidr(struct func_call *c, int arg,
				    const char *before, struct str s)
{
	return func_fail(c, arg, "%sinvalid CIDR address: %.*s", before,
			 STR_ARG(s));
}

static const struct value *prefix_value(struct func_call *c,
					const struct prefix *p)
{
	return value_string(c->arena, prefix_text(c->arena, p));
}

/* The number of the host that -n means: n from the end. -1: not that many. */
static int count_from_end(const struct prefix *p, struct whole *w)
{
	struct ip host = { .len = p->ip.len };
	int bits = p->bits;

	for (int i = 0; i < WHOLE_LEN - host.len; i++) {
		if (w->bytes[i])
			return -1;
	}
	/* ~(n - 1) within the host bits */
	memcpy(host.bytes, w->bytes + WHOLE_LEN - host.len, (size_t)host.len);
	ip_decrement(&host);
	for (int i = 0; i < bits; i++) {
		if (host.bytes[i / 8] & 0x80 >> i % 8)
			return -1;
	}
	*w = (struct whole){ .negative = false };
	for (int i = 0; i < host.len; i++) {
		int keep = bits - i * 8;
		int mask = keep >= 8 ? 0 : keep <= 0 ? 0xff : 0xff >> keep;

		w->bytes[WHOLE_LEN - host.len + i] =
			(uint8_t)(~host.bytes[i] & mask);
	}
	return 0;
}

/* Does OpenTofu think that a host number fits? */
static bool host_fits(const struct prefix *p, const struct whole *w)
{
	int hostbits = p->ip.len * 8 - p->bits;
	uint64_t low = whole_low64(w);

	return hostbits >= 63 || low > INT64_MAX || low >> hostbits == 0;
}

static const struct value *do_cidrhost(struct func_call *c)
{
	struct str s = arg_str(c, 0);
	struct prefix p;
	struct whole w;
	int shift;

	if (!number_is_integer(c->args[1]))
		return func_fail(c, -1, "value must be a whole number");
	if (prefix_parse(s, &p))
		return bad_cidr(c, -1, "invalid CIDR expression: ", s);
	shift = ip_is_v4(&p.ip) ? p.ip.len * 8 - 32 : 0;
	if (whole_get(c->args[1], &w) ||
	    (w.negative ? count_from_end(&p, &w) : !host_fits(&p, &w)) ||
	    ip_insert(&p.ip, w, shift))
		return func_fail(
			c, -1,
			"prefix of %d does not accommodate a host numbered %.*s",
			p.bits,
			STR_ARG(value_number_text(c->arena, c->args[1])));
	return value_string(c->arena, ip_text(c->arena, &p.ip));
}

#define PREFIX_PARAM "A network in CIDR notation, such as \"10.0.0.0/8\"."

const struct func func_cidrhost = {
	.name = "cidrhost",
	.description = "The address of the host of that number in a network.",
	.params = PARAMS({ "prefix", &type_string, 0, PREFIX_PARAM },
			 { "hostnum", &type_number, 0,
			   "The number; below zero counts from the end." }),
	.result = &type_string,
	.impl = do_cidrhost,
};

static const struct value *do_cidrnetmask(struct func_call *c)
{
	struct str s = arg_str(c, 0);
	struct ip mask;
	struct prefix p;

	if (prefix_parse(s, &p))
		return bad_cidr(c, -1, "invalid CIDR expression: ", s);
	if (!ip_is_v4(&p.ip))
		return func_fail(c, -1,
				 "IPv6 addresses cannot have a netmask: %.*s",
				 STR_ARG(s));
	mask = (struct ip){ .len = p.ip.len };
	ip_fill(&mask, 0);
	ip_mask(&mask, p.bits);
	return value_string(c->arena, ip_text(c->arena, &mask));
}

const struct func func_cidrnetmask = {
	.name = "cidrnetmask",
	.description = "The subnet mask of an IPv4 network.",
	.params = PARAMS({ "prefix", &type_string, 0, PREFIX_PARAM }),
	.result = &type_string,
	.impl = do_cidrnetmask,
};

/* Does OpenTofu think that a subnet number fits in so many bits? */
static bool subnet_fits(int64_t newbits, const struct whole *w)
{
	return newbits < 0 || newbits >= 64 || whole_low64(w) >> newbits == 0;
}

static const struct value *do_cidrsubnet(struct func_call *c)
{
	struct str s = arg_str(c, 0);
	int64_t newbits;
	struct prefix p;
	struct whole w;
	int total;

	if (!value_get_int(c->args[1], &newbits))
		return func_fail(c, -1, WHOLE_NUMBER);
	if (!number_is_integer(c->args[2]))
		return func_fail(c, -1, "value must be a whole number");
	if (prefix_parse(s, &p))
		return bad_cidr(c, -1, "invalid CIDR expression: ", s);
	total = p.ip.len * 8;
	if (newbits > total - p.bits)
		return func_fail(
			c, -1,
			"insufficient address space to extend prefix of %d by %lld",
			p.bits, (long long)newbits);
	if (newbits < -p.bits)
		return func_fail(c, -1,
				 "prefix of %d cannot be extended by %lld",
				 p.bits, (long long)newbits);
	p.bits += (int)newbits;
	if (whole_get(c->args[2], &w) || !subnet_fits(newbits, &w) ||
	    ip_insert(&p.ip, w, total - p.bits))
		return func_fail(
			c, -1,
			"prefix extension of %lld does not accommodate a subnet numbered %.*s",
			(long long)newbits,
			STR_ARG(value_number_text(c->arena, c->args[2])));
	return prefix_value(c, &p);
}

const struct func func_cidrsubnet = {
	.name = "cidrsubnet",
	.description = "The subnet of that number in a network whose prefix "
		       "is extended by some bits.",
	.params = PARAMS({ "prefix", &type_string, 0, PREFIX_PARAM },
			 { "newbits", &type_number, 0,
			   "How many bits the prefix grows by." },
			 { "netnum", &type_number, 0,
			   "The number that these bits hold." }),
	.result = &type_string,
	.impl = do_cidrsubnet,
};

/* The prefix length that argument i asks for; -1 with the call failed. */
static int extended_bits(struct func_call *c, size_t i, const struct prefix *p)
{
	int total = p->ip.len * 8;
	int64_t n;

	if (!value_get_int(c->args[i], &n))
		func_fail(c, (int)i, WHOLE_NUMBER);
	else if (n < 1)
		func_fail(c, (int)i, "must extend prefix by at least one bit");
	else if (n > 32)
		func_fail(c, (int)i,
			  "may not extend prefix by more than 32 bits");
	else if (p->bits + n > total)
		func_fail(
			c, (int)i,
			"would extend prefix to %lld bits, which is too long for an %s address",
			(long long)(p->bits + n),
			total == 32 ? "IPv4" : "IPv6");
	else
		return p->bits + (int)n;
	return -1;
}

/* The first subnet of that size behind *cur; false when p has no more room. */
static bool next_subnet(const struct prefix *p, struct prefix *cur, int bits)
{
	struct ip last = cur->ip;

	ip_fill(&last, cur->bits);
	ip_fill(&last, bits);
	ip_increment(&last);
	*cur = (struct prefix){ last, bits };
	/* Zero follows all ones. As in OpenTofu, the first subnet of 0.0.0.0/0
	 * is not found either. */
	return !ip_is_zero(&last) && prefix_contains(p, &last);
}

static const struct value *do_cidrsubnets(struct func_call *c)
{
	const struct value **items =
		arena_alloc(c->arena, c->nargs * sizeof(*items));
	struct prefix p, cur;

	if (prefix_parse(arg_str(c, 0), &p))
		return bad_cidr(c, 0,
				"invalid CIDR expression: ", arg_str(c, 0));
	cur = p;
	for (size_t i = 1; i < c->nargs; i++) {
		int bits = extended_bits(c, i, &p);
		struct str before;

		if (bits < 0)
			return NULL;
		if (i == 1) { /* start from the one before the first */
			ip_decrement(&cur.ip);
			cur.bits = bits;
			ip_mask(&cur.ip, bits);
		}
		before = prefix_text(c->arena, &cur);
		/* IPv4 in IPv6 clothes has no subnets in OpenTofu. */
		if ((p.ip.len == 16 && ip_is_v4(&p.ip)) ||
		    !next_subnet(&p, &cur, bits))
			return func_fail(c, (int)i,
					 "not enough remaining "
					 "address space for a subnet with a "
					 "prefix of %d bits after %.*s",
					 bits, STR_ARG(before));
		items[i - 1] = prefix_value(c, &cur);
	}
	return value_list(c->arena, &type_string, items, c->nargs - 1);
}

const struct func func_cidrsubnets = {
	.name = "cidrsubnets",
	.description = "Consecutive subnets of a network, each with a prefix "
		       "that is longer by so many bits.",
	.params = PARAMS({ "prefix", &type_string, 0, PREFIX_PARAM }),
	.variadic = PARAM("newbits", &type_number, 0, NULL),
	.result = &type_list_string,
	.impl = do_cidrsubnets,
};

static const struct value *do_cidrcontains(struct func_call *c)
{
	struct str outer = arg_str(c, 0), inner = arg_str(c, 1);
	struct prefix p, q;

	if (prefix_parse(outer, &p))
		return bad_cidr(c, -1, "", outer);
	if (ip_parse(inner, &q.ip) == 0)
		q.bits = q.ip.len * 8;
	else if (prefix_parse(inner, &q))
		return func_fail(c, -1, "invalid IP address or prefix: %.*s",
				 STR_ARG(inner));
	prefix_strip(&p);
	prefix_strip(&q);
	if (p.ip.len != q.ip.len)
		return func_fail(c, -1,
				 "address family mismatch: %.*s vs. %.*s",
				 STR_ARG(outer), STR_ARG(inner));
	return value_bool(p.bits <= q.bits && prefix_contains(&p, &q.ip));
}

const struct func func_cidrcontains = {
	.name = "cidrcontains",
	.description = "Does a network contain an address or another network?",
	.params = PARAMS({ "containing_prefix", &type_string, 0, PREFIX_PARAM },
			 { "contained_ip_or_prefix", &type_string, 0,
			   "An address, or a network in CIDR notation." }),
	.result = &type_bool,
	.impl = do_cidrcontains,
	.flags = FUNC_NULLABLE, /* OpenTofu does not refine it */
};
