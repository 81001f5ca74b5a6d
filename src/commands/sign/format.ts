import { ConfigError } from '../../errors.js';
import type { Printer } from '../../terminal/printer.js';
import type { SignedRequest } from './signed-request.js';

export const signFormats = ['explain', 'headers', 'json', 'curl'] as const;
export type SignFormat = (typeof signFormats)[number];

/** Prints a signed request; all formats are data on stdout. */
export async function writeSigned(
  signed: SignedRequest,
  format: SignFormat,
  printer: Printer,
): Promise<void> {
  if (format === 'json') return printer.value(jsonOf(signed), [jsonOf(signed)], signedView);
  if (format === 'headers') return printer.text(headerLines(signed));
  if (format === 'curl') return printer.text(`${curlCommand(signed)}\n`);
  return printer.text(explanation(signed));
}

function jsonOf({ method, url, target, canonical, headers, body }: SignedRequest) {
  return {
    method,
    url,
    target,
    canonicalString: canonical?.toString('utf8'),
    headers,
    body: body.toString('utf8'),
  };
}

const signedView = {
  columns: [
    { header: 'METHOD', value: 'method' },
    { header: 'TARGET', value: 'target' },
    { header: 'HEADERS', value: 'headers' },
  ],
};

function headerLines({ headers }: SignedRequest): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}

/** A command for a POSIX shell that sends the request. @throws ConfigError when no base URL is known */
function curlCommand({ method, url, headers, body }: SignedRequest): string {
  if (url === undefined) {
    throw new ConfigError('no base URL is known, so there is no address for curl', {
      hint: 'give one: --base-url https://… or a profile',
    });
  }
  const lines = [
    // Without --globoff curl reads [] and {} in the URL as patterns; --path-as-is keeps dot segments as signed.
    `curl --silent --show-error --globoff --path-as-is --request ${method} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(body.length === 0 ? [] : [`--data-binary ${quoted(body.toString('utf8'))}`]),
  ];
  return lines.join(' \\\n  ');
}

// A single-quoted text of a POSIX shell ends at the next quote; one inside is closed, escaped and opened again.
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function explanation(signed: SignedRequest): string {
  const canonical =
    signed.canonical === undefined
      ? 'Basic mode signs nothing: the secret itself is in the header.\n'
      : `Canonical string (${signed.canonical.length} bytes, line feeds shown as ⏎):\n${indented(
          signed.canonical.toString('utf8').replaceAll('\n', '⏎\n'),
        )}`;
  const headers = `Headers:\n${indented(headerLines(signed))}`;
  const curl = signed.url === undefined ? '' : `\ncurl:\n${indented(curlCommand(signed))}`;
  return `${canonical}\n${headers}${curl}`;
}

function indented(text: string): string {
  return `${text.replace(/\n$/, '').replaceAll(/^/gm, '  ')}\n`;
}
