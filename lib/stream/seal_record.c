/* seal_record.c - the record `seal`, written and read (see seal.h) */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "stream/stream_int.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"

/* --- writing --- */

/* As the next stage must find it: edits that this one did not obey remain
 * visible to it. */
static struct tally settled(const struct seal *s, int kind)
{
	const struct kind_state *k = &s->k[kind];

	if (seal_renewed(s, kind))
		return k->seen;
	return (struct tally){ k->before.n + k->seen.n - k->found.n,
			       k->before.sum + k->seen.sum - k->found.sum };
}

static void write_kinds(const struct seal *s, struct jw *w)
{
	char hex[24];

	jw_key(w, "kinds");
	jw_object(w);
	for (int i = 0; i < SEAL_KINDS; i++) {
		struct tally t = settled(s, i);

		if (!t.n)
			continue;
		jw_key(w, seal_kinds[i]);
		jw_array(w);
		jw_int(w, (int64_t)t.n);
		snprintf(hex, sizeof(hex), "%016" PRIx64, t.sum);
		jw_str(w, str_c(hex));
		jw_array_end(w);
	}
	jw_object_end(w);
}

static void add_hex(struct buf *b, const struct buf *marks)
{
	static const char digits[] = "0123456789abcdef";
	const uint32_t *mark = (const uint32_t *)(const void *)marks->p;

	for (size_t i = 0; i < marks->len / sizeof(*mark); i++) {
		char text[8];

		for (int k = 0; k < 8; k++)
			text[k] = digits[mark[i] >> (28 - 4 * k) & 15];
		buf_add(b, text, sizeof(text));
	}
}

typedef void put_fn(const struct kind_state *k, bool read, struct jw *w);

static void put_marks(const struct kind_state *k, bool read, struct jw *w)
{
	struct buf b = BUF_INIT;

	if (read)
		add_hex(&b, &k->read.marks);
	add_hex(&b, &k->own.marks);
	jw_str(w, buf_view(&b));
	buf_release(&b);
}

static void put_members(const struct kind_state *k, bool read, struct jw *w)
{
	struct buf b = BUF_INIT;

	if (read)
		buf_str(&b, buf_view(&k->read.members));
	if (!read || seal_members_complete(&k->read))
		buf_str(&b, buf_view(&k->own.members));
	jw_object(w);
	jw_key(w, "names");
	jw_array(w);
	for (size_t i = 0; i < k->names.len; i++)
		jw_str(w, k->names.items[i]);
	jw_array_end(w);
	jw_member_str(w, "bits", buf_view(&b));
	jw_object_end(w);
	buf_release(&b);
}

/* Of the kinds that this seal lists; what was read only where it lists all. */
static void write_listed(const struct seal *s, struct jw *w, const char *key,
			 put_fn *put)
{
	jw_key(w, key);
	jw_object(w);
	for (int i = 0; i < SEAL_KINDS; i++) {
		const struct kind_state *k = &s->k[i];
		bool read = seal_renewed(s, i) && k->read.marks.len;

		if (!k->own.marks.len && !read)
			continue;
		jw_key(w, seal_kinds[i]);
		put(k, read, w);
	}
	jw_object_end(w);
}

static void write_renewed(const struct seal *s, struct jw *w)
{
	jw_key(w, "renewed");
	jw_array(w);
	for (int i = 0; i < SEAL_KINDS; i++)
		if (seal_renewed(s, i) && s->k[i].found.n)
			jw_cstr(w, seal_kinds[i]);
	jw_array_end(w);
}

void seal_write(struct seal *s, struct jw *w)
{
	write_kinds(s, w);
	write_listed(s, w, "records", put_marks);
	if (s->k[SEAL_PLANNED].own.marks.len)
		jw_member_str(w, "changes",
			      buf_view(&s->k[SEAL_PLANNED].own.labels));
	write_listed(s, w, "members", put_members);
	write_renewed(s, w);
}

/* --- reading --- */

static bool read_kind(struct seal *s, const struct json_member *m)
{
	int i = seal_kind_index(s, m->name);
	char hex[24], count[24], *end, *stop;

	if (m->value.kind != JSON_ARRAY || m->value.len != 2 ||
	    m->value.items[0].kind != JSON_NUMBER ||
	    m->value.items[1].kind != JSON_STRING ||
	    m->value.items[1].text.n != 16)
		return false;
	if (i < 0)
		return true; /* of a newer version */
	snprintf(count, sizeof(count), "%.*s", STR_ARG(m->value.items[0].text));
	snprintf(hex, sizeof(hex), "%.*s", STR_ARG(m->value.items[1].text));
	s->k[i].before.n = strtoul(count, &stop, 10);
	s->k[i].before.sum = strtoull(hex, &end, 16);
	s->config_known |= i >= SEAL_CONFIG;
	return !*end && !*stop;
}

static bool read_kinds(struct seal *s, struct str text)
{
	struct json_error err;
	const struct json *j = json_parse(&s->scratch, text, &err);
	bool ok = j && j->kind == JSON_OBJECT;

	for (int i = 0; i < SEAL_KINDS; i++)
		s->k[i].before = (struct tally){ 0 };
	s->config_known = false;
	for (uint32_t i = 0; ok && i < j->len; i++)
		ok = read_kind(s, &j->members[i]);
	arena_reset(&s->scratch);
	return ok;
}

int seal_read(struct seal *s, struct str line, struct diags *ds)
{
	struct json_slice j = JSON_SLICE_INIT(line);
	bool ok = false;

	s->tool = STR_NONE;
	while (json_slice_next(&j)) {
		if (str_is(j.name, "tool"))
			s->tool = str_dup(&s->arena,
					  json_slice_str(&s->scratch, j.value));
		else if (str_is(j.name, "kinds"))
			ok = read_kinds(s, j.value);
	}
	if (j.bad || !ok || !s->tool.n)
		return diag_error(
			ds, NULL, "Invalid input stream",
			"A seal record cannot be read. Leave it as it is, or take it out.");
	vec_push(&s->arena, &s->seals, str_dup(&s->arena, line));
	return 0;
}

static bool among(const struct json *list, const char *name)
{
	for (uint32_t i = 0; list && list->kind == JSON_ARRAY && i < list->len;
	     i++)
		if (list->items[i].kind == JSON_STRING &&
		    str_is(list->items[i].text, name))
			return true;
	return false;
}

static void add_marks(struct buf *b, struct str hex)
{
	for (; hex.n >= 8; hex = str_sub(hex, 8, hex.n)) {
		char text[9] = { 0 };
		uint32_t mark;

		memcpy(text, hex.p, 8);
		mark = (uint32_t)strtoul(text, NULL, 16);
		buf_add(b, &mark, sizeof(mark));
	}
}

/* Later seals add records, or start over if a stage obeyed edits. */
void seal_listed(struct seal *s, int kind, struct kept *out)
{
	const char *name = seal_kinds[kind];

	for (size_t i = 0; i < s->seals.len; i++) {
		struct json_error err;
		const struct json *j =
			json_parse(&s->scratch, s->seals.items[i], &err);
		const struct json *members =
			json_get(json_get(j, "members"), name);

		if (among(json_get(j, "renewed"), name)) {
			buf_set_len(&out->marks, 0);
			buf_set_len(&out->members, 0);
			out->n_members = 0;
		}
		if (seal_members_complete(out))
			seal_members_listed(s, kind, json_get(members, "names"),
					    json_get_str(members, "bits"), out);
		add_marks(&out->marks,
			  json_get_str(json_get(j, "records"), name));
		if (kind == SEAL_PLANNED)
			buf_str(&out->labels, json_get_str(j, "changes"));
		arena_reset(&s->scratch);
	}
}
