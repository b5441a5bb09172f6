/*
 * record_int.h - what the files that write and read records share
 *
 * Input lines are in a scratch arena: every text that is kept is copied.
 */
#ifndef TFPIPE_CONFIG_RECORD_INT_H
#define TFPIPE_CONFIG_RECORD_INT_H

#include "config/config.h"

/* Addresses and other texts that are needed for one record. */
struct cfg_writer {
	struct stream_out *o;
	struct buf text, address;
};

struct cfg_reader {
	struct config *c;
	struct arena *a;
	const struct json *j;
	struct record_reader in; /* what the parts are read with */
	struct cfg_module *m;    /* of the "module" member */
	const char *list;        /* of whose elements one is read; NULL: none */
	bool outline;            /* bodies and provisioners were left out */
	struct diags *ds;
};

#endif
