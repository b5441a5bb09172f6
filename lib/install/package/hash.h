/*
 * hash.h - digests of packages, as people and lock files have them
 */
#ifndef TFPIPE_INSTALL_HASH_H
#define TFPIPE_INSTALL_HASH_H

#include "base/opts.h"

/* In hexadecimal. */
struct str package_hex(struct arena *a, const unsigned char *sum, size_t n);
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
/* The same, of a package that is installed.  It takes reading all of it, so it
 * is kept for as long as the program is the same file, unchanged; what else is
 * in a package does not run. */
struct str package_hash_kept(struct arena *a, struct str dir, struct str exe);

#endif
