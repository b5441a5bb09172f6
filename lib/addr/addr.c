/* addr.c - keys, modules, resources, instances: printing and order */
#include <inttypes.h>

#include "addr/addr.h"
#include "value/number.h"

bool inst_key_equal(struct inst_key a, struct inst_key b)
{
	if (a.kind != b.kind)
		return false;
	if (a.kind == KEY_INT)
		return a.i == b.i;
	return a.kind == KEY_NONE || str_eq(a.s, b.s);
}

int inst_key_cmp(struct inst_key a, struct inst_key b)
{
	if (a.kind != b.kind)
		return a.kind < b.kind ? -1 : 1;
	if (a.kind == KEY_INT)
		return (a.i > b.i) - (a.i < b.i);
	return a.kind == KEY_NONE ? 0 : str_cmp(a.s, b.s);
}

int inst_key_from_value(const struct value *v, struct inst_key *out,
			const char **why)
{
	if (v->type == &type_string && value_usable(v)) {
		*out = (struct inst_key){ KEY_STRING, 0, v->string };
		return 0;
	}
	*out = KEY_ABSENT;
	if (v->type != &type_number || !value_usable(v)) {
		*why = "either a string or an integer is required";
		return -1;
	}
	out->kind = KEY_INT;
	if (value_get_int(v, &out->i))
		return 0;
	*why = "a number that is an index must be whole, and fit 64 bits";
	return -1;
}

struct inst_key inst_key_other(struct arena *a, struct inst_key literal)
{
	struct inst_key out = { .kind = KEY_INT };
	const struct value *n;

	if (literal.kind == KEY_INT)
		return (struct inst_key){
			KEY_STRING, 0, str_printf(a, "%" PRId64, literal.i)
		};
	if (literal.kind == KEY_NONE)
		return literal;
	n = value_number_parse(a, literal.s);
	return n && value_get_int(n, &out.i) ? out : literal;
}

bool inst_key_means(struct inst_key literal, struct inst_key key)
{
	struct arena scratch = ARENA_INIT;
	bool same;

	if (literal.kind == key.kind || key.kind == KEY_NONE)
		return inst_key_equal(literal, key);
	same = inst_key_equal(inst_key_other(&scratch, literal), key);
	arena_release(&scratch);
	return same;
}

static void print_rune(struct buf *b, const char *p, size_t n)
{
	uint32_t rune = utf8_rune(p, n);

	if (source_rune_printable(rune))
		buf_add(b, p, n);
	else if (rune < 0x10000)
		buf_addf(b, "\\u%04" PRIx32, rune);
	else
		buf_addf(b, "\\U%08" PRIx32, rune);
}

void addr_print_quoted(struct buf *b, struct str s)
{
	buf_putc(b, '"');
	for (size_t i = 0; i < s.n;) {
		size_t n = utf8_len(s.p + i, s.n - i);
		char c = s.p[i];

		if (n == 0) { /* not UTF-8: U+FFFD, as decoding it would give */
			buf_puts(b, "\xef\xbf\xbd");
			i++;
			continue;
		}
		if (c == '\n')
			buf_puts(b, "\\n");
		else if (c == '\r')
			buf_puts(b, "\\r");
		else if (c == '\t')
			buf_puts(b, "\\t");
		else if (c == '"' || c == '\\')
			buf_addf(b, "\\%c", c);
		else if ((c == '$' || c == '%') && i + 1 < s.n &&
			 s.p[i + 1] == '{')
			buf_addf(b, "%c%c", c, c);
		else if (c > ' ' && c < 0x7f)
			buf_putc(b, c);
		else
			print_rune(b, s.p + i, n);
		i += n;
	}
	buf_putc(b, '"');
}

void inst_key_print(struct buf *b, struct inst_key k)
{
	switch (k.kind) {
	case KEY_NONE:
		break;
	case KEY_INT:
		buf_putc(b, '[');
		buf_int(b, k.i);
		buf_putc(b, ']');
		break;
	case KEY_STRING:
		buf_putc(b, '[');
		addr_print_quoted(b, k.s);
		buf_putc(b, ']');
		break;
	}
}

struct str inst_key_text(struct arena *a, struct inst_key k)
{
	struct buf b = BUF_INIT;

	if (k.kind == KEY_NONE)
		return STR_NONE;
	inst_key_print(&b, k);
	return buf_take(a, &b);
}

void module_addr_print(struct buf *b, struct module_addr m)
{
	for (size_t i = 0; i < m.len; i++) {
		buf_puts(b, i ? ".module." : "module.");
		buf_str(b, m.steps[i].name);
		inst_key_print(b, m.steps[i].key);
	}
}

struct str module_addr_text(struct arena *a, struct module_addr m)
{
	struct buf b = BUF_INIT;

	module_addr_print(&b, m);
	return buf_take(a, &b);
}

void module_addr_print_path(struct buf *b, struct module_addr m)
{
	for (size_t i = 0; i < m.len; i++) {
		buf_puts(b, i ? ".module." : "module.");
		buf_str(b, m.steps[i].name);
	}
}

bool module_addr_equal(struct module_addr a, struct module_addr b)
{
	if (a.len != b.len)
		return false;
	if (a.steps == b.steps)
		return true;
	for (size_t i = 0; i < a.len; i++)
		if (!str_eq(a.steps[i].name, b.steps[i].name) ||
		    !inst_key_equal(a.steps[i].key, b.steps[i].key))
			return false;
	return true;
}

int module_addr_cmp(struct module_addr a, struct module_addr b)
{
	int c = (a.len > b.len) - (a.len < b.len);

	if (a.steps == b.steps)
		return c;
	for (size_t i = 0; !c && i < a.len; i++) {
		c = str_cmp(a.steps[i].name, b.steps[i].name);
		if (!c)
			c = inst_key_cmp(a.steps[i].key, b.steps[i].key);
	}
	return c;
}

static int step_text_cmp(const struct module_step *a,
			 const struct module_step *b)
{
	struct buf x = BUF_INIT, y = BUF_INIT;
	int c;

	buf_str(&x, a->name);
	inst_key_print(&x, a->key);
	buf_str(&y, b->name);
	inst_key_print(&y, b->key);
	c = str_cmp(buf_view(&x), buf_view(&y));
	buf_release(&x);
	buf_release(&y);
	return c;
}

int module_addr_tree_cmp(struct module_addr a, struct module_addr b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int c = 0;

	for (size_t i = 0; !c && i < n; i++)
		if (!str_eq(a.steps[i].name, b.steps[i].name) ||
		    !inst_key_equal(a.steps[i].key, b.steps[i].key))
			c = step_text_cmp(&a.steps[i], &b.steps[i]);
	return c ? c : (a.len > b.len) - (a.len < b.len);
}

struct module_addr module_addr_child(struct arena *a, struct module_addr m,
				     struct str name, struct inst_key key)
{
	struct module_step *steps =
		ARENA_ARRAY(a, struct module_step, m.len + 1);

	if (m.len)
		memcpy(steps, m.steps, m.len * sizeof(*steps));
	steps[m.len] = (struct module_step){ name, key };
	return (struct module_addr){ steps, m.len + 1 };
}

const char *resource_mode_name(enum resource_mode m)
{
	static const char *const names[] = {
		[MODE_MANAGED] = "managed",
		[MODE_DATA] = "data",
		[MODE_EPHEMERAL] = "ephemeral",
	};

	return names[m];
}

void resource_addr_print(struct buf *b, struct resource_addr r)
{
	if (r.mode == MODE_DATA)
		buf_puts(b, "data.");
	else if (r.mode == MODE_EPHEMERAL)
		buf_puts(b, "ephemeral.");
	buf_str(b, r.type);
	buf_putc(b, '.');
	buf_str(b, r.name);
}

bool resource_addr_equal(struct resource_addr a, struct resource_addr b)
{
	return a.mode == b.mode && str_eq(a.name, b.name) &&
	       str_eq(a.type, b.type);
}

static int resource_addr_cmp(struct resource_addr a, struct resource_addr b)
{
	static const int rank[] = {
		[MODE_EPHEMERAL] = 0,
		[MODE_DATA] = 1,
		[MODE_MANAGED] = 2,
	};
	int c = rank[a.mode] - rank[b.mode];

	if (!c)
		c = str_cmp(a.type, b.type);
	return c ? c : str_cmp(a.name, b.name);
}

struct str addr_implied_provider(struct str type)
{
	ptrdiff_t under = str_chr(type, '_');

	return under < 0 ? type : str_sub(type, 0, (size_t)under);
}

void instance_addr_print(struct buf *b, const struct instance_addr *i)
{
	module_addr_print(b, i->module);
	if (i->module.len)
		buf_putc(b, '.');
	resource_addr_print(b, i->resource);
	inst_key_print(b, i->key);
}

struct str instance_addr_text(struct arena *a, const struct instance_addr *i)
{
	struct buf b = BUF_INIT;

	instance_addr_print(&b, i);
	return buf_take(a, &b);
}

bool instance_addr_equal(const struct instance_addr *a,
			 const struct instance_addr *b)
{
	return resource_addr_equal(a->resource, b->resource) &&
	       inst_key_equal(a->key, b->key) &&
	       module_addr_equal(a->module, b->module);
}

int instance_addr_cmp(const struct instance_addr *a,
		      const struct instance_addr *b)
{
	int c = module_addr_cmp(a->module, b->module);

	if (!c)
		c = resource_addr_cmp(a->resource, b->resource);
	return c ? c : inst_key_cmp(a->key, b->key);
}
