import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from '../src/api/schema/schema.js';
import { type Comparison, toTable } from './comparison.js';

/**
 * Measures if `file` is the program, not if it is only imported. Numbers on the command line, such as `--rounds 3`,
 * override the usual ones. Prints a table, or JSON with `--json`.
 */
export async function whenStarted<Name extends string>(
  file: string,
  usual: Readonly<Record<Name, number>>,
  measure: (numbers: Readonly<Record<Name, number>>) => Promise<Comparison[]>,
): Promise<void> {
  if (process.argv[1] !== fileURLToPath(file)) return;
  const { numbers, json } = readNumbers(usual);
  const comparisons = await measure(numbers);
  const head = { node: process.version, ...numbers };
  console.log(json ? JSON.stringify({ ...head, comparisons }, null, 2) : toTable(comparisons));
}

/** @throws for an unknown flag, or a value that is not a number above zero */
export function readNumbers<Name extends string>(usual: Readonly<Record<Name, number>>) {
  const names = Object.keys(usual);
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
      json: { type: 'boolean', default: false },
    },
  });
  const given: Readonly<Record<string, unknown>> = values;
  const numbers: Record<Name, number> = { ...usual };
  const positive = z.number().check(z.positive());
  for (const name in usual) {
    if (given[name] !== undefined) numbers[name] = z.parse(positive, Number(given[name]));
  }
  return { numbers, json: values.json === true };
}
