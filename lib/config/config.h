/*
 * config.h - a configuration: files -> modules -> objects, and their records
 *
 * The same structures are filled by two readers: config_load (from files) and
 * config_read_record (from a stream), and written by config_write.  Bodies and
 * expressions stay syntax; nothing is evaluated here except what the language
 * demands early (constants in meta-arguments).
 */
#ifndef TFPIPE_CONFIG_CONFIG_H
#define TFPIPE_CONFIG_CONFIG_H

#include "addr/addr.h"
#include "lang/typeexpr.h"
#include "stream/record.h"

struct cfg_condition { /* validation, precondition, postcondition, assert */
	struct expression condition;
	struct expression error_message;
	struct range at;
};
struct cfg_condition_vec VEC_OF(struct cfg_condition);

struct cfg_variable {
	struct str name, description, deprecated;
	struct expression type_expr;       /* absent: any */
	const struct type *type;           /* constraint, optional() included */
	const struct type_defaults *defaults; /* may be NULL */
	struct expression default_value;   /* absent: required */
	bool sensitive, ephemeral, nullable, constant;
	struct cfg_condition_vec validations;
	struct range at;
	/* How text from outside is read: as an expression, or literally (true
	 * for string-like and untyped variables; semantic-traps.md 29). */
	bool parse_literal;
};

struct cfg_local {
	struct str name;
	struct expression value;
	struct range at;
};

struct cfg_output {
	struct str name, description, deprecated;
	struct expression value;
	bool sensitive, ephemeral;
	struct traversal_vec depends_on;
	struct cfg_condition_vec preconditions;
	struct range at;
};

/* provider = aws.west[each.key] */
struct cfg_provider_ref {
	bool given;
	struct str name;      /* local name */
	struct str alias;     /* may be empty */
	struct expression key; /* instance key expression; may be absent */
	struct range at;
};

struct cfg_lifecycle {
	struct expression create_before_destroy, prevent_destroy, enabled,
		destroy; /* absent unless given */
	bool ignore_all;
	struct traversal_vec ignore_changes; /* relative traversals */
	struct expression *replace_triggered_by;
	size_t nreplace_triggered_by;
	struct cfg_condition_vec preconditions, postconditions;
	struct range at;
};

struct cfg_provisioner {
	struct str type;          /* "local-exec" */
	bool when_destroy;
	bool on_failure_continue;
	struct body *body;
	struct body *connection;  /* may be NULL */
	struct range at;
};
struct cfg_provisioner_vec VEC_OF(struct cfg_provisioner);

struct cfg_resource {
	struct cfg_module *module;
	struct resource_addr addr;
	struct expression count, for_each; /* absent unless given */
	struct cfg_provider_ref provider_ref;
	struct provider_addr provider;     /* resolved */
	struct traversal_vec depends_on;
	struct cfg_lifecycle lifecycle;
	struct cfg_provisioner_vec provisioners;
	struct body *connection;           /* may be NULL */
	struct body *body;                 /* meta-arguments taken out */
	struct range at;                   /* header: resource "t" "n" */
	struct cfg_check *check; /* data source nested in a check block */
};

/* providers = { aws.x = aws.west[each.key] } of a module call */
struct cfg_provider_pass {
	struct str child_name, child_alias;
	struct cfg_provider_ref parent;
};

struct cfg_call {
	struct cfg_module *module; /* the calling one */
	struct str name, source, version;
	struct expression source_expr, version_expr;
	struct expression count, for_each, enabled;
	struct traversal_vec depends_on;
	struct cfg_provider_pass *providers;
	size_t nproviders;
	bool providers_given;
	struct body *body; /* the child's variables */
	struct range at, source_at;
	struct cfg_module *child; /* NULL: not installed (diagnosed) */
};

struct cfg_provider { /* provider block */
	struct cfg_module *module;
	struct str name, alias;
	struct provider_addr provider;
	struct expression count, for_each;
	struct str version;
	struct body *body;
	struct range at;
	bool implied; /* no block: an empty configuration */
};

struct cfg_required_provider {
	struct str name;
	struct provider_addr addr;
	struct str version;         /* constraint text; may be empty */
	struct str *aliases;        /* configuration_aliases: "aws.x" */
	size_t naliases;
	struct range at;
};

struct cfg_check {
	struct cfg_module *module;
	struct str name;
	struct cfg_resource *data; /* may be NULL */
	struct cfg_condition_vec asserts;
	struct range at;
};

struct cfg_moved {
	struct cfg_module *module;
	struct traversal_ref from, to;
	struct range at;
};
struct cfg_removed {
	struct cfg_module *module;
	struct traversal_ref from;
	bool destroy;             /* lifecycle { destroy = … }, default true */
	struct cfg_provisioner_vec provisioners;
	struct range at;
};
struct cfg_import {
	struct cfg_module *module;
	struct expression to;     /* may contain each.key in indexes */
	struct expression id, identity, for_each;
	struct cfg_provider_ref provider_ref;
	struct range at;
};
struct cfg_backend {
	struct str type;          /* "" none given: local */
	struct body *body;
	struct range at;
};

struct cfg_module {
	struct config *config;
	struct cfg_module *parent; /* NULL: root */
	struct cfg_call *call;     /* NULL: root */
	struct str path;           /* "", "module.a.module.b" */
	struct str dir;            /* relative to the working directory */
	struct map variables, locals, outputs, calls, checks;
	struct map managed, data, ephemeral; /* key "type.name" */
	struct map providers;      /* "aws", "aws.west" -> cfg_provider */
	struct map required_providers; /* local name -> … */
	VEC(struct cfg_moved) moved;
	VEC(struct cfg_removed) removed;
	VEC(struct cfg_import) imports;
	struct cfg_backend *backend; /* root only; may be NULL */
	VEC(struct expression) required_versions;
	struct map provider_meta;  /* local name -> struct body * */
};

struct config {
	struct arena *arena;
	struct sources sources;
	struct cfg_module *root;
	struct map modules; /* path -> struct cfg_module *, root first,
	                       parents before children */
	struct str default_host; /* registry host for short provider names */
};

struct config_options {
	struct str dir;      /* working directory of the root module */
	struct str data_dir; /* TF_DATA_DIR, default ".terraform" */
	bool root_only;      /* do not follow module calls (init) */
	/* early evaluation of module sources: variable values by name */
	const struct map *variables; /* name -> const struct value *; or NULL */
};

/* Reads all files of the root module and of the installed modules
 * (modules.json) and checks them; every error of every file is reported.
 * Always returns a configuration (possibly incomplete). */
struct config *config_load(struct arena *a, const struct config_options *o,
			   struct diags *ds);

/* All records of tf-parse: sources, modules, objects. */
void config_write(struct stream_out *o, const struct config *c);

/* A configuration from records: call for each record, then finish, which
 * resolves what refers to what. config_read_record returns 1 when the record
 * is not one of its own. */
struct config *config_new(struct arena *a);
int config_read_record(struct config *c, struct str kind, struct str line,
		       struct diags *ds);
int config_finish(struct config *c, struct diags *ds);

struct cfg_resource *config_resource(const struct cfg_module *m,
				     const struct resource_addr *r);
/* The module at a static path given by an instance address (keys ignored). */
struct cfg_module *config_module(const struct config *c,
				 struct module_addr m);
/* Which provider configuration serves (module, local name, alias): follows
 * passing through module calls up to the block.  NULL: none (an implied empty
 * one).  *addr gets the absolute address as the state has it. */
const struct cfg_provider *config_provider_for(
	const struct cfg_module *m, const struct cfg_provider_ref *ref,
	struct provider_addr provider, struct provider_config_addr *addr);

/* Static checks of references (undeclared variables, resources, …) that need
 * no provider; those with schemas are the engine's. */
void config_check_references(const struct config *c, struct diags *ds);

#endif
