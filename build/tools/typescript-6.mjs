import { register } from 'node:module';

// openapi-typescript and typedoc use the compiler's JavaScript API, which TypeScript has only up to version 6.
const hook = `export const resolve = (specifier, context, next) =>
  next(specifier === 'typescript' ? '@typescript/typescript6' : specifier, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
