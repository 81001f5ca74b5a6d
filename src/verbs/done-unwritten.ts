import type { DeclaredResource } from '../api/resources/index.js';
import { type Resource, readId } from '../api/resources/resource.js';
import { type Advice, toOperands } from '../errors/advice.js';
import { ConfigError, readSystemCode, withHint } from '../errors/errors.js';

/** Adds `advice`, which says what was done, to a failure to write to stdout. @throws all failures */
export async function adviseIfUnwritten<Result>(printing: Promise<Result>, advice: Advice): Promise<Result> {
  return printing.catch((error: unknown) => {
    throw isUnwritten(error) ? withHint(error, advice) : error;
  });
}

/** Whether printing failed because stdout could not be written to. */
export function isUnwritten(error: unknown): boolean {
  return error instanceof ConfigError && readSystemCode(error.cause) !== undefined;
}

/** For commands that only read a secret. */
export const nothingChanged: Advice = {
  hint: 'nothing was changed; run the same command again with a writable stdout',
};

/** For a resource that was created or changed. @param done such as `created` */
export function adviseSeeing({ kind, singular }: DeclaredResource, resource: Resource, done: string): Advice {
  const id = readId(resource);
  const see = id === undefined ? ['list', '--all'] : ['get', ...toOperands(id)];
  const which = id === undefined ? 'it' : `${singular} ${id}`;
  return { hint: `${which} was ${done}; see it`, next: ['orgctl', kind, ...see] };
}

/** For a new API key, after a warning has said where its secret is stored. */
export function adviseUsingOrDeleting(id: string, remove: readonly string[]): Advice {
  return {
    hint: `API key ${id} was created; the warning above says where its secret is. To delete the key`,
    next: [...remove, ...toOperands(id)],
  };
}
