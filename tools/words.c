/*
 * words.c - the words of a tf command line as shell text (lib/driver)
 *
 * usage: words [WORD…]     text for the script on descriptor 3
 */
#include "base/arena.h"
#include "base/io.h"
#include "driver/words.h"

int main(int argc, char **argv)
{
	struct arena a = ARENA_INIT;
	struct buf text = BUF_INIT;
	int rc;

	io_init();
	rc = driver_words(&a, argc, argv, &text, stdout, stderr);
	if (rc < 0)
		rc = io_write_all(3, text.p, text.len) ? 1 : 0;
	else
		rc = rc ? rc : 255; /* done: the script ends with 0 */
	buf_release(&text);
	arena_release(&a);
	return rc;
}
