/*
 * format_int.h - between format.c and format_number.c
 */
#ifndef TFPIPE_FUNCS_FORMAT_INT_H
#define TFPIPE_FUNCS_FORMAT_INT_H

#include "funcs/funcs_int.h"

/* %[flags][width][.precision][[index]]letter */
struct verb {
	struct str raw; /* as written */
	size_t offset;  /* of raw in the format */
	size_t arg;     /* counted from 1 */
	char mode;      /* the letter */
	bool sharp, zero, minus, plus, space;
	bool has_width, has_prec;
	size_t width, prec; /* 0 if not given; at most FORMAT_MAX */
};

enum { FORMAT_MAX = 1000000 };

#endif
