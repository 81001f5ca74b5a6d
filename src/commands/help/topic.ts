/** A page of help that belongs to no one command. */
export interface Topic {
  readonly name: string;
  readonly summary: string;
  /** What the page says, as data. */
  readonly value: () => unknown;
  /** The page as people read it, lines wrapped to a width. */
  readonly text: (width: number) => string;
}
