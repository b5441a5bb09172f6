/* commands.h - what commands there are (see driver.h) */
#ifndef TFPIPE_DRIVER_COMMANDS_H
#define TFPIPE_DRIVER_COMMANDS_H

#include "driver/driver.h"

bool command_is_family(const struct command *c);
/* The command that the first words are, and how many of them; NULL: none. */
const struct command *command_find(const struct str_vec *words, size_t *n);
/* The nearest name that could have been meant, or STR_NONE.  family: empty, or
 * "state", to search its commands only. */
struct str command_suggest(struct arena *a, const char *family,
			   struct str given);
/* `tf -help`, `tf state -help`. */
void commands_help(FILE *out);
void family_help(FILE *out, const struct command *c);

#endif
