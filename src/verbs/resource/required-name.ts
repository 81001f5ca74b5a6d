import { nameSchema } from '../../api/resources/resource.js';
import { checkValue } from '../../api/schema/schema.js';
import { UsageError } from '../../errors/errors.js';

/** Checks a name before anything is sent. @throws UsageError, for example for an empty or too long one */
export function requireName(name: string): void {
  const checked = checkValue(nameSchema, name);
  if ('misfit' in checked) throw new UsageError(`the name ${checked.misfit}`);
}
