/*
 * ip_int.h - addresses and networks for the cidr functions
 */
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

#endif
