import { hash } from 'node:crypto';
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
const filesShape = z.object({
  shell: fileShape,
  starterHash: z.string(),
  assets: z.record(z.string(), fileShape),
});

const build = async (folder?: string) => filesShape.parse(JSON.parse(await buildConsole(folder)));

/**
 * An app whose script loads `late.ts` and `later.ts` when they are needed; all import `both.ts`, those two
 * `late-both.ts`.
 */
function writeApp(late: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'console-app-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'style.css'), 'body { margin: 0 }');
  writeFileSync(join(folder, 'late.css'), 'p { margin: 0 }');
  writeFileSync(join(folder, 'both.ts'), 'export const both = () => document.title;');
  writeFileSync(join(folder, 'late-both.ts'), 'export const lateBoth = () => document.body;');
  writeFileSync(join(folder, 'late.ts'), late);
  writeFileSync(join(folder, 'later.ts'), late);
  writeFileSync(join(folder, 'start.ts'), 'void fetch(STYLE).then(() => import(SCRIPT));');
  writeFileSync(
    join(folder, 'main.tsx'),
    `import { both } from './both.ts'; both(); void import('./late.ts'); void import('./later.ts');`,
  );
  return folder;
}

const late = `import { both } from './both.ts'; import { lateBoth } from './late-both.ts'; export const late = () => alert([both(), lateBoth()]);`;

/** The files that the page's own script loads. */
const first = (shell: string): string[] => addressesIn(shell.slice(shell.indexOf('<script')));

const addressesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/"\/console\/assets\/([^"]+)"/g)].map(([, name = '']) => name)),
];

const lateSchema = z.record(z.string(), z.array(z.string()));

/** What each later part needs, by its name. */
const lateIn = (shell: string) =>
  lateSchema.parse(JSON.parse(/data-late='([^']+)'/.exec(shell)?.[1] ?? ''));

describe('buildConsole', () => {
  it('builds the app, whose shell has a few KB and loads only existing files', async () => {
    const { shell, assets } = await build();

    expect(shell.text.length).toBeLessThan(4_096);
    const html = shell.text.replace(/data-late='[^']+'/, '').replace(/<script.*<\/script>/, '');
    expect(html).not.toMatch(/<style|<script|\son\w+=|style=|https?:/);
    const names = [...first(shell.text), ...Object.values(lateIn(shell.text)).flat()];
    const files = names.map((name) => name.replace('/console/assets/', ''));
    expect(new Set(files)).toEqual(new Set(Object.keys(assets)));
  });

  it('needs one style sheet and one script for the first view', async () => {
    const { shell } = await build();

    expect(
      first(shell.text)
        .map((name) => name.replace(/^.*\./, ''))
        .sort(),
    ).toEqual(['css', 'js']);
  });

  it('needs at most three scripts and one style sheet for any other page', async () => {
    const { shell } = await build();

    for (const files of Object.values(lateIn(shell.text))) {
      expect(files.filter((file) => file.endsWith('.js')).length).toBeLessThanOrEqual(3);
      expect(files.filter((file) => file.endsWith('.css')).length).toBe(1);
    }
  });

  it("names the hash of the page's only inline script", async () => {
    const { shell, starterHash } = await build();

    const scripts = [...shell.text.matchAll(/<script[^>]*>(.*?)<\/script>/gs)];

    expect(scripts.map(([, script = '']) => `sha256-${hash('sha256', script, 'base64')}`)).toEqual([
      starterHash,
    ]);
  });

  it('stays within 120 KB, and 45 KB before the first view', async () => {
    const { shell, assets } = await build();
    const sizeOf = (names: readonly string[]) =>
      names.reduce((sum, name) => sum + Buffer.from(assets[name]?.br ?? '', 'base64').length, 0);

    expect(sizeOf(Object.keys(assets))).toBeLessThanOrEqual(120 * 1_024);
    expect(sizeOf(first(shell.text))).toBeLessThanOrEqual(45 * 1_024);
  });

  it('tells the app which scopes a request needs, of those that the app can make', async () => {
    const { shell, assets } = await build();
    const [script = ''] = first(shell.text).filter((name) => name.endsWith('.js'));
    const { text = '' } = assets[script] ?? {};

    expect(text).toContain(
      '"DELETE /api/v1/suppressions/{email}":["suppressions_manage","manage_organization"]',
    );
    expect(text).toContain('"GET /api/v1/people":["manage_organization"]');
    expect(text).not.toMatch(/"[A-Z]+ \/(?:resend|postmark)/);
    expect(text).not.toContain('"POST /api/v1/organizations"');
  });

  it('compresses every file losslessly', async () => {
    const { shell, assets } = await build();

    for (const { text, gzip, br } of [shell, ...Object.values(assets)]) {
      expect(`${gunzipSync(Buffer.from(gzip, 'base64'))}`).toBe(text);
      expect(`${brotliDecompressSync(Buffer.from(br, 'base64'))}`).toBe(text);
    }
  });

  it('loads deferred files neither with the shell nor in advance, and lists them', async () => {
    const { shell, assets } = await build(writeApp(late));

    const names = first(shell.text);
    expect(names.sort()).toEqual([
      expect.stringMatching(/^chunk-\w+\.js$/),
      expect.stringMatching(/^style-\w+\.css$/),
    ]);
    const { late: files, later, ...none } = lateIn(shell.text);
    const shared = expect.stringMatching(/^\/console\/assets\/chunk-\w+\.js$/);
    const style = expect.stringMatching(/^\/console\/assets\/late-\w+\.css$/);
    expect(files).toEqual([expect.stringMatching(/\/late-\w+\.js$/), shared, style]);
    expect(later).toEqual([expect.stringContaining('/later-'), shared, style]);
    expect(none).toEqual({});
    expect(Object.keys(assets)).toHaveLength(6);
  });

  it('renames a file when its content changes', async () => {
    const [one, same, other] = await Promise.all(
      [late, late, `${late} alert(1);`].map((text) => build(writeApp(text))),
    );

    expect(Object.keys(same?.assets ?? {})).toEqual(Object.keys(one?.assets ?? {}));
    expect(Object.keys(other?.assets ?? {})).not.toEqual(Object.keys(one?.assets ?? {}));
  });
});
