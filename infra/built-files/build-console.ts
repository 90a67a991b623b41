import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, extname, join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build, type Metafile, type Plugin } from 'esbuild';
import { keyShownMs, linkMs } from '#shared/access/sign-in';
import { scopesOf } from '#shared/endpoints/endpoint';
import { endpointOf, routes } from '../../functions/routes.ts';
import type { ConsoleFile, ConsoleFiles } from '../../functions/show-console/show-console.ts';
import { serviceVersion } from '../version.ts';
import { browserBuild } from './browser-build.ts';

const root = join(import.meta.dirname, '../..');
const app = join(root, 'functions/show-console/app');
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');

const assetsPath = '/console/assets/';

/** By route: a request needs one of these scopes. Of what the console may ask, without what any key may. */
const scopesByRoute = Object.fromEntries(
  routes.flatMap(({ key, path, functionName }) => {
    const { access } = endpointOf(functionName);
    if (typeof access === 'string' || !/^\/(?:api|console)\//.test(path)) return [];
    const scopes = scopesOf(access);
    return scopes.length === 0 ? [] : [[key, scopes]];
  }),
);

/**
 * Builds files named by their content and compressed ahead of time: one style sheet, one script for the first view, and
 * what that imports with `import()`, which loads on demand, with a style sheet of its own. The shell has a script that
 * loads the first two.
 *
 * @param folder with `start.ts`, `main.tsx`, `style.css` and `late.css`.
 * @returns JSON that `functions/show-console` serves.
 */
export async function buildConsole(folder = app): Promise<string> {
  const { outputFiles, metafile } = await build({
    ...browserBuild,
    absWorkingDir: folder,
    entryPoints: ['main.tsx', 'style.css', 'late.css'],
    outdir: 'assets',
    splitting: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: {
      VERSION: JSON.stringify(serviceVersion),
      CHANGELOG: JSON.stringify(changelog),
      SCOPES: JSON.stringify(scopesByRoute),
      LINK_MINUTES: JSON.stringify(linkMs / 60_000),
      PROOF_MINUTES: JSON.stringify(keyShownMs / 60_000),
    },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    metafile: true,
    plugins: [oneFirstFile(folder)],
    // Late parts import `main.tsx` only to share its file.
    logOverride: { 'ignored-bare-import': 'silent' },
  });
  const script = firstScriptOf(metafile);
  const style = outputOf(metafile, 'style.css');
  const starter = await buildStarter(folder, { SCRIPT: urlOf(script), STYLE: urlOf(style) });
  const shell = consoleShell({ starter, late: lateFilesOf(metafile, script) });
  const served = outputFiles.filter(({ path }) => !isEmpty(metafile, basename(path)));
  const files: ConsoleFiles = {
    shell: compressed('text/html; charset=utf-8', shell),
    starterHash: `sha256-${hash('sha256', starter, 'base64')}`,
    assets: Object.fromEntries(
      served.map(({ path, text }) => [basename(path), compressed(typeOf(path), text)]),
    ),
  };
  return JSON.stringify(files);
}

/**
 * A module is in one file with those that the same imports reach. So each late part imports `main.tsx`, too, whose file
 * then has all that the first view needs, and late parts import from it what they share.
 */
const oneFirstFile = (folder: string): Plugin => ({
  name: 'one-first-file',
  setup: ({ onResolve, onLoad, resolve }) => {
    onResolve({ filter: /./ }, async ({ kind, path, resolveDir, namespace }) => {
      if (kind !== 'dynamic-import' || namespace === latePart) return undefined;
      const resolved = await resolve(path, { resolveDir, kind: 'import-statement' });
      // Relative, as names depend on it, and mustn't on where the checkout is.
      return { path: `./${relative(folder, resolved.path)}`, namespace: latePart };
    });
    onLoad({ filter: /./, namespace: latePart }, ({ path }) => ({
      contents: `import './main.tsx'; export * from ${JSON.stringify(path)};`,
      resolveDir: folder,
    }));
  },
});

const latePart = 'late-part';

async function buildStarter(
  folder: string,
  addresses: Readonly<Record<'SCRIPT' | 'STYLE', string>>,
): Promise<string> {
  const quoted = Object.entries(addresses).map(([name, url]) => [name, JSON.stringify(url)]);
  const { outputFiles } = await build({
    ...browserBuild,
    absWorkingDir: folder,
    entryPoints: ['start.ts'],
    outdir: 'assets',
    define: Object.fromEntries(quoted),
    external: [`${assetsPath}*`],
  });
  return outputFiles.map(({ text }) => text.trim()).join('');
}

/** The one file of the first view: `main.tsx`'s own only imports it, if something comes late. */
function firstScriptOf(metafile: Metafile): string {
  const [script, ...more] = [...withImports(metafile, outputOf(metafile, 'main.tsx'))].filter(
    (output) => !isEmpty(metafile, basename(output)),
  );
  if (script === undefined || more.length > 0) {
    throw new Error(`The console's first view isn't one script: ${[script, ...more].join(', ')}`);
  }
  return script;
}

/** By the name of the part's file: the addresses of all that it needs, beside the first script. */
function lateFilesOf(metafile: Metafile, firstScript: string) {
  const style = outputOf(metafile, 'late.css');
  const parts = Object.entries(metafile.outputs).flatMap(([output, { entryPoint = '' }]) => {
    if (!entryPoint.startsWith(`${latePart}:`)) return [];
    const files = [...withImports(metafile, output)].filter(
      (file) => file !== firstScript && !isEmpty(metafile, basename(file)),
    );
    return [[basename(entryPoint, extname(entryPoint)), [...files, style].map(urlOf)] as const];
  });
  return Object.fromEntries(parts);
}

/** A file and its static imports. */
function withImports({ outputs }: Metafile, output: string): ReadonlySet<string> {
  const known = new Set([output]);
  for (const one of known) {
    for (const { path, kind } of outputs[one]?.imports ?? []) {
      if (kind === 'import-statement') known.add(path);
    }
  }
  return known;
}

const isEmpty = ({ outputs }: Metafile, name: string): boolean =>
  Object.entries(outputs).some(
    ([path, { inputs }]) =>
      basename(path) === name &&
      Object.values(inputs).every(({ bytesInOutput }) => bytesInOutput === 0),
  );

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
  throw new Error(
    `The console has a file of an unknown type: ${basename(path)}. Add its type to infra/built-files/build-console.ts`,
  );
}

type ShellParts = {
  /** Runs in the page itself, and loads the first script and the style sheet. */
  readonly starter: string;
  /** The URLs of files that the script loads later, by the name of their part. */
  readonly late: Readonly<Record<string, readonly string[]>>;
};

/** The navigation's mark, in ink on paper or paper on ink. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20'><style>@media(prefers-color-scheme:dark){rect{fill:#f4f4f5}path{stroke:#09090b}}</style><rect width='20' height='20' rx='5.5' fill='#18181b'/><path d='M4.5 6.5h11v7.5h-11zl5.5 4.5 5.5-4.5' fill='none' stroke='#fafafa' stroke-width='1.4'/></svg>",
)}`;

const consoleShell = ({ starter, late }: ShellParts): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Email console</title>
<link rel="icon" href="${icon}">
</head>
<body>
<div id="app" data-late='${JSON.stringify(late)}'><p id="start" role="status"></p></div>
<noscript>The console needs JavaScript. What it shows is also at /api/v1: see <a href="/docs">/docs</a>.</noscript>
<script type="module">${starter}</script>
</body>
</html>
`;
