/* scan_int.h - the scanner's tokens, for slices and trees (see scan.h) */
#ifndef TFPIPE_JSON_SCAN_INT_H
#define TFPIPE_JSON_SCAN_INT_H

#include "json/scan.h"

/* Bits: a string's content besides unescaped ASCII. */
enum { JSON_HOLDS_ESCAPES = 1, JSON_HOLDS_WIDE = 2 };

/* The string at p, the raw bytes between its quotes. */
int json_scan_inside(struct json_scan *s, struct str *out, unsigned *holds);
/* As json_scan_member, with the raw name. */
int json_scan_name(struct json_scan *s, bool *first, struct str *out,
		   unsigned *holds);
/* The number or word at p. */
int json_scan_scalar(struct json_scan *s, struct str *out);

#endif
