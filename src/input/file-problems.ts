/** Maximum number of problems to report, because locating each takes time. */
export const maxProblems = 100;

export function countProblems({ length }: { readonly length: number }): string {
  if (length > maxProblems) return `more than ${maxProblems} problems`;
  return length === 1 ? 'a problem' : `${length} problems`;
}
