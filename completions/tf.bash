# tf.bash - what can be typed behind tf, in bash; tf itself knows
#
# Readline's words end at quotes and at =, and it replaces only the last of them.
# So the line is split here as the shell will do it, and what is inserted continues
# the quotes that are open.

# Splits a text into words, the last of which may be empty or begun, and tells
# the quote that is open at its end.
_tf_split() {
	local text=$1 word='' i c
	words=() open=
	for ((i = 0; i < ${#text}; i++)); do
		c=${text:i:1}
		case $open$c in
		[\'\"]) open=$c ;;
		\'\' | \"\") open= ;;
		\'*) word+=$c ;;
		*\\)
			((i += 1))
			c=${text:i:1}
			[[ -z $open || $c == [\"\\\$\`] ]] || word+=\\
			word+=$c
			;;
		\"*) word+=$c ;;
		[$' \t\n'])
			[[ -z $word ]] || words+=("$word")
			word=
			;;
		*) word+=$c ;;
		esac
	done
	words+=("$word")
}

# Quotes a text for the quote that is open.
_tf_quote() {
	local i c
	quoted=
	case $open in
	\')
		quoted=${1//\'/"'\\''"}
		;;
	\")
		for ((i = 0; i < ${#1}; i++)); do
			c=${1:i:1}
			case $c in
			[\"\\\$\`]) quoted+=\\$c ;;
			!) quoted+="\"'!'\"" ;; # not of the history
			*) quoted+=$c ;;
			esac
		done
		;;
	*)
		[[ -z $1 ]] || printf -v quoted %q "$1"
		;;
	esac
}

_tf() {
	local line=${COMP_LINE:0:COMP_POINT} rest=${COMP_LINE:COMP_POINT} replaced=$2
	local i words open word fixed found name quoted names=()
	COMPREPLY=()
	_tf_split "$line"
	word=${words[-1]}
	found=$("${words[0]}" -complete "${words[@]:1}" 2>/dev/null) || {
		compopt -o default 2>/dev/null
		return
	}
	_tf_split "${line%"$replaced"}"
	fixed=${words[-1]}
	while IFS= read -r name; do
		name=${name%%$'\t'*}
		[[ $name != "$word"* ]] || names+=("$name")
	done <<<"$found"
	# the quotes of a key that were typed bare are the shell's
	[[ ${#names[@]} != 0 || $word != *\[* ]] || while IFS= read -r name; do
		[[ ${name//\"/} != "${word//\"/}"* ]] || names+=("$name")
	done <<<"$found"
	for name in "${names[@]}"; do
		[[ $name == "$fixed"* ]] || continue
		_tf_quote "${name:${#fixed}}"
		# what stands behind the cursor already is not inserted again
		for ((i = ${#replaced}; i < ${#quoted}; i++)); do
			[[ $rest != "${quoted:i}"* ]] || quoted=${quoted:0:i}
		done
		COMPREPLY+=("$quoted")
	done
	[[ ${COMPREPLY[*]} != *= ]] || compopt -o nospace 2>/dev/null
}
# A link of another name completes the command of that name.
_tf_name=${BASH_SOURCE[0]##*/}
complete -F _tf "${_tf_name%.bash}"
unset _tf_name
