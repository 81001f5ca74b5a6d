import type { Context } from '../../cli/context.js';
import type { ErrorReport } from '../../cli/error-report.js';
import type { Api } from '../../client/api.js';
import { ConfigError, UsageError } from '../../errors/errors.js';
import { namesHint, type Profile } from '../../profiles/file/profile-file.js';
import { type Flags, givenSetting, settings } from '../../profiles/settings/settings.js';
import { settingsOfProfile } from '../settings-of-profile.js';
import {
  chooseQuotas,
  fullestFirst,
  type QuotaReading,
  type QuotaSource,
  type ShownQuotas,
} from './reading.js';
import type { ShownRow } from './view.js';

type ProfilesContext = Pick<Context, 'apiFor' | 'profiles' | 'system' | 'signal'>;

/** Enough to hide round trips, few enough for any machine. */
const profilesAtOnce = 8;

interface Stored {
  readonly name: string;
  readonly profile: Profile;
}

interface ReadProfile {
  readonly read: ShownQuotas;
  readonly shown: unknown;
  /** The error if some of the profile's quotas cannot be read. */
  readonly doubt?: ErrorReport | undefined;
}

type ProfileOutcome = ReadProfile | { readonly error: ErrorReport };

/** As JSON: for each profile, a quota record or `{"error":{…}}`. @throws UsageError for flags that select a service */
export function allProfiles(kind: string | undefined, flags: Flags, context: ProfilesContext): QuotaSource {
  refuseOtherChoice(flags);
  const apis = new ApiCache(context, keepLimits(flags));
  return { columns: { profile: true, error: true }, read: () => readProfiles(kind, apis, context) };
}

const choosingFlags = [
  ['profile', '--profile'],
  ['baseUrl', '--base-url'],
  ['keyId', '--key-id'],
  ['auth', '--auth'],
  ['caFile', '--ca-file'],
  ['allowHost', '--allow-host'],
] as const satisfies readonly (readonly [keyof Flags, string])[];

function refuseOtherChoice(flags: Flags): void {
  const given = choosingFlags.find(([key]) => flags[key] !== undefined && flags[key] !== false);
  if (given !== undefined) throw new UsageError(`--all-profiles and ${given[1]} cannot be combined`);
}

function keepLimits(flags: Flags): Flags {
  const { timeout, deadline, retries } = flags;
  for (const key of ['timeout', 'deadline', 'retries'] as const)
    givenSetting<number>(settings[key], flags, {});
  return { timeout, deadline, retries };
}

async function readProfiles(
  kind: string | undefined,
  apis: ApiCache,
  { profiles, signal }: ProfilesContext,
): Promise<QuotaReading> {
  const listed = await profiles().list();
  if (listed.length === 0) {
    throw new ConfigError('no profile is stored', { hint: namesHint(await profiles().read()) });
  }
  const { default: pMap } = await import('p-map');
  const read = async ({ name, profile }: Stored): Promise<readonly [string, ProfileOutcome]> => {
    const { toReport } = await import('../../cli/error-report.js');
    const { aimAtProfile } = await import('../../cli/aim.js');
    const aim = aimAtProfile(name, profile.data);
    try {
      const { quotas } = await apis.of(name, profile);
      const { read, shown, unread } = chooseQuotas(await quotas.readAnswer(), kind);
      return [name, { read, shown, doubt: unread && toReport(unread, aim) }];
    } catch (error) {
      signal.throwIfAborted();
      return [name, { error: toReport(error, aim) }];
    }
  };
  return toReading(await pMap(listed, read, { concurrency: profilesAtOnce }));
}

function toReading(outcomes: readonly (readonly [string, ProfileOutcome])[]): QuotaReading {
  return {
    value: Object.fromEntries(
      outcomes.map(([profile, outcome]) => [profile, 'read' in outcome ? outcome.shown : outcome]),
    ),
    columns: { profile: true, error: outcomes.some(([, outcome]) => findError(outcome) !== undefined) },
    rows: outcomes.flatMap(([profile, outcome]): readonly ShownRow[] => {
      const error = findError(outcome);
      const read = 'read' in outcome ? outcome.read : {};
      return [
        ...fullestFirst(read).map((row) => ({ profile, ...row })),
        ...(error === undefined ? [] : [{ profile, error }]),
      ];
    }),
  };
}

function findError(outcome: ProfileOutcome): ErrorReport | undefined {
  return 'read' in outcome ? outcome.doubt : outcome.error;
}

/** Reuses each profile's connections until the profile changes. */
class ApiCache {
  readonly #context: ProfilesContext;
  readonly #flags: Flags;
  readonly #opened = new Map<string, { readonly stored: string; readonly api: Api }>();

  constructor(context: ProfilesContext, flags: Flags) {
    this.#context = context;
    this.#flags = flags;
  }

  async of(name: string, profile: Profile): Promise<Api> {
    const stored = JSON.stringify(profile);
    const known = this.#opened.get(name);
    if (known?.stored === stored) return known.api;
    const api = await this.#context.apiFor(settingsOfProfile(name, profile, this.#context, this.#flags));
    this.#opened.set(name, { stored, api });
    return api;
  }
}
