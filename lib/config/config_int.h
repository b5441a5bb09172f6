/*
 * config_int.h - what the loader's files share
 *
 * The way of a file: files.c finds and parses it; decode_*.c turn its blocks
 * into the structures of config.h, collected in a struct decls; module.c puts
 * the declarations of all primary files together and override.c merges those
 * of override files over them; static.c evaluates what must be known early;
 * load.c follows the module calls; providers.c checks the provider
 * configurations of the whole tree.
 */
#ifndef TFPIPE_CONFIG_CONFIG_INT_H
#define TFPIPE_CONFIG_CONFIG_INT_H

#include "config/load.h"
#include "config/version.h"

/* Bits of cfg_variable.set and cfg_output.set. */
enum {
	SET_DESCRIPTION = 1 << 0,
	SET_SENSITIVE = 1 << 1,
	SET_EPHEMERAL = 1 << 2,
	SET_NULLABLE = 1 << 3,
	SET_CONST = 1 << 4,
	SET_TYPE = 1 << 5,
};

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

/* Decoding one file. */
struct decoder {
	struct arena *a;
	struct diags *ds;
	struct config *config;
	bool override;
	bool tofu;
	bool incompatible; /* out: this version may not read the module */
	struct decls *out;
};

struct repeating { /* of which at most one may be given */
	struct expression count, for_each, enabled;
	struct range count_at, for_each_at, enabled_at;
};

/* One run of the loader. */
struct loader {
	struct config *config;
	const struct config_options *opts;
	struct diags *ds;
	struct map manifest; /* "a.b" -> struct installed * */
	bool manifest_read;
	bool stopped; /* see stepwise: the root module is not looked at further */
	struct map memo;     /* values of early evaluation; static.c */
};

#endif
