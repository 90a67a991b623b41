import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, '.github/SECURITY.md'), 'utf8');

/** What the table says that holds: a test's title, and the file or the folder that it is in. */
const named = [...text.matchAll(/(?:(hostile)|`([\w/-]+)`): "([^"]+)"/g)].map(
  ([, hostile, path, title]) => ({ place: hostile ? 'e2e/hostile-tenants' : path, title }),
);

describe('SECURITY.md', () => {
  it('names a test for most of what it says', () => {
    expect(named.length).toBeGreaterThan(25);
  });

  it.each(named)('names a test that there is: $place: $title', ({ place, title = '' }) => {
    const files = globSync([`test/${place}{,.store}.test.ts`, `test/${place}/*.test.ts`], {
      cwd: root,
    });
    const sources = files.map((file) => readFileSync(join(root, file), 'utf8'));

    const titles = sources.join('\n').replaceAll("\\'", "'");
    expect(files).not.toEqual([]);
    expect(titles).toContain(title);
  });
});
