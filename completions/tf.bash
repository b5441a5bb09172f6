# tf.bash - what can be typed behind tf, in bash; tf itself knows
_tf() {
	local word=${COMP_WORDS[COMP_CWORD]} line
	COMPREPLY=()
	case ${COMP_WORDS[COMP_CWORD - 1]} in
	=) return ;; # the value of an option: a file
	esac
	[[ $word != = ]] || return
	while IFS= read -r line; do
		line=${line%%$'\t'*}
		[[ $line != "$word"* ]] || COMPREPLY+=("$line")
	done < <("${COMP_WORDS[0]}" -complete "${COMP_WORDS[@]:1:COMP_CWORD}" \
		2>/dev/null)
	[[ ${COMPREPLY[*]} != *= ]] || compopt -o nospace 2>/dev/null
}
complete -o default -F _tf tf
