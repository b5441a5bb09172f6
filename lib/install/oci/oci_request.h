/* oci_request.h - one request to a registry */
#ifndef TFPIPE_INSTALL_OCI_REQUEST_H
#define TFPIPE_INSTALL_OCI_REQUEST_H

#include "remote/fetch.h"

/* Describes the failure in a sentence without its full stop: the status, and
 * the registry's messages. */
struct str oci_failure(struct arena *a, const struct fetch_answer *answer);

#endif
