import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { buildConsole } from '../../../infra/built-files/build-console.ts';

const fileShape = z.object({
  contentType: z.string(),
  text: z.string(),
  gzip: z.string(),
  br: z.string(),
});
const filesShape = z.object({ shell: fileShape, assets: z.record(z.string(), fileShape) });

const build = async (folder?: string) => filesShape.parse(JSON.parse(await buildConsole(folder)));

/** An app whose script loads `late.ts` when it is needed; both import `both.ts`. */
function writeApp(late: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'console-app-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'style.css'), 'body { margin: 0 }');
  writeFileSync(join(folder, 'both.ts'), 'export const both = () => document.title;');
  writeFileSync(join(folder, 'late.ts'), late);
  writeFileSync(
    join(folder, 'main.tsx'),
    `import { both } from './both.ts'; both(); import('./late.ts').then(({ late }) => late());`,
  );
  return folder;
}

const late = `import { both } from './both.ts'; export const late = () => alert(both());`;

const linked = (shell: string): string[] =>
  [...shell.matchAll(/(?:src|href)="\/console\/assets\/([^"]+)"/g)].map(([, name = '']) => name);

describe('buildConsole', () => {
  it('builds the app, whose shell has a few KB and loads files that there are', async () => {
    const { shell, assets } = await build();

    expect(shell.text.length).toBeLessThan(4_096);
    expect(shell.text).not.toMatch(/<style|<script>|\son\w+=|style=|https?:/);
    const names = linked(shell.text);
    expect(names).toHaveLength(new Set(names).size);
    expect(names.length).toBeGreaterThanOrEqual(2);
    expect(Object.keys(assets)).toEqual(expect.arrayContaining(names));
  });

  it('stays within 120 KB, and 45 KB before the first view', async () => {
    const { shell, assets } = await build();
    const sizeOf = (names: readonly string[]) =>
      names.reduce((sum, name) => sum + Buffer.from(assets[name]?.br ?? '', 'base64').length, 0);

    expect(sizeOf(Object.keys(assets))).toBeLessThanOrEqual(120 * 1_024);
    expect(sizeOf(linked(shell.text))).toBeLessThanOrEqual(45 * 1_024);
  });

  it('compresses every file to what it is', async () => {
    const { shell, assets } = await build();

    for (const { text, gzip, br } of [shell, ...Object.values(assets)]) {
      expect(`${gunzipSync(Buffer.from(gzip, 'base64'))}`).toBe(text);
      expect(`${brotliDecompressSync(Buffer.from(br, 'base64'))}`).toBe(text);
    }
  });

  it('loads what comes late neither with the shell nor ahead', async () => {
    const { shell, assets } = await build(writeApp(late));

    const names = linked(shell.text);
    const later = Object.keys(assets).filter((name) => !names.includes(name));
    expect(later).toEqual([expect.stringMatching(/^late-\w+\.js$/)]);
    expect(names).toEqual([
      expect.stringMatching(/^style-\w+\.css$/),
      expect.stringMatching(/^chunk-\w+\.js$/),
      expect.stringMatching(/^main-\w+\.js$/),
    ]);
  });

  it('names a file otherwise when its content is another', async () => {
    const [one, same, other] = await Promise.all(
      [late, late, `${late} alert(1);`].map((text) => build(writeApp(text))),
    );

    expect(Object.keys(same?.assets ?? {})).toEqual(Object.keys(one?.assets ?? {}));
    expect(Object.keys(other?.assets ?? {})).not.toEqual(Object.keys(one?.assets ?? {}));
  });
});
