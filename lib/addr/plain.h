/*
 * plain.h - addresses as most are: t_t.n, data.t_t.n, with a key in which
 * nothing is escaped
 */
#ifndef TFPIPE_ADDR_PLAIN_H
#define TFPIPE_ADDR_PLAIN_H

#include "addr/addr.h"

/* Read simple addresses without the parser.  False: the address is not that
 * simple, but may be valid.  The results point into text. */
bool addr_split_key(struct str text, struct str *resource,
		    struct inst_key *key);
bool instance_addr_plain(struct str text, struct instance_addr *out);

#endif
