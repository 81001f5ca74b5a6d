import { isResource } from '../../api/resources/resource.js';
import { isSameValue, readSwitch } from '../../api/resources/same-value.js';
import type { ServiceError } from '../../errors/errors.js';
import { isHarmlessField } from '../../redaction/harmless.js';
import { printJson } from '../../text/exact-json.js';
import { type Answer, shorten } from '../exchange/exchange.js';
import { pickField } from '../reading/forms.js';
import { misfitError } from './decode.js';

interface Compared {
  readonly name: string;
  readonly value: unknown;
  readonly shown: unknown;
}

/** @throws ServiceError `server` if the changed resource shows a value other than the one sent */
export function assertChanged(answer: Answer, sent: unknown, changed: unknown): void {
  const error = findChangeError(answer, sent, changed);
  if (error !== undefined) throw error;
}

export function findChangeError(answer: Answer, sent: unknown, changed: unknown): ServiceError | undefined {
  const other = listComparable(sent, changed).find((one) => !isSame(one));
  if (other === undefined) return undefined;
  const [shown, value] = [other.shown, other.value].map((one) => shorten(printJson(one), 200));
  return misfitError(
    answer,
    `returned ${answer.status}, but the resource has ${other.name}: ${shown}, although ${value} was sent`,
  );
}

/** Whether a changed resource lacks sent fields, and so cannot confirm the change. */
export function lacksSent(sent: unknown, changed: unknown): boolean {
  return isResource(sent) && Object.keys(sent).some((name) => pickField(changed, name) === undefined);
}

/** The sent strings, numbers and booleans; in `config`, only harmless fields, because a service may mask the others. */
function listComparable(sent: unknown, changed: unknown, inside = ''): readonly Compared[] {
  if (!isResource(sent) || !isResource(changed)) return [];
  return Object.entries(sent).flatMap(([field, value]): readonly Compared[] => {
    const shown = changed[field];
    if (inside === '' && field === 'config')
      return listComparable(value, isResource(shown) ? shown : {}, 'config.');
    const isShown = isPlain(value) && (inside === '' || isHarmlessField(field));
    return isShown ? [{ name: `${inside}${field}`, value, shown }] : [];
  });
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Values that cannot be compared count as the same. */
function isSame({ name, value, shown }: Compared): boolean {
  const isFlag = typeof value === 'boolean' || typeof shown === 'boolean';
  const isComparable = name === 'config.ssl' && readSwitch(shown) !== undefined;
  if (!isPlain(shown) || (isFlag && typeof value !== typeof shown && !isComparable)) return true;
  return isSameValue(name, value, shown);
}

export function isOnlyId(resource: unknown): boolean {
  return isResource(resource) && Object.keys(resource).every((name) => name === 'id');
}
