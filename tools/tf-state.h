/*
 * tf-state.h - what the subcommands of tf-state share
 *
 * Each subcommand is a function in tf-state-*.c: its option table, then library
 * calls, then what it prints.  Diagnostics are printed by main at the end.
 */
#ifndef TFPIPE_TF_STATE_H
#define TFPIPE_TF_STATE_H

#include "base/opts.h"
#include "config/config.h"
#include "state/backend/backend.h"
#include "state/edit/edit.h"
#include "ui/view.h"

struct tool {
	struct arena arena;
	struct diags ds;
	struct str_vec rest;       /* operands */
	int argc;                  /* the words that they were among */
	char **argv;
	struct backend_options o;  /* opened so far as options said */
	struct backend *b;
	struct state *s;
	/* Options that several subcommands have. */
	struct str dir, state, state_out, backup, backup_out, timeout;
	bool lock, ignore_remote, no_color;
	bool json;      /* speak as the -json UI stream */
	struct out out, err;
	struct view v;
	struct config *config; /* the root module, where it was looked at */
	struct str_vec vars, var_files;
};

/* The options that every subcommand takes. */
#define TOOL_OPTIONS(t)                                                       \
	{ "C", OPT_STRING, &(t)->dir, "DIR", "work in this directory" },      \
	{ "json", OPT_FLAG, &(t)->json, NULL, "speak JSON lines" },           \
	{ "json-into", OPT_REFUSED, NULL, NULL, "-json writes to standard "   \
	  "output" },                                                         \
	{ "no-color", OPT_FLAG, &(t)->no_color, NULL, "plain text" },         \
	{ "var", OPT_LIST, &(t)->vars, "NAME=VALUE",                         \
	  "a variable that the backend's arguments use" },                  \
	{ "var-file", OPT_LIST, &(t)->var_files, "FILE",                      \
	  "variables from a file" }
#define LOCK_OPTIONS(t)                                                       \
	{ "lock", OPT_FLAG, &(t)->lock, NULL,                                 \
	  "hold the state's lock; -lock=false does without" },                \
	{ "lock-timeout", OPT_STRING, &(t)->timeout, "DURATION",              \
	  "how long to wait for the lock, as 10s" }
/* As LOCK_OPTIONS, where OpenTofu has this, too. */
#define REMOTE_OPTIONS(t)                                                     \
	LOCK_OPTIONS(t),                                                      \
	{ "ignore-remote-version", OPT_FLAG, &(t)->ignore_remote, NULL,       \
	  "accepted, not used" }
/* What a run hands on: the lock must be on the file that it writes. */
#define STATE_OUT_OPTIONS(t)                                                  \
	{ "state-out", OPT_STRING, &(t)->state_out, "FILE",                   \
	  "the state file that is written" },                                 \
	{ "backup", OPT_STRING, &(t)->backup, "FILE",                         \
	  "backup of the state; - makes none" }
#define STATE_OPTION(t)                                                       \
	{ "state", OPT_STRING, &(t)->state, "FILE", "the state file" }
#define OPTIONS_END { NULL, OPT_FLAG, NULL, NULL, NULL }

/* Reads options, changes to -C's directory, finds data directory and workspace.
 * What is not OPTS_RUN ends the subcommand. */
enum opts_result tool_options(struct tool *t, const char *tool,
			      const char *synopsis, const struct opt *options,
			      int argc, char **argv);

/* Looks at what is in the directory, and finds the saved backend: once the
 * words are right, and before anything else is done. */
int tool_begin(struct tool *t);

/* Opens the workspace (or -state's file) into t->b. */
int tool_open(struct tool *t);
/* Takes the lock unless -lock=false, or adopts the parent's. */
int tool_lock(struct tool *t, struct backend *b, const char *operation);
/* tool_open, tool_lock (operation may be NULL: no lock), reading into t->s.
 * A state that is not there is an error. */
int tool_read(struct tool *t, const char *operation);
/* Unlocks and closes; adds rc and what went wrong. */
int tool_close(struct tool *t, int rc);

/* Exactly n operands, else a diagnostic. */
int tool_operands(struct tool *t, size_t n, const char *summary,
		  const char *detail);

/* The backup that edits of state make: FILE.SECONDS.backup. */
void tool_edit_backup(struct tool *t);

/* What was done: a line of text; with -json a message, without the full stop or
 * exclamation mark. */
void tool_say(struct tool *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Is "yes" what stdin says? -1 at its end. */
int tool_confirm(const char *query);

typedef int command_fn(struct tool *t, int argc, char **argv);
command_fn cmd_list, cmd_show, cmd_pull, cmd_push;
command_fn cmd_mv, cmd_rm, cmd_replace_provider, cmd_taint, cmd_untaint;
command_fn cmd_lock, cmd_force_unlock, cmd_with_lock;
command_fn cmd_workspace;

#endif
