/* load_int.h - what the files of this room share */
#ifndef TFPIPE_CONFIG_LOAD_LOAD_INT_H
#define TFPIPE_CONFIG_LOAD_LOAD_INT_H

#include "config/decode/decode_int.h"
#include "config/load/load.h"
#include "lang/syntax/walk.h"
#include "lang/eval/eval.h"

struct eval_local;

/* build_module.c: what the files of one module declare, put together */

/* Puts together what the files of a module declare, primary files
 * before override files. */
void build_module(struct cfg_module *m, struct decls *primary, size_t nprimary,
		  struct decls *override, size_t noverride, struct diags *ds);
/* The declarations needed to read the encryption or, if backend, the backend.
 * Merging overrides into *out leaves `from` unchanged. */
void decls_early(struct arena *a, const struct decls *from, bool backend,
		 struct decls *out);

/* files.c: the configuration files of a directory */

/* The configuration files of a directory, parsed; -1 when the
 * directory could not be read (diagnosed). */
int files_load(struct config *c, const char *dir, struct cfg_file_vec *out,
	       struct diags *ds);

/* What the files that load a configuration share */

/* One run of the loader. */
struct loader {
	struct config *config;
	const struct config_options *opts;
	struct diags *ds;
	struct map manifest; /* "a.b" -> struct installed * */
	bool manifest_read;
	bool stopped; /* see stepwise: the root module is not looked at further */
	struct map dirs; /* -> struct cfg_file_vec *: the files, parsed, for
			      all calls that share them */
	struct map memo; /* values of early evaluation; static.c */
};

/* override.c: an override file merged over a module */

/* Merges one override file over m. */
void override_module(struct cfg_module *m, struct decls *of, struct diags *ds);

/* static.c: early evaluation */

/* The objects being evaluated: a chain from the use to the definition. */
struct static_frame {
	const struct static_frame *outer;
	struct loader *loader;
	struct cfg_module *module;
	const char *subject; /* "module.a.source", "local.x" */
	struct range at;
	const void *object; /* the definition, to notice circles */
	bool *unknown;      /* set when something is not known yet */
	/* Set when what the expression itself refers to has errors; or NULL. */
	bool *failed;
	const struct eval_local *among; /* values besides; or NULL */
};

struct static_uses { /* of one expression */
	struct traversal_vec vars;
	struct call_vec calls;
};

void static_uses(struct arena *a, struct expression e, struct static_uses *out);

/* static.c: early evaluation of an expression */

/* The value of e, which is what f is about; see also f->unknown, f->failed. */
const struct value *static_evaluate(const struct static_frame *f,
				    struct expression e, struct diags *ds);
/* Where it is evaluated. */
struct scope static_scope(const struct static_frame *f);
/* Evaluates early what the call of m passes to its `const` variables. */
void static_constants(struct loader *l, struct cfg_module *m);

/* static_use.c: what is evaluated early: modules and providers */

/* Evaluates the source and version of a call early, and says what
 * is wrong with them. */
void static_call(struct loader *l, struct cfg_call *call);
/* Evaluates a provider configuration's for_each or count early, for what is
 * wrong with it; the value is not kept. */
void static_provider(struct loader *l, const struct cfg_provider *p);

#endif
