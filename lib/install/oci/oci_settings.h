/* oci_settings.h - blocks of the CLI configuration; see oci_credentials.h */
#ifndef TFPIPE_INSTALL_OCI_SETTINGS_H
#define TFPIPE_INSTALL_OCI_SETTINGS_H

#include "install/oci/oci_credentials.h"

/* Reads the blocks of a file of the CLI configuration in dir: with its slash,
 * or empty. */
int oci_settings_read(struct arena *a, const struct body *b, struct str dir,
		      struct oci_settings *out, struct diags *ds);

#endif
