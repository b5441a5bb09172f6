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

/* files.c: the configuration files of a directory, parsed; -1 when the
 * directory could not be read (diagnosed). */
int files_load(struct config *c, const char *dir, struct cfg_file_vec *out,
	       struct diags *ds);

/* decode.c: a whole file; common parts. */
void decode_file(struct decoder *d, const struct cfg_file *f);
extern const char bad_name_detail[];
struct range block_range(const struct block *b);
struct range label_range(const struct block *b, size_t i);
/* "main.tf:3,1-17" */
const char *range_text(struct arena *a, const struct range *r);
/* Label 0 must be a name. */
void check_name(struct decoder *d, const struct block *b, size_t label,
		const char *summary);
/* Values that must be known without anything else; -1 with diagnostics. */
int static_string(struct decoder *d, const struct attribute *at,
		  struct str *out);
int static_bool(struct decoder *d, const struct attribute *at, bool *out);
/* The second one of a block that may occur once is an error; returns true for
 * it. *seen is the first. */
bool is_duplicate(struct decoder *d, const struct block *b,
		  const struct block **seen, const char *summary,
		  const char *what);
/* A JSON string holds an expression: parses it. Others are left alone. */
int unwrap_json(struct arena *a, struct expression *e, struct diags *ds);
/* "a.b" as a.b, with a warning. */
int unquote_reference(struct arena *a, struct expression *e, bool keyword,
		      struct diags *ds);
void decode_depends_on(struct decoder *d, const struct attribute *at,
		       struct traversal_vec *out);
/* decode_value.c, decode_check.c, … */
void decode_variable(struct decoder *d, const struct block *b);
/* Sets the type, its defaults and how text is read from v->type_expr. */
void read_variable_type(struct arena *a, struct cfg_variable *v,
			struct diags *ds);
void decode_locals(struct decoder *d, const struct block *b);
void decode_output(struct decoder *d, const struct block *b);
/* Returns -1 if the rule cannot be used; *out is filled as far as possible. */
int decode_condition(struct decoder *d, const struct block *b,
		     struct cfg_condition *out);
void decode_check(struct decoder *d, const struct block *b);
void decode_resource(struct decoder *d, const struct block *b,
		     enum resource_mode mode);
/* A data block in a check; NULL if it was not valid. */
struct cfg_resource *decode_nested_data(struct decoder *d,
					const struct block *b);
/* Sets skip_destroy and destroy_invalid. */
void lifecycle_destroy(struct arena *a, struct cfg_lifecycle *l);
struct cfg_lifecycle *decode_lifecycle(struct decoder *d,
				       const struct block *b,
				       const struct cfg_resource *r);
struct cfg_provisioner *decode_provisioner(struct decoder *d,
					   const struct block *b);
/* A destroy-time body may refer to its own object only. */
void check_only_self(struct decoder *d, const struct body *b);
void decode_call(struct decoder *d, const struct block *b);
void decode_provider(struct decoder *d, const struct block *b);
int decode_provider_ref(struct decoder *d, struct expression e,
			const char *argument, struct cfg_provider_ref *out);
/* "aws" or "aws.west" */
struct str provider_ref_name(struct arena *a,
			     const struct cfg_provider_ref *r);
int check_provider_name(struct arena *a, struct str name,
			const struct range *at, struct diags *ds);
/* A version constraint that must be known; *out stays as it is for null. */
int decode_version(struct decoder *d, const struct attribute *at,
		   struct str *out);
void decode_required_providers(struct decoder *d, const struct block *b);
void decode_terraform(struct decoder *d, const struct block *b);
/* -1: it is wrong by itself, and does not count. */
int check_encryption(struct decoder *d, const struct block *b);
void decode_language(struct decoder *d, const struct block *b);
void check_compatible(struct decoder *d, const struct cfg_file *f);
void decode_moved(struct decoder *d, const struct block *b);
void decode_removed(struct decoder *d, const struct block *b);
void decode_import(struct decoder *d, const struct block *b);
/* Works out static_to and to_is_static from to. */
int import_address(struct arena *a, struct cfg_import *im, struct diags *ds);
struct repeating { /* of which at most one may be given */
	struct expression count, for_each, enabled;
	struct range count_at, for_each_at, enabled_at;
};
void check_repetition(struct decoder *d, const struct repeating *r,
		      const char *what);

/* module.c: puts together what the files of a module declare, primary files
 * before override files. */
void module_build(struct cfg_module *m, struct decls *primary, size_t nprimary,
		  struct decls *override, size_t noverride, struct diags *ds);
/* What finding out about encryption takes of a file, or else about the backend.
 * Merging overrides changes nothing in `from`. */
void decls_early(struct arena *a, const struct decls *from, bool backend,
		 struct decls *out);
/* override.c: merges one override file over m. */
void module_override(struct cfg_module *m, struct decls *of,
		     struct diags *ds);
/* The provider that a name stands for when nothing says otherwise. */
struct provider_addr provider_implied(const struct config *c,
				      struct str name);
struct str resource_key(struct arena *a, const struct resource_addr *r);
struct map *module_resources(struct cfg_module *m, enum resource_mode mode);

/* load.c: one run of the loader */
struct loader {
	struct config *config;
	const struct config_options *opts;
	struct diags *ds;
	struct map manifest; /* "a.b" -> struct installed * */
	bool manifest_read;
	bool stopped; /* see stepwise: the root module is not looked at further */
	struct map memo;     /* values of early evaluation; static.c */
};

/* static.c: evaluates the source and version of a call early, and says what
 * is wrong with them. */
void static_call(struct loader *l, struct cfg_call *call);
/* What the call of m gives to variables with const must be known early. */
void static_constants(struct loader *l, struct cfg_module *m);
/* static_names.c: path.NAME of a module, terraform.NAME. */
const struct value *static_path(struct loader *l, const struct cfg_module *m,
				struct str name, const struct range *at,
				struct diags *ds);
const struct value *static_terraform(struct loader *l, struct str name,
				     const struct range *at,
				     struct diags *ds);
/* The same for a provider configuration's for_each; its value is for later. */
void static_provider(struct loader *l, const struct cfg_provider *p);

/* same.c: are they written the same, but for parentheses? */
bool expressions_same(struct expression x, struct expression y);

/* providers.c: the provider configurations of the whole tree. */
void check_providers(const struct config *c, struct diags *ds);

/* The module of a path, made if need be (records.c). */
struct cfg_module *config_module_at(struct config *c, struct str path);

#endif
