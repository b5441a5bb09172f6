/*
 * kubernetes_config.c - where an API server is and who asks it: the block,
 * kubeconfig files, the pod that we run in; see kubernetes.c
 *
 * What the block says goes before what files say.  Of several files the first
 * that has something counts.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/base64.h"
#include "base/file_path.h"
#include "base/io.h"
#include "funcs/table.h"
#include "state/backend/backend_int.h"
#include "state/backend/kubernetes/kubernetes_int.h"

#define POD_DIR "/var/run/secrets/kubernetes.io/serviceaccount/"

struct file {
	struct str
		dir; /* that paths in it are below; empty, or with its slash */
	const struct value *root;
};
struct files VEC_OF(struct file);

static int config_error(struct diags *ds, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int config_error(struct diags *ds, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = arena_vprintf(ds->arena, format, args);
	va_end(args);
	return diag_error_line(
		ds, "Failed to initialize kubernetes configuration: %s", text);
}

static bool flag_of(const struct value *object, const char *name)
{
	const struct value *v = argument_member(object, name);

	return v && v->type->kind == TYPE_BOOL && v->boolean;
}

/* 0, or -1 with errno. */
static int read_file(struct backend *b, struct str path, struct str *out)
{
	struct buf text = BUF_INIT;
	int rc =
		io_read_file(arena_strndup(b->arena, path.p, path.n), &text, 0);

	*out = buf_take(b->arena, &text);
	return rc;
}

/* --- the files --- */

static struct str expand(struct backend *b, struct str path)
{
	struct str home = str_env("HOME");

	return str_starts(path, "~/") || str_is(path, "~")
		       ? STR_CAT(b->arena, home, str_sub(path, 1, path.n))
		       : path;
}

static const struct value *parse_yaml(struct backend *b, struct str text)
{
	const struct func *yaml = funcs_lookup(STR("yamldecode"));
	const struct value *arg = value_string(b->arena, text);
	struct func_error err = { -1, STR_NONE };
	struct func_call c = {
		.arena = b->arena,
		.func = yaml,
		.args = &arg,
		.nargs = 1,
		.err = &err,
	};

	return str_utf8_valid(text) ? yaml->impl(&c) : NULL;
}

/* One that is not there is as good as empty. */
static int add_file(struct backend *b, struct str path, struct files *files,
		    struct diags *ds)
{
	struct file f = { .dir = file_path_directory(expand(b, path)) };
	struct str text;

	if (read_file(b, expand(b, path), &text))
		return errno == ENOENT
			       ? 0
			       : config_error(ds, "%.*s cannot be read: %s",
					      STR_ARG(path), strerror(errno));
	f.root = parse_yaml(b, text);
	if (!f.root)
		return config_error(ds, "%.*s is not YAML", STR_ARG(path));
	vec_push(b->arena, files, f);
	return 0;
}

static int add_files(struct backend *b, struct files *files, struct diags *ds)
{
	struct str one = argument_text(b, "config_path");
	const struct value *list = argument_value(b, "config_paths");
	struct str paths = str_env("KUBE_CONFIG_PATHS");

	if (one.n)
		return add_file(b, one, files, ds);
	if (list && list->len) {
		for (uint32_t i = 0; i < list->len; i++)
			if (value_usable(list->elems[i]) &&
			    add_file(b, list->elems[i]->string, files, ds))
				return -1;
		return 0;
	}
	while (paths.n) {
		const ptrdiff_t at = str_chr(paths, ':');
		const size_t n = at < 0 ? paths.n : (size_t)at;

		if (n && add_file(b, str_sub(paths, 0, n), files, ds))
			return -1;
		paths = str_sub(paths, at < 0 ? n : n + 1, paths.n);
	}
	return 0;
}

/* The `member` of the element of that name in a list of the files; *dir: of its
 * file.  NULL: there is none. */
static const struct value *find(const struct files *files, const char *list,
				struct str name, const char *member,
				struct str *dir)
{
	for (size_t i = 0; i < files->len; i++) {
		const struct value *all =
			argument_member(files->items[i].root, list);

		if (!all || all->type->kind != TYPE_TUPLE)
			continue;
		for (uint32_t k = 0; k < all->len; k++) {
			if (!str_eq(argument_string(argument_member(
					    all->elems[k], "name")),
				    name))
				continue;
			*dir = files->items[i].dir;
			return argument_member(all->elems[k], member);
		}
	}
	return NULL;
}

/* --- what they say --- */

/* A PEM text: NAME-data in base64, or NAME, a file. */
static int read_pem(struct backend *b, const struct value *object,
		    const char *name, struct str dir, struct str *out,
		    struct diags *ds)
{
	struct str data = argument_string(argument_member(
		object, arena_printf(b->arena, "%s-data", name)));
	struct str path = argument_string(argument_member(object, name));

	if (data.n)
		return base64_decode(b->arena, data, out)
			       ? 0
			       : config_error(ds, "%s-data is not base64",
					      name);
	if (!path.n)
		return 0;
	if (*path.p != '/')
		path = STR_CAT(b->arena, dir, path);
	return read_file(b, path, out)
		       ? config_error(ds, "%s, %.*s, cannot be read: %s", name,
				      STR_ARG(path), strerror(errno))
		       : 0;
}

static int read_cluster(struct backend *b, const struct value *c,
			struct str dir, struct diags *ds)
{
	struct kubernetes_backend *k = b->data;
	struct str proxy = argument_string(argument_member(c, "proxy-url"));

	k->base = argument_string(argument_member(c, "server"));
	k->tls.insecure = flag_of(c, "insecure-skip-tls-verify");
	if (proxy.n)
		k->proxies.http = k->proxies.https = proxy;
	k->tls.name = argument_string(argument_member(c, "tls-server-name"));
	return read_pem(b, c, "certificate-authority", dir, &k->tls.ca, ds);
}

static int read_user(struct backend *b, const struct value *u, struct str dir,
		     struct diags *ds)
{
	struct kubernetes_backend *k = b->data;
	struct str file = argument_string(argument_member(u, "tokenFile"));

	k->user.token = argument_string(argument_member(u, "token"));
	k->user.name = argument_string(argument_member(u, "username"));
	k->user.password = argument_string(argument_member(u, "password"));
	k->user.exec = argument_member(u, "exec");
	k->user.exec_dir = dir;
	if (file.n && *file.p != '/')
		file = STR_CAT(b->arena, dir, file);
	if (file.n) {
		if (read_file(b, file, &k->user.token))
			return config_error(
				ds, "tokenFile, %.*s, cannot be read: %s",
				STR_ARG(file), strerror(errno));
		k->user.token = str_trim(k->user.token);
		k->user.token_file = file;
	}
	return read_pem(b, u, "client-certificate", dir, &k->tls.certificate,
			ds) || read_pem(b, u, "client-key", dir, &k->tls.key,
					ds)
		       ? -1
		       : 0;
}

/* A name that the block says, or that the context does. */
static struct str name_of(struct backend *b, const char *argument,
			  const struct value *context, const char *member)
{
	struct str name = argument_text(b, argument);

	return name.n ? name
		      : argument_string(argument_member(context, member));
}

static int read_files(struct backend *b, const struct files *files,
		      struct diags *ds)
{
	struct kubernetes_backend *k = b->data;
	struct str context = argument_text(b, "config_context"), dir, name;
	const struct value *c, *cluster, *user;

	for (size_t i = 0; i < files->len && !context.n; i++)
		context = argument_string(argument_member(files->items[i].root,
							  "current-context"));
	c = find(files, "contexts", context, "context", &dir);
	if (!c && context.n)
		return config_error(ds, "context \"%.*s\" does not exist",
				    STR_ARG(context));
	name = name_of(b, "config_context_cluster", c, "cluster");
	cluster = find(files, "clusters", name, "cluster", &dir);
	if (!cluster && name.n)
		return config_error(ds, "cluster \"%.*s\" does not exist",
				    STR_ARG(name));
	if (cluster && read_cluster(b, cluster, dir, ds))
		return -1;
	/* who asks is told to nobody in the clear */
	if (str_starts(k->base, "http://"))
		return 0;
	name = name_of(b, "config_context_auth_info", c, "user");
	user = find(files, "users", name, "user", &dir);
	if (!user && name.n)
		return config_error(ds, "auth info \"%.*s\" does not exist",
				    STR_ARG(name));
	return user ? read_user(b, user, dir, ds) : 0;
}

/* The pod that we run in. */
static int read_pod(struct backend *b, struct diags *ds)
{
	struct kubernetes_backend *k = b->data;
	struct str host = str_env("KUBERNETES_SERVICE_HOST");
	struct str port = str_env("KUBERNETES_SERVICE_PORT");
	const bool v6 = str_chr(host, ':') >= 0;

	if (!host.n || !port.n)
		return config_error(ds,
				    "unable to load in-cluster configuration, "
				    "KUBERNETES_SERVICE_HOST and "
				    "KUBERNETES_SERVICE_PORT must be defined");
	if (read_file(b, STR(POD_DIR "token"), &k->user.token))
		return config_error(ds, "open " POD_DIR "token: %s",
				    strerror(errno));
	k->user.token = str_trim(k->user.token);
	k->user.token_file = STR(POD_DIR "token");
	if (read_file(b, STR(POD_DIR "ca.crt"), &k->tls.ca))
		k->tls.ca = STR_NONE; /* the system's */
	k->base = STR_CAT(b->arena, STR("https://"), v6 ? STR("[") : STR_NONE,
			  host, v6 ? STR("]") : STR_NONE, STR(":"), port);
	return 0;
}

/* --- the block --- */

static void override(struct backend *b, const char *name, struct str *out)
{
	struct str v = argument_text(b, name);

	if (v.n)
		*out = v;
}

static int read_block(struct backend *b, struct diags *ds)
{
	struct kubernetes_backend *k = b->data;
	const struct value *exec = argument_value(b, "exec");
	bool insecure;

	override(b, "host", &k->base);
	override(b, "username", &k->user.name);
	override(b, "password", &k->user.password);
	override(b, "token", &k->user.token);
	if (argument_text(b, "token").n)
		k->user.token_file = STR_NONE;
	override(b, "cluster_ca_certificate", &k->tls.ca);
	override(b, "client_certificate", &k->tls.certificate);
	override(b, "client_key", &k->tls.key);
	if (exec && exec->len)
		k->user.exec = exec->elems[0];
	if (argument_flag(b, "insecure", &insecure, ds))
		return -1;
	k->tls.insecure |= insecure;
	if (!k->tls.certificate.n != !k->tls.key.n)
		return argument_error(
			b, ds,
			k->tls.key.n ? "client_certificate" : "client_key",
			"must be set, too: a certificate needs its key");
	return 0;
}

int kubernetes_configure(struct backend *b, struct diags *ds)
{
	struct kubernetes_backend *k = b->data;
	struct files files = { 0 };
	bool pod, ignored;

	/* it does nothing, but is to be true or false */
	if (argument_flag(b, "load_config_file", &ignored, ds) ||
	    argument_flag(b, "in_cluster_config", &pod, ds))
		return -1;
	if (pod ? read_pod(b, ds)
		: add_files(b, &files, ds) || read_files(b, &files, ds))
		return -1;
	if (read_block(b, ds))
		return -1;
	if (!k->base.n && getenv("KUBERNETES_SERVICE_HOST") &&
	    (read_pod(b, ds) || read_block(b, ds)))
		return -1;
	if (!k->base.n)
		return config_error(ds, "no configuration has been provided");
	if (!str_starts(k->base, "http://") && !str_starts(k->base, "https://"))
		k->base = STR_CAT(b->arena,
				  k->tls.ca.n || k->tls.certificate.n ||
						  k->tls.insecure
					  ? STR("https://")
					  : STR("http://"),
				  k->base);
	while (str_ends(k->base, "/"))
		k->base.n--;
	return 0;
}
