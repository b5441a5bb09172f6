/* read_resources_int.h - the "resources" of a state file */
#ifndef TFPIPE_STATE_READ_RESOURCES_INT_H
#define TFPIPE_STATE_READ_RESOURCES_INT_H

#include "state/file/read_int.h"

int read_resources(struct state_reader *rd, void *into);

#endif
