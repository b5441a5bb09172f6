/* program_int.h - external programs of OpenTofu's protocol */
#ifndef TFPIPE_ENCRYPT_PROGRAM_INT_H
#define TFPIPE_ENCRYPT_PROGRAM_INT_H

#include "json/json.h"

/* Runs a program that speaks OpenTofu's protocol of external programs: writes
 * input, checks the line that names it (magic), and parses the rest.  NULL
 * with *why. */
const struct json *encrypt_program(struct arena *a, const char *const *argv,
				   const char *magic, struct str input,
				   struct str *why);

#endif
