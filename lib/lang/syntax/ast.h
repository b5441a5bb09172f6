/*
 * ast.h - the syntax tree of expressions
 *
 * A tree lives in the arena given to the parser and is immutable.  Nodes hold
 * spans into the source they were parsed from; an expression is therefore
 * always passed about as a struct expression, which names the source too.
 * Source of the grammar: HCL native syntax specification, as OpenTofu 1.12.6
 * parses it.
 */
#ifndef TFPIPE_LANG_AST_H
#define TFPIPE_LANG_AST_H

#include "value/value.h"

enum expr_kind {
	EXPR_LITERAL,  /* number, bool, null, string without interpolation */
	EXPR_TEMPLATE, /* several parts */
	EXPR_WRAP,     /* "${x}": x without string conversion */
	EXPR_FOR_TEMPLATE, /* %{ for } directive; result joined */
	EXPR_SCOPE,      /* a variable with its traversal: root name + steps */
	EXPR_GET_ATTR,   /* expr.name / expr.0 on a non-variable */
	EXPR_INDEX,      /* expr[key] */
	EXPR_SPLAT,      /* expr.* / expr[*], with the part applied to each */
	EXPR_SPLAT_ITEM, /* the element inside a splat's each */
	EXPR_CALL,
	EXPR_CONDITIONAL,
	EXPR_UNARY,
	EXPR_BINARY,
	EXPR_TUPLE,
	EXPR_OBJECT,
	EXPR_FOR,
	EXPR_PARENS,
	EXPR_JSON, /* JSON syntax: a string is a template, objects and
	                   arrays are constructors; see body.h */
};

enum operator{
	OP_NOT,
	OP_NEG,
	OP_OR,
	OP_AND,
	OP_EQ,
	OP_NE,
	OP_LT,
	OP_LE,
	OP_GT,
	OP_GE,
	OP_ADD,
	OP_SUB,
	OP_MUL,
	OP_DIV,
	OP_MOD,
};

struct expr;

enum step_kind {
	STEP_ATTR,  /* .name */
	STEP_INDEX, /* [literal] or legacy .0 */
};

struct step {
	enum step_kind kind;
	struct str name;         /* STEP_ATTR */
	const struct value *key; /* STEP_INDEX: a literal, nearly always a
				     number or string; unknown after errors */
	struct span span;        /* from the dot or "[" on */
};

struct traversal {
	struct str root; /* name; empty in a relative traversal */
	struct span root_span;
	const struct step *steps;
	size_t nsteps;
};

struct object_item {
	const struct expr *key;
	const struct expr *value;
	bool key_is_name; /* a bare name: literal, not a reference; the key is
			     an EXPR_SCOPE without steps, also for the words
			     true, false and null */
};

/*
 * A node is allocated only as large as its kind needs: never copy one by value.
 * Nesting is limited: a tree is at most LANG_MAX_DEPTH (parse.h) nodes high,
 * where the left operand of a binary operator, if itself a binary operator,
 * counts as of the same level: a + b + c + ... may be of any length, so code
 * that walks a tree follows these in a loop.
 */
struct expr {
	enum expr_kind kind;
	struct span span;
	uint16_t height; /* as above; a leaf has 1 */
	union {
		const struct value *literal;
		struct { /* TEMPLATE, TUPLE; WRAP, PARENS use items[0] */
			const struct expr *const *items;
			size_t nitems;
		};
		struct traversal scope;
		struct { /* GET_ATTR, INDEX */
			const struct expr *on;
			/* GET_ATTR: STEP_ATTR, or STEP_INDEX with a literal
			 * key; INDEX: only the span, "[" to "]", is set */
			struct step step;
			const struct expr *key; /* INDEX */
		} get;
		struct {
			const struct expr *on;
			const struct expr *each; /* contains SPLAT_ITEM */
			bool full;               /* [*] rather than .* */
			struct span marker;
		} splat;
		struct {
			struct str name; /* with namespaces: "core::abs" */
			struct span name_span;
			struct span open, close; /* the parentheses */
			const struct expr *const *args;
			size_t nargs;
			bool expand_final; /* f(x...) */
		} call;
		struct {
			const struct expr *cond, *yes, *no;
		} conditional;
		struct {
			enum operator op;
			struct span op_span;
			const struct expr *left, *right; /* unary: left only */
		} op;
		struct {
			const struct object_item *items;
			size_t nitems;
			struct span open;
		} object;
		struct {                                 /* FOR, FOR_TEMPLATE */
			struct str key_name, value_name; /* key may be absent */
			const struct expr *coll;
			const struct expr *key; /* object form, else NULL */
			const struct expr *value;
			const struct expr *cond; /* NULL: none */
			bool group;              /* ... */
			struct span open, close;
		} for_;
		struct json_node *json; /* EXPR_JSON; lang-internal */
	};
};

struct expression {
	const struct source *src;
	const struct expr *root; /* NULL: absent */
};
struct expression_vec VEC_OF(struct expression);

#define EXPRESSION_NONE ((struct expression){ NULL, NULL })

static inline struct range expression_range(struct expression e)
{
	return source_range(e.src, e.root->span);
}
/* The source text of the expression. */
static inline struct str expression_text(struct expression e)
{
	return str_sub(e.src->text, e.root->span.start, e.root->span.end);
}

/* One reference out of an expression: a traversal that names a variable. */
struct traversal_ref {
	const struct source *src;
	struct traversal traversal;
	struct span span; /* of the whole traversal */
	/* The index in brackets behind it, if it is not a literal; set only by
	 * expression_uses, else NULL. */
	const struct expr *picks;
};
struct traversal_vec VEC_OF(struct traversal_ref);

/* One call of a function. */
struct call_ref {
	const struct source *src;
	struct str name;
	struct span span; /* of the name */
};
struct call_vec VEC_OF(struct call_ref);

#endif
