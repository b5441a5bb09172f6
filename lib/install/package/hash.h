/*
 * hash.h - digests of packages, as lock files and messages have them
 */
#ifndef TFPIPE_INSTALL_HASH_H
#define TFPIPE_INSTALL_HASH_H

#include "base/opts.h"

/* Of a file, in hexadecimal; kind: "sha256".  STR_NONE when it cannot be
 * read. */
struct str package_file_digest(struct arena *a, struct str path,
			       const char *kind);
/* "h1:…" of files whose lines ("HEX  NAME") are given, by the order of
 * names. */
struct str package_lines_hash(struct arena *a, struct str_vec *lines);
/* "h1:…": the hash of a package's files, as lock files have it; STR_NONE with
 * errno set when it cannot be read. */
struct str package_hash(struct arena *a, struct str dir);
/* The hash of an installed package.  Reading all of it is slow, so the hash is
 * cached while no file is added to it, removed, replaced or written to. */
struct str package_hash_kept(struct arena *a, struct str dir);

#endif
