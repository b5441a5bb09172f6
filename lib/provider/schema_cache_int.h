/* schema_cache_int.h - the answers about schemas, kept from run to run */
#ifndef TFPIPE_PROVIDER_SCHEMA_CACHE_INT_H
#define TFPIPE_PROVIDER_SCHEMA_CACHE_INT_H

#include "provider/remote_int.h"

/* Takes the schema that an earlier run kept, if there is one. */
void schema_cache_read(struct known *k);
/* Keeps what a process gave. */
void schema_cache_write(struct known *k, const struct schema_answers *x);

#endif
