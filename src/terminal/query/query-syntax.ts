import { UsageError } from '../../errors/errors.js';
import { quoteForShell } from '../../text/shell-quote.js';

export type Tokenizer = Pick<typeof import('@jmespath-community/jmespath'), 'tokenize'>;

interface Token {
  readonly start: number;
  readonly type: string;
  readonly value: unknown;
}

/**
 * Refuses what the package reads although it is not JMESPath, because each of these would select other values than
 * meant: `[?a = 'b']` and `[?&a]` everything, `[0-1]` the first, `[ ]` nothing.
 * @throws UsageError
 */
export function assertJmespath(expression: string, tree: unknown, library: Tokenizer): void {
  const problem = findForeignNode(tree) ?? findForeignToken(expression, library);
  if (problem !== undefined) throw refuseQuery(expression, problem, library);
}

/** @returns an error with a corrected query in its hint, if one can be derived */
export function refuseQuery(
  expression: string,
  reason: string,
  library: Tokenizer,
  cause?: unknown,
): UsageError {
  return new UsageError(`--query ${JSON.stringify(expression)}: ${reason}`, {
    hint: adviseSyntax(expression, library),
    cause,
  });
}

/** Types of nodes that JMESPath allows only as children of another type. */
const parents: Readonly<Record<string, { readonly parent: string; readonly problem: string }>> = {
  Binding: { parent: 'LetExpression', problem: 'a single = does not compare; write ==' },
  ExpressionReference: {
    parent: 'Function',
    problem: 'a single & is only for arguments of functions; write &&',
  },
};

function findForeignNode(node: unknown, parent?: unknown): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined;
  const type = 'type' in node ? node.type : undefined;
  if (type === 'Literal') return undefined;
  const rule = typeof type === 'string' ? parents[type] : undefined;
  if (rule !== undefined && rule.parent !== parent) return rule.problem;
  if (type === 'MultiSelectList' && 'children' in node && Object(node.children).length === 0)
    return 'the brackets are empty; write [] or [*]';
  // Arrays of children belong to the node that has them.
  const above = Array.isArray(node) ? parent : type;
  for (const child of Object.values(node)) {
    const problem = findForeignNode(child, above);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function findForeignToken(expression: string, library: Tokenizer): string | undefined {
  const tokens = readTokens(expression, library);
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'Number') continue;
    const end = tokens[at + 1]?.start ?? expression.length;
    const text = expression.slice(token.start, end).trim();
    if (text.includes('-', 1)) return `${text} is not a number`;
    if (tokens[at + 1]?.type === 'Number') return 'a colon is missing between two numbers';
  }
  // The lexer ends an open quote at the end of the text, so that it would hold what is added there.
  const isClosed = readTokens(`${expression} @`, library).length === tokens.length + 1;
  return isClosed ? undefined : 'the last quote is not closed';
}

function readTokens(expression: string, { tokenize }: Tokenizer): readonly Token[] {
  try {
    return tokenize(expression);
  } catch {
    return [];
  }
}

interface Correction {
  readonly advice: string;
  correct(expression: string, tokens: readonly Token[]): string;
}

/** JMESPath reads hyphens as minus signs, bare words as fields, and `=` as an assignment. It rejects bare numbers. */
const corrections: readonly Correction[] = [
  { advice: 'backticks are for JSON; put text in single quotes', correct: quoteWords },
  { advice: 'write == to compare', correct: doubleEquals },
  { advice: 'quote a name with a hyphen', correct: quoteHyphenated },
  { advice: 'put a number in backticks and text in single quotes', correct: markNumbers },
];

function adviseSyntax(expression: string, library: Tokenizer): string {
  const advice: string[] = [];
  let text = expression;
  for (const { advice: one, correct } of corrections) {
    const corrected = correct(text, readTokens(text, library));
    if (corrected !== text) advice.push(one);
    text = corrected;
  }
  if (text === expression) return 'see the JMESPath syntax: https://jmespath.site/main/';
  return `${advice.join(', ')}: ${quoteQuery(text)}`;
}

/** Double quotes are easier to read for a query with text, but a shell changes more within them. */
function quoteQuery(text: string): string {
  return text.includes("'") && !/["$`\\!]/.test(text) ? `"${text}"` : quoteForShell(text);
}

/** Replaces `length` characters at each place. */
function replaceAt(
  text: string,
  places: readonly { readonly start: number; readonly length: number; readonly by: string }[],
): string {
  return places.reduceRight(
    (rest, { start, length, by }) => `${rest.slice(0, start)}${by}${rest.slice(start + length)}`,
    text,
  );
}

/** Such a text has no tokens: the lexer refuses it. */
function quoteWords(expression: string): string {
  return expression.replaceAll(/`([\w-]+)`/g, (whole, word) => (isJson(word) ? whole : `'${word}'`));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function doubleEquals(expression: string, tokens: readonly Token[]): string {
  const single = tokens.flatMap(({ type, start }, at) => {
    const before = tokens[at - 1]?.type;
    if (type !== 'Assign' || before === 'Variable') return [];
    return [{ start, length: 1, by: before === 'EQ' ? '' : '==' }];
  });
  return replaceAt(expression, single);
}

function markNumbers(expression: string, tokens: readonly Token[]): string {
  const bare = tokens.filter((token, at) => isBareNumber(token, tokens[at - 1]));
  return replaceAt(
    expression,
    bare.map(({ start, value }) => ({ start, length: String(value).length, by: `\`${value}\`` })),
  );
}

function isBareNumber({ type }: Token, before: Token | undefined): boolean {
  return type === 'Number' && before?.type !== 'Lbracket' && before?.type !== 'Colon';
}

/** Quotes each run of names joined only by hyphens, without spaces. */
function quoteHyphenated(expression: string, tokens: readonly Token[]): string {
  let text = expression;
  for (let last = tokens.length - 1; last > 0; last -= 1) {
    let first = last;
    while (isJoined(tokens, first)) first -= 2;
    const [from, to] = [tokens[first], tokens[last]];
    if (from === undefined || to === undefined || first === last) continue;
    const end = to.start + String(to.value).length;
    text = `${text.slice(0, from.start)}"${text.slice(from.start, end)}"${text.slice(end)}`;
    last = first;
  }
  return text;
}

/** Whether the token at `at` is a name that a hyphen without spaces joins to the preceding name. */
function isJoined(tokens: readonly Token[], at: number): boolean {
  const [name, hyphen, next] = [tokens[at - 2], tokens[at - 1], tokens[at]];
  return (
    name?.type === 'UnquotedIdentifier' &&
    hyphen?.type === 'Minus' &&
    next?.type === 'UnquotedIdentifier' &&
    name.start + String(name.value).length === hyphen.start &&
    hyphen.start + 1 === next.start
  );
}
