/* connection.c - libpq, see pg.h; this is pg.so */
#include <stdlib.h>
#include <libpq-fe.h>

#include "base/clock.h"
#include "base/product.h"
#include "pg/pg_dso_int.h"

struct pg {
	PGconn *conn;
	pg_wait_fn *wait;
	void *data;
};

enum { TEXT_OID = 25 };

/* --- settings --- */

struct keywords {
	struct arena *a;
	VEC(const char *) names;
	VEC(const char *) values;
	struct buf options; /* of the server */
};

static void set(struct keywords *k, const char *name, struct str value)
{
	vec_push(k->a, &k->names, name);
	vec_push(k->a, &k->values, arena_strndup(k->a, value.p, value.n));
}

/* NAME=VALUE as a setting of the session: what libpq does not know, Go's lib/pq
 * hands on to the server. */
static void add_option(struct buf *out, struct str name, struct str value)
{
	buf_puts(out, " -c ");
	buf_str(out, name);
	buf_putc(out, '=');
	for (size_t i = 0; i < value.n; i++) {
		if (value.p[i] == ' ' || value.p[i] == '\\')
			buf_putc(out, '\\');
		buf_putc(out, value.p[i]);
	}
}

static const char *known(const PQconninfoOption *all, struct str name)
{
	for (; all->keyword; all++)
		if (str_is(name, all->keyword))
			return all->keyword;
	return NULL;
}

static bool in_environment(const char *name)
{
	const char *v = getenv(name);

	return v && *v;
}

static void read_settings(struct keywords *k, const struct pg_settings *s)
{
	PQconninfoOption *all = PQconndefaults();

	if (!in_environment("PGHOST") && !in_environment("PGHOSTADDR") &&
	    !in_environment("PGSERVICE"))
		set(k, "host", STR("localhost"));
	if (!in_environment("PGSSLMODE"))
		set(k, "sslmode", STR("require"));
	set(k, "fallback_application_name", STR(PRODUCT));
	for (size_t i = 0; i < s->len; i++) {
		const struct pg_setting *one = &s->items[i];
		const char *name = all ? known(all, one->name) : NULL;

		if (str_is(one->name, "options")) {
			buf_putc(&k->options, ' ');
			buf_str(&k->options, one->value);
		} else if (name) {
			set(k, arena_strdup(k->a, name), one->value);
		} else if (!str_is(one->name, "binary_parameters") &&
			   !str_is(one->name,
				   "disable_prepared_binary_result")) {
			/* those two say how lib/pq itself encodes */
			add_option(&k->options, one->name, one->value);
		}
	}
	if (k->options.len)
		set(k, "options", buf_view(&k->options));
	set(k, "client_encoding", STR("UTF8"));
	vec_push(k->a, &k->names, NULL);
	vec_push(k->a, &k->values, NULL);
	PQconninfoFree(all);
}

/* --- the connection --- */

static struct str said(struct arena *a, const char *message)
{
	return str_dup(a, str_trim(str_c(message)));
}

static void no_notice(void *data, const char *message)
{
	(void)data;
	(void)message;
}

/* The time for connecting, which asynchronous calls leave to us. */
static int64_t connect_ms(PGconn *conn)
{
	PQconninfoOption *all = PQconninfo(conn);
	int64_t ms = -1;

	for (PQconninfoOption *o = all; o && o->keyword; o++)
		if (strcmp(o->keyword, "connect_timeout") == 0 && o->val &&
		    atoi(o->val) > 0)
			ms = (int64_t)atoi(o->val) * 1000;
	PQconninfoFree(all);
	return ms;
}

static int finish_connecting(struct pg *p, struct arena *a, struct str *why)
{
	const int64_t ms = connect_ms(p->conn), start = (int64_t)clock_ms();
	PostgresPollingStatusType status = PGRES_POLLING_WRITING;

	while (status != PGRES_POLLING_OK) {
		int64_t left = ms < 0 ? -1 : start + ms - (int64_t)clock_ms();

		if (status == PGRES_POLLING_FAILED) {
			*why = said(a, PQerrorMessage(p->conn));
			return -1;
		}
		if ((ms >= 0 && left <= 0) ||
		    p->wait(p->data, PQsocket(p->conn),
			    status == PGRES_POLLING_WRITING, left)) {
			*why = STR("the server does not answer");
			return -1;
		}
		status = PQconnectPoll(p->conn);
	}
	return 0;
}

static void part_pg_close(struct pg *p)
{
	PQfinish(p->conn);
	free(p);
}

static struct pg *part_pg_open(struct arena *a, const struct pg_settings *s,
			       pg_wait_fn *wait, void *data, struct str *why)
{
	struct arena scratch = ARENA_INIT;
	struct keywords k = { .a = &scratch };
	struct pg *p = xcalloc(1, sizeof(*p));
	int rc = -1;

	read_settings(&k, s);
	p->wait = wait;
	p->data = data;
	p->conn = PQconnectStartParams(k.names.items, k.values.items, 0);
	*why = STR("there is no memory for it");
	if (p->conn && PQstatus(p->conn) == CONNECTION_BAD)
		*why = said(a, PQerrorMessage(p->conn));
	else if (p->conn)
		rc = finish_connecting(p, a, why);
	if (!rc) {
		PQsetNoticeProcessor(p->conn, no_notice, NULL);
		PQsetnonblocking(p->conn, 1);
	} else {
		part_pg_close(p);
		p = NULL;
	}
	buf_release(&k.options);
	arena_release(&scratch);
	return p;
}

static bool part_pg_lost(const struct pg *p)
{
	return PQstatus(p->conn) != CONNECTION_OK;
}

/* --- statements --- */

static int send(struct pg *p, const char *statement, const struct str *params,
		size_t n)
{
	struct arena a = ARENA_INIT;
	Oid *types = ARENA_ARRAY(&a, Oid, n + 1);
	const char **values = ARENA_ARRAY(&a, const char *, n + 1);
	int *lengths = ARENA_ARRAY(&a, int, n + 1);
	int *formats = ARENA_ARRAY(&a, int, n + 1);
	int sent, flushed;

	for (size_t i = 0; i < n; i++) {
		types[i] = TEXT_OID;
		values[i] = params[i].p ? params[i].p : "";
		lengths[i] = (int)params[i].n;
		formats[i] = 1; /* of text: its bytes */
	}
	sent = PQsendQueryParams(p->conn, statement, (int)n, types, values,
				 lengths, formats, 0);
	arena_release(&a);
	if (!sent)
		return -1;
	while ((flushed = PQflush(p->conn)) == 1)
		if (p->wait(p->data, PQsocket(p->conn), true, -1))
			return -1;
	return flushed;
}

/* The next result; NULL: there is none, or the connection is lost. */
static PGresult *next_result(struct pg *p)
{
	while (PQisBusy(p->conn)) {
		if (p->wait(p->data, PQsocket(p->conn), false, -1))
			return NULL;
		if (!PQconsumeInput(p->conn))
			break;
	}
	return PQgetResult(p->conn);
}

static void copy_rows(struct arena *a, const PGresult *r, struct pg_rows *rows)
{
	const int nrows = PQntuples(r), ncols = PQnfields(r);
	struct str *cells =
		ARENA_ARRAY(a, struct str, (size_t)nrows * (size_t)ncols + 1);

	rows->nrows = (size_t)nrows;
	rows->ncols = (size_t)ncols;
	rows->cells = cells;
	for (int i = 0; i < nrows; i++)
		for (int k = 0; k < ncols; k++, cells++)
			if (!PQgetisnull(r, i, k))
				*cells = str_dup(
					a, (struct str){
						   PQgetvalue(r, i, k),
						   (size_t)PQgetlength(r, i, k),
					   });
}

/* As lib/pq has it: the message, and the code in brackets. */
static struct str error_of(struct arena *a, const PGresult *r)
{
	const char *text = PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);
	const char *code = PQresultErrorField(r, PG_DIAG_SQLSTATE);

	return text && code ? str_printf(a, "%s (%s)", text, code)
			    : said(a, PQresultErrorMessage(r));
}

static int part_pg_ask(struct pg *p, struct arena *a, const char *statement,
		       const struct str *params, size_t n, struct pg_rows *rows,
		       struct str *why)
{
	bool answered = false;
	PGresult *r;

	*rows = (struct pg_rows){ 0 };
	*why = STR_NONE;
	for (size_t i = 0; i < n; i++)
		if (params[i].n > INT32_MAX) {
			*why = STR("it is larger than 2 GB");
			return -1;
		}
	if (!send(p, statement, params, n)) {
		while ((r = next_result(p))) {
			const ExecStatusType s = PQresultStatus(r);

			answered =
				s == PGRES_TUPLES_OK || s == PGRES_COMMAND_OK;
			if (answered)
				copy_rows(a, r, rows);
			else
				*why = error_of(a, r);
			PQclear(r);
		}
	}
	if (answered && !why->n)
		return 0;
	if (!why->n)
		*why = said(a, PQerrorMessage(p->conn));
	return -1;
}

__attribute__((visibility("default"))) const struct pg_dso pg_dso = {
	.version = PACKAGE_VERSION,
	.open = part_pg_open,
	.close = part_pg_close,
	.lost = part_pg_lost,
	.ask = part_pg_ask,
};
