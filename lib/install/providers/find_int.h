/* find_int.h - choosing the version of a provider; see providers_int.h */
#ifndef TFPIPE_INSTALL_FIND_INT_H
#define TFPIPE_INSTALL_FIND_INT_H

#include "install/providers/providers_int.h"

/* find.c: lists the versions and chooses one. */
void job_find(struct install_job *j);
void job_choose(struct install_job *j);

#endif
