/*
 * login_live.h - what is told and asked while somebody logs in or out
 * (install/hosts/login.h), as OpenTofu does it
 */
#ifndef TFPIPE_UI_LOGIN_LIVE_H
#define TFPIPE_UI_LOGIN_LIVE_H

#include "install/hosts/login.h"
#include "ui/view.h"

/* Has l tell and ask by this view. */
void login_live_follow(struct view *v, struct login *l);
/* It has a token now; it has none any more. */
void login_live_done(struct view *v, const struct login *l);
void logout_live_done(struct view *v, const struct login *l);

#endif
