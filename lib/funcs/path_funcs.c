/*
 * path_funcs.c - abspath, basename, dirname, pathexpand, and paths for the
 * others
 */
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file_path.h"
#include "funcs/funcs_int.h"
#include "lang/eval/eval.h"
#include "lang/eval/func.h"

static const char *home_dir(struct arena *a)
{
	const char *home = getenv("HOME");
	struct passwd pw, *found = NULL;
	size_t size = 16384;

	if (home && *home)
		return home;
	if (getpwuid_r(getuid(), &pw, arena_alloc(a, size), size, &found) ||
	    !found)
		return NULL;
	return found->pw_dir;
}

/* ~ and ~/x expanded; NULL (in .p) with the call failed. */
static struct str expand_home(struct func_call *c, struct str p)
{
	const char *home;

	if (p.n == 0 || p.p[0] != '~')
		return p;
	if (p.n > 1 && p.p[1] != '/' && p.p[1] != '\\') {
		func_fail(c, -1, "cannot expand user-specific home dir");
		return STR_NONE;
	}
	home = home_dir(c->arena);
	if (!home) {
		func_fail(c, -1, "cannot find the home directory");
		return STR_NONE;
	}
	return file_path_join(c->arena, str_c(home), str_sub(p, 1, p.n));
}

static struct str base_dir(const struct func_call *c)
{
	const struct scope *s = c->eval ? c->eval->scope : NULL;

	return str_c(s && s->base_dir ? s->base_dir : ".");
}

struct str func_relative_path(struct func_call *c, struct str path)
{
	if (path.n && path.p[0] == '/')
		return file_path_clean(c->arena, path);
	return file_path_join(c->arena, base_dir(c), path);
}

const char *func_path(struct func_call *c, struct str path)
{
	/* An empty path means the base directory, not a failure. */
	struct str p = path.n ? expand_home(c, path) : STR("");

	if (!p.p)
		return NULL;
	p = func_relative_path(c, p);
	return arena_strndup(c->arena, p.p, p.n);
}

static const struct value *do_abspath(struct func_call *c)
{
	struct str p = arg_str(c, 0);
	char *cwd;

	if (!(p.n && p.p[0] == '/')) {
		cwd = getcwd(NULL, 0);
		if (!cwd)
			return func_fail(
				c, -1, "cannot tell the working directory: %s",
				strerror(errno));
		p = file_path_join(c->arena, base_dir(c), p);
		if (p.p[0] != '/')
			p = file_path_join(c->arena, str_c(cwd), p);
		free(cwd);
	}
	return value_string(c->arena, file_path_clean(c->arena, p));
}

const struct func func_abspath = {
	.name = "abspath",
	.description = "The path as an absolute one.",
	.params = PARAMS({ "path", &type_string, 0, NULL }),
	.result = &type_string,
	.impl = do_abspath,
	.flags = FUNC_ELSEWHERE,
};

static const struct value *do_pathexpand(struct func_call *c)
{
	struct str p = arg_str(c, 0);

	if (p.n)
		p = expand_home(c, p);
	else
		return &value_empty_string;
	return p.p ? value_string(c->arena, p) : NULL;
}

const struct func func_pathexpand = {
	.name = "pathexpand",
	.description =
		"The path with a leading ~ replaced by the home directory.",
	.params = PARAMS({ "path", &type_string, 0, NULL }),
	.result = &type_string,
	.impl = do_pathexpand,
	.flags = FUNC_ELSEWHERE,
};

static const struct value *do_basename(struct func_call *c)
{
	struct str p = arg_str(c, 0);
	size_t start;

	if (p.n == 0)
		return value_string(c->arena, STR("."));
	while (p.n > 1 && p.p[p.n - 1] == '/')
		p.n--;
	for (start = p.n; start > 0 && p.p[start - 1] != '/'; start--)
		;
	if (start < p.n)
		p = str_sub(p, start, p.n);
	return value_string(c->arena, p);
}

const struct func func_basename = {
	.name = "basename",
	.description = "The last part of a path.",
	.params = PARAMS({ "path", &type_string, 0, NULL }),
	.result = &type_string,
	.impl = do_basename,
};

static const struct value *do_dirname(struct func_call *c)
{
	struct str p = arg_str(c, 0);

	while (p.n && p.p[p.n - 1] != '/')
		p.n--;
	return value_string(c->arena, file_path_clean(c->arena, p));
}

const struct func func_dirname = {
	.name = "dirname",
	.description = "A path without its last part.",
	.params = PARAMS({ "path", &type_string, 0, NULL }),
	.result = &type_string,
	.impl = do_dirname,
};
