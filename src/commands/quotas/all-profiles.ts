import type { Context } from '../../cli/context.js';
import { ConfigError, UsageError } from '../../errors/errors.js';
import type { Profile } from '../../profiles/file/parse-profile-file.js';
import { namesHint } from '../../profiles/file/profile-file.js';
import { settingsOfProfile } from '../../profiles/resolve.js';
import { type Flags, givenSetting, settings } from '../../profiles/settings/settings.js';
import { type QuotaReading, readingOf } from './reading.js';

/** Enough to hide round trips, few enough for any machine. */
const profilesAtOnce = 8;

const choosingFlags = [
  ['profile', '--profile'],
  ['baseUrl', '--base-url'],
  ['keyId', '--key-id'],
  ['auth', '--auth'],
  ['caFile', '--ca-file'],
  ['allowHost', '--allow-host'],
] as const satisfies readonly (readonly [keyof Flags, string])[];

/** @throws UsageError for flags that select a service */
export function refuseOtherChoice(flags: Flags): void {
  const given = choosingFlags.find(([key]) => flags[key] !== undefined && flags[key] !== false);
  if (given !== undefined) throw new UsageError(`--all-profiles and ${given[1]} cannot be combined`);
  for (const key of ['timeout', 'deadline', 'retries'] as const)
    givenSetting<number>(settings[key], flags, {});
}

/** As JSON: for each profile, a quota record or `{"error":{…}}`. */
export async function readAllProfiles(
  kind: string | undefined,
  { timeout, deadline, retries }: Flags,
  context: Context,
): Promise<QuotaReading> {
  const file = await context.profiles().read();
  const listed = Object.entries(file.profiles);
  if (listed.length === 0) throw new ConfigError('no profile is stored', { hint: namesHint(file) });
  const { default: pMap } = await import('p-map');
  const flags = { timeout, deadline, retries };
  const read = ([name, profile]: readonly [string, Profile]) =>
    readProfile(name, profile, { kind, flags }, context);
  const readings = await pMap(listed, read, { concurrency: profilesAtOnce });
  return {
    value: Object.fromEntries(readings.map(({ name, value }) => [name, value])),
    rows: readings.flatMap(({ rows }) => rows),
  };
}

async function readProfile(
  name: string,
  profile: Profile,
  { kind, flags }: { readonly kind: string | undefined; readonly flags: Flags },
  context: Context,
): Promise<QuotaReading & { readonly name: string }> {
  const { toReport } = await import('../../cli/error-report.js');
  const { aimAtProfile } = await import('../../cli/aim.js');
  const report = (error: unknown) => toReport(error, aimAtProfile(name, profile.data));
  try {
    const { quotas } = await context.apiFor(settingsOfProfile(name, profile, context, flags));
    const { value, rows, unread } = readingOf(await quotas.readAnswer(), kind);
    const failed = unread === undefined ? [] : [{ profile: name, error: report(unread) }];
    return { name, value, rows: [...rows.map((row) => ({ ...row, profile: name })), ...failed] };
  } catch (error) {
    context.signal.throwIfAborted();
    const reported = report(error);
    return { name, value: { error: reported }, rows: [{ profile: name, error: reported }] };
  }
}
