import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import type { BundlesMetafile } from '../constructs/function-bundles.ts';

export const packageOptions = {
  absWorkingDir: join(import.meta.dirname, '../..'),
  bundle: true,
  platform: 'node',
  target: 'node22',
  mainFields: ['module', 'main'],
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** In chunks, as loading all of AWS's clients takes a second. */
export const bundleManage = (outdir: string) =>
  build({
    ...packageOptions,
    entryPoints: ['infra/manage/main.ts'],
    outdir,
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    splitting: true,
    // For dependencies that are CommonJS.
    banner: {
      js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
    },
    write: false,
  });

/** Folders of the packages whose code a bundle contains, as in `package-lock.json`. */
export const packagesIn = ({ inputs, outputs }: BundlesMetafile): readonly string[] => {
  const used = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
  const folders = [...new Set(used)]
    .filter((path) => path in inputs)
    .flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [])
    // The trimmed copies of SDK clients are in a cache, and `node_modules` may be a link.
    .map((path) => path.replace(/^.*\.cache\//, '').replace(/^.*?node_modules\//, 'node_modules/'));
  return [...new Set(folders)];
};
