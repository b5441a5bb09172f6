/*
 * cli_files.h - the files that the CLI configuration is in, and their bodies
 *
 * The file that TF_CLI_CONFIG_FILE (or TERRAFORM_CONFIG) names; else ~/.tofurc
 * or ~/.terraformrc or, where there is neither,
 * $XDG_CONFIG_HOME/opentofu/tofurc, and all *.tfrc and *.tfrc.json of
 * ~/.terraform.d, or of $XDG_CONFIG_HOME/opentofu where there is no such
 * directory.
 */
#ifndef TFPIPE_REMOTE_CLI_FILES_H
#define TFPIPE_REMOTE_CLI_FILES_H

#include "base/opts.h"
#include "lang/syntax/body.h"

/* Those that exist, in the order in which the first to set something counts.  A
 * named one that does not is a warning. */
void cli_files(struct arena *a, struct str_vec *out, struct diags *ds);

/* Reads one, in OpenTofu's old syntax or in JSON; its source is kept for
 * snippets.  *out: NULL where the file is /dev/null, which stands for none. */
int cli_file_read(struct arena *a, struct str path, struct sources *sources,
		  struct body **out, struct diags *ds);

/* ~/.terraform.d, or where that is not there $XDG_CONFIG_HOME/opentofu; empty
 * where there is no home. */
struct str cli_dir(struct arena *a);

/* DIR/SUB for each directory in which providers are looked for by default. */
void cli_plugin_dirs(struct arena *a, struct str_vec *out);

/* A path with a leading ~ replaced; and $NAME and ${NAME}. */
struct str cli_home(struct arena *a, struct str path);
struct str cli_expand(struct arena *a, struct str path);

#endif
