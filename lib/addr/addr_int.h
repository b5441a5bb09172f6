/* addr_int.h - reading a traversal step by step; shared inside lib/addr */
#ifndef TFPIPE_ADDR_ADDR_INT_H
#define TFPIPE_ADDR_ADDR_INT_H

#include "addr/addr.h"

/* The root as an attribute step, then the other steps; pos is the next one. */
struct addr_walk {
	const struct source *src;
	const struct step *steps;
	struct span *at;
	size_t len, pos;
};

#endif
