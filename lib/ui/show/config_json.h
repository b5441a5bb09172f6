/*
 * config_json.h - `configuration` of the published plan representation:
 * modules and what they hold
 */
#ifndef TFPIPE_UI_SHOW_CONFIG_JSON_H
#define TFPIPE_UI_SHOW_CONFIG_JSON_H

#include "ui/show/show.h"

/* `configuration`; that of one module for itself where schemas is NULL. */
void config_json(struct jw *w, const struct config *c,
		 const struct map *schemas);

#endif
