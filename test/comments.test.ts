import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const product = files.filter((file) => /^(?:functions|shared|infra)\/.*\.tsx?$/.test(file));

/** The files that comments name, such as `send-email.ts` or `sending/send-store.ts`. */
const namedIn = (text: string): string[] =>
  [...text.matchAll(/^ *(?:\*|\/\*|\/\/).*$/gm)].flatMap(([line]) =>
    [...line.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name = '']) => name),
  );

it('comments name no source file that is not there', () => {
  const missing = product.flatMap((file) =>
    namedIn(readFileSync(join(root, file), 'utf8'))
      .filter((name) => !files.some((path) => path === name || path.endsWith(`/${name}`)))
      .map((name) => `${file}: ${name}`),
  );

  expect(missing).toEqual([]);
});
