/** The most problems listed: each takes time to find its place. */
export const mostProblems = 100;

/** Such as `a problem` or `3 problems`. */
export function countProblems({ length }: { readonly length: number }): string {
  if (length > mostProblems) return `more than ${mostProblems} problems`;
  return length === 1 ? 'a problem' : `${length} problems`;
}
