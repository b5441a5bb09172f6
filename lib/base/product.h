/*
 * product.h - the program's name, and the version it is compatible with
 *
 * People and programs know the peers by their names, and look for lines that
 * hold them ("OpenTofu will perform the following actions:").  So what is said
 * to people has the name that the driver was called by: tofu, terraform, or tf,
 * whose product this is.  The driver hands it on to the stages in SPEAK_AS.
 */
#ifndef TFPIPE_BASE_PRODUCT_H
#define TFPIPE_BASE_PRODUCT_H

#include <stdbool.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

/* Who this is, whatever it is called: what other programs are told. */
#define PRODUCT "tfpipe"

/* The environment variable that says whose names are spoken: tofu, terraform or
 * tf.  Anything else counts as tf; the driver refuses it (product_known). */
#define SPEAK_AS "TFPIPE_SPEAK_AS"

/* The version of OpenTofu whose language, providers, states and messages these
 * are: programs decide by it. */
#define COMPATIBLE_VERSION "1.12.6"

/* tfpipe, OpenTofu or Terraform: for sentences. */
const char *product_name(void);

/* tf, tofu or terraform: the command that users are told to type. */
const char *product_command(void);

/* OpenTofu or Terraform: in lines of the peer's that programs look for, which
 * have its name when ours is spoken, too. */
const char *product_peer(void);

/* Whether SPEAK_AS is unset, empty, or a name. */
bool product_known(void);

/* Whether our name is spoken, and what only this program says may be said. */
bool product_is_own(void);

/* Whether Terraform's is: some of its lines are worded in another way. */
bool product_is_terraform(void);

#endif
