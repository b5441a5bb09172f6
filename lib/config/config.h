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
#include "lang/eval/typeexpr.h"
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
	unsigned set; /* which arguments were given; loading's business */
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
	struct str name;      /* local name */
	struct str alias;     /* may be empty */
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
	struct expression *replace_triggered_by;
	size_t nreplace_triggered_by;
	struct cfg_condition_vec preconditions, postconditions;
	struct range at, enabled_at;
};
extern const struct cfg_lifecycle cfg_no_lifecycle;

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
	/* Most resources give neither: cfg_no_provider_ref,
	 * cfg_no_lifecycle. */
	const struct cfg_provider_ref *provider_ref;
	const struct cfg_lifecycle *lifecycle;
	struct provider_addr provider;     /* resolved */
	struct traversal_vec depends_on;
	struct cfg_provisioner_vec provisioners;
	struct body *connection;           /* may be NULL */
	struct body *body;                 /* meta-arguments taken out */
	struct range at;                   /* header: resource "t" "n" */
	struct range type_at;              /* the type label */
	struct cfg_check *check; /* data source nested in a check block */
};

/* providers = { aws.x = aws.west[each.key] } of a module call */
struct cfg_provider_pass {
	struct str child_name, child_alias;
	struct expression child_key; /* not allowed: only to say so */
	struct range child_at;       /* of the child's local name */
	struct cfg_provider_ref parent;
};

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
	struct cfg_provider_pass *providers;
	size_t nproviders;
	bool providers_given, depends_on_given;
	struct body *body; /* the child's variables */
	struct range at, source_at, version_at;
	struct cfg_module *child; /* NULL: not installed (diagnosed) */
};

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
};

static inline bool cfg_provider_repeated(const struct cfg_provider *p)
{
	return p && (p->for_each.root || p->count.root);
}

struct cfg_required_provider {
	struct str name;
	struct provider_addr addr;
	struct str version;         /* constraint text; may be empty */
	struct str source;          /* as written; may be empty */
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
	bool destroy;     /* lifecycle { destroy = … }, default false: the
	                     object is forgotten */
	bool destroy_given;
	struct cfg_provisioner_vec provisioners;
	struct range at;
};
struct cfg_import {
	struct cfg_module *module;
	struct expression to;     /* may contain each.key in indexes */
	struct expression id, identity, for_each;
	struct cfg_provider_ref provider_ref;
	struct range provider_at; /* the argument; does not travel */
	struct instance_addr static_to; /* keys only where they are literal */
	bool to_is_static;        /* every key of static_to is literal */
	struct provider_addr provider;  /* resolved */
	struct range at;
};
struct cfg_backend {
	struct str type;          /* "cloud" for a cloud block */
	bool cloud;
	struct body *body;
	struct range at;
};
struct cfg_provider_meta {
	struct str name;          /* local name */
	struct provider_addr provider;
	struct body *body;
	struct range at;
};

struct cfg_module {
	struct config *config;
	bool declared;             /* a `module` record was read */
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
	struct cfg_backend *backend; /* counts in the root only; or NULL */
	struct cfg_backend *cloud;   /* likewise */
	struct str version;        /* of what is installed; may be empty */
	VEC(struct expression) required_versions;
	struct map provider_meta;  /* "host/ns/type" -> cfg_provider_meta */
	struct body *encryption;   /* may be NULL */
	struct range encryption_at;
	struct range required_providers_at; /* the block; may be absent */
};

struct config {
	struct arena *arena;
	struct sources sources;
	struct cfg_module *root;
	struct map modules; /* path -> struct cfg_module *, root first,
	                       parents before children */
	struct str default_host; /* registry host for short provider names */
	bool early_values;       /* early evaluation met a root variable but was
	                            given no values: load again with them */
	size_t root_diags;   /* config_load: how many are of the root alone */
	bool modules_failed; /* a called module was not found, or is wrong */
	bool stopped; /* config_load with stepwise: what encryption and the backend
			 may be made of is wrong, so nothing else was looked at */
	struct str_vec early_missing; /* root variables that it needs, without
					 a value */
	struct arena scratch;    /* of the record being read */
	bool outline; /* config_read_record leaves out what resources hold: for
			 who evaluates nothing of it */
	struct str source; /* the provider source read last, most often the
			      next one as well; and what it means */
	struct provider_addr source_addr;
};

struct config_options {
	struct str dir;      /* working directory of the root module */
	struct str data_dir; /* TF_DATA_DIR, default ".terraform" */
	bool root_only;      /* do not follow module calls (init) */
	/* What a root module that is wrong calls is looked at all the same. */
	bool despite_root;
	/* What is told is what OpenTofu tells before it plans: it reads the
	 * root module's files for encryption and for the backend first, and
	 * stops where one of them is wrong, or what they say of values and of
	 * these. `repeat`: it also tells the warnings of that. */
	bool stepwise, repeat;
	/* Early evaluation of module sources and versions: values of root
	 * variables by name (-> const struct value *), and the functions.
	 * Where one of them is NULL, a source that needs it stays unknown
	 * without an error: then the installed module counts. */
	const struct map *variables;
	const struct func *(*function)(void *data, struct str name);
	struct str workspace; /* "default" when empty */
	/* init: where modules are (NULL: modules.json), called for each call;
	 * returns the directory, or STR_NONE after a diagnostic */
	struct str (*find)(void *data, struct cfg_call *call,
			   struct diags *ds);
	void *find_data;
};

/* Does the directory hold any configuration file? -1: it cannot be read. */
int files_present(const char *dir);
/* Are there files of tests, in the directory or in its `tests`? */
bool files_have_tests(const char *dir);
/* Has one of them one of the words, anywhere?  For who would load them just to
 * find blocks of these types. */
bool files_mention(const char *dir, const char *const *words);

/* Reads all files of the root module and of the installed modules
 * (modules.json) and checks them; every error of every file is reported.
 * Always returns a configuration (possibly incomplete). */
struct config *config_load(struct arena *a, const struct config_options *o,
			   struct diags *ds);

/* Evaluates an expression of the root module early (backend arguments). NULL
 * after a diagnostic, or when a variable's value is not known. */
const struct value *config_static_value(struct config *c,
					const struct config_options *o,
					struct expression e,
					const char *subject,
					struct diags *ds);

/* All records of tf-parse: sources, modules, objects. */
void config_write(struct stream_out *o, const struct config *c);
/* The sources alone: what is left of a configuration with errors. */
void config_write_sources(struct stream_out *o, const struct config *c);

/* A configuration from records: call for each record, then finish, which
 * resolves what refers to what. config_read_record returns 1 when the record
 * is not one of its own. */
struct config *config_new(struct arena *a);
int config_read_record(struct config *c, struct str kind, struct str line,
		       struct diags *ds);
int config_finish(struct config *c, struct diags *ds);

/* Is it a managed resource of the configuration?  -1 with a diagnostic. */
int import_target_check(struct arena *a, const struct config *c,
			const struct instance_addr *addr, struct diags *ds);

/* value with the marks that the declaration of v asks for. */
const struct value *cfg_variable_marked(struct arena *a,
					const struct cfg_variable *v,
					const struct value *value);

/* An empty one, to be filled in. */
struct cfg_resource *cfg_resource_new(struct arena *a);
/* Those of one mode, by "type.name". */
const struct map *config_resources(const struct cfg_module *m,
				   enum resource_mode mode);
struct cfg_resource *config_resource(const struct cfg_module *m,
				     const struct resource_addr *r);
/* Where it stands in config_resources, or -1. */
ptrdiff_t config_resource_place(const struct cfg_module *m,
				const struct resource_addr *r);
/* The module at a static path given by an instance address (keys ignored). */
struct cfg_module *config_module(const struct config *c,
				 struct module_addr m);
/* Does it come from elsewhere: has it, or a module that calls it, a source that
 * is no path? */
bool config_is_remote(const struct cfg_module *m);
/* A resource there; NULL: the module or the resource is not in the
 * configuration. */
struct cfg_resource *config_resource_at(const struct config *c,
					struct module_addr m,
					const struct resource_addr *r);
/* The provider that a local name stands for in m. */
struct provider_addr module_provider(const struct cfg_module *m,
				     struct str local_name);
/* Which provider configuration serves (module, local name, alias): follows
 * passing through module calls up to the block.  NULL: none (an implied empty
 * one).  *addr gets the absolute address as the state has it. */
const struct cfg_provider *config_provider_for(
	const struct cfg_module *m, const struct cfg_provider_ref *ref,
	struct provider_addr provider, struct provider_config_addr *addr);

/* The same with what is needed to choose an instance of it. */
struct cfg_provider_choice {
	const struct cfg_provider *provider; /* NULL: no block */
	struct provider_config_addr addr;
	struct expression key; /* absent: no instances */
	/* where key is evaluated: NULL means for the object itself, otherwise
	 * for the instances of the call that passed it, in this module */
	const struct cfg_module *key_module;
};
/* The block of the module without an alias that has, or may have, the alias as
 * one of its keys: aws["us"] is aws.us.  NULL: none, or a block has that
 * alias. */
const struct cfg_provider *config_provider_keyed(const struct cfg_module *m,
						 struct provider_addr provider,
						 struct str alias);
void config_provider_choose(const struct cfg_module *m,
			    const struct cfg_provider_ref *ref,
			    struct provider_addr provider,
			    struct cfg_provider_choice *out);
/* Is it one that the root module expects from a caller (configuration_aliases)?
 * A module that is made to be called can be validated by itself, unless it
 * configures that provider: then the alias is taken to be forgotten. */
bool config_provider_expected(const struct config *c,
			      const struct provider_config_addr *addr);

/* Warns of attributes of object constructors that the type does not have
 * ("Object attribute is ignored"); what: whose type it is. */
void config_warn_dropped(struct expression e, const struct type *t,
			 const char *what, struct diags *ds);

/* Static checks of references (undeclared variables, resources, …) that need
 * no provider; those with schemas are the engine's. */
void config_check_references(const struct config *c, struct diags *ds);
/* The same for one expression that stands in m, outside of any block. */
void config_check_expression(const struct cfg_module *m, struct expression e,
			     struct diags *ds);
/* Its first part alone: the arguments of module calls against the variables of
 * the modules.  Returns -1 after errors. */
int config_check_arguments(const struct config *c, struct diags *ds);

#endif
