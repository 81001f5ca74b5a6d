import { command } from '../cli/command.js';
import { OrgctlError } from '../errors/errors.js';
import type { ResolvedSettings, SecretOrigin } from '../profiles/resolve.js';
import { maskSecret } from '../profiles/settings/secret.js';
import { describeSource, type Setting, type Sourced, settings } from '../profiles/settings/settings.js';
import type { View } from '../terminal/output/printer.js';
import { showDialect } from './profile/view.js';

type Shown = string | number | boolean;
type Finding = Promise<Sourced<Shown> | undefined>;

/** `null` means unset or unusable. */
interface SettingRow {
  readonly setting: string;
  readonly value: Shown | null;
  readonly source: string | null;
  readonly problem?: string;
}

const settingsView: View<SettingRow> = {
  columns: [
    { header: 'SETTING', value: 'setting', rank: 0 },
    {
      header: 'VALUE',
      value: ({ value, problem }) => value ?? (problem === undefined ? '-' : `unusable: ${problem}`),
      id: true,
      rank: 0,
    },
    { header: 'SOURCE', value: ({ source }) => source ?? '-', rank: 2 },
  ],
  fields: ['problem'],
};

export const whoami = command({
  description: 'Show every effective setting, its value and its source. Sends nothing, and masks the secret.',
  examples: [['orgctl whoami', 'which profile, address and key a command would use']],
  /** Prints every setting before it throws the error of the first invalid one. Having no profile is not an error. */
  async run(context) {
    const problems: OrgctlError[] = [];
    const rows: SettingRow[] = [];
    for (const [setting, found] of findings(context.settings()))
      rows.push({ setting, ...(await describe(found, problems)) });
    await (await context.printer()).list(rows, settingsView);
    for (const error of problems) throw error;
  },
});

/** Runs no secret command, and opens no keyring. */
function findings(resolved: ResolvedSettings): readonly (readonly [setting: string, find: () => Finding])[] {
  const own: Readonly<Record<string, () => Finding>> = {
    profile: () => resolved.profile().then((active) => active && { ...active, value: active.name }),
    secret: () => resolved.secretOrigin().then((origin) => origin && showSecret(origin)),
    output: () => resolved.output(),
    readOnly: () => resolved.readOnly(),
    color: async () => resolved.color(),
  };
  const { secretFile: _shownAsSecret, ...rows } = settings;
  const found = Object.entries<Setting<unknown>>(rows).map(([key, setting]) => {
    const find = () => resolved.find(setting).then(showAs((value) => setting.show?.(value) ?? shown(value)));
    return [key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), own[key] ?? find] as const;
  });
  return [...found, ['dialect', () => resolved.dialect().then(showAs((value) => showDialect(value) ?? ''))]];
}

const shown = (value: unknown) => (typeof value === 'number' ? value : String(value));

function showAs<Value>(show: (value: Value) => Shown) {
  return (found: Sourced<Value> | undefined) => found && { value: show(found.value), source: found.source };
}

function showSecret(origin: SecretOrigin): Sourced<Shown> {
  const { kind, source } = origin;
  if (kind === 'value') return { source, value: maskSecret(origin.value) };
  return { source, value: kind === 'command' ? 'printed by a command' : 'in the keyring' };
}

/** @param problems gets the error of an unusable setting; an error of several settings is shown once */
async function describe(find: () => Finding, problems: OrgctlError[]): Promise<Omit<SettingRow, 'setting'>> {
  try {
    const found = await find();
    return found === undefined ? unset : { value: found.value, source: describeSource(found.source) };
  } catch (error) {
    if (!(error instanceof OrgctlError)) throw error;
    if (problems.some(({ message }) => message === error.message)) return unset;
    problems.push(error);
    return { ...unset, problem: error.message };
  }
}

const unset = { value: null, source: null };
