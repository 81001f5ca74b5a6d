import { formatDuration } from '../contract/duration.js';
import { ConfigError } from '../errors.js';
import type { ResolvedSettings } from './resolved-settings.js';
import { displayKeyId, maskSecret } from './secret.js';
import { describeSource, type Sourced } from './source.js';

/** One row of `whoami`. `null` stands for a setting that is not set. */
export interface SettingDescription {
  /** As the flag is called, without dashes. */
  readonly setting: string;
  /** Durations as they are typed; the secret masked. */
  readonly value: string | number | boolean | null;
  readonly source: string | null;
  /** Why the setting cannot be used, where that is so. */
  readonly problem?: string;
}

/**
 * Every effective setting, its value and where it came from. Runs no secret command and calls nobody. A conflict
 * between key ID, secret and base URL is the secret's `problem`, so that all sources are seen at once.
 *
 * @throws UsageError, ConfigError for a setting that is bad in itself
 */
export async function describeSettings(resolved: ResolvedSettings): Promise<SettingDescription[]> {
  const active = await resolved.profile();
  return [
    row('profile', active && { value: active.name, source: active.source }),
    row(
      'base-url',
      shown(await resolved.baseUrl(), ({ href }) => href),
    ),
    row('key-id', shown(await resolved.keyId(), displayKeyId)),
    await secretRow(resolved),
    row('auth', await resolved.auth()),
    row('ca-file', await resolved.caFile()),
    row('output', await resolved.output()),
    row('timeout', shown(await resolved.timeout(), formatDuration)),
    row('deadline', shown(await resolved.deadline(), formatDuration)),
    row('retries', await resolved.retries()),
    row('read-only', await resolved.readOnly()),
    row('color', resolved.color()),
  ];
}

type Shown = string | number | boolean;

function row(setting: string, found: Sourced<Shown> | undefined): SettingDescription {
  if (found === undefined) return { setting, value: null, source: null };
  return { setting, value: found.value, source: describeSource(found.source) };
}

function shown<Value>(
  found: Sourced<Value> | undefined,
  show: (value: Value) => Shown,
): Sourced<Shown> | undefined {
  return found && { value: show(found.value), source: found.source };
}

async function secretRow(resolved: ResolvedSettings): Promise<SettingDescription> {
  const setting = 'secret';
  try {
    const origin = await resolved.secretOrigin();
    if (origin?.kind === 'command') {
      return { setting, value: 'printed by a command', source: describeSource(origin.source) };
    }
    return row(setting, shown(origin?.secret, maskSecret));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { setting, value: null, source: null, problem: error.message };
  }
}
