/*
 * login_live.h - the messages and questions of login and logout
 * (install/hosts/login.h), as in OpenTofu
 */
#ifndef TFPIPE_UI_LOGIN_LIVE_H
#define TFPIPE_UI_LOGIN_LIVE_H

#include "install/hosts/login.h"
#include "ui/view.h"

/* Has l write and ask through this view. */
void login_live_follow(struct view *v, struct login *l);
/* Report success: the host's token was saved; it was removed. */
void login_live_done(struct view *v, const struct login *l);
void login_live_forgotten(struct view *v, const struct login *l);

#endif
