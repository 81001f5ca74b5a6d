import { ExactNumber } from '../../text/exact-number.js';
import { toSnakeCase } from '../../text/field-case.js';
import { cellValue, type View } from '../formats/columns.js';
import type { Rows } from '../formats/format.js';
import { readStart } from './batches.js';

/** As many rows as determine the layout of a table. */
const firstRows = 100;

interface WideOption {
  readonly wide?: boolean | undefined;
}

/** All rows, and the view with further fields of the first rows. */
export async function readFurtherColumns<Row>(
  rows: Rows<Row>,
  view: View<Row>,
  options: WideOption,
): Promise<{ readonly rows: Rows<Row>; readonly view: View<Row> }> {
  if (!(options.wide && view.isRecord)) return { rows, view };
  const start = await readStart(toBatches(rows));
  return { rows: start.rows, view: addFurtherColumns(start.first, view, options) };
}

/** The view without further fields that no row has, such as fields that only other services send. */
export function omitUnsent<Row>(rows: Iterable<Row>, view: View<Row>): View<Row> {
  const all = [...rows];
  const isSent = (name: string) =>
    all.some((row) => cellValue(row, { header: '', value: name }) !== undefined);
  return { ...view, fields: view.fields?.filter(isSent) };
}

/** The view with further scalar fields of the rows, in the service's order. */
export function addFurtherColumns<Row>(
  rows: Iterable<Row>,
  view: View<Row>,
  { wide }: WideOption,
): View<Row> {
  if (!(wide && view.isRecord)) return view;
  const names = new Set([...rows].flatMap((row) => listFurtherFields(row, view)));
  return { ...view, fields: [...(omitUnsent(rows, view).fields ?? []), ...names] };
}

function listFurtherFields<Row>(row: Row, { columns, fields = [] }: View<Row>): readonly string[] {
  if (typeof row !== 'object' || row === null) return [];
  const known = new Set<unknown>([...columns.map(({ value }) => value), ...fields]);
  return Object.entries(row).flatMap(([name, value]) => {
    const isShown = known.has(name) || known.has(toSnakeCase(name));
    return isShown || !isScalar(value) ? [] : [name];
  });
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) || value instanceof ExactNumber;
}

/** If the source fails, yields the rows read so far before it throws. */
async function* toBatches<Row>(rows: Rows<Row>): AsyncGenerator<readonly Row[]> {
  let batch: Row[] = [];
  try {
    for await (const row of rows) {
      if (batch.push(row) < firstRows) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    yield batch;
    throw error;
  }
  yield batch;
}
