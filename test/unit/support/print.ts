import { Printer, type PrinterOptions } from '../../../src/terminal/output/printer.js';
import { makeStreams } from '../../../src/terminal/output/streams.js';
import { type MemorySystem, memorySystem } from '../../support/memory-system.js';

export type PrintOptions = Partial<Omit<PrinterOptions, 'streams'>> & { readonly width?: number };

/** A printer and the system whose outputs it writes to. */
export function openPrinter({ width, ...options }: PrintOptions): { system: MemorySystem; printer: Printer } {
  const system = memorySystem(width === undefined ? {} : { isTTY: true, columns: width });
  const streams = makeStreams(system);
  const printer = new Printer({ streams, format: 'table', color: false, quiet: false, ...options });
  return { system, printer };
}

/** What a printer puts on both outputs; `width` makes them a terminal. */
export async function print(
  options: PrintOptions,
  act: (printer: Printer) => Promise<void>,
): Promise<{ stdout: string; stderr: string }> {
  const { system, printer } = openPrinter(options);
  await act(printer);
  return { stdout: system.stdoutText(), stderr: system.stderrText() };
}
