import { closestMatch } from 'leven';
import { collectionPaths, operations } from '../../api/operations.js';
import { redactedTarget } from '../../redaction/redact.js';
import type { Explanation } from '../../signing/refusals/refusal.js';

const longestCompared = 100;

/** Does not reveal whether another organization has it. */
export function explainUnknownId(): Explanation {
  return {
    reason: 'the organization of the key has no resource with this ID',
    advice: 'check the ID: it was deleted, was never issued, or belongs to another organization',
  };
}

/** @param path of the target, without its query */
export function explainUnknownPath(method: string, path: string): Explanation {
  const calls = operations();
  const here = calls.filter((call) => matches(call.path, path));
  const [first] = here;
  if (first === undefined) {
    const asked = path.slice(0, longestCompared);
    const near = closestMatch(asked, [...collectionPaths()], { maxDistance: Math.floor(asked.length / 2) });
    const reason = `the API has no path ${redactedTarget(path)}`;
    return near === undefined
      ? { reason }
      : { reason, advice: `did you mean ${near}`, remedy: { step: 'edit', path: near } };
  }
  const withId = calls.find((call) => call.method === method && call.path === `${first.path}/{id}`);
  if (withId !== undefined) return { reason: 'the ID is missing', advice: `send ${method} ${withId.path}` };
  const methods = here.map((call): string => call.method);
  const meant =
    methods.length === 1 ? methods[0] : methods.find((one) => one === 'PATCH' && method === 'PUT');
  return {
    reason: `${first.path} has no ${method}`,
    advice: `methods of this path: ${methods.join(', ')}`,
    ...(meant !== undefined && { remedy: { step: 'edit', method: meant } }),
  };
}

function matches(template: string, path: string): boolean {
  const [wanted, given] = [template.split('/'), path.split('/')];
  return wanted.length === given.length && wanted.every((part, at) => part === '{id}' || part === given[at]);
}
