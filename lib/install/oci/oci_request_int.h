/* oci_request_int.h - one request to a registry */
#ifndef TFPIPE_INSTALL_OCI_REQUEST_INT_H
#define TFPIPE_INSTALL_OCI_REQUEST_INT_H

#include "install/oci/oci_int.h"

/* Begins a copy of it. */
void oci_send(const struct oci_request *q);

#endif
