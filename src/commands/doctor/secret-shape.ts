import type { Credential } from '../../signing/basic.js';

/** Characters of a secret (reference, section 2). */
const secretLength = 64;

/** What is wrong with a credential, as a clause. */
export interface ShapeFault {
  readonly fault: string;
  /** Mends the variables in bash, zsh and the like, without showing them. */
  readonly mend?: string;
}

/**
 * What is wrong with the shape of a key ID and its secret, the likeliest slip first; `undefined` when nothing is. Never
 * repeats a part of either.
 */
export function shapeFault({ keyId, secret }: Credential): ShapeFault | undefined {
  const isKeyId = (text: string) => text.startsWith('key_');
  if (!isKeyId(keyId) && isKeyId(secret)) return swapped;
  if (!isKeyId(keyId)) return { fault: 'the key ID does not begin with key_' };
  if (isKeyId(secret)) return { fault: 'the secret begins with key_, as key IDs do' };
  if (/^(["']).*\1$/s.test(secret)) return quoted;
  if (/[\r\n]$/.test(secret)) return withSpace('ends with a line break');
  if (/\s$/.test(secret)) return withSpace('ends with a space');
  if (/^\s/.test(secret)) return withSpace('begins with a space');
  if (/[\s\p{Cc}\p{Cf}]/u.test(secret)) return withSpace('has a space or an invisible character in it');
  if (secret.length === secretLength) return undefined;
  return { fault: `the secret is ${secret.length} characters long instead of ${secretLength}` };
}

// The words of a command are expanded before it runs, so this does swap them.
const swapped: ShapeFault = {
  fault: 'key ID and secret are swapped',
  mend: 'export ORGCTL_KEY_ID="$ORGCTL_SECRET" ORGCTL_SECRET="$ORGCTL_KEY_ID"',
};

const quoted: ShapeFault = {
  fault: 'the secret is in quotes, which are no part of it',
  mend: `export ORGCTL_SECRET="$(printf %s "$ORGCTL_SECRET" | tr -d \\"\\')"`,
};

function withSpace(what: string): ShapeFault {
  return {
    fault: `the secret ${what}, which is no part of it`,
    mend: `export ORGCTL_SECRET="$(printf %s "$ORGCTL_SECRET" | tr -cd '[:graph:]')"`,
  };
}
