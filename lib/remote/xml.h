/* xml.h - answers of stores of objects, which are XML */
#ifndef TFPIPE_REMOTE_XML_H
#define TFPIPE_REMOTE_XML_H

#include "remote/fetch.h"

/* "bad response code: 403 (AccessDenied: Access Denied)" */
struct str xml_failure(struct arena *a, const struct fetch_answer *answer);
/* The content of the next element <NAME>, unescaped; *rest is what follows it.
 * STR_NONE: there is none. */
struct str xml_element(struct arena *a, struct str *rest, const char *name);

#endif
