/* netrc_int.h - names and passwords for hosts, from the file of ftp(1) */
#ifndef TFPIPE_INSTALL_NETRC_INT_H
#define TFPIPE_INSTALL_NETRC_INT_H

#include "base/str.h"

/* The user's name and password at a host, HOST or HOST:PORT, of NETRC or
 * ~/.netrc. */
bool netrc_find(struct arena *a, struct str host, struct str *user,
		struct str *password);

#endif
