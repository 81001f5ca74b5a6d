import { UsageError } from '../../errors/errors.js';

type Tokenizer = Pick<typeof import('@jmespath-community/jmespath'), 'tokenize'>;

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
  if (problem !== undefined) throw refuseQuery(expression, problem);
}

export function refuseQuery(expression: string, reason: string, cause?: unknown): UsageError {
  return new UsageError(`--query ${JSON.stringify(expression)}: ${reason}`, {
    hint: 'text is in single quotes, numbers in backticks, names with a hyphen in double quotes: https://jmespath.site/main/',
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
