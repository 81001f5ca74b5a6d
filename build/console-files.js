import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The style sheets in order: later ones override earlier ones. */
const styles = ['base', 'layout', 'controls', 'content', 'lists', 'journal', 'api'];

/** Adds the files that the management console's script needs: page, style sheet and OpenAPI document. */
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

/** Embeds a picture in the page, because a separate file would take another request. */
function toDataUrl(picture) {
  return `data:image/svg+xml,${encodeURIComponent(picture.trim())}`;
}

function styleSheet() {
  const there = readdirSync(inConsole('style/')).toSorted();
  const named = styles.map((name) => `${name}.css`);
  if (there.join() !== named.toSorted().join()) throw new Error(`style sheets: ${there.join(', ')}`);
  // The style sheets are formatted alike and have no comments, so only whitespace is left to remove.
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
