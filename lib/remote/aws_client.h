/* aws_client.h - a client that asks Amazon's services; see aws.h */
#ifndef TFPIPE_REMOTE_AWS_CLIENT_H
#define TFPIPE_REMOTE_AWS_CLIENT_H

#include "remote/aws.h"

struct aws;

/* What went wrong where there are no keys. */
enum aws_trouble { AWS_FINE, AWS_NO_KEYS, AWS_NO_ROLE, AWS_NO_WEB_ROLE };

/* A client, in the arena of rem; the settings are copied, and what they lack is
 * filled from the environment and the files of the AWS tools.  Nobody is asked
 * yet.  NULL with *why, a sentence without its full stop. */
struct aws *aws_open(struct remote *rem, const struct aws_settings *s,
		     struct str *why);
/* The settings, filled. */
const struct aws_settings *aws_settings_of(const struct aws *c);
/* Of the last failure to have keys. */
enum aws_trouble aws_trouble_of(const struct aws *c);

/* Makes a request, signed with keys that are found for it, and renewed when
 * they expire.  What passes is tried again: failed connections, throttling,
 * 5xx; the pauses run the loop.  0 where there is an answer, of whatever
 * status; -1 with *why, as above. */
int aws_ask(struct aws *c, const struct aws_call *call,
	    struct fetch_answer *out, struct str *why);
/* Asks with other keys; NULL: not signed. */
int aws_ask_with(struct aws *c, const struct aws_call *call,
		 const struct aws_keys *keys, struct fetch_answer *out,
		 struct str *why);

/* The account of who asks, which STS tells, or -- any -- whatever service does.
 * -1 with *why. */
int aws_account(struct aws *c, bool any, struct str *account, struct str *why);
/* By two lists, of which each may be empty. */
bool aws_account_allowed(struct str account, const struct str_vec *allowed,
			 const struct str_vec *forbidden);

/* The code of an error ("NoSuchKey"); STR_NONE: the answer has none. */
struct str aws_error_code(struct arena *a, const struct fetch_answer *answer);
/* An answer that is an error, for people. */
struct str aws_error_text(struct arena *a, const struct fetch_answer *answer);

#endif
