# Configurations to begin with, installed beside README; tests/tools/examples.bats
# runs each.
nobase_dist_doc_DATA += examples/README.md \
	examples/first/main.tf \
	examples/modules/main.tf \
	examples/modules/service/main.tf \
	examples/providers/main.tf
