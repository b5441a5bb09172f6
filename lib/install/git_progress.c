/* git_progress.c - what git says while it works; see git_int.h
 *
 * How much has come stands in lines that it writes over, behind carriage returns:
 * "Receiving objects:  45% (450/1000), 10.00 MiB | 5.00 MiB/s".
 */
#include "install/git_int.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { ONCE = 4096, LEAST = 1000000 };

/* "10.00 MiB"; 0: it is none. */
static int64_t read_size(const char *s)
{
	static const struct {
		const char *unit;
		double bytes;
	} units[] = { { " KiB", 0x1p10 }, { " MiB", 0x1p20 },
		      { " GiB", 0x1p30 } };
	char *end;
	const double n = strtod(s, &end);

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (str_starts(str_c(end), units[i].unit) && n >= 0 && n < 1e6)
			return (int64_t)(n * units[i].bytes);
	return 0;
}

static void tell(struct git *g, struct str line)
{
	const struct hosts *h = g->hosts;
	ptrdiff_t at = str_find(line, STR("), "));
	int64_t have = 0;

	if (at > 0 && (str_starts(line, "Receiving objects: ") ||
		       str_starts(line, "Unpacking objects: ")))
		have = read_size(str_dup(g->a, str_sub(line, (size_t)at + 3,
						       line.n)).p);
	if (have >= LEAST) /* or it flickers */
		h->progress(h->progress_data, 1, have, -1);
}

/* Lines that were written over are for a terminal, and the last form of them. */
static bool is_progress(struct str line)
{
	static const char *const others[] = { "Cloning into ", "remote: Total " };

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (str_starts(line, others[i]))
			return true;
	line = str_trim(line);
	return str_chr(line, '\r') >= 0 || str_ends(line, ", done.");
}

static void end_line(struct buf *line, struct buf *said)
{
	if (line->len && !is_progress(buf_view(line)))
		buf_str(said, buf_view(line));
	buf_set_len(line, 0);
}

/* What is behind the last carriage return is the line as it is now. */
static struct str current(const struct buf *line)
{
	size_t from = line->len;

	while (from && line->p[from - 1] != '\r')
		from--;
	return str_sub(buf_view(line), from, line->len);
}

bool git_tells(const struct git *g)
{
	return g->hosts->progress;
}

int git_read(struct git *g, int fd, struct buf *said)
{
	struct buf line = BUF_INIT;
	char chunk[ONCE];
	ssize_t n;

	while ((n = read(fd, chunk, sizeof(chunk))) > 0 ||
	       (n < 0 && errno == EINTR))
		for (ssize_t i = 0; i < n; i++) {
			if (git_tells(g) &&
			    (chunk[i] == '\r' || chunk[i] == '\n'))
				tell(g, current(&line));
			buf_putc(&line, chunk[i]);
			if (chunk[i] == '\n')
				end_line(&line, said);
		}
	end_line(&line, said);
	buf_release(&line);
	return n < 0 ? -1 : 0;
}
