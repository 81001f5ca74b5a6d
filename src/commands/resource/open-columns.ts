import type { Context } from '../../cli/context.js';
import { assertKnownColumns, parseColumns, type View } from '../../terminal/formats/columns.js';
import type { Rows } from '../../terminal/formats/format.js';
import { readFurtherColumns } from '../../terminal/output/further-columns.js';

/** Checks the output of a command that reads, except columns: only rows show which there are. @throws UsageError */
export async function checkReading<Row>(
  view: View<Row>,
  shape: 'value' | 'list',
  context: Context,
): Promise<void> {
  if (!namesColumns(context)) (await context.printer()).check(view, shape);
}

/** Lets `--columns` name whatever `-o wide` shows of these rows. @throws UsageError for a column that none has */
export async function openColumns<Row>(
  rows: Rows<Row>,
  view: View<Row>,
  context: Context,
): Promise<{ readonly rows: Rows<Row>; readonly view: View<Row> }> {
  const { columns } = context.flags();
  if (columns === undefined || !namesColumns(context)) return { rows, view };
  let hasRows = false;
  async function* watched(): AsyncGenerator<Row> {
    for await (const row of rows) {
      hasRows = true;
      yield row;
    }
  }
  const wide = await readFurtherColumns(watched(), view, { wide: true });
  const open = { ...view, fields: [...(view.fields ?? []), ...(wide.view.fields ?? [])] };
  if (hasRows) assertKnownColumns(open, parseColumns(columns));
  return { rows: wide.rows, view: { ...open, isOpen: true } };
}

function namesColumns(context: Context): boolean {
  const { columns, query } = context.flags();
  return columns !== undefined && query === undefined;
}
