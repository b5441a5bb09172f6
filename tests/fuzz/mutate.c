/*
 * mutate.c - runs a fuzz target on what is made of its corpus
 *
 *	TARGET COUNT DICTIONARY INPUT FILE...
 *
 * In place of libFuzzer where gcc has built the target, whose sanitizers say what is
 * wrong: each FILE as it is, then COUNT inputs, each a FILE with some changes, the same
 * every time.  What the target is given last lies in INPUT.
 */
#include <err.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

enum {
	LENGTH = 4096, /* of an input, at most */
	SECONDS = 30,  /* for one */
};

struct bytes {
	size_t n;
	char p[LENGTH];
};

struct list {
	struct bytes *all;
	size_t n;
};

static uint64_t chance_state = 1;

/* A number below n: xorshift64 (Marsaglia 2003). */
static size_t chance(size_t n)
{
	chance_state ^= chance_state << 13;
	chance_state ^= chance_state >> 7;
	chance_state ^= chance_state << 17;
	return n ? chance_state % n : 0;
}

static struct bytes *added(struct list *l)
{
	l->all = realloc(l->all, (l->n + 1) * sizeof(*l->all));
	if (!l->all)
		err(2, "realloc");
	return &l->all[l->n++];
}

static FILE *opened(const char *path, const char *mode)
{
	FILE *f = fopen(path, mode);

	if (!f)
		err(2, "%s", path);
	return f;
}

static void read_file(struct list *l, const char *path)
{
	struct bytes *b = added(l);
	FILE *f = opened(path, "r");

	b->n = fread(b->p, 1, LENGTH, f);
	fclose(f);
}

/* The words of libFuzzer's format: a line each, in quotes, with \xHH, \" and \\. */
static void read_dictionary(struct list *l, const char *path)
{
	FILE *f = opened(path, "r");
	char line[LENGTH];
	struct bytes *b;
	unsigned hex;

	while (fgets(line, sizeof(line), f)) {
		if (line[0] != '"')
			continue;
		b = added(l);
		b->n = 0;
		for (const char *p = line + 1; *p && *p != '"'; p++) {
			b->p[b->n] = *p;
			if (*p == '\\' && sscanf(p, "\\x%2x", &hex) == 1) {
				b->p[b->n] = (char)hex;
				p += 3;
			} else if (*p == '\\') {
				b->p[b->n] = *++p;
			}
			b->n++;
		}
	}
	fclose(f);
}

/* Puts n bytes in place of `gone` ones, as far as there is room. */
static void splice(struct bytes *b, size_t at, size_t gone, const char *p, size_t n)
{
	size_t after = b->n - at - gone;
	char copy[LENGTH];

	if (at + n + after > LENGTH)
		return;
	memcpy(copy, p, n);
	memmove(b->p + at + n, b->p + at + gone, after);
	memcpy(b->p + at, copy, n);
	b->n = at + n + after;
}

static void change(struct bytes *b, const struct list *corpus, const struct list *words)
{
	static const char odd[] = "\0\x7f\x80\xff\"\\{}[](),:=$%-.0\n",
			  *const numbers[] = { "-1", "0", "65536", "4294967296",
					       "18446744073709551616", "1e999" };
	const struct bytes *other = &corpus->all[chance(corpus->n)],
			   *word = &words->all[chance(words->n)];
	size_t at = chance(b->n + 1), rest = b->n - at,
	       some = chance((rest < 64 ? rest : 64) + 1), from = chance(other->n);
	const char *number = numbers[chance(sizeof(numbers) / sizeof(*numbers))];

	switch (chance(7)) {
	case 0:
		if (rest)
			b->p[at] ^= (char)(1 << chance(8));
		break;
	case 1:
		splice(b, at, rest > 0, &odd[chance(sizeof(odd) - 1)], 1);
		break;
	case 2:
		splice(b, at, some, "", 0);
		break;
	case 3:
		splice(b, at, 0, b->p + at, some);
		break;
	case 4:
		splice(b, at, 0, word->p, word->n);
		break;
	case 5:
		splice(b, at, rest, other->p + from, other->n - from);
		break;
	case 6:
		splice(b, at, some < 8 ? some : 0, number, strlen(number));
		break;
	}
}

/* Of its own size, so that ASan sees what is read beyond its end. */
static void run(const struct bytes *b, const char *path)
{
	uint8_t *data = malloc(b->n);
	FILE *f = opened(path, "w");

	if (b->n > 0 && !data)
		err(2, "malloc");
	fwrite(b->p, 1, b->n, f);
	fclose(f);
	if (b->n > 0)
		memcpy(data, b->p, b->n);
	alarm(SECONDS);
	LLVMFuzzerTestOneInput(data, b->n);
	free(data);
}

int main(int argc, char **argv)
{
	struct list corpus = { 0 }, words = { 0 };
	struct bytes one;
	int count;

	if (argc < 5)
		errx(2, "usage: %s COUNT DICTIONARY INPUT FILE...", argv[0]);
	count = atoi(argv[1]);
	read_dictionary(&words, argv[2]);
	for (int i = 4; i < argc; i++)
		read_file(&corpus, argv[i]);
	if (!freopen("/dev/null", "w", stdout))
		err(2, "/dev/null");
	for (size_t i = 0; i < corpus.n; i++)
		run(&corpus.all[i], argv[3]);
	for (int i = 0; i < count; i++) {
		one = corpus.all[chance(corpus.n)];
		for (size_t n = 1 + chance(5); n > 0; n--)
			change(&one, &corpus, &words);
		run(&one, argv[3]);
	}
	fprintf(stderr, "number_of_executed_units: %zu\n", corpus.n + (size_t)count);
	free(corpus.all);
	free(words.all);
	return 0;
}
