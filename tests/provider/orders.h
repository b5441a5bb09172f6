/*
 * orders.h - orders for the test provider to do something wrong or unusual
 *
 * Orders come from the environment variable TEST_PROVIDER_DO and from the
 * attribute `do` of a resource, data source, ephemeral resource or provider
 * configuration.  They are separated by ';', each is
 *
 *	[NAME@]CALL:OPERATION[:PATH][=ARGUMENT]
 *
 * NAME    only for objects whose attribute `name` is this
 * CALL    the call in whose answer it happens: see the table of calls
 * PATH    attribute.attribute[0]["key"] into the object of the answer; an
 *         element of a set is addressed by its position in set order
 *
 * Operations on the object (at PATH, or the whole of it):
 *   set=JSON     another value of the same type
 *   retype=JSON  a value of the type that the JSON has: does not fit
 *   null         null
 *   unknown      unknown; =JSON: of this type (for dynamic attributes)
 *   refined=X    an unknown string with prefix X, number of at least X,
 *                collection of at least X elements
 *   prior        what it was before
 *   config       what is configured
 *   remove       the attribute or element is left out
 *   drop         the last element of the collection is left out
 *   grow         the last element is there twice; =JSON: one more element
 *
 * Operations on the answer:
 *   replace         PATH requires replacement
 *   legacy          sets the legacy type system flag
 *   error=SUMMARY   an error about PATH, with the object as it was before
 *   partial=SUMMARY an error about PATH, with the object as it would be
 *   warning=SUMMARY a warning about PATH
 *   absent          no object at all
 *   garbage         an object that is not msgpack
 *   deferred        the call is deferred
 *   private=TEXT    other private data
 *   identity=JSON   another identity; null: none
 *   type=NAME       imported: as another type
 *   none, twice     imported: nothing, the same twice
 *   renew=SECONDS   ephemeral: to be renewed that soon
 *   status=CODE     gRPC status instead of an answer
 *   nonsense        bytes that are not the message
 *   hang            no answer, ever (Stop ends it with an error)
 *   finish          the answer comes when Stop is called, as if it were not
 *   sleep=MS        the answer comes that late
 *   crash           the process ends with a message on stderr
 *   log=TEXT        a line on stderr
 */
#ifndef TEST_PROVIDER_ORDERS_H
#define TEST_PROVIDER_ORDERS_H

#include "base/vec.h"
#include "value/path.h"

enum operation {
	OP_SET, OP_RETYPE, OP_NULL, OP_UNKNOWN, OP_REFINED, OP_PRIOR,
	OP_CONFIG, OP_REMOVE, OP_DROP, OP_GROW,
	OP_VALUES, /* the operations above are on the object */
	OP_REPLACE = OP_VALUES, OP_LEGACY, OP_ERROR, OP_PARTIAL, OP_WARNING,
	OP_ABSENT, OP_GARBAGE, OP_DEFERRED, OP_PRIVATE, OP_IDENTITY, OP_TYPE,
	OP_NONE, OP_TWICE, OP_RENEW, OP_STATUS, OP_NONSENSE, OP_HANG,
	OP_FINISH, OP_SLEEP, OP_CRASH, OP_LOG,
};

struct order {
	struct str name; /* of the object; absent: any */
	struct str call;
	enum operation op;
	struct path path;
	struct str arg;
};

struct order_vec VEC_OF(struct order);

/* Adds the orders of the text; the message of what is wrong with it, or
 * NULL. */
const char *orders_parse(struct arena *a, struct str text,
			 struct order_vec *out);

/* The value after an order of the first kind; NULL when its argument does not
 * make sense.  A missing PATH changes nothing. */
const struct value *order_edit(struct arena *a, const struct order *o,
			       const struct value *v,
			       const struct value *prior,
			       const struct value *config);

#endif
