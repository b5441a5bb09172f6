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

uint64_t seal_hash(struct str text)
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
