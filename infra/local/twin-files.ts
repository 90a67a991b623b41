import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';

export const defaultPort = '3000';

/** One set per port, in the checkout, so that twins don't overwrite or delete each other's files. */
export function twinFilesOf(port: string) {
  const suffix = port === defaultPort ? '' : `-${port}`;
  return {
    stackFile: `.local/stack${suffix}.json`,
    logFile: `.local/service${suffix}.log`,
    dataFolder: `.local/data/${port}`,
  };
}

/** @param names of the files in `.local`. */
export const portsOfTwins = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => {
    const found = /^stack(?:-(\d+))?\.json$/.exec(name);
    return found === null ? [] : [found[1] ?? defaultPort];
  });

export type KeptData = {
  readonly tableFolder: string;
  /** Stores a new value if there is none. */
  keep<Schema extends z.ZodType>(
    name: string,
    schema: Schema,
    create: () => z.output<Schema>,
  ): z.output<Schema>;
  replace(name: string, value: unknown): void;
};

/**
 * Private to the user, because it contains keys.
 *
 * @param isFresh deletes what's there.
 */
export function openKeptData(folder: string, isFresh: boolean): KeptData {
  if (isFresh) rmSync(folder, { recursive: true, force: true });
  const tableFolder = join(folder, 'dynamodb');
  mkdirSync(tableFolder, { recursive: true, mode: 0o700 });
  const fileOf = (name: string) => join(folder, `${name}.json`);
  const replace = (name: string, value: unknown) =>
    writeFileSync(fileOf(name), `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  return {
    tableFolder,
    replace,
    keep: (name, schema, create) => {
      const kept = schema.safeParse(readJson(fileOf(name)));
      if (kept.success) return kept.data;
      const value = create();
      replace(name, value);
      return value;
    },
  };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Missing, or its writer died half-way.
    return undefined;
  }
}
