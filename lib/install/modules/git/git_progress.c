/* git_progress.c - the progress messages of git; see git_int.h
 *
 * Progress is in lines that git overwrites, pieces that end with a carriage
 * return: "Receiving objects:  45% (450/1000), 10.00 MiB | 5.00 MiB/s".
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "install/modules/git/git_int.h"

enum { ONCE = 4096, LEAST = 1000000 };

/* "10.00 MiB"; 0: it is none. */
static int64_t read_size(const char *s)
{
	static const struct {
		const char *unit;
		double bytes;
	} units[] = { { " KiB", 0x1p10 },
		      { " MiB", 0x1p20 },
		      { " GiB", 0x1p30 } };
	char *end;
	const double n = strtod(s, &end);

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (str_starts(str_c(end), units[i].unit) && n >= 0 && n < 1e6)
			return (int64_t)(n * units[i].bytes);
	return 0;
}

bool git_tells(const struct git *g)
{
	return g->hosts->progress;
}

static void tell(struct git *g, struct str line)
{
	const struct hosts *h = g->hosts;
	ptrdiff_t at = str_find(line, STR("), "));
	int64_t have = 0;

	if (at > 0 && (str_starts(line, "Receiving objects: ") ||
		       str_starts(line, "Unpacking objects: ")))
		have = read_size(
			str_dup(g->a, str_sub(line, (size_t)at + 3, line.n)).p);
	if (have >= LEAST) /* or it flickers */
		h->progress(h->progress_data, 1, have, -1);
}

/* "remote: Counting objects:  25% (1/4)" */
static bool is_percentage(struct str s)
{
	ptrdiff_t at = str_find(s, STR("% ("));

	return at > 0 && s.p[at - 1] >= '0' && s.p[at - 1] <= '9' &&
	       str_find(s, STR(": ")) >= 0;
}

static bool is_progress(struct str s)
{
	static const char *const others[] = { "Cloning into ",
					      "remote: Total " };

	s = str_trim(s);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (str_starts(s, others[i]))
			return true;
	return !s.n || is_percentage(s) || str_ends(s, ", done.");
}

/* Ends a piece of a line, at the line's end or where git overwrites it. */
static void end_piece(struct git *g, struct buf *piece, struct buf *said)
{
	const struct str s = buf_view(piece);

	if (git_tells(g))
		tell(g, s);
	if (!git_tells(g) || !is_progress(s)) {
		buf_str(said, s);
		buf_putc(said, '\n');
	}
	buf_set_len(piece, 0);
}

int git_read(struct git *g, int fd, struct buf *said)
{
	struct buf piece = BUF_INIT;
	char chunk[ONCE];
	ssize_t n;

	while ((n = read(fd, chunk, sizeof(chunk))) > 0 ||
	       (n < 0 && errno == EINTR))
		for (ssize_t i = 0; i < n; i++) {
			if (chunk[i] == '\n' ||
			    (chunk[i] == '\r' && git_tells(g)))
				end_piece(g, &piece, said);
			else
				buf_putc(&piece, chunk[i]);
		}
	if (piece.len)
		end_piece(g, &piece, said);
	buf_release(&piece);
	return n < 0 ? -1 : 0;
}
