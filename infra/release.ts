import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { noticeOf } from './notice.ts';
import { bundleManage, packagesIn } from './package/manage-bundle.ts';
import { serviceVersion } from './version.ts';

/** These licences only require being quoted. */
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
      version: z.string().default(''),
      license: z.string().default('none'),
      dev: z.boolean().default(false),
    }),
  ),
});

type Bundled = {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly licence: string;
};

/**
 * In a function, the console, one of this repository's programs, or the npm package, whose `manage` has more of them.
 */
export async function bundledPackages(root: string): Promise<readonly Bundled[]> {
  const { metafile } = await bundleManage('manage');
  const ofManage = new Set(packagesIn(metafile));
  const { packages } = lock.parse(
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')),
  );
  return Object.entries(packages)
    .filter(([folder, { dev }]) => folder !== '' && (!dev || ofManage.has(folder)))
    .map(([folder, { version, license }]) => ({
      folder,
      version,
      licence: license,
      name: folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length),
    }));
}

const sbomShape = z.looseObject({
  metadata: z.looseObject({
    component: z.looseObject({ 'bom-ref': z.string(), name: z.string() }),
  }),
  components: z.array(z.looseObject({ 'bom-ref': z.string() })),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

/**
 * CycloneDX. npm makes one of all packages: its `--omit dev` would also drop production packages that a development
 * package needs.
 */
export function sbomOf(root: string, packages: readonly Bundled[]): z.output<typeof sbomShape> {
  const command = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const output = execFileSync('npm', command, { cwd: root, maxBuffer: 2 ** 26 });
  const { metadata, components, dependencies, ...rest } = sbomShape.parse(JSON.parse(`${output}`));
  const own = metadata.component['bom-ref'];
  const bundled = new Set([own, ...packages.map(({ name, version }) => `${name}@${version}`)]);
  // npm names it after the folder.
  const component = { ...metadata.component, name: own.slice(0, own.lastIndexOf('@')) };
  return {
    ...rest,
    metadata: { ...metadata, component },
    // npm marks packages as optional or development if only those need them, but all of these are delivered.
    components: components
      .filter((one) => bundled.has(one['bom-ref']))
      .map((one) => ({ ...one, scope: 'required', properties: [] })),
    dependencies: dependencies
      .filter(({ ref }) => bundled.has(ref))
      .map(({ ref, dependsOn }) => ({
        ref,
        dependsOn: dependsOn.filter((one) => bundled.has(one)),
      })),
  };
}

/** `undefined` without such a version, or without its date. */
export const changesOf = (version: string, changelog: string): string | undefined =>
  changelog
    .split(/^## /m)
    .find((part) => part.startsWith(`[${version}] - 20`))
    ?.trim();

/** `npm run release:check` checks a release and writes the files that go with it. */
async function prepare(root: string): Promise<void> {
  const changes = changesOf(serviceVersion, readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  const packages = await bundledPackages(root);
  const refused = packages.filter(({ licence }) => !allowedLicences.includes(licence));
  const faults = [
    ...(changes === undefined
      ? [`CHANGELOG.md has no heading ## [${serviceVersion}] with a date`]
      : []),
    ...refused.map(({ name, licence }) => `${name} has a licence that isn't allowed: ${licence}`),
  ];
  if (faults.length > 0) {
    process.stderr.write(`${faults.join('\n')}\n`);
    process.exitCode = 1;
    return;
  }
  const folder = join(root, '.local', 'release');
  mkdirSync(folder, { recursive: true });
  const sbom = sbomOf(root, packages);
  writeFileSync(join(folder, 'sbom.json'), `${JSON.stringify(sbom, null, 2)}\n`);
  writeFileSync(join(folder, 'NOTICE'), noticeOf(packages.map(({ folder }) => join(root, folder))));
  writeFileSync(join(folder, 'CHANGES.md'), `## ${changes}\n`);
  process.stdout.write(
    `v${serviceVersion}: ${sbom.components.length} packages; wrote sbom.json, NOTICE and CHANGES.md to .local/release\n`,
  );
}

if (import.meta.main) await prepare(join(import.meta.dirname, '..'));
