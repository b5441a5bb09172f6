/* files_int.h - the configuration files of a directory */
#ifndef TFPIPE_CONFIG_FILES_INT_H
#define TFPIPE_CONFIG_FILES_INT_H

#include "config/decode/decls_int.h"

/* The configuration files of a directory, parsed; -1 when the
 * directory could not be read (diagnosed). */
int files_load(struct config *c, const char *dir, struct cfg_file_vec *out,
	       struct diags *ds);

#endif
