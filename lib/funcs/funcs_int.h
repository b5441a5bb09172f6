/*
 * funcs_int.h - what the families of functions share
 */
#ifndef TFPIPE_FUNCS_FUNCS_INT_H
#define TFPIPE_FUNCS_FUNCS_INT_H

#include "lang/eval/func.h"
#include "value/number.h"

/* Every function, in order of name; table.c and the declarations below are
 * made from this list.  try and can are defined in lang/. */
/* clang-format off */
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
/* clang-format on */

#define FUNCS_DECLARE(name) extern const struct func func_##name;
FUNCS_ALL(FUNCS_DECLARE)
#undef FUNCS_DECLARE

/* For the static tables: .params = PARAMS({ "num", &type_number, 0, NULL }) */
#define PARAMS(...) \
	(const struct func_param[]) \
	{ \
		__VA_ARGS__, \
		{ \
			0 \
		} \
	}
#define NO_PARAMS \
	(const struct func_param[]) \
	{ \
		{ \
			0 \
		} \
	}
#define PARAM(...) \
	&(const struct func_param) \
	{ \
		__VA_ARGS__ \
	}

/* A parameter of any kind of value that the function looks at as it is. */
#define PARAM_ANY (PARAM_NULL | PARAM_UNKNOWN | PARAM_DYNAMIC)

/* The error for a number that must be an int64 and is not. */
#define WHOLE_NUMBER \
	"value must be a whole number, between -9223372036854775808 and " \
	"9223372036854775807"

/* The text of string argument i. */
static inline struct str arg_str(const struct func_call *c, size_t i)
{
	return c->args[i]->string;
}

struct value_vec VEC_OF(const struct value *);

static inline bool is_sequence(const struct type *t)
{
	return t->kind == TYPE_LIST || t->kind == TYPE_SET ||
	       t->kind == TYPE_TUPLE;
}

#endif
