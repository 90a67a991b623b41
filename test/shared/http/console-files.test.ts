import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openConsoleFiles } from '#shared/http/console-files';

it('reads the built console once, at the first request', () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = { contentType: 'text/html', text: 'shell', gzip: 'Zw==', br: 'Yg==' };
  const built = { shell: file, assets: { 'main.js': { ...file, text: 'main' } } };
  const read = openConsoleFiles(folder);
  writeFileSync(join(folder, 'console.json'), JSON.stringify(built));

  const first = read();
  writeFileSync(join(folder, 'console.json'), '{}');

  expect(first).toEqual(built);
  expect(read()).toBe(first);
});
