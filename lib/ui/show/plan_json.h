/*
 * plan_json.h - the published plan representation (format version 1.2),
 * assembled from the records of a plan stream
 */
#ifndef TFPIPE_UI_SHOW_PLAN_JSON_H
#define TFPIPE_UI_SHOW_PLAN_JSON_H

#include "ui/show/show.h"

/* The published plan representation (show -json PLAN).  -1: an object of the
 * prior state cannot be shown; *why says why, in s's arena. */
int plan_json(struct jw *w, const struct shown *s, struct str *why);

#endif
