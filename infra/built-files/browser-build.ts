import type { BuildOptions } from 'esbuild';

/** For what browsers load: the console, and the script and style of the docs. */
export const browserBuild = {
  write: false,
  bundle: true,
  format: 'esm',
  target: ['es2022', 'chrome109', 'firefox115', 'safari16'],
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions;
