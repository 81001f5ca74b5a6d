import { closestMatch } from 'leven';
import { collectionPaths, operations } from '../../api/operations.js';
import { redactedTarget } from '../../redaction/redact.js';
import type { Explanation } from '../../signing/refusals/refusal.js';

const longestCompared = 100;

/** Does not reveal whether another organization has the ID. */
export function explainUnknownId(): Explanation {
  return {
    reason: "the key's organization has no resource with this ID",
    advice: 'check the ID: it was deleted, was never issued, or belongs to another organization',
  };
}

/** @param path of the target, without its query */
export function explainUnknownPath(method: string, path: string): Explanation {
  const own = path.replace(/^(\/[^/]+\/)[^/]+$/, '$1{id}');
  const methods = operations().flatMap((call): string[] => (call.path === own ? [call.method] : []));
  if (methods.length === 0) {
    const asked = path.slice(0, longestCompared);
    const near = closestMatch(asked, [...collectionPaths()], { maxDistance: Math.floor(asked.length / 2) });
    const reason = `the API has no path ${redactedTarget(path)}`;
    if (near === undefined) return { reason };
    return { reason, advice: `did you mean ${near}`, remedy: { step: 'edit', path: near } };
  }
  const [reason, advice] = [`${own} has no ${method}`, `methods of this path: ${methods.join(', ')}`];
  const [only] = methods;
  const meant = methods.length === 1 ? only : methods.find((one) => one === 'PATCH' && method === 'PUT');
  return { reason, advice, ...(meant !== undefined && { remedy: { step: 'edit', method: meant } }) };
}

/** `undefined` if every escape of the target's path can be decoded. */
export function explainBrokenEscape(target: string): Explanation | undefined {
  const [path = ''] = target.split('?', 1);
  try {
    decodeURIComponent(path);
    return undefined;
  } catch {
    const reason = 'the path has a malformed escape, or escapes that are not UTF-8';
    return { reason, advice: 'percent-encode the UTF-8 bytes of the text, and a % itself as %25' };
  }
}
