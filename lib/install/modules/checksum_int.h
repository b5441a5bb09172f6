/* checksum_int.h - ?checksum= of the archives that modules travel in */
#ifndef TFPIPE_INSTALL_CHECKSUM_INT_H
#define TFPIPE_INSTALL_CHECKSUM_INT_H

#include "install/modules/module_int.h"

/* KIND:HEX, HEX, or file:URL, which is asked. */
int checksum_check(struct module_store *s, const struct package_request *r,
		   struct str file, struct str *why);

#endif
