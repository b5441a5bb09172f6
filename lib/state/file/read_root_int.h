/* read_root_int.h - outputs and check results of a state file */
#ifndef TFPIPE_STATE_READ_ROOT_INT_H
#define TFPIPE_STATE_READ_ROOT_INT_H

#include "state/file/read_int.h"

int read_outputs(struct state_reader *rd, void *into);
int read_checks(struct state_reader *rd, void *into);

#endif
