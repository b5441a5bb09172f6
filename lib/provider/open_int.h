/* open_int.h - finding and starting the provider for an address */
#ifndef TFPIPE_PROVIDER_OPEN_INT_H
#define TFPIPE_PROVIDER_OPEN_INT_H

#include "provider/remote_int.h"

/* Does the user ask for mutual TLS with providers (TFPIPE_PLUGIN_TLS)? */
bool remote_wants_tls(void);

#endif
