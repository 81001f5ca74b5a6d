export interface StubText {
  readonly request: string;
  readonly status?: number;
  readonly rest: string;
}

export const stubGrammar =
  "'METHOD /path=STATUS [JSON|@FILE]', or 'METHOD /path=@FILE' with a file that has status, and may have headers and body";

const pattern = /^([A-Za-z]+) +(\/\S*?)=(?:([1-9]\d\d)(?:\s+(\S[\s\S]*))?|(@\S[\s\S]*))$/;

/** Why `splitStubText` refuses a text, with a correction. */
export function explainStub(text: string): string {
  const [, method, path, rest] = /^([A-Za-z]+) +([^\s/=]\S*?)(=\S[\s\S]*)$/.exec(text.trim()) ?? [];
  if (rest !== undefined) return `the path must begin with /: '${method} /${path}${rest}'`;
  const [, status] = /^[A-Za-z]+ +\/[^\s=?]*=(\S+)/.exec(text.trim()) ?? [];
  if (status !== undefined) return `${JSON.stringify(status)} is not a status from 200 to 599`;
  const [, line] = /^([A-Za-z]+ +\/\S*?)=?(?:\s|$)/.exec(text.trim()) ?? [];
  return line === undefined
    ? "must be a method, a path and a status, such as 'GET /teams=503'"
    : `no status after the path, such as '${line}=503'`;
}

/** Splits `GET /connections=200 @list.json`; `undefined` if malformed. */
export function splitStubText(text: string): StubText | undefined {
  const [, method, path, status, rest = '', file] = pattern.exec(text.trim()) ?? [];
  if (method === undefined || path === undefined) return undefined;
  const request = `${method.toUpperCase()} ${path}`;
  return file === undefined ? { request, status: Number(status), rest } : { request, rest: file };
}
