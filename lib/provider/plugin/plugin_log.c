/* plugin_log.c - see plugin_log.h */
#include <fcntl.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "json/json.h"
#include "provider/plugin/plugin_log.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"

static const char *const names[] = {
	[LOG_TRACE] = "TRACE", [LOG_DEBUG] = "DEBUG", [LOG_INFO] = "INFO",
	[LOG_WARN] = "WARN",   [LOG_ERROR] = "ERROR", [LOG_OFF] = "OFF",
};

/* The level a word means: "" is off, an unknown word TRACE. */
static enum log_level level_of(const char *word)
{
	if (!word || !*word)
		return LOG_OFF;
	for (int i = 0; i <= LOG_OFF; i++)
		if (strcasecmp(word, names[i]) == 0)
			return (enum log_level)i;
	return LOG_TRACE;
}

bool log_level_valid(const char *word)
{
	return !*word || level_of(word) != LOG_TRACE ||
	       strcasecmp(word, "trace") == 0 || strcasecmp(word, "json") == 0;
}

static void log_open(struct plugin_log *l, const char *variable)
{
	const char *word = getenv(variable);
	const char *all = getenv("TF_LOG");
	const char *path = getenv("TF_LOG_PATH");

	if (!word || !*word)
		word = all;
	*l = (struct plugin_log){ .level = level_of(word), .fd = -1 };
	l->json = all && strcasecmp(all, "json") == 0;
	if (l->level == LOG_OFF)
		return;
	l->fd = STDERR_FILENO;
	if (path && *path) {
		int fd = io_open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);

		if (fd >= 0) {
			l->fd = fd;
			l->opened = true;
		}
	}
}

void plugin_log_open(struct plugin_log *l)
{
	log_open(l, "TF_LOG_PROVIDER");
}

void plugin_log_open_core(struct plugin_log *l)
{
	log_open(l, "TF_LOG_CORE");
}

void plugin_log_close(struct plugin_log *l)
{
	if (l->opened)
		close(l->fd);
	l->opened = false;
	l->level = LOG_OFF;
}

static void put_time(struct buf *b)
{
	char now[CLOCK_STAMP];

	clock_stamp(now);
	buf_add(b, now, sizeof("2006-01-02T15:04:05.000") - 1);
	buf_putc(b, 'Z');
}

/* One write(2) a line: several processes may share the file. */
static void put_line(const struct plugin_log *l, const struct buf *b)
{
	struct out out = OUT_INIT_AS(l->fd, l->json ? OUT_DATA : OUT_TEXT);

	out_str(&out, buf_view(b));
	out_flush(&out); /* a full log is no reason to fail */
	out_release(&out);
}

/* Text that is to stay on one line. */
static void put_flat(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		buf_putc(b, s.p[i] == '\n' || s.p[i] == '\r' ? ' ' : s.p[i]);
}

static bool reserved(struct str name)
{
	return name.n && name.p[0] == '@';
}

static void text_line(struct buf *b, enum log_level level, struct str name,
		      struct str message, const struct json *fields)
{
	const char *before = ":";

	put_time(b);
	buf_addf(b, " [%s]%s %.*s: ", names[level],
		 level == LOG_INFO || level == LOG_WARN ? " " : "",
		 STR_ARG(name));
	put_flat(b, message);
	for (size_t i = 0; fields && i < fields->len; i++) {
		const struct json_member *m = &fields->members[i];

		if (reserved(m->name))
			continue;
		buf_addf(b, "%s %.*s=", before, STR_ARG(m->name));
		before = "";
		if (m->value.kind == JSON_STRING) {
			struct jw w = JW_INIT(b);

			if (str_chr(m->value.text, ' ') >= 0 ||
			    str_chr(m->value.text, '\n') >= 0)
				jw_str(&w, m->value.text);
			else
				buf_str(b, m->value.text);
		} else {
			struct jw w = JW_INIT(b);

			jw_json(&w, &m->value);
		}
	}
}

static void json_line(struct buf *b, enum log_level level, struct str name,
		      struct str message, const struct json *fields)
{
	static const char *const lower[] = { "trace", "debug", "info",
					     "warn",  "error", "off" };
	struct jw w = JW_INIT(b);
	struct buf now = BUF_INIT;

	put_time(&now);
	jw_object(&w);
	jw_key(&w, "@level");
	jw_cstr(&w, lower[level]);
	jw_member_str(&w, "@message", message);
	jw_member_str(&w, "@module", name);
	jw_member_str(&w, "@timestamp", buf_view(&now));
	for (size_t i = 0; fields && i < fields->len; i++) {
		if (reserved(fields->members[i].name))
			continue;
		jw_key_str(&w, fields->members[i].name);
		jw_json(&w, &fields->members[i].value);
	}
	jw_object_end(&w);
	buf_release(&now);
}

static void put(const struct plugin_log *l, enum log_level level,
		struct str name, struct str message, const struct json *fields)
{
	struct buf b = BUF_INIT;

	if (l->level == LOG_OFF || level < l->level)
		return;
	(l->json ? json_line : text_line)(&b, level, name, message, fields);
	buf_putc(&b, '\n');
	put_line(l, &b);
	buf_release(&b);
}

void plugin_log_write(const struct plugin_log *l, enum log_level level,
		      struct str name, struct str message)
{
	put(l, level, name, message, NULL);
}

/* Text that says its level: "[WARN] …". */
static enum log_level level_of_text(struct str *line)
{
	for (int i = 0; i < LOG_OFF; i++) {
		size_t n = strlen(names[i]);

		if (line->n < n + 2 || line->p[0] != '[' ||
		    memcmp(line->p + 1, names[i], n) != 0 ||
		    line->p[n + 1] != ']')
			continue;
		*line = str_sub(*line, n + 2, line->n);
		while (line->n && line->p[0] == ' ')
			*line = str_sub(*line, 1, line->n);
		return (enum log_level)i;
	}
	return LOG_DEBUG;
}

void plugin_log_line(const struct plugin_log *l, struct str name,
		     struct str line)
{
	struct arena scratch = ARENA_INIT;
	struct json_error err;
	const struct json *j = NULL;
	char level[8] = "";

	if (l->level == LOG_OFF)
		return;
	if (line.n && line.p[0] == '{')
		j = json_parse(&scratch, line, &err);
	if (j && j->kind == JSON_OBJECT) {
		struct str said = json_get_str(j, "@level");

		if (said.n && said.n < sizeof(level))
			memcpy(level, said.p, said.n);
		put(l, *level ? level_of(level) : LOG_DEBUG, name,
		    json_get_str(j, "@message"), j);
	} else {
		enum log_level as = level_of_text(&line);

		put(l, as, name, line, NULL);
	}
	arena_release(&scratch);
}
