/* remote_install_int.h - a package from a host; see providers_int.h */
#ifndef TFPIPE_INSTALL_REMOTE_INSTALL_INT_H
#define TFPIPE_INSTALL_REMOTE_INSTALL_INT_H

#include "install/providers/providers_int.h"

/* remote_install.c: offer, download, checks, then job_install. */
void job_fetch(struct install_job *j);
/* Checks an archive on this machine, then job_install. */
void job_unpack_beside(struct install_job *j);
/* The lock's hashes if they count for the chosen version; else NULL. */
const struct str_vec *job_allowed_hashes(const struct install_job *j);

#endif
