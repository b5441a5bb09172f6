/*
 * provision.c - see apply_int.h
 *
 * Each provisioner's block is decoded when its turn comes, so that it sees what
 * the one before did.  The command runs in a process group of its own: Ctrl-C
 * on the terminal reaches us, and we decide.
 */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "engine/apply/apply_int.h"
#include "base/child.h"
#include "engine/change/events.h"
#include "engine/run/values.h"
#include "engine/run/worker.h"
#include "lang/spec/decode.h"
#include "value/marks.h"

enum {
	KEPT_OUTPUT = 8 * 1024, /* of the end, for the error */
	LONGEST_LINE = 64 * 1024,
};

struct provisioning {
	struct provision_request r;
	size_t i; /* the one that runs */
	const struct cfg_provisioner *at;
	const struct value *config;
	const struct value *connection; /* with its marks; NULL: none */
	const char *hidden;             /* instead of its output; NULL: shown */
	bool discreet;                  /* of the connection nothing is told */
	struct child_run *child;
	struct buf line, tail;
	struct provision_said said; /* by tf-ssh */
};

enum { COMMAND, ENVIRONMENT, INTERPRETER, QUIET, WORKING_DIR };

static const struct value *config_attr(const struct provisioning *p, int i)
{
	static const char *const names[] = { "command", "environment",
					     "interpreter", "quiet",
					     "working_dir" };
	const struct value *v = value_get(p->config, str_c(names[i]));

	return v && value_usable(v) ? v : NULL;
}

/* --- output --- */

static void say(struct provisioning *p, struct str text)
{
	event_provision_output(p->r.events, &p->r.addr, p->at->type,
			       p->hidden ? str_c(p->hidden) : text);
}

static void say_lines(struct provisioning *p, bool all)
{
	size_t done = 0;

	for (;;) {
		struct str rest = { p->line.p + done, p->line.len - done };
		ptrdiff_t nl = rest.n ? str_chr(rest, '\n') : -1;

		if (nl < 0)
			break;
		say(p, str_sub(rest, 0, (size_t)nl));
		done += (size_t)nl + 1;
	}
	if (done) {
		size_t left = p->line.len - done;

		memmove(p->line.p, p->line.p + done, left);
		buf_set_len(&p->line, left);
	}
	if (p->line.len && (all || p->line.len > LONGEST_LINE)) {
		say(p, buf_view(&p->line));
		buf_set_len(&p->line, 0);
	}
}

static void say_line(void *data, struct str line)
{
	say(data, line);
}

static void on_output(void *data, struct str text)
{
	struct provisioning *p = data;

	if (provision_is_remote(p->at->type)) {
		provision_take(&p->said, text);
		return;
	}
	buf_str(&p->tail, text);
	if (p->tail.len > KEPT_OUTPUT) {
		size_t drop = p->tail.len - KEPT_OUTPUT;

		memmove(p->tail.p, p->tail.p + drop, KEPT_OUTPUT);
		buf_set_len(&p->tail, KEPT_OUTPUT);
	}
	buf_str(&p->line, text);
	say_lines(p, false);
}

/* --- one provisioner --- */

static void next_provisioner(void *data);

static void fail(struct provisioning *p, const char *summary,
		 const char *detail)
{
	struct range at = source_range(p->at->body->src, p->at->body->end);
	struct diag d = {
		.severity = SEV_ERROR,
		.summary = str_c(summary),
		.detail = str_dup(p->r.ds->arena, str_c(detail)),
		.subject = at,
		.context = RANGE_NONE,
		.address = instance_addr_text(p->r.ds->arena, &p->r.addr),
	};

	diags_push(p->r.ds, d);
}

static void release(struct provisioning *p)
{
	buf_release(&p->line);
	buf_release(&p->tail);
	buf_release(&p->said.text);
}

static void finish(struct provisioning *p)
{
	void (*done)(void *) = p->r.done;
	void *data = p->r.data;

	release(p);
	done(data);
}

/* error: NULL if it went well. */
static void provisioner_over(struct provisioning *p, const char *error)
{
	event_provision_end(p->r.events, &p->r.addr, p->at->type,
			    error != NULL);
	if (error && !p->at->on_failure_continue) {
		fail(p,
		     arena_printf(p->r.ds->arena, "%.*s provisioner error",
				  STR_ARG(p->at->type)),
		     error);
		finish(p);
		return;
	}
	p->i++;
	loop_defer(p->r.run->loop, next_provisioner, p);
}

static void on_exit_status(void *data, int status)
{
	struct provisioning *p = data;
	struct arena *a = p->r.arena;
	const struct value *command = config_attr(p, COMMAND);
	struct str how;

	p->child = NULL;
	say_lines(p, true);
	if (status == 0) {
		provisioner_over(p, NULL);
		return;
	}
	how = child_status_text(a, status);
	if (p->hidden)
		provisioner_over(
			p,
			arena_printf(
				a,
				"Error running the command: %.*s. Command and "
				"output are not shown, because the configuration "
				"holds a value that must not be.",
				STR_ARG(how)));
	else
		provisioner_over(
			p,
			arena_printf(
				a,
				"Error running command '%.*s': %.*s. Output: %.*s",
				STR_ARG(command->string), STR_ARG(how),
				STR_ARG(buf_view(&p->tail))));
}

static const char *c_string(struct arena *a, struct str s)
{
	return arena_strndup(a, s.p, s.n);
}

static const char *const *arguments(struct provisioning *p)
{
	struct arena *a = p->r.arena;
	const struct value *v = config_attr(p, INTERPRETER);
	size_t max = v ? v->len : 0, n = 0;
	const char **argv = ARENA_ARRAY(a, const char *, max + 4);

	for (size_t i = 0; i < max; i++)
		if (value_usable(v->elems[i]))
			argv[n++] = c_string(a, v->elems[i]->string);
	if (!max) {
		argv[n++] = "/bin/sh";
		argv[n++] = "-c";
	}
	argv[n] = c_string(a, config_attr(p, COMMAND)->string);
	return argv;
}

/* Ours, with what the block adds: the last of a name counts. */
static const char *const *environment(struct provisioning *p)
{
	struct arena *a = p->r.arena;
	const struct value *v = config_attr(p, ENVIRONMENT);
	size_t n = 0, have = 0;
	const char **env;

	if (!v || !v->len)
		return NULL;
	while (environ[have])
		have++;
	env = ARENA_ARRAY(a, const char *, have + v->len + 1);
	for (size_t i = 0; i < have; i++) {
		const char *eq = strchr(environ[i], '=');
		struct str name = { environ[i],
				    eq ? (size_t)(eq - environ[i]) : 0 };
		const struct value *own = eq ? value_get(v, name) : NULL;

		if (!own || !value_usable(own))
			env[n++] = environ[i];
	}
	for (size_t i = 0; i < v->len; i++)
		if (value_usable(v->elems[i]))
			env[n++] = arena_printf(a, "%.*s=%.*s",
						STR_ARG(v->keys[i]),
						STR_ARG(v->elems[i]->string));
	return env;
}

/* One character of a quoted word, as Go's %q prints it. */
static void quote_rune(struct buf *b, const char *s, size_t n)
{
	static const char special[] = "\a\b\f\n\r\t\v\"\\";
	static const char letters[] = "abfnrtv\"\\";
	const char *at = n == 1 && *s ? strchr(special, *s) : NULL;
	uint32_t rune = n ? utf8_rune(s, n) : 0;

	if (at)
		buf_addf(b, "\\%c", letters[at - special]);
	else if (!n || rune < ' ' || rune == 0x7f)
		buf_addf(b, "\\x%02x", (unsigned char)*s);
	else if (source_rune_printable(rune))
		buf_add(b, s, n);
	else
		buf_addf(b, rune < 0x10000 ? "\\u%04x" : "\\U%08x", rune);
}

static void quote(struct buf *b, struct str s)
{
	buf_putc(b, '"');
	for (size_t i = 0; i < s.n;) {
		size_t n = utf8_len(s.p + i, s.n - i);

		quote_rune(b, s.p + i, n);
		i += n ? n : 1;
	}
	buf_putc(b, '"');
}

/* As a list of quoted words: ["/bin/sh" "-c" "true"] */
static void announce(struct provisioning *p, const char *const *argv)
{
	const struct value *quiet = config_attr(p, QUIET);
	struct buf b = BUF_INIT;

	if (quiet && quiet->boolean) {
		say(p, STR("local-exec: Executing: Suppressed by quiet=true"));
		return;
	}
	buf_puts(&b, "Executing: [");
	for (size_t i = 0; argv[i]; i++) {
		if (i)
			buf_putc(&b, ' ');
		quote(&b, str_c(argv[i]));
	}
	buf_putc(&b, ']');
	say(p, buf_view(&b));
	buf_release(&b);
}

static void run_local_exec(struct provisioning *p)
{
	const struct value *dir = config_attr(p, WORKING_DIR);
	const struct value *command = config_attr(p, COMMAND);
	struct child_options o = { .out = CHILD_PIPE,
				   .err = CHILD_MERGE,
				   .own_group = true };

	if (!command || !command->string.n) {
		event_provision_end(p->r.events, &p->r.addr, p->at->type, true);
		fail(p, "Invalid local-exec provisioner command",
		     "The command must be a non-empty string.");
		finish(p);
		return;
	}
	o.argv = arguments(p);
	o.env = environment(p);
	if (dir && dir->string.n)
		o.dir = c_string(p->r.arena, dir->string);
	announce(p, o.argv);
	buf_set_len(&p->tail, 0);
	p->child = child_run(p->r.run->loop, &o, on_output, on_exit_status, p);
	if (!p->child)
		provisioner_over(p,
				 arena_printf(p->r.arena,
					      "Error running command: %s: %s.",
					      o.argv[0], strerror(errno)));
}

/* --- on another machine --- */

static const char *remote_error(struct provisioning *p, int status)
{
	struct arena *a = p->r.arena;

	if (!p->said.error.n)
		return arena_printf(a, "tf-ssh: %.*s",
				    STR_ARG(child_status_text(a, status)));
	if (!p->said.detail.n)
		return arena_printf(a, "%.*s.", STR_ARG(p->said.error));
	if (p->hidden || p->discreet)
		return arena_printf(
			a,
			"%.*s. More is not shown, because the configuration "
			"holds a value that must not be.",
			STR_ARG(p->said.error));
	return arena_printf(a, "%.*s: %.*s", STR_ARG(p->said.error),
			    STR_ARG(p->said.detail));
}

static void on_remote_end(void *data, int status)
{
	struct provisioning *p = data;

	p->child = NULL;
	provisioner_over(p, status ? remote_error(p, status) : NULL);
}

static void run_remote(struct provisioning *p)
{
	struct arena *a = p->r.arena;
	const char *argv[] = { child_beside(a, "tf-ssh"), NULL };
	struct child_options o = { .argv = argv,
				   .in = CHILD_FD,
				   .out = CHILD_PIPE,
				   .err = CHILD_INHERIT,
				   .own_group = true };

	buf_set_len(&p->said.text, 0);
	p->said = (struct provision_said){
		.arena = a, .text = p->said.text, .say = say_line, .data = p
	};
	o.fd[0] = provision_ask(a, p->at->type, p->connection, p->config,
				&p->discreet);
	if (o.fd[0] >= 0)
		p->child = child_run(p->r.run->loop, &o, on_output,
				     on_remote_end, p);
	if (!p->child)
		provisioner_over(
			p, arena_printf(a, "tf-ssh cannot be started: %s.",
					strerror(errno)));
	if (o.fd[0] >= 0)
		close(o.fd[0]);
}

/* --- each in its turn --- */

static bool decode(struct provisioning *p)
{
	const struct schema_block *schema =
		provisioner_schema(p->r.arena, p->at->type);
	const struct marks *marks = NULL;
	const struct body *connection =
		provisioner_connection(p->r.arena, p->r.connection,
				       p->at->connection);
	size_t errors = p->r.ds->errors;
	struct run_scope s;

	run_scope_init(&s, p->r.module ? p->r.module : p->r.run->root,
		       &p->r.rep);
	s.self = p->r.self;
	s.self_only = p->r.destroy;
	p->connection = NULL;
	p->config =
		body_decode(p->r.arena, p->at->body, schema, &s.scope, p->r.ds);
	if (connection && provision_is_remote(p->at->type))
		p->connection =
			body_decode(p->r.arena, connection,
				    provisioner_connection_schema(p->r.arena),
				    &s.scope, p->r.ds);
	if (s.failed || p->r.ds->errors != errors)
		return false;
	body_report_deprecated(p->r.arena, p->at->body, p->config, p->r.ds);
	p->config = value_unmark_deep(p->r.arena, p->config, &marks);
	p->hidden = NULL;
	p->discreet = false;
	if (marks && (marks->bits & MARK_EPHEMERAL))
		p->hidden =
			"(output suppressed due to ephemeral value in config)";
	else if (marks && (marks->bits & MARK_SENSITIVE))
		p->hidden =
			"(output suppressed due to sensitive value in config)";
	return true;
}

static void next_provisioner(void *data)
{
	struct provisioning *p = data;
	const struct run_mark mark = run_mark(p->r.run, p->r.ds);
	bool decoded;

	while (p->i < p->r.n &&
	       p->r.provisioners[p->i].when_destroy != p->r.destroy)
		p->i++;
	if (p->i >= p->r.n) {
		finish(p);
		return;
	}
	p->at = &p->r.provisioners[p->i];
	if (!provisioner_schema(p->r.arena, p->at->type)) {
		fail(p, "Unsupported provisioner type",
		     arena_printf(
			     p->r.arena,
			     "There are provisioners of the types file, local-exec and remote-exec, none of the type \"%.*s\".",
			     STR_ARG(p->at->type)));
		finish(p);
		return;
	}
	decoded = decode(p);
	if (run_must_wait(&mark, next_provisioner, p))
		return;
	if (!decoded) {
		finish(p);
		return;
	}
	event_provision_start(p->r.events, &p->r.addr, p->at->type);
	if (provision_is_remote(p->at->type))
		run_remote(p);
	else
		run_local_exec(p);
}

struct provisioning *provision_start(const struct provision_request *r)
{
	struct provisioning *p = ARENA_NEW(r->arena, struct provisioning);

	p->r = *r;
	/* What it may do outside comes after what is known of the object: the
	 * journal is written at the end of this turn. */
	events_flush_soon(r->events);
	loop_defer(r->run->loop, next_provisioner, p);
	return p;
}

void provision_stop(struct provisioning *p, bool at_once)
{
	/* tf-ssh ends what it has started, and is quick about it. */
	const int killing = p && p->at && provision_is_remote(p->at->type)
				    ? SIGTERM
				    : SIGKILL;

	if (p && p->child)
		child_run_kill(p->child, at_once ? killing : SIGINT);
}

void provision_drop(struct provisioning *p)
{
	if (!p)
		return;
	if (p->child)
		child_run_free(p->child);
	release(p);
}

bool provision_wanted(const struct cfg_provisioner_vec *v, bool destroy)
{
	for (size_t i = 0; i < v->len; i++)
		if (v->items[i].when_destroy == destroy)
			return true;
	return false;
}
