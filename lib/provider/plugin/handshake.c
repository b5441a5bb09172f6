/* handshake.c - see plugin_int.h */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/arena.h"
#include "json/json.h"
#include "provider/plugin/plugin_int.h"
#include "json/read.h"
#include "json/tree.h"

/* --- the line --- */

static int malformed(struct arena *a, struct str *why, const char *what,
		     struct str got)
{
	*why = str_printf(a, "%s \"%.*s\"", what,
			  (int)(got.n > 200 ? 200 : got.n), got.p);
	return -1;
}

int handshake_parse(struct arena *a, struct str line, struct handshake *out,
		    struct str *why)
{
	struct str part[6] = { { NULL, 0 } };
	size_t n = 0, from = 0;

	while (line.n &&
	       (line.p[line.n - 1] == '\r' || line.p[line.n - 1] == ' '))
		line.n--;
	for (size_t i = 0; i <= line.n && n < 6; i++) {
		if (i < line.n && line.p[i] != '|')
			continue;
		part[n++] = str_sub(line, from, i);
		from = i + 1;
	}
	*out = (struct handshake){ .protocol = 0 };
	if (n < 4)
		return malformed(a, why, "it printed", line);
	if (!str_is(part[0], "1"))
		return malformed(a, why, "it speaks the plugin protocol",
				 part[0]);
	if (str_is(part[1], "5"))
		out->protocol = 5;
	else if (str_is(part[1], "6"))
		out->protocol = 6;
	else
		return malformed(a, why, "it speaks the provider protocol",
				 part[1]);
	out->tcp = str_is(part[2], "tcp");
	if (!out->tcp && !str_is(part[2], "unix"))
		return malformed(a, why, "it listens on a network of kind",
				 part[2]);
	if (n > 4 && !str_is(part[4], "grpc"))
		return malformed(a, why, "it speaks", part[4]);
	if (!part[3].n)
		return malformed(a, why, "it printed no address in", line);
	out->address = str_dup(a, part[3]);
	out->certificate = str_dup(a, part[5]);
	return 0;
}

/* --- the environment --- */

#define SOCKET_DIR "PLUGIN_UNIX_SOCKET_DIR"

/* Plugins' library has looked at the variable since 2023.  A user's own stays;
 * the socket is closed in any case when its address is known. */
int handshake_socket_dir(struct arena *a, const char **dir)
{
	static const char *const nothing[] = { NULL };
	const char *own = getenv(SOCKET_DIR);
	const mode_t mask = umask(0);

	umask(mask);
	*dir = NULL;
	return (mask & 0022) == 0022 || (own && *own)
		       ? 0
		       : scratch_make(a, nothing, dir);
}

void handshake_close_socket(struct arena *a, const struct handshake *h)
{
	if (!h->tcp)
		chmod(arena_strndup(a, h->address.p, h->address.n), 0700);
}

static bool sets(const char *entry, const char *with)
{
	size_t n = strcspn(entry, "=");

	return strncmp(entry, with, n + 1) == 0;
}

static bool overridden(const char *entry, const char *const *ours, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (sets(entry, ours[i]))
			return true;
	return false;
}

const char *const *handshake_environment(struct arena *a,
					 const struct handshake_env *e)
{
	static const char *const always[] = {
		("TF_PLUGIN_MAGIC_COOKIE="
		 "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2"),
		"PLUGIN_PROTOCOL_VERSIONS=5,6",
		"PLUGIN_MIN_PORT=10000",
		"PLUGIN_MAX_PORT=25000",
	};
	static const char *const quiet[] = {
		"TF_LOG_SDK=off",
		"TF_LOG_SDK_PROTO=off",
		"TF_LOG_SDK_FRAMEWORK=off",
		"TF_LOG_PROVIDER=off",
	};
	enum {
		ALWAYS = sizeof(always) / sizeof(*always),
		QUIET = sizeof(quiet) / sizeof(*quiet)
	};
	const char *ours[ALWAYS + QUIET + 2];
	const char **out;
	size_t n = 0, len = 0;

	for (size_t i = 0; i < ALWAYS; i++)
		ours[n++] = always[i];
	for (size_t i = 0; e->quiet && i < QUIET; i++)
		ours[n++] = quiet[i];
	if (e->client_certificate)
		ours[n++] = arena_printf(a, "PLUGIN_CLIENT_CERT=%s",
					 e->client_certificate);
	if (e->socket_dir)
		ours[n++] = arena_printf(a, SOCKET_DIR "=%s", e->socket_dir);
	for (char **p = environ; *p; p++)
		len++;
	out = ARENA_ARRAY(a, const char *, len + n + 1);
	len = 0;
	for (char **p = environ; *p; p++) {
		/* Leave out another plugin host's certificate: it is not for
		 * this one. */
		if (!overridden(*p, ours, n) &&
		    !sets(*p, "PLUGIN_CLIENT_CERT="))
			out[len++] = *p;
	}
	for (size_t i = 0; i < n; i++)
		out[len++] = ours[i];
	return out;
}

/* --- connecting --- */

static int unix_address(const struct handshake *h, struct sockaddr_storage *to,
			socklen_t *len)
{
	struct sockaddr_un *un = (struct sockaddr_un *)to;

	if (h->address.n >= sizeof(un->sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	un->sun_family = AF_UNIX;
	memcpy(un->sun_path, h->address.p, h->address.n);
	*len = sizeof(*un);
	return 0;
}

/* HOST:PORT, [HOST]:PORT; the host is an address in numbers. */
static int tcp_address(const struct handshake *h, struct sockaddr_storage *to,
		       socklen_t *len)
{
	struct sockaddr_in *in = (struct sockaddr_in *)to;
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)to;
	char host[64], *end;
	size_t n = h->address.n;
	struct str s = h->address;
	unsigned long port;

	while (n && s.p[n - 1] != ':')
		n--;
	errno = EINVAL;
	if (n < 2)
		return -1;
	port = strtoul(s.p + n, &end, 10);
	s.n = n - 1;
	if (s.n > 2 && s.p[0] == '[' && s.p[s.n - 1] == ']')
		s = str_sub(s, 1, s.n - 1);
	if (*end || port == 0 || port > 65535 || s.n >= sizeof(host))
		return -1;
	memcpy(host, s.p, s.n);
	host[s.n] = '\0';
	if (inet_pton(AF_INET, host, &in->sin_addr) == 1) {
		in->sin_family = AF_INET;
		in->sin_port = htons((uint16_t)port);
		*len = sizeof(*in);
		return 0;
	}
	if (inet_pton(AF_INET6, host, &in6->sin6_addr) == 1) {
		in6->sin6_family = AF_INET6;
		in6->sin6_port = htons((uint16_t)port);
		*len = sizeof(*in6);
		return 0;
	}
	errno = EINVAL;
	return -1;
}

int handshake_connect(const struct handshake *h)
{
	struct sockaddr_storage to = { .ss_family = AF_UNSPEC };
	socklen_t len;
	int fd, on = 1;

	if (h->tcp ? tcp_address(h, &to, &len) : unix_address(h, &to, &len))
		return -1;
	fd = socket(to.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
		    0);
	if (fd < 0)
		return -1;
	if (h->tcp)
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	if (connect(fd, (struct sockaddr *)&to, len) < 0 &&
	    errno != EINPROGRESS) {
		int saved = errno;

		close(fd);
		errno = saved;
		return -1;
	}
	return fd;
}

/* --- plugins that run already --- */

static int bad_reattach(struct diags *ds, const char *why)
{
	return diag_error(ds, NULL, "Invalid format for TF_REATTACH_PROVIDERS",
			  "%s.", why);
}

static int read_reattach(struct arena *a, const struct json *j,
			 struct reattach *out, struct diags *ds)
{
	const struct json *addr = json_get(j, "Addr");
	struct str network = json_get_str(addr, "Network");
	struct str address = json_get_str(addr, "String");
	int64_t version = json_get_int(j, "ProtocolVersion", 5);

	if (version == 0) /* the SDK of old did not say */
		version = 5;
	if (version != 5 && version != 6)
		return bad_reattach(ds, "ProtocolVersion must be 5 or 6");
	if (!str_is(network, "unix") && !str_is(network, "tcp"))
		return bad_reattach(ds,
				    "Addr.Network must be \"unix\" or \"tcp\"");
	if (!address.n)
		return bad_reattach(ds, "Addr.String must be an address");
	*out = (struct reattach){
		.handshake = { .protocol = (int)version,
			       .tcp = str_is(network, "tcp"),
			       .address = str_dup(a, address) },
		.pid = json_get_int(j, "Pid", 0),
		.test = json_get_bool(j, "Test", false),
	};
	return 0;
}

int reattach_find(struct arena *a, struct str text,
		  int (*same)(void *data, struct str key), void *data,
		  struct reattach *out, struct diags *ds)
{
	const struct json *j, *found = NULL;
	struct json_error err;

	if (!text.n)
		return 0;
	j = json_parse(a, text, &err);
	if (!j || j->kind != JSON_OBJECT)
		return bad_reattach(
			ds,
			"It must be a JSON object with a member for each provider");
	for (size_t i = 0; i < j->len; i++) {
		int is = same(data, j->members[i].name);

		if (is < 0)
			return bad_reattach(
				ds,
				"The name of each member is the address of a provider");
		if (is > 0)
			found = &j->members[i].value;
	}
	if (!found)
		return 0;
	return read_reattach(a, found, out, ds) ? -1 : 1;
}
