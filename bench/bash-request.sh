#!/usr/bin/env bash
# Shows quotas with openssl and curl. openssl gets the secret as an argument, which every process can read.
set -euo pipefail

timestamp=$(date +%s)
signature=$(printf 'GET\n/quotas\n%s\n\n' "$timestamp" | openssl dgst -sha256 -hmac "$ORGCTL_SECRET" | sed 's/^.* //')
curl --silent --show-error --fail --cacert "$ORGCTL_CA_FILE" \
  --header "X-API-Key: $ORGCTL_KEY_ID" \
  --header "X-API-Timestamp: $timestamp" \
  --header "X-API-Signature: $signature" \
  "$ORGCTL_BASE_URL/quotas"
