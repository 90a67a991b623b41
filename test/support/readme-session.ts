/** A command of a document, and what the document says that it prints. */
export type DocumentedCommand = { readonly command: string; readonly printed: readonly string[] };

/** A code block of a Markdown document. */
export type CodeBlock = { readonly language: string; readonly text: string };

export const codeBlocks = (markdown: string): readonly CodeBlock[] =>
  [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));

/** Divides a shell block at its comment lines: they show what the commands before them print. */
export function documentedCommands(block: string): readonly DocumentedCommand[] {
  const parts = block.split(/((?:^#.*\n)+)/m);
  return parts.flatMap((command, index) => {
    if (index % 2 === 1 || command.trim() === '') return [];
    const comment = parts[index + 1] ?? '';
    return [{ command, printed: comment.split('\n').filter(Boolean).map(withoutMark) }];
  });
}

const withoutMark = (line: string): string => line.replace(/^#\s*/, '');

/** Matches what was printed: `…` stands for anything, and spaces do not count. */
export function printedPattern(line: string): RegExp {
  const parts = line.replaceAll(/\s/g, '').split('…');
  return new RegExp(
    parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*?'),
  );
}

/**
 * One shell script of all commands, which stops at the first that fails. It prints a line with the mark
 * after each.
 */
export const shellScript = (commands: readonly DocumentedCommand[], mark: string): string =>
  [
    'set -euo pipefail',
    ...commands.flatMap(({ command }) => [command.trimEnd(), `printf '\\n${mark}\\n'`]),
  ].join('\n');
