/** Whether a method changes nothing, so that an error may replace its response. */
export function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}
