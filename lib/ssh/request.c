/* request.c - what tf-ssh(1) is asked */
#include <stdlib.h>

#include "ssh/ssh_int.h"
#include "base/clock.h"
#include "json/read.h"
#include "json/tree.h"

enum { TIMEOUT = 5 * 60 * 1000 };

struct reader {
	struct arena *a;
	struct ssh_request *out;
	struct ssh_failure *f;
	const struct json *connection, *config;
};

int ssh_fail(struct ssh_failure *f, const char *what, struct str detail)
{
	*f = (struct ssh_failure){ str_c(what), detail };
	return -1;
}

static struct str setting(const struct reader *r, const char *name)
{
	return json_get_str(r->connection, name);
}

static bool has_control(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < ' ' || s.p[i] == 0x7f)
			return true;
	return false;
}

/* --- the connection --- */

static int read_port(const struct reader *r, const char *name, int64_t *out)
{
	const struct json *j = json_get(r->connection, name);

	*out = 0;
	if (!j || j->kind == JSON_NULL)
		return 0;
	*out = json_get_int(r->connection, name, -1);
	if (*out >= 0 && *out <= 65535)
		return 0;
	return ssh_fail(r->f,
			arena_printf(r->a, "%s is no whole number up to 65535",
				     name),
			STR_NONE);
}

/* A host name or an address: nothing that would be more to a shell, to ssh or
 * to a list of known hosts. */
static int read_host(const struct reader *r, const char *name, struct str *out)
{
	struct str s = setting(r, name);
	bool fine = true;

	if (s.n > 2 && *s.p == '[' && s.p[s.n - 1] == ']')
		s = str_sub(s, 1, s.n - 1);
	for (size_t i = 0; i < s.n; i++)
		fine &= (s.p[i] & 0x80) || (s.p[i] >= '0' && s.p[i] <= '9') ||
			((s.p[i] | 0x20) >= 'a' && (s.p[i] | 0x20) <= 'z') ||
			(s.p[i] && strchr(i ? ".-_:%" : "._:", s.p[i]));
	*out = s;
	if (fine)
		return 0;
	return ssh_fail(r->f,
			arena_printf(r->a, "%s is no name or address of a host",
				     name),
			s);
}

static int read_user(const struct reader *r, const char *name, struct str *out)
{
	*out = setting(r, name);
	if (!has_control(*out))
		return 0;
	return ssh_fail(
		r->f, arena_printf(r->a, "%s holds a control character", name),
		STR_NONE);
}

static int read_target(const struct reader *r)
{
	struct ssh_hop *h = &r->out->target;

	if (read_host(r, "host", &h->host) || read_user(r, "user", &h->user) ||
	    read_port(r, "port", &h->port))
		return -1;
	if (!h->host.n)
		return ssh_fail(r->f, "host for provisioner cannot be empty",
				STR_NONE);
	h->password = setting(r, "password");
	h->private_key = setting(r, "private_key");
	h->certificate = setting(r, "certificate");
	h->host_key = setting(r, "host_key");
	return 0;
}

static void inherit(struct str *s, struct str from)
{
	if (!s->n)
		*s = from;
}

static int read_bastion(const struct reader *r)
{
	const struct ssh_hop *t = &r->out->target;
	struct ssh_hop *h = &r->out->bastion;

	if (read_host(r, "bastion_host", &h->host) ||
	    read_user(r, "bastion_user", &h->user) ||
	    read_port(r, "bastion_port", &h->port))
		return -1;
	h->password = setting(r, "bastion_password");
	h->private_key = setting(r, "bastion_private_key");
	h->certificate = setting(r, "bastion_certificate");
	h->host_key = setting(r, "bastion_host_key");
	inherit(&h->user, t->user);
	inherit(&h->password, t->password);
	inherit(&h->private_key, t->private_key);
	inherit(&h->certificate, t->certificate);
	if (!h->port)
		h->port = t->port;
	return 0;
}

static int read_proxy(const struct reader *r)
{
	struct ssh_proxy *p = &r->out->proxy;
	struct str scheme = setting(r, "proxy_scheme");

	if (read_host(r, "proxy_host", &p->host) ||
	    read_port(r, "proxy_port", &p->port))
		return -1;
	p->user = setting(r, "proxy_user_name");
	p->password = setting(r, "proxy_user_password");
	if (!scheme.n || str_is(scheme, "http") || str_is(scheme, "https"))
		p->kind = SSH_PROXY_HTTP;
	else if (str_is(scheme, "socks5") || str_is(scheme, "socks5h"))
		p->kind = SSH_PROXY_SOCKS5;
	else if (p->host.n)
		return ssh_fail(r->f,
				"proxy_scheme is not http, https or socks5",
				STR_NONE);
	return 0;
}

static int read_platform(const struct reader *r)
{
	struct str s = setting(r, "target_platform");

	r->out->windows = str_is(s, "windows");
	if (s.n && !r->out->windows && !str_is(s, "unix"))
		return ssh_fail(
			r->f,
			"target_platform for provisioner has to be either unix or windows",
			STR_NONE);
	r->out->script_path = setting(r, "script_path");
	inherit(&r->out->script_path,
		r->out->windows ? STR("C:/windows/temp/terraform_%RAND%.cmd")
				: STR("/tmp/terraform_%RAND%.sh"));
	return 0;
}

static int read_connection(const struct reader *r)
{
	struct ssh_request *out = r->out;
	struct str type = setting(r, "type");
	int64_t ns;

	if (str_is(type, "winrm"))
		return ssh_fail(
			r->f,
			"connections of type winrm are not supported; Windows has a server of ssh",
			STR_NONE);
	if (type.n && !str_is(type, "ssh"))
		return ssh_fail(r->f, "there is no such type of connections",
				type);
	out->agent = json_get_bool(r->connection, "agent",
				   getenv("SSH_AUTH_SOCK") &&
					   *getenv("SSH_AUTH_SOCK"));
	out->agent_identity = setting(r, "agent_identity");
	out->timeout = TIMEOUT; /* also for what is no duration */
	if (setting(r, "timeout").n &&
	    !clock_duration(r->a, setting(r, "timeout"), &ns))
		out->timeout = ns / 1000000;
	return read_target(r) || read_bastion(r) || read_proxy(r) ||
			       read_platform(r)
		       ? -1
		       : 0;
}

/* --- what is to be done --- */

/* ~ and ~/x are in the home directory. */
static int expand_home(const struct reader *r, struct str *path)
{
	const char *home = getenv("HOME");

	if (!path->n || *path->p != '~')
		return 0;
	if (path->n > 1 && path->p[1] != '/')
		return ssh_fail(
			r->f,
			"the home directory of another user is not looked up",
			*path);
	if (!home || !*home)
		return ssh_fail(r->f, "HOME is not set", STR_NONE);
	*path = STR_CAT(r->a, str_c(home), str_sub(*path, 1, path->n));
	return 0;
}

static bool given(const struct json *config, const char *name)
{
	const struct json *j = json_get(config, name);

	return j && j->kind != JSON_NULL;
}

static int read_file(const struct reader *r)
{
	struct ssh_request *out = r->out;

	out->destination = json_get_str(r->config, "destination");
	if (!out->destination.n)
		return ssh_fail(r->f, "The destination must not be empty",
				STR_NONE);
	out->has_content = given(r->config, "content");
	out->content = json_get_str(r->config, "content");
	if (out->has_content)
		return 0;
	if (!given(r->config, "source"))
		return ssh_fail(r->f, "source and content are both null",
				STR_NONE);
	out->source = json_get_str(r->config, "source");
	return expand_home(r, &out->source);
}

/* Each line of inline, which make up one script. */
static int read_inline(const struct reader *r, const struct json *list)
{
	struct buf text = BUF_INIT;
	struct ssh_script s = { STR_NONE, STR_NONE };

	for (uint32_t i = 0; i < list->len; i++) {
		const struct json *j = &list->items[i];

		if (j->kind != JSON_STRING || !j->text.n) {
			buf_release(&text);
			return ssh_fail(r->f,
					"inline holds an empty text or null",
					STR_NONE);
		}
		buf_str(&text, j->text);
		buf_putc(&text, '\n');
	}
	s.text = buf_take(r->a, &text);
	vec_push(r->a, &r->out->scripts, s);
	return 0;
}

static int read_script(const struct reader *r, const struct json *j)
{
	if (j->kind != JSON_STRING || !j->text.n)
		return ssh_fail(r->f, "the path of a script is empty or null",
				STR_NONE);
	vec_push(r->a, &r->out->scripts,
		 (struct ssh_script){ j->text, STR_NONE });
	return 0;
}

static int read_scripts(const struct reader *r)
{
	const struct json *list = json_get(r->config, "inline");

	r->out->runs = true;
	if (list && list->kind == JSON_ARRAY)
		return read_inline(r, list);
	if (given(r->config, "script") &&
	    read_script(r, json_get(r->config, "script")))
		return -1;
	list = json_get(r->config, "scripts");
	if (list && list->kind == JSON_ARRAY)
		for (uint32_t i = 0; i < list->len; i++)
			if (read_script(r, &list->items[i]))
				return -1;
	return 0;
}

int ssh_request_read(struct arena *a, struct str text, struct ssh_request *out,
		     struct ssh_failure *f)
{
	struct json_error e;
	const struct json *j = json_parse(a, text, &e);
	struct str what = json_get_str(j, "provisioner");
	const struct reader r = { a, out, f, json_get(j, "connection"),
				  json_get(j, "config") };

	*out = (struct ssh_request){ 0 };
	if (!j)
		return ssh_fail(f, "the request is no JSON", STR_NONE);
	if (!r.connection || r.connection->kind != JSON_OBJECT)
		return ssh_fail(
			f, "Missing connection configuration for provisioner",
			STR_NONE);
	out->discreet = json_get_bool(j, "discreet", false);
	if (read_connection(&r))
		return -1;
	if (str_is(what, "file"))
		return read_file(&r);
	if (str_is(what, "remote-exec"))
		return read_scripts(&r);
	return ssh_fail(f, "the request names no provisioner that there is",
			STR_NONE);
}
