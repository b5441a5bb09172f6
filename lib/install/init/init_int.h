/* init_int.h - the parts of init that are not other rooms' (init.h) */
#ifndef TFPIPE_INSTALL_INIT_INT_H
#define TFPIPE_INSTALL_INIT_INT_H

#include "install/init/init.h"

void init_tell(struct init *t, enum init_step step, struct str name);
/* A package of a module is fetched (modules.h). */
void init_tell_download(struct init *t, struct str key, struct str package,
			struct str version);

#endif
