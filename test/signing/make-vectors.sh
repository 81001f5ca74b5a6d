#!/usr/bin/env bash
# Makes vectors.tsv with openssl alone, so that the signatures come from another implementation than ours:
#
#   bash test/signing/make-vectors.sh > test/signing/vectors.tsv
#
# Each signature is `openssl dgst -sha256 -hmac "$secret"` over the canonical string: method in upper case, target,
# timestamp, content type (empty without a body) and body, joined by single line feeds. Bodies are in base64.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

secret=0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_
timestamp=1700000000
json=application/json

# vector NAME METHOD SIGNED_METHOD TARGET CONTENT_TYPE SIGNED_CONTENT_TYPE BODY, the body as a printf format
vector() {
  local name=$1 method=$2 signed_method=$3 target=$4 content_type=$5 signed_content_type=$6 body=$7
  # shellcheck disable=SC2059 # the body is a format on purpose: it may hold any byte
  printf "$body" > "$work/body"
  printf '%s\n%s\n%s\n%s\n' "$signed_method" "$target" "$timestamp" "$signed_content_type" > "$work/canonical"
  cat "$work/body" >> "$work/canonical"
  printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$secret" "$method" "$target" "$timestamp" "$content_type" \
    "$(openssl base64 -A -in "$work/body")" \
    "$(openssl dgst -sha256 -hmac "$secret" -r "$work/canonical" | cut -d ' ' -f 1)"
}

vector 'GET without body' GET GET /quotas '' '' ''
vector 'query with odd encodings and repeated names' GET GET \
  "/connections?b=2&a=1&a=%20x+y&a=&=&%E2%82%AC=%e2%82%ac&q=a%2Fb;c='~!*()" '' '' ''
vector 'empty query' GET GET '/quotas?' '' '' ''
vector 'base path' GET GET /organizations/acme/v1/quotas '' '' ''
vector 'dot segments and doubled slashes' GET GET /a/../b//c/./d '' '' ''
vector 'lower-case method' get GET /quotas '' '' ''
vector 'content type without body' GET GET /quotas "$json" '' ''
vector 'JSON body' POST POST /connections "$json" "$json" '{"name":"db","type":"pg"}'
vector 'content type with charset' POST POST /teams "$json; charset=UTF-8" "$json; charset=UTF-8" '{"name":"core"}'
vector 'body without content type' POST POST /teams '' '' '{"name":"core"}'
vector 'UTF-8 body' POST POST /teams "$json" "$json" '{"name":"Größe 数据 🚀"}'
vector 'UTF-8 body with a byte order mark' POST POST /teams "$json" "$json" '\xef\xbb\xbf{"name":"core"}'
vector 'body with a trailing newline' POST POST /teams "$json" "$json" '{"name":"core"}\n'
vector 'body with CRLF line ends' POST POST /teams "$json" "$json" '{\r\n  "name": "core"\r\n}\r\n'
vector 'binary body' POST POST /teams application/octet-stream application/octet-stream '\x00\xff\xfe\n\r\x80\x00'

secret='Schlüssel-鍵-🔑'
vector 'secret beyond ASCII' GET GET /quotas '' '' ''
secret=$(printf '%0200d' 7)
vector 'secret longer than the hash block' GET GET /quotas '' '' ''
