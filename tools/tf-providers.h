/* tf-providers.h - what the files of tf-providers share */
#ifndef TFPIPE_TOOLS_TF_PROVIDERS_H
#define TFPIPE_TOOLS_TF_PROVIDERS_H

#include "base/diag.h"

int show_versions(struct arena *a, bool json, struct diags *ds);

#endif
