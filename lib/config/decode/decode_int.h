/* decode_int.h - a file's top level, and what all block decoders need */
#ifndef TFPIPE_CONFIG_DECODE_INT_H
#define TFPIPE_CONFIG_DECODE_INT_H

#include "config/decode/decls_int.h"

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

#endif
