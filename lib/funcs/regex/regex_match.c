/*
 * regex_match.c - matching with PCRE2; see regex_int.h
 *
 * Two limits keep a pattern from taking for ever: PCRE2's own on what is tried
 * at one place of the text, and time for the places together, which are offered
 * to PCRE2 some at a time.  If backtracking hits a low limit, PCRE2's other
 * matcher, which tries all alternatives at once but reports no captures, finds
 * whether and where there is a match at all; most patterns that run wild find
 * none.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <stdlib.h>
#include <pcre2.h>

#include "base/clock.h"
#include "funcs/regex/regex_int.h"

enum {
	MATCH_FEW = 50000, /* before it is asked whether to go on */
	MATCH_MAX = 5000000,
	DFA_SPACE = 20000,
	DFA_PLACES = 64,
	HEAP_MAX = 200 * 1024, /* KiB */
	SECONDS_MAX = 10,
	PLACES = 1 << 10, /* offered at first */
	SHORT_MS = 50,    /* after less, more are offered */
	NEST_MAX = 5000,
};

struct re_engine {
	pcre2_general_context *memory;
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *limits, *dfa_limits;
	const unsigned *groups;
};

/* At the end of a round: empty ones are refused, but for the first. */
static int end_of_round(pcre2_callout_block *b, void *unused)
{
	size_t e = strtoul((const char *)b->callout_string, NULL, 10);
	size_t entered = b->offset_vector[2 * e];
	size_t began = b->offset_vector[2 * e + 2];

	(void)unused;
	return began == b->current_position && began != entered;
}

static void *allocate(size_t n, void *unused)
{
	(void)unused;
	return xmalloc(n);
}

static void release(void *p, void *unused)
{
	(void)unused;
	free(p);
}

static pcre2_code *compile(pcre2_general_context *memory, struct str text)
{
	pcre2_compile_context *c = pcre2_compile_context_create(memory);
	pcre2_code *code;
	size_t at;
	int rc;

	pcre2_set_newline(c, PCRE2_NEWLINE_LF);
	pcre2_set_parens_nest_limit(c, NEST_MAX);
	code = pcre2_compile((PCRE2_SPTR)text.p, text.n,
			     PCRE2_UTF | PCRE2_ALT_CIRCUMFLEX |
				     PCRE2_USE_OFFSET_LIMIT,
			     &rc, &at, c);
	pcre2_compile_context_free(c);
	return code;
}

void regex_free(struct regex *re)
{
	if (!re)
		return;
	pcre2_match_context_free(re->engine->dfa_limits);
	pcre2_match_context_free(re->engine->limits);
	pcre2_match_data_free(re->engine->data);
	pcre2_code_free(re->engine->code);
	pcre2_general_context_free(re->engine->memory);
}

/* Everything that matching needs besides the code. */
static void prepare(struct re_engine *e)
{
	e->data = pcre2_match_data_create_from_pattern(e->code, e->memory);
	e->limits = pcre2_match_context_create(e->memory);
	e->dfa_limits = pcre2_match_context_copy(e->limits);
	pcre2_set_heap_limit(e->limits, HEAP_MAX);
	pcre2_set_callout(e->limits, end_of_round, NULL);
}

struct regex *regex_compile(struct arena *a, struct str pattern,
			    struct re_error *err)
{
	struct regex *re = ARENA_NEW(a, struct regex);
	struct re_engine *e = ARENA_NEW(a, struct re_engine);
	struct re_text t;

	re->engine = e;
	if (regex_translate(a, pattern, &t, err)) {
		buf_release(&t.out);
		return NULL;
	}
	e->memory = pcre2_general_context_create(allocate, release, NULL);
	e->code = compile(e->memory, t.out.p ? buf_view(&t.out) : STR(""));
	buf_release(&t.out);
	if (!e->code) {
		pcre2_general_context_free(e->memory);
		*err = (struct re_error){ "expression too large", pattern };
		return NULL;
	}
	prepare(e);
	e->groups = t.groups.items;
	re->names = t.names;
	re->nslots = 2 * (t.names.len + 1);
	return re;
}

static void copy_slots(const struct regex *re, size_t *slots)
{
	const size_t *found = pcre2_get_ovector_pointer(re->engine->data);

	memcpy(slots, found, 2 * sizeof(*slots));
	for (size_t i = 0; i < re->names.len; i++)
		memcpy(slots + 2 * (i + 1),
		       found + 2 * (size_t)re->engine->groups[i],
		       2 * sizeof(*slots));
}

/* The first match in the text that begins from `from` to *last, as
 * pcre2_match() has it; *last may come nearer. */
static int match_within(struct re_engine *e, struct str text, size_t from,
			size_t *last)
{
	PCRE2_SPTR p = (PCRE2_SPTR)(text.n ? text.p : "");
	int *space, rc;

	pcre2_set_offset_limit(e->limits, *last);
	pcre2_set_match_limit(e->limits, MATCH_FEW);
	rc = pcre2_match(e->code, p, text.n, from, PCRE2_NO_UTF_CHECK, e->data,
			 e->limits);
	if (rc != PCRE2_ERROR_MATCHLIMIT)
		return rc;
	space = xcalloc(DFA_SPACE, sizeof(*space));
	if (*last - from > DFA_PLACES)
		*last = from + DFA_PLACES;
	pcre2_set_offset_limit(e->dfa_limits, *last);
	rc = pcre2_dfa_match(e->code, p, text.n, from,
			     PCRE2_NO_UTF_CHECK | PCRE2_DFA_SHORTEST, e->data,
			     e->dfa_limits, space, DFA_SPACE);
	free(space);
	if (rc < 0)
		return rc;
	from = pcre2_get_ovector_pointer(e->data)[0];
	pcre2_set_match_limit(e->limits, MATCH_MAX);
	return pcre2_match(e->code, p, text.n, from,
			   PCRE2_NO_UTF_CHECK | PCRE2_ANCHORED, e->data,
			   e->limits);
}

enum re_result regex_match(struct regex *re, struct str text, size_t from,
			   size_t *slots)
{
	struct re_engine *e = re->engine;
	const size_t first = from;
	size_t places = PLACES;
	uint64_t start = 0;

	_Static_assert(PCRE2_UNSET == SIZE_MAX, "an unset slot");
	for (;;) {
		size_t left = text.n - from;
		size_t last = left > places ? from + places : text.n;
		int rc;

		if (!start && (left > places || from > first))
			start = clock_ms();
		rc = match_within(e, text, from, &last);
		if (rc >= 0) {
			copy_slots(re, slots);
			return RE_MATCH;
		}
		if (rc != PCRE2_ERROR_NOMATCH)
			return RE_TOO_LONG;
		if (last == text.n)
			return RE_NO_MATCH;
		if (start && clock_ms() - start > SECONDS_MAX * 1000)
			return RE_TOO_LONG;
		if (start && clock_ms() - start < SHORT_MS)
			places *= 2;
		/* the next place must not be within a character */
		for (from = last; from < text.n &&
				  ((unsigned char)text.p[from] & 0xc0) == 0x80;)
			from++;
	}
}
