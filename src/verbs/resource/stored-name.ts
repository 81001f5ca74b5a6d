import type { DeclaredResource } from '../../api/resources/index.js';
import type { Resource } from '../../api/resources/resource.js';
import { isSameValue } from '../../api/resources/same-value.js';
import { toOperands } from '../../errors/advice.js';
import { ServiceError } from '../../errors/errors.js';

export { noteStoredNames } from '../../commands/resource/update.js';

/** @throws ServiceError `server` if a changed resource still has its former name instead of the sent one */
export function assertRenamed(
  { singular, kind }: DeclaredResource,
  { name }: Resource,
  sent: unknown,
  former: { readonly id: string; readonly name?: unknown },
): void {
  if (sent === undefined || name === undefined || name === sent || name !== former.name) return;
  const [own, wanted] = [name, sent].map((one) => JSON.stringify(one));
  throw new ServiceError(
    'server',
    `${singular} ${former.id} still has the name ${own}, although ${wanted} was sent`,
    {
      retryable: false,
      hint: 'the service ignored the name, or stores it in this form; to see it',
      next: ['orgctl', kind, 'get', ...toOperands(former.id)],
    },
  );
}

/** Whether a stored type differs from the sent one; `pg` and `postgresql` are the same. */
export function isOtherType(stored: unknown, sent: unknown): boolean {
  return typeof sent === 'string' && typeof stored === 'string' && !isSameValue('type', sent, stored);
}
