import type { DeclaredResource } from '../../api/resources/index.js';
import type { Resource } from '../../api/resources/resource.js';
import { isSameValue } from '../../api/resources/same-value.js';
import type { Context } from '../../cli/context.js';
import { toOperands } from '../../errors/advice.js';
import { ServiceError } from '../../errors/errors.js';

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

/** Warns if the service stored the sent name in another form. */
export async function noteStoredNames(
  changed: readonly Resource[],
  sent: unknown,
  { printer }: Pick<Context, 'printer'>,
): Promise<void> {
  if (typeof sent !== 'string') return;
  const others = changed.flatMap(({ name }) => (typeof name === 'string' && name !== sent ? [name] : []));
  for (const name of new Set(others)) {
    const [own, wanted] = [name, sent].map((one) => JSON.stringify(one));
    await (await printer()).warn(`the service stored the name as ${own}, not as ${wanted}`);
  }
}

export interface Creation {
  readonly sent: { readonly name: string; readonly type?: unknown };
  readonly created: Resource;
}

/** Whether a stored type differs from the sent one; `pg` and `postgresql` are the same. */
export function isOtherType(stored: unknown, sent: unknown): boolean {
  return typeof sent === 'string' && typeof stored === 'string' && !isSameValue('type', sent, stored);
}

/** Warns if the service gave new resources another type. */
export async function noteRetyped(
  all: readonly Creation[],
  { singular, plural }: Pick<DeclaredResource, 'singular' | 'plural'>,
  { printer }: Pick<Context, 'printer'>,
): Promise<void> {
  const retyped = all.filter(({ sent, created }) => isOtherType(created['type'], sent.type));
  const [first] = retyped;
  if (first === undefined) return;
  const { sent, created } = first;
  const [name, own, wanted] = [sent.name, created['type'], sent.type].map((one) => JSON.stringify(one));
  const more = retyped.length - 1;
  const others = more === 0 ? '' : `; ${more} more ${more === 1 ? singular : plural} got another type, too`;
  await (await printer()).warn(`the service gave ${name} the type ${own}, not ${wanted}${others}`);
}
