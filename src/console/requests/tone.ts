/** Success, the client's error, or the service's. */
export type Tone = 'good' | 'warn' | 'bad';

export function chooseTone(status: number | null): Tone {
  if (status === null || status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}
