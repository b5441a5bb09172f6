/*
 * google_token.h - tokens for Google's services, by the files that
 * GOOGLE_APPLICATION_CREDENTIALS names (google.aip.dev/auth/4110): of a service
 * account, which signs who it is (RFC 7523), or of a user who has logged in
 */
#ifndef TFPIPE_REMOTE_GOOGLE_TOKEN_H
#define TFPIPE_REMOTE_GOOGLE_TOKEN_H

#include "base/str.h"

struct remote;

/* A token for objects in stores: GOOGLE_OAUTH_ACCESS_TOKEN, or one requested
 * once a run.  STR_NONE: there are no credentials.  -1 with *why, a sentence
 * without its full stop that has no secret in it. */
int google_token(struct remote *rem, struct str *token, struct str *why);

#endif
