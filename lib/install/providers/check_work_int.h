/*
 * check_work_int.h - the checks of an archive, and its unpacking; see
 * providers_int.h
 */
#ifndef TFPIPE_INSTALL_CHECK_WORK_INT_H
#define TFPIPE_INSTALL_CHECK_WORK_INT_H

#include "install/providers/providers_int.h"

void job_check(struct install_job *j, job_checked_fn *fn);

#endif
