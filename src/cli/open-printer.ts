import type { OutputChoice } from '../api/option-values.js';
import { UsageError } from '../errors/errors.js';
import { parseColumns } from '../terminal/formats/columns.js';
import { makePrinter, type Printer } from '../terminal/output/printer.js';
import type { Streams } from '../terminal/output/streams.js';
import type { CompiledExpression } from '../terminal/query/query.js';
import { decideColor } from '../terminal/text/color.js';
import type { Context } from './context.js';

/** The printer that the options ask for. @throws UsageError for options that do not go together */
export async function openPrinter(
  format: OutputChoice,
  streams: Streams,
  context: Context,
): Promise<Printer> {
  const { quiet = false, raw = false, headers, columns, query } = context.flags();
  if (raw && query === undefined) {
    throw new UsageError('--raw needs --query', { hint: "for example --query '[].id' --raw" });
  }
  if (columns !== undefined && (raw || !['table', 'wide', 'csv'].includes(format))) {
    throw new UsageError(`--columns is for table and csv, not for ${raw ? '--raw' : format}`, {
      hint: "add -o table or -o csv; or select fields: --query '[].{id: id, name: name}'",
    });
  }
  return makePrinter({
    ...{ streams, quiet, raw, headers, addOptions: context.optionAdder },
    format: format === 'wide' ? 'table' : format,
    wide: format === 'wide',
    color: decideColor(context.settings().color().value, context.system.env, streams.stdout),
    query: query === undefined ? undefined : await compile(query),
    columns: columns === undefined ? undefined : parseColumns(columns),
  });
}

async function compile(query: string): Promise<CompiledExpression> {
  return (await import('../terminal/query/query.js')).compileQuery(query);
}
