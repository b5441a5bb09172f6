/* request.h - what all providers do with requests */
#ifndef TFPIPE_PROVIDER_REQUEST_H
#define TFPIPE_PROVIDER_REQUEST_H

#include "provider/provider.h"

/* For implementations of providers: adds a diagnostic with the attribute path
 * it is about (empty: none).  summary is copied; detail_fmt may be NULL. */
void request_diag(struct provider_request *r, enum severity severity,
		  struct path path, const char *summary, struct str detail);
void request_error(struct provider_request *r, struct path path,
		   const char *summary, const char *detail_fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
