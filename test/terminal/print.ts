import { makePrinter, type Printer, type PrinterOptions } from '../../src/terminal/output/printer.js';
import { makeStreams } from '../../src/terminal/output/streams.js';
import { memorySystem } from '../support/memory-system.js';

export type PrintOptions = Partial<Omit<PrinterOptions, 'streams'>> & { readonly width?: number };

/** What a printer puts on both outputs; `width` makes them a terminal. */
export async function print(
  options: PrintOptions,
  act: (printer: Printer) => Promise<void>,
): Promise<{ stdout: string; stderr: string }> {
  const { width, ...printer } = options;
  const system = memorySystem(width === undefined ? {} : { isTTY: true, columns: width });
  const streams = makeStreams(system);
  await act(makePrinter({ streams, format: 'table', color: false, quiet: false, ...printer }));
  return { stdout: system.stdoutText(), stderr: system.stderrText() };
}
