/* azure_int.h - ways to a token of Azure's; see azure.h */
#ifndef TFPIPE_REMOTE_AZURE_INT_H
#define TFPIPE_REMOTE_AZURE_INT_H

#include "remote/azure.h"
#include "remote/remote.h"

struct azure_asking {
	struct remote *rem;
	const struct azure_settings *s;
	const struct azure_cloud *cloud;
	struct str scope;
};

/* The functions of azure_machine.c return what azure_token does, but never 1.
 */

/* A token of the machine that this runs on. */
int azure_machine_token(const struct azure_asking *q, struct oauth_token *out,
			struct str *why);
/* A token of who has logged in with az(1). */
int azure_cli_token(const struct azure_asking *q, struct oauth_token *out,
		    struct str *why);

#endif
