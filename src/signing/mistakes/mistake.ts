import type { ExplainableRequest, Signed, SignedLine } from './signed.js';

export interface NamedMistake {
  /** Stable; `+` joins the IDs of a pair. */
  readonly id: string;
  /** Completes the sentence "The signature was made …", or "The signature is …" with `ofForm`. */
  readonly description: string;
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

/** Forms that are texts are texts of the part. */
interface PartMistake extends Omit<SigningMistake, 'id' | 'aspect' | 'forms'> {
  /** Default: the part. */
  readonly aspect?: string;
  readonly forms: (
    text: string,
    request: ExplainableRequest,
    right: Signed,
  ) => readonly (string | Partial<Signed>)[];
}

export function ofPart(
  part: SignedLine | 'key' | 'separator' | 'keyed' | 'algorithm',
  rows: Readonly<Record<string, PartMistake>>,
): SigningMistake[] {
  const toForm = (form: string | Partial<Signed>) => (typeof form === 'string' ? { [part]: form } : form);
  return Object.entries(rows).map(([id, row]) => ({
    id,
    aspect: part,
    ...row,
    forms: (right, request) => row.forms(right[part], request, right).map(toForm),
  }));
}

export function describeMistakes(mistakes: readonly NamedMistake[]): string {
  const others = mistakes.filter(({ clause }) => clause === undefined);
  const made = others.filter(({ ofForm }) => !ofForm).map(({ description }) => description);
  const forms = others.filter(({ ofForm }) => ofForm).map(({ description }) => `is ${description}`);
  const predicates = [...(made.length === 0 ? [] : [`was made ${made.join(', and ')}`]), ...forms];
  const clauses = mistakes.flatMap(({ clause }) => clause ?? []);
  if (predicates.length > 0) clauses.push(`the signature ${predicates.join(', and ')}`);
  return clauses.join(', and ');
}
