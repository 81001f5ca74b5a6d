import { type CommandUnknownOpts, Help, type HelpConfiguration } from '@commander-js/extra-typings';
import { isGlobal } from './global-options.js';
import { helpWidth, widestHelp } from './help-text.js';

/** Columns; longer terms do not widen the column. */
const longestTerm = 28;

const ordinary = new Help();

export function helpFormat(columns: number | undefined): HelpConfiguration {
  return {
    helpWidth: helpWidth(columns),
    minWidthToWrap: 20,
    formatHelp,
    formatItem,
    padWidth: (command, helper) => Math.min(ordinary.padWidth(command, helper), longestTerm),
    // Only the name, because the rest depends on whether the command is loaded.
    subcommandTerm: (command) => command.name(),
  };
}

// Does not hide global options, because Commander does not suggest hidden options for mistyped ones.
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

/** The description stands below a long term, and on a narrow terminal. */
function formatItem(term: string, termWidth: number, description: string, helper: Help): string {
  const width = helper.helpWidth ?? widestHelp;
  const hasRoom = width - termWidth - 4 >= 32 && helper.displayWidth(term) <= termWidth;
  if (description === '' || hasRoom)
    return ordinary.formatItem.call(helper, term, termWidth, description, helper);
  return `  ${term}\n${indentText(helper.boxWrap(description, width - 8), 8)}`;
}

export function definitionList(items: readonly (readonly [term: string, what: string])[], width: number) {
  const helper = Object.assign(new Help(), { helpWidth: width, minWidthToWrap: 20 });
  const termWidth = Math.min(longestTerm, Math.max(...items.map(([term]) => term.length)));
  return items.map(([term, what]) => `${formatItem(term, termWidth, what, helper)}\n`).join('');
}

export function paragraph(text: string, width: number): string {
  return `${ordinary.boxWrap(text, width)}\n`;
}

export function indentText(text: string, columns: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(columns));
}
