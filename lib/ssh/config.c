/*
 * config.c - what ssh goes by
 *
 * Without TFPIPE_SSH_CONFIG nothing of the user's counts but the agent, as with
 * OpenTofu: whatever a configuration means, it means on each machine.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "ssh/ssh_int.h"

struct hop_files { /* paths; NULL: there is none */
	const char *key, *certificate, *known, *password;
};

/* --- words --- */

struct str ssh_quote(struct arena *a, struct str s)
{
	struct buf b = BUF_INIT;

	buf_putc(&b, '\'');
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] == '\'')
			buf_puts(&b, "'\\''");
		else
			buf_putc(&b, s.p[i]);
	buf_putc(&b, '\'');
	return buf_take(a, &b);
}

/* A line with a word that may hold anything but control characters. */
static void add_word(struct buf *b, const char *name, struct str word)
{
	buf_addf(b, "%s \"", name);
	for (size_t i = 0; i < word.n; i++) {
		if (word.p[i] == '"' || word.p[i] == '\\')
			buf_putc(b, '\\');
		buf_putc(b, word.p[i]);
	}
	buf_puts(b, "\"\n");
}

/* What ssh expands in such a line stands for itself. */
static struct str without_tokens(struct arena *a, struct str s)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '%')
			buf_putc(&b, '%');
		buf_putc(&b, s.p[i]);
	}
	return buf_take(a, &b);
}

/* --- the files of a hop --- */

static int write_file(struct ssh_link *l, struct str text, const char **path,
		      struct ssh_failure *f)
{
	if (ssh_memory(l->a, text, path) >= 0)
		return 0;
	return ssh_fail(f, "a file in memory cannot be made",
			str_c(strerror(errno)));
}

/* A line for the key itself, and one for the hosts that it vouches for. */
static int write_known(struct ssh_link *l, const struct ssh_hop *h,
		       struct hop_files *files, struct ssh_failure *f)
{
	struct buf b = BUF_INIT;
	struct str rest = h->host_key, text;

	while (rest.n) {
		ptrdiff_t nl = str_chr(rest, '\n');
		struct str type, key,
			line = str_trim(
				str_sub(rest, 0, nl < 0 ? rest.n : (size_t)nl));

		rest = str_sub(rest, nl < 0 ? rest.n : (size_t)nl + 1, rest.n);
		if (!line.n)
			continue;
		if (ssh_key_public(l->a, line, &type, &key)) {
			buf_release(&b);
			return ssh_fail(f, "the host key is no public key",
					STR_NONE);
		}
		buf_addf(&b, "%.*s %.*s %.*s\n", STR_ARG(h->host),
			 STR_ARG(type), STR_ARG(key));
		buf_addf(&b, "@cert-authority %.*s %.*s %.*s\n",
			 STR_ARG(h->host), STR_ARG(type), STR_ARG(key));
	}
	text = buf_take(l->a, &b);
	return write_file(l, text, &files->known, f);
}

/* Looked at before anybody is asked: a key that cannot be read will not be
 * better in a minute. */
static int write_key(struct ssh_link *l, const struct ssh_hop *h,
		     struct hop_files *files, struct ssh_failure *f)
{
	struct str key = ssh_key_private(l->a, h->private_key);
	const char *argv[] = { "ssh-keygen", "-y",       "-P", "",
			       "-f",         files->key, NULL };
	struct str said, type, public, ctype, certificate;

	if (!key.n)
		return ssh_fail(f, "the private key is none: no key found",
				STR_NONE);
	if (write_file(l, key, &files->key, f))
		return -1;
	argv[5] = files->key;
	if (ssh_ask(l, argv, &said, f)) {
		if (f->what.n)
			return -1;
		if (str_find(said, STR("passphrase")) >= 0)
			return ssh_fail(
				f,
				"the private key is protected by a password, which is not supported",
				STR_NONE);
		return ssh_fail(f, "the private key cannot be read", STR_NONE);
	}
	if (!h->certificate.n)
		return 0;
	if (ssh_key_public(l->a, h->certificate, &ctype, &certificate) ||
	    str_find(ctype, STR("-cert-")) < 0)
		return ssh_fail(f, "the certificate is none", STR_NONE);
	if (ssh_key_public(l->a, said, &type, &public) ||
	    !ssh_key_certifies(l->a, certificate, public))
		return ssh_fail(f,
				"the certificate is not one of the private key",
				STR_NONE);
	return write_file(
		l, STR_CAT(l->a, ctype, STR(" "), certificate, STR("\n")),
		&files->certificate, f);
}

/* --- the agent --- */

static int check_agent(struct ssh_failure *f)
{
	struct str path = str_env("SSH_AUTH_SOCK");
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	int fd, rc;

	if (!path.n)
		return ssh_fail(
			f, "an agent is wanted, but SSH_AUTH_SOCK is not set",
			STR_NONE);
	if (path.n >= sizeof(to.sun_path))
		return ssh_fail(f, "SSH_AUTH_SOCK is too long", STR_NONE);
	memcpy(to.sun_path, path.p, path.n);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	rc = connect(fd, (struct sockaddr *)&to, sizeof(to));
	if (rc)
		ssh_fail(f, "the agent does not answer", str_c(io_why()));
	if (fd >= 0)
		close(fd);
	return rc ? -1 : 0;
}

/* The public key that a file has, or that stands beside it; in base64. */
static struct str key_of_file(struct ssh_link *l, struct str path)
{
	struct str tries[2] = { STR_CAT(l->a, path, STR(".pub")), path };
	struct str text, type, key;
	struct ssh_failure ignored;
	const char *argv[] = { "ssh-keygen", "-y", "-P", "", "-f", NULL, NULL };

	for (size_t i = 0; i < 2; i++)
		if (!io_read_regular(
			    l->a, arena_strndup(l->a, tries[i].p, tries[i].n),
			    1 << 20, &text) &&
		    !ssh_key_public(l->a, text, &type, &key))
			return key;
	argv[5] = arena_strndup(l->a, path.p, path.n);
	if (!access(argv[5], R_OK) && !ssh_ask(l, argv, &text, &ignored) &&
	    !ssh_key_public(l->a, text, &type, &key))
		return key;
	return STR_NONE;
}

/* Which key of the agent is meant: by the file, by its comment, or by the end
 * of that.  Empty: none is. */
static struct str meant_key(struct ssh_link *l)
{
	static const char *const argv[] = { "ssh-add", "-L", NULL };
	struct str id = l->r->agent_identity, all, best = STR_NONE;
	struct str wanted = key_of_file(l, id);
	struct ssh_failure ignored;

	if (ssh_ask(l, argv, &all, &ignored))
		return STR_NONE;
	while (all.n) {
		ptrdiff_t nl = str_chr(all, '\n');
		struct str line = str_sub(all, 0, nl < 0 ? all.n : (size_t)nl);
		struct str type, key, comment;

		all = str_sub(all, nl < 0 ? all.n : (size_t)nl + 1, all.n);
		if (ssh_key_public(l->a, line, &type, &key))
			continue;
		comment =
			str_trim(str_sub(line, (size_t)(key.p - line.p) + key.n,
					 line.n));
		if ((wanted.n && str_eq(key, wanted)) || str_eq(comment, id))
			return line;
		if (!best.n &&
		    str_ends(comment, arena_strndup(l->a, id.p, id.n)))
			best = line;
	}
	return best;
}

/* The key of the agent that is to be tried first. */
static int write_meant(struct ssh_link *l, struct hop_files *files,
		       struct ssh_failure *f)
{
	struct str line = meant_key(l);

	if (!line.n)
		return 0;
	return write_file(l, STR_CAT(l->a, line, STR("\n")), &files->key, f);
}

/* --- the text --- */

static void add_login(struct ssh_link *l, const struct ssh_hop *h,
		      const struct hop_files *files, struct buf *b)
{
	const bool keys = files->key || l->r->agent || l->config.n;
	struct str methods =
		STR_CAT(l->a, keys ? STR("publickey,") : STR_NONE,
			h->password.n ? STR("password,keyboard-interactive,")
				      : STR_NONE);

	buf_addf(b, "PreferredAuthentications %.*s\n",
		 STR_ARG(methods.n ? str_sub(methods, 0, methods.n - 1)
				   : STR("none")));
	buf_addf(b, "BatchMode %s\n", h->password.n ? "no" : "yes");
	buf_puts(b, "NumberOfPasswordPrompts 1\n");
	if (files->key)
		buf_addf(b, "IdentityFile %s\n", files->key);
	else if (!l->config.n)
		buf_puts(b, "IdentityFile none\n");
	if (files->certificate)
		buf_addf(b, "CertificateFile %s\n", files->certificate);
	/* What else an agent has could use up the tries. */
	if (h->private_key.n)
		buf_puts(b, "IdentitiesOnly yes\n");
	if (!l->r->agent && !l->config.n)
		buf_puts(b, "IdentityAgent none\n");
	if (files->known)
		buf_addf(b,
			 "StrictHostKeyChecking yes\n"
			 "UserKnownHostsFile %s\n"
			 "GlobalKnownHostsFile /dev/null\n",
			 files->known);
	else if (!l->config.n)
		buf_puts(b, "StrictHostKeyChecking no\n"
			    "UserKnownHostsFile /dev/null\n"
			    "GlobalKnownHostsFile /dev/null\n");
}

static void add_hop(struct ssh_link *l, const struct ssh_hop *h,
		    const struct hop_files *files, bool direct, struct buf *b)
{
	buf_puts(b, "Host *\n");
	/* The name that is looked up is that of a host's certificate. */
	if (!l->config.n)
		add_word(b, "HostName", without_tokens(l->a, h->host));
	if (files->known || !l->config.n)
		add_word(b, "HostKeyAlias", h->host);
	if (h->user.n || !l->config.n)
		add_word(b, "User", h->user.n ? h->user : STR("root"));
	if (h->port || !l->config.n)
		buf_addf(b, "Port %d\n", h->port ? (int)h->port : 22);
	/* Behind another host the time is for logging in there, too. */
	buf_addf(b, "ConnectTimeout %d\n", direct ? 15 : 60);
	add_login(l, h, files, b);
	buf_puts(b, "ConnectionAttempts 1\n"
		    "CheckHostIP no\n"
		    "UpdateHostKeys no\n"
		    "ServerAliveInterval 2\n"
		    "ServerAliveCountMax 60\n"
		    "EscapeChar none\n"
		    "LogLevel ERROR\n");
}

static void add_users(struct ssh_link *l, struct buf *b)
{
	if (l->config.n)
		add_word(b, "Include", l->config);
}

static int hop_files(struct ssh_link *l, const struct ssh_hop *h,
		     struct hop_files *files, struct ssh_failure *f)
{
	if (h->host_key.n && write_known(l, h, files, f))
		return -1;
	if (h->private_key.n && write_key(l, h, files, f))
		return -1;
	if (!h->private_key.n && l->r->agent && l->r->agent_identity.n &&
	    write_meant(l, files, f))
		return -1;
	if (h->password.n && write_file(l, h->password, &files->password, f))
		return -1;
	return 0;
}

/* The command by which ssh reaches the proxy. */
static int add_proxy(struct ssh_link *l, const struct ssh_hop *to,
		     struct buf *b, struct ssh_failure *f)
{
	const char *path;

	if (!l->r->proxy.host.n)
		return 0;
	if (write_file(l, ssh_proxy_text(l->a, &l->r->proxy, to), &path, f))
		return -1;
	buf_addf(b, "ProxyUseFdpass yes\nProxyCommand %.*s -proxy=%s\n",
		 STR_ARG(without_tokens(l->a, ssh_quote(l->a, l->askpass))),
		 path);
	return 0;
}

static const char *const *password_environment(struct ssh_link *l,
					       const struct hop_files *files)
{
	const char **env = ARENA_ARRAY(l->a, const char *, 4);

	if (!files->password)
		return env;
	env[0] = arena_printf(l->a, "SSH_ASKPASS=%.*s", STR_ARG(l->askpass));
	env[1] = "SSH_ASKPASS_REQUIRE=force";
	env[2] = arena_printf(l->a, "TFPIPE_SSH_PASSWORD=%s", files->password);
	return env;
}

/* What a destination is called on the command line: the user's ssh_config goes
 * by it. */
static struct str called(const struct ssh_link *l, const struct ssh_hop *h)
{
	return l->config.n ? h->host : STR("there");
}

/* The target is reached through an ssh that is logged in to the bastion. */
static int add_bastion(struct ssh_link *l, struct buf *b, struct ssh_failure *f)
{
	const struct ssh_hop *h = &l->r->bastion, *t = &l->r->target;
	struct hop_files files = { NULL };
	struct buf own = BUF_INIT;
	struct str text, to;
	const char *path, *const *env;

	if (hop_files(l, h, &files, f))
		return -1;
	add_hop(l, h, &files, !l->r->proxy.host.n, &own);
	if (add_proxy(l, h, &own, f)) {
		buf_release(&own);
		return -1;
	}
	add_users(l, &own);
	text = buf_take(l->a, &own);
	if (write_file(l, text, &path, f))
		return -1;
	buf_puts(b, "ProxyCommand env");
	env = password_environment(l, &files);
	for (size_t i = 0; env[i]; i++)
		buf_addf(b, " %.*s",
			 STR_ARG(without_tokens(
				 l->a, ssh_quote(l->a, str_c(env[i])))));
	to = str_printf(l->a, "[%.*s]:%d", STR_ARG(t->host),
			t->port ? (int)t->port : 22);
	buf_addf(b, " ssh -F %s -W %.*s -- %.*s\n", path,
		 STR_ARG(without_tokens(l->a, ssh_quote(l->a, to))),
		 STR_ARG(without_tokens(l->a, ssh_quote(l->a, called(l, h)))));
	return 0;
}

int ssh_config(struct ssh_link *l, const char **path, const char *const **env,
	       struct ssh_failure *f)
{
	const struct ssh_request *r = l->r;
	struct hop_files files = { NULL };
	struct buf b = BUF_INIT;
	struct str text;
	int rc;

	if ((r->agent && check_agent(f)) || hop_files(l, &r->target, &files, f))
		return -1;
	add_hop(l, &r->target, &files, !r->proxy.host.n && !r->bastion.host.n,
		&b);
	rc = r->bastion.host.n ? add_bastion(l, &b, f)
			       : add_proxy(l, &r->target, &b, f);
	/* One connection for all that is to be done, and a word when it is
	 * there. */
	add_word(&b, "ControlPath",
		 without_tokens(l->a, str_printf(l->a, "%s/s", l->dir)));
	buf_addf(&b,
		 "ForwardAgent %s\n"
		 "ControlMaster yes\n"
		 "ControlPersist no\n"
		 "PermitLocalCommand yes\n"
		 "LocalCommand echo\n"
		 "SessionType none\n"
		 "StdinNull yes\n",
		 r->agent ? "yes" : "no");
	add_users(l, &b);
	text = buf_take(l->a, &b);
	*env = password_environment(l, &files);
	return rc || write_file(l, text, path, f) ? -1 : 0;
}

int ssh_config_session(struct ssh_link *l, struct str command, bool tty,
		       const char **path)
{
	struct buf b = BUF_INIT;
	struct str text;

	buf_addf(&b,
		 "Host *\n"
		 "ControlPath /proc/%ld/fd/%d\n"
		 "ProxyCommand false\n"
		 "ForwardAgent %s\n"
		 "EscapeChar none\n"
		 "LogLevel ERROR\n"
		 "RequestTTY %s\n"
		 "RemoteCommand %.*s\n",
		 (long)getpid(), l->control, l->r->agent ? "yes" : "no",
		 tty ? "force" : "no", STR_ARG(without_tokens(l->a, command)));
	text = buf_take(l->a, &b);
	return ssh_memory(l->a, text, path);
}
