/* store.c - the remote system: a directory with a file for each object */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/io.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "provider.h"
#include "value/codec_json.h"

static char *path_of(struct request *r, struct str id)
{
	return arena_printf(r->a, "%s/%s.%.*s.json", r->p->dir, r->type->name,
			    STR_ARG(id));
}

/* The highest number that an object has. */
static unsigned highest(const char *path)
{
	DIR *dir = opendir(path);
	unsigned n, max = 0;

	for (struct dirent *d; dir && (d = readdir(dir));) {
		const char *dot = strchr(d->d_name, '.');

		if (dot && sscanf(dot, ".%u.json", &n) == 1 && n > max)
			max = n;
	}
	if (dir)
		closedir(dir);
	return max;
}

/* The highest number that an object has or had in this process: an id names one
 * object. */
static unsigned *taken(struct request *r)
{
	static unsigned n;

	if (!n && r->p->dir)
		n = highest(r->p->dir);
	return &n;
}

/* Creates the object's file, empty; returns false if it exists. */
static bool take(struct request *r, struct str id)
{
	int fd = open(path_of(r, id), O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* The object's name, and a number from the second on. */
static struct str named_id(struct request *r, unsigned n)
{
	char *id = n == 1 ? arena_printf(r->a, "%.*s", STR_ARG(r->name))
			  : arena_printf(r->a, "%.*s-%u", STR_ARG(r->name), n);

	for (char *c = id; *c; c++)
		if (*c == '/')
			*c = '_'; /* it becomes a file's name */
	return str_c(id);
}

struct str store_new_id(struct request *r)
{
	bool named = getenv("TEST_PROVIDER_IDS") && r->name.n;
	unsigned names = 0, *last = named ? &names : taken(r);
	struct str id;

	do {
		++*last;
		id = named ? named_id(r, *last)
			   : str_printf(r->a, "%u", *last);
	} while (r->p->dir && !take(r, id) && *last < 1000000);
	return id;
}

const struct value *object_from_json(struct arena *a, const struct type *t,
				     const struct json *j)
{
	struct json_member *members = ARENA_ARRAY(a, struct json_member,
						  t->len);
	struct json whole = { .kind = JSON_OBJECT, .len = t->len,
			      .members = members };
	struct verror err;

	for (size_t i = 0; i < t->len; i++) {
		const char *name = arena_strndup(a, t->attrs[i].name.p,
						 t->attrs[i].name.n);
		const struct json *v = json_get(j, name);

		members[i].name = t->attrs[i].name;
		if (v)
			members[i].value = *v;
		else if (type_is_collection(t->attrs[i].type))
			members[i].value.kind = JSON_NULL;
	}
	return value_from_json(a, &whole, t, &err);
}

const struct value *store_load(struct request *r, struct str id)
{
	struct buf b = BUF_INIT;
	struct json_error err;
	const struct json *j = NULL;

	if (io_read_file(path_of(r, id), &b, 0) == 0)
		j = json_parse(r->a, buf_view(&b), &err);
	buf_release(&b);
	return j ? object_from_json(r->a, r->type->block->implied, j) : NULL;
}

/* Whole or not at all when the process is killed; not synced, for a test's
 * machine does not lose power. */
static void replace(struct request *r, const char *path, struct str text)
{
	const char *tmp = arena_printf(r->a, "%s.tmp", path);
	int fd = open(tmp, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);

	if (fd < 0)
		return;
	if (io_write_all(fd, text.p, text.n) == 0)
		rename(tmp, path);
	close(fd);
}

void store_save(struct request *r, struct str id, const struct value *v)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	if (!r->p->dir)
		return;
	value_to_json(&w, v, r->type->block->implied);
	replace(r, path_of(r, id), buf_view(&b));
	buf_release(&b);
}

void store_delete(struct request *r, struct str id)
{
	taken(r);
	if (r->p->dir)
		unlink(path_of(r, id));
}
