export interface StubText {
  readonly request: string;
  readonly status?: number;
  readonly rest: string;
}

export const stubGrammar =
  "'METHOD /path=STATUS [JSON|@FILE]', or 'METHOD /path=@FILE' where the file contains a status and, optionally, headers and a body";

const pattern = /^([A-Za-z]+) +(\/\S*?)=(?:([1-9]\d\d)(?:\s+(\S[\s\S]*))?|(@\S[\s\S]*))$/;

/** Why `splitStubText` refuses a text. */
export function explainStub(text: string): string {
  const [, status] = /^[A-Za-z]+ +\/[^\s=?]*=(\S+)/.exec(text.trim()) ?? [];
  if (status !== undefined) return `${JSON.stringify(status)} is not a status from 200 to 599`;
  return "must be a method, a path that begins with /, and a status, such as 'GET /teams=503'";
}

/** Splits a text such as `GET /connections=200 @list.json`; `undefined` if malformed. */
export function splitStubText(text: string): StubText | undefined {
  const [, method, path, status, rest = '', file] = pattern.exec(text.trim()) ?? [];
  if (method === undefined || path === undefined) return undefined;
  const request = `${method.toUpperCase()} ${path}`;
  return file === undefined ? { request, status: Number(status), rest } : { request, rest: file };
}
