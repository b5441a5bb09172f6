/* oci_auth_int.h - authentication to a registry */
#ifndef TFPIPE_INSTALL_OCI_AUTH_INT_H
#define TFPIPE_INSTALL_OCI_AUTH_INT_H

#include "install/oci/oci_int.h"

void oci_authorize(struct oci_repository *r, struct str challenge,
		   oci_authorized_fn *fn, void *data);
void oci_challenge_read(struct arena *a, struct str text,
			struct oci_challenge *out);
/* Why no password may be sent to the realm; STR_NONE: it may. */
struct str oci_realm_refusal(struct arena *a, struct str realm,
			     struct str registry);

#endif
