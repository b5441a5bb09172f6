/* store.c - the remote system: a directory with a file for each object */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/io.h"
#include "provider.h"
#include "value/codec.h"

static char *path_of(struct request *r, struct str id)
{
	return arena_printf(r->a, "%s/%s.%.*s.json", r->p->dir, r->type->name,
			    STR_ARG(id));
}

/* The first number that no object has; its file is there from now on. */
struct str store_new_id(struct request *r)
{
	static unsigned last;
	struct str id;

	for (unsigned n = r->p->dir ? 1 : ++last;; n++) {
		int fd;

		id = str_printf(r->a, "%u", n);
		if (!r->p->dir)
			return id;
		fd = open(path_of(r, id), O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0)
			close(fd);
		if (fd >= 0 || n > 1000000)
			return id;
	}
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

void store_save(struct request *r, struct str id, const struct value *v)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	if (!r->p->dir)
		return;
	value_to_json(&w, v, r->type->block->implied);
	io_replace_file(path_of(r, id), b.p, b.len, 0666);
	buf_release(&b);
}

void store_delete(struct request *r, struct str id)
{
	if (r->p->dir)
		unlink(path_of(r, id));
}
