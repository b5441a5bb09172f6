/* funcs_encoding_test.c - functions of codes, hashes and compression */
#include "funcs_rows.h"

static const struct row codes[] = {
	{ "base64encode(\"héllo\")", "\"aMOpbGxv\"" },
	{ "base64encode(\"\")", "\"\"" },
	{ "base64encode(\"ab\")", "\"YWI=\"" },
	{ "base64decode(\"aMOpbGxv\")", "\"héllo\"" },
	{ "base64decode(\"aGk\")", "!failed to decode base64 data \"aGk\"" },
	{ "base64decode(\"aGk=\\naGk=\")",
	  "!failed to decode base64 data \"aGk=\\naGk=\"" },
	{ "base64decode(\"aG\\nk=\")", "\"hi\"" },
	{ "base64decode(\"a=k=\")",
	  "!failed to decode base64 data \"a=k=\"" },
	{ "base64decode(\"!!!!\")",
	  "!failed to decode base64 data \"!!!!\"" },
	{ "base64decode(\"//8=\")",
	  "!the result of decoding the provided string is" },
	{ "base64decode(s_str)",
	  "!failed to decode base64 data (sensitive value)" },
	{ "base64decode(\"\")", "\"\"" },
	{ "urlencode(\"a b&c=/é~._-*\")", "\"a+b%26c%3D%2F%C3%A9~._-%2A\"" },
	{ "urlencode(\"\")", "\"\"" },
	{ "urldecode(\"a+b%26%C3%A9\")", "\"a b&é\"" },
	{ "urldecode(\"%\")",
	  "!failed to decode URL: invalid URL escape \"%\"" },
	{ "urldecode(\"%zz\")",
	  "!failed to decode URL: invalid URL escape \"%zz\"" },
	{ "urldecode(\"a%2\")",
	  "!failed to decode URL: invalid URL escape \"%2\"" },
	{ "textencodebase64(\"Hi é\", \"UTF-16LE\")", "\"SABpACAA6QA=\"" },
	{ "textencodebase64(\"Hi\", \"UTF-16\")", "\"/v8ASABp\"" },
	{ "textencodebase64(\"\", \"UTF-16\")", "\"/v8=\"" },
	{ "textencodebase64(\"😀\", \"utf-16be\")", "\"2D3eAA==\"" },
	{ "textencodebase64(\"é\", \"latin1\")", "\"6Q==\"" },
	{ "textencodebase64(\"€\", \"ISO-8859-1\")",
	  "!the given string contains characters that" },
	{ "textencodebase64(\"€\", \"windows-1252\")", "\"gA==\"" },
	{ "textencodebase64(\"日本\", \"Shift_JIS\")", "\"k/qWew==\"" },
	{ "textencodebase64(\"日本a\", \"ISO-2022-JP\")",
	  "\"GyRCRnxLXBsoQmE=\"" },
	{ "textencodebase64(\"中文a\", \"HZ-GB-2312\")", "\"fntWUE5Efn1h\"" },
	{ "textencodebase64(\"€\", \"GBK\")", "\"gA==\"" },
	{ "textencodebase64(\"a\", \"utf8\")",
	  "!\"utf8\" is not a supported IANA encoding name" },
	{ "textencodebase64(\"a\", \" UTF-8 \")", "\"YQ==\"" },
	{ "textencodebase64(\"\\u0080\", \"ISO-8859-2\")",
	  "!the given string contains characters that" },
	{ "textencodebase64(\"∆\", \"macintosh\")", "\"xg==\"" },
	{ "textdecodebase64(\"SABpAA==\", \"UTF-16LE\")", "\"Hi\"" },
	{ "textdecodebase64(\"/v8ASABp\", \"UTF-16\")", "\"Hi\"" },
	{ "textdecodebase64(\"//5IAGkA\", \"UTF-16\")", "\"Hi\"" },
	{ "textdecodebase64(\"2AA=\", \"UTF-16BE\")",
	  "!the given string contains symbols that are" },
	{ "textdecodebase64(\"AEgA\", \"UTF-16BE\")",
	  "!the given string contains symbols that are" },
	{ "textdecodebase64(\"6Q==\", \"ISO-8859-1\")", "\"é\"" },
	{ "textdecodebase64(\"gQ==\", \"windows-1252\")",
	  "!the given string contains symbols that are" },
	{ "textdecodebase64(\"k/qWew==\", \"Shift_JIS\")", "\"日本\"" },
	{ "textdecodebase64(\"fnvWUM7Efn0=\", \"HZ-GB-2312\")",
	  "!the given string contains symbols that are" },
	{ "textdecodebase64(\"gIA=\", \"ISO-8859-5\")",
	  "!the given string contains symbols that are" },
	{ "textdecodebase64(\"/w==\", \"UTF-8\")",
	  "!the given string contains symbols that are" },
	{ "textdecodebase64(\"77+9\", \"UTF-8\")",
	  "!the given string contains symbols that are" },
	{ "textdecodebase64(\"a\", \"UTF-8\")",
	  "!the given value has an invalid base64 symbol" },
	{ "textdecodebase64(\"YQ==\", \"x\")",
	  "!\"x\" is not a supported IANA encoding name or" },
};

static const struct row hashes[] = {
	{ "md5(\"\")", "\"d41d8cd98f00b204e9800998ecf8427e\"" },
	{ "md5(\"héllo\")", "\"be50e8478cf24ff3595bc7307fb91b50\"" },
	{ "sha1(\"abc\")", "\"a9993e364706816aba3e25717850c26c9cd0d89d\"" },
	{ "sha256(\"abc\")",
	  "\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f200"
	  "15ad\"" },
	{ "sha512(\"abc\")",
	  "\"ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55"
	  "d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa5"
	  "4ca49f\"" },
	{ "base64sha256(\"abc\")",
	  "\"ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=\"" },
	{ "base64sha512(\"abc\")",
	  "\"3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj"
	  "/uu9RU1EI2Q86A4qmslPpUyknw==\"" },
	{ "md5(u_str)", "(known after apply) string not null" },
	{ "sha256(s_str)", "(sensitive value)" },
	{ "uuidv5(\"dns\", \"example.com\")",
	  "\"cfbff0d1-9375-5685-968c-48ce8b15ae17\"" },
	{ "uuidv5(\"url\", \"https://example.com/\")",
	  "\"dd2c1780-811a-5296-81c5-178a0ef488bc\"" },
	{ "uuidv5(\"oid\", \"1.2.3\")",
	  "\"42d5e23b-3a02-5135-85c6-52d1102f1f00\"" },
	{ "uuidv5(\"x500\", \"CN=x\")",
	  "\"955bb643-faf8-5f69-a3de-891b89fea215\"" },
	{ "uuidv5(\"6ba7b810-9dad-11d1-80b4-00c04fd430c8\", \"example.com"
	  "\")",
	  "\"cfbff0d1-9375-5685-968c-48ce8b15ae17\"" },
	{ "uuidv5(\"{6ba7b810-9dad-11d1-80b4-00c04fd430c8}\", \"example.c"
	  "om\")",
	  "\"cfbff0d1-9375-5685-968c-48ce8b15ae17\"" },
	{ "uuidv5(\"urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8\", \"ex"
	  "ample.com\")",
	  "\"cfbff0d1-9375-5685-968c-48ce8b15ae17\"" },
	{ "uuidv5(\"6ba7b8109dad11d180b400c04fd430c8\", \"example.com\")",
	  "\"cfbff0d1-9375-5685-968c-48ce8b15ae17\"" },
	{ "uuidv5(\"6ba7b810x9dad-11d1-80b4-00c04fd430c8\", \"a\")",
	  "!uuidv5() doesn't support namespace" },
	{ "uuidv5(\"x\", \"a\")",
	  "!uuidv5() doesn't support namespace x (invalid" },
	{ "bcrypt(\"a\", 4, 5)",
	  "!bcrypt() takes no more than two arguments" },
	{ "bcrypt(\"a\", 32)",
	  "!error occurred generating password: cost 32" },
	{ "bcrypt(\"a\", 1.5)", "!value must be a whole number, between" },
	{ "bcrypt(join(\"\", range(100)))",
	  "!error occurred generating password: password" },
};

static const struct row gzips[] = {
	{ "base64gzip(\"\")",
	  "\"H4sIAAAAAAAA/wAAAP//AQAA//8AAAAAAAAAAA==\"" },
	{ "startswith(base64gzip(\"x\"), \"H4sIAAAAAAAA/\")", "true" },
	{ "base64gunzip(base64gzip(\"\"))", "\"\"" },
	{ "base64gunzip(base64gzip(\"héllo\"))", "\"héllo\"" },
	{ "base64gunzip(base64gzip(join(\",\", range(1000)))) == join(\","
	  "\", range(1000))",
	  "true" },
	{ "md5(base64gunzip(base64gzip(join(\"\", [for i in range(1000) "
	  ": sha512(i)])))) == md5(join(\"\", [for i in range(1000) : "
	  "sha512(i)]))",
	  "true" },
	{ "length(base64gzip(join(\"\", [for i in range(1000) : \"abcd\"])))"
	  " < 100",
	  "true" },
	{ "base64gunzip(\"H4sIAAAAAAAA/w==\")",
	  "!failed to gunzip bytestream: unexpected end" },
	{ "base64gunzip(\"aGVsbG8=\")",
	  "!failed to gunzip bytestream: incorrect header" },
	{ "base64gunzip(\"!\")", "!failed to decode base64 data \"!\"" },
	{ "base64gunzip(\"\")",
	  "!failed to gunzip bytestream: unexpected end" },
};

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	RUN(CHECK_ROWS(codes));
	RUN(CHECK_ROWS(hashes));
	RUN(CHECK_ROWS(gzips));
	return test_done("funcs_encoding");
}
