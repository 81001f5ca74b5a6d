export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** JSON or YAML that is invalid, or refused. The message never quotes the text. */
export class MalformedText extends Error {
  readonly line: number;
  readonly column: number;
  /** Whether the text is invalid; false if it is well-formed, but refused. */
  readonly isSyntax: boolean;

  constructor(message: string, at: TextPlace, options: ErrorOptions & { readonly isSyntax?: boolean } = {}) {
    super(message, options);
    this.line = at.line;
    this.column = at.column;
    this.isSyntax = options.isSyntax ?? false;
  }

  /** The problem with its place. The YAML library reads JSON, too, but its messages are not about JSON. */
  describe(path: string): string {
    const place = `${path}:${this.line}:${this.column}`;
    if (!this.isSyntax) return `${place}: ${this.message}`;
    return /\.json$/i.test(path) ? `${place}: not JSON` : `${place}: not YAML: ${this.message}`;
  }
}

export function placeIn(text: string, offset: number): TextPlace {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: offset - start + 1 };
}
