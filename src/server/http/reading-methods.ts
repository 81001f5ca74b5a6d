/** Whether a method changes nothing, so that its answer may be replaced by an error; HEAD is ours. */
export function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}
