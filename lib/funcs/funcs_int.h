/*
 * funcs_int.h - what the families of functions share
 */
#ifndef TFPIPE_FUNCS_FUNCS_INT_H
#define TFPIPE_FUNCS_FUNCS_INT_H

#include "funcs/funcs.h"
#include "value/number.h"

/* Every function, in order of name; table.c and the declarations below are
 * made from this list.  try and can are defined in lang/. */
#define FUNCS_ALL(X)                                                         \
	X(abs) X(abspath) X(alltrue) X(anytrue) X(base64decode)              \
	X(base64encode) X(base64gunzip) X(base64gzip) X(base64sha256)        \
	X(base64sha512) X(basename) X(bcrypt) X(can) X(ceil) X(chomp)        \
	X(chunklist) X(cidrcontains) X(cidrhost) X(cidrnetmask)              \
	X(cidrsubnet) X(cidrsubnets) X(coalesce) X(coalescelist) X(compact)  \
	X(concat) X(contains) X(csvdecode) X(dirname) X(distinct)            \
	X(element) X(endswith) X(ephemeralasnull) X(file) X(filebase64)      \
	X(filebase64sha256) X(filebase64sha512) X(fileexists) X(filemd5)     \
	X(fileset) X(filesha1) X(filesha256) X(filesha512) X(flatten)        \
	X(floor) X(format) X(formatdate) X(formatlist) X(indent) X(index)    \
	X(issensitive) X(join) X(jsondecode) X(jsonencode) X(keys)           \
	X(length) X(list) X(log) X(lookup) X(lower) X(map) X(matchkeys)      \
	X(max) X(md5) X(merge) X(min) X(nonsensitive) X(one) X(parseint)     \
	X(pathexpand) X(plantimestamp) X(pow) X(range) X(regex)              \
	X(regexall) X(replace) X(reverse) X(rsadecrypt) X(sensitive)         \
	X(setintersection) X(setproduct) X(setsubtract) X(setunion) X(sha1)  \
	X(sha256) X(sha512) X(signum) X(slice) X(sort) X(split)              \
	X(startswith) X(strcontains) X(strrev) X(substr) X(sum)              \
	X(templatefile) X(templatestring) X(textdecodebase64)                \
	X(textencodebase64) X(timeadd) X(timecmp) X(timestamp) X(title)      \
	X(tobool) X(tolist) X(tomap) X(tonumber) X(toset) X(tostring)        \
	X(transpose) X(trim) X(trimprefix) X(trimspace) X(trimsuffix)        \
	X(try) X(type) X(upper) X(urldecode) X(urlencode) X(uuid)            \
	X(uuidv5) X(values) X(yamldecode) X(yamlencode) X(zipmap)

#define FUNCS_DECLARE(name) extern const struct func func_##name;
FUNCS_ALL(FUNCS_DECLARE)
#undef FUNCS_DECLARE

/* For the static tables: .params = PARAMS({ "num", &type_number, 0, NULL }) */
#define PARAMS(...) (const struct func_param[]){ __VA_ARGS__, { 0 } }
#define NO_PARAMS (const struct func_param[]){ { 0 } }
#define PARAM(...) &(const struct func_param){ __VA_ARGS__ }

/* A parameter of any kind of value that the function looks at as it is. */
#define PARAM_ANY (PARAM_NULL | PARAM_UNKNOWN | PARAM_DYNAMIC)

/* What a number that must be an int64 is told when it is not. */
#define WHOLE_NUMBER                                                         \
	"value must be a whole number, between -9223372036854775808 and "    \
	"9223372036854775807"

/* The text of string argument i. */
static inline struct str arg_str(const struct func_call *c, size_t i)
{
	return c->args[i]->string;
}

struct value_vec VEC_OF(const struct value *);

/* An unknown of type t, not null. */
const struct value *func_unknown(struct func_call *c, const struct type *t);

/* As func_fail, for result_type callbacks; always returns NULL. */
const struct type *func_fail_type(struct func_call *c, int arg,
				  const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Argument i converted to t (the argument is at fault when it cannot be), and
 * the same without an error. */
const struct value *func_convert(struct func_call *c, int i,
				 const struct value *v, const struct type *t);
const struct value *func_try_convert(struct func_call *c,
				     const struct value *v,
				     const struct type *t);

/* The i-th argument without its own marks, which are added to *m. */
const struct value *func_unmark(struct func_call *c, size_t i,
				const struct marks **m);

/* Is length() of this collection or tuple known? */
bool length_known(const struct value *v);

static inline bool is_sequence(const struct type *t)
{
	return t->kind == TYPE_LIST || t->kind == TYPE_SET ||
	       t->kind == TYPE_TUPLE;
}

/* text in double quotes, escaped: how messages show strings. */
struct str quote(struct arena *a, struct str text);
/* The same, or "(sensitive value)" and the like when m says so. */
struct str quote_unless_secret(struct arena *a, struct str text,
			       const struct marks *m);

/* Is there an infinity in a wholly known value? JSON cannot hold it. */
bool json_has_infinity(const struct value *v);

/* The contents of b as a string value; releases b. */
const struct value *buf_value(struct arena *a, struct buf *b);

/* Base64 as functions read it: line breaks are ignored.  Returns 0, or -1 with
 * *bad set to the offset of the first wrong byte (encoding.c). */
int base64_read(struct buf *b, struct str text, size_t *bad);

/* --- files (path.c, file.c) --- */
/* The path that a function's path argument means: ~ expanded, relative to the
 * base directory, cleaned.  NULL: the call failed. */
const char *func_path(struct func_call *c, struct str path);
/* The same without ~. */
struct str func_relative_path(struct func_call *c, struct str path);
/* As path names are understood without looking at files: "a/../b//c" is
 * "b/c", "" is ".". */
struct str path_clean(struct arena *a, struct str p);
/* Joined and cleaned; "" only if both are. */
struct str path_join(struct arena *a, struct str dir, struct str p);
/* Reads the file a path argument means; 0, or -1 with c->err filled. */
int func_read_file(struct func_call *c, struct str path,
		   const struct marks *m, struct buf *out);

#endif
