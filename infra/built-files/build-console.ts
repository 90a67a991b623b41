import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import type { ConsoleFile, ConsoleFiles } from '../../functions/show-console/show-console.ts';
import { serviceVersion } from '../version.ts';
import { browserBuild } from './browser-build.ts';
import { consoleShell } from './console-shell.ts';

const root = join(import.meta.dirname, '../..');
const app = join(root, 'functions/show-console/app');
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');

const assetsPath = '/console/assets/';

/**
 * Builds files named by their content and compressed ahead of time, and the shell that loads the first. What the app
 * imports with `import()` loads on demand.
 *
 * @param folder with `main.tsx` and `style.css`.
 * @returns JSON that `functions/show-console` serves.
 */
export async function buildConsole(folder = app): Promise<string> {
  const { outputFiles, metafile } = await build({
    ...browserBuild,
    absWorkingDir: folder,
    entryPoints: ['main.tsx', 'style.css'],
    outdir: 'assets',
    splitting: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { VERSION: JSON.stringify(serviceVersion), CHANGELOG: JSON.stringify(changelog) },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    metafile: true,
  });
  const scripts = scriptsOf(metafile);
  const style = outputOf(metafile, 'style.css');
  const files: ConsoleFiles = {
    shell: compressed(
      'text/html; charset=utf-8',
      consoleShell({ scripts: scripts.map(urlOf), style: urlOf(style) }),
    ),
    assets: Object.fromEntries(
      outputFiles.map(({ path, text }) => [basename(path), compressed(typeOf(path), text)]),
    ),
  };
  return JSON.stringify(files);
}

/** The app's first script, and its static imports. */
function scriptsOf(metafile: Metafile): readonly string[] {
  const main = outputOf(metafile, 'main.tsx');
  const known = new Set([main]);
  for (const output of known) {
    for (const { path, kind } of metafile.outputs[output]?.imports ?? []) {
      if (kind === 'import-statement') known.add(path);
    }
  }
  return [...known];
}

function outputOf({ outputs }: Metafile, entryPoint: string): string {
  const [name] =
    Object.entries(outputs).find(([, output]) => output.entryPoint === entryPoint) ?? [];
  if (name === undefined) throw new Error(`The console has no ${entryPoint}`);
  return name;
}

const urlOf = (output: string): string => `${assetsPath}${basename(output)}`;

const compressed = (contentType: string, text: string): ConsoleFile => ({
  contentType,
  text,
  gzip: gzipSync(text, { level: constants.Z_BEST_COMPRESSION }).toString('base64'),
  br: brotliCompressSync(text).toString('base64'),
});

function typeOf(path: string): string {
  if (path.endsWith('.js')) return 'text/javascript; charset=utf-8';
  if (path.endsWith('.css')) return 'text/css; charset=utf-8';
  if (path.endsWith('.svg')) return 'image/svg+xml';
  throw new Error(`The console has a file of no known type: ${basename(path)}`);
}
