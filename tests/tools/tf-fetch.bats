#!/usr/bin/env bats
# tf-fetch.bats - tf-fetch(1): requests a line, answers a line

load common
load net

setup() {
	serve
	cd "$BATS_TEST_TMPDIR"
}

teardown() {
	serve_end
}

# Answers to the requests given, in the order of their ids.
fetch() {
	printf '%s\n' "$@" | timeout 60 tf-fetch >answers || return
	jq -sc 'sort_by(.id) | .[]' answers
}

# member FILTER: of the last answers.
member() {
	jq -r "$1" answers
}

# bats test_tags=once
@test "a body in memory, a body in a file, an answer that is an error" {
	echo '{"a": 1}' | page registry.test/a
	fetch '{"id":1,"url":"https://registry.test/a"}' \
		'{"id":2,"url":"https://registry.test/a","to":"out"}' \
		'{"id":"three","url":"https://registry.test/b","to":"out3"}' >all
	[ "$(member 'select(.id == 1) | .status, .body, .size, .tries')" = \
		'200
{"a": 1}

9
1' ]
	[ "$(member 'select(.id == 2) | .status, .size, has("body")')" = \
		'200
9
false' ]
	[ "$(cat out)" = '{"a": 1}' ]
	[ "$(member 'select(.id == "three") | .status, .body')" = \
		'404
Not Found' ]
	[ ! -e out3 ]
	[ "$(member 'select(.id == 1) | .headers["content-type"]')" = \
		application/json ]
}

@test "bytes that are no text come as base64" {
	printf '\377\000' | page registry.test/a.sig
	fetch '{"id":1,"url":"https://registry.test/a.sig"}' >all
	[ "$(member .body64)" = /wA= ]
}

@test "an existing file is left alone" {
	echo there >out
	echo new | page registry.test/a
	fetch '{"id":1,"url":"https://registry.test/a","to":"out"}' >all
	[[ $(member .error) = *'File exists'* ]]
	[ "$(cat out)" = there ]
}

@test "lines that are no requests" {
	run -1 --separate-stderr tf-fetch <<<'nonsense'
	[ "$output" = '{"id":null,"error":"the line is no JSON object","final":true}' ]
	run -0 tf-fetch <<<'{"id":1}'
	[ "$output" = '{"id":1,"error":"the request has no url","final":true}' ]
	run -0 tf-fetch <<<'{"id":1,"url":"file:///etc/passwd"}'
	[[ $output = *'"error":"this is no web address"'* ]]
	run -0 tf-fetch <<<'{"id":1,"url":"https://registry.test/","headers":{"a":"b\r\nc: d"}}'
	[[ $output = *'"error":"a header has characters'* ]]
	[ "$(asked_at_all)" = 0 ]
}

# bats test_tags=once
@test "requests run beside one another" {
	echo 1 | page registry.test/a
	rules '{"at":"registry.test/*","together":5}'
	fetch '{"id":1,"url":"https://registry.test/a"}' \
		'{"id":2,"url":"https://registry.test/a"}' \
		'{"id":3,"url":"https://registry.test/a"}' \
		'{"id":4,"url":"https://registry.test/a"}' \
		'{"id":5,"url":"https://registry.test/a"}' >all
	[ "$(member .status | sort -u)" = 200 ]
}

@test "a token goes to its host name alone" {
	echo 1 | page registry.test/b
	echo 1 | page other.test/b
	rules '{"at":"registry.test/near","redirect":"/b"}' \
		'{"at":"registry.test/far","redirect":"https://other.test/b"}' \
		'{"at":"registry.test/plain","redirect":"http://registry.test/b"}'
	fetch '{"id":1,"url":"https://registry.test/near","token":"s3cr3t"}' \
		'{"id":2,"url":"https://registry.test/far","token":"s3cr3t","headers":{"Authorization":"x"}}' \
		'{"id":3,"url":"https://registry.test/plain","token":"s3cr3t"}' \
		'{"id":4,"url":"https://registry.test/plain","headers":{"Authorization":"s3cr3t"}}' \
		>all
	[ "$(member .status | sort -u)" = 200 ]
	[ "$(asked 'GET registry.test/b Bearer s3cr3t')" = 1 ]
	[ "$(asked 'GET registry.test/b')" = 2 ]
	[ "$(asked 'GET other.test/b')" = 1 ]
	run -1 grep -F s3cr3t answers
	[ "$(member 'select(.id == 2) | .url')" = https://other.test/b ]
}

# bats test_tags=once
@test "redirects are bounded, and lead to the web alone" {
	rules '{"at":"registry.test/loop","redirect":"/loop"}' \
		'{"at":"registry.test/file","redirect":"file:///etc/passwd"}'
	fetch '{"id":1,"url":"https://registry.test/loop","redirects":3}' \
		'{"id":2,"url":"https://registry.test/file"}' \
		'{"id":3,"url":"https://registry.test/file","redirects":-1}' >all
	[ "$(member 'select(.id == 1) | .error')" = 'stopped after 3 redirects' ]
	[ "$(asked 'GET registry.test/loop')" = 4 ]
	[[ $(member 'select(.id == 2) | .error') = *'no web address' ]]
	[ "$(member 'select(.id == 3) | .status, .headers.location')" = \
		'302
file:///etc/passwd' ]
}

@test "retries: 429 and 5xx, connections that break, nothing else" {
	echo good | page registry.test/busy
	cp net/www/registry.test/busy net/www/registry.test/cut
	rules '{"at":"registry.test/busy","status":429,"times":1,"headers":{"Retry-After":"1"}}' \
		'{"at":"registry.test/cut","cut":2,"times":1,"file":"www/registry.test/cut"}' \
		'{"at":"registry.test/down","status":503}' \
		'{"at":"registry.test/no","status":501}'
	fetch '{"id":1,"url":"https://registry.test/busy","retries":1}' \
		'{"id":2,"url":"https://registry.test/cut","retries":1,"to":"cut"}' \
		'{"id":3,"url":"https://registry.test/down","retries":1}' \
		'{"id":4,"url":"https://registry.test/no","retries":1}' \
		'{"id":5,"url":"https://registry.test/down?2"}' >all
	[ "$(member 'select(.id == 1) | .status, .tries')" = $'200\n2' ]
	[ "$(member 'select(.id == 2) | .status, .tries')" = $'200\n2' ]
	[ "$(cat cut)" = good ]
	[ "$(member 'select(.id == 3) | .status, .tries')" = $'503\n2' ]
	[ "$(member 'select(.id == 4) | .status, .tries')" = $'501\n1' ]
	[ "$(member 'select(.id == 5) | .status, .tries')" = $'503\n1' ]
}

# bats test_tags=once
@test "bodies that are cut, endless, or larger than asked for leave no file" {
	rules '{"at":"registry.test/cut","cut":5,"body":"0123456789"}' \
		'{"at":"registry.test/endless","endless":true}' \
		'{"at":"registry.test/large","body":"0123456789"}' \
		'{"at":"registry.test/long","body":"0123456789","length":20,"cut":10}'
	fetch '{"id":1,"url":"https://registry.test/cut","to":"1"}' \
		'{"id":2,"url":"https://registry.test/endless","to":"2","most":100000}' \
		'{"id":3,"url":"https://registry.test/large","to":"3","most":9}' \
		'{"id":4,"url":"https://registry.test/long","to":"4"}' \
		'{"id":5,"url":"https://registry.test/endless"}' \
		'{"id":6,"url":"https://registry.test/large","most":10}' >all
	[ "$(member 'select(.id == 2) | .error')" = \
		'the answer is larger than 100000 bytes' ]
	[ "$(member 'select(.id == 3) | .error')" = \
		'the answer is larger than 9 bytes' ]
	[ "$(member 'select(.id == 5) | .error')" = \
		'the answer is larger than 16777216 bytes' ]
	[ "$(member 'select(.id == 6) | .body')" = 0123456789 ]
	[ "$(member 'select(.error) | .id' | sort | tr -d '\n')" = 12345 ]
	for i in 1 2 3 4 5; do
		[ ! -e $i ]
	done
}

@test "a request ends in the time it is given" {
	rules '{"at":"registry.test/slow","delay":40,"body":"x"}'
	SECONDS=0
	fetch '{"id":1,"url":"https://registry.test/slow","seconds":1}' >all
	[ "$SECONDS" -le 30 ]
	[[ $(member .error) = *'timed out'*'context deadline exceeded, Client.Timeout exceeded while awaiting headers'* ]]
}

# Listens at the port in the file port; --breaks: breaks off what connects.
deaf_server() {
	need python3 || return
	python3 - "$@" 3>&- <<-'END' &
	import socket, struct, sys, time
	s = socket.create_server(("127.0.0.1", 0))
	with open("port.new", "w") as f:
	    f.write(str(s.getsockname()[1]))
	import os
	os.rename("port.new", "port")
	held = []
	while True:
	    c, _ = s.accept()
	    held.append(c)
	    if "--breaks" in sys.argv:
	        c.recv(1)
	        c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
	        held.pop().close()
	END
	deaf=$!
	while [ ! -e port ]; do
		kill -0 "$deaf"
		sleep 0.05
	done
}

# bats test_tags=once
@test "what became of a connection is said in the words that programs look for" {
	fetch '{"id":1,"url":"http://127.0.0.1:1/"}' >all
	[[ $(member .error) = *'(dial tcp: connect: connection refused)' ]]
	deaf_server --breaks
	fetch "{\"id\":1,\"url\":\"http://127.0.0.1:$(cat port)/\"}" \
		"{\"id\":2,\"url\":\"https://127.0.0.1:$(cat port)/\"}" >all
	kill "$deaf"
	[[ $(member 'select(.id == 1) | .error') = *'(read tcp: read: connection reset by peer)' ]]
	[[ $(member 'select(.id == 2) | .error') = *'(read tcp: read: connection reset by peer)' ]]
}

# bats test_tags=once
@test "a certificate of nobody we trust, and of another name" {
	fetch '{"id":1,"url":"https://wrong.test/","retries":3}' >all
	[[ $(member .error) = *'wrong.test'* ]]
	SSL_CERT_FILE=/dev/null SSL_CERT_DIR=/var/empty \
		fetch '{"id":1,"url":"https://registry.test/"}' >all
	[ -n "$(member .error)" ]
	[ "$(asked_at_all)" = 0 ]
}

@test "this machine is not asked through a proxy" {
	HTTP_PROXY=http://127.0.0.1:1 \
		fetch "{\"id\":1,\"url\":\"http://127.0.0.1:$net_port/a\"}" \
		'{"id":2,"url":"http://registry.test/a"}' >all
	[ "$(member 'select(.id == 1) | .status')" = 404 ]
	[[ $(member 'select(.id == 2) | .error') = *'127.0.0.1 port 1'* ]]
}

# bats test_tags=once
@test "methods, headers and bodies of requests" {
	echo 1 | page registry.test/a
	rules '{"at":"registry.test/t","token":"T","body":"yes"}' \
		'{"at":"registry.test/p","method":"POST","redirect":"/a"}'
	fetch '{"id":1,"url":"https://registry.test/a","method":"HEAD"}' \
		'{"id":2,"url":"https://registry.test/t","headers":{"authorization":"Bearer T"}}' \
		'{"id":3,"url":"https://registry.test/p","method":"POST","body":"x=1"}' >all
	[ "$(asked 'HEAD registry.test/a')" = 1 ]
	[ "$(member 'select(.id == 1) | .headers["content-length"]')" = 2 ]
	[ "$(member 'select(.id == 2) | .body')" = yes ]
	[ "$(asked 'POST registry.test/p')" = 1 ]
	[ "$(member 'select(.id == 3) | .body')" = $'1\n' ] ||
		[ "$(member 'select(.id == 3) | .body')" = 1 ]
}

# raw SIZE MEMBERS: a request line whose body follows it from standard input.
raw() {
	printf '{"id":1,"raw":true,"body_size":%s,%s}\n' "$1" "$2"
	cat
}

# bats test_tags=once
@test "a body of any bytes and size follows its line, in both directions" {
	head -c 3000000 /dev/urandom >large
	page registry.test/large <large
	raw 3000000 '"url":"https://registry.test/large","method":"PUT"' <large |
		timeout 60 tf-fetch >answer
	cmp large net/sent
	head -n 1 answer | jq -e '.status == 200 and .body_size == 3000000 and
		.size == 3000000 and (has("body") or has("body64") | not)'
	tail -n +2 answer | cmp - large
	# another line follows the body
	{
		raw 3 '"url":"https://registry.test/none"' <<<ab
		echo '{"id":2,"url":"https://registry.test/none"}'
	} | timeout 60 tf-fetch >two
	[ "$(grep -c '"status":404' two)" = 2 ]
	raw 3 '"url":"https://registry.test/none"' <<<a >cut
	run -1 timeout 60 tf-fetch <cut
}

# bats test_tags=once
@test "what makes something says how much it has, also nothing; no type is made up" {
	rules '{"at":"registry.test/p","wants":{"Content-Length":"0"},"body":"x"}' \
		'{"at":"registry.test/t","wants":{"Content-Type":"application/x-www-form-urlencoded"},"body":"x"}' \
		'{"at":"registry.test/large","wants":{"Expect":"100-continue"},"body":"x"}'
	fetch '{"id":1,"url":"https://registry.test/p","method":"POST"}' \
		'{"id":2,"url":"https://registry.test/p","method":"PUT"}' \
		'{"id":3,"url":"https://registry.test/t","method":"POST","body":"a=b"}' >all
	[ "$(member 'select(.id < 3) | .status' | sort -u)" = 200 ]
	[ "$(member 'select(.id == 3) | .status')" = 401 ]
	head -c 2000000 /dev/zero | raw 2000000 \
		'"url":"https://registry.test/large","method":"PUT"' |
		timeout 60 tf-fetch >answers
	[ "$(jq -s '.[0].status' answers)" = 401 ]
}

# with MEMBER=FILE... : the members of a request that are the texts of files
with() {
	local x
	for x; do
		printf ',"%s":%s' "${x%%=*}" "$(jq -Rs . "${x#*=}")"
	done
}

# bats test_tags=once
@test "a request trusts whom it says, and shows who asks to its own host alone" {
	echo 1 | page registry.test/a
	echo 1 | page other.test/a
	rules '{"at":"registry.test/far","redirect":"https://other.test/a"}'
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
		-subj /CN=another -keyout another.key -out another.pem 2>/dev/null
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
		-subj /CN=me -keyout me.key -out me.csr 2>/dev/null
	openssl x509 -req -in me.csr -CA net/ca.pem -CAkey net/ca.key -out me.pem 2>/dev/null
	fetch "{\"id\":1,\"url\":\"https://registry.test/a\"$(with ca=another.pem)}" \
		'{"id":2,"url":"https://wrong.test/a","insecure":true}' \
		"{\"id\":3,\"url\":\"https://registry.test/far\"$(
			with certificate=me.pem key=me.key)}" >all
	[[ $(member 'select(.id == 1) | .error') = *certificate* ]]
	[ "$(member 'select(.id == 2) | .status')" = 404 ]
	[ "$(member 'select(.id == 3) | .status')" = 200 ]
	[ "$(asked 'GET registry.test/far cn=me')" = 1 ]
	[ "$(asked 'GET other.test/a')" = 1 ]
	SSL_CERT_FILE=/dev/null SSL_CERT_DIR=/var/empty \
		fetch "{\"id\":1,\"url\":\"https://registry.test/a\"$(with ca=net/ca.pem)}" \
		'{"id":2,"url":"https://registry.test/a"}' >all
	[ "$(member 'select(.id == 1) | .status')" = 200 ]
	[[ $(member 'select(.id == 2) | .error') = *certificate* ]]
}

@test "a request's own proxies stand in place of the environment's" {
	echo 1 | page registry.test/a
	local dead=http://127.0.0.1:1 live=$HTTPS_PROXY
	HTTP_PROXY=$dead HTTPS_PROXY=$dead fetch \
		"{\"id\":1,\"url\":\"https://registry.test/a\",\"https_proxy\":\"$live\"}" \
		"{\"id\":2,\"url\":\"http://registry.test/a\",\"http_proxy\":\"$live\"}" \
		"{\"id\":3,\"url\":\"http://registry.test/a\",\"https_proxy\":\"$live\"}" >all
	[ "$(member 'select(.id < 3) | .status' | sort -u)" = 200 ]
	[[ $(member 'select(.id == 3) | .error') = *'127.0.0.1 port 1'* ]]
	fetch '{"id":1,"url":"https://registry.test/a","https_proxy":""}' \
		'{"id":2,"url":"https://registry.test/a","no_proxy":"registry.test"}' >all
	[ "$(member '.error | test("resolve")' | sort -u)" = true ]
}

# bats test_tags=once
@test "progress comes where it is asked for; who ends it leaves no file" {
	rules '{"at":"registry.test/endless","endless":true}'
	timeout -s TERM 2 tf-fetch >answers <<<'{"id":1,"url":"https://registry.test/endless","to":"big","progress":true}' || :
	[ "$(member '.have > 0' | sort -u)" = true ]
	[ ! -e big ]
}

# bats test_tags=once
@test "an answer that ends within its headers is none" {
	python3 - 3>&- <<-'P' &
		import socket
		s = socket.socket()
		s.bind(("127.0.0.1", 0))
		s.listen()
		open("at.new", "w").write(str(s.getsockname()[1]))
		__import__("os").rename("at.new", "at")
		for end in ("Content-Type: a/b\r\n", "\r\n"):
		    c = s.accept()[0]
		    c.recv(65536)
		    c.sendall(("HTTP/1.1 200 OK\r\n" + end).encode())
		    c.close()
	P
	server=$!
	until [ -s at ]; do sleep 0.05; done
	NO_PROXY=127.0.0.1 fetch "{\"id\":1,\"url\":\"http://127.0.0.1:$(cat at)/\"}" >all
	[ "$(member .error)" = 'the answer ends within its headers' ]
	NO_PROXY=127.0.0.1 fetch "{\"id\":2,\"url\":\"http://127.0.0.1:$(cat at)/\"}" >all
	[ "$(member .status)" = 200 ]
	wait "$server"
}
