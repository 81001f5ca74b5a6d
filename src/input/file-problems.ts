/** Problems to report: locating each takes time. */
export const mostProblems = 100;

export function countProblems({ length }: { readonly length: number }): string {
  if (length > mostProblems) return `more than ${mostProblems} problems`;
  return length === 1 ? 'a problem' : `${length} problems`;
}
