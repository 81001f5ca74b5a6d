import { ServiceError, withHint } from '../../errors/errors.js';

const listAdvice = {
  hint: 'list API keys with their organizations',
  next: ['orgctl', 'local', 'keys', 'list'],
};

/** Adds a hint to the server's refusal of `--organization`. @throws every error that it gets */
export function refuseOrganization(error: unknown): never {
  const isMissing = error instanceof ServiceError && error.code === 'not_found';
  throw isMissing ? withHint(error, listAdvice) : error;
}
