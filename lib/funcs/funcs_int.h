/* funcs_int.h - what the families of functions share */
#ifndef TFPIPE_FUNCS_FUNCS_INT_H
#define TFPIPE_FUNCS_FUNCS_INT_H

#include "lang/eval/func.h"
#include "value/number.h"
#include "base/str.h"
#include "base/vec.h"
#include "codec/yaml_text.h"
#include "json/json.h"
#include "json/write.h"

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

/* common.c: what the families of functions share */

/* An unknown of type t, not null. */
const struct value *func_unknown(struct func_call *c, const struct type *t);
/* As func_fail, for result_type callbacks; always returns NULL. */
const struct type *func_fail_type(struct func_call *c, int arg, const char *fmt,
				  ...) __attribute__((format(printf, 3, 4)));
/* Argument i converted to t (the argument is at fault when it cannot be), and
 * the same without an error. */
const struct value *func_convert(struct func_call *c, int i,
				 const struct value *v, const struct type *t);
const struct value *func_try_convert(struct func_call *c, const struct value *v,
				     const struct type *t);
/* The i-th argument without its own marks, which are added to *m. */
const struct value *func_unmark(struct func_call *c, size_t i,
				const struct marks **m);
/* Is length() of this collection or tuple known? */
bool func_length_known(const struct value *v);
/* text in double quotes, escaped: how messages show strings. */
struct str func_quote(struct arena *a, struct str text);
/* The text quoted, or "(sensitive value)" and the like when m says so. */
struct str func_quote_unless_secret(struct arena *a, struct str text,
				    const struct marks *m);
/* The contents of b as a string value; releases b. */
const struct value *buf_value(struct arena *a, struct buf *b);

/* encoding_funcs.c: base64decode, base64encode, urldecode, urlencode */

/* Base64 as functions read it: line breaks are ignored.  Returns 0, or -1 with
 * *bad set to the offset of the first wrong byte (encoding_funcs.c). */
int encoding_base64_read(struct buf *b, struct str text, size_t *bad);

/* file_funcs.c: file, filebase64, fileexists */

/* Reads the file a path argument means; 0, or -1 with c->err filled. */
int func_read_file(struct func_call *c, struct str path, const struct marks *m,
		   struct buf *out);

/* format_funcs.c: between format_funcs.c and format_number.c */

/* %[flags][width][.precision][[index]]letter */
struct verb {
	struct str raw; /* as written */
	size_t offset;  /* of raw in the format */
	size_t arg;     /* counted from 1 */
	char mode;      /* the letter */
	bool sharp, zero, minus, plus, space;
	bool has_width, has_prec;
	size_t width, prec; /* 0 if not given; at most FORMAT_MAX */
};

enum { FORMAT_MAX = 1000000 };

/* format_number.c: numbers in format(): see format_funcs.c */

/* Would it take more than FORMAT_MAX digits without an exponent? */
bool format_too_long(const struct value *v);
/* A known, finite or infinite number with e, E, f, g or G; without precision g
 * writes as many digits as distinguish the number from all others. */
void format_float(struct buf *b, const struct value *v,
		  const struct verb *verb);
/* With b, d, o, x or X; -1 if the number is not whole. */
int format_integer(struct buf *b, const struct value *v,
		   const struct verb *verb);

/*
 * glob.c: patterns of file names for fileset()
 *
 * 	*  any characters but /        ?  one character but /
 * 	[a-z] [^a-z] [!a-z]  one character of (not of) a class
 * 	{a,b/c}  alternatives          **  as a whole part: any directories
 * 	\x  x itself
 */

struct glob_list VEC_OF(struct str);

/* Is the pattern well formed? */
bool glob_valid(struct str pattern);

/* Expands a valid pattern into patterns without alternatives.  Returns 0, or -1
 * if there are too many to mean anything. */
int glob_expand(struct arena *a, struct str pattern, struct glob_list *out);

/* Has the pattern, of one part of a path, any of * ? [ ? */
bool glob_is_wild(struct str pattern);
/* A pattern that is not wild as the name it means. */
struct str glob_plain(struct arena *a, struct str pattern);

/* Does a name match a pattern of one part of a path? */
bool glob_match(struct str pattern, struct str name);

/*
 * gomath.c: logarithm and power in double precision, digit for digit as
 * the ecosystem computes them
 *
 * The C library's results differ from OpenTofu's in the last digit now and
 * then, and so from machine to machine; a plan must not.  These follow the
 * published algorithms that OpenTofu's run-time library uses: fdlibm's
 * logarithm, and powers by squaring.
 */

double gomath_log(double x);
double gomath_pow(double x, double y);

/* json_funcs.c: jsondecode, jsonencode */

/* Is there an infinity in a wholly known value? JSON cannot hold it. */
bool json_has_infinity(const struct value *v);

/* path_funcs.c: abspath, basename, dirname, pathexpand, and paths for the
 * others */

/* The path that a function's path argument means: ~ expanded, relative to the
 * base directory, cleaned.  NULL: the call failed. */
const char *func_path(struct func_call *c, struct str path);
/* A path relative to the base directory, cleaned; ~ is a name. */
struct str func_relative_path(struct func_call *c, struct str path);

/* text_funcs.c: character encodings for text_funcs.c */

enum encoding_kind {
	UTF8,
	UTF16,
	BYTES, /* one byte a character */
	WIDE,  /* several, by iconv */
	HZ,
};

struct encoding {
	enum encoding_kind kind;
	const char *name;    /* as messages tell it */
	const char *iconv;   /* NULL: none is needed */
	const char *aliases; /* separated by spaces, name included */
};

/* text_codec.c: character encodings; see text_funcs.c */

/* From and to UTF-8.  Return 0; -1 if something cannot be represented or means
 * nothing; -2 if the machine does not know the encoding. */
int encoding_encode(const struct encoding *e, struct buf *out, struct str s);
int encoding_decode(const struct encoding *e, struct buf *out, struct str s);

/* time.c: points in time: RFC 3339 and its relatives */

struct timestamp {
	int64_t sec;  /* since 1970-01-01T00:00:00Z */
	int32_t nsec; /* 0..999,999,999 */
	int offset;   /* of the zone it was written in, seconds east */
};

struct civil {
	int64_t year;
	int month, day, hour, minute, second;
	int weekday; /* 0: Sunday */
};

enum time_syntax {
	/* RFC 3339 to the letter. */
	TIME_STRICT,
	/* RFC 3339, or with one digit for the hour, a comma before the
	 * fraction, zones up to 24:60: what timecmp() accepts. */
	TIME_LENIENT,
	/* Month, day and the parts of the time may have one digit each; 't'
	 * for 'T'; a space for it, then without a zone; or a mere date: what
	 * YAML documents contain. */
	TIME_YAML,
};

/* NULL, or what is wrong. */
const char *timestamp_parse(struct arena *a, struct str s,
			    enum time_syntax syntax, struct timestamp *out);

/* RFC 3339 without the fraction; years before 0 and after 9999 as they are. */
void timestamp_format(struct buf *b, const struct timestamp *t);
/* +hh:mm; sep is ":" or "". */
void time_zone_format(struct buf *b, int offset, const char *sep);

/* Date and time in the zone of t. */
struct civil civil_of(const struct timestamp *t);

/* yaml_repair.c: texts that OpenTofu reads and libyaml refuses */

/* After the error e: if OpenTofu would have read *s, puts a text there that
 * libyaml reads so. */
bool yaml_repair(struct arena *a, struct yaml_error e, struct str *s);

/* yaml_scalar.c: what YAML scalars mean */

/* The value of a scalar: by its tag ("" if it has none), else by its look.
 * NULL with *wrong set.  Untyped null is a value. */
const struct value *yaml_scalar(struct arena *a, struct str text,
				struct str tag, bool quoted,
				const char **wrong);

struct ip {
	uint8_t bytes[16]; /* in network order; len of them count */
	int len;           /* 4 or 16 */
};

struct prefix {
	struct ip ip; /* the first address of the network */
	int bits;
};

/* ip_addr.c: reading, writing and stepping through addresses */

/* Dotted decimal, leading zeros allowed; or hexadecimal with at most one ::,
 * the last 32 bits possibly dotted.  Returns 0 or -1. */
int ip_parse(struct str s, struct ip *out);
/* ADDRESS/BITS; the bits behind the prefix are cleared. */
int prefix_parse(struct str s, struct prefix *out);
/* Is it an IPv4 address, or one in IPv6 clothes (::ffff:0:0/96)? */
bool ip_is_v4(const struct ip *ip);
/* In the latter case, makes it the former. */
void prefix_strip(struct prefix *p);
/* RFC 5952 text; IPv4 in IPv6 clothes is dotted. */
struct str ip_text(struct arena *a, const struct ip *ip);
struct str prefix_text(struct arena *a, const struct prefix *p);
/* Clears (or, for the last address, sets) what is behind the prefix. */
void ip_mask(struct ip *ip, int bits);
void ip_fill(struct ip *ip, int bits);
/* Adds or takes away one; all ones and all zeros follow each other. */
void ip_increment(struct ip *ip);
void ip_decrement(struct ip *ip);
bool ip_is_zero(const struct ip *ip);
/* Both of the same length. */
bool prefix_contains(const struct prefix *p, const struct ip *ip);

#endif
