/* ip_int.h - addresses and networks for the cidr functions */
#ifndef TFPIPE_FUNCS_IP_INT_H
#define TFPIPE_FUNCS_IP_INT_H

#include "base/str.h"

struct ip {
	uint8_t bytes[16]; /* in network order; len of them count */
	int len;           /* 4 or 16 */
};

struct prefix {
	struct ip ip; /* the first address of the network */
	int bits;
};

/* ip_addr.c: reading, writing and stepping through addresses */

/* Dotted decimal, leading zeros allowed; or hexadecimal with at most one ::,
 * the last 32 bits possibly dotted.  Returns 0 or -1. */
int ip_parse(struct str s, struct ip *out);
/* ADDRESS/BITS; the bits behind the prefix are cleared. */
int prefix_parse(struct str s, struct prefix *out);
/* Is it an IPv4 address, or one in IPv6 clothes (::ffff:0:0/96)? */
bool ip_is_v4(const struct ip *ip);
/* In the latter case, makes it the former. */
void prefix_strip(struct prefix *p);
/* RFC 5952 text; IPv4 in IPv6 clothes is dotted. */
struct str ip_text(struct arena *a, const struct ip *ip);
struct str prefix_text(struct arena *a, const struct prefix *p);
/* Clears (or, for the last address, sets) what is behind the prefix. */
void ip_mask(struct ip *ip, int bits);
void ip_fill(struct ip *ip, int bits);
/* Adds or takes away one; all ones and all zeros follow each other. */
void ip_increment(struct ip *ip);
void ip_decrement(struct ip *ip);
bool ip_is_zero(const struct ip *ip);
/* Both of the same length. */
bool prefix_contains(const struct prefix *p, const struct ip *ip);

#endif
