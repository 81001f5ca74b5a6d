import { command } from '../cli/command.js';
import type { OrgctlError } from '../errors/errors.js';
import { whyMissing } from '../platform/home-directory.js';
import { describeSettings, type SettingDescription } from '../profiles/describe-settings.js';
import type { TypedView } from '../terminal/output/printer.js';

const settingsView: TypedView<SettingDescription> = {
  columns: [
    { header: 'SETTING', value: 'setting', rank: 0 },
    {
      header: 'VALUE',
      value: ({ value, problem }) => value ?? (problem === undefined ? '-' : `unusable: ${problem}`),
      wraps: true,
      rank: 0,
    },
    { header: 'SOURCE', value: ({ source }) => source ?? '-', wraps: true, rank: 2 },
  ],
  fields: ['problem'],
};

export const whoami = command({
  description: 'Show every effective setting, its value and its source. Sends nothing, and masks the secret.',
  examples: [
    ['orgctl whoami', 'which profile, address and key a command would use'],
    ['orgctl whoami --query "[?setting==\'base-url\'].source | [0]"', 'where one setting comes from'],
  ],
  /** Prints every setting before it throws the error of the first invalid one. Having no profile is not an error. */
  async run(context) {
    const bad: OrgctlError[] = [];
    const rows = await describeSettings(context.settings(), (error) => bad.push(error));
    await (await context.printer()).list(rows, settingsView);
    if (bad[0] !== undefined) throw bad[0];
    const isUnset = rows.some(({ setting, value }) => setting === 'base-url' && value === null);
    const missing = isUnset ? whyMissing(context.profiles().path()) : undefined;
    if (missing !== undefined) await context.note(`no profile is in use: ${missing}`);
  },
});
