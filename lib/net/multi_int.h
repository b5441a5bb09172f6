/* multi_int.h - libcurl's descriptors and timers in the event loop */
#ifndef TFPIPE_NET_MULTI_INT_H
#define TFPIPE_NET_MULTI_INT_H

#include "net/http_int.h"

/* The descriptors and timers of the library in the loop; 0, or -1. */
int multi_attach(struct http *h);
void multi_detach(struct http *h);

#endif
