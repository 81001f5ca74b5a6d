import { dirname, join, normalize } from 'node:path/posix';
import { type ParseResult, parseSync, Visitor } from 'rolldown/utils';

export interface Import {
  /** Path under src for our files; otherwise the specifier. */
  readonly to: string;
  /** An import of types, which loads nothing. */
  readonly typeOnly: boolean;
  /** `import()` */
  readonly lazy: boolean;
}

/** Facts about a source file that the architecture tests check. */
export interface SourceFile {
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  /** Uses of process globals, such as `process.exit`. */
  readonly globals: readonly string[];
  /** String literals, and fixed parts of template literals. */
  readonly texts: readonly string[];
}

/** @throws Error for invalid source, and for an `import()` without a literal, which the tests could not follow */
export function readSources(files: readonly (readonly [path: string, text: string])[]): SourceFile[] {
  const paths = new Set(files.map(([path]) => path));
  const found = (to: string) => (!paths.has(to) && paths.has(`${to}x`) ? `${to}x` : to);
  return files.map(([path, text]) => {
    const source = readSource(path, text);
    return { ...source, imports: source.imports.map((one) => ({ ...one, to: found(one.to) })) };
  });
}

function readSource(path: string, text: string): SourceFile {
  const parsed = parseSync(path, text);
  const [error] = parsed.errors;
  if (error !== undefined) throw new Error(`${path}: ${error.message}`);
  const imports = [...staticImports(parsed), ...otherImports(parsed)].map(({ to, ...rest }) => ({
    to: to.startsWith('.') ? normalize(join(dirname(path), to)).replace(/\.js$/, '.ts') : to,
    ...rest,
  }));
  return {
    path,
    lines: text.split('\n').length - 1,
    imports,
    globals: globalsOf(parsed),
    texts: textsOf(parsed),
  };
}

function staticImports({ module }: ParseResult): Import[] {
  const imported = module.staticImports.map(({ moduleRequest, entries }) => ({
    to: moduleRequest.value,
    typeOnly: entries.length > 0 && entries.every(({ isType }) => isType),
    lazy: false,
  }));
  const passedOn = module.staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ moduleRequest, isType }) =>
      moduleRequest === null || moduleRequest === undefined
        ? []
        : [{ to: moduleRequest.value, typeOnly: isType, lazy: false }],
    );
  return [...imported, ...passedOn];
}

function otherImports({ program }: ParseResult): Import[] {
  const found: Import[] = [];
  new Visitor({
    ImportExpression: ({ source }) => {
      if (source.type !== 'Literal' || typeof source.value !== 'string') {
        throw new Error('the argument of an import() is not a literal');
      }
      found.push({ to: source.value, typeOnly: false, lazy: true });
    },
    TSImportType: ({ source }) => {
      found.push({ to: source.value, typeOnly: true, lazy: false });
    },
  }).visit(program);
  return found;
}

function textsOf({ program }: ParseResult): string[] {
  const found: string[] = [];
  new Visitor({
    Literal: ({ value }) => {
      if (typeof value === 'string') found.push(value);
    },
    TemplateElement: ({ value }) => {
      found.push(value.cooked ?? value.raw);
    },
  }).visit(program);
  return found;
}

const ambient = new Set(['process', 'console']);
// Facts about Node itself, the same in every process.
const harmless = new Set(['versions']);

function globalsOf({ program, module }: ParseResult): string[] {
  const found: string[] = [];
  const named = new Map<number, string>();
  const labels = new Set<number>();
  new Visitor({
    Identifier: ({ name, start }) => {
      if (ambient.has(name)) named.set(start, name);
    },
    MemberExpression: ({ object, property, computed }) => {
      if (!computed) labels.add(property.start);
      if (object.type === 'Identifier' && ambient.has(object.name) && property.type === 'Identifier') {
        found.push(`${object.name}.${property.name}`);
        labels.add(object.start);
      }
    },
    Property: ({ key, computed, shorthand }) => {
      if (!computed && !shorthand) labels.add(key.start);
    },
    TSPropertySignature: ({ key, computed }) => {
      if (!computed) labels.add(key.start);
    },
  }).visit(program);
  const bare = [...named].filter(([start]) => !labels.has(start)).map(([, name]) => name);
  const imported = module.staticImports
    .filter(({ moduleRequest }) => ambient.has(moduleRequest.value.replace(/^node:/, '')))
    .flatMap(({ entries, moduleRequest }) =>
      entries
        .map(({ importName }) => importName.name ?? '*')
        .filter((name) => !harmless.has(name))
        .map((name) => `${moduleRequest.value.replace(/^node:/, '')}.${name}`),
    );
  return [...found, ...bare, ...imported];
}
