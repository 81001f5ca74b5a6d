// Reads the syntax tree of the JMESPath package, before a query is applied.

/** Types of expressions that do not compute with values. */
const selecting = new Set<unknown>([
  ...['Current', 'Field', 'Flatten', 'Identity', 'Index', 'IndexExpression', 'KeyValuePair', 'Literal'],
  ...['MultiSelectHash', 'MultiSelectList', 'Pipe', 'Projection', 'Root', 'Slice', 'Subexpression'],
  'ValueProjection',
]);

/** Whether an expression only selects values, and computes nothing with them. */
export function isSelection(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return true;
  if ('type' in node && node.type === 'Literal') return true;
  if ('type' in node && !selecting.has(node.type)) return false;
  return Object.values(node).every(isSelection);
}

/** The names of all functions, or of all fields, in an expression. */
export function listNames(node: unknown, type: 'Function' | 'Field'): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.values(node).flatMap((child) => listNames(child, type));
  const isOne = 'type' in node && node.type === type && 'name' in node;
  return isOne ? [String(node.name), ...inner] : inner;
}

/** Functions that return members of their first argument. */
const ordering: readonly unknown[] = ['reverse', 'sort_by'];

/** The fields of the items of an expression's result, if the expression makes these items: `[].{id: id}`. */
export function listKeys(node: unknown): readonly string[] | undefined {
  if (typeof node !== 'object' || node === null || !('type' in node)) return undefined;
  if (node.type === 'MultiSelectHash' && 'children' in node) return listChildNames(node.children);
  if ('right' in node && !passesOn(node.right)) return listKeys(node.right);
  if ('left' in node) return listKeys(node.left);
  if ('child' in node) return listKeys(node.child);
  const isOrdering = node.type === 'Function' && 'name' in node && ordering.includes(node.name);
  return isOrdering && 'children' in node && Array.isArray(node.children)
    ? listKeys(node.children[0])
    : undefined;
}

/** Whether an expression returns what it is given, or items of it. */
function passesOn(node: unknown): boolean {
  if (typeof node !== 'object' || node === null || !('type' in node)) return false;
  if ('left' in node) return passesOn(node.left) && (!('right' in node) || passesOn(node.right));
  if ('child' in node) return passesOn(node.child);
  return ['Current', 'Identity', 'Slice'].some((type) => type === node.type);
}

function listChildNames(children: unknown): string[] {
  const pairs: readonly unknown[] = Array.isArray(children) ? children : [];
  return pairs.flatMap((pair) =>
    typeof pair === 'object' && pair !== null && 'name' in pair ? [String(pair.name)] : [],
  );
}
