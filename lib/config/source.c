/* source.c - module source addresses: local, in a registry, or remote */
#include "config/config_int.h"
#include "config/manifest.h"

static bool is_local(struct str s)
{
	return str_starts(s, "./") || str_starts(s, "../") ||
	       str_starts(s, ".\\") || str_starts(s, "..\\");
}

struct str module_path_clean(struct arena *a, struct str s)
{
	char *out = arena_alloc(a, s.n + 3);
	/* floor: what cannot be taken back: a leading "/" or ".." parts */
	size_t n = 0, floor = 0, i = 0;

	if (s.n && s.p[0] == '/') {
		out[n++] = '/';
		floor = 1;
	}
	while (i < s.n) {
		size_t start = i, len;

		while (i < s.n && s.p[i] != '/' && s.p[i] != '\\')
			i++;
		len = i++ - start;
		if (len == 0 || (len == 1 && s.p[start] == '.'))
			continue;
		if (len == 2 && memcmp(s.p + start, "..", 2) == 0 &&
		    n > floor) {
			while (n > floor && out[n - 1] != '/')
				n--;
			if (n > floor)
				n--;
			continue;
		}
		if (len == 2 && memcmp(s.p + start, "..", 2) == 0 &&
		    n && out[0] == '/')
			continue; /* nothing is above the root */
		if (n && out[n - 1] != '/')
			out[n++] = '/';
		memcpy(out + n, s.p + start, len);
		n += len;
		if (len == 2 && memcmp(out + n - 2, "..", 2) == 0)
			floor = n;
	}
	out[n] = '\0';
	return (struct str){ out, n };
}

static struct str read_local(struct arena *a, struct str s)
{
	struct str clean = module_path_clean(a, s);

	if (str_starts(clean, "../"))
		return clean;
	return str_printf(a, "./%.*s", STR_ARG(clean.n ? clean : STR(".")));
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

static bool is_host(struct str s)
{
	bool dot = false;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '.')
			dot = true;
		else if (!is_alnum(s.p[i]) && s.p[i] != '-' &&
			 s.p[i] != ':' && !(s.p[i] & 0x80))
			return false;
	}
	return dot && is_alnum(s.p[0]) && str_find(s, STR("--")) < 0 &&
	       !str_is(s, "github.com") && !str_is(s, "bitbucket.org");
}

static const char *check_registry(struct str package)
{
	struct str parts[4], rest = package, *p = parts;
	size_t n = 0;

	for (;;) {
		ptrdiff_t slash = str_chr(rest, '/');

		if (n == 4)
			return "it has more than four parts";
		parts[n++] = slash < 0 ? rest : str_sub(rest, 0,
							 (size_t)slash);
		if (slash < 0)
			break;
		rest = str_sub(rest, (size_t)slash + 1, rest.n);
	}
	if (n < 3)
		return "it needs a namespace, a name and a target system";
	if (n == 4 && !is_host(*p++))
		return "its host name is not valid";
	if (!is_name(p[0], "-_"))
		return "its namespace is not valid";
	if (!is_name(p[1], "-_"))
		return "its name is not valid";
	return is_name(p[2], "") ? NULL : "its target system is not valid";
}

static struct str read_registry(struct arena *a, struct str s,
				const char **why)
{
	ptrdiff_t sub = str_find(s, STR("//"));
	struct str package = sub < 0 ? s : str_sub(s, 0, (size_t)sub);
	struct str dir = STR_NONE, full = package;
	int slashes = 0;

	*why = check_registry(package);
	if (*why)
		return STR_NONE;
	for (size_t i = 0; i < package.n; i++)
		slashes += package.p[i] == '/';
	if (slashes == 2)
		full = str_printf(a, "%.*s/%.*s",
				  STR_ARG(provider_default_host()),
				  STR_ARG(package));
	if (sub < 0)
		return full;
	dir = module_path_clean(a, str_sub(s, (size_t)sub + 2, s.n));
	if (str_starts(dir, "..")) {
		*why = "its subdirectory leads out of the package";
		return STR_NONE;
	}
	return str_printf(a, "%.*s//%.*s", STR_ARG(full), STR_ARG(dir));
}

/* --- everything else --- */

/* What installers recognise: scheme://, getter::, hosts of repositories,
 * user@host:path, and absolute paths. */
static bool is_remote(struct str s)
{
	static const char *const hosts[] = { "github.com/", "bitbucket.org/",
					     "gitlab.com/", "git@" };
	struct str head = s;
	ptrdiff_t slash = str_chr(s, '/');

	if (str_find(s, STR("://")) > 0 || str_find(s, STR("::")) > 0)
		return true;
	if (s.n && s.p[0] == '/')
		return true;
	for (size_t i = 0; i < sizeof(hosts) / sizeof(*hosts); i++)
		if (str_starts(s, hosts[i]))
			return true;
	if (slash >= 0)
		head = str_sub(s, 0, (size_t)slash);
	return str_find(head, STR(".amazonaws.com")) >= 0 ||
	       str_find(head, STR(".googleapis.com")) >= 0 ||
	       (str_chr(head, '@') > 0 && str_chr(head, ':') > 0);
}

static const char *check_remote(struct str s)
{
	ptrdiff_t scheme = str_find(s, STR("://")), sub;
	struct str rest = s;

	if (scheme >= 0)
		rest = str_sub(s, (size_t)scheme + 3, s.n);
	sub = str_find(rest, STR("//"));
	if (sub < 0)
		return NULL;
	rest = str_sub(rest, (size_t)sub + 2, rest.n);
	return str_starts(rest, "..") ? "its subdirectory leads out of the "
					"package"
				      : NULL;
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
		*why = str_printf(a, "\"%.*s\" is not the address of a module "
				     "in a registry: %s.\n\nOnly such modules "
				     "have versions, and the call sets "
				     "\"version\".", STR_ARG(s),
				  problem ? problem : "it is a local path");
		return STR_NONE;
	}
	if (!is_remote(s)) {
		*why = str_printf(a, "It is not clear how to install a module "
				     "from \"%.*s\".\n\nA path relative to "
				     "this module is written \"./%.*s\".",
				  STR_ARG(s), STR_ARG(s));
		return STR_NONE;
	}
	problem = check_remote(s);
	if (problem) {
		*why = str_printf(a, "\"%.*s\" cannot be used: %s.",
				  STR_ARG(s), problem);
		return STR_NONE;
	}
	*kind = SOURCE_REMOTE;
	return str_dup(a, s);
}
