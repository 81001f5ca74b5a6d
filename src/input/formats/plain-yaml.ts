import { deepestJson, isDeeperThan } from '../../text/exact-json.js';
import { endOfDocument } from './end-mark.js';

/** Reads the YAML that `export` writes, much faster than the library. @returns `undefined` for any other form */
export function readPlainYaml(text: string): unknown {
  try {
    return new PlainReader(text).read();
  } catch (error) {
    if (error instanceof OtherForm) return undefined;
    throw error;
  }
}

class OtherForm extends Error {}

interface YamlLine {
  readonly indent: number;
  readonly text: string;
}

const pair = /^([A-Za-z$][\w$-]*):(?: (.*))?$/;
const plainText = /^(?:\.{0,2}\/|[A-Za-z0-9_])[\w./@+-]*(?: [\w./@+-]+)*$/;
const flow = /^\{ ?(.*?) ?\}$/;
const quotedText = /^(?:"([^"\\\p{C}]*)"|'([^'\p{C}]*)')$/u;
const plainInteger = /^(?:0|-?[1-9]\d{0,14})$/;
/** Plain scalars that are not text in YAML 1.2 (section 10.3.2), and numbers of older versions. */
const special = /^(?:null|true|false|[-+]?\.?\d[\d._]*(?:e[-+]?\d+)?|0[xo].*|[-+]?\.inf|\.nan)$/i;

class PlainReader {
  readonly #lines: readonly YamlLine[];
  /** Names already checked against `special`, because most names repeat. */
  readonly #names = new Set<string>();
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    let isEnded = false;
    this.#lines = text.split('\n').flatMap((line) => {
      const content = line.trimStart();
      // Text after the end would be another document.
      if (isEnded && content !== '') throw new OtherForm();
      isEnded ||= line === endOfDocument;
      if (isEnded || content === '' || content.startsWith('#')) return [];
      const indent = line.length - content.length;
      // A tab in the indentation is an error in most places.
      if (line.search(/[^ ]/) !== indent) throw new OtherForm();
      return [{ indent, text: content }];
    });
  }

  read(): unknown {
    const value = this.#block(0);
    if (this.#at < this.#lines.length || isDeeperThan(deepestJson, value)) throw new OtherForm();
    return value;
  }

  #block(indent: number): unknown {
    const line = this.#lines[this.#at];
    if (line?.indent !== indent) throw new OtherForm();
    return line.text.startsWith('- ') ? this.#list(indent) : this.#map(indent);
  }

  #list(indent: number): unknown[] {
    const members: unknown[] = [];
    for (let line = this.#next(indent); line?.startsWith('- '); line = this.#next(indent)) {
      const inner = line.slice(2);
      if (!pair.test(inner)) {
        this.#at += 1;
        members.push(readScalar(inner));
        continue;
      }
      members.push(this.#map(indent + 2, inner));
    }
    return members;
  }

  #map(indent: number, first?: string): Record<string, unknown> {
    if (this.#depth === deepestJson) throw new OtherForm();
    this.#depth += 1;
    const fields = new Map<string, unknown>();
    for (let line = first ?? this.#next(indent); line !== undefined; line = this.#next(indent)) {
      const [, name = '', value] = pair.exec(line) ?? [];
      if (!this.#isName(name) || fields.has(name)) throw new OtherForm();
      this.#at += 1;
      fields.set(name, value === undefined ? this.#below(indent) : readScalar(value));
    }
    this.#depth -= 1;
    return Object.fromEntries(fields);
  }

  #isName(text: string): boolean {
    if (this.#names.has(text)) return true;
    if (text === '' || special.test(text)) return false;
    this.#names.add(text);
    return true;
  }

  /** The value below a field: a deeper block, a list at the field's own indentation, or null. */
  #below(indent: number): unknown {
    const line = this.#lines[this.#at];
    if (line !== undefined && line.indent > indent) return this.#block(line.indent);
    if (line?.indent === indent && line.text.startsWith('- ')) return this.#list(indent);
    return null;
  }

  #next(indent: number): string | undefined {
    const line = this.#lines[this.#at];
    if (line === undefined || line.indent < indent) return undefined;
    if (line.indent > indent) throw new OtherForm();
    return line.text;
  }
}

function readScalar(text: string): unknown {
  if (text === '[]') return [];
  const [, inner] = flow.exec(text) ?? [];
  if (inner !== undefined) return flowMap(inner);
  const [isQuoted, double, single] = quotedText.exec(text) ?? [];
  if (isQuoted !== undefined) return double ?? single;
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (plainInteger.test(text)) return Number(text);
  if (plainText.test(text) && !special.test(text)) return text;
  throw new OtherForm();
}

function flowMap(inner: string): Record<string, unknown> {
  const fields = inner.split(', ').map((field) => {
    const [, name = '', value = ''] = pair.exec(field) ?? [];
    if (special.test(name) || !plainText.test(value)) throw new OtherForm();
    return [name, readScalar(value)] as const;
  });
  const map = Object.fromEntries(fields);
  if (Object.keys(map).length !== fields.length) throw new OtherForm();
  return map;
}
