/* login_ways_int.h - the ways to a token */
#ifndef TFPIPE_INSTALL_LOGIN_WAYS_INT_H
#define TFPIPE_INSTALL_LOGIN_WAYS_INT_H

#include "install/hosts/login.h"
#include "install/hosts/oauth.h"

/* Each asks whether it may, and obtains a token; -1 with a diagnostic. */
int login_by_code(struct login *l, const struct oauth_client *c,
		  struct str *token);
int login_by_password(struct login *l, const struct oauth_client *c,
		      struct str *token);
/* A token that the user makes on a page of the service and pastes. */
int login_by_page(struct login *l, struct str service, struct str *token);

#endif
