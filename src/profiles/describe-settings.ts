import { OrgctlError } from '../errors/errors.js';
import { formatDuration } from '../text/duration.js';
import { CredentialConflictError } from './settings/credential.js';
import type { ResolvedSettings } from './settings/resolved-settings.js';
import { displayKeyId, maskSecret } from './settings/secret.js';
import { describeSource, type Sourced } from './settings/settings.js';

/** `null` means unset or unusable. */
export interface SettingDescription {
  readonly setting: string;
  readonly value: string | number | boolean | null;
  readonly source: string | null;
  readonly problem?: string;
}

/**
 * Lists the settings in use. Runs no secret command, opens no keyring and sends nothing. An error becomes the setting's
 * `problem`.
 * @param onBad called for each of these errors, except conflicts of credentials
 */
export async function describeSettings(
  resolved: ResolvedSettings,
  onBad: (error: OrgctlError) => void = () => undefined,
): Promise<SettingDescription[]> {
  const rows = new Map<string, () => Promise<Sourced<Shown> | undefined>>([
    ['profile', () => activeProfile(resolved)],
    ['base-url', async () => showSetting(await resolved.baseUrl(), ({ href }) => href)],
    ['key-id', async () => showSetting(await resolved.keyId(), displayKeyId)],
    ['secret', () => showSecret(resolved)],
    ['auth', () => resolved.auth()],
    ['ca-file', () => resolved.caFile()],
    ['output', () => resolved.output()],
    ['timeout', async () => showSetting(await resolved.timeout(), formatDuration)],
    ['deadline', async () => showSetting(await resolved.deadline(), formatDuration)],
    ['retries', () => resolved.retries()],
    ['read-only', () => resolved.readOnly()],
    ['color', async () => resolved.color()],
  ]);
  const dialect = await resolved.dialect().catch(() => undefined);
  if (dialect !== undefined) {
    const value = typeof dialect.value === 'string' ? dialect.value : 'from a file';
    rows.set('dialect', async () => ({ ...dialect, value }));
  }
  const reported = new Set<string>();
  const described: SettingDescription[] = [];
  for (const [setting, find] of rows) described.push(await row(setting, find, reported, onBad));
  return described;
}

type Shown = string | number | boolean;

async function row(
  setting: string,
  find: () => Promise<Sourced<Shown> | undefined>,
  reported: Set<string>,
  onBad: (error: OrgctlError) => void,
): Promise<SettingDescription> {
  try {
    const found = await find();
    if (found === undefined) return { setting, value: null, source: null };
    return { setting, value: found.value, source: describeSource(found.source) };
  } catch (error) {
    if (!(error instanceof OrgctlError)) throw error;
    // An unreadable profile affects several settings, but is reported only once.
    if (reported.has(error.message)) return { setting, value: null, source: null };
    reported.add(error.message);
    if (!(error instanceof CredentialConflictError)) onBad(error);
    return { setting, value: null, source: null, problem: error.message };
  }
}

function showSetting<Value>(
  found: Sourced<Value> | undefined,
  show: (value: Value) => Shown,
): Sourced<Shown> | undefined {
  return found && { value: show(found.value), source: found.source };
}

async function activeProfile(resolved: ResolvedSettings): Promise<Sourced<string> | undefined> {
  const active = await resolved.profile();
  return active && { value: active.name, source: active.source };
}

async function showSecret(resolved: ResolvedSettings): Promise<Sourced<Shown> | undefined> {
  const origin = await resolved.secretOrigin();
  if (origin?.kind === 'command') return { value: 'printed by a command', source: origin.source };
  if (origin?.kind === 'keyring') return { value: 'in the keyring', source: origin.source };
  return showSetting(origin?.secret, maskSecret);
}
