import { nameSchema } from '../../api/resources/resource.js';
import { checkValue } from '../../api/schema/schema.js';
import type { Context } from '../../cli/context.js';
import { UsageError } from '../../errors/errors.js';
import { canAsk } from '../../terminal/interaction/can-ask.js';

/** Checks a name before anything is sent. @throws UsageError, for example for an empty or too long one */
export function requireName(name: string): void {
  const checked = checkValue(nameSchema, name);
  if ('misfit' in checked) throw new UsageError(`the name ${checked.misfit}`);
}

/** Prompts for the name of a new resource; `undefined` without a terminal. */
export async function askName(
  of: string,
  context: Pick<Context, 'system' | 'streams' | 'prompt'>,
): Promise<string | undefined> {
  if (!canAsk(context)) return undefined;
  const { askMissing } = await import('../../input/ask-missing.js');
  const answers = await askMissing([['--name', `Name of the ${of}`, requireName]], {}, context);
  return answers.get('--name');
}
