/*
 * record_refactor_int.h - the records of checks, moves, removals and imports,
 * both ways
 */
#ifndef TFPIPE_CONFIG_RECORD_REFACTOR_INT_H
#define TFPIPE_CONFIG_RECORD_REFACTOR_INT_H

#include "config/record/record_int.h"

void config_write_check(struct writer *wr, const struct cfg_module *m,
			const struct cfg_check *c);
void config_write_moved(struct writer *wr, const struct cfg_moved *mv);
void config_write_removed(struct writer *wr, const struct cfg_removed *rm);
void config_write_import(struct writer *wr, const struct cfg_import *im);
int config_read_check(struct reader *r);
int config_read_moved(struct reader *r);
int config_read_removed(struct reader *r);
int config_read_import(struct reader *r);

#endif
