import type { ChalkInstance } from 'chalk';
import type { Context } from '../../cli/context.js';
import { type AddOptions, type Advice, formatCommand } from '../../errors/advice.js';
import type { SecretReference } from '../../input/forms/secret-reference.js';
import type { LinePart } from '../../terminal/formats/columns.js';
import { cellText } from '../../terminal/formats/columns.js';
import type { TypedView } from '../../terminal/output/printer.js';
import { hasHidden } from '../../terminal/text/sanitize.js';
import { countNoun } from '../../text/count-noun.js';
import type { SecretTarget } from '../declaration/organization-file.js';
import type { KindPlan, PlanStep } from '../plan/plan.js';
import type { OrganizationFile } from '../read/file-entry.js';
import { listUnnamedKinds, notCompared, type StepValue, stepValue } from './plan-value.js';

export interface PlanRow {
  readonly kind: string;
  /** `+` create, `~` change, `-` delete, `=` unchanged, `!` manual; none for headings and fields. */
  readonly sign?: Sign;
  readonly name?: string;
  readonly id?: string | undefined;
  readonly field?: string;
  readonly from?: unknown;
  readonly to?: unknown;
  readonly said?: string;
}

type Sign = '+' | '~' | '-' | '=' | '!';

const signs: Readonly<Record<StepValue['action'], Sign>> = {
  create: '+',
  change: '~',
  delete: '-',
  enable: '!',
};

const signColors = { '+': 'green', '~': 'yellow', '-': 'red', '=': 'dim', '!': 'magenta' } as const;

/** Lines for people; a table if columns are chosen. */
export const planView: TypedView<PlanRow> = {
  columns: [
    { header: 'KIND', value: 'kind' },
    { header: 'SIGN', value: 'sign' },
    { header: 'NAME', value: 'name' },
    { header: 'ID', value: 'id' },
    { header: 'FIELD', value: 'field' },
    { header: 'FROM', value: 'from' },
    { header: 'TO', value: 'to' },
    // Never shortened: it says what is read and run.
    { header: 'SAID', value: 'said', id: true },
  ],
  line: paintRow,
};

function paintRow(row: PlanRow): readonly LinePart[] {
  const { kind, sign, name, id, field, said } = row;
  const aside = said === undefined ? [] : [{ text: said }];
  if (field !== undefined)
    return [{ text: `      ${field}:` }, ...(said === undefined ? showValues(row) : aside)];
  if (sign === undefined) return [{ text: kind, style: (text, chalk) => chalk.bold(text) }];
  const style = (text: string, chalk: ChalkInstance) => chalk[signColors[sign]](text);
  const named =
    name === undefined ? [] : [{ text: name, style }, ...(id === undefined ? [] : [{ text: `(${id})` }])];
  return [
    { text: `  ${sign}`, style },
    ...named,
    ...aside.map(({ text }) => ({ text, style: name === undefined ? style : undefined })),
  ];
}

function showValues({ from, to }: PlanRow): readonly LinePart[] {
  const after = { text: printValue(to) };
  return from === undefined ? [after] : [{ text: printValue(from) }, { text: '→' }, after];
}

/** Quotes text that is empty, or has whitespace at its start or end. */
function printValue(value: unknown): string {
  const text = cellText(value);
  return typeof value === 'string' && /^\s*$|^\s|\s$/.test(value) ? JSON.stringify(value) : text;
}

export interface ShownPlan {
  readonly plans: readonly KindPlan[];
  readonly file: Pick<OrganizationFile, 'kinds'>;
  /** Deletions that make room in the quota. */
  readonly firstDeletions: ReadonlySet<PlanStep>;
}

export function* planRows(
  { plans, file, firstDeletions }: ShownPlan,
  addOptions?: AddOptions,
): Iterable<PlanRow> {
  for (const plan of plans) {
    const { kind } = plan.resource;
    const { kept, steps, unchanged, leftAlone } = plan;
    yield { kind };
    for (const step of steps) {
      const rows = listRows(stepValue(step), addOptions);
      yield* firstDeletions.has(step) ? rows.map((row) => ({ ...row, said: firstSaid })) : rows;
    }
    if (kept !== undefined)
      yield { kind, sign: '=', name: String(kept['name']), id: kept.id, said: keptSaid };
    if (unchanged > 0 || steps.length === 0) yield { kind, sign: '=', said: `${unchanged} unchanged` };
    if (leftAlone > 0) yield { kind, sign: '=', said: `${leftAlone} not in the file, so unchanged` };
    yield* hiddenRows(plan);
  }
  for (const { kind } of listUnnamedKinds(file)) {
    yield { kind };
    yield { kind, sign: '=', said: 'not in the file, so unchanged' };
  }
}

const firstSaid = 'deleted first, to make room in the quota';
const keptSaid = 'the key you are using: not changed';

function listRows(step: StepValue, addOptions: AddOptions | undefined): readonly PlanRow[] {
  const { kind, action, name, id, changes = [], secrets = [], secretTo } = step;
  const enable = ['orgctl', 'local', 'keys', 'enable', id ?? ''];
  const said = `is disabled, and the API cannot enable it; use the console, or on a local server: ${formatCommand(addOptions?.(enable) ?? enable)}`;
  return [
    { kind, sign: signs[action], name, id, ...(action === 'enable' && { said }) },
    ...changes.map((change) => ({ kind, ...change })),
    ...secrets.map(({ field, sent, from }) => ({
      kind,
      field,
      said: sent ? `sent${from === undefined ? '' : `, from ${placeText(from)}`}` : hiddenSaid,
    })),
    ...(secretTo === undefined ? [] : [{ kind, field: 'secret', said: `to ${placeText(secretTo)}` }]),
  ];
}

function placeText(place: SecretReference | SecretTarget): string {
  if ('env' in place) return exactText(place.env);
  const [[kind, where] = ['', '']] = Object.entries(place);
  return `${kind} ${exactText(where)}`;
}

/** Quotes text that has line feeds or hidden characters, begins with a quote, or begins or ends with whitespace. */
function exactText(text: string): string {
  return text.includes('\n') || hasHidden(text) || /^["\s]|\s$/.test(text) ? JSON.stringify(text) : text;
}

const hiddenSaid = 'not compared; sent with --set-secrets';

function hiddenRows(plan: KindPlan): readonly PlanRow[] {
  const changed = new Set(plan.steps.flatMap((step) => ('existing' in step ? step.existing.id : [])));
  const hidden = new Map([...plan.hidden].filter(([id]) => !changed.has(id)));
  return Object.entries(notCompared({ ...plan, hidden })).map(([field, count]) => ({
    kind: plan.resource.kind,
    field,
    said: count === 1 ? hiddenSaid : `${hiddenSaid} (${count})`,
  }));
}

const summaryWords: Readonly<Record<StepValue['action'], string>> = {
  create: 'to create',
  change: 'to change',
  delete: 'to delete',
  enable: 'to enable by hand',
};

export function summarizePlan(plans: readonly KindPlan[]): string {
  const actions = plans.flatMap(({ steps }) => steps.map(({ action }) => action));
  const counts = Object.entries(summaryWords).flatMap(([action, words]) => {
    const count = actions.filter((one) => one === action).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  const unchanged = plans.reduce((sum, plan) => sum + plan.unchanged, 0);
  return counts.length === 0
    ? `nothing to change (${unchanged} unchanged)`
    : `${counts.join(', ')}; ${unchanged} unchanged`;
}

/** `summarizePlan`, followed by what is not in the file, such as "not in the file: 2 teams, all API keys". */
export function summarizeFile(plans: readonly KindPlan[], file: Pick<OrganizationFile, 'kinds'>): string {
  const left = [
    ...plans
      .filter(({ leftAlone }) => leftAlone > 0)
      .map(({ resource, leftAlone }) => countNoun(leftAlone, resource.singular, resource.plural)),
    ...listUnnamedKinds(file).map(({ plural }) => `all ${plural}`),
  ];
  return `${summarizePlan(plans)}${left.length === 0 ? '' : `; not in the file: ${left.join(', ')}`}`;
}

/** How to enable keys by hand, because the API cannot; `undefined` if there are none to enable. */
export function adviseEnabling(
  plans: readonly KindPlan[],
): { readonly count: number; readonly advice: Advice } | undefined {
  const keys = plans.flatMap(({ steps }) =>
    steps.flatMap((step) => (step.action === 'enable' ? [step.existing.id] : [])),
  );
  const [id] = keys;
  if (id === undefined) return undefined;
  const hint = `enable ${keys.length === 1 ? 'it' : 'them'} in the management console; on a local server`;
  return { count: keys.length, advice: { hint, next: ['orgctl', 'local', 'keys', 'enable', id] } };
}

/** Shows a plan on stderr; stdout is for the results. */
export async function showPlan(shown: ShownPlan, context: Context): Promise<void> {
  const { printLines } = await import('../../terminal/formats/lines.js');
  const { decideColor } = await import('../../terminal/text/color.js');
  const { stderr } = context.streams;
  const color = decideColor(context.settings().color().value, context.system.env, stderr);
  const lines: string[] = [];
  for await (const line of printLines(planRows(shown, await context.optionAdder()), paintRow, color))
    lines.push(line);
  await stderr.write(lines.join(''));
}
