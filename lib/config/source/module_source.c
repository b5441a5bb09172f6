/* module_source.c - module source addresses: local, in a registry, or remote */
#include "config/source/source.h"
#include "base/file_path.h"
#include "addr/provider.h"

static bool is_local(struct str s)
{
	return str_starts(s, "./") || str_starts(s, "../") ||
	       str_starts(s, ".\\") || str_starts(s, "..\\");
}

static struct str read_local(struct arena *a, struct str s)
{
	struct str clean = str_dup(a, s);

	for (char *p = (char *)clean.p; *p; p++)
		if (*p == '\\')
			*p = '/';
	clean = file_path_clean(a, clean);

	if (str_starts(clean, "../"))
		return clean;
	return str_printf(a, "./%.*s", STR_ARG(clean));
}

/* --- registries: [HOST/]NAMESPACE/NAME/SYSTEM[//SUBDIR] --- */

static bool is_alnum(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9');
}

static bool is_name(struct str s, const char *inner)
{
	if (!s.n || s.n > 64 || !is_alnum(s.p[0]) || !is_alnum(s.p[s.n - 1]))
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!is_alnum(s.p[i]) && !strchr(inner, s.p[i]))
			return false;
	return true;
}

/* LABEL { "." LABEL } [ ":" PORT ], in small letters and without the port of
 * https; "" if it is none.  Labels are written as people read them. */
static struct str read_host(struct arena *a, struct str s)
{
	char *out = arena_strndup(a, s.p, s.n);
	size_t n = 0, from = 0, dots = 0;
	int port = 0;

	for (; n < s.n && out[n] != ':'; n++) {
		const bool edge =
			n == from || n + 1 == s.n || strchr(".:", out[n + 1]);

		if (out[n] == '.' ? n == from : out[n] == '-' && edge)
			return STR_NONE;
		if (out[n] == '.') {
			dots++;
			from = n + 1;
		} else if (!is_alnum(out[n]) && out[n] != '-' &&
			   !(out[n] & 0x80)) {
			return STR_NONE;
		} else if (out[n] >= 'A' && out[n] <= 'Z') {
			out[n] |= 0x20;
		}
	}
	s.p = out;
	if (!dots || from == n || str_find(s, STR("--")) >= 0)
		return STR_NONE;
	for (size_t i = n + 1; i < s.n; i++) {
		port = port * 10 + out[i] - '0';
		if (out[i] < '0' || out[i] > '9' || port > 65535)
			return STR_NONE;
	}
	if (n + 1 == s.n)
		return STR_NONE;
	return n == s.n || port == 443
		       ? str_sub(s, 0, n)
		       : str_printf(a, "%.*s:%d", (int)n, out, port);
}

/* The package with its host, or STR_NONE. */
static struct str read_package(struct arena *a, struct str package,
			       const char **why)
{
	struct str parts[4], rest = package, *p = parts;
	struct str host = provider_default_host();
	size_t n = 0;

	*why = "it has more than four parts";
	for (;;) {
		ptrdiff_t slash = str_chr(rest, '/');

		if (n == 4)
			return STR_NONE;
		parts[n++] = slash < 0 ? rest : str_sub(rest, 0, (size_t)slash);
		if (slash < 0)
			break;
		rest = str_sub(rest, (size_t)slash + 1, rest.n);
	}
	if (n == 4)
		host = read_host(a, *p++);
	*why = n < 3 ? "it needs a namespace, a name and a target system"
	       : !host.n || str_is(host, "github.com") ||
			       str_is(host, "bitbucket.org")
		       ? "its host name is not valid"
	       : !is_name(p[0], "-_") ? "its namespace is not valid"
	       : !is_name(p[1], "-_") ? "its name is not valid"
	       : !is_name(p[2], "")   ? "its target system is not valid"
				      : NULL;
	return *why ? STR_NONE
		    : STR_CAT(a, host, STR("/"), p[0], STR("/"), p[1], STR("/"),
			      p[2]);
}

static struct str read_registry(struct arena *a, struct str s, const char **why)
{
	struct module_address m;

	module_address_split(a, s, &m);
	m.package = read_package(a, m.package, why);
	if (*why)
		return STR_NONE;
	if (!str_is(m.subdir, "..") && !str_starts(m.subdir, "../"))
		return module_address_text(a, &m);
	*why = "its subdirectory leads out of the package";
	return STR_NONE;
}

static struct str read_remote(struct arena *a, struct str s, struct str *why)
{
	struct module_address m;

	if (!module_address_detect(a, s, &m, why))
		return module_address_text(a, &m);
	if (why->n)
		*why = str_printf(a, "\"%.*s\" cannot be used: %.*s.",
				  STR_ARG(s), STR_ARG(*why));
	else
		*why = str_printf(a,
				  "It is not clear how to install a module "
				  "from \"%.*s\".\n\nA path relative to "
				  "this module is written \"./%.*s\".",
				  STR_ARG(s), STR_ARG(s));
	return STR_NONE;
}

struct str source_read(struct arena *a, struct str s, bool versioned,
		       enum source_kind *kind, const char **summary,
		       struct str *why)
{
	const char *problem = NULL;
	struct str normal;

	*kind = SOURCE_UNKNOWN;
	*summary = versioned ? "Invalid registry module source address"
			     : "Invalid module source address";
	if (str_chr(s, '\0') >= 0) { /* no path and no URL has it */
		*why = STR("The address has a NUL character.");
		return STR_NONE;
	}
	if (is_local(s) && !versioned) {
		*kind = SOURCE_LOCAL;
		return read_local(a, s);
	}
	normal = is_local(s) ? STR_NONE : read_registry(a, s, &problem);
	if (normal.p) {
		*kind = SOURCE_REGISTRY;
		return normal;
	}
	if (versioned) {
		*why = str_printf(a,
				  "\"%.*s\" is not the address of a module "
				  "in a registry: %s.\n\nOnly such modules "
				  "have versions, and the call sets "
				  "\"version\".",
				  STR_ARG(s),
				  problem ? problem : "it is a local path");
		return STR_NONE;
	}
	normal = read_remote(a, s, why);
	if (normal.p)
		*kind = SOURCE_REMOTE;
	return normal;
}
