/*
 * regex_int.h - regular expressions
 *
 * The language is RE2's, which is what the ecosystem documents: Perl's without
 * back references and look-around, matched leftmost-first.  It is matched by
 * simulating all alternatives at once, in time linear in the text, so that no
 * pattern can make a plan hang; a backtracking library (PCRE2) could only give
 * up with an error where OpenTofu has a result, and accepts other syntax.
 */
#ifndef TFPIPE_FUNCS_REGEX_INT_H
#define TFPIPE_FUNCS_REGEX_INT_H

#include <unictype.h>

#include "base/str.h"
#include "base/vec.h"

/* --- sets of characters (regex_class.c) --- */

enum set_kind {
	SET_RANGE,
	SET_CATEGORY, /* Unicode general categories */
	SET_SCRIPT,
	SET_CLASS,    /* another set: the negated ones in brackets */
};

struct char_set;

struct set_item {
	enum set_kind kind;
	bool negate;
	bool fold; /* matches whatever is equal but for case */
	union {
		struct {
			ucs4_t lo, hi;
		};
		uc_general_category_t category;
		const uc_script_t *script;
		const struct char_set *class;
	};
};

/* A character is in it if it is in any item (or, negated, in none). */
struct char_set {
	VEC(struct set_item) items;
	bool negate;
};

bool set_has(const struct char_set *s, ucs4_t ch);
void set_add_range(struct arena *a, struct char_set *s, ucs4_t lo, ucs4_t hi,
		   bool fold);
/* \d \s \w and, by capital letters, their opposites; false for others. */
bool set_add_perl(struct arena *a, struct char_set *s, char letter,
		  bool fold);
/* The name between [: and :], which may begin with ^; false: unknown. */
bool set_add_posix(struct arena *a, struct char_set *s, struct str name,
		   bool fold);
/* The name in \p{...}: a category or a script, with ^ or not. */
bool set_add_unicode(struct arena *a, struct char_set *s, struct str name,
		     bool negate, bool fold);

/* --- syntax trees (regex_parse.c) --- */

enum re_kind {
	RE_EMPTY,
	RE_SET,
	RE_ASSERT,
	RE_CAPTURE, /* sub[0] */
	RE_REPEAT,  /* sub[0] */
	RE_CONCAT,
	RE_ALT,
};

enum assertion {
	BEGIN_LINE,
	END_LINE,
	BEGIN_TEXT,
	END_TEXT,
	WORD_BOUNDARY,
	NO_WORD_BOUNDARY,
};

struct re {
	enum re_kind kind;
	const struct char_set *set;
	enum assertion assertion;
	unsigned capture;  /* counted from 1 */
	int min, max;      /* max -1: no limit */
	bool counted;      /* written with braces */
	bool lazy;
	const struct re *const *sub;
	size_t nsub;
};

struct name_vec VEC_OF(struct str);

struct re_error {
	const char *what;
	struct str where; /* the part of the pattern concerned */
};

/* names: one a capture, empty if it has none.  NULL with *err filled. */
const struct re *re_parse(struct arena *a, struct str pattern,
			  struct name_vec *names, struct re_error *err);
/* \... at the start of s, for a single character; returns its length, or 0
 * with *err filled (regex_escape.c). */
size_t re_escape(struct str s, ucs4_t *ch, struct re_error *err);
/* Any character; its length. */
size_t re_char(struct str s, ucs4_t *ch);

/* --- programs (regex_prog.c, regex_match.c) --- */

enum re_op { OP_CHAR, OP_CHECK, OP_SAVE, OP_SPLIT, OP_GOTO, OP_DONE };

struct re_inst {
	enum re_op op;
	uint32_t to, other; /* OP_SPLIT tries `to` first */
	uint32_t slot;      /* OP_SAVE */
	enum assertion assertion;
	const struct char_set *set;
};

struct regex {
	struct arena *arena;
	struct name_vec names;
	VEC(struct re_inst) prog;
	size_t nslots; /* 2 for the match and 2 a capture */
};

/* NULL with *err filled. */
struct regex *regex_compile(struct arena *a, struct str pattern,
			    struct re_error *err);

enum re_result { RE_NO_MATCH, RE_MATCH, RE_TOO_LONG };

/* The leftmost match at `from` or later; slots[nslots] gets offsets into text,
 * SIZE_MAX where a capture took no part. RE_TOO_LONG: after too many steps. */
enum re_result regex_match(const struct regex *re, struct str text,
			   size_t from, size_t *slots);

#endif
