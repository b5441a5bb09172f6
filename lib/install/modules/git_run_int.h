/* git_run_int.h - running the git command, with our settings; see git_int.h */
#ifndef TFPIPE_INSTALL_GIT_RUN_INT_H
#define TFPIPE_INSTALL_GIT_RUN_INT_H

#include "install/modules/git_int.h"

/* http or https, where git asks a helper for name and password. */
bool git_is_web(const struct url *u);
/* Runs git in a directory (NULL: this one); its output goes to said.  Returns
 * its exit status, or -1 with errno. */
int git_run(struct git *g, const struct want *w, const char *dir,
	    const char *const *argv, enum child_stream err, struct buf *said);
/* As git_run, for its effect: 0, or -1 with *why. */
int git_effect(struct git *g, const struct want *w, const char *dir,
	       const char *const *argv, struct str *why);

#endif
