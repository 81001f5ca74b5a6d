import { dirname } from 'node:path';
import type { Context } from '../../context.js';
import { ConfigError } from '../../errors.js';
import type { SecretOrigin } from '../../profiles/credential.js';
import { displayKeyId } from '../../profiles/secret.js';
import { describeSource, type Source } from '../../profiles/source.js';
import type { Diagnostic, Verdict } from './examination.js';
import { type ShapeFault, shapeFault } from './secret-shape.js';

type SetupContext = Pick<Context, 'profiles' | 'settings'>;

/** What can be wrong on this machine alone: nothing is sent. */
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
  if (problem === undefined) return { result: 'ok', detail: `${store.path()} is closed to other users` };
  throw new ConfigError(problem, { hint: `chmod -R go-rwx '${dirname(store.path())}'` });
}

/** Every setting is read, so that a bad one is found here and not in the middle of the checks that use it. */
async function checkProfile({ settings }: SetupContext): Promise<Verdict> {
  const resolved = settings();
  const active = await resolved.profile();
  const baseUrl = await resolved.baseUrl();
  const keyId = await resolved.keyId();
  const auth = await resolved.auth();
  await Promise.all([resolved.timeout(), resolved.deadline(), resolved.retries(), resolved.caFile()]);
  // These know best what is missing and where it could come from.
  if (baseUrl === undefined) await resolved.service();
  if (keyId === undefined) await resolved.credential();
  const used = active === undefined ? 'no profile' : `profile "${active.name}"`;
  return {
    result: 'ok',
    detail: `${used}: ${baseUrl?.value.href} as ${displayKeyId(keyId?.value ?? '')}, ${auth.value}`,
  };
}

async function checkSecret({ settings }: SetupContext): Promise<Verdict> {
  const resolved = settings();
  const origin = await resolved.secretOrigin();
  const credential = await resolved.credential();
  const from = origin === undefined ? '' : ` from ${describeOrigin(origin)}`;
  const fault = shapeFault(credential);
  if (fault === undefined) return { result: 'ok', detail: `${credential.secret.length} characters${from}` };
  const keyId = await resolved.keyId();
  throw new ConfigError(`${fault.fault} (the secret is${from})`, {
    hint: mendingHint(fault, [originSource(origin), keyId?.source]),
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

function mendingHint({ mend }: ShapeFault, [ofSecret, ofKeyId]: readonly (Source | undefined)[]): string {
  const look = 'see where both come from: orgctl whoami';
  if (ofSecret?.kind === 'env') return ofKeyId?.kind === 'env' && mend !== undefined ? mend : look;
  if (ofSecret?.kind !== 'profile') return look;
  const { name } = ofSecret;
  return `store it anew: orgctl profile remove ${name} && orgctl profile add ${name} --base-url … --key-id …`;
}
