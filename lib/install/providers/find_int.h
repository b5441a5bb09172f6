/* find_int.h - which version of a provider it shall be; see providers_int.h */
#ifndef TFPIPE_INSTALL_FIND_INT_H
#define TFPIPE_INSTALL_FIND_INT_H

#include "install/providers/providers_int.h"

/* find.c: what there is, and which version it shall be. */
void job_find(struct install_job *j);
void job_choose(struct install_job *j);

#endif
