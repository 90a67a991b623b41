/** Examples below the help of a command. */
export const examples = (...commands: readonly string[]): string =>
  `\nExamples:\n${commands.map((command) => `  npm run manage -- ${command}`).join('\n')}`;
