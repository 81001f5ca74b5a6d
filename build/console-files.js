import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The order of the style sheets, in which later ones go before earlier ones. */
const styles = ['base', 'layout', 'controls', 'content', 'lists', 'journal', 'api'];

/** Puts beside the management console's script what it is shown with: its page, picture and style; and the API's document. */
export function consoleFiles(apiDocument) {
  return {
    name: 'console-files',
    generateBundle() {
      const put = (fileName, source) => this.emitFile({ type: 'asset', fileName, source });
      put('index.html', read('index.html').replace('/favicon.svg', toDataUrl(read('favicon.svg'))));
      put('console.css', styleSheet());
      put('openapi.json', apiDocument);
    },
  };
}

/** Within the page: a file of its own would be one request more. */
function toDataUrl(picture) {
  return `data:image/svg+xml,${encodeURIComponent(picture.trim())}`;
}

function styleSheet() {
  const there = readdirSync(inConsole('style/')).toSorted();
  const named = styles.map((name) => `${name}.css`);
  if (there.join() !== named.toSorted().join()) throw new Error(`style sheets: ${there.join(', ')}`);
  // Formatted alike and without comments: white space is all that is left to save.
  return named.map((name) => minify(read(`style/${name}`))).join('');
}

function minify(style) {
  return style
    .replace(/\n\s*/g, '\n')
    .replace(/^([\w-]+): /gm, '$1:')
    .replace(/ \{$/gm, '{')
    .replace(/([;{},])\n/g, '$1')
    .replace(/;\}/g, '}')
    .replace(/\n+/g, '');
}

function read(path) {
  return readFileSync(inConsole(path), 'utf8');
}

function inConsole(path) {
  return fileURLToPath(new URL(`../src/console/${path}`, import.meta.url));
}
