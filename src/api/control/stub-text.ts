/** A stub as it is typed, in its parts. */
export interface StubText {
  /** Method and path, such as `GET /connections`. */
  readonly request: string;
  /** Absent where the file has it, too. */
  readonly status?: number;
  /** What follows the status: JSON, `@FILE`, or nothing. */
  readonly rest: string;
}

/** The grammar of stubs, for hints and help. */
export const stubGrammar =
  "'METHOD /path=STATUS [JSON|@FILE]', or 'METHOD /path=@FILE' with a file that has status, headers and body";

const pattern = /^([A-Za-z]+) +(\/\S*?)=(?:([1-9]\d\d)(?:\s+(\S[\s\S]*))?|(@\S[\s\S]*))$/;

/** Splits `GET /connections=200 @list.json`; `undefined` for what is no stub. */
export function splitStubText(text: string): StubText | undefined {
  const [, method, path, status, rest = '', file] = pattern.exec(text.trim()) ?? [];
  if (method === undefined || path === undefined) return undefined;
  const request = `${method.toUpperCase()} ${path}`;
  return file === undefined ? { request, status: Number(status), rest } : { request, rest: file };
}
