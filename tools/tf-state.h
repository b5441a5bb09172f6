/*
 * tf-state.h - what the subcommands of tf-state share
 *
 * Each subcommand is a function in tf-state-*.c: its option table, then library
 * calls, then what it prints.  Diagnostics are printed by main at the end.
 */
#ifndef TFPIPE_TF_STATE_H
#define TFPIPE_TF_STATE_H

#include "base/opts.h"
#include "base/workdir.h"
#include "config/config.h"
#include "state/edit/edit.h"
#include "ui/view.h"

struct tool {
	struct arena arena;
	struct diags ds;
	struct workdir workdir;
	struct str_vec rest; /* operands */
	int argc;            /* the command line that had them */
	char **argv;
	/* Options that several subcommands have. */
	struct state_access st; /* which state, and its lock */
	struct str dir;
	bool no_color;
	bool json; /* speak as the -json UI stream */
	struct out out, err;
	struct view v;
	bool begun; /* the version, the first of all messages, is told */
	struct config *config; /* the root module, if it was read */
	struct str_vec vars, var_files;
};

/* The options that every subcommand takes. */
#define TOOL_OPTIONS(t) \
	{ \
		"C",    OPT_STRING, &(t)->dir, "DIR", "work in this directory", \
		OPT_OWN \
	}, \
		{ "json", OPT_FLAG, &(t)->json, NULL, "speak JSON lines" }, \
		{ "json-into", OPT_REFUSED, NULL, NULL, \
		  "-json writes to standard " \
		  "output" }, \
		{ "no-color", OPT_FLAG, &(t)->no_color, NULL, "plain text" }, \
		{ "var", OPT_LIST, &(t)->vars, "NAME=VALUE", \
		  "a variable that the backend's arguments use" }, \
	{ \
		"var-file", OPT_LIST, &(t)->var_files, "FILE", \
			"variables from a file" \
	}
#define LOCK_TIMEOUT_OPTION(t) \
	{ \
		"lock-timeout", OPT_STRING, &(t)->st.timeout, "DURATION", \
			"how long to wait for the lock, as 10s" \
	}
#define LOCK_OPTIONS(t) \
	{ "lock", OPT_FLAG, &(t)->st.lock, NULL, \
	  "hold the state's lock; -lock=false does without" }, \
		LOCK_TIMEOUT_OPTION(t)
/* As LOCK_OPTIONS, where OpenTofu has this, too. */
#define REMOTE_OPTIONS(t) \
	LOCK_OPTIONS(t), \
	{ \
		"ignore-remote-version", OPT_FLAG, &(t)->st.o.ignore_remote, \
			NULL, \
			"write the state of a workspace whose version differs" \
	}
/* Options that a run hands on: the lock must be on the file that it writes. */
#define STATE_OUT_OPTIONS(t) \
	{ "state-out", OPT_STRING, &(t)->st.o.state_out, "FILE", \
	  "the state file that is written" }, \
	{ \
		"backup", OPT_STRING, &(t)->st.o.backup_path, "FILE", \
			"backup of the state; - makes none" \
	}
#define BACKUP_OPTION(t) \
	{ \
		"backup", OPT_STRING, &(t)->st.o.backup_path, "FILE", \
			"backup of the state" \
	}
#define STATE_OPTION(t) \
	{ \
		"state", OPT_STRING, &(t)->st.o.state_path, "FILE", \
			"the state file" \
	}
#define OPTIONS_END \
	{ \
		NULL, OPT_FLAG, NULL, NULL, NULL \
	}

/* Reads options, changes to -C's directory, finds data directory and workspace.
 * Any result but OPTS_RUN ends the subcommand. */
enum opts_result tool_options(struct tool *t, const char *tool,
			      const char *synopsis, const struct opt *options,
			      int argc, char **argv);

/* Looks at what is in the directory, and finds the saved backend: once the
 * words are right, and before anything else is done. */
int tool_begin(struct tool *t);

/* Exactly n operands, else a diagnostic. */
int tool_operands(struct tool *t, size_t n, const char *summary,
		  const char *detail);

/* Does stdin say "yes"?  -1 at its end. */
int tool_confirm(const char *query);

typedef int command_fn(struct tool *t, int argc, char **argv);
command_fn cmd_list, cmd_names, cmd_show, cmd_pull, cmd_push;
command_fn cmd_mv, cmd_rm, cmd_replace_provider, cmd_taint, cmd_untaint;
command_fn cmd_recover, cmd_settle;
command_fn cmd_seal_plan;
command_fn cmd_open_plan;
command_fn cmd_lock, cmd_force_unlock, cmd_with_lock;
command_fn cmd_workspace;

#endif
