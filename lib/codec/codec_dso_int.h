/*
 * codec_dso_int.h - what codec.so offers to the program that loads it
 *
 * A member does what the function of its name does, see yaml_text.h and gzip.h;
 * it calls nothing of the program's, and passes bytes to `put` instead of
 * appending.
 */
#ifndef TFPIPE_CODEC_DSO_INT_H
#define TFPIPE_CODEC_DSO_INT_H

#include "codec/yaml_text.h"

typedef void codec_put(void *to, const void *p, size_t n);

struct codec_dso {
	const char *version;
	struct yaml_text *(*yaml_open)(struct str s);
	bool (*yaml_next)(struct yaml_text *y, struct yaml_item *out);
	struct yaml_error (*yaml_error)(const struct yaml_text *y);
	void (*yaml_close)(struct yaml_text *y);
	const char *(*gzip)(struct str in, codec_put *put, void *to);
	const char *(*gunzip)(struct str in, size_t max, codec_put *put,
			      void *to);
};

extern const struct codec_dso codec_dso;

struct yaml_text *part_yaml_open(struct str s);
bool part_yaml_next(struct yaml_text *y, struct yaml_item *out);
struct yaml_error part_yaml_error(const struct yaml_text *y);
void part_yaml_close(struct yaml_text *y);
const char *part_gzip(struct str in, codec_put *put, void *to);
const char *part_gunzip(struct str in, size_t max, codec_put *put, void *to);

#endif
