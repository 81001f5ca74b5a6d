import type { OutputChoice } from '../api/option-values.js';
import { UsageError } from '../errors/errors.js';
import { Printer } from '../terminal/output/printer.js';
import type { Streams } from '../terminal/output/streams.js';
import { decideColor } from '../terminal/text/color.js';
import type { Context } from './context.js';

/** @throws UsageError for options that do not go together */
export async function openPrinter(format: OutputChoice, streams: Streams, context: Context) {
  const { quiet = false, raw = false, headers, columns, query } = context.flags();
  if (raw && query === undefined) throw new UsageError('--raw needs --query');
  if (columns !== undefined && (raw || !['table', 'wide', 'csv'].includes(format)))
    throw new UsageError(`--columns is for table and csv, not for ${raw ? '--raw' : format}`);
  const queries = query === undefined ? undefined : await import('../terminal/query/query.js');
  return new Printer({
    ...{ streams, quiet, raw, headers, addOptions: context.optionAdder },
    format: format === 'wide' ? 'table' : format,
    wide: format === 'wide',
    color: decideColor(context.settings().color().value, context.system.env, streams.stdout),
    query: query === undefined ? undefined : await queries?.compileQuery(query),
    columns: columns?.split(',').map((name) => name.trim()),
  });
}
