import type { ExplainableRequest, Signed, SignedLine } from './signed.js';

/** A known mistake and its fix. */
export interface NamedMistake {
  /** Stable; `+` joins the IDs of a pair. */
  readonly id: string;
  /** Completes the sentence "The signature was made …", or "The signature is …" with `ofForm`. */
  readonly description: string;
  /** Whether only the form of the signature is wrong. */
  readonly ofForm?: true;
  /** The mistake as a full clause, where that is clearer than `description`. */
  readonly clause?: string;
  /** An imperative sentence in lower case, without a period. */
  readonly advice: string;
}

/** A row of the table of mistakes. */
export interface SigningMistake extends NamedMistake {
  /** What it alters. Two mistakes in one aspect are never combined. */
  readonly aspect: string;
  /** What is signed instead; forms that change nothing are skipped. `right` may already hold another mistake. */
  readonly forms: (right: Signed, request: ExplainableRequest) => readonly Partial<Signed>[];
  /** Rare, or with too many forms to combine with another mistake. */
  readonly isAlone?: true;
}

/** A row that alters one part alone; its forms are texts of that part. */
interface PartMistake extends Omit<SigningMistake, 'aspect' | 'forms'> {
  readonly forms: (part: string, request: ExplainableRequest) => readonly string[];
}

/** Rows that alter the same aspect. */
export function about(aspect: string, rows: readonly Omit<SigningMistake, 'aspect'>[]): SigningMistake[] {
  return rows.map((row) => ({ ...row, aspect }));
}

/** Rows that alter the same part, and nothing else. */
export function aboutPart(
  aspect: string,
  part: SignedLine | 'key' | 'separator',
  rows: readonly PartMistake[],
): SigningMistake[] {
  return rows.map((row) => ({
    ...row,
    aspect,
    forms: (right, request) => row.forms(right[part], request).map((form) => ({ [part]: form })),
  }));
}

/** The mistakes in one sentence, in lower case, without a period. */
export function describeMistakes(mistakes: readonly NamedMistake[]): string {
  const clauses = mistakes.flatMap(({ clause }) => clause ?? []);
  const others = mistakes.filter(({ clause }) => clause === undefined);
  const made = others.filter(({ ofForm }) => !ofForm).map(({ description }) => description);
  const forms = others.filter(({ ofForm }) => ofForm).map(({ description }) => `is ${description}`);
  const predicates = [...(made.length === 0 ? [] : [`was made ${made.join(', and ')}`]), ...forms];
  if (predicates.length > 0) clauses.push(`the signature ${predicates.join(', and ')}`);
  return clauses.join(', and ');
}
