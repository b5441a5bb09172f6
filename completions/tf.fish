# tf.fish - what can be typed behind tf, in fish; tf itself knows
function __tf_complete
	set -l words (commandline -opc) (commandline -ct)
	command $words[1] -complete $words[2..-1] 2>/dev/null
end
complete -c tf -a '(__tf_complete)'
