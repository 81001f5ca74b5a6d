/** A possible completion of the word at the cursor. */
export interface Candidate {
  readonly value: string;
  /** What it means, for shells that show it. */
  readonly description?: string | undefined;
}
