/** How a response went: well, for the client to mend, or for the service. */
export type Tone = 'good' | 'warn' | 'bad';

export function chooseTone(status: number | null): Tone {
  if (status === null || status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}
