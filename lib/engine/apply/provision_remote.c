/* provision_remote.c - what tf-ssh is asked, and what it says */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "engine/apply/apply_int.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "value/codec_json.h"
#include "value/marks.h"

bool provision_is_remote(struct str type)
{
	return str_is(type, "file") || str_is(type, "remote-exec");
}

/* --- the request --- */

/* Never shown, whoever may see the rest. */
static const char *const secrets[] = {
	"password",         "private_key",         "certificate",
	"bastion_password", "bastion_private_key", "bastion_certificate",
	"host_key",         "bastion_host_key",    "proxy_user_password",
};

static bool is_secret(struct str name)
{
	for (size_t i = 0; i < sizeof(secrets) / sizeof(*secrets); i++)
		if (str_is(name, secrets[i]))
			return true;
	return false;
}

/* Is there more than that of which nothing may be told? */
static bool is_discreet(struct arena *a, const struct value *connection)
{
	for (size_t i = 0; i < connection->len; i++) {
		const struct marks *marks = NULL;

		if (is_secret(connection->type->attrs[i].name))
			continue;
		value_unmark_deep(a, connection->elems[i], &marks);
		if (marks && marks->bits & (MARK_SENSITIVE | MARK_EPHEMERAL))
			return true;
	}
	return false;
}

int provision_ask(struct arena *a, struct str type,
		  const struct value *connection, const struct value *config,
		  bool *discreet)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);
	int fd, why;

	*discreet = connection && is_discreet(a, connection);
	jw_object(&w);
	jw_member_str(&w, "provisioner", type);
	jw_member_bool(&w, "discreet", *discreet);
	jw_key(&w, "connection");
	if (connection)
		value_known_json(&w, value_unmark_deep(a, connection, NULL));
	else
		jw_null(&w);
	jw_key(&w, "config");
	value_known_json(&w, config);
	jw_object_end(&w);
	fd = io_memory("request", buf_view(&b));
	why = errno;
	explicit_bzero(b.p, b.len);
	buf_release(&b);
	errno = why;
	return fd;
}

/* --- what comes back --- */

static void take_line(struct provision_said *s, struct str line)
{
	struct json_error e;
	const struct json *j = json_parse(s->arena, line, &e);

	if (json_get(j, "output"))
		s->say(s->data, json_get_str(j, "output"));
	if (json_get(j, "error")) {
		s->error = json_get_str(j, "error");
		s->detail = json_get_str(j, "detail");
	}
}

void provision_take(struct provision_said *s, struct str text)
{
	struct str rest;
	ptrdiff_t nl;

	buf_str(&s->text, text);
	rest = buf_view(&s->text);
	while (rest.n && (nl = str_chr(rest, '\n')) >= 0) {
		take_line(s, str_sub(rest, 0, (size_t)nl));
		rest = str_sub(rest, (size_t)nl + 1, rest.n);
	}
	if (rest.n && rest.n < s->text.len)
		memmove(s->text.p, rest.p, rest.n);
	buf_set_len(&s->text, rest.n);
}
