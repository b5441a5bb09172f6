/* files.h - the configuration files of a directory */
#ifndef TFPIPE_CONFIG_FILES_H
#define TFPIPE_CONFIG_FILES_H

#include "config/config.h"

/* Does the directory hold any configuration file? -1: it cannot be read. */
int files_present(const char *dir);
/* Does any of the files contain one of the words?  Lets callers skip loading
 * that looks only for blocks of these types. */
bool files_mention(const char *dir, const char *const *words);

#endif
