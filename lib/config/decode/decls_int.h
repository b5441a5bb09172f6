/*
 * decls_int.h - what a file declares
 *
 * The way of a file: files.c finds and parses it; decode_*.c turn its blocks
 * into the structures of config.h, collected in a struct decls; module.c puts
 * the declarations of all primary files together and override.c merges those
 * of override files over them; static.c evaluates what must be known early;
 * load.c follows the module calls; providers.c checks the provider
 * configurations of the whole tree.
 */
#ifndef TFPIPE_CONFIG_DECLS_INT_H
#define TFPIPE_CONFIG_DECLS_INT_H

#include "config/config.h"

struct cfg_file {
	struct str path; /* as shown */
	struct body *body;
	bool override;
	bool tofu; /* named for OpenTofu: .tofu, .tofu.json */
};
struct cfg_file_vec VEC_OF(struct cfg_file);

/* Everything that one file declares. */
struct decls {
	VEC(struct cfg_variable *) variables;
	VEC(struct cfg_local *) locals;
	VEC(struct cfg_output *) outputs;
	VEC(struct cfg_call *) calls;
	VEC(struct cfg_resource *) resources;
	VEC(struct cfg_provider *) providers;
	VEC(struct cfg_check *) checks;
	VEC(struct cfg_moved *) moved;
	VEC(struct cfg_removed *) removed;
	VEC(struct cfg_import *) imports;
	VEC(struct cfg_backend *) backends;
	VEC(struct cfg_provider_meta *) provider_metas;
	VEC(struct cfg_required_block *) required_blocks;
	VEC(struct block) encryptions;
	VEC(struct expression) required_versions;
};

struct cfg_required_block { /* required_providers { … } */
	VEC(struct cfg_required_provider *) items;
	struct range at;
};

#endif
