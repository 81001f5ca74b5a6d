const maxObjectBytes = 4096;

/** How languages print the value of a JSON body that was not serialized. */
export function listTexts(body: Buffer): string[] {
  if (body.byteLength > maxObjectBytes || body.byteLength === 0) return [];
  const text = body.toString();
  const bytes = [`b'${text}'`, '[object Object]', 'Array'];
  const value = parseOrNothing(text);
  if (value === undefined) return bytes;
  return [...bytes, ...languages.map((language) => write(value, language)), toForm(value)];
}

interface Language {
  readonly constants: Readonly<Record<string, string>>;
  readonly quote: (text: string) => string;
  readonly list: (items: readonly string[]) => string;
  readonly member: (name: string, value: string) => string;
  readonly object: (members: readonly string[]) => string;
}

const single = (text: string) => (text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text}'`);
const braces = (members: readonly string[]) => `{${members.join(', ')}}`;
const brackets = (items: readonly string[]) => `[${items.join(', ')}]`;

const python: Language = {
  constants: { true: 'True', false: 'False', null: 'None' },
  quote: single,
  list: brackets,
  member: (name, value) => `${single(name)}: ${value}`,
  object: braces,
};
const ruby: Language = {
  constants: { null: 'nil' },
  quote: (text) => JSON.stringify(text),
  list: brackets,
  member: (name, value) => `${JSON.stringify(name)}=>${value}`,
  object: braces,
};
const rubyNow: Language = { ...ruby, member: (name, value) => `${JSON.stringify(name)} => ${value}` };
const java: Language = {
  constants: {},
  quote: (text) => text,
  list: brackets,
  member: (name, value) => `${name}=${value}`,
  object: braces,
};
const go: Language = {
  constants: { null: '<nil>' },
  quote: (text) => text,
  list: (items) => `[${items.join(' ')}]`,
  member: (name, value) => `${name}:${value}`,
  object: (members) => `map[${[...members].sort().join(' ')}]`,
};
const languages = [python, ruby, rubyNow, java, go];

function write(value: unknown, language: Language): string {
  if (typeof value === 'string') return language.quote(value);
  if (Array.isArray(value)) return language.list(value.map((item: unknown) => write(item, language)));
  if (typeof value !== 'object' || value === null) return language.constants[String(value)] ?? String(value);
  const members: [string, unknown][] = Object.entries(value);
  return language.object(members.map(([name, member]) => language.member(name, write(member, language))));
}

function toForm(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  const fields = Object.entries(value).map(([name, member]): [string, string] => [name, String(member)]);
  return new URLSearchParams(fields).toString();
}

/** Deep nesting would exhaust the stack. */
const deepest = 32;

function parseOrNothing(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return depth(value) > deepest ? undefined : value;
  } catch {
    return undefined;
  }
}

function depth(value: unknown, above = 0): number {
  if (typeof value !== 'object' || value === null || above > deepest) return above;
  return Math.max(above, ...Object.values(value).map((member: unknown) => depth(member, above + 1)));
}
