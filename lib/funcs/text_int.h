/*
 * text_int.h - character encodings for text.c
 */
#ifndef TFPIPE_FUNCS_TEXT_INT_H
#define TFPIPE_FUNCS_TEXT_INT_H

#include "base/str.h"

enum encoding_kind {
	UTF8,
	UTF16,
	BYTES, /* one byte a character */
	WIDE,  /* several, by iconv */
	HZ,
};

struct encoding {
	enum encoding_kind kind;
	const char *name;    /* as messages tell it */
	const char *iconv;   /* NULL: none is needed */
	const char *aliases; /* separated by spaces, name included */
};

#endif
