/*
 * seal_members.c - which members of a record differ
 *
 * Keeps twelve bits of a hash of each member, as two characters; twice as many
 * of the first, which names the record's subject.  Before them is a character
 * for the name of each, unless the names are those of the record before:
 * "ABCD:x3_0HkoP-q " and then "x3_0Y1oPZ9 ".  Finding where members end takes
 * longer than hashing the record, so this is done for the first records of a
 * kind only: reports of more edits name the members of these alone.
 */
#include "stream/stream_int.h"
#include "json/read.h"

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

void seal_members_add(struct seal *s, int kind, struct str line,
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
