/* yaml.c - the items of a YAML text, see yaml_text.h; part of codec.so */
#include <stdlib.h>
#include <yaml.h>

#include "codec/codec_dso_int.h"

struct yaml_text {
	yaml_parser_t parser;
	yaml_event_t event;
	bool has_event;
};

struct yaml_text *part_yaml_open(struct str s)
{
	struct yaml_text *y = calloc(1, sizeof(*y));

	if (!y || !yaml_parser_initialize(&y->parser)) {
		free(y);
		return NULL;
	}
	yaml_parser_set_input_string(&y->parser, (const unsigned char *)s.p,
				     s.n);
	return y;
}

static struct yaml_place place(yaml_mark_t m)
{
	return (struct yaml_place){ m.line, m.column, m.index };
}

static void put_node(struct yaml_item *out, enum yaml_kind kind,
		     const yaml_char_t *anchor, const yaml_char_t *tag)
{
	out->kind = kind;
	out->anchor = (const char *)anchor;
	out->tag = (const char *)tag;
}

static void put_document(struct yaml_item *out,
			 const yaml_version_directive_t *version)
{
	out->kind = YAML_DOCUMENT;
	if (version) {
		out->major = version->major;
		out->minor = version->minor;
	}
}

static void put_scalar(struct yaml_item *out, const yaml_event_t *e)
{
	yaml_scalar_style_t style = e->data.scalar.style;

	put_node(out, YAML_SCALAR, e->data.scalar.anchor, e->data.scalar.tag);
	out->scalar = (struct str){ (const char *)e->data.scalar.value,
				    e->data.scalar.length };
	out->plain = style == YAML_PLAIN_SCALAR_STYLE;
	out->quoted = style == YAML_SINGLE_QUOTED_SCALAR_STYLE ||
		      style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
	out->like_plain = e->data.scalar.plain_implicit;
}

static void put_event(struct yaml_item *out, const yaml_event_t *e)
{
	switch (e->type) {
	case YAML_DOCUMENT_START_EVENT:
		put_document(out, e->data.document_start.version_directive);
		break;
	case YAML_DOCUMENT_END_EVENT:
		out->kind = YAML_DOCUMENT_END;
		break;
	case YAML_SCALAR_EVENT:
		put_scalar(out, e);
		break;
	case YAML_ALIAS_EVENT:
		put_node(out, YAML_ALIAS, e->data.alias.anchor, NULL);
		break;
	case YAML_SEQUENCE_START_EVENT:
		put_node(out, YAML_SEQUENCE, e->data.sequence_start.anchor,
			 e->data.sequence_start.tag);
		out->flow = e->data.sequence_start.style ==
			    YAML_FLOW_SEQUENCE_STYLE;
		break;
	case YAML_SEQUENCE_END_EVENT:
		out->kind = YAML_SEQUENCE_END;
		break;
	case YAML_MAPPING_START_EVENT:
		put_node(out, YAML_MAPPING, e->data.mapping_start.anchor,
			 e->data.mapping_start.tag);
		out->flow =
			e->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
		break;
	case YAML_MAPPING_END_EVENT:
		out->kind = YAML_MAPPING_END;
		break;
	case YAML_STREAM_END_EVENT:
		out->kind = YAML_TEXT_END;
		break;
	case YAML_NO_EVENT:
	case YAML_STREAM_START_EVENT:
		break;
	}
}

bool part_yaml_next(struct yaml_text *y, struct yaml_item *out)
{
	if (y->has_event)
		yaml_event_delete(&y->event);
	*out = (struct yaml_item){ YAML_NOTHING };
	y->has_event = yaml_parser_parse(&y->parser, &y->event);
	if (!y->has_event)
		return false;
	out->at = place(y->event.start_mark);
	put_event(out, &y->event);
	return true;
}

struct yaml_error part_yaml_error(const struct yaml_text *y)
{
	const yaml_parser_t *p = &y->parser;

	return (struct yaml_error){
		.is_lexical = p->error == YAML_SCANNER_ERROR,
		.problem = p->problem ? p->problem : "invalid YAML syntax",
		.problem_at = place(p->problem_mark),
		.context_at = place(p->context_mark),
	};
}

void part_yaml_close(struct yaml_text *y)
{
	if (y->has_event)
		yaml_event_delete(&y->event);
	yaml_parser_delete(&y->parser);
	free(y);
}
