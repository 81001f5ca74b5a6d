import type { Context } from '../../cli/context.js';
import { toReport } from '../../cli/error-report.js';
import { ConfigError } from '../../errors/errors.js';
import type { Profile } from '../../profiles/file/parse-profile-file.js';
import { namesHint } from '../../profiles/file/store.js';
import { settingsOfProfile } from '../../profiles/resolve.js';
import { type QuotaReading, readingOf } from './reading.js';

/** Enough to hide round trips, few enough for any machine. */
const profilesAtOnce = 8;

/** The JSON value has for each profile a quota record or `{"error":{…}}`. */
export async function readAllProfiles(kind: string | undefined, context: Context): Promise<QuotaReading> {
  const file = await context.profiles().read();
  const listed = Object.entries(file.profiles);
  if (listed.length === 0) throw new ConfigError('no profile is stored', { hint: namesHint(file) });
  const { default: pMap } = await import('p-map');
  const readings = await pMap(listed, ([name, profile]) => readProfile(name, profile, kind, context), {
    concurrency: profilesAtOnce,
  });
  return {
    value: Object.fromEntries(readings.map(({ name, value }) => [name, value])),
    rows: readings.flatMap(({ rows }) => rows),
  };
}

async function readProfile(
  name: string,
  profile: Profile,
  kind: string | undefined,
  context: Context,
): Promise<QuotaReading & { readonly name: string }> {
  const toRow = (error: unknown) => {
    const { code, message, exitCode, status } = toReport(error);
    return { profile: name, error: { code, message, exitCode, ...(status !== undefined && { status }) } };
  };
  try {
    const settings = settingsOfProfile(name, profile, context, context.flags());
    const { quotas } = await context.apiFor(await settings.service());
    const { value, rows, unread } = readingOf(await quotas.readAnswer(), kind);
    const failed = unread === undefined ? [] : [toRow(unread)];
    return { name, value, rows: [...rows.map((row) => ({ ...row, profile: name })), ...failed] };
  } catch (error) {
    context.signal.throwIfAborted();
    const row = toRow(error);
    return { name, value: { error: row.error }, rows: [row] };
  }
}
