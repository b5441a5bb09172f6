noinst_LIBRARIES += lib/libgraph.a
lib_libgraph_a_SOURCES = \
	lib/graph/components.c lib/graph/cycle.c lib/graph/destroy_order.c \
	lib/graph/destroy_select.c lib/graph/draw.c lib/graph/draw.h \
	lib/graph/graph.c lib/graph/graph_int.h lib/graph/graph.h \
	lib/graph/import_addr.c lib/graph/pattern.c \
	lib/graph/picture/picture.c lib/graph/picture/picture_edges.c \
	lib/graph/picture/picture.h lib/graph/picture/picture_int.h \
	lib/graph/picture/picture_layout.c lib/graph/picture/picture_svg.c \
	lib/graph/picture/picture_text.c lib/graph/picture/picture_words.c \
	lib/graph/plan_deps.c lib/graph/plan_graph.c lib/graph/plan_graph.h \
	lib/graph/plan_serving.c lib/graph/plan_instance.c \
	lib/graph/plan_keys.c lib/graph/plan_link.c lib/graph/plan_refs.c \
	lib/graph/plan_select.c lib/graph/plan_select.h \
	lib/graph/select_targets.c lib/graph/graph_walk.c

unit_tests += tests/unit/graph_test
tests_unit_graph_test_SOURCES = tests/unit/graph_test.c tests/unit/case.h \
	tests/unit/test.h
