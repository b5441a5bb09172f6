/* spoil.c - carrying out orders on an answer, and sending it or not */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "json/read.h"
#include "provider.h"
#include "value/codec_json.h"

bool order_applies(const struct order *o, const struct request *r)
{
	struct str what = str_c(r->what);

	if (o->name.n && !str_eq(o->name, r->name))
		return false;
	if (str_eq(o->call, what))
		return true;
	if (str_is(o->call, "any"))
		return r->type;
	return str_is(o->call, r->method->call) &&
	       (str_is(what, "plan-create") || str_is(what, "plan-update") ||
		str_is(what, "apply-create") || str_is(what, "apply-update"));
}

static int64_t number(const struct order *o)
{
	int64_t n = 0;

	for (size_t i = 0; i < o->arg.n; i++)
		if (o->arg.p[i] >= '0' && o->arg.p[i] <= '9')
			n = n * 10 + (o->arg.p[i] - '0');
	return n;
}

static void complain(struct request *r, const struct order *o, bool warning)
{
	struct complaint c = { warning, o->path, o->arg };

	if (!c.summary.n)
		c.summary = STR("as ordered");
	vec_push(r->a, &r->answer.complaints, c);
}

static void identify(struct request *r, const struct order *o)
{
	struct json_error jerr;
	struct verror err;
	const struct json *j = json_parse(r->a, o->arg, &jerr);

	if (j && r->type && r->type->identity)
		r->answer.identity = value_from_json(
			r->a, j, r->type->identity->implied, &err);
}

/* Edits the object; an order that makes no sense fails the call, so that no
 * test passes by a slip of the pen. */
static void edit(struct request *r, const struct order *o)
{
	const struct value *v;

	if (!r->answer.object)
		return;
	v = order_edit(r->a, o, r->answer.object, r->prior, r->config);
	if (v)
		r->answer.object = v;
	else
		vec_push(r->a, &r->answer.complaints,
			 (struct complaint){ false, o->path,
					     STR("senseless order") });
}

static void spoil(struct request *r, const struct order *o)
{
	struct answer *w = &r->answer;

	switch (o->op) {
	case OP_REPLACE:
		vec_push(r->a, &w->replace, o->path);
		break;
	case OP_LEGACY:
		w->legacy = true;
		break;
	case OP_ERROR:
		w->object = r->prior;
		complain(r, o, false);
		break;
	case OP_PARTIAL:
		complain(r, o, false);
		break;
	case OP_WARNING:
		complain(r, o, true);
		break;
	case OP_ABSENT:
		w->object = NULL;
		break;
	case OP_GARBAGE:
		w->garbage = true;
		break;
	case OP_DEFERRED:
		w->deferred = true;
		break;
	case OP_PRIVATE:
		w->private_data = o->arg;
		break;
	case OP_IDENTITY:
		identify(r, o);
		break;
	case OP_TYPE:
		w->type_name = o->arg;
		break;
	case OP_NONE:
		w->copies = 0;
		break;
	case OP_TWICE:
		w->copies = 2;
		break;
	case OP_RENEW:
		w->renew_at = time(NULL) + number(o);
		break;
	case OP_LOG:
		fprintf(stderr, "%.*s\n", STR_ARG(o->arg));
		break;
	case OP_CRASH:
		fprintf(stderr, "panic: the test provider crashes\n\n"
			"goroutine 1 [running]:\n");
		fflush(stderr);
		_exit(2);
	default:
		edit(r, o);
	}
}

static void late(void *data)
{
	request_send(data);
}

/* Sends the answer as ordered.  Faults of the transport come last. */
static void deliver(struct request *r, const struct order *fault)
{
	if (!fault) {
		request_send(r);
	} else if (fault->op == OP_STATUS) {
		call_fail(r->call, (int)number(fault), "as ordered");
	} else if (fault->op == OP_NONSENSE) {
		call_reply(r->call, "\xff\xff\xff\xff", 4);
	} else if (fault->op == OP_SLEEP) {
		loop_after(r->p->loop, (uint64_t)number(fault), late, r);
	} else {
		r->finishes = fault->op == OP_FINISH;
		r->next = r->p->hung;
		r->p->hung = r;
	}
}

static void obey(struct request *r, const struct order_vec *orders,
		 const struct order **fault)
{
	for (size_t i = 0; i < orders->len; i++) {
		const struct order *o = &orders->items[i];

		if (!order_applies(o, r))
			continue;
		if (o->op == OP_STATUS || o->op == OP_NONSENSE ||
		    o->op == OP_SLEEP || o->op == OP_HANG ||
		    o->op == OP_FINISH)
			*fault = o;
		else
			spoil(r, o);
	}
}

void request_finish(struct request *r)
{
	const struct order *fault = NULL;
	struct order_vec own = { NULL, 0, 0 };
	struct str text = STR_NONE;
	const char *err;

	obey(r, &r->p->orders, &fault);
	obey(r, &r->p->own, &fault);
	if (r->config && r->type)
		text = text_at(r->config, "do");
	if (!text.n && r->prior)
		text = text_at(r->prior, "do");
	err = orders_parse(r->a, text, &own);
	if (err)
		vec_push(r->a, &r->answer.complaints,
			 (struct complaint){ .summary = str_c(err) });
	obey(r, &own, &fault);
	deliver(r, fault);
}
