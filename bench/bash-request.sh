#!/usr/bin/env bash
# What a shell script does for the same answer. openssl takes the key as an argument, where every process can read it.
set -euo pipefail

timestamp=$(date +%s)
signature=$(printf 'GET\n/quotas\n%s\n\n' "$timestamp" | openssl dgst -sha256 -hmac "$ORGCTL_SECRET" | sed 's/^.* //')
curl --silent --show-error --fail --cacert "$ORGCTL_CA_FILE" \
  --header "X-API-Key: $ORGCTL_KEY_ID" \
  --header "X-API-Timestamp: $timestamp" \
  --header "X-API-Signature: $signature" \
  "$ORGCTL_BASE_URL/quotas"
