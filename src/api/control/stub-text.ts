export interface StubText {
  readonly request: string;
  readonly status?: number;
  readonly rest: string;
}

export const stubGrammar =
  "'METHOD /path=STATUS [JSON|@FILE]', or 'METHOD /path=@FILE' where the file contains a status and, optionally, headers and a body";

const pattern = /^([A-Za-z]+) +(\/\S*?)=(?:([1-9]\d\d)(?:\s+(\S[\s\S]*))?|(@\S[\s\S]*))$/;

/** Why `splitStubText` refuses a text, with a correction if one is known. */
export function explainStub(text: string): string {
  const [, method, path, rest] = /^([A-Za-z]+) +([^\s/=]\S*?)(=\S[\s\S]*)$/.exec(text.trim()) ?? [];
  if (rest !== undefined) {
    const corrected = `${method} /${path}${rest}`;
    return `the path must begin with /${isStubText(corrected) ? `: '${corrected}'` : ''}`;
  }
  const [, status] = /^[A-Za-z]+ +\/[^\s=?]*=(\S+)/.exec(text.trim()) ?? [];
  if (status !== undefined) return `${JSON.stringify(status)} is not a status from 200 to 599`;
  const [, line] = /^([A-Za-z]+ +\/\S*?)=?(?:\s|$)/.exec(text.trim()) ?? [];
  return line === undefined
    ? "must be a method, a path and a status, such as 'GET /teams=503'"
    : `no status after the path, such as '${line}=503'`;
}

function isStubText(text: string): boolean {
  const { status = 200 } = splitStubText(text) ?? { status: 0 };
  return status >= 200 && status <= 599;
}

/** Splits a text such as `GET /connections=200 @list.json`; `undefined` if malformed. */
export function splitStubText(text: string): StubText | undefined {
  const [, method, path, status, rest = '', file] = pattern.exec(text.trim()) ?? [];
  if (method === undefined || path === undefined) return undefined;
  const request = `${method.toUpperCase()} ${path}`;
  return file === undefined ? { request, status: Number(status), rest } : { request, rest: file };
}
