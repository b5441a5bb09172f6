/* google_int.h - the kinds of Google's credentials; see google_token.h */
#ifndef TFPIPE_REMOTE_GOOGLE_INT_H
#define TFPIPE_REMOTE_GOOGLE_INT_H

#include "json/json.h"
#include "remote/google_token.h"
#include "remote/remote.h"

/* As google_token: one token, by the JSON of credentials. */
int google_by_json(struct remote *rem, const struct google_settings *s,
		   const struct json *j, struct oauth_token *out,
		   struct str *why);
/* For another account, as the one that `own` is of; lifetime in seconds, 0: an
 * hour. */
int google_act_for(struct remote *rem, struct str url,
		   const struct str_vec *delegates, struct str scope,
		   int64_t lifetime, const struct oauth_token *own,
		   struct oauth_token *out, struct str *why);
/* --- google_external.c --- */

/* The type external_account. */
int google_external(struct remote *rem, const struct google_settings *s,
		    const struct json *j, struct oauth_token *out,
		    struct str *why);
/* The type external_account_authorized_user. */
int google_external_user(struct remote *rem, const struct json *j,
			 struct oauth_token *out, struct str *why);

/* --- google_aws.c --- */

/* Who it is, where Amazon vouches for it. */
int google_aws_subject(struct remote *rem, const struct json *j,
		       struct str *out, struct str *why);

#endif
