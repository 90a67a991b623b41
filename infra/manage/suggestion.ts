import { quoted } from './options.ts';
import { givenPortOf } from './service-address.ts';
import type { Surroundings } from './surroundings.ts';
import type { Target, TargetOptions } from './target.ts';

/**
 * A command to type next, for the same service.
 *
 * @param reader takes its output.
 */
export type Suggest = (command: string, reader?: string) => string;

export type KeyOptions = { readonly keyFile?: string };

/** Keeps the given options: without them, the next command could go to another service. */
export function suggesting(
  options: TargetOptions & KeyOptions,
  { kind }: Target,
  surroundings: Surroundings,
): Suggest {
  const port = kind === 'twin' ? givenPortOf(surroundings) : undefined;
  const before = port === undefined ? [] : [`PORT=${port}`];
  return (command, reader) =>
    [
      ...before,
      // Without -s, npm's own lines are in the output.
      reader === undefined ? 'npm run manage --' : 'npm run -s manage --',
      command,
      ...wordsOf(options),
      ...(reader === undefined ? [] : [`| ${reader}`]),
    ].join(' ');
}

const wordsOf = ({
  url,
  local,
  stack,
  profile,
  region,
  keyFile,
}: TargetOptions & KeyOptions): readonly string[] => [
  ...Object.entries({ url, stack, profile, region, 'key-file': keyFile }).flatMap(
    ([name, value]) => (value === undefined || value === '-' ? [] : [`--${name}`, quoted(value)]),
  ),
  ...(local ? ['--local'] : []),
];
