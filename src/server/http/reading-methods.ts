/** Whether a method changes nothing, so that an error may replace its response; HEAD is ours. */
export function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}
