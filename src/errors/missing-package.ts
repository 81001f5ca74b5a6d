import { ConfigError } from './errors.js';

/** The error for an optional package that npm did not install, or installed for another platform. */
export function refuseMissingPackage(
  what: string,
  name: string,
  { cause, otherwise = '' }: { readonly cause: unknown; readonly otherwise?: string },
): ConfigError {
  return new ConfigError(`${what}: the package ${name} is missing or does not fit this machine`, {
    hint: `reinstall orgctl with its optional packages, in a clone: npm ci && npm install --global --include=optional "$(npm pack --silent)"${otherwise}`,
    cause,
  });
}
