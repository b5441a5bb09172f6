/*
 * codec_int.h - what the plain and the stream encoding share
 */
#ifndef TFPIPE_VALUE_CODEC_INT_H
#define TFPIPE_VALUE_CODEC_INT_H

#include "value/convert.h"

/* A stream's notes on places in a value, beside its JSON: a tree of steps. */
struct overlay {
	const struct json *unknown; /* entry of the list; NULL: it is known */
	bool sensitive;
	bool used;        /* the place was reached */
	struct map below; /* step as text -> struct overlay * */
};

#endif
