/*
 * addr.h - addresses and references: one parser, one printer
 *
 * Module instance paths, resources, resource instances, providers and
 * references in the ecosystem's notation: module.a["x"].aws_vpc.m[0].
 */
#ifndef TFPIPE_ADDR_ADDR_H
#define TFPIPE_ADDR_ADDR_H

#include "lang/parse.h"

enum key_kind { KEY_NONE, KEY_INT, KEY_STRING };

struct inst_key {
	enum key_kind kind;
	int64_t i;
	struct str s;
};

#define KEY_ABSENT ((struct inst_key){ KEY_NONE, 0, { NULL, 0 } })

bool key_equal(struct inst_key a, struct inst_key b);
/* none < int (numeric) < string (lexical) */
int key_cmp(struct inst_key a, struct inst_key b);
void key_print(struct buf *b, struct inst_key k); /* "", [0], ["x"] */
const struct value *key_value(struct arena *a, struct inst_key k);

struct module_step {
	struct str name;
	struct inst_key key;
};

struct module_addr { /* a module instance; len 0 is the root */
	const struct module_step *steps;
	size_t len;
};

void module_addr_print(struct buf *b, struct module_addr m);
/* "module.a.module.b", without keys. */
void module_path_print(struct buf *b, struct module_addr m);
bool module_addr_equal(struct module_addr a, struct module_addr b);
struct module_addr module_addr_child(struct arena *a, struct module_addr m,
				     struct str name, struct inst_key key);

enum resource_mode {
	MODE_MANAGED,
	MODE_DATA,
	MODE_EPHEMERAL,
};

struct resource_addr { /* in a module */
	enum resource_mode mode;
	struct str type;
	struct str name;
};

struct instance_addr { /* a whole address */
	struct module_addr module;
	struct resource_addr resource;
	struct inst_key key;
};

void resource_addr_print(struct buf *b, struct resource_addr r);
void instance_addr_print(struct buf *b, const struct instance_addr *i);
struct str instance_addr_text(struct arena *a, const struct instance_addr *i);
bool instance_addr_equal(const struct instance_addr *a,
			 const struct instance_addr *b);
/* The order of plans and of state lists: module path, mode (managed before
 * data, as OpenTofu sorts), type, name, key. */
int instance_addr_cmp(const struct instance_addr *a,
		      const struct instance_addr *b);

/* What a command line may name: a module (instance), a resource, an instance.
 */
enum target_kind {
	TARGET_MODULE,          /* module.a or module.a[0] */
	TARGET_RESOURCE,        /* all instances of it */
	TARGET_INSTANCE,        /* exactly one (key given) */
};
struct target {
	enum target_kind kind;
	struct instance_addr addr; /* module, resource, key: as far as kind */
};
/* Diagnostics have summary "Invalid target" or as OpenTofu's by what is
 * wrong with it; src is made from the text, named <option>. */
int target_parse(struct arena *a, struct str text, const char *option,
		 struct target *out, struct diags *ds);
/* Does the target contain the instance (module ancestors count)? A resource
 * target without key contains all instances; a module step without a key
 * contains all instances of that call. */
bool target_contains(const struct target *t, const struct instance_addr *i);
void target_print(struct buf *b, const struct target *t);
/* One full instance address (module keys given), e.g. from a state file. */
int instance_addr_parse(struct arena *a, struct str text,
			struct instance_addr *out, struct diags *ds);

/* Providers: registry.opentofu.org/hashicorp/random */
struct provider_addr {
	struct str host, namespace, type;
};
extern const struct provider_addr provider_builtin; /* terraform.io/builtin/
						       terraform */
struct str provider_addr_text(struct arena *a, struct provider_addr p);
/* A source string: "random", "hashicorp/random", "host/ns/type".  default_host
 * fills what is missing. */
int provider_addr_parse(struct arena *a, struct str source,
			struct str default_host, struct provider_addr *out,
			struct str *why);
bool provider_addr_equal(struct provider_addr a, struct provider_addr b);

/* A provider configuration as state files write it:
 * module.a.provider["registry.opentofu.org/hashicorp/random"].alias["k"] */
struct provider_config_addr {
	struct module_addr module; /* keys absent */
	struct provider_addr provider;
	struct str alias;          /* may be empty */
	struct inst_key key;       /* provider for_each; usually absent */
};
struct str provider_config_text(struct arena *a,
				const struct provider_config_addr *p);
int provider_config_parse(struct arena *a, struct str text,
			  struct provider_config_addr *out, struct diags *ds);

/* References: what a traversal in an expression names. */
enum ref_kind {
	REF_VARIABLE,  /* var.x */
	REF_LOCAL,     /* local.x */
	REF_RESOURCE,  /* type.name[key], data.…, ephemeral.… */
	REF_MODULE,    /* module.x, module.x[key], module.x.output */
	REF_COUNT,     /* count.index */
	REF_EACH,      /* each.key, each.value */
	REF_PATH,      /* path.module … */
	REF_TERRAFORM, /* terraform.workspace, tofu.workspace … */
	REF_SELF,
	REF_OUTPUT,    /* output.x: only where check rules see it */
	REF_PROVIDER,  /* provider iteration: aws[each.key] */
};

struct reference {
	enum ref_kind kind;
	struct str name;               /* variable, local, module, attr */
	struct resource_addr resource; /* REF_RESOURCE */
	struct inst_key key;           /* literal key directly after it */
	struct str output;             /* REF_MODULE with a literal output */
	struct span span;              /* of the reference itself */
	const struct step *rest;       /* remaining steps */
	size_t nrest;
	const struct source *src;
};

/* Parses; diagnostics as OpenTofu's "Invalid reference" family. */
int reference_parse(struct arena *a, const struct traversal_ref *t,
		    struct reference *out, struct diags *ds);
/* As the published `references` list has it: "terraform_data.a" */
void reference_print(struct buf *b, const struct reference *r);

#endif
