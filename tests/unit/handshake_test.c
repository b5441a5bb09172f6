/* handshake_test.c - how plugins are met: the line they print, their
 * environment, those that run already, their log, mutual TLS */
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "crypto/crypto.h"
#include "provider/plugin/plugin_int.h"
#include "provider/plugin/plugin_log.h"
#include "test.h"

static void test_lines(void)
{
	static const struct {
		const char *line;
		int protocol; /* 0: refused */
		const char *address, *certificate, *why;
	} rows[] = {
		{ "1|5|unix|/run/p|grpc|", 5, "/run/p", "", NULL },
		{ "1|6|unix|/run/p|grpc|MIIB", 6, "/run/p", "MIIB", NULL },
		{ "1|6|tcp|127.0.0.1:1234|grpc", 6, "127.0.0.1:1234", "",
		  NULL },
		{ "1|5|unix|/run/p", 5, "/run/p", "", NULL },
		{ "1|5|unix|/run/p|grpc||more|still\r", 5, "/run/p", "",
		  NULL },
		{ "", 0, NULL, NULL, "it printed \"\"" },
		{ "hello", 0, NULL, NULL, "it printed \"hello\"" },
		{ "2|5|unix|/run/p|grpc", 0, NULL, NULL,
		  "it speaks the plugin protocol \"2\"" },
		{ "1|4|unix|/run/p|grpc", 0, NULL, NULL,
		  "it speaks the provider protocol \"4\"" },
		{ "1|7|unix|/run/p|grpc", 0, NULL, NULL,
		  "it speaks the provider protocol \"7\"" },
		{ "1|5|pipe|/run/p|grpc", 0, NULL, NULL,
		  "it listens on a network of kind \"pipe\"" },
		{ "1|5|unix|/run/p|netrpc", 0, NULL, NULL,
		  "it speaks \"netrpc\"" },
		{ "1|5|unix||grpc", 0, NULL, NULL,
		  "it printed no address in \"1|5|unix||grpc\"" },
	};
	struct arena a = ARENA_INIT;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct handshake h;
		struct str why = STR_NONE;
		int rc = handshake_parse(&a, str_c(rows[i].line), &h, &why);

		CHECK_ROW(rc == (rows[i].protocol ? 0 : -1), rows[i].line);
		if (rc < 0) {
			CHECK_STR(why, rows[i].why);
			continue;
		}
		CHECK_ROW(h.protocol == rows[i].protocol, rows[i].line);
		CHECK_STR(h.address, rows[i].address);
		CHECK_STR(h.certificate, rows[i].certificate);
	}
	arena_release(&a);
}

/* The value of a variable, which must be set once; NULL otherwise. */
static const char *value(const char *const *env, const char *name)
{
	const char *found = NULL;
	size_t n = strlen(name), times = 0;

	for (; *env; env++)
		if (strncmp(*env, name, n) == 0 && (*env)[n] == '=') {
			found = *env + n + 1;
			times++;
		}
	return times == 1 ? found : NULL;
}

static void test_environment(void)
{
	struct arena a = ARENA_INIT;
	struct handshake_env plain = { NULL, false };
	struct handshake_env all = { "PEM", true };
	const char *const *env;

	setenv("HANDSHAKE_TEST", "kept", 1);
	setenv("PLUGIN_PROTOCOL_VERSIONS", "4", 1);
	setenv("PLUGIN_CLIENT_CERT", "another host's", 1);
	setenv("TF_LOG_SDK", "trace", 1);
	env = handshake_environment(&a, &plain);
	CHECK_STR(str_c(value(env, "HANDSHAKE_TEST")), "kept");
	CHECK_STR(str_c(value(env, "PLUGIN_PROTOCOL_VERSIONS")), "5,6");
	CHECK_STR(str_c(value(env, "TF_LOG_SDK")), "trace");
	CHECK(value(env, "TF_PLUGIN_MAGIC_COOKIE") != NULL);
	CHECK(value(env, "PLUGIN_CLIENT_CERT") == NULL);
	env = handshake_environment(&a, &all);
	CHECK_STR(str_c(value(env, "TF_LOG_SDK")), "off");
	CHECK_STR(str_c(value(env, "TF_LOG_PROVIDER")), "off");
	CHECK_STR(str_c(value(env, "PLUGIN_CLIENT_CERT")), "PEM");
	arena_release(&a);
}

static int is_random(void *data, struct str key)
{
	return str_is(key, "no address") ? -1 : str_is(key, data);
}

static void test_reattach(void)
{
	static const struct {
		const char *text;
		int want;
		const char *address;
		int protocol;
	} rows[] = {
		{ "", 0, NULL, 0 },
		{ "{}", 0, NULL, 0 },
		{ "{\"other\":{}}", 0, NULL, 0 },
		{ "{\"random\":{\"Protocol\":\"grpc\",\"ProtocolVersion\":6,"
		  "\"Pid\":7,\"Test\":true,\"Addr\":{\"Network\":\"unix\","
		  "\"String\":\"/run/x\"}}}", 1, "/run/x", 6 },
		{ "{\"random\":{\"Addr\":{\"Network\":\"tcp\","
		  "\"String\":\"[::1]:80\"}}}", 1, "[::1]:80", 5 },
		{ "{\"random\":{\"ProtocolVersion\":4,\"Addr\":{\"Network\":"
		  "\"unix\",\"String\":\"/run/x\"}}}", -1, NULL, 0 },
		{ "{\"random\":{\"Addr\":{\"Network\":\"unix\"}}}", -1, NULL,
		  0 },
		{ "{\"random\":{\"Addr\":{\"Network\":\"ipx\",\"String\":"
		  "\"a\"}}}", -1, NULL, 0 },
		{ "{\"random\":{\"Addr\":{\"Network\":\"tcp\","
		  "\"String\":\"[::1]:80\"}},\"no address\":{}}", -1, NULL, 0 },
		{ "[]", -1, NULL, 0 },
		{ "{", -1, NULL, 0 },
	};
	struct arena a = ARENA_INIT;
	char name[] = "random";

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct diags ds = DIAGS_INIT(&a);
		struct reattach r;
		int rc = reattach_find(&a, str_c(rows[i].text), is_random,
				       name, &r, &ds);

		CHECK_ROW(rc == rows[i].want, rows[i].text);
		CHECK_ROW(ds.errors == (rc < 0), rows[i].text);
		if (rc > 0) {
			CHECK_STR(r.handshake.address, rows[i].address);
			CHECK(r.handshake.protocol == rows[i].protocol);
		}
	}
	arena_release(&a);
}

static void test_connect(void)
{
	static const struct {
		bool tcp;
		const char *address;
	} bad[] = {
		{ false, "/nonexistent/socket" },
		{ true, "127.0.0.1" },
		{ true, "127.0.0.1:0" },
		{ true, "127.0.0.1:99999" },
		{ true, "name.example:80" },
		{ true, "127.0.0.1:8x" },
	};
	char path[300];

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct handshake h = { .tcp = bad[i].tcp,
				       .address = str_c(bad[i].address) };

		CHECK_ROW(handshake_connect(&h) == -1, bad[i].address);
	}
	memset(path, 'x', sizeof(path));
	path[0] = '/';
	CHECK(handshake_connect(&(struct handshake){
		      .address = { path, sizeof(path) } }) == -1);
}

/* Connects to a listener at that address of this machine, if it has it. */
static void test_connect_tcp(int family, const char *host)
{
	struct sockaddr_in in = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6,
				    .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct sockaddr *at = family == AF_INET ? (struct sockaddr *)&in
						: (struct sockaddr *)&in6;
	socklen_t n = family == AF_INET ? sizeof(in) : sizeof(in6);
	int server = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char address[64];
	int fd;

	if (server < 0 || bind(server, at, n) || listen(server, 1) ||
	    getsockname(server, at, &n)) {
		close(server);
		return;
	}
	snprintf(address, sizeof(address), "%s:%d", host,
		 ntohs(family == AF_INET ? in.sin_port : in6.sin6_port));
	fd = handshake_connect(&(struct handshake){
		.tcp = true, .address = str_c(address) });
	CHECK_ROW(fd >= 0, address);
	close(fd);
	close(server);
}

/* --- the log --- */

static struct str log_of(struct arena *a, const char *level, const char *all,
			 const char *line)
{
	int fd = memfd_create("log", MFD_CLOEXEC);
	struct buf text = BUF_INIT;
	struct plugin_log l;
	char path[64];
	struct str s;

	CHECK(fd >= 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	setenv("TF_LOG_PROVIDER", level, 1);
	setenv("TF_LOG", all, 1);
	setenv("TF_LOG_PATH", path, 1);
	plugin_log_open(&l);
	plugin_log_line(&l, STR("provider.p"), str_c(line));
	plugin_log_close(&l);
	io_read_fd(fd, &text, 0);
	s = buf_dup(a, &text);
	buf_release(&text);
	close(fd);
	return s;
}

static void test_log(void)
{
	static const struct {
		const char *level, *all, *line, *want; /* after the time */
	} rows[] = {
		{ "", "", "panic: x", "" },
		{ "", "debug", "text", "[DEBUG] provider.p: text\n" },
		{ "off", "trace", "text", "" },
		{ "info", "", "text", "" },
		{ "info", "", "[WARN] text", "[WARN]  provider.p: text\n" },
		{ "nonsense", "", "[TRACE] t", "[TRACE] provider.p: t\n" },
		{ "trace", "", "{\"@level\":\"error\",\"@message\":\"m\","
		  "\"@timestamp\":\"t\",\"n\":1,\"s\":\"a b\"}",
		  "[ERROR] provider.p: m: n=1 s=\"a b\"\n" },
		{ "trace", "", "{\"@level\":\"debug\",\"@message\":\"a\\nb\"}",
		  "[DEBUG] provider.p: a b\n" },
		{ "warn", "", "{\"@level\":\"info\",\"@message\":\"m\"}", "" },
		{ "trace", "", "{not json", "[DEBUG] provider.p: {not json\n" },
	};
	struct arena a = ARENA_INIT;
	struct str s;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		s = log_of(&a, rows[i].level, rows[i].all, rows[i].line);
		if (s.n > 25) /* 2026-01-02T03:04:05.678Z */
			s = str_sub(s, 25, s.n);
		CHECK_STR(s, rows[i].want);
	}
	s = log_of(&a, "", "json",
		   "{\"@level\":\"error\",\"@message\":\"m\",\"n\":1}");
	CHECK(str_starts(s, "{\"@level\":\"error\",\"@message\":\"m\","
			    "\"@module\":\"provider.p\",\"@timestamp\":\""));
	CHECK(str_ends(s, "\"n\":1}\n"));
	arena_release(&a);
}

/* --- TLS --- */

static void test_certificates(void)
{
	struct arena a = ARENA_INIT;
	const char *pem = NULL, *other = NULL;
	struct tls *t = tls_new(&a, &pem), *u = tls_new(&a, &other);
	int pair[2];

	CHECK(t && pem && strstr(pem, "BEGIN CERTIFICATE"));
	CHECK(u && other && strcmp(pem, other) != 0);
	CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0);
	CHECK(tls_connect(t, pair[0], STR("")) == -1);
	CHECK(tls_connect(t, pair[0], STR("!not base64!")) == -1);
	CHECK(tls_connect(t, pair[0], STR("AAAA")) == -1);
	tls_free(t);
	tls_free(u);
	close(pair[0]);
	close(pair[1]);
	arena_release(&a);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(test_lines());
	RUN(test_environment());
	RUN(test_reattach());
	RUN(test_connect());
	RUN(test_connect_tcp(AF_INET, "127.0.0.1"));
	RUN(test_connect_tcp(AF_INET6, "[::1]"));
	RUN(test_log());
	RUN(test_certificates());
	return test_done("handshake");
}
