/*
 * init_text.h - the messages of `init`, as in OpenTofu
 *
 * Each is shown at once, as text or as a message, by the view.
 */
#ifndef TFPIPE_UI_INIT_TEXT_H
#define TFPIPE_UI_INIT_TEXT_H

#include "install/init/init.h"
#include "ui/view.h"

void init_say_news(struct view *v, const struct init_news *n);
/* Of the outcomes: there is no configuration; it cannot be read; all is well
 * (and what to do next, unless in automation). */
void init_say_empty(struct view *v);
void init_say_config_failed(struct view *v);
/* cloud: the configuration has a block of that name. */
void init_say_done(struct view *v, bool cloud);

#endif
