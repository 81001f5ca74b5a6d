import { type CommandUnknownOpts, Help, type HelpConfiguration } from '@commander-js/extra-typings';
import { isGlobal } from './global-options.js';
import { helpWidth } from './help-text.js';

const ordinary = new Help();

export function helpFormat(columns: number | undefined): HelpConfiguration {
  return {
    helpWidth: helpWidth(columns),
    minWidthToWrap: 20,
    formatHelp,
    // Only the name, because the rest depends on whether the command is loaded.
    subcommandTerm: (command) => command.name(),
  };
}

// Omits global options without marking them as hidden, because Commander suggests no hidden options.
function formatHelp(command: CommandUnknownOpts, helper: Help): string {
  const options = helper.visibleOptions(command).filter((each) => !isGlobal(each) || command.parent === null);
  const shown = Object.assign(new Help(), helper, { visibleOptions: () => options });
  const width = shown.padWidth(command, shown);
  const others = Object.assign(new Help(), helper, { padWidth: () => width, visibleOptions: () => [] });
  const list = (heading: string, global: boolean) => {
    const items = options
      .filter((each) => isGlobal(each) === global)
      .map((each) =>
        helper.formatItem(helper.optionTerm(each), width, helper.optionDescription(each), helper),
      );
    return helper.formatItemList(heading, items, helper);
  };
  const lists = [...list('Options:', false), ...list('Global options:', true)];
  return [ordinary.formatHelp(command, others).trimEnd(), '', ...lists].join('\n');
}

export function definitionList(items: readonly (readonly [term: string, what: string])[], width: number) {
  const helper = Object.assign(new Help(), { helpWidth: width, minWidthToWrap: 20 });
  const termWidth = Math.max(...items.map(([term]) => term.length));
  return items.map(([term, what]) => `${helper.formatItem(term, termWidth, what, helper)}\n`).join('');
}

export function paragraph(text: string, width: number): string {
  return `${ordinary.boxWrap(text, width)}\n`;
}

export function indentText(text: string, columns: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(columns));
}
