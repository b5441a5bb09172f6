/*
 * ip_addr.c - reading, writing and stepping through addresses; see funcs_int.h
 */
#include <arpa/inet.h>

#include "funcs/funcs_int.h"

/* A decimal number below 2^24; -1 if there is none. Advances *s. */
static long read_decimal(struct str *s)
{
	long n = 0;
	size_t i;

	for (i = 0; i < s->n && s->p[i] >= '0' && s->p[i] <= '9'; i++) {
		n = n * 10 + (s->p[i] - '0');
		if (n >= 0xffffff)
			return -1;
	}
	*s = str_sub(*s, i, s->n);
	return i ? n : -1;
}

static int parse_v4(struct str s, uint8_t out[4])
{
	for (int i = 0; i < 4; i++) {
		long n;

		if (i > 0) {
			if (s.n == 0 || s.p[0] != '.')
				return -1;
			s = str_sub(s, 1, s.n);
		}
		n = read_decimal(&s);
		if (n < 0 || n > 255)
			return -1;
		out[i] = (uint8_t)n;
	}
	return s.n ? -1 : 0;
}

/* A group of hexadecimal digits, leading zeros in any number. */
static long read_group(struct str s, size_t *len)
{
	long n = 0;

	for (*len = 0; *len < s.n && str_hex_digit(s.p[*len]) >= 0; ++*len) {
		n = n * 16 + str_hex_digit(s.p[*len]);
		if (n > 0xffff)
			return -1;
	}
	return *len ? n : -1;
}

/* Spreads the i bytes read so that the :: at `gap` fills up the address. */
static int fill_gap(uint8_t out[16], int i, int gap)
{
	if (gap < 0)
		return i == 16 ? 0 : -1;
	if (i == 16)
		return -1;
	memmove(out + 16 - (i - gap), out + gap, (size_t)(i - gap));
	memset(out + gap, 0, (size_t)(16 - i));
	return 0;
}

static int parse_v6(struct str s, uint8_t out[16])
{
	int i = 0, gap = -1;

	if (str_starts(s, "::")) {
		gap = 0;
		s = str_sub(s, 2, s.n);
	}
	while (i < 16 && (s.n || gap != i)) {
		size_t len;
		long n = read_group(s, &len);

		if (n < 0)
			return -1;
		if (len < s.n && s.p[len] == '.') {
			if ((gap < 0 && i != 12) || i > 12 ||
			    parse_v4(s, out + i))
				return -1;
			i += 4;
			s.n = 0;
			break;
		}
		out[i++] = (uint8_t)(n >> 8);
		out[i++] = (uint8_t)n;
		s = str_sub(s, len, s.n);
		if (s.n == 0)
			break;
		if (s.p[0] != ':' || s.n == 1)
			return -1;
		s = str_sub(s, 1, s.n);
		if (s.p[0] != ':')
			continue;
		if (gap >= 0)
			return -1;
		gap = i;
		s = str_sub(s, 1, s.n);
	}
	return s.n ? -1 : fill_gap(out, i, gap);
}

int ip_parse(struct str s, struct ip *out)
{
	*out = (struct ip){ .len = 0 };
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '.' && s.p[i] != ':')
			continue;
		out->len = s.p[i] == '.' ? 4 : 16;
		return out->len == 4 ? parse_v4(s, out->bytes)
				     : parse_v6(s, out->bytes);
	}
	return -1;
}

int prefix_parse(struct str s, struct prefix *out)
{
	ptrdiff_t slash = str_chr(s, '/');
	struct str bits;
	long n;

	if (slash < 0 || ip_parse(str_sub(s, 0, (size_t)slash), &out->ip))
		return -1;
	bits = str_sub(s, (size_t)slash + 1, s.n);
	n = read_decimal(&bits);
	if (n < 0 || bits.n || n > out->ip.len * 8)
		return -1;
	out->bits = (int)n;
	ip_mask(&out->ip, out->bits);
	return 0;
}

bool ip_is_v4(const struct ip *ip)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

	return ip->len == 4 || memcmp(ip->bytes, mapped, 12) == 0;
}

static void ip_strip(struct ip *ip)
{
	if (ip->len == 4 || !ip_is_v4(ip))
		return;
	memmove(ip->bytes, ip->bytes + 12, 4);
	memset(ip->bytes + 4, 0, 12);
	ip->len = 4;
}

void prefix_strip(struct prefix *p)
{
	if (p->ip.len == 16 && ip_is_v4(&p->ip)) {
		ip_strip(&p->ip);
		p->bits = p->bits > 96 ? p->bits - 96 : 0;
	}
}

struct str ip_text(struct arena *a, const struct ip *ip)
{
	char text[INET6_ADDRSTRLEN];
	struct ip plain = *ip;
	const uint8_t *b = plain.bytes;

	ip_strip(&plain);
	if (plain.len == 4)
		return str_printf(a, "%d.%d.%d.%d", b[0], b[1], b[2], b[3]);
	/* inet_ntop writes ::1.2.3.4 for addresses neither mapped nor short. */
	inet_ntop(AF_INET6, b, text, sizeof(text));
	if (strchr(text, '.'))
		return str_printf(a, "::%x:%x", b[12] << 8 | b[13],
				  b[14] << 8 | b[15]);
	return str_dup(a, str_c(text));
}

struct str prefix_text(struct arena *a, const struct prefix *p)
{
	struct prefix plain = *p;
	struct str text;

	prefix_strip(&plain);
	text = ip_text(a, &plain.ip);
	return str_printf(a, "%.*s/%d", STR_ARG(text), plain.bits);
}

void ip_mask(struct ip *ip, int bits)
{
	for (int i = 0; i < ip->len; i++) {
		int keep = bits - i * 8;

		if (keep <= 0)
			ip->bytes[i] = 0;
		else if (keep < 8)
			ip->bytes[i] &= (uint8_t)(0xff << (8 - keep));
	}
}

void ip_fill(struct ip *ip, int bits)
{
	for (int i = 0; i < ip->len; i++) {
		int keep = bits - i * 8;

		if (keep <= 0)
			ip->bytes[i] = 0xff;
		else if (keep < 8)
			ip->bytes[i] |= (uint8_t)(0xff >> keep);
	}
}

void ip_increment(struct ip *ip)
{
	for (int i = ip->len; i-- > 0 && ++ip->bytes[i] == 0;)
		;
}

void ip_decrement(struct ip *ip)
{
	for (int i = ip->len; i-- > 0 && ip->bytes[i]-- == 0;)
		;
}

bool ip_is_zero(const struct ip *ip)
{
	for (int i = 0; i < ip->len; i++) {
		if (ip->bytes[i])
			return false;
	}
	return true;
}

bool prefix_contains(const struct prefix *p, const struct ip *ip)
{
	struct ip start = *ip;

	if (p->ip.len != ip->len)
		return false;
	ip_mask(&start, p->bits);
	return memcmp(start.bytes, p->ip.bytes, (size_t)ip->len) == 0;
}
