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
      put('index.html', read('index.html'));
      put('favicon.svg', read('favicon.svg'));
      put('console.css', styleSheet());
      put('openapi.json', apiDocument);
    },
  };
}

function styleSheet() {
  const there = readdirSync(inConsole('style/')).toSorted();
  const named = styles.map((name) => `${name}.css`);
  if (there.join() !== named.toSorted().join()) throw new Error(`style sheets: ${there.join(', ')}`);
  // Indentation is what is left to save: there are no comments in them, and gzip does the rest.
  return named.map((name) => read(`style/${name}`).replace(/\n\s*/g, '\n')).join('');
}

function read(path) {
  return readFileSync(inConsole(path), 'utf8');
}

function inConsole(path) {
  return fileURLToPath(new URL(`../src/console/${path}`, import.meta.url));
}
