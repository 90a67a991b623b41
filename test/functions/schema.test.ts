import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(resolve(root, path), 'utf8');

const handlers = globSync('functions/*/handler.ts', { cwd: root }).toSorted();
const schemas = handlers
  .map((handler) => `${dirname(handler)}/schema.ts`)
  .filter((path) => existsSync(resolve(root, path)));

const namesIn = (source: string) =>
  [...source.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => name);

/** How often the other files of its folder mention a name. The import is one mention. */
function mentionsOf(name: string, schema: string): number {
  const others = globSync(`${dirname(schema)}/*.ts`, { cwd: root }).filter(
    (path) => path !== schema,
  );
  return others.flatMap((path) => read(path).match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length;
}

describe('the schema file of a function', () => {
  it.each(schemas)('%s holds only what the function parses by or answers by', (schema) => {
    const names = namesIn(read(schema));

    expect(names).not.toEqual([]);
    expect(names.filter((name) => mentionsOf(name, schema) < 2)).toEqual([]);
  });

  it.each(schemas)('%s renames no other schema', (schema) => {
    expect(read(schema)).not.toMatch(/^export const \w+ = \w+;$/m);
  });
});

describe('a handler', () => {
  const answersJson = /\b(?:json|created|accepted)Response\(/;

  it.each(handlers.filter((path) => answersJson.test(read(path))))(
    '%s answers by a schema',
    (handler) => {
      expect(read(handler)).toMatch(/\w+Schema\.parse\(/);
    },
  );
});
