import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { withSourceLine } from '#shared/observability/source-lines';

const failing = `
import { openRequestLog } from '#shared/observability/request-log';

function fail() {
  throw new TypeError('secret');
}

try {
  fail();
} catch (error) {
  openRequestLog({}).error('request failed', error);
}
`;

/** The stack that a bundle logs of the error it fails with. */
async function stackLoggedBy(options: { readonly sourcemap: boolean }): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'source-lines-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const outfile = join(directory, 'index.mjs');
  const stdin = { contents: failing, resolveDir: import.meta.dirname, sourcefile: 'failing.ts' };
  await build({
    ...options,
    stdin,
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
  });
  const { stderr } = spawnSync(process.execPath, [outfile], { encoding: 'utf8' });
  return z.object({ stack: z.string() }).parse(JSON.parse(stderr)).stack;
}

describe('the stack of an error that a bundle logs', () => {
  it('names the lines of the sources', async () => {
    const stack = await stackLoggedBy({ sourcemap: true });

    expect(stack).toMatch(/failing\.ts:5:9\)?\n/);
    expect(stack).toMatch(/failing\.ts:9:3\)?\n/);
    expect(stack).not.toContain('index.mjs');
  });

  it('names those of the bundle when its map is missing', async () => {
    expect(await stackLoggedBy({ sourcemap: false })).toMatch(/index\.mjs:\d+:\d+\)?\n/);
  });
});

describe('withSourceLine', () => {
  it.each([
    ['of Node', '    at node:internal/main:1:1'],
    ['of no place', '    at async Promise.all (index 0)'],
    ['of another file', '    at x (file:///var/runtime/index.mjs:1:2)'],
    ['of a source', new Error('x').stack?.split('\n')[1] ?? ''],
  ])('leaves a frame %s as it is', (_what, frame) => {
    expect(withSourceLine(frame)).toBe(frame);
  });
});
