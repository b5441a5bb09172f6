/*
 * grpc.c - whatever a plugin may send
 *
 * The first byte says what the rest is, or, for the session, how it is cut:
 *
 *	'L'  a handshake line
 *	'R'  TF_REATTACH_PROVIDERS
 *	'F'  frames: cut into pieces they give the same messages
 *	'5' '6'  the answer to the call for the schema
 *	'S'  what a server does, step after step: see server()
 *	other    what comes over the connection, with calls under way
 */
#include "fuzz.h"
#include "provider/plugin/plugin_int.h"
#include "provider/open.h"
#include "provider/provider_int.h"

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

/* What arrives as a message is read as an answer, too. */
static void message(void *data, struct str m)
{
	struct arena a = ARENA_INIT;

	(void)data;
	schema(&a, m, 5 + (int)(m.n & 1));
	arena_release(&a);
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

/* --- a server that means well, but for what the input says --- */

struct server {
	const uint8_t *p, *end;
	struct buf out;
};

static unsigned byte(struct server *s)
{
	return s->p < s->end ? *s->p++ : 0;
}

/* Up to n bytes of the input. */
static struct str bytes(struct server *s, size_t n)
{
	size_t left = (size_t)(s->end - s->p);
	struct str b = { (const char *)s->p, n < left ? n : left };

	s->p += b.n;
	return b;
}

static void put_be(struct buf *b, uint64_t n, int size)
{
	while (size--)
		buf_putc(b, (char)(n >> (8 * size)));
}

/* `off` is added to the length that the frame says it has. */
static void frame(struct server *s, unsigned type, unsigned flags,
		  uint32_t stream, struct str body, int off)
{
	put_be(&s->out, body.n + (size_t)off, 3);
	buf_putc(&s->out, (char)type);
	buf_putc(&s->out, (char)flags);
	put_be(&s->out, stream, 4);
	buf_str(&s->out, body);
}

static void header(struct buf *b, const char *name, struct str value)
{
	buf_putc(b, 0); /* literal, not indexed, not compressed */
	buf_putc(b, (char)strlen(name));
	buf_puts(b, name);
	buf_putc(b, (char)(value.n & 0x7f));
	buf_str(b, str_sub(value, 0, value.n & 0x7f));
}

static void head(struct server *s, struct buf *b)
{
	static const char *const status[] = { "200", "404", "100", "2oo" };
	static const char *const type[] = { "application/grpc",
					    "application/grpc+proto",
					    "text/html", "" };
	unsigned how = byte(s);

	header(b, ":status", str_c(status[how & 3]));
	header(b, "content-type", str_c(type[how >> 2 & 3]));
	if (how & 0x10)
		header(b, "grpc-encoding", STR("gzip"));
	if (how & 0x20)
		header(b, "content-length", bytes(s, 3));
}

static void trailers(struct server *s, struct buf *b)
{
	unsigned how = byte(s);
	char code[8];

	snprintf(code, sizeof(code), "%u", how & 0x1f);
	header(b, "grpc-status", str_c(code));
	if (how & 0x20)
		header(b, "grpc-message", bytes(s, how >> 6 << 3));
	if (how & 0x40)
		header(b, "grpc-status-details-bin", bytes(s, 8));
}

/* A message with its length, which may be wrong, and whether it is compressed,
 * which it must not be. */
static void data(struct server *s, struct buf *b)
{
	unsigned how = byte(s);
	struct str m = bytes(s, byte(s) << (how & 3));

	buf_putc(b, how & 0x80 ? 1 : 0);
	put_be(b, how & 0x40 ? byte(s) : m.n, 4);
	buf_str(b, m);
}

/* One step: what it is, with the stream in its upper bits. */
static void step(struct server *s)
{
	static const uint32_t streams[] = { 1, 3, 5, 0, 2, 7, 1, 1 };
	static const uint32_t counts[] = { 0, 1, 65535, 0x7fffffff };
	const unsigned what = byte(s);
	const uint32_t stream = streams[what >> 5];
	unsigned flags = what & 0x10 ? 0x5 : 0x4; /* the end of the stream */
	struct buf b = BUF_INIT;

	switch (what & 15) {
	case 0:
	case 1:
		head(s, &b);
		frame(s, 1, flags, stream, buf_view(&b), 0);
		break;
	case 2:
	case 3:
		data(s, &b);
		frame(s, 0, flags & 1, stream, buf_view(&b), 0);
		break;
	case 4:
	case 5:
		trailers(s, &b);
		frame(s, 1, 5, stream, buf_view(&b), 0);
		break;
	case 6:
		put_be(&b, counts[byte(s) & 3], 4);
		frame(s, 8, 0, stream, buf_view(&b), 0);
		break;
	case 7:
		put_be(&b, byte(s), 4);
		frame(s, 3, 0, stream, buf_view(&b), 0);
		break;
	case 8:
		put_be(&b, stream, 4);
		put_be(&b, byte(s), 4);
		buf_str(&b, bytes(s, 4));
		frame(s, 7, 0, 0, buf_view(&b), 0);
		break;
	case 9:
		for (unsigned n = byte(s) & 7; n--;) {
			put_be(&b, byte(s) & 7, 2);
			put_be(&b, counts[byte(s) & 3], 4);
		}
		frame(s, 4, flags & 1, 0, buf_view(&b), 0);
		break;
	case 10:
		frame(s, 6, flags & 1, 0, bytes(s, 8), 0);
		break;
	case 11: /* headers in two frames */
		head(s, &b);
		frame(s, 1, flags & 1, stream, str_sub(buf_view(&b), 0, 9), 0);
		frame(s, 9, 4, stream, str_sub(buf_view(&b), 9, b.len), 0);
		break;
	case 12: /* padded */
		buf_putc(&b, (char)byte(s));
		buf_str(&b, bytes(s, 16));
		frame(s, what & 0x10 ? 0 : 1, 0xc, stream, buf_view(&b), 0);
		break;
	case 13: /* as long as it does not say */
		frame(s, byte(s) & 15, byte(s), stream, bytes(s, 8),
		      (int8_t)byte(s));
		break;
	case 14:
		frame(s, byte(s) & 15, byte(s), stream, bytes(s, byte(s) & 63),
		      0);
		break;
	default:
		buf_str(&s->out, bytes(s, byte(s) & 15));
	}
	buf_release(&b);
}

static void server(const uint8_t *p, size_t n)
{
	struct server s = { p, p + n, BUF_INIT };
	const unsigned cut = byte(&s);

	frame(&s, 4, 0, 0, STR(""), 0);
	while (s.p < s.end && s.out.len < 1 << 20)
		step(&s);
	session(buf_view(&s.out), cut);
	buf_release(&s.out);
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
	case 'S':
		server(data + 1, size - 1);
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
