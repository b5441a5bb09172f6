/* trace.c - see trace.h */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace/trace.h"
#include "base/child.h"
#include "base/clock.h"
#include "base/io.h"
#include "base/product.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"

enum {
	TRACE_ID = 32,       /* hexadecimal digits */
	SPAN_ID = 16,        /* the same */
	BATCH = 512 * 1024,  /* bytes of spans in a request, some more */
	TIMEOUT = 10 * 1000, /* milliseconds, unless others are set */
	KIND_INTERNAL = 1,   /* as the protocol numbers them */
	KIND_CLIENT = 3,
	STATUS_ERROR = 2,
	MOST = 64 *
	       1024, /* bytes of a file with certificates, and of answers */
};

struct trace_span {
	char id[SPAN_ID + 1], parent[SPAN_ID + 1];
	const char *name;
	int kind;
	uint64_t began; /* nanoseconds since 1970 */
	struct buf attributes;
	struct jw w; /* of these */
};

static struct trace {
	struct arena arena;
	char id[TRACE_ID + 1];
	struct str state;           /* TRACESTATE, or empty */
	struct trace_span *program; /* NULL: nothing is traced */
	struct str before;  /* the head of each request, up to the spans */
	struct str request; /* a line for tf-fetch, up to the body's size */
	struct buf spans;   /* that are not sent yet */
	struct child fetch;
	int answers;      /* a file that tf-fetch writes to */
	const char *name; /* of the program */
	bool silent;      /* the program that started this one speaks */
} trace = { .arena = ARENA_INIT, .spans = BUF_INIT };

/* --- settings --- */

/* OTEL_EXPORTER_OTLP_TRACES_NAME, or that for all kinds of telemetry. */
static struct str setting(const char *name)
{
	const char *const forms[] = { "OTEL_EXPORTER_OTLP_TRACES_",
				      "OTEL_EXPORTER_OTLP_" };

	for (int i = 0; i < 2; i++) {
		const char *s = getenv(
			arena_printf(&trace.arena, "%s%s", forms[i], name));

		if (s && *s)
			return str_c(s);
	}
	return STR_NONE;
}

static struct str endpoint(void)
{
	struct str s = str_env("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");

	if (s.n)
		return s;
	s = str_env("OTEL_EXPORTER_OTLP_ENDPOINT");
	if (!s.n)
		s = STR("http://localhost:4318");
	while (s.n && s.p[s.n - 1] == '/')
		s.n--;
	return str_printf(&trace.arena, "%.*s/v1/traces", STR_ARG(s));
}

/* Takes the first of "key=value,key=value"; false: there is no more. */
static bool next_pair(struct str *list, struct str *key, struct str *value)
{
	while (list->n) {
		const ptrdiff_t comma = str_chr(*list, ',');
		const size_t n = comma < 0 ? list->n : (size_t)comma;
		const struct str pair = str_sub(*list, 0, n);
		const ptrdiff_t equals = str_chr(pair, '=');

		*list = str_sub(*list, n + (comma >= 0), list->n);
		if (equals <= 0)
			continue;
		*key = str_trim(str_sub(pair, 0, (size_t)equals));
		*value = str_percent_decode(
			&trace.arena,
			str_trim(str_sub(pair, (size_t)equals + 1, pair.n)));
		return true;
	}
	return false;
}

/* --- records --- */

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void random_hex(char *to, int digits)
{
	unsigned char bytes[TRACE_ID / 2] = { 0 };

	io_random(bytes, (size_t)digits / 2);
	bytes[0] |= 1; /* an identifier is not zero */
	for (int i = 0; i < digits / 2; i++)
		snprintf(to + 2 * i, 3, "%02x", bytes[i]);
}

static void attribute(struct jw *w, struct str key, const char *type,
		      struct str value)
{
	jw_object(w);
	jw_member_str(w, "key", key);
	jw_key(w, "value");
	jw_object(w);
	jw_member_str(w, type, value);
	jw_object_end(w);
	jw_object_end(w);
}

/* Whose spans they are: this program's; OTEL_RESOURCE_ATTRIBUTES adds to it. */
static struct str request_head(void)
{
	struct str list = str_env("OTEL_RESOURCE_ATTRIBUTES"), key, value;
	struct str service = str_env("OTEL_SERVICE_NAME");
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	buf_puts(&b, "{\"resourceSpans\":[{\"resource\":{\"attributes\":");
	jw_array(&w);
	attribute(&w, STR("service.version"), "stringValue",
		  STR(PACKAGE_VERSION));
	attribute(&w, STR("process.pid"), "intValue",
		  str_printf(&trace.arena, "%ld", (long)getpid()));
	while (next_pair(&list, &key, &value))
		if (str_is(key, "service.name") && !service.n)
			service = value;
		else if (!str_is(key, "service.name"))
			attribute(&w, key, "stringValue", value);
	attribute(&w, STR("service.name"), "stringValue",
		  service.n ? service : str_c(product_name()));
	jw_array_end(&w);
	buf_puts(&b, "},\"scopeSpans\":[{\"scope\":{\"name\":\"" PRODUCT
		     "\",\"version\":\"" PACKAGE_VERSION "\"},\"spans\":[");
	return buf_take(&trace.arena, &b);
}

/* Certificates and keys are files.  NULL, or what is wrong with one. */
static const char *put_files(struct jw *w)
{
	static const char *const files[][2] = {
		{ "ca", "CERTIFICATE" },
		{ "certificate", "CLIENT_CERTIFICATE" },
		{ "key", "CLIENT_KEY" },
	};
	struct str text;

	for (int i = 0; i < 3; i++) {
		const char *path = setting(files[i][1]).p;

		if (!path)
			continue;
		if (io_read_regular(&trace.arena, path, MOST, &text))
			return arena_printf(&trace.arena, "%s: %s", path,
					    strerror(errno));
		jw_member_str(w, files[i][0], text);
	}
	return NULL;
}

/* NULL, or what is wrong with the settings. */
static const char *make_request(void)
{
	struct str headers = setting("HEADERS"), key, value;
	const char *timeout = setting("TIMEOUT").p, *wrong;
	long ms = timeout ? atol(timeout) : TIMEOUT;
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	jw_object(&w);
	jw_member_int(&w, "id", 0);
	jw_member_str(&w, "url", endpoint());
	jw_member_str(&w, "method", STR("POST"));
	jw_key(&w, "headers");
	jw_object(&w);
	jw_member_str(&w, "Content-Type", STR("application/json"));
	while (next_pair(&headers, &key, &value)) {
		jw_key_str(&w, key);
		jw_str(&w, value);
	}
	jw_object_end(&w);
	if (ms <= 0)
		ms = TIMEOUT;
	jw_member_int(&w, "seconds", (ms + 999) / 1000);
	wrong = put_files(&w);
	jw_key(&w, "body_size");
	trace.request = buf_take(&trace.arena, &b);
	return wrong;
}

/* --- the program that sends them --- */

static void warn(struct str what)
{
	if (!trace.silent)
		fprintf(stderr, "%s: traces: %.*s\n", trace.name,
			STR_ARG(what));
}

static int start_fetch(void)
{
	const char *tmp = getenv("TMPDIR");
	const char *const argv[] = {
		child_beside(&trace.arena, "tf-fetch"),
		arena_printf(&trace.arena, "-below=%s",
			     tmp && *tmp ? tmp : "/tmp"),
		NULL,
	};
	struct child_options o = { .argv = argv,
				   .in = CHILD_PIPE,
				   .out = CHILD_FD,
				   .err = CHILD_NULL,
				   .own_group = true };

	trace.answers = memfd_create("answers", MFD_CLOEXEC);
	o.fd[1] = trace.answers;
	return trace.answers < 0 ? -1 : child_start(&o, &trace.fetch);
}

/* A collector that does not listen must not end this program. */
static void send_spans(void)
{
	static const char after[] = "]}]}]}";
	struct sigaction ignore = { .sa_handler = SIG_IGN }, was;
	struct out out = OUT_INIT(trace.fetch.in);

	if (!trace.spans.len)
		return;
	sigaction(SIGPIPE, &ignore, &was);
	out_str(&out, trace.request);
	buf_addf(&out.buf, "%zu}\n",
		 trace.before.n + trace.spans.len + strlen(after));
	out_str(&out, trace.before);
	out_str(&out, buf_view(&trace.spans));
	out_str(&out, str_c(after));
	out_flush(&out);
	out_release(&out);
	sigaction(SIGPIPE, &was, NULL);
	buf_set_len(&trace.spans, 0);
}

/* Says what became of the requests, of the first that failed. */
static void look_at_answers(void)
{
	char *text = arena_alloc(&trace.arena, MOST);
	const ssize_t n = pread(trace.answers, text, MOST, 0);
	struct str rest = { text, n > 0 ? (size_t)n : 0 };
	struct json_error why;

	while (rest.n) {
		const ptrdiff_t end = str_chr(rest, '\n');
		const size_t len = end < 0 ? rest.n : (size_t)end;
		const struct json *j =
			json_parse(&trace.arena, str_sub(rest, 0, len), &why);
		struct str error = json_get_str(j, "error");
		const int64_t status = json_get_int(j, "status", 0);

		if (status >= 300)
			error = str_printf(
				&trace.arena,
				"the collector answers with status %d",
				(int)status);
		if (error.n) {
			warn(error);
			return;
		}
		rest = str_sub(rest, len + (end >= 0), rest.n);
	}
	if (n <= 0)
		warn(STR("they could not be sent"));
}

/* --- the program's span --- */

/* Of 00-TRACE-SPAN-FLAGS. */
static bool take_parent(const char *s, struct trace_span *program)
{
	enum { TRACE_AT = 3, SPAN_AT = TRACE_AT + TRACE_ID + 1 };
	enum { FLAGS_AT = SPAN_AT + SPAN_ID + 1, LENGTH = FLAGS_AT + 2 };

	if (!s || strlen(s) < LENGTH || s[TRACE_AT - 1] != '-' ||
	    s[SPAN_AT - 1] != '-' || s[FLAGS_AT - 1] != '-')
		return false;
	for (int i = 0; i < LENGTH; i++)
		if (str_hex_digit(s[i]) < 0 && i != TRACE_AT - 1 &&
		    i != SPAN_AT - 1 && i != FLAGS_AT - 1)
			return false;
	memcpy(trace.id, s + TRACE_AT, TRACE_ID);
	memcpy(program->parent, s + SPAN_AT, SPAN_ID);
	return true;
}

static struct trace_span *span_new(const char *name)
{
	struct trace_span *s = xcalloc(1, sizeof(*s));

	s->name = name;
	s->kind = KIND_INTERNAL;
	s->began = now_ns();
	random_hex(s->id, SPAN_ID);
	s->attributes = (struct buf)BUF_INIT;
	s->w = (struct jw)JW_INIT(&s->attributes);
	return s;
}

void trace_begin(const char *name)
{
	const char *exporter = getenv("OTEL_TRACES_EXPORTER");
	const char *wrong;
	struct trace_span *s;

	if (!exporter || strcmp(exporter, "otlp") != 0)
		return;
	trace.silent = getenv("TFPIPE_TRACED") != NULL;
	trace.name = arena_strndup(&trace.arena, name, strlen(name));
	s = span_new(trace.name);
	trace.program = s;
	wrong = str_is(setting("PROTOCOL"), "grpc")
			? "OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not supported: they go by http/json"
			: make_request();
	setenv("TFPIPE_TRACED", "1", 1);
	if (wrong || start_fetch()) {
		warn(str_c(wrong ? wrong : strerror(errno)));
		trace.program = NULL;
		free(s);
		return;
	}
	if (take_parent(getenv("TRACEPARENT"), s))
		trace.state = str_env("TRACESTATE");
	else
		random_hex(trace.id, TRACE_ID);
	trace.before = request_head();
	setenv("TRACEPARENT",
	       arena_printf(&trace.arena, "00-%s-%s-01", trace.id, s->id), 1);
}

int trace_end(int rc)
{
	if (!trace.program)
		return rc;
	trace_span_int(trace.program, "process.exit.code", rc);
	trace_span_end(trace.program, rc == 1);
	send_spans();
	close(trace.fetch.in);
	while (waitpid(trace.fetch.pid, NULL, 0) < 0 && errno == EINTR)
		;
	look_at_answers();
	close(trace.answers);
	buf_release(&trace.spans);
	trace.program = NULL;
	arena_release(&trace.arena);
	return rc;
}

/* --- spans --- */

struct trace_span *trace_span_begin(const struct trace_span *within,
				    const char *name)
{
	struct trace_span *s;

	if (!trace.program)
		return NULL;
	s = span_new(name);
	memcpy(s->parent, (within ? within : trace.program)->id,
	       sizeof(s->parent));
	return s;
}

void trace_span_client(struct trace_span *s)
{
	if (s)
		s->kind = KIND_CLIENT;
}

static void add(struct trace_span *s, const char *key, const char *type,
		struct str value)
{
	if (!s->attributes.len)
		jw_array(&s->w);
	attribute(&s->w, str_c(key), type, value);
}

void trace_span_text(struct trace_span *s, const char *key, struct str value)
{
	if (s)
		add(s, key, "stringValue", value);
}

void trace_span_int(struct trace_span *s, const char *key, int64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)value);
	if (s)
		add(s, key, "intValue", str_c(text));
}

static void time_member(struct jw *w, const char *name, uint64_t ns)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)ns);
	jw_member_str(w, name, str_c(text));
}

static void put_span(struct trace_span *s, bool failed)
{
	struct jw w = JW_INIT(&trace.spans);

	jw_object(&w);
	jw_member_str(&w, "traceId", str_c(trace.id));
	jw_member_str(&w, "spanId", str_c(s->id));
	if (*s->parent)
		jw_member_str(&w, "parentSpanId", str_c(s->parent));
	if (trace.state.n)
		jw_member_str(&w, "traceState", trace.state);
	jw_member_str(&w, "name", str_c(s->name));
	jw_member_int(&w, "kind", s->kind);
	time_member(&w, "startTimeUnixNano", s->began);
	time_member(&w, "endTimeUnixNano", now_ns());
	if (s->attributes.len) {
		jw_array_end(&s->w);
		jw_key(&w, "attributes");
		jw_raw(&w, buf_view(&s->attributes));
	}
	if (failed) {
		jw_key(&w, "status");
		jw_object(&w);
		jw_member_int(&w, "code", STATUS_ERROR);
		jw_object_end(&w);
	}
	jw_object_end(&w);
}

void trace_span_drop(struct trace_span *s)
{
	if (s)
		buf_release(&s->attributes);
	free(s);
}

void trace_span_end(struct trace_span *s, bool failed)
{
	if (!s)
		return;
	if (trace.spans.len)
		buf_putc(&trace.spans, ',');
	put_span(s, failed);
	trace_span_drop(s);
	if (trace.spans.len > BATCH)
		send_spans();
}
