/*
 * regex_class.c - sets of characters; see regex_int.h
 */
#include <unicase.h>

#include "funcs/regex_int.h"

/* --- case --- */

/* Letters that share their lower-case form with two others. */
static const struct {
	ucs4_t variant, lower;
} variants[] = {
	{ 0xb5, 0x3bc },    { 0x17f, 's' },     { 0x1c5, 0x1c6 },
	{ 0x1c8, 0x1c9 },   { 0x1cb, 0x1cc },   { 0x1f2, 0x1f3 },
	{ 0x345, 0x3b9 },   { 0x3c2, 0x3c3 },   { 0x3d0, 0x3b2 },
	{ 0x3d1, 0x3b8 },   { 0x3d5, 0x3c6 },   { 0x3d6, 0x3c0 },
	{ 0x3f0, 0x3ba },   { 0x3f1, 0x3c1 },   { 0x3f4, 0x3b8 },
	{ 0x3f5, 0x3b5 },   { 0x1c80, 0x432 },  { 0x1c81, 0x434 },
	{ 0x1c82, 0x43e },  { 0x1c83, 0x441 },  { 0x1c84, 0x442 },
	{ 0x1c85, 0x442 },  { 0x1c86, 0x44a },  { 0x1c87, 0x463 },
	{ 0x1c88, 0xa64b }, { 0x1e9b, 0x1e61 }, { 0x1e9e, 0xdf },
	{ 0x1fbe, 0x3b9 },  { 0x2126, 0x3c9 },  { 0x212a, 'k' },
	{ 0x212b, 0xe5 },
};

/* The form that all letters equal but for case have in common. */
static ucs4_t fold(ucs4_t ch)
{
	if (ch == 0x130 || ch == 0x131) /* dotted I, dotless i */
		return ch;
	return uc_tolower(uc_toupper(ch));
}

static bool item_has(const struct set_item *it, ucs4_t ch)
{
	switch (it->kind) {
	case SET_RANGE:
		return ch >= it->lo && ch <= it->hi;
	case SET_CATEGORY:
		return uc_is_general_category(ch, it->category);
	case SET_SCRIPT:
		return uc_is_script(ch, it->script);
	default:
		return set_has(it->class, ch);
	}
}

/* Is any form of ch, upper, lower or other, in the item? */
static bool item_has_folded(const struct set_item *it, ucs4_t ch)
{
	ucs4_t lower = fold(ch);

	if (item_has(it, ch) || item_has(it, lower))
		return true;
	if (ch == 0x130 || ch == 0x131)
		return false;
	if (item_has(it, uc_toupper(lower)))
		return true;
	for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
		if (variants[i].lower == lower &&
		    item_has(it, variants[i].variant))
			return true;
	}
	return false;
}

bool set_has(const struct char_set *s, ucs4_t ch)
{
	bool found = false;

	for (size_t i = 0; i < s->items.len && !found; i++) {
		const struct set_item *it = &s->items.items[i];
		bool in = it->fold ? item_has_folded(it, ch)
				   : item_has(it, ch);

		found = in != it->negate;
	}
	return found != s->negate;
}

/* --- making --- */

void set_add_range(struct arena *a, struct char_set *s, ucs4_t lo, ucs4_t hi,
		   bool folded)
{
	struct set_item it = { .kind = SET_RANGE, .fold = folded };

	it.lo = lo;
	it.hi = hi;
	vec_push(a, &s->items, it);
}

/* Ranges given as pairs of characters; negated they become a set within. */
static void add_pairs(struct arena *a, struct char_set *s, const char *pairs,
		      bool negate, bool folded)
{
	struct char_set *inner = negate ? ARENA_NEW(a, struct char_set) : s;

	for (; *pairs; pairs += 2)
		set_add_range(a, inner, (ucs4_t)pairs[0], (ucs4_t)pairs[1],
			      folded);
	if (negate) {
		struct set_item it = { .kind = SET_CLASS, .negate = true };

		it.class = inner;
		vec_push(a, &s->items, it);
	}
}

bool set_add_perl(struct arena *a, struct char_set *s, char letter,
		  bool folded)
{
	bool negate = letter == 'D' || letter == 'S' || letter == 'W';

	switch (letter) {
	case 'd':
	case 'D':
		add_pairs(a, s, "09", negate, folded);
		return true;
	case 's':
	case 'S':
		add_pairs(a, s, "\t\n\f\r  ", negate, folded);
		return true;
	case 'w':
	case 'W':
		add_pairs(a, s, "09AZ__az", negate, folded);
		return true;
	default:
		return false;
	}
}

bool set_add_posix(struct arena *a, struct char_set *s, struct str name,
		   bool folded)
{
	static const struct {
		const char *name, *pairs;
	} classes[] = {
		{ "alnum", "09AZaz" },
		{ "alpha", "AZaz" },
		{ "ascii", "\x01\x7f" }, /* and U+0000, see below */
		{ "blank", "\t\t  " },
		{ "cntrl", "\x01\x1f\x7f\x7f" },
		{ "digit", "09" },
		{ "graph", "!~" },
		{ "lower", "az" },
		{ "print", " ~" },
		{ "punct", "!/:@[`{~" },
		{ "space", "\t\r  " },
		{ "upper", "AZ" },
		{ "word", "09AZaz__" },
		{ "xdigit", "09AFaf" },
	};
	bool negate = name.n && name.p[0] == '^';
	struct char_set *inner = ARENA_NEW(a, struct char_set);
	struct set_item it = { .kind = SET_CLASS, .negate = negate };

	if (negate)
		name = str_sub(name, 1, name.n);
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		if (!str_is(name, classes[i].name))
			continue;
		add_pairs(a, inner, classes[i].pairs, false, folded);
		if (classes[i].pairs[0] == '\x01')
			set_add_range(a, inner, 0, 0, false);
		it.class = inner;
		vec_push(a, &s->items, it);
		return true;
	}
	return false;
}

/* As Unicode's own lists spell names: Old_Italic, Lu. */
static char *canonical_name(struct arena *a, struct str name)
{
	char *s = arena_strndup(a, name.p, name.n);
	bool start = true;

	for (char *p = s; *p; p++) {
		if (*p == ' ' || *p == '-')
			*p = '_';
		if (start && *p >= 'a' && *p <= 'z')
			*p = (char)(*p - 32);
		else if (!start && *p >= 'A' && *p <= 'Z')
			*p = (char)(*p + 32);
		start = *p == '_';
	}
	return s;
}

bool set_add_unicode(struct arena *a, struct char_set *s, struct str name,
		     bool negate, bool folded)
{
	struct set_item it = { .kind = SET_RANGE, .negate = negate,
			       .fold = folded };
	char *canonical;

	if (name.n && name.p[0] == '^') {
		it.negate = !negate;
		name = str_sub(name, 1, name.n);
	}
	canonical = canonical_name(a, name);
	if (strcmp(canonical, "Any") == 0) {
		it.lo = 0;
		it.hi = 0x10ffff;
	} else if (strcmp(canonical, "Ascii") == 0) {
		it.lo = 0;
		it.hi = 0x7f;
	} else if (strcmp(canonical, "Assigned") == 0) {
		it.kind = SET_CATEGORY;
		it.negate = !it.negate;
		it.category = UC_CATEGORY_Cn;
	} else if (strcmp(canonical, "Lc") == 0) {
		it.kind = SET_CATEGORY;
		it.category = UC_CATEGORY_LC;
	} else {
		it.kind = SET_CATEGORY;
		it.category = uc_general_category_byname(canonical);
		if (!it.category.bitmask) {
			it.kind = SET_SCRIPT;
			it.script = uc_script_byname(canonical);
			if (!it.script)
				return false;
		}
	}
	vec_push(a, &s->items, it);
	return true;
}
