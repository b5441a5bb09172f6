# tf.fish - what can be typed behind tf, in fish; tf itself knows
function __tf_complete
	set -l words (commandline -opc) (commandline -ct)
	if command $words[1] -complete $words[2..-1] 2>/dev/null
		return
	end
	set -l option (string match -r -- '^-[^=]*=' $words[-1])
	set -l begun (string replace -r -- '^-[^=]*=' '' $words[-1])
	for file in (__fish_complete_path $begun)
		echo "$option"$file
	end
end
complete -c tf -f -a '(__tf_complete)'
