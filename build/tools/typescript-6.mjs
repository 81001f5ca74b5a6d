import { register } from 'node:module';

// openapi-typescript and typedoc use the compiler's JavaScript interface, which TypeScript has up to version 6.
const hook = `export const resolve = (specifier, context, next) =>
  next(specifier === 'typescript' ? '@typescript/typescript6' : specifier, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
