/* uuid.c - see uuid.h */
#include <string.h>

#include "base/uuid.h"
#include "base/io.h"

void uuid_text(const unsigned char id[UUID_BYTES], int version,
	       char text[UUID_SIZE])
{
	unsigned char b[UUID_BYTES];

	memcpy(b, id, sizeof(b));
	b[6] = (unsigned char)((b[6] & 0x0f) | version << 4);
	b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
	for (int i = 0; i < UUID_BYTES; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			*text++ = '-';
		*text++ = "0123456789abcdef"[b[i] >> 4];
		*text++ = "0123456789abcdef"[b[i] & 15];
	}
	*text = '\0';
}

int uuid_random(char text[UUID_SIZE])
{
	unsigned char id[UUID_BYTES];

	if (io_random(id, sizeof(id)))
		return -1;
	uuid_text(id, 4, text);
	return 0;
}
