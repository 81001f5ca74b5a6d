import type { ChalkInstance } from 'chalk';
import { resources, toSingular } from '../api/resources/index.js';
import { toRowField } from '../api/resources/resource.js';
import type { Context } from '../cli/context.js';
import type { BulkRow } from '../commands/resource/bulk.js';
import type { SecretReference } from '../input/forms/secret-reference.js';
import { cellText, type LinePart, type View } from '../terminal/formats/columns.js';
import { printLines } from '../terminal/formats/format.js';
import { decideColor } from '../terminal/text/color.js';
import { hasHidden } from '../terminal/text/sanitize.js';
import type { SecretTarget } from './file.js';
import { countFields, type KindPlan, listUnnamedKinds } from './plan.js';
import type { OrganizationFile } from './read-file.js';
import type { Action, StepValue } from './step.js';

/** A line of a plan: a kind's heading, a step or a remark, or a field below it. */
export interface PlanRow {
  readonly kind: string;
  readonly sign?: Sign;
  readonly name?: string;
  readonly id?: string | undefined;
  readonly field?: string;
  readonly from?: unknown;
  readonly to?: unknown;
  readonly said?: string;
}

type Sign = '+' | '~' | '-' | '=' | '!';

const signs: Readonly<Record<Action, Sign>> = { create: '+', change: '~', delete: '-', enable: '!' };
const signColors = { '+': 'green', '~': 'yellow', '-': 'red', '=': 'dim', '!': 'magenta' } as const;

/** Lines for people; a table if columns are chosen. */
export const planView: View<PlanRow> = {
  columns: [
    ...(['kind', 'sign', 'name', 'id', 'field', 'from', 'to'] as const).map((value) => ({
      header: value.toUpperCase(),
      value,
    })),
    // Never shortened: it says what is read and run.
    { header: 'SAID', value: 'said', id: true },
  ],
  line: paintRow,
};

function paintRow({ kind, sign, name, id, field, from, to, said }: PlanRow): readonly LinePart[] {
  const aside = said === undefined ? [] : [said];
  if (field !== undefined) {
    const values = from === undefined ? [printValue(to)] : [printValue(from), '→', printValue(to)];
    return [`      ${field}:`, ...(said === undefined ? values : aside)].map((text) => ({ text }));
  }
  if (sign === undefined) return [{ text: kind, style: (text, chalk) => chalk.bold(text) }];
  const style = (text: string, chalk: ChalkInstance) => chalk[signColors[sign]](text);
  const plain = [...(id === undefined ? [] : [`(${id})`]), ...aside].map((text) => ({ text }));
  if (name === undefined) return [`  ${sign}`, ...aside].map((text) => ({ text, style }));
  return [{ text: `  ${sign}`, style }, { text: name, style }, ...plain];
}

function printValue(value: unknown): string {
  return typeof value === 'string' ? quoteIfUnclear(value) : cellText(value);
}

export function* planRows(plans: readonly KindPlan[], file: OrganizationFile): Iterable<PlanRow> {
  for (const { resource, steps, kept, unchanged, unsent, leftAlone } of plans) {
    const { kind } = resource;
    yield { kind };
    for (const { value } of steps) yield* stepRows(value);
    if (kept !== undefined)
      yield { kind, sign: '=', name: String(kept['name']), id: kept.id, said: keptSaid };
    if (unchanged > 0 || steps.length === 0) yield { kind, sign: '=', said: `${unchanged} unchanged` };
    if (leftAlone > 0) yield { kind, sign: '=', said: `${leftAlone} ${unnamedSaid}` };
    for (const [field, count] of Object.entries(countFields(unsent)))
      yield { kind, field, said: count === 1 ? hiddenSaid : `${hiddenSaid} (${count})` };
  }
  for (const { kind } of listUnnamedKinds(file)) {
    yield { kind };
    yield { kind, sign: '=', said: unnamedSaid };
  }
}

const keptSaid = 'the key you are using: not changed';
const unnamedSaid = 'not in the file, so unchanged';
const hiddenSaid = 'not compared; sent with --set-secrets';
const enableSaid = 'is disabled, and the API cannot enable it; use the console, or orgctl local keys enable';

function* stepRows(step: StepValue): Iterable<PlanRow> {
  const { kind, action, name, id, secretTo } = step;
  yield { kind, sign: signs[action], name, id, ...(action === 'enable' && { said: enableSaid }) };
  for (const change of step.changes ?? []) yield { kind, ...change };
  for (const { field, sent, from } of step.secrets ?? []) {
    const sentSaid = from === undefined ? 'sent' : `sent, from ${placeText(from)}`;
    yield { kind, field, said: sent ? sentSaid : hiddenSaid };
  }
  if (secretTo !== undefined) yield { kind, field: 'secret', said: `to ${placeText(secretTo)}` };
}

function placeText(place: SecretReference | SecretTarget): string {
  const [[kind, where] = ['', '']] = Object.entries(place);
  return kind === 'env' ? quoteIfUnclear(where) : `${kind} ${quoteIfUnclear(where)}`;
}

/** Quotes text whose beginning or end would not be visible, or that has line breaks or hidden characters. */
function quoteIfUnclear(text: string): string {
  const isUnclear = text.includes('\n') || hasHidden(text) || /^$|^["\s]|\s$/.test(text);
  return isUnclear ? JSON.stringify(text) : text;
}

/** Shows a plan on stderr; stdout is for the results. */
export async function showPlan(
  plans: readonly KindPlan[],
  file: OrganizationFile,
  { streams: { stderr }, settings, system }: Context,
): Promise<void> {
  const color = decideColor(settings().color().value, system.env, stderr);
  let text = '';
  for await (const line of printLines(planRows(plans, file), paintRow, color)) text += line;
  await stderr.write(text);
}

const summaryWords: Readonly<Record<Action, string>> = {
  create: 'to create',
  change: 'to change',
  delete: 'to delete',
  enable: 'to enable by hand',
};

/** Such as `1 to create, 2 to delete; 3 unchanged`. */
export function summarizePlan(plans: readonly KindPlan[]): string {
  const actions = plans.flatMap(({ steps }) => steps.map(({ value }) => value.action));
  const counts = Object.entries(summaryWords).flatMap(([action, words]) => {
    const count = actions.filter((one) => one === action).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  const unchanged = plans.reduce((sum, plan) => sum + plan.unchanged, 0);
  if (counts.length === 0) return `nothing to change (${unchanged} unchanged)`;
  return `${counts.join(', ')}; ${unchanged} unchanged`;
}

/** Lines such as `created team platform (team_0)`; a table if columns are chosen. */
export const stepView: View<BulkRow> = {
  columns: (['kind', 'name', 'result', 'id', 'error'] as const).map((value) => ({
    header: value.toUpperCase(),
    value,
  })),
  line: ({ kind, name, result, id, error }) => [
    { text: String(result), style: (text, chalk) => chalk[resultColors.get(result) ?? 'magenta'](text) },
    { text: `${toSingular(String(kind))} ${name}` },
    ...(id === undefined ? [] : [{ text: `(${id})` }]),
    ...(error === undefined ? [] : [{ text: `- ${error}` }]),
  ],
  fields: ['code', ...resources.map(toRowField)],
};

const resultColors: ReadonlyMap<unknown, 'green' | 'yellow' | 'red'> = new Map([
  ['created', 'green'],
  ['changed', 'yellow'],
  ['deleted', 'red'],
]);
