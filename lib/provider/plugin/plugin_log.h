/*
 * plugin_log.h - the log of plugins' output
 *
 * A plugin's standard error carries JSON lines with a level, or any text.
 * Lines at or above the level in TF_LOG_PROVIDER (else TF_LOG) are appended to
 * TF_LOG_PATH, or written to our standard error, as in OpenTofu's log.
 */
#ifndef TFPIPE_PROVIDER_PLUGIN_PLUGIN_LOG_H
#define TFPIPE_PROVIDER_PLUGIN_PLUGIN_LOG_H

#include "base/str.h"

enum log_level { LOG_TRACE, LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR, LOG_OFF };

struct plugin_log {
	enum log_level level; /* LOG_OFF: nothing is written */
	bool json;            /* TF_LOG=JSON */
	int fd;
	bool opened; /* fd is ours to close */
};

/* Is it one of the words, or empty? */
bool log_level_valid(const char *word);
/* As the environment asks.  A log file that cannot be opened is replaced by
 * standard error. */
void plugin_log_open(struct plugin_log *l);
/* Opens the log of our own messages: TF_LOG_CORE, else TF_LOG. */
void plugin_log_open_core(struct plugin_log *l);
void plugin_log_close(struct plugin_log *l);
/* name: "provider.terraform-provider-random_v3.9.0" */
void plugin_log_write(const struct plugin_log *l, enum log_level level,
		      struct str name, struct str message);
/* A line of a plugin's standard error. */
void plugin_log_line(const struct plugin_log *l, struct str name,
		     struct str line);

#endif
