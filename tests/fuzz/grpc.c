/*
 * grpc.c - whatever a plugin may send
 *
 * The first byte says what the rest is, or, for the session, how it is cut:
 *
 *	'L'  a handshake line
 *	'R'  TF_REATTACH_PROVIDERS
 *	'F'  frames: cut into pieces they give the same messages
 *	'5' '6'  the answer to the call for the schema
 *	other    what comes over the connection, with calls under way
 */
#include "fuzz.h"
#include "provider/grpc.h"
#include "provider/grpc_frame.h"
#include "provider/handshake.h"
#include "provider/remote_schema.h"
#include "provider/schema_answer.h"
#include "provider/schema_proto.h"

static void gather(void *data, struct str m)
{
	struct buf *b = data;

	buf_addf(b, "%zu:", m.n);
	buf_str(b, m);
}

static void frames(struct str s)
{
	struct grpc_deframer whole = { BUF_INIT }, cut = { BUF_INIT };
	struct buf one = BUF_INIT, two = BUF_INIT;
	enum grpc_status st = grpc_deframe(&whole, s, gather, &one);

	for (size_t i = 0; i < s.n; i++)
		if (grpc_deframe(&cut, str_sub(s, i, i + 1), gather, &two) !=
		    GRPC_OK)
			break;
	if (st == GRPC_OK)
		FUZZ_HOLDS(str_eq(buf_view(&one), buf_view(&two)));
	grpc_deframer_release(&whole);
	grpc_deframer_release(&cut);
	buf_release(&one);
	buf_release(&two);
}

/* Each answer in turn: the provider wanted, another one, none. */
static int any(void *data, struct str key)
{
	(void)data;
	return key.n % 3 == 2 ? -1 : key.n % 3 == 0;
}

static void decode_all(const struct provider_schema *s, enum resource_mode mode,
		       const struct map *m, struct diags *ds)
{
	for (size_t i = 0; i < m->len; i++) {
		const struct resource_schema *r = provider_resource_schema(
			s, mode, m->entries[i].key, ds);

		if (r)
			FUZZ_HOLDS(r->block && r->block->implied);
	}
}

static void schema(struct arena *a, struct str s, int protocol)
{
	struct provider_schema out = { .addr = provider_builtin };
	struct diags ds = DIAGS_INIT(a);

	if (schema_read(a, protocol, s, s, &out, &ds) < 0)
		FUZZ_HOLDS(diags_failed(&ds));
	decode_all(&out, MODE_MANAGED, &out.managed, &ds);
	decode_all(&out, MODE_DATA, &out.data, &ds);
	decode_all(&out, MODE_EPHEMERAL, &out.ephemeral, &ds);
	fuzz_diags(a, &ds, NULL);
}

static void message(void *data, struct str m)
{
	(void)data, (void)m;
}

static void end(void *data, int status, struct str text)
{
	(void)status, (void)text;
	++*(int *)data;
}

static void session(struct str s, unsigned cut)
{
	static const struct grpc_handler h = { message, end };
	struct grpc *g = grpc_new();
	struct buf out = BUF_INIT;
	int ends[3] = { 0 };
	size_t piece = cut % 64 + 1;

	for (int i = 0; i < 3; i++)
		grpc_start(g, "/p.S/M", STR("request"), &h, &ends[i]);
	grpc_output(g, &out);
	for (size_t at = 0; at < s.n; at += piece) {
		size_t to = at + piece < s.n ? at + piece : s.n;

		if (grpc_input(g, str_sub(s, at, to)) < 0 ||
		    grpc_output(g, &out) < 0)
			break;
	}
	grpc_fail(g, GRPC_UNAVAILABLE, STR("the end"));
	for (int i = 0; i < 3; i++)
		FUZZ_HOLDS(ends[i] == 1);
	buf_release(&out);
	grpc_free(g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct handshake h;
	struct reattach r;
	struct str s, why;

	if (size == 0)
		return 0;
	s = (struct str){ (const char *)data + 1, size - 1 };
	switch (data[0]) {
	case 'L':
		if (handshake_parse(&a, s, &h, &why) < 0)
			FUZZ_HOLDS(why.n != 0);
		break;
	case 'R':
		reattach_find(&a, s, any, NULL, &r, &ds);
		break;
	case 'F':
		frames(s);
		break;
	case '5':
	case '6':
		schema(&a, s, data[0] - '0');
		break;
	default:
		session(s, data[0]);
	}
	arena_release(&a);
	return 0;
}
