/** Success, an error of the client, or an error of the service, such as a missing response. */
export type Tone = 'good' | 'warn' | 'bad';

export function chooseTone(status: number | null): Tone {
  if (status === null || status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}
