import { keyIdPrefix, secretLength } from '../../api/resources/records.js';
import { readForms } from '../../cli/connect.js';
import type { Context } from '../../cli/context.js';
import { type Advice, whoamiCommand } from '../../errors/advice.js';
import { ConfigError } from '../../errors/errors.js';
import { whyMissing } from '../../platform/home-directory.js';
import { displayKeyId } from '../../profiles/settings/secret.js';
import { describeSource } from '../../profiles/settings/settings.js';
import type { Credential } from '../../signing/basic/basic.js';
import { countNoun } from '../../text/count-noun.js';

export interface Verdict {
  /** `skipped`: does not apply here, and does not stop later checks. */
  readonly result: 'ok' | 'warning' | 'skipped';
  readonly detail: string;
  readonly advice?: Advice | undefined;
}

export const ok = (detail: string): Verdict => ({ result: 'ok', detail });
export const skipped = (detail: string): Verdict => ({ result: 'skipped', detail });

export function checkFiles({ profiles }: Context): Verdict {
  const problem = profiles().permissionsProblem();
  if (problem !== undefined) throw new ConfigError(problem);
  const path = profiles().path();
  const missing = whyMissing(path);
  return missing === undefined ? ok(`${path} is private to you`) : skipped(`no profiles: ${missing}`);
}

/** Reads the settings that later checks need, but not the secret, so that an invalid setting fails here. */
export async function checkProfile(context: Context): Promise<Verdict> {
  const settings = context.settings();
  const active = await settings.profile();
  const [baseUrl, keyId, auth] = await Promise.all([settings.baseUrl(), settings.keyId(), settings.auth()]);
  await Promise.all([settings.timeout(), settings.deadline(), settings.retries(), settings.caFile()]);
  await readForms(await settings.dialect());
  // Called for their errors, which name missing settings and where to set them.
  if (baseUrl === undefined) await settings.service();
  if (keyId === undefined) await settings.credential();
  const used = active === undefined ? 'no profile' : `profile "${active.name}"`;
  return ok(`${used}: ${baseUrl?.value.href}, ${auth.value}; key ID: ${displayKeyId(keyId?.value ?? '')}`);
}

export async function checkSecret(context: Context): Promise<Verdict> {
  const settings = context.settings();
  const origin = await settings.secretOrigin();
  const credential = await settings.credential();
  const via = { value: '', keyring: 'the keyring, for ', command: 'the command of ' };
  const from = origin === undefined ? '' : ` from ${via[origin.kind]}${describeSource(origin.source)}`;
  const fault = findFault(credential);
  if (fault === undefined) return ok(`${countNoun(credential.secret.length, 'character')}${from}`);
  const message = `${fault} (the secret comes${from})`;
  if (origin?.source.kind !== 'profile')
    throw new ConfigError(message, { hint: 'see where key ID and secret come from', next: whoamiCommand });
  const next = ['orgctl', 'profile', 'set', origin.source.name, '--ask-secret'];
  throw new ConfigError(message, { hint: 'store the secret again', next });
}

/** The likeliest mistake in a key ID and secret; never quotes them. */
function findFault({ keyId, secret }: Credential): string | undefined {
  if (secret.startsWith(keyIdPrefix))
    return 'the secret begins with key_, as key IDs do: are the two swapped?';
  if (!keyId.startsWith(keyIdPrefix)) return 'the key ID does not begin with key_';
  if (/[\s\p{Cc}\p{Cf}]/u.test(secret)) return 'the secret has a space or an invisible character in it';
  if (secret.length === secretLength) return undefined;
  return `the secret is ${countNoun(secret.length, 'character')} long instead of ${secretLength}`;
}
