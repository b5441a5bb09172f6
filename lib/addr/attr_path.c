/* attr_path.c - see addr.h */
#include "addr/addr.h"
#include "lang/syntax/ident.h"

void addr_attr_name(struct buf *path, struct str name)
{
	if (ident_valid(name)) {
		if (path->len)
			buf_putc(path, '.');
		buf_str(path, name);
		return;
	}
	buf_putc(path, '[');
	json_quote(path, name);
	buf_putc(path, ']');
}

void addr_attr_index(struct buf *path, uint64_t i)
{
	buf_addf(path, "[%llu]", (unsigned long long)i);
}
