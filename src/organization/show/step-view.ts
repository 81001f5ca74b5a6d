import type { ChalkInstance } from 'chalk';
import { resources } from '../../api/resources/index.js';
import { rowFieldOf } from '../../api/resources/resource.js';
import type { LinePart } from '../../terminal/formats/columns.js';
import type { View } from '../../terminal/output/printer.js';
import type { BulkRow } from '../../verbs/bulk.js';

/** Lines such as `created teams platform (team_0)`, to fit narrow terminals; a table if columns are named. */
export const stepView: View<BulkRow> = {
  columns: [
    { header: 'KIND', value: 'kind' },
    { header: 'NAME', value: 'name' },
    { header: 'RESULT', value: 'result' },
    { header: 'ID', value: 'id' },
    { header: 'ERROR', value: 'error' },
  ],
  line: partsOf,
  fields: ['code', ...resources.map(rowFieldOf)],
  example: { kind: 'teams', name: 'example', result: 'created' },
};

function partsOf({ kind, name, result, id, error }: BulkRow): readonly LinePart[] {
  return [
    { text: String(result), style: paintOf(result) },
    { text: String(kind) },
    { text: String(name) },
    ...(id === undefined ? [] : [{ text: `(${id})` }]),
    ...(error === undefined ? [] : [{ text: `- ${error}` }]),
  ];
}

const paints: ReadonlyMap<unknown, (text: string, chalk: ChalkInstance) => string> = new Map([
  ['created', (text: string, chalk: ChalkInstance) => chalk.green(text)],
  ['changed', (text: string, chalk: ChalkInstance) => chalk.yellow(text)],
  ['deleted', (text: string, chalk: ChalkInstance) => chalk.red(text)],
]);

function paintOf(result: unknown): (text: string, chalk: ChalkInstance) => string {
  return paints.get(result) ?? ((text, chalk) => chalk.magenta(text));
}
