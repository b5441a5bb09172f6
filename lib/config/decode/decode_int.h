/* decode_int.h - a file's top level, and what all block decoders need */
#ifndef TFPIPE_CONFIG_DECODE_DECODE_INT_H
#define TFPIPE_CONFIG_DECODE_DECODE_INT_H

#include "config/config.h"
#include "config/test.h"

/*
 * What a file declares
 *
 * The way of a file: files.c finds and parses it; decode_*.c turn its blocks
 * into the structures of config.h, collected in a struct decls; module.c puts
 * the declarations of all primary files together and override.c merges those
 * of override files over them; static.c evaluates what must be known early;
 * load.c follows the module calls; providers.c checks the provider
 * configurations of the whole tree.
 */

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

/* A whole file. */
void decode_file(struct decoder *d, const struct cfg_file *f);

/* --- what the decoders share --- */

extern const char decode_bad_name[];
struct range block_range(const struct block *b);
struct range label_range(const struct block *b, size_t i);
/* "main.tf:3,1-17" */
const char *range_text(struct arena *a, const struct range *r);
/* Label 0 must be a name. */
void check_name(struct decoder *d, const struct block *b, size_t label,
		const char *summary);
/* Values that must be known without anything else; -1 with diagnostics. */
int decode_static_string(struct decoder *d, const struct attribute *at,
			 struct str *out);
int decode_static_bool(struct decoder *d, const struct attribute *at,
		       bool *out);
/* The second one of a block that may occur once is an error; returns true for
 * it. *seen is the first. */
bool decode_is_duplicate(struct decoder *d, const struct block *b,
			 const struct block **seen, const char *summary,
			 const char *what);
/* A JSON string holds an expression: parses it. Others are left alone. */
int decode_unwrap_json(struct arena *a, struct expression *e, struct diags *ds);
/* "a.b" as a.b, with a warning. */
int decode_unquoted(struct arena *a, struct expression *e, bool keyword,
		    struct diags *ds);
void decode_depends_on(struct decoder *d, const struct attribute *at,
		       struct traversal_vec *out);
void check_repetition(struct decoder *d, const struct repeating *r,
		      const char *what);

/* decode_call.c: module blocks */

/* providers = { child = parent, … } */
void decode_passes(struct decoder *d, const struct attribute *at,
		   struct cfg_call *call);
void decode_call(struct decoder *d, const struct block *b);

/* decode_check.c: check blocks, and the rules they share with others */

/* Returns -1 if the rule cannot be used; *out is filled as far as possible. */
int decode_condition(struct decoder *d, const struct block *b,
		     struct cfg_condition *out);
void decode_check(struct decoder *d, const struct block *b);

/* decode_lifecycle.c: lifecycle blocks of resources, and provisioners */

/* Sets skip_destroy and destroy_invalid. */
void lifecycle_destroy(struct arena *a, struct cfg_lifecycle *l);
struct cfg_lifecycle *decode_lifecycle(struct decoder *d, const struct block *b,
				       const struct cfg_resource *r);

/* decode_provider.c: provider blocks, references to them, requirements */

void decode_provider(struct decoder *d, const struct block *b);
int decode_provider_ref(struct decoder *d, struct expression e,
			const char *argument, struct cfg_provider_ref *out);
/* "aws" or "aws.west" */
struct str provider_ref_name(struct arena *a, const struct cfg_provider_ref *r);
int check_provider_name(struct arena *a, struct str name,
			const struct range *at, struct diags *ds);

/*
 * decode_provisioner.c: provisioner blocks of resources and removed
 * blocks
 */

struct cfg_provisioner *decode_provisioner(struct decoder *d,
					   const struct block *b);
/* A destroy-time body may refer to its own object only. */
void check_only_self(struct decoder *d, const struct body *b);

/* decode_refactor.c: moved, removed and import blocks */

void decode_moved(struct decoder *d, const struct block *b);
void decode_removed(struct decoder *d, const struct block *b);
void decode_import(struct decoder *d, const struct block *b);
/* Works out static_to and to_is_static from to. */
int decode_import_address(struct arena *a, struct cfg_import *im,
			  struct diags *ds);

/* decode_required.c: required_providers blocks and version constraints */

/* A version constraint that must be known; *out stays as it is for null. */
int decode_version(struct decoder *d, const struct attribute *at,
		   struct str *out);
/* A provider's version: at most three numbers, no "v". */
int decode_provider_version(struct decoder *d, const struct attribute *at,
			    struct str *out);
void decode_required_providers(struct decoder *d, const struct block *b);

/* decode_resource.c: resource, data and ephemeral blocks */

void decode_resource(struct decoder *d, const struct block *b,
		     enum resource_mode mode);
/* A data block in a check; NULL if it was not valid. */
struct cfg_resource *decode_nested_data(struct decoder *d,
					const struct block *b);

/* decode_terraform.c: terraform and language blocks */

void decode_terraform(struct decoder *d, const struct block *b);
void decode_language(struct decoder *d, const struct block *b);
void check_compatible(struct decoder *d, const struct cfg_file *f);

/* decode_test.c: the blocks of a file of tests */

/* A whole file; d->out is for the provider blocks on their way. */
void decode_test_file(struct decoder *d, const struct body *b,
		      struct cfg_test_file *out);

/* decode_value.c: variable, locals and output blocks */

void decode_variable(struct decoder *d, const struct block *b);
/* Sets the type, its defaults and how text is read from v->type_expr. */
void decode_variable_type(struct arena *a, struct cfg_variable *v,
			  struct diags *ds);
void decode_locals(struct decoder *d, const struct block *b);
void decode_output(struct decoder *d, const struct block *b);

#endif
