/* picture_words.c - what is written into a picture, and how wide it is */
#include "graph/picture/picture_int.h"

enum { CELLS = 56 }; /* of a label in SVG */

static const struct {
	const char *words, *sign, *name;
} actions[PICTURE_ACTIONS] = {
	[PICTURE_UNCHANGED] = { "unchanged", "", "same" },
	[PICTURE_READ] = { "to read", "<=", "read" },
	[PICTURE_CREATE] = { "to add", "+", "add" },
	[PICTURE_UPDATE] = { "to change", "~", "change" },
	[PICTURE_FORGET] = { "to forget", ".", "forget" },
	[PICTURE_REPLACE] = { "to replace", "-/+", "replace" },
	[PICTURE_DELETE] = { "to destroy", "-", "destroy" },
};

const char *picture_action_words(enum picture_action a)
{
	return actions[a].words;
}

const char *picture_action_sign(enum picture_action a)
{
	return actions[a].sign;
}

const char *picture_action_class(enum picture_action a)
{
	return actions[a].name;
}

size_t picture_cells(struct str text)
{
	size_t n = 0;

	for (size_t i = 0; i < text.n;) {
		size_t len = utf8_len(text.p + i, text.n - i);

		if (!len)
			len = 1;
		n += len > 1 && utf8_rune(text.p + i, len) >= 0x1100 ? 2 : 1;
		i += len;
	}
	return n;
}

struct str picture_shortened(struct arena *a, struct str label)
{
	size_t head = 0, tail = label.n, cells = picture_cells(label);

	if (cells <= CELLS)
		return label;
	while (picture_cells(str_sub(label, 0, head)) < CELLS / 2)
		head += utf8_len(label.p + head, label.n - head);
	while (picture_cells(str_sub(label, tail, label.n)) < CELLS / 2 - 1)
		do
			tail--;
		while ((label.p[tail] & 0xc0) == 0x80);
	return STR_CAT(a, str_sub(label, 0, head), STR("\u2026"),
		       str_sub(label, tail, label.n));
}

struct str picture_number(struct arena *a, size_t n)
{
	struct str digits = str_int(a, (int64_t)n);
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < digits.n; i++) {
		if (i && (digits.n - i) % 3 == 0)
			buf_putc(&b, ',');
		buf_putc(&b, digits.p[i]);
	}
	return buf_take(a, &b);
}

struct str picture_counted(struct arena *a, size_t n, const char *what)
{
	return str_printf(a, "%.*s %s%s", STR_ARG(picture_number(a, n)), what,
			  n == 1 ? "" : "s");
}

struct str picture_folded_words(const struct picture *p)
{
	struct arena *a = p->arena;

	if (!p->folds)
		return STR_NONE;
	return str_printf(a, "%.*s of %.*s are folded into %.*s %s",
			  STR_ARG(picture_number(a, p->folded)),
			  STR_ARG(picture_counted(a, p->resources, "resource")),
			  STR_ARG(picture_number(a, p->folds)),
			  p->folds == 1 ? "box" : "boxes");
}
