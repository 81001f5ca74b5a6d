/** The path to route by: without query and fragment, decoded as far as possible. */
export function readPath(target: string): string {
  const [path = ''] = target.split(/[?#]/, 1);
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return path.replaceAll(/%[0-7][0-9a-f]/gi, decodeURIComponent);
  }
}
