/* codec.c - see yaml_text.h, gzip.h: what codec.so does, once it is loaded */
#include "codec/codec_dso_int.h"
#include "base/dso.h"
#include "codec/gzip.h"

#pragma weak codec_dso

static const struct codec_dso *dso(void)
{
	static const struct codec_dso *loaded;

	if (!loaded)
		loaded = &codec_dso; /* NULL where it is not linked */
	if (!loaded)
		loaded = dso_table("codec", "codec_dso");
	return loaded;
}

struct yaml_text *yaml_open(struct str s)
{
	return dso() ? dso()->yaml_open(s) : NULL;
}

bool yaml_next(struct yaml_text *y, struct yaml_item *out)
{
	return dso()->yaml_next(y, out);
}

struct yaml_error yaml_error(const struct yaml_text *y)
{
	return dso()->yaml_error(y);
}

void yaml_close(struct yaml_text *y)
{
	if (y)
		dso()->yaml_close(y);
}

static void append(void *to, const void *p, size_t n)
{
	buf_add(to, p, n);
}

static const char missing[] = "gzip is not available on this machine";

const char *gzip_pack(struct buf *out, struct str in)
{
	return dso() ? dso()->gzip(in, append, out) : missing;
}

const char *gzip_unpack(struct buf *out, struct str in, size_t max)
{
	return dso() ? dso()->gunzip(in, max, append, out) : missing;
}
