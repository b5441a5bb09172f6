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
#include "lang/eval/eval.h"
#include "stream/record.h"

struct cfg_condition { /* validation, precondition, postcondition, assert */
	struct expression condition;
	struct expression error_message;
	struct range at;
};
struct cfg_condition_vec VEC_OF(struct cfg_condition);

/* Which arguments were given, and whether the default was found to be wrong:
 * cfg_variable.set, cfg_output.set. */
enum {
	SET_DESCRIPTION = 1 << 0,
	SET_SENSITIVE = 1 << 1,
	SET_EPHEMERAL = 1 << 2,
	SET_NULLABLE = 1 << 3,
	SET_TYPE = 1 << 4,
	SET_BAD_DEFAULT = 1 << 5,
};

struct cfg_variable {
	struct str name, description, deprecated;
	struct expression type_expr; /* absent: any */
	const struct type *type;     /* constraint, optional() included */
	const struct type_defaults *defaults; /* may be NULL */
	struct expression default_value;      /* absent: required */
	bool sensitive, ephemeral, nullable;
	bool constant, constant_given;
	struct cfg_condition_vec validations;
	struct range at;
	unsigned set; /* SET_…; loading's business */
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
	unsigned set; /* as in cfg_variable */
};

/* provider = aws.west[each.key] */
struct cfg_provider_ref {
	bool given;
	struct str name;       /* local name */
	struct str alias;      /* may be empty */
	struct expression key; /* instance key expression; may be absent */
	struct range at;       /* of the whole reference */
	struct range name_at;  /* of the local name alone */
};
extern const struct cfg_provider_ref cfg_no_provider_ref;

struct cfg_lifecycle {
	struct expression create_before_destroy, prevent_destroy, enabled,
		destroy; /* absent unless given */
	bool ignore_all;
	/* create_before_destroy must be a constant, this is its value */
	bool create_before_destroy_value;
	/* So must destroy, which is looked at when an instance is planned: is
	 * it false, or no constant? */
	bool skip_destroy, destroy_invalid;
	struct traversal_vec ignore_changes; /* relative traversals */
	struct expression_vec replace_triggered_by;
	struct cfg_condition_vec preconditions, postconditions;
	struct range at, enabled_at;
};

struct cfg_provisioner {
	struct str type; /* "local-exec" */
	bool when_destroy;
	bool on_failure_continue;
	struct body *body;
	struct body *connection; /* may be NULL */
	struct range at;
};
struct cfg_provisioner_vec VEC_OF(struct cfg_provisioner);

struct cfg_resource {
	struct cfg_module *module;
	struct resource_addr addr;
	struct expression count, for_each; /* absent unless given */
	/* Most resources give neither, and share what says so. */
	const struct cfg_provider_ref *provider_ref;
	const struct cfg_lifecycle *lifecycle;
	struct provider_addr provider; /* resolved */
	struct traversal_vec depends_on;
	struct cfg_provisioner_vec provisioners;
	struct body *connection; /* may be NULL */
	struct body *body;       /* meta-arguments taken out */
	struct range at;         /* header: resource "t" "n" */
	struct range type_at;    /* the type label */
	struct cfg_check *check; /* data source nested in a check block */
};

/* providers = { aws.x = aws.west[each.key] } of a module call */
struct cfg_provider_pass {
	struct str child_name, child_alias;
	struct expression child_key; /* not allowed: only to say so */
	struct range child_at;       /* of the child's local name */
	struct cfg_provider_ref parent;
};
struct cfg_provider_pass_vec VEC_OF(struct cfg_provider_pass);

enum source_kind {
	SOURCE_UNKNOWN, /* cannot be known yet, or is wrong (diagnosed) */
	SOURCE_LOCAL,   /* source is normal: ./… or ../… */
	SOURCE_REGISTRY,
	SOURCE_REMOTE,
};

struct cfg_call {
	struct cfg_module *module; /* the calling one */
	struct str name, source, version;
	struct str source_written; /* before it was made normal */
	enum source_kind source_kind;
	struct expression source_expr, version_expr;
	struct expression count, for_each, enabled;
	struct traversal_vec depends_on;
	struct cfg_provider_pass_vec providers;
	bool providers_given;
	struct body *body; /* the child's variables */
	struct range at, source_at, version_at;
	struct cfg_module *child; /* NULL: not installed (diagnosed) */
};

/* override_resource, override_data, override_module of a test; within
 * mock_provider mock_resource and mock_data as well. */
struct cfg_override {
	struct str kind;          /* the type of the block */
	struct str target;        /* an address; of a mock the resource type */
	struct expression values; /* absent: none are given */
	struct range at;          /* of the target */
	struct traversal_ref ref; /* the target as it was written; does not
				     travel */
};
struct cfg_override_vec VEC_OF(struct cfg_override);
struct cfg_test; /* test.h */

struct cfg_provider { /* provider block */
	struct cfg_module *module;
	struct str name, alias;
	struct provider_addr provider;
	/* With an alias for_each alone makes instances, aws.by_region["us"].
	 * Without one for_each or count make configurations, which are the same
	 * as if they had the keys as aliases: aws["us"] is aws.us
	 * (rfc-static-evaluation-providers.md, Provider Configuration
	 * Expansion). */
	struct expression for_each, count;
	struct str version;
	struct body *body;
	struct range at;
	bool implied; /* no block: an empty configuration */
	bool mocked;  /* mock_provider: values are made, nobody is asked */
	struct cfg_override_vec overrides; /* then: what is said of them */
};

static inline bool cfg_provider_repeated(const struct cfg_provider *p)
{
	return p && (p->for_each.root || p->count.root);
}

struct cfg_required_provider {
	struct str name;
	struct provider_addr addr;
	struct str version;     /* constraint text; may be empty */
	struct str source;      /* as written; may be empty */
	struct str_vec aliases; /* configuration_aliases: "aws.x" */
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
	bool destroy; /* lifecycle { destroy = … }, default false: the
	                     object is forgotten */
	bool destroy_given;
	struct cfg_provisioner_vec provisioners;
	struct range at;
};
struct cfg_import {
	struct cfg_module *module;
	struct expression to; /* may contain each.key in indexes */
	struct expression id, identity, for_each;
	/* cfg_no_provider_ref: not given */
	const struct cfg_provider_ref *provider_ref;
	struct range provider_at;       /* the argument; does not travel */
	struct instance_addr static_to; /* keys only where they are literal */
	bool to_is_static;              /* every key of static_to is literal */
	struct provider_addr provider;  /* resolved */
	struct range at;
};
struct cfg_backend {
	struct str type; /* "cloud" for a cloud block */
	bool cloud;
	struct body *body;
	struct range at;
};
struct cfg_provider_meta {
	struct str name; /* local name */
	struct provider_addr provider;
	struct body *body;
	struct range at;
};

struct cfg_module {
	struct config *config;
	bool declared;             /* a `module` record was read */
	bool again;                /* and before it that of another module
				      with the same dir */
	struct cfg_module *parent; /* NULL: root */
	struct cfg_call *call;     /* NULL: root */
	struct str path;           /* "", "module.a.module.b" */
	struct str dir;            /* relative to the working directory */
	struct map variables, locals, outputs, calls, checks;
	struct map managed, data, ephemeral; /* key "type.name" */
	struct map providers;          /* "aws", "aws.west" -> cfg_provider */
	struct map required_providers; /* local name -> … */
	VEC(struct cfg_moved) moved;
	VEC(struct cfg_removed) removed;
	VEC(struct cfg_import) imports;
	struct cfg_backend *backend; /* counts in the root only; or NULL */
	struct cfg_backend *cloud;   /* likewise */
	struct str version;          /* of the installed module; may be empty */
	struct expression_vec required_versions;
	struct map provider_meta; /* "host/ns/type" -> cfg_provider_meta */
	struct body *encryption;  /* may be NULL */
	struct range encryption_at;
	struct range required_providers_at; /* the block; may be absent */
};

struct config {
	struct arena *arena;
	struct sources sources;
	struct cfg_module *root;
	struct map modules;      /* path -> struct cfg_module *, root first,
	                       parents before children */
	struct str default_host; /* registry host for short provider names */
	bool early_values;       /* early evaluation met a root variable but was
	                            given no values: load again with them */
	size_t root_diags;   /* config_load: how many are of the root alone */
	bool modules_failed; /* a called module was not found, or is wrong */
	bool stopped; /* config_load with stepwise: errors in what encryption and
			 the backend may use; nothing else was checked */
	struct str_vec early_missing; /* root variables that it needs, without
					 a value */
	struct arena scratch;         /* of the record being read */
	struct map dirs; /* of modules that were read -> the last in each */
	bool outline;    /* config_read_record leaves out the contents of
			      resources: for readers that do not evaluate them */
	bool frame;      /* it leaves out resources and what else has no part
			      in the values of variables and in which state it
			      is */
	/* Of the frame: something is evaluated early that no record asks for
	 * (TF_ENCRYPTION). */
	bool frame_early;
	struct str_vec early;  /* records that the frame needs if something is
				 evaluated early */
	struct cfg_test *test; /* it is that of a run of tests; or NULL */
	struct str source;     /* the provider source read last, most often the
			      next one as well; and what it means */
	struct provider_addr source_addr;
};

#endif
