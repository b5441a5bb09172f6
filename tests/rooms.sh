# rooms.sh - the folders of lib from the topmost on, and the rooms of those that have
# some, in the same order; for tests that source it.  A dot is what lies in the
# folder itself.
layers='base json trace net ssh crypto archive edit codec pg value schema lang funcs addr stream config remote encrypt state select compare provider graph engine install ui suite driver'
rooms_funcs='regex .'
rooms_provider='proto plugin .'
rooms_graph='. picture'
rooms_config='. source decode record check load'
rooms_lang='syntax format eval spec'
rooms_state='. file backend backend/azurerm backend/consul backend/gcs
	backend/kubernetes backend/local backend/pg backend/s3 backend/tfe edit'
rooms_install='package hosts oci . providers modules/git modules init'
rooms_engine='object change run stage order validate plan apply'
rooms_ui='diff . show show/form live'

# All of them, below lib, a line each.
places() {
	for l in $layers; do
		eval "of=\${rooms_$l:-.}"
		for r in $of; do
			[ "$r" = . ] && echo "$l" || echo "$l/$r"
		done
	done
}
