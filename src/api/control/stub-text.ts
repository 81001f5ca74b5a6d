export const stubGrammar =
  "'METHOD /path=STATUS [JSON|@FILE]', or 'METHOD /path=@FILE' where the file contains a status and, optionally, headers and a body";

const pattern = /^([A-Za-z]+) +(\/\S*?)=(?:([1-9]\d\d)(?:\s+(\S[\s\S]*))?|(@\S[\s\S]*))$/;

/** Splits a text such as `GET /connections=200 @list.json`; `undefined` if malformed. */
export function splitStubText(text: string) {
  const [, method, path, status, rest = '', file] = pattern.exec(text.trim()) ?? [];
  if (method === undefined || path === undefined) return undefined;
  const request = `${method.toUpperCase()} ${path}`;
  return { request, status: file === undefined ? Number(status) : undefined, rest: file ?? rest };
}
