/* codec_dso.c - the table of the functions of codec.so, see codec_dso_int.h */
#include "codec/codec_dso_int.h"
#include "base/product.h"

__attribute__((visibility("default"))) const struct codec_dso codec_dso = {
	.version = PACKAGE_VERSION,
	.yaml_open = part_yaml_open,
	.yaml_next = part_yaml_next,
	.yaml_error = part_yaml_error,
	.yaml_close = part_yaml_close,
	.gzip = part_gzip,
	.gunzip = part_gunzip,
};
