# recipes.bash - commands out of a document, run as they stand there: once where
# they should succeed, and with each stage before the last one failing

# The recipes of a manual page, numbered: NN.title and NN.sh in DIR.  A recipe is a
# paragraph, its title, and the display behind it.
recipes_of_page() { # PAGE DIR
	mkdir -p "$2"
	awk -v dir="$2" '
		/^\.(Sh|Pp)/ { title = ""; next }
		/^\.Bd -literal/ && title != "" {
			name = sprintf("%s/%02d", dir, ++n)
			print title >(name ".title")
			copy = 1
			next
		}
		/^\.Ed/ { copy = 0; title = ""; next }
		copy {
			sub(/^\\&/, "")
			gsub(/\\e/, "\\")
			print >(name ".sh")
			next
		}
		/^\./ { title = ""; next }
		{ title = title (title == "" ? "" : " ") $0 }' "$1"
}

# Those of a section of a Markdown text, likewise: paragraphs, and what is indented.
recipes_of_markdown() { # FILE HEADING DIR
	mkdir -p "$3"
	awk -v dir="$3" -v heading="## $2" '
		/^## / { inside = $0 == heading; next }
		!inside { next }
		/^    / {
			if (!block) {
				name = sprintf("%s/%02d", dir, ++n)
				print title >(name ".title")
			}
			block = 1
			print substr($0, 5) >(name ".sh")
			next
		}
		/^$/ { title = block ? "" : title; block = 0; next }
		{ title = title (title == "" ? "" : " ") $0 }' "$1"
}

# examples/modules, applied, as `app`; then one service gets another port, one goes,
# one comes.  On "host" is the same state, and no configuration.
recipes_app() {
	cp -r "$TF_TEST_SRC/examples/modules" app
	chmod -R u+w app
	[ -z "${1-}" ] || cp "$1" app
	(cd app && tf init >/dev/null && tf apply -auto-approve >/dev/null)
	mkdir -p home/app bin other
	echo kept >other/main.tf
	cp app/terraform.tfstate home/app
	cat >bin/ssh <<-'END'
	#!/bin/sh
	[ "$1" = host ] && cd "$TRY/home" && exec sh -c "$2"
	END
	cat >bin/mail <<-'END'
	#!/bin/sh
	cat >"$TRY/mail"
	END
	chmod +x bin/*
}
services='{api={port=8090,replicas=2},db={port=8081}}'

# Runs the script in a copy of all there is in $base, as it is after $prepare and
# $damage: $status, $output and $stderr.
attempt() { # SCRIPT
	TRY=$BATS_TEST_TMPDIR/try
	export TRY
	rm -rf "$TRY"
	cp -r "$base" "$TRY"
	(cd "$TRY/app" && ${prepare:-true} && ${damage:-true})
	# "before" is missing where there is no state
	[ ! -e "$TRY/app/terraform.tfstate" ] ||
		cp "$TRY/app/terraform.tfstate" "$TRY/before"
	PATH=${stubs:+$stubs:}$base/bin:$PATH run --separate-stderr \
		"${shell:-sh}" -c 'cd "$TRY/app" && . "$1"' - "$1" </dev/null
}

same_file() { # A B: or neither is there
	[[ ! -e $1 && ! -e $2 ]] || cmp "$1" "$2"
}

# It has failed, and nothing was done.
closed() { # STATUS of success
	[ "$status" != 0 ] && [ "$status" != "$1" ] &&
		same_file "$TRY/app/terraform.tfstate" "$TRY/before" &&
		cmp "$TRY/home/app/terraform.tfstate" \
			"$base/home/app/terraform.tfstate" &&
		diff -r "$TRY/other" "$base/other"
}

# Each way in which it may fail, and then as it should be, which is left to look at.
in_both_cases() { # SCRIPT STATUS
	local damage stubs way ways=0
	for way in half nothing; do
		[[ $(<"$1") =~ tf-(plan|parse|graph) ]] || break
		damage='' stubs=$base/$way
		attempt "$1"
		closed "$2" || { explain_attempt "$1" "$way"; return 1; }
		ways=$((ways + 1))
	done
	stubs=
	while read -r damage; do
		attempt "$1"
		closed "$2" || { explain_attempt "$1" "$damage"; return 1; }
		ways=$((ways + 1))
	done < <(damages "$1")
	[ $ways != 0 ] || { echo "$1: nothing can fail"; return 1; }
	damage=
	attempt "$1"
	[ "$status" = "$2" ] || { explain_attempt "$1" 'as it is'; return 1; }
}

explain_attempt() { # SCRIPT HOW
	cat "$1"
	printf '%s: exit status %s\n%s\n%s\n' "$2" "$status" "$output" "$stderr"
}

# What it printed, with identifiers as ID.
prints() { # <<TEXT
	diff - <(sed -E "s/$uuid/ID/g" <<<"$output") || {
		echo "$stderr"
		return 1
	}
}
hex='[0-9a-f]'
uuid="$hex{8}(-$hex{4}){3}-$hex{12}"

# --- ways in which a stage fails ---

break_configuration() { echo 'resource "terraform_data" {}' >>main.tf; }
# A plan that fails, with all that could be planned.
break_planning() {
	printf '%s\n' 'resource "terraform_data" "refused" {' 'lifecycle {' \
		'precondition {' 'condition = var.environment == "nowhere"' \
		'error_message = "Refused."' '}' '}' '}' >>main.tf
}
break_state() { truncate -s 700 terraform.tfstate; }
no_state() { rm terraform.tfstate; }
without() { rm "$1"; }
empty() { : >"$1"; }
cut_off() {
	head -n -1 "$1" >t
	mv t "$1"
}
failed() { sed -i 's/"failed":false/"failed":true/' "$1"; }

# First stages that write half of what they should, or nothing.
stubs_for() { # HOW DIR
	local tool
	mkdir -p "$2"
	for tool in tf-plan tf-parse tf-graph; do
		cat >"$2/$tool" <<-END
		#!/bin/bash
		[[ \$PWD = */try/app && -z \${UNDER_STUB-} ]] ||
			exec "$(command -v $tool)" "\$@"
		export UNDER_STUB=1
		[ $1 = nothing ] || "$(command -v $tool)" "\$@" | head -n 5
		exit 1
		END
		chmod +x "$2/$tool"
	done
}

# What of these concerns a script, a command a line.
damages() { # SCRIPT
	local text file end=$'($|[ \n);])'
	local reads='tf-(parse|graph|plan) ?(-C|\|)|tf (plan|destroy|fmt|validate)'
	reads+='|tf (why|console|apply -auto|apply \\|graph -format)'
	text=$(cat "$1")
	if [[ $text =~ $reads ]]; then
		echo break_configuration
	fi
	# not where a plan is of a part, or of what was read before
	if grep -qE 'tf[ -](plan|apply -auto)' "$1" &&
		! grep -qE -e '-(file|target|refresh-only)|tf-plan <' "$1"; then
		echo break_planning
	fi
	if grep -qE 'tf (state|output|destroy)|tf-graph -C' "$1"; then
		echo break_state
	fi
	if grep -qE 'tf[ -]state|tf output|previous_run_state' "$1"; then
		echo no_state
	fi
	for file in p q g; do
		if [[ $text =~ (^|[ <=])$file$end && ! $text =~ (-out=|>)$file$end ]]; then
			printf '%s\n' "without $file" "empty $file" \
				"cut_off $file" "failed $file"
		fi
	done
	for file in old.tfstate addresses ids apply.log; do
		if [[ $text = *"$file"* && $text != *-into=$file* ]]; then
			printf '%s\n' "without $file" "empty $file"
		fi
	done
}
