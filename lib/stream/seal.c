/*
 * seal.c - counting the records of a stream (see seal.h)
 *
 * Of each record half of its number is kept, of the first of each kind a few
 * bits for each member, and what it is about: the name in its first member,
 * with `planned` the deposed key and the action as well, with nodes and edges
 * the rest of the record, as they stand in the line.
 */
#include <endian.h>
#include <stdlib.h>

#include "json/write.h"
#include "stream/stream_int.h"
#include "json/read.h"
#include "json/json.h"

/* --- a hash of the content of a line --- */

/* A program such as jq writes a line it did not change in another way at most:
 * 1.0 as 1, \u003c as <, with spaces.  The number must stay the same.  Most of
 * this program's output has only one form, which such programs keep, and its
 * bytes are hashed as they are, 32 at a time.  A line that may have several
 * forms (json_one_form) is brought into one first. */

static uint64_t word_at(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return le64toh(w);
}

__extension__ typedef unsigned __int128 twice;

/* Both halves of the product count. */
static inline uint64_t mix(uint64_t x, uint64_t y)
{
	twice product = (twice)x * y;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#define K1 UINT64_C(0x9e3779b97f4a7c15)
#define K2 UINT64_C(0xd6e8feb86659fd93)

static uint32_t half_word_at(const char *p)
{
	uint32_t w;

	memcpy(&w, p, sizeof(w));
	return le32toh(w);
}

/* Up to 16 bytes as two words; they may overlap. */
static inline void last_words(const char *p, size_t n, uint64_t w[2])
{
	if (n >= 8) {
		w[0] = word_at(p);
		w[1] = word_at(p + n - 8);
	} else if (n >= 4) {
		w[0] = half_word_at(p);
		w[1] = half_word_at(p + n - 4);
	} else if (n) {
		w[0] = (unsigned char)p[0];
		w[1] = (uint64_t)(unsigned char)p[n / 2] << 8 |
		       (unsigned char)p[n - 1];
	}
}

/* A number for the content of text.  It counts only if text has one form:
 * otherwise the same could be written in another way, and the number is that of
 * the canonical text. */
static uint64_t seal_hash(struct str text)
{
	uint64_t h = text.n, g = K2, w[2] = { 0, 0 };
	const char *p = text.p;
	size_t left = text.n;

	for (; left >= 32; left -= 32, p += 32) {
		h = mix(word_at(p) ^ K1, word_at(p + 8) ^ h);
		g = mix(word_at(p + 16) ^ K2, word_at(p + 24) ^ g);
	}
	if (left > 16) {
		h = mix(word_at(p) ^ K1, word_at(p + 8) ^ h);
		left -= 16;
		p += 16;
	}
	last_words(p, left, w);
	return mix(mix(w[0] ^ K1, w[1] ^ h) ^ K2, g ^ K1);
}

/* One line of JSON as this program would write it: no spaces, no escapes but
 * the necessary ones, numbers in one form.  Invalid JSON stays as it is. */
static void seal_canonical(struct arena *scratch, struct str line,
			   struct buf *out)
{
	struct json_error err;
	const struct json *j = json_parse(scratch, line, &err);
	struct jw w = JW_INIT(out);

	w.one_form = true;
	if (j)
		jw_json(&w, j);
	else
		buf_str(out, line);
}

/* --- which members of a record differ --- */

/* Keeps twelve bits of a hash of each member, as two characters; twice as many
 * of the first, which names the record's subject.  Before them is a character
 * for the name of each, unless the names are those of the record before:
 * "ABCD:x3_0HkoP-q " and then "x3_0Y1oPZ9 ".  Finding where members end takes
 * longer than hashing the record, so this is done for the first records of a
 * kind only: reports of more edits name the members of these alone. */

static const char alphabet[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/* The place of the name; -1: there are too many.  Members come in the same
 * order mostly, so that a guess is right. */
static int place_of(struct seal *s, int kind, struct str name, size_t guess)
{
	struct str_vec *names = &s->k[kind].names;

	if (guess < names->len && str_eq(names->items[guess], name))
		return (int)guess;
	for (size_t i = 0; i < names->len; i++)
		if (str_eq(names->items[i], name))
			return (int)i;
	if (names->len == SEAL_NAMES)
		return -1;
	vec_push(&s->arena, names, str_dup(&s->arena, name));
	return (int)names->len - 1;
}

/* The names of the record before are not written again. */
static void add_names(struct kept *to, const char *names, size_t n)
{
	if (to->n_names == n && n &&
	    memcmp(to->members.p + to->names, names, n) == 0)
		return;
	to->names = to->members.len;
	to->n_names = n;
	buf_add(&to->members, names, n);
	buf_putc(&to->members, ':');
}

static bool wanted(const struct kept *to)
{
	return to->n_members < SEAL_TOLD && seal_members_complete(to);
}

/* Adds the members of a record, a line in canonical form, to what is kept,
 * before its mark. */
static void seal_members_add(struct seal *s, int kind, struct str line,
			     struct kept *to)
{
	struct json_slice j = JSON_SLICE_INIT(line);
	char names[SEAL_NAMES], bits[2 * SEAL_NAMES + SEAL_NAME_BITS];
	size_t n = 0, k = 0;
	int at = -1;

	if (!wanted(to))
		return;
	json_slice_next(&j); /* the kind */
	while (json_slice_next(&j) && n < SEAL_NAMES) {
		uint64_t h = seal_hash(j.value);

		at = place_of(s, kind, j.name, (size_t)(at + 1));
		if (at < 0)
			continue;
		names[n++] = alphabet[at];
		do {
			bits[k++] = alphabet[h >> 8 & 63];
			bits[k++] = alphabet[h >> 14 & 63];
			h >>= 12;
		} while (k < SEAL_NAME_BITS);
	}
	add_names(to, names, n);
	buf_add(&to->members, bits, k);
	buf_putc(&to->members, ' ');
	to->n_members++;
}

bool seal_members_complete(const struct kept *k)
{
	return k->n_members == k->marks.len / sizeof(uint32_t);
}

static size_t place_in_alphabet(char c)
{
	const char *at = c ? strchr(alphabet, c) : NULL;

	return at ? (size_t)(at - alphabet) : SEAL_NAMES;
}

void seal_members_listed(struct seal *s, int kind, const struct json *names,
			 struct str members, struct kept *to)
{
	struct seal_members m = { STR(""), STR("") };
	struct buf *out = &to->members;

	for (; members.n; to->n_members++) {
		seal_members_next(&members, &m);
		for (size_t i = 0; i < m.names.n; i++) {
			size_t k = place_in_alphabet(m.names.p[i]);
			int at = names && names->kind == JSON_ARRAY &&
						 k < names->len &&
						 names->items[k].kind ==
							 JSON_STRING
					 ? place_of(s, kind,
						    names->items[k].text, k)
					 : -1;

			buf_putc(out, at < 0 ? '.' : alphabet[at]);
		}
		buf_putc(out, ':');
		buf_str(out, m.bits);
		buf_putc(out, ' ');
	}
}

void seal_members_next(struct str *text, struct seal_members *m)
{
	const char *end = text->n ? memchr(text->p, ' ', text->n) : NULL;
	size_t n = end ? (size_t)(end - text->p) : text->n;
	struct str record = str_sub(*text, 0, n);
	ptrdiff_t colon = str_chr(record, ':');

	*text = str_sub(*text, end ? n + 1 : n, text->n);
	if (colon >= 0)
		m->names = str_sub(record, 0, (size_t)colon);
	m->bits = str_sub(record, (size_t)(colon + 1), n);
}

/* The bits of a member; empty: it is not there. */
static struct str bits_of(const struct seal_members *m, char name)
{
	ptrdiff_t i = str_chr(m->names, name);
	size_t from = i > 0 ? SEAL_NAME_BITS + 2 * ((size_t)i - 1) : 0;

	return i < 0 || m->bits.n < from + 2 ? STR("")
					     : str_sub(m->bits, from, from + 2);
}

static void add_differing(struct arena *a, const struct str_vec *names,
			  const struct seal_members *of,
			  const struct seal_members *other, bool only_missing,
			  struct str_vec *out)
{
	for (size_t i = 0; i < of->names.n; i++) {
		char name = of->names.p[i];
		struct str bits = bits_of(other, name);
		size_t at = place_in_alphabet(name);

		if (at < names->len && !(only_missing && bits.n) &&
		    !str_eq(bits, bits_of(of, name)))
			vec_push(a, out, names->items[at]);
	}
}

struct str_vec seal_members_differ(struct arena *a, const struct str_vec *names,
				   const struct seal_members *now,
				   const struct seal_members *was)
{
	struct str_vec out = { 0 };

	/* Nothing for records whose members were not kept. */
	if (!now->bits.n || !was->bits.n)
		return out;
	add_differing(a, names, now, was, false, &out);
	add_differing(a, names, was, now, true, &out);
	return out;
}

/* --- seals --- */

/* tf-plan uses the configuration as it reads it: earlier edits are obeyed.  So
 * the stages before need not look at most records. */
const char *const seal_kinds[SEAL_KINDS] = {
	"resource_change",
	[SEAL_PLANNED] = "planned",
	"previous_run_state",
	[SEAL_EDGE] = "edge",
	[SEAL_NODE] = "node",
	"local_value",
	"variable",
	"variable_value",
	"expansion",
	"backend",
	"source",
	"state",
	"previous_output",
	"previous_check",
	"options",
	"plan",
	"schema",
	"prior_state",
	"prior_output",
	"resource_drift",
	"output_change",
	"module_output",
	"check_result",
	"edited",
	[SEAL_CONFIG] = "resource",
	"local",
	"output",
	"module",
	"module_call",
	"terraform",
	"required_provider",
	"provider_config",
	"provider_meta",
	"encryption",
	"check",
	"moved",
	"removed",
	"import",
	"test",
	"test_value",
};

void seal_all(struct seal *s)
{
	s->all = true;
}

struct seal *seal_new(void)
{
	return xcalloc(1, sizeof(struct seal));
}

void seal_kept_release(struct kept *k)
{
	buf_release(&k->marks);
	buf_release(&k->members);
	buf_release(&k->labels);
}

void seal_free(struct seal *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < SEAL_KINDS; i++) {
		seal_kept_release(&s->k[i].read);
		seal_kept_release(&s->k[i].own);
	}
	buf_release(&s->line);
	arena_release(&s->scratch);
	arena_release(&s->arena);
	free(s);
}

int seal_kind_index(struct seal *s, struct str kind)
{
	if (str_is(kind, seal_kinds[s->last]))
		return s->last;
	for (int i = 0; i < SEAL_KINDS; i++)
		if (str_is(kind, seal_kinds[i]))
			return s->last = i;
	return -1;
}

/* --- a record --- */

/* The inside of a string; nothing for other values. */
static void add_text(struct buf *b, struct str value)
{
	if (value.n >= 2 && value.p[0] == '"')
		buf_str(b, str_sub(value, 1, value.n - 1));
}

/* Of a check the address is an object. */
static void add_check(struct buf *b, struct str address)
{
	struct json_slice j = JSON_SLICE_INIT(address);

	while (json_slice_next(&j))
		if (str_is(j.name, "to_display"))
			add_text(b, j.value);
}

static bool names_record(struct str member)
{
	static const char *const names[] = { "address", "filename", "name",
					     "provider", "from" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (str_is(member, names[i]))
			return true;
	return false;
}

static bool in_graph(int kind)
{
	return kind == SEAL_NODE || kind == SEAL_EDGE;
}

static void add_field(struct buf *b, struct str text)
{
	buf_putc(b, '\t');
	buf_str(b, text);
}

/* The members of `planned` begin with its address, key and action. */
static void add_planned(struct buf *b, struct json_slice *j)
{
	for (int i = 0; i < 4 && json_slice_next(j); i++) {
		if (str_is(j->name, "deposed")) {
			buf_puts(b, " deposed ");
			add_text(b, j->value);
		} else if (str_is(j->name, "action")) {
			buf_putc(b, '\t');
			add_text(b, j->value);
			return;
		}
	}
}

/* The rest of the line behind the kind, if it begins as this program writes it;
 * else STR_NONE. */
static struct str behind_kind(struct str line, int kind)
{
	static const char head[] = "{\"record\":\"";
	size_t n = strlen(seal_kinds[kind]), from = sizeof(head) - 1;

	if (line.n <= from + n + 1 || memcmp(line.p, head, from) != 0 ||
	    memcmp(line.p + from, seal_kinds[kind], n) != 0 ||
	    line.p[from + n] != '"')
		return STR_NONE;
	return (struct str){ line.p + from + n + 1, line.n - from - n - 1 };
}

/* The text of the member, if it is next and has no escapes. */
static bool take_plain(struct str *rest, struct str member, struct str *text)
{
	const char *from = rest->p + member.n, *quote;

	if (rest->n < member.n || memcmp(rest->p, member.p, member.n) != 0)
		return false;
	quote = memchr(from, '"', rest->n - member.n);
	if (!quote || quote == from ||
	    memchr(from, '\\', (size_t)(quote - from)))
		return false;
	*text = (struct str){ from, (size_t)(quote - from) };
	rest->n -= (size_t)(quote + 1 - rest->p);
	rest->p = quote + 1;
	return true;
}

/* Most lines have a name without escapes next, and what else counts. */
static bool add_plain(struct buf *b, int kind, struct str rest)
{
	struct str name, action;

	if (!take_plain(&rest, STR(",\"address\":\""), &name) &&
	    !take_plain(&rest, STR(",\"from\":\""), &name))
		return false;
	if (kind == SEAL_PLANNED &&
	    !take_plain(&rest, STR(",\"action\":\""), &action))
		return false;
	buf_str(b, name);
	if (kind == SEAL_PLANNED)
		add_field(b, action);
	else if (in_graph(kind))
		add_field(b, rest);
	buf_putc(b, '\n');
	return true;
}

static void add_label(struct buf *b, int kind, struct str line)
{
	struct json_slice j = JSON_SLICE_INIT(line);

	if (add_plain(b, kind, behind_kind(line, kind)))
		return;
	while (json_slice_next(&j))
		if (names_record(j.name)) {
			if (j.value.p[0] == '{')
				add_check(b, j.value);
			else
				add_text(b, j.value);
			break;
		}
	if (kind == SEAL_PLANNED)
		add_planned(b, &j);
	else if (in_graph(kind))
		add_field(b, (struct str){ j.p, (size_t)(j.end - j.p) });
	buf_putc(b, '\n');
}

static void add_mark(struct buf *b, uint64_t n)
{
	uint32_t mark = (uint32_t)n;

	buf_add(b, &mark, sizeof(mark));
}

/* Is it written as this program writes?  jq does, with -c. */
static bool usual(struct str line, int kind)
{
	return behind_kind(line, kind).p && line.p[line.n - 1] == '}' &&
	       json_one_form(line);
}

static void add(struct seal *s, struct str kind, struct str line, bool own,
		bool one_form)
{
	int i = seal_kind_index(s, kind);
	struct kept *to;
	uint64_t n;

	if (i < 0 || (i >= SEAL_CONFIG && !s->all))
		return;
	if (!one_form && !usual(line, i)) {
		buf_set_len(&s->line, 0);
		seal_canonical(&s->scratch, line, &s->line);
		arena_reset(&s->scratch);
		line = buf_view(&s->line);
	}
	to = own ? &s->k[i].own : &s->k[i].read;
	n = seal_hash(line);
	seal_members_add(s, i, line, to);
	s->k[i].seen.n++;
	s->k[i].seen.sum += n;
	add_mark(&to->marks, n);
	if (!own || i == SEAL_PLANNED)
		add_label(&to->labels, i, line);
}

void seal_add_read(struct seal *s, struct str kind, struct str line)
{
	add(s, kind, line, false, false);
}

void seal_add_own(struct seal *s, struct str kind, struct str line,
		  bool one_form)
{
	add(s, kind, line, true, one_form);
}

/* Everything, if the input had no valid seal. */
bool seal_renewed(const struct seal *s, int kind)
{
	return !s->sealed || s->k[kind].accepted ||
	       (kind >= SEAL_CONFIG && !s->config_known);
}
