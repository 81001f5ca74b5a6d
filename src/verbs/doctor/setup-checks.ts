import { readForms } from '../../cli/connect.js';
import type { Context } from '../../cli/context.js';
import type { Advice } from '../../errors/advice.js';
import { whoamiCommand } from '../../errors/advice.js';
import { ConfigError } from '../../errors/errors.js';
import { whyMissing } from '../../platform/home-directory.js';
import type { ActiveProfile, SecretOrigin } from '../../profiles/settings/credential.js';
import { displayKeyId } from '../../profiles/settings/secret.js';
import { describeSource, type Source, settings } from '../../profiles/settings/settings.js';
import type { Credential } from '../../signing/basic/basic.js';
import { countNoun } from '../../text/count-noun.js';
import type { Diagnostic, Verdict } from './examination.js';

type SetupContext = Pick<Context, 'profiles' | 'settings'>;

/** Checks of this machine's setup; they send nothing. */
export function setupChecks(context: SetupContext): readonly Diagnostic[] {
  return [
    { name: 'files', needs: [], run: () => checkFiles(context) },
    { name: 'profile', needs: [], run: () => checkProfile(context) },
    { name: 'secret', needs: ['profile'], run: () => checkSecret(context) },
  ];
}

async function checkFiles({ profiles }: SetupContext): Promise<Verdict> {
  const store = profiles();
  const problem = store.permissionsProblem();
  const missing = whyMissing(store.path());
  if (problem === undefined && missing !== undefined) {
    return { result: 'skipped', detail: `no profiles: ${missing}` };
  }
  if (problem === undefined) return { result: 'ok', detail: `${store.path()} is private to you` };
  throw new ConfigError(problem);
}

/** Reads settings that later checks need, but not the secret, so that an invalid setting fails here. */
async function checkProfile({ settings }: SetupContext): Promise<Verdict> {
  const resolved = settings();
  const active = await resolved.profile();
  const baseUrl = await resolved.baseUrl();
  const keyId = await resolved.keyId();
  const auth = await resolved.auth();
  await Promise.all([resolved.timeout(), resolved.deadline(), resolved.retries(), resolved.caFile()]);
  await readForms(await resolved.dialect());
  // Called for their errors, which name missing settings and where to set them.
  if (baseUrl === undefined) await resolved.service();
  if (keyId === undefined) await resolved.credential();
  const used = active === undefined ? 'no profile' : `profile "${active.name}"`;
  return {
    result: 'ok',
    detail: `${used}: ${baseUrl?.value.href}, ${auth.value}; key ID: ${displayKeyId(keyId?.value ?? '')}`,
  };
}

async function checkSecret({ settings }: SetupContext): Promise<Verdict> {
  const resolved = settings();
  const origin = await resolved.secretOrigin();
  const credential = await resolved.credential();
  const from = origin === undefined ? '' : ` from ${describeOrigin(origin)}`;
  const fault = shapeFault(credential);
  if (fault === undefined)
    return { result: 'ok', detail: `${countNoun(credential.secret.length, 'character')}${from}` };
  const keyId = await resolved.keyId();
  throw new ConfigError(`${fault.fault} (the secret comes${from})`, {
    ...adviseModes(fault, [originSource(origin), keyId?.source], await resolved.profile()),
  });
}

function originSource(origin: SecretOrigin | undefined): Source | undefined {
  return origin?.kind === 'value' ? origin.secret.source : origin?.source;
}

function describeOrigin(origin: SecretOrigin): string {
  if (origin.kind === 'value') return describeSource(origin.secret.source);
  if (origin.kind === 'keyring') return `the keyring, for ${describeSource(origin.source)}`;
  return `the command of ${describeSource(origin.source)}`;
}

function adviseModes(
  { mend, isOfKeyId }: ShapeFault,
  [ofSecret, ofKeyId]: readonly (Source | undefined)[],
  active: ActiveProfile | undefined,
): Advice {
  const look = { hint: 'see where key ID and secret come from', next: whoamiCommand };
  if (ofSecret?.name === settings.secret.env)
    return ofKeyId?.kind === 'env' && mend !== undefined ? { hint: mend } : look;
  if (ofSecret?.kind !== 'profile') return look;
  const { name } = ofSecret;
  if (active?.name === name && active.profile.managedBy !== undefined) {
    return {
      hint: `a server on this machine rewrites profile ${JSON.stringify(name)} at each start; restart it`,
      next: ['orgctl', 'serve'],
    };
  }
  const store = ['orgctl', 'profile', 'set', name, '--ask-secret'];
  if (isOfKeyId) return { hint: 'store key ID and secret again', next: [...store, '--key-id', 'KEY_ID'] };
  return { hint: 'store the secret again', next: store };
}

const expectedLength = 64;

export interface ShapeFault {
  readonly fault: string;
  /** Shell command that corrects the variables without showing them. */
  readonly mend?: string;
  readonly isOfKeyId?: true;
}

/** The likeliest mistake in a key ID and secret; never quotes them. */
export function shapeFault({ keyId, secret }: Credential): ShapeFault | undefined {
  const isKeyId = (text: string) => text.startsWith('key_');
  if (!isKeyId(keyId) && isKeyId(secret)) return swapped;
  if (!isKeyId(keyId)) return { fault: 'the key ID does not begin with key_', isOfKeyId: true };
  if (isKeyId(secret)) return { fault: 'the secret begins with key_, as key IDs do' };
  if (/^(["']).*\1$/s.test(secret)) return quotedFault;
  if (/[\r\n]$/.test(secret)) return withSpace('ends with a line break');
  if (/\s$/.test(secret)) return withSpace('ends with a space');
  if (/^\s/.test(secret)) return withSpace('begins with a space');
  if (/[\s\p{Cc}\p{Cf}]/u.test(secret)) return withSpace('has a space or an invisible character in it');
  if (secret.length === expectedLength) return undefined;
  return {
    fault: `the secret is ${countNoun(secret.length, 'character')} long instead of ${expectedLength}`,
  };
}

// The shell expands both variables before it assigns them.
const swapped: ShapeFault = {
  fault: 'key ID and secret are swapped',
  isOfKeyId: true,
  mend: 'export ORGCTL_KEY_ID="$ORGCTL_SECRET" ORGCTL_SECRET="$ORGCTL_KEY_ID"',
};

const quotedFault: ShapeFault = {
  fault: 'the secret includes quotes',
  mend: `export ORGCTL_SECRET="$(printf %s "$ORGCTL_SECRET" | tr -d \\"\\')"`,
};

function withSpace(what: string): ShapeFault {
  return {
    fault: `the secret ${what}`,
    mend: `export ORGCTL_SECRET="$(printf %s "$ORGCTL_SECRET" | tr -cd '[:graph:]')"`,
  };
}
