/*
 * file_funcs.c - file, filebase64, fileexists
 */
#include <errno.h>
#include <sys/stat.h>

#include "base/base64.h"
#include "base/io.h"
#include "funcs/funcs_int.h"
#include "lang/eval/func.h"
#include "value/marks.h"

/* No configuration has larger files; /dev/zero has. */
enum { FILE_MAX = 1 << 30 };

int func_read_file(struct func_call *c, struct str path, const struct marks *m,
		   struct buf *out)
{
	const char *p = func_path(c, path);
	struct str shown;

	if (!p) {
		c->err->arg = 0;
		return -1;
	}
	if (memchr(path.p, 0, path.n))
		errno = EINVAL; /* the system's error for U+0000 */
	else if (io_read_file(p, out, FILE_MAX) == 0)
		return 0;
	buf_release(out);
	shown = func_quote_unless_secret(c->arena, path, m);
	if (errno == ENOENT)
		func_fail(c, 0,
			  "no file exists at %.*s; functions read files "
			  "before anything is created, so the contents of a "
			  "file that a resource makes must come from that "
			  "resource",
			  STR_ARG(shown));
	else
		func_fail(c, 0, "failed to read file %.*s: %s", STR_ARG(shown),
			  strerror(errno));
	return -1;
}

static const struct value *do_file(struct func_call *c)
{
	const struct marks *m = NULL;
	const struct value *path = func_unmark(c, 0, &m);
	struct buf b = BUF_INIT;

	if (func_read_file(c, path->string, m, &b))
		return NULL;
	if (!str_utf8_valid(buf_view(&b))) {
		buf_release(&b);
		return func_fail(
			c, -1,
			"contents of %.*s are not valid UTF-8; filebase64 reads any file",
			STR_ARG(func_quote_unless_secret(c->arena, path->string,
							 m)));
	}
	return value_with_marks(c->arena, buf_value(c->arena, &b), m);
}

const struct func func_file = {
	.name = "file",
	.description = "The contents of a text file.",
	.params = PARAMS({ "path", &type_string, PARAM_MARKED, NULL }),
	.result = &type_string,
	.impl = do_file,
	.flags = FUNC_ELSEWHERE,
};

static const struct value *do_filebase64(struct func_call *c)
{
	const struct marks *m = NULL;
	const struct value *path = func_unmark(c, 0, &m);
	struct buf b = BUF_INIT;
	struct str encoded;

	if (func_read_file(c, path->string, m, &b))
		return NULL;
	encoded = base64_encode(c->arena, buf_view(&b));
	buf_release(&b);
	return value_with_marks(c->arena, value_string(c->arena, encoded), m);
}

const struct func func_filebase64 = {
	.name = "filebase64",
	.description = "The contents of a file in Base64.",
	.params = PARAMS({ "path", &type_string, PARAM_MARKED, NULL }),
	.result = &type_string,
	.impl = do_filebase64,
	.flags = FUNC_ELSEWHERE,
};

static const char *kind_of_file(mode_t mode)
{
	if (S_ISDIR(mode))
		return "a directory, not a file";
	if (S_ISBLK(mode) || S_ISCHR(mode))
		return "a device node, not a regular file";
	if (S_ISFIFO(mode))
		return "a named pipe, not a regular file";
	if (S_ISSOCK(mode))
		return "a unix domain socket, not a regular file";
	return "not a regular file";
}

static const struct value *do_fileexists(struct func_call *c)
{
	const struct marks *m = NULL;
	const struct value *path = func_unmark(c, 0, &m);
	const char *p = func_path(c, path->string);
	struct str shown;
	struct stat st;

	if (!p)
		return NULL;
	shown = func_quote_unless_secret(c->arena, str_c(p), m);
	if (stat(p, &st)) {
		if (errno != ENOENT)
			return func_fail(c, -1, "failed to stat %.*s",
					 STR_ARG(shown));
		return value_with_marks(c->arena, &value_false, m);
	}
	if (!S_ISREG(st.st_mode))
		return func_fail(c, -1, "%.*s is %s", STR_ARG(shown),
				 kind_of_file(st.st_mode));
	return value_with_marks(c->arena, &value_true, m);
}

const struct func func_fileexists = {
	.name = "fileexists",
	.description = "Is there a file of that path?",
	.params = PARAMS({ "path", &type_string, PARAM_MARKED, NULL }),
	.result = &type_bool,
	.impl = do_fileexists,
	.flags = FUNC_ELSEWHERE,
};
