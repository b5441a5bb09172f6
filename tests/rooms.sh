# rooms.sh - the folders of lib and the rooms of lib/engine, from the topmost on;
# for tests that source it
layers='base json net crypto archive value lang funcs addr stream config state provider graph engine install ui driver'
rooms='object change run stage order validate plan apply' # of lib/engine
