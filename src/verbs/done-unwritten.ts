import type { DeclaredResource } from '../api/resources/index.js';
import { type Resource, readId } from '../api/resources/resource.js';
import { type Advice, advise, ConfigError, readSystemCode, toOperands, withHint } from '../errors/errors.js';

/** Makes a failure of stdout say what was done, because the output cannot. @throws the failure */
export async function adviseIfUnwritten<Result>(printing: Promise<Result>, advice: Advice): Promise<Result> {
  return printing.catch((error: unknown) => {
    throw isUnwritten(error) ? withHint(error, advice) : error;
  });
}

/** Whether an error of printing is the one of stdout. */
export function isUnwritten(error: unknown): boolean {
  return error instanceof ConfigError && readSystemCode(error.cause) !== undefined;
}

/** For secrets that are only read. */
export const nothingChanged: Advice = {
  hint: 'nothing was changed; run the same command again where stdout can be written',
};

/** For a resource that was created or changed. @param done such as `created` */
export function adviseSeeing({ kind, singular }: DeclaredResource, resource: Resource, done: string): Advice {
  const id = readId(resource);
  const see = id === undefined ? ['list', '--all'] : ['get', ...toOperands(id)];
  const which = id === undefined ? 'it' : `${singular} ${id}`;
  return advise(['orgctl', kind, ...see], (command) => `${which} was ${done}; see it: ${command}`);
}

/** For a new API key, whose secret was stored as a warning says. */
export function adviseUsingOrDeleting(id: string, remove: readonly string[]): Advice {
  return advise(
    [...remove, ...toOperands(id)],
    (command) =>
      `API key ${id} was created; use its secret, stored as reported above, or delete it: ${command}`,
  );
}
