/*
 * addr.h - addresses and references: one parser, one printer
 *
 * Module instance paths, resources, resource instances, providers and
 * references in the ecosystem's notation: module.a["x"].aws_vpc.m[0].
 */
#ifndef TFPIPE_ADDR_ADDR_H
#define TFPIPE_ADDR_ADDR_H

#include "json/json.h"
#include "json/write.h"
#include "lang/syntax/parse.h"
#include "base/str.h"
#include "value/value.h"

enum key_kind { KEY_NONE, KEY_INT, KEY_STRING };

struct inst_key {
	enum key_kind kind;
	int64_t i;
	struct str s;
};

#define KEY_ABSENT ((struct inst_key){ KEY_NONE, 0, { NULL, 0 } })

/* Makes a key from the value of a literal index (a string, or a whole number
 * that fits).  Returns -1 with *why set when it is neither. */
int inst_key_from_value(const struct value *v, struct inst_key *out,
			const char **why);
bool inst_key_equal(struct inst_key a, struct inst_key b);
/* none < int (numeric) < string (lexical) */
int inst_key_cmp(struct inst_key a, struct inst_key b);
/* "", [0], ["x"]: a string is quoted as the language would read it back. */
void inst_key_print(struct buf *b, struct inst_key k);
/* The key as text; STR_NONE without a key. */
struct str inst_key_text(struct arena *a, struct inst_key k);
/* A literal key in a reference means what the expansion of the resource makes
 * of it: r["1"] is r[1] if the keys are numbers, and r[1] is r["1"] if they are
 * strings.  inst_key_other returns the other of the two; the key itself if
 * there is none.  inst_key_means: does the literal mean the instance of this
 * key? */
struct inst_key inst_key_other(struct arena *a, struct inst_key literal);
bool inst_key_means(struct inst_key literal, struct inst_key key);
/* Writes the key as JSON, a number or a string; no member without a key. */
static inline void inst_key_member(struct jw *w, const char *name,
				   struct inst_key k)
{
	if (k.kind == KEY_INT)
		jw_member_int(w, name, k.i);
	else if (k.kind == KEY_STRING)
		jw_member_str(w, name, k.s);
}
/* "text", with the escapes of the language. */
void addr_print_quoted(struct buf *b, struct str text);

/*
 * attr_path.c: a path into an object's value, as people and programs read it in
 * tf-diff, tf-canon, tf explain and the forms of tf-show:
 * tags.Name, ebs[0].size, tags["a b"]
 *
 * Each function appends a step.  Of a value of ours there is path_text
 * (value/path.h), which messages have, with a dot in front.
 */

/* An attribute, a block or a key of a map. */
void addr_attr_name(struct buf *path, struct str name);
void addr_attr_index(struct buf *path, uint64_t i);

struct module_step {
	struct str name;
	struct inst_key key;
};

struct module_addr { /* a module instance; len 0 is the root */
	const struct module_step *steps;
	size_t len;
};

void module_addr_print(struct buf *b, struct module_addr m);
struct str module_addr_text(struct arena *a, struct module_addr m);
/* "module.a.module.b", without keys. */
void module_addr_print_path(struct buf *b, struct module_addr m);
bool module_addr_equal(struct module_addr a, struct module_addr b);
int module_addr_cmp(struct module_addr a, struct module_addr b);
/* The order of a tree written out: what is in a module follows it directly, and
 * siblings are in the order of their addresses as text: m[10] before m[2]. */
int module_addr_tree_cmp(struct module_addr a, struct module_addr b);
struct module_addr module_addr_child(struct arena *a, struct module_addr m,
				     struct str name, struct inst_key key);

enum resource_mode {
	MODE_MANAGED,
	MODE_DATA,
	MODE_EPHEMERAL,
};

/* "managed", "data", "ephemeral": as published JSON and states have it. */
const char *resource_mode_name(enum resource_mode m);

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

bool resource_addr_equal(struct resource_addr a, struct resource_addr b);
void resource_addr_print(struct buf *b, struct resource_addr r);
/* The local name of the provider that a type belongs to by its prefix. */
struct str addr_implied_provider(struct str type);
void instance_addr_print(struct buf *b, const struct instance_addr *i);
struct str instance_addr_text(struct arena *a, const struct instance_addr *i);
bool instance_addr_equal(const struct instance_addr *a,
			 const struct instance_addr *b);
/* The order of plans and of state lists: module path (shorter first, then by
 * step), mode (ephemeral, data, managed), type, name, key. */
int instance_addr_cmp(const struct instance_addr *a,
		      const struct instance_addr *b);

/* The kinds of objects a command line may name. */
enum target_kind {
	TARGET_MODULE,   /* module.a or module.a[0] */
	TARGET_RESOURCE, /* all instances of it */
	TARGET_INSTANCE, /* exactly one (key given) */
};
struct target {
	enum target_kind kind;
	struct str glob;           /* of a pattern, its text: names may hold *,
	                              absent keys mean any */
	struct instance_addr addr; /* module, resource, key: as far as kind */
};
struct target_vec VEC_OF(struct target);

/* The objects that -target, -exclude and -replace name; initialise to zero. */
struct target_set {
	struct target_vec targets, excludes;
	VEC(struct instance_addr) replace;
};
/* Is something left out? */
static inline bool target_set_narrows(const struct target_set *s)
{
	return s->targets.len || s->excludes.len;
}

/* Providers: registry.opentofu.org/hashicorp/random */
struct provider_addr {
	struct str host, namespace, type;
};
extern const struct provider_addr provider_builtin; /* terraform.io/builtin/
						       terraform */

/* A provider configuration as state files write it:
 * module.a.provider["registry.opentofu.org/hashicorp/random"].alias["k"] */
struct provider_config_addr {
	struct module_addr module; /* keys absent */
	struct provider_addr provider;
	struct str alias;    /* may be empty */
	struct inst_key key; /* provider for_each; usually absent */
};

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
	REF_OUTPUT, /* output.x: only where check rules see it */
};

struct reference {
	enum ref_kind kind;
	struct str root;               /* first name as written: "tofu" */
	struct str name;               /* variable, local, module, attr */
	struct resource_addr resource; /* REF_RESOURCE */
	struct inst_key key;           /* literal key directly after it */
	struct str output;             /* REF_MODULE with a literal output */
	struct span span;              /* of the reference itself */
	const struct step *rest;       /* remaining steps */
	size_t nrest;
	const struct source *src;
};

/*
 * plain.c: addresses as most are: t_t.n, data.t_t.n, with a key in which
 * nothing is escaped
 */

/* Read simple addresses without the parser.  False: the address is not that
 * simple, but may be valid.  The results point into text. */
bool addr_split_key(struct str text, struct str *resource,
		    struct inst_key *key);
bool instance_addr_plain(struct str text, struct instance_addr *out);

/*
 * value_text.c: values as source text
 *
 * The configuration source of a value: used to generate configuration for
 * imported objects and by encode_tfvars and encode_expr.
 */

/* v must be wholly known; marks are ignored.  Objects and maps take a line an
 * attribute, without indentation: format_source lays the text out. */
void value_print_source(struct buf *out, const struct value *v);

#endif
