/*
 * proxy.c - the way through a proxy: CONNECT of HTTP, and SOCKS 5 (RFC 1928)
 *
 * ssh gets the descriptor, not a program that copies bytes (ProxyUseFdpass).  A
 * scheme of https means CONNECT without TLS, as in OpenTofu.
 */
#include <errno.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "ssh/ssh_int.h"
#include "base/base64.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"

enum { SECONDS = 15, LONGEST_HEAD = 64 << 10 };

struct str ssh_proxy_text(struct arena *a, const struct ssh_proxy *p,
			  const struct ssh_hop *to)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	jw_object(&w);
	jw_member_bool(&w, "socks5", p->kind == SSH_PROXY_SOCKS5);
	jw_member_str(&w, "host", p->host);
	jw_member_int(&w, "port", p->port);
	jw_member_str(&w, "user", p->user);
	jw_member_str(&w, "password", p->password);
	jw_member_str(&w, "to_host", to->host);
	jw_member_int(&w, "to_port", to->port ? to->port : 22);
	jw_object_end(&w);
	return buf_take(a, &b);
}

/* --- bytes --- */

static int write_bytes(int fd, struct str s)
{
	return io_write_all(fd, s.p, s.n);
}

static int read_bytes(int fd, unsigned char *to, size_t n)
{
	while (n) {
		ssize_t got = recv(fd, to, n, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got == 0)
			errno = ECONNRESET;
		if (got <= 0)
			return -1;
		to += got;
		n -= (size_t)got;
	}
	return 0;
}

static int set_limit(int fd, int seconds)
{
	const struct timeval t = { .tv_sec = seconds };

	return setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t)) ||
	       setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &t, sizeof(t));
}

static int dial(struct arena *a, struct str host, int64_t port,
		struct ssh_failure *f)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *list = NULL;
	int fd = -1, rc;

	rc = getaddrinfo(arena_strndup(a, host.p, host.n), str_int(a, port).p,
			 &hints, &list);
	if (rc)
		return ssh_fail(f, "the proxy's address cannot be found",
				str_c(gai_strerror(rc)));
	for (struct addrinfo *i = list; i && fd < 0; i = i->ai_next) {
		fd = socket(i->ai_family, i->ai_socktype | SOCK_CLOEXEC, 0);
		if (fd >= 0 && !set_limit(fd, SECONDS) &&
		    !connect(fd, i->ai_addr, i->ai_addrlen))
			break;
		ssh_fail(f, "the proxy cannot be reached",
			 str_dup(a, str_c(io_why())));
		if (fd >= 0)
			close(fd);
		fd = -1;
	}
	freeaddrinfo(list);
	return fd;
}

/* --- HTTP --- */

/* No byte after the head, for those are of the other machine. */
static int read_head(int fd, struct buf *b)
{
	unsigned char c;

	while (b->len < LONGEST_HEAD && !read_bytes(fd, &c, 1)) {
		buf_putc(b, (char)c);
		if (str_ends(buf_view(b), "\r\n\r\n"))
			return 0;
	}
	return -1;
}

static struct str http_request(struct arena *a, const struct json *p)
{
	struct str user = json_get_str(p, "user");
	struct str password = json_get_str(p, "password");
	struct str host = json_get_str(p, "to_host");
	const bool six = str_chr(host, ':') >= 0;
	struct str to =
		str_printf(a, "%s%.*s%s:%d", six ? "[" : "", STR_ARG(host),
			   six ? "]" : "", (int)json_get_int(p, "to_port", 22));
	struct str login = STR_NONE;

	if (user.n || password.n)
		login = STR_CAT(a, STR("Proxy-Authorization: Basic "),
				base64_encode(a, STR_CAT(a, user, STR(":"),
							 password)),
				STR("\r\n"));
	return str_printf(a, "CONNECT %.*s HTTP/1.1\r\nHost: %.*s\r\n%.*s\r\n",
			  STR_ARG(to), STR_ARG(to), STR_ARG(login));
}

static int connect_http(struct arena *a, int fd, const struct json *p,
			struct ssh_failure *f)
{
	struct buf b = BUF_INIT;
	struct str head, status;

	if (write_bytes(fd, http_request(a, p)) || read_head(fd, &b)) {
		buf_release(&b);
		return ssh_fail(f, "the proxy gives no answer",
				str_c(io_why()));
	}
	head = buf_take(a, &b);
	status = str_sub(head, 0, (size_t)str_chr(head, '\r'));
	if (str_starts(status, "HTTP/1.") && status.n >= 12 &&
	    str_is(str_sub(status, 9, 12), "200"))
		return 0;
	return ssh_fail(f, "the proxy does not connect", status);
}

/* --- SOCKS --- */

static int socks_login(struct arena *a, int fd, const struct json *p,
		       struct ssh_failure *f)
{
	struct str user = json_get_str(p, "user");
	struct str password = json_get_str(p, "password");
	unsigned char answer[2];
	struct str text;

	if (user.n > 255 || password.n > 255)
		return ssh_fail(f, "user or password is too long for SOCKS",
				STR_NONE);
	text = str_printf(a, "\001%c%.*s%c%.*s", (int)user.n, STR_ARG(user),
			  (int)password.n, STR_ARG(password));
	if (write_bytes(fd, text) || read_bytes(fd, answer, 2))
		return ssh_fail(f, "the proxy gives no answer",
				str_c(io_why()));
	return answer[1] ? ssh_fail(f, "the proxy does not let us in", STR_NONE)
			 : 0;
}

/* Skips the address that it was connected from. */
static int socks_answer(struct arena *a, int fd, struct ssh_failure *f)
{
	unsigned char head[5], rest[260];
	size_t n;

	if (read_bytes(fd, head, 5))
		return ssh_fail(f, "the proxy gives no answer",
				str_c(io_why()));
	if (head[1])
		return ssh_fail(f, "the proxy does not connect",
				str_printf(a, "SOCKS error %d", head[1]));
	n = head[3] == 1 ? 4 : head[3] == 4 ? 16 : head[4] + 1u;
	return read_bytes(fd, rest, n - 1 + 2)
		       ? ssh_fail(f, "the proxy gives no answer",
				  str_c(io_why()))
		       : 0;
}

static int connect_socks(struct arena *a, int fd, const struct json *p,
			 struct ssh_failure *f)
{
	const bool login = json_get_str(p, "user").n > 0;
	struct str host = json_get_str(p, "to_host");
	const int64_t port = json_get_int(p, "to_port", 22);
	unsigned char answer[2];
	struct buf b = BUF_INIT;
	struct str ask;

	if (write_bytes(fd, login ? (struct str){ "\005\002\000\002", 4 }
				  : (struct str){ "\005\001\000", 3 }) ||
	    read_bytes(fd, answer, 2))
		return ssh_fail(f, "the proxy gives no answer",
				str_c(io_why()));
	if (answer[0] != 5 || (answer[1] && (answer[1] != 2 || !login)))
		return ssh_fail(f, "the proxy does not let us in", STR_NONE);
	if (answer[1] == 2 && socks_login(a, fd, p, f))
		return -1;
	if (host.n > 255)
		return ssh_fail(f, "the host's name is too long", STR_NONE);
	buf_add(&b, "\005\001\000\003", 4); /* by its name, whatever it is */
	buf_putc(&b, (char)host.n);
	buf_str(&b, host);
	buf_putc(&b, (char)(port >> 8));
	buf_putc(&b, (char)(port & 255));
	ask = buf_take(a, &b);
	if (write_bytes(fd, ask))
		return ssh_fail(f, "the proxy gives no answer",
				str_c(io_why()));
	return socks_answer(a, fd, f);
}

/* --- for ssh --- */

static int hand_on(int fd, int to)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { .room = { 0 } };
	struct iovec byte = { .iov_base = "", .iov_len = 1 };
	struct msghdr m = { .msg_iov = &byte,
			    .msg_iovlen = 1,
			    .msg_control = &control,
			    .msg_controllen = sizeof(control.room) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	return sendmsg(to, &m, 0) < 0 ? -1 : 0;
}

int ssh_proxy_connect(struct arena *a, struct str text, int to,
		      struct ssh_failure *f)
{
	struct json_error e;
	const struct json *p = json_parse(a, text, &e);
	int fd, rc;

	if (!p)
		return ssh_fail(f, "what the proxy is cannot be read",
				STR_NONE);
	fd = dial(a, json_get_str(p, "host"), json_get_int(p, "port", 0), f);
	if (fd < 0)
		return -1;
	rc = json_get_bool(p, "socks5", false) ? connect_socks(a, fd, p, f)
					       : connect_http(a, fd, p, f);
	if (!rc && (set_limit(fd, 0) || hand_on(fd, to)))
		rc = ssh_fail(f, "the connection cannot be handed on",
			      str_c(io_why()));
	close(fd);
	return rc;
}
