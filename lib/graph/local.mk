noinst_LIBRARIES += lib/libgraph.a
lib_libgraph_a_SOURCES = \
	lib/graph/components.c lib/graph/components.h lib/graph/cycle.c \
	lib/graph/cycle.h \
	lib/graph/destroy_order.c lib/graph/destroy_order_int.h \
	lib/graph/destroy_select.c lib/graph/destroy_select_int.h \
	lib/graph/destroy_select.h \
	lib/graph/draw.c lib/graph/draw.h \
	lib/graph/graph.c lib/graph/graph.h \
	lib/graph/import_addr.c lib/graph/import_addr.h \
	lib/graph/pattern.c lib/graph/pattern_int.h \
	lib/graph/plan_deps.c lib/graph/plan_deps.h \
	lib/graph/plan_graph.c lib/graph/plan_graph.h \
	lib/graph/plan_serving.c lib/graph/plan_serving_int.h \
	lib/graph/plan_graph_int.h \
	lib/graph/plan_instance.c lib/graph/plan_instance_int.h \
	lib/graph/plan_keys.c \
	lib/graph/plan_keys.h \
	lib/graph/plan_link.c lib/graph/plan_link.h \
	lib/graph/plan_refs.c lib/graph/plan_refs_int.h \
	lib/graph/plan_select.c lib/graph/plan_select_int.h \
	lib/graph/plan_select.h \
	lib/graph/select_targets.c lib/graph/select_targets_int.h \
	lib/graph/select_targets.h \
	lib/graph/walk.c lib/graph/walk.h

unit_tests += tests/unit/graph_test
tests_unit_graph_test_SOURCES = tests/unit/graph_test.c tests/unit/case.h \
	tests/unit/test.h
