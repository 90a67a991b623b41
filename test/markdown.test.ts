import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const documents = globSync(['*.md', '.github/*.md', '{functions,shared,infra,test}/**/*.md'], {
  cwd: root,
});
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const exists = (file: string) => existsSync(join(root, file));
const namesOf = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name);

/** As GitHub makes an anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (file: string): readonly string[] =>
  [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

describe.each(documents)('%s', (document) => {
  it('links only to files and headings that exist', () => {
    const links = [...read(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);

    const broken = links.filter((link) => {
      if (link.startsWith('https://')) return false;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? document : join(dirname(document), path);
      if (!exists(target)) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });

    expect(broken).toEqual([]);
  });

  it('names only source files that exist', () => {
    const named = namesOf(read(document)).filter((name) => /^[\w./-]+\/[\w.-]+\.tsx?$/.test(name));

    const places = ['', dirname(document), 'shared'];
    expect(named.filter((name) => !places.some((place) => exists(join(place, name))))).toEqual([]);
  });
});
