/** A command of a document, and what the document says that it prints. */
export type DocumentedCommand = { readonly command: string; readonly printed: readonly string[] };

/** A code block of a Markdown document. One with a file's name, as in `js receiver.mjs`, is that file. */
export type CodeBlock = {
  readonly language: string;
  readonly file: string | undefined;
  readonly text: string;
};

export const codeBlocks = (markdown: string): readonly CodeBlock[] =>
  [...markdown.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(
    ([, language = '', file, text = '']) => ({ language, file, text }),
  );

/** How each language is run in a shell. */
const interpreters: ReadonlyMap<string, string> = new Map([
  ['js', 'node --input-type=module -'],
  ['python', 'python3 -'],
]);

/** The commands of a block in any language that runs in a shell: of a program, it is one. */
export function commandsOf({ language, text }: CodeBlock): readonly DocumentedCommand[] {
  const interpreter = interpreters.get(language);
  if (interpreter === undefined) return documentedCommands(text);
  const [, program = '', comment = ''] = /^(.*?\n)((?:(?:#|\/\/) [^\n]*\n)*)$/s.exec(text) ?? [];
  const command = `${interpreter} <<'END_OF_PROGRAM'\n${program}END_OF_PROGRAM\n`;
  return [{ command, printed: linesOf(comment) }];
}

/** Divides a shell block at its comment lines: they show what the commands before them print. */
function documentedCommands(block: string): readonly DocumentedCommand[] {
  const parts = block.split(/((?:^#.*\n)+)/m);
  return parts.flatMap((command, index) => {
    if (index % 2 === 1 || command.trim() === '') return [];
    return [{ command, printed: linesOf(parts[index + 1] ?? '') }];
  });
}

const linesOf = (comment: string): readonly string[] =>
  comment
    .split('\n')
    .filter(Boolean)
    .map((line) => line.replace(/^(?:#|\/\/)\s*/, ''));

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
    // Of the command line's scripts npm only starts Node: its own start takes longer than most commands.
    `npm() { if [ "\${*:1:4}" = "run -s manage --" ]; then shift 4; INIT_CWD=$PWD node infra/manage/main.ts "$@"; else command npm "$@"; fi; }`,
    ...commands.flatMap(({ command }) => [command.trimEnd(), `printf '\\n${mark}\\n'`]),
  ].join('\n');
