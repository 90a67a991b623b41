import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { noticeOf } from './notice.ts';
import { serviceVersion } from './version.ts';

/** These licences only require to be quoted. */
export const allowedLicences: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
  '(MIT OR EUPL-1.1+)',
];

const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      license: z.string().default('none'),
      dev: z.boolean().default(false),
    }),
  ),
});

type Bundled = { readonly folder: string; readonly name: string; readonly licence: string };

/** In a function, the console or a program of this repository. */
export function bundledPackages(root: string): readonly Bundled[] {
  const { packages } = lock.parse(
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')),
  );
  return Object.entries(packages)
    .filter(([folder, { dev }]) => folder !== '' && !dev)
    .map(([folder, { license }]) => ({
      ...{ folder, licence: license },
      name: folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length),
    }));
}

/** `undefined` without such a version, or without its date. */
export const changesOf = (version: string, changelog: string): string | undefined =>
  changelog
    .split(/^## /m)
    .find((part) => part.startsWith(`[${version}] - 20`))
    ?.trim();

/** `npm run release:check` checks a release and writes what goes beside it. */
function prepare(root: string): void {
  const changes = changesOf(serviceVersion, readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  const packages = bundledPackages(root);
  const refused = packages.filter(({ licence }) => !allowedLicences.includes(licence));
  const faults = [
    ...(changes === undefined ? [`CHANGELOG.md has no ## [${serviceVersion}] with a date`] : []),
    ...refused.map(({ name, licence }) => `${name} has the licence ${licence}`),
  ];
  if (faults.length > 0) {
    process.stderr.write(`${faults.join('\n')}\n`);
    process.exitCode = 1;
    return;
  }
  const folder = join(root, '.local', 'release');
  mkdirSync(folder, { recursive: true });
  const sbom = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'];
  writeFileSync(join(folder, 'sbom.json'), execFileSync('npm', sbom, { cwd: root }));
  writeFileSync(join(folder, 'NOTICE'), noticeOf(packages.map(({ folder }) => join(root, folder))));
  writeFileSync(join(folder, 'CHANGES.md'), `## ${changes}\n`);
  process.stdout.write(
    `v${serviceVersion}: ${packages.length} packages; sbom.json, NOTICE and CHANGES.md are in .local/release\n`,
  );
}

if (import.meta.main) prepare(join(import.meta.dirname, '..'));
