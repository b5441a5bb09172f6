/* format.h - canonical formatting of native syntax: what `tofu fmt` writes */
#ifndef TFPIPE_LANG_FORMAT_FORMAT_H
#define TFPIPE_LANG_FORMAT_FORMAT_H

#include "lang/syntax/parse.h"
#include "base/io.h"
#include "base/opts.h"

/* Formats src into out.  A source with syntax errors is left alone: -1 and
 * diagnostics. */
int format_source(const struct source *src, struct buf *out, struct diags *ds);

/*
 * format_files.c: formats files and directories in place: what `tofu fmt` does
 */

struct format_options {
	bool list;      /* names of files that change go to out */
	bool write;     /* and the files are rewritten */
	bool diff;      /* differences go to out, made by diff(1) */
	bool recursive; /* directories: with those below them */
	/* Without any of list, write and diff the formatted text goes out. */
};

/* Formats each path, relative to the working directory, in order: a file, or a
 * directory's files.  *changed is set if any was not formatted.  Files with
 * errors are left alone; sources gets their texts, for snippets.  Returns -1
 * when errors were added. */
int format_paths(struct arena *a, const struct format_options *o,
		 const struct str_vec *paths, struct buf *out, bool *changed,
		 struct sources *ss, struct diags *ds);

/* Formats what the descriptor yields; it is called "<stdin>". */
int format_input(struct arena *a, const struct format_options *o, int fd,
		 struct buf *out, bool *changed, struct sources *ss,
		 struct diags *ds);

#endif
