/** A change of the sources that no test can notice, for it changes nothing that anybody could. */
export interface NoFault {
  readonly file: string;
  /** The line, without its indentation. */
  readonly line: string;
  /** What stands in the place of a part of it; of several alike, all. */
  readonly becomes: string;
  readonly reason: string;
}

export const noFaults: readonly NoFault[] = [
  {
    file: 'src/commands/attempts.ts',
    line: "return outcome.kind === 'failed' && reportOf(outcome.error).code === 'rate_limited';",
    becomes: 'true',
    reason:
      'the kind is asked for the compiler alone: what was done has no error, and what is unknown has another code',
  },
  {
    file: 'src/commands/bulk.ts',
    line: 'return notDone.reduce((sum, result) => sum + (this.#counts.get(result) ?? 0), 0);',
    becomes: 'sum - (this.#counts.get(result) ?? 0)',
    reason:
      'only whether the sum is 0 is asked, and a sum of negative numbers is 0 where that of the numbers is',
  },
  {
    file: 'src/commands/bulk.ts',
    line: 'const row = { ...entries[at++]?.label, ...rowOf(outcome) };',
    becomes: 'entries[at++].label',
    reason: 'there are as many outcomes as entries, which the compiler does not know',
  },
];
