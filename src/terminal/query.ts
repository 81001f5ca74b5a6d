import type { JSONValue } from '@jmespath-community/jmespath';
import { messageOf, UsageError } from '../errors.js';
import { exactQuery, hasExactNumber } from './exact-query.js';

/** A compiled `--query`: from a JSON value to what is printed in its place. @throws UsageError when it does not apply */
export type Query = (value: unknown) => unknown;

/**
 * Compiles a JMESPath expression (jmespath.site), so that a wrong one is refused before any request is sent.
 *
 * @throws UsageError for what does not parse, or calls a function that does not exist
 */
export async function compileQuery(expression: string): Promise<Query> {
  const library = await import('@jmespath-community/jmespath');
  const { compile, isRegistered, TreeInterpreter } = library;
  const tree = attempt(expression, () => compile(expression));
  // The library finds out only when it gets there, which is after the request.
  const unknown = calledFunctions(tree).find((name) => !isRegistered(name));
  if (unknown !== undefined) throw badQuery(expression, `there is no function ${unknown}()`);
  return (value) => {
    const answer: unknown = attempt(expression, () =>
      TreeInterpreter.search(
        hasExactNumber(value) ? exactQuery(tree, library) : tree,
        isJson(value) ? value : null,
      ),
    );
    return isJson(answer) ? answer : null;
  };
}

function attempt<T>(expression: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw badQuery(expression, messageOf(error), error);
  }
}

function badQuery(expression: string, reason: string, cause?: unknown): UsageError {
  return new UsageError(`--query ${JSON.stringify(expression)}: ${reason}`, {
    hint: 'the syntax is that of JMESPath: https://jmespath.site/main/',
    cause,
  });
}

function calledFunctions(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.values(node).flatMap(calledFunctions);
  const isCall = 'type' in node && node.type === 'Function' && 'name' in node;
  return isCall ? [String(node.name), ...inner] : inner;
}

// Data comes out of JSON.parse, where only an absent value has no place; an answer may be a function of a prototype.
function isJson(value: unknown): value is JSONValue {
  return value === null || ['object', 'string', 'number', 'boolean'].includes(typeof value);
}
