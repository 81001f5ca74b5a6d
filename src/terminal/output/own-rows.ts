/** The command's own rows, if a query only selected or sorted them; otherwise `undefined`. */
export function sameRows<Row>(members: readonly unknown[], rows: Iterable<Row>): readonly Row[] | undefined {
  const own = new Map<unknown, Row>(Array.from(rows, (row) => [row, row]));
  const same = members.map((member) => own.get(member));
  return same.every((row) => row !== undefined) ? same : undefined;
}

/** The members of a list; another value counts as a list of one. */
export function toMembers(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
