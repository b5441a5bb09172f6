/*
 * workdir.h - what programs keep in the directory that they work in
 *
 * The data directory has what init has found and chosen: modules, providers,
 * the backend (terraform.tfstate), the selected workspace (environment).
 */
#ifndef TFPIPE_BASE_WORKDIR_H
#define TFPIPE_BASE_WORKDIR_H

#include <stdlib.h>

#include "base/str.h"

/* The given data directory; if that is empty, the default. */
static inline struct str workdir_data_or(struct str given)
{
	return given.n ? given : STR(".terraform");
}

/* The data directory: TF_DATA_DIR, or the default. */
static inline struct str workdir_data(void)
{
	return workdir_data_or(str_c(getenv("TF_DATA_DIR")));
}

#endif
