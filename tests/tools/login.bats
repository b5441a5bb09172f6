#!/usr/bin/env bats
# login.bats - tf login and tf logout: grants, what is stored where, and that no
# secret is seen.  With TF_TEST_CLI=tofu the same on OpenTofu.

load common
load net

jq_itself

setup() {
	serve
	export HOME=$BATS_TEST_TMPDIR/home
	mkdir -p "$HOME" "$BATS_TEST_TMPDIR/bin" "$BATS_TEST_TMPDIR/w"
	cd "$BATS_TEST_TMPDIR/w"
	unset TF_CLI_CONFIG_FILE XDG_CONFIG_HOME XDG_DATA_HOME BROWSER
	export PATH=$BATS_TEST_TMPDIR/bin:$PATH
	file=$HOME/.terraform.d/credentials.tfrc.json
	browser
	login_v1 '"ports": [20100, 20990]'
	page login.test/token <<<'{"access_token": "s3cret", "token_type": "bearer"}'
}

teardown() {
	serve_end
}

# What login.test says of itself, with MEMBERS.
login_v1() {
	page login.test/.well-known/terraform.json <<<"{\"login.v1\": {\"client\": \"c l\", \"authz\": \"/authz\", \"token\": \"/token\", $1}}"
}

# A browser whose user agrees: what it was given is in ./address, what the pages
# say in ./pages.  With VISITS other queries than that with state and code.
browser() {
	cat >"$BATS_TEST_TMPDIR/bin/xdg-open" <<-'END'
	#!/usr/bin/env python3
	import os, sys
	import urllib.error, urllib.parse, urllib.request
	with open("address", "w") as f:
	    print(sys.argv[1], file=f)
	query = urllib.parse.urlsplit(sys.argv[1]).query
	asked = dict(urllib.parse.parse_qsl(query))
	if "redirect_uri" not in asked:
	    sys.exit(0)
	opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
	place = asked["redirect_uri"].replace("localhost", "127.0.0.1")
	with open("pages", "w") as f:
	    for visit in os.environ.get("VISITS", "?code=a+code&state={}").split():
	        try:
	            page = opener.open(place + visit.format(asked["state"]))
	            print(page.status, page.read().decode(), file=f)
	        except urllib.error.HTTPError as e:
	            print(e.code, file=f)
	END
	chmod +x "$BATS_TEST_TMPDIR/bin/xdg-open"
}

answer() { # TEXT WORDS...: what is typed, to a command
	printf '%s\n' "$1" >answers
	shift
	cli "$@" <answers 3>&-
}

address() { # PARAMETER of the address that the browser got
	python3 -c 'import sys, urllib.parse
q = urllib.parse.urlsplit(open("address").read().strip()).query
print(dict(urllib.parse.parse_qsl(q)).get(sys.argv[1], ""))' "$1"
}

sent() { # PARAMETER of the last body
	python3 -c 'import sys, urllib.parse
print(dict(urllib.parse.parse_qsl(open(sys.argv[1]).read())).get(sys.argv[2], ""))' \
		"$net/sent" "$1"
}

@test "the browser flow: words, address, and the token in the file" {
	login_v1 '"ports": [20100, 20990], "scopes": ["a", "b/c"]'
	run -0 answer yes login -no-color login.test
	[[ $output = "tfpipe will request an API token for login.test using OAuth.

This will work only if you are able to use a web browser on this computer to
complete a login process. If not, you must obtain an API token by another
means and configure it in the CLI configuration manually.

If login is successful, tfpipe will store the token in plain text in
the following file for use by subsequent commands:
    $file

Do you want to proceed?
  Only 'yes' will be accepted to confirm.

  Enter a value: 
tfpipe must now open a web browser to the login page for login.test.

If a browser does not open this automatically, open the following URL to proceed:
    https://login.test/authz?client_id=c+l&code_challenge="*"&code_challenge_method=S256&redirect_uri=http%3A%2F%2Flocalhost%3A20"???"%2Flogin&response_type=code&scope=a+b%2Fc&state="*"

tfpipe will now wait for the host to signal that login was successful.


---------------------------------------------------------------------------------

Success! tfpipe has obtained and saved an API token.

The new API token will be used for any future tfpipe command that must make
authenticated requests to login.test." ]]
	[ "$(cat "$file")" = '{
  "credentials": {
    "login.test": {
      "token": "s3cret"
    }
  }
}' ]
	[ "$(stat -c %a "$file")" = 600 ]
	# PKCE: what was told before is the hash of what is told now
	[ "$(asked 'POST login.test/token')" = 1 ]
	[ "$(sent client_id)/$(sent code)/$(sent grant_type)" = 'c l/a code/authorization_code' ]
	redirect=$(address redirect_uri) challenge=$(address code_challenge)
	verifier=$(sent code_verifier)
	[ -n "$redirect" ]
	[ "$(sent redirect_uri)" = "$redirect" ]
	[ "${#verifier}" -ge 43 ]
	[ "$(printf %s "$verifier" | openssl dgst -sha256 -binary | base64 |
		tr '+/' '-_' | tr -d =)" = "$challenge" ]
	run -1 grep -q -- "$verifier" address
}

# bats test_tags=once
@test "the token of a login is what other commands send" {
	run -0 answer yes login login.test
	mkdir -p "$net/www/login.test/v1"
	page login.test/.well-known/terraform.json <<<'{"providers.v1": "/v1/"}'
	cat >main.tf <<-'END'
	terraform {
	  required_providers {
	    one = { source = "login.test/a/one" }
	  }
	}
	END
	run -1 cli init
	grep -qx 'GET login.test/v1/a/one/versions Bearer s3cret' "$net/log"
}

@test "others who visit the listener get nothing" {
	export VISITS='?code=a&state=other ?state={} ?code=right&state={} '
	run -0 answer yes login login.test
	[ "$(head -c 12 pages | tr '\n' ' ')" = '400 400 200 ' ]
	[ "$(sent code)" = right ]
	# the state and the verifier are others each time
	state=$(address state) verifier=$(sent code_verifier)
	run -0 answer yes login login.test
	next=$(address state)
	[ -n "$next" ]
	[ "$next" != "$state" ]
	next=$(sent code_verifier)
	[ -n "$next" ]
	[ "$next" != "$verifier" ]
}

@test "without a browser the address is what there is" {
	printf '#!/bin/sh\nexit 1\n' >"$BATS_TEST_TMPDIR/bin/xdg-open"
	(
		for _ in $(seq 500); do
			url=$(sed -n 's/^    \(https:.*authz.*\)/\1/p' said 2>/dev/null)
			[ -z "$url" ] || break
			sleep 0.1
		done
		browser
		xdg-open "$url"
	) 3>&- &
	user=$!
	printf 'yes\n' >answers
	# the words come as they are said
	timeout 60 "${TF_TEST_CLI-tf}" login -no-color login.test <answers >said
	wait "$user"
	grep -q '^Open the following URL to access the login page for login.test:$' said
	[[ $(cat "$file") = *s3cret* ]]
}

@test "BROWSER names the program" {
	mv "$BATS_TEST_TMPDIR/bin/xdg-open" "$BATS_TEST_TMPDIR/bin/mine"
	printf '#!/bin/sh\ntouch wrong\n' >"$BATS_TEST_TMPDIR/bin/xdg-open"
	chmod +x "$BATS_TEST_TMPDIR/bin/xdg-open"
	BROWSER=mine run -0 answer yes login login.test
	[ ! -e wrong ]
}

@test "a login that is not confirmed, or cannot ask" {
	for said in no y ''; do
		run -1 answer "$said" login -no-color login.test
		[[ $output = *'Error: Login cancelled'* ]]
	done
	run -1 cli login -no-color login.test </dev/null
	[[ $output = *'Error: Error collecting user prompt'*'Error: Login cancelled'* ]]
	for option in -input=false -json; do
		run -1 cli login $option login.test </dev/null
		[[ $output = *'Login is an interactive command'* ]]
	done
	run -1 cli login
	[[ $output = *'Unexpected argument'* ]]
	run -1 cli logout a b
	[[ $output = *'Unexpected argument'* ]]
	for host in https://login.test a..b 'a b' -x login.test:x; do
		run -1 cli logout -no-color -- "$host"
		[[ $output = *'Invalid hostname'* ]]
	done
	[ ! -e "$file" ]
	[ ! -e address ]
}

@test "hosts that give no tokens" {
	login_v1 '"grant_types": ["device"]'
	run -1 answer yes login -no-color login.test
	[[ $output = *'Error: Host does not support OpenTofu login'* ||
		$output = *'Error: Host does not support tfpipe login'* ]]
	for members in '"ports": [1, 2]' '"ports": [3000]' '"ports": [3000, 2000]' \
		'"grant_types": 1' '"scopes": [1]' '"client": 1' \
		'"authz": "ftp://x"' '"authz": "https://u:p@x/"'; do
		login_v1 "$members"
		run -1 answer yes login -no-color login.test
		[[ $output = *'Warning: Host does not support '*' login'*'Error: Host does not support '*' tokens API'* ]]
	done
	page login.test/.well-known/terraform.json <<<'{"login.v2": {}, "tfe.v3": "/"}'
	run -1 answer yes login -no-color login.test
	[[ $output = *'Warning: Host does not support '*' login'*'Error: Host does not support '*' tokens API'* ]]
	rules '{"at":"login.test/*","status":500}'
	run -1 answer yes login -no-color login.test
	[[ $output = *'Error: Service discovery failed for login.test'* ]]
}

@test "a host that gives no token says why" {
	for body in '{\"error\": \"denied\", \"error_description\": \"not you\"}' \
		'nonsense' '{}' ''; do
		rules "{\"at\":\"login.test/token\",\"body\":\"$body\"}"
		run -1 answer yes login -no-color login.test
		[[ $output = *'Error: Failed to obtain auth token'* ]]
	done
	rules '{"at":"login.test/token","status":403,"body":"{\"error\": \"denied\"}"}'
	run -1 answer yes login -no-color login.test
	[[ $output = *'Error: Failed to obtain auth token'*denied* ]]
	[ ! -e "$file" ]
	# a form is an answer as well
	rules '{"at":"login.test/token","body":"access_token=a%20b&x=y","headers":{"Content-Type":"text/plain; charset=utf-8"}}'
	run -0 answer yes login login.test
	[ "$(jq -r '.credentials["login.test"].token' "$file")" = 'a b' ]
}

@test "nobody else gets the code" {
	ours || return 0 # tofu follows
	rules '{"at":"login.test/token","status":307,"redirect":"https://other.test/token"}'
	run -1 answer yes login -no-color login.test
	[[ $output = *'it answered 307 Temporary Redirect'* ]]
	[ "$(asked 'POST other.test/token')" = 0 ]
}

@test "ports that are taken, and a range of one" {
	python3 -c 'import socket, sys, time
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen()
print(s.getsockname()[1], flush=True)
time.sleep(600)' >port 3>&- &
	listener=$!
	for _ in $(seq 1200); do
		[ ! -s port ] || break
		sleep 0.05
	done
	port=$(cat port)
	login_v1 "\"ports\": [$port, $port]"
	if ours; then # tofu panics
		run -1 answer yes login -no-color login.test
		[[ $output = *"Error: Can't start temporary login server"*"$port"* ]]
	fi
	login_v1 "\"ports\": [$port, $((port + 2))]"
	run -0 answer yes login login.test
	[[ $(address redirect_uri) = http://localhost:$((port + 1))/login ||
		$(address redirect_uri) = http://localhost:$((port + 2))/login ]]
	kill "$listener"
}

@test "the password grant, for the one host that may" {
	login_v1 '"grant_types": ["password"]'
	run -1 answer yes login -no-color login.test
	mv "$net/www/login.test" "$net/www/app.terraform.io"
	ours || return 0 # tofu's first question takes all of the answers
	run -0 answer "$(printf 'yes\nme\np&ss')" login -no-color app.terraform.io
	[[ $output = *'tfpipe must temporarily use your password to request an API token.
This password will NOT be saved locally.

Username for app.terraform.io:
  Enter a value: 
Password for app.terraform.io:
  Enter a value: '*'Success! Logged in to cloud backend'* ]]
	[[ $output != *'p&ss'* ]]
	[ "$(sent username)/$(sent password)/$(sent grant_type)/$(sent client_id)" = 'me/p&ss/password/c l' ]
	[ "$(jq -r '.credentials["app.terraform.io"].token' "$file")" = s3cret ]
}

@test "a token that is made on a page" {
	page login.test/.well-known/terraform.json <<<'{"tfe.v2": "/api/v2/"}'
	page login.test/api/v2/ping <<<'{}'
	page login.test/api/v2/account/details <<<'{"data": {"id": "u", "type": "users", "attributes": {"username": "me"}}}'
	if ours; then
		run -0 answer "$(printf 'yes\n mine \n')" login -no-color login.test
		[[ $output = *'using your browser.'*'tfpipe must now open a web browser to the tokens page for login.test.'*'
    https://login.test/app/settings/tokens?source=terraform-login
'*'Generate a token using your browser, and copy-paste it into this prompt.

tfpipe will store the token in plain text in the following file
for use by subsequent commands:
    '"$file"'

Token for login.test:
  Enter a value: 

Retrieved token for user me


---------------------------------------------------------------------------------

Success! Logged in to the cloud backend (login.test)' ]]
		[ "$(jq -r '.credentials["login.test"].token' "$file")" = mine ]
		grep -qx 'GET login.test/api/v2/account/details Bearer mine' "$net/log"
		[ "$(cat address)" = 'https://login.test/app/settings/tokens?source=terraform-login' ]
		rm "$file"
		rules '{"at":"login.test/api/*","token":"other"}'
		run -1 answer "$(printf 'yes\nwrong')" login -no-color login.test
		[[ $output = *'Error: Token is invalid'* ]]
		[[ $output != *wrong* ]]
		[ ! -e "$file" ]
	fi
}

@test "a secret is not echoed, and the terminal is as before" {
	need python3
	page login.test/.well-known/terraform.json <<<'{"tfe.v2": "/api/v2/"}'
	page login.test/api/v2/ping <<<'{}'
	page login.test/api/v2/account/details <<<'{"data": {"id": "u", "type": "users", "attributes": {"username": "me"}}}'
	cat >type.py <<-'END'
	import os, pty, sys, termios, time
	pid, fd = pty.fork()
	if pid == 0:
	    os.execvp(sys.argv[1], sys.argv[1:])
	seen, answers = b"", [b"yes\n", b"s3cret\n"]
	while True:
	    try:
	        piece = os.read(fd, 4096)
	    except OSError:
	        break
	    if not piece:
	        break
	    seen += piece
	    if answers and seen.count(b"Enter a value:") == 3 - len(answers):
	        time.sleep(0.3)
	        if len(answers) == 1:
	            assert not termios.tcgetattr(fd)[3] & termios.ECHO
	        os.write(fd, answers.pop(0))
	    if b"Retrieved" in seen:
	        assert termios.tcgetattr(fd)[3] & termios.ECHO
	sys.stdout.write(seen.decode())
	sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
	END
	run -0 timeout 60 python3 type.py "${TF_TEST_CLI-tf}" login login.test
	[[ $output = *'Retrieved token for user'* ]]
	[[ $output != *s3cret* ]]
	grep -q s3cret "$file"
}

# bats test_tags=once
@test "no secret is in an argument list" {
	ours || return 0
	need strace
	run -0 answer yes login login.test
	verifier=$(sent code_verifier)
	printf 'yes\n' | ASAN_OPTIONS=detect_leaks=0 strace -f -s 10000 -e trace=execve -o trace tf login login.test >/dev/null
	grep -q xdg-open trace
	run -1 grep -qE "s3cret|$(sent code_verifier)|$verifier" trace
}

@test "other hosts and what else is in the file stay" {
	mkdir -p "${file%/*}"
	echo '{"credentials": {"B.test": {"token": "b", "more": 1.50}, "LOGIN.test": {"token": "old"}}, "plugin_cache_dir": "/nowhere"}' >"$file"
	chmod 644 "$file"
	mkdir -p "$BATS_TEST_TMPDIR/real"
	run answer yes login -no-color login.test
	[ "$status" = 0 ]
	[ "$(jq -c . "$file")" = '{"credentials":{"B.test":{"more":1.50,"token":"b"},"login.test":{"token":"s3cret"}},"plugin_cache_dir":"/nowhere"}' ] ||
		[ "$(jq -cS . "$file")" = '{"credentials":{"B.test":{"more":1.5,"token":"b"},"login.test":{"token":"s3cret"}},"plugin_cache_dir":"/nowhere"}' ]
	grep -q 1.50 "$file"
	[ "$(stat -c %a "$file")" = 600 ]
	run -0 find "${file%/*}" -type f
	[ "$output" = "$file" ]
	run cli logout login.test
	[ "$status" = 0 ]
	[ "$(jq -c '.credentials | keys' "$file")" = '["B.test"]' ]
}

@test "a file that is no JSON is left alone" {
	echo '{"plugin_cache_dir": 1, ' >"$HOME/x"
	mkdir -p "${file%/*}"
	echo '{"credentials": [' >"$file"
	run answer yes login -no-color login.test
	[ "$status" = 1 ]
	[ "$(cat "$file")" = '{"credentials": [' ]
}

@test "logout: from the file, again, and with nothing there" {
	run -0 cli logout -no-color login.test
	[[ $output = 'No credentials for login.test are stored.' ]]
	run -0 answer yes login login.test
	run -0 cli logout -no-color Login.TEST:443
	[ "$output" = "Removing the stored credentials for login.test from the following file:
    $file

Success! tfpipe has removed the stored API token for login.test." ]
	[ "$(jq -c . "$file")" = '{"credentials":{}}' ]
	[ "$(stat -c %a "$file")" = 600 ]
	run -0 cli logout -no-color login.test
	[ "$output" = 'No credentials for login.test are stored.' ]
	run -0 cli version
}

# bats test_tags=once
@test "logout -json, and -json-into of both" {
	run -0 answer yes login -json-into=into login.test
	run -0 jq -rs '[.[] | select(.["@level"] == "info") | .["@message"]] | last' into
	[[ $output = 'Success! '*' has obtained and saved an API token. The new API token will be used for any future '*' command that must make authenticated requests to login.test' ]]
	run -1 grep -q s3cret into
	run -0 cli logout -json login.test
	run -0 jq -r '.["@message"]' <<<"$output"
	[ "${lines[1]}" = "Removing the stored credentials for login.test from the following file: $file" ]
	[[ ${lines[2]} = 'Success! '*' has removed the stored API token for login.test' ]]
}

@test "a host whose token somebody wrote into a file" {
	echo 'credentials "login.test" { token = "mine" }' >"$HOME/.tofurc"
	for command in login logout; do
		run -1 answer yes $command -no-color login.test
		[[ $output = *'Error: Credentials for login.test are manually configured'* ]]
	done
	[ ! -e "$file" ]
	# a variable does not stand in the way
	rm "$HOME/.tofurc"
	TF_TOKEN_login_test=x run -0 answer yes login login.test
	[[ $(cat "$file") = *s3cret* ]]
}

@test "the credentials helper stores and forgets" {
	d=$HOME/.terraform.d/plugins
	mkdir -p "$d"
	cat >"$d/terraform-credentials-mine" <<-END
	#!/bin/sh
	echo "\$*" >>"$HOME/asked"
	case \$2 in
	store) cat >"$HOME/kept" ;;
	forget) rm "$HOME/kept" || { echo 'not here' >&2; exit 1; } ;;
	*) echo '{}' ;;
	esac
	END
	chmod +x "$d/terraform-credentials-mine"
	printf 'credentials_helper "mine" {\n  args = ["-x"]\n}\n' >"$HOME/.tofurc"
	run -0 answer yes login -no-color login.test
	[[ $output = *'If login is successful, tfpipe will store the token in the configured
"mine" credentials helper for use by subsequent commands.'* ]]
	[ "$(jq -c . "$HOME/kept")" = '{"token":"s3cret"}' ]
	[ ! -e "$file" ]
	grep -qx -- '-x store login.test' "$HOME/asked"
	run -0 cli logout -no-color login.test
	[[ $output = 'Removing the stored credentials for login.test from the configured
"mine" credentials helper.

Success! tfpipe has removed the stored API token for login.test.'* ]]
	[ ! -e "$HOME/kept" ]
	grep -qx -- '-x forget login.test' "$HOME/asked"
	run -1 cli logout -no-color login.test
	[[ $output = *'Error: Failed to remove API token'*'not here'* ]]
}

# bats test_tags=once
@test "the file is where the CLI configuration is" {
	export XDG_CONFIG_HOME=$BATS_TEST_TMPDIR/xdg
	mkdir -p "$XDG_CONFIG_HOME"
	run -0 answer yes login login.test
	[ -e "$XDG_CONFIG_HOME/opentofu/credentials.tfrc.json" ]
	[ ! -e "$HOME/.terraform.d" ]
}

# bats test_tags=once
@test "a host block can say how a login goes" {
	cat >"$HOME/.tofurc" <<-'END'
	host "other.test" {
	  services = {
	    "login.v1" = {
	      client = "x"
	      authz  = "https://login.test/authz"
	      token  = "https://login.test/token"
	      ports  = [20100, 20990]
	    }
	  }
	}
	END
	run -0 answer yes login other.test
	[ "$(jq -r '.credentials["other.test"].token' "$file")" = s3cret ]
	[ "$(asked_at_all)" = 1 ]
}

@test "an interrupt ends the wait for the browser" {
	export VISITS=' '
	printf 'yes\n' >answers
	# not through a pipe: it is this process that is told
	"${TF_TEST_CLI-tf}" login -no-color login.test <answers >said 2>&1 3>&- &
	pid=$!
	for _ in $(seq 1200); do
		! grep -q 'will now wait' said || break
		sleep 0.05
	done
	sleep 0.2
	kill -TERM "$pid"
	status=0
	wait "$pid" || status=$?
	[ "$status" = 1 ]
	grep -q 'Action aborted' said
	[ ! -e "$file" ]
}
