/*
 * registry_versions.h - the form of a module registry's list of versions; see
 * module_registry.h
 */
#ifndef TFPIPE_INSTALL_REGISTRY_VERSIONS_H
#define TFPIPE_INSTALL_REGISTRY_VERSIONS_H

#include "config/config.h"
#include "install/modules/module_store.h"
#include "json/json.h"

/* registry_versions.c: does an answer have the form {"modules": [{"versions":
 * [{"version": "1.0.0"}]}]}?  Others are an error, as in OpenTofu, not a list
 * without versions. */
bool registry_versions_valid(const struct json *j);

#endif
