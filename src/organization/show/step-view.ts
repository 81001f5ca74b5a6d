import { resources, toSingular } from '../../api/resources/index.js';
import { toRowField } from '../../api/resources/resource.js';
import type { BulkRow } from '../../commands/resource/bulk.js';
import type { LinePart } from '../../terminal/formats/columns.js';
import type { View } from '../../terminal/output/printer.js';

/** Lines such as `created team platform (team_0)`, to fit narrow terminals; a table if columns are chosen. */
export const stepView: View<BulkRow> = {
  columns: [
    { header: 'KIND', value: 'kind' },
    { header: 'NAME', value: 'name' },
    { header: 'RESULT', value: 'result' },
    { header: 'ID', value: 'id' },
    { header: 'ERROR', value: 'error' },
  ],
  line: paintStep,
  fields: ['code', ...resources.map(toRowField)],
  example: { kind: 'teams', name: 'example', result: 'created' },
};

const resultColors: ReadonlyMap<unknown, 'green' | 'yellow' | 'red'> = new Map([
  ['created', 'green'],
  ['changed', 'yellow'],
  ['deleted', 'red'],
]);

function paintStep({ kind, name, result, id, error }: BulkRow): readonly LinePart[] {
  return [
    { text: String(result), style: (text, chalk) => chalk[resultColors.get(result) ?? 'magenta'](text) },
    { text: toSingular(String(kind)) },
    { text: String(name) },
    ...(id === undefined ? [] : [{ text: `(${id})` }]),
    ...(error === undefined ? [] : [{ text: `- ${error}` }]),
  ];
}
