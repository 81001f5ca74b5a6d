export interface Topic {
  readonly name: string;
  readonly summary: string;
  readonly value: () => unknown;
  readonly text: (width: number) => string;
}
