/* consul_open.c - the settings of the backend consul, see consul.c */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/base64.h"
#include "base/io.h"
#include "config/source/url.h"
#include "state/backend/backend_int.h"
#include "state/backend/consul/consul_int.h"
#include "state/backend/backend.h"

enum { MOST_PEM = 1 << 20 };

/* Explicitly empty is as good as not given. */
static struct str argument_or(struct backend *b, const char *name,
			      const char *variable)
{
	struct str v = argument_text(b, name);

	if (!v.n)
		v = backend_default(b->arena, STR("consul"), str_c(name));
	return v.n || !variable ? v : str_env(variable);
}

/* The content of a file that an argument names. */
static int read_pem(struct backend *b, const char *name, struct str *out,
		    struct diags *ds)
{
	struct str path = argument_or(b, name, NULL);
	struct buf text = BUF_INIT;

	if (!path.n)
		return 0;
	if (io_read_file(arena_strndup(b->arena, path.p, path.n), &text, 0)) {
		buf_release(&text);
		return argument_error(b, ds, name,
				      "names %.*s, which cannot be read: %s",
				      STR_ARG(path), strerror(errno));
	}
	*out = buf_take(b->arena, &text);
	return 0;
}

static bool is_set(const char *variable, const char *words)
{
	const char *v = getenv(variable);

	return v && *v && strstr(words, v);
}

/* All files of a directory that a variable names, which are certificates. */
static int read_directory(struct backend *b, const char *path, struct str *out,
			  struct diags *ds)
{
	struct buf all = BUF_INIT;
	struct dirent *e;
	struct stat st;
	DIR *d = opendir(path);
	int rc = d ? 0 : -1;

	while (!rc && (e = readdir(d))) {
		const char *file =
			arena_printf(b->arena, "%s/%s", path, e->d_name);
		struct str text;

		if (e->d_name[0] == '.' ||
		    (!stat(file, &st) && S_ISDIR(st.st_mode)))
			continue;
		rc = io_read_regular(b->arena, file, MOST_PEM, &text);
		buf_str(&all, text);
		buf_putc(&all, '\n');
	}
	if (d)
		closedir(d);
	*out = buf_take(b->arena, &all);
	if (!rc)
		return 0;
	return argument_error(
		b, ds, "ca_file",
		"is not set, and CONSUL_CAPATH names %s, which cannot be read: %s",
		path, io_why());
}

/* Whom to trust, and by which name. */
static int read_trust(struct backend *b, struct diags *ds)
{
	struct consul_backend *c = b->data;
	const char *path = getenv("CONSUL_CAPATH");

	c->tls.insecure =
		is_set("CONSUL_HTTP_SSL_VERIFY", "0 f F FALSE false False");
	c->tls.name = str_env("CONSUL_TLS_SERVER_NAME");
	if (read_pem(b, "ca_file", &c->tls.ca, ds))
		return -1;
	return !c->tls.ca.n && path && *path
		       ? read_directory(b, path, &c->tls.ca, ds)
		       : 0;
}

static int read_address(struct backend *b, struct diags *ds)
{
	struct consul_backend *c = b->data;
	struct str address = argument_or(b, "address", NULL);
	struct str scheme = argument_or(b, "scheme", NULL);

	if (str_starts(address, "unix://"))
		return argument_error(
			b, ds, "address",
			"is a socket, which this program does not ask");
	if (!scheme.n)
		scheme = is_set("CONSUL_HTTP_SSL", "1 t T TRUE true True")
				 ? STR("https")
				 : STR("http");
	if (str_take(&address, STR("http://")))
		scheme = STR("http");
	else if (str_take(&address, STR("https://")))
		scheme = STR("https");
	if (!str_is(scheme, "http") && !str_is(scheme, "https"))
		return argument_error(b, ds, "scheme", "must be http or https");
	while (str_ends(address, "/"))
		address.n--;
	c->base = STR_CAT(b->arena, scheme, STR("://"), address, STR("/v1/"));
	return read_trust(b, ds) ||
			       read_pem(b, "cert_file", &c->tls.certificate,
					ds) ||
			       read_pem(b, "key_file", &c->tls.key, ds)
		       ? -1
		       : 0;
}

static void add_header(struct consul_backend *c, const char *name,
		       struct str value)
{
	c->headers[c->nheaders++] = (struct fetch_header){ str_c(name), value };
}

static int read_credentials(struct backend *b, struct diags *ds)
{
	struct consul_backend *c = b->data;
	struct str token = argument_string(argument_value(b, "access_token"));
	struct str file = str_env("CONSUL_HTTP_TOKEN_FILE");
	struct str user = argument_or(b, "http_auth", "CONSUL_HTTP_AUTH");
	struct buf text = BUF_INIT;

	if (!token.n && file.n) {
		if (io_read_file(file.p, &text, 0)) {
			buf_release(&text);
			return argument_error(
				b, ds, "access_token",
				"is in a file that cannot be read, %.*s: %s",
				STR_ARG(file), strerror(errno));
		}
		token = str_trim(buf_take(b->arena, &text));
	}
	if (!token.n)
		token = argument_or(b, "access_token", NULL);
	if (token.n)
		add_header(c, "X-Consul-Token", token);
	if (user.n && str_chr(user, ':') < 0)
		user = STR_CAT(b->arena, user, STR(":"));
	if (user.n)
		add_header(c, "Authorization",
			   STR_CAT(b->arena, STR("Basic "),
				   base64_encode(b->arena, user)));
	return 0;
}

/* What each request says in its query, &NAME=VALUE. */
static void read_place(struct backend *b)
{
	const struct {
		const char *name;
		struct str value;
	} parts[] = {
		{ "dc", argument_or(b, "datacenter", NULL) },
		{ "ns", str_env("CONSUL_NAMESPACE") },
		{ "partition", str_env("CONSUL_PARTITION") },
	};
	struct consul_backend *c = b->data;
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (parts[i].value.n)
			buf_addf(&out, "&%s=%.*s", parts[i].name,
				 STR_ARG(url_escape(b->arena, parts[i].value)));
	c->query = buf_take(b->arena, &out);
}

int consul_open(struct backend *b, struct diags *ds)
{
	struct consul_backend *c = ARENA_NEW(b->arena, struct consul_backend);

	b->data = c;
	if (arguments_required(b, ds) || read_address(b, ds) ||
	    read_credentials(b, ds) || argument_flag(b, "gzip", &c->gzip, ds) ||
	    argument_flag(b, "lock", &c->lock, ds))
		return -1;
	read_place(b);
	c->path = argument_text(b, "path");
	c->key = consul_path(b, b->workspace);
	b->name = STR_CAT(b->arena, c->base, STR("kv/"), c->key);
	return 0;
}
