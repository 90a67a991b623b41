import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import * as z from 'zod';
import { allDeclarations, writeBundles } from '../constructs/function-bundles.ts';
import { noticeOf } from '../notice.ts';
import { packFolder } from './archive.ts';
import { bundleManage, packageOptions, packagesIn } from './manage-bundle.ts';
import { archiveName } from './packed-functions.ts';
import { settingsTypes } from './settings-types.ts';

const root = join(import.meta.dirname, '../..');
const dist = join(root, 'dist');

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  devDependencies: z.object({ 'aws-cdk-lib': z.string() }),
});
const cdkSchema = z.object({ peerDependencies: z.object({ constructs: z.string() }) });

const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));

/**
 * `npm run package` makes what other apps install, which depends on no package but CDK: the construct with bundled
 * functions, and `manage`. Into `dist/`, or the given folder.
 */
async function buildPackage(destination: string): Promise<void> {
  const folder = join(destination, 'package');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  mkdirSync(folder, { recursive: true });
  const manifest = manifestSchema.parse(readJson('package.json'));
  const bundled = [
    await buildConstruct(folder),
    await buildManage(folder, manifest.name),
    packFunctions(folder),
  ];
  writeTypes(folder);
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  copyFileSync(join(import.meta.dirname, 'README.md'), join(folder, 'README.md'));
  const folders = [...new Set(bundled.flat())].toSorted().map((one) => join(root, one));
  writeFileSync(join(folder, 'NOTICE'), noticeOf(folders));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifestOf(manifest), null, 2)}\n`);
  execFileSync('npm', ['pack', folder, '--silent', '--pack-destination', destination], {
    stdio: 'inherit',
  });
}

function manifestOf({ devDependencies, ...rest }: z.output<typeof manifestSchema>) {
  const cdk = cdkSchema.parse(readJson('node_modules/aws-cdk-lib/package.json'));
  return {
    ...rest,
    type: 'commonjs',
    main: './index.js',
    types: './index.d.ts',
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './package.json': './package.json',
    },
    bin: { [rest.name]: './manage/main.mjs' },
    engines: { node: '>=22' },
    peerDependencies: {
      'aws-cdk-lib': `^${devDependencies['aws-cdk-lib']}`,
      constructs: cdk.peerDependencies.constructs,
    },
  };
}

/**
 * CommonJS, which all apps can import. CDK is left to the app: two copies of it don't recognise each other's
 * constructs.
 */
async function buildConstruct(folder: string): Promise<readonly string[]> {
  const { metafile } = await build({
    ...packageOptions,
    entryPoints: ['infra/transactional-email.ts'],
    outfile: join(folder, 'index.js'),
    format: 'cjs',
    external: ['aws-cdk-lib', 'aws-cdk-lib/*', 'constructs'],
    define: { 'import.meta.dirname': '__dirname', 'import.meta.url': '__filename' },
    plugins: [
      {
        name: 'packed functions',
        setup: ({ onLoad, onResolve }) => {
          onResolve({ filter: /\/function-bundles\.ts$/ }, () => ({
            path: join(import.meta.dirname, 'packed-functions.ts'),
          }));
          // CommonJS can't await modules, and in a bundle needn't.
          onLoad({ filter: /\/functions\/endpoints\.ts$/ }, ({ path }) => ({
            contents: readFileSync(path, 'utf8').replaceAll('await import(', 'require('),
            loader: 'ts',
          }));
        },
      },
    ],
  });
  return packagesIn(metafile);
}

async function buildManage(folder: string, name: string): Promise<readonly string[]> {
  const { metafile, outputFiles } = await bundleManage(join(folder, 'manage'));
  mkdirSync(join(folder, 'manage'));
  for (const { path, text } of outputFiles) {
    // The command that users type. With `--no-install`, npx doesn't run a package of that name published by someone
    // else.
    writeFileSync(path, text.replaceAll(/npm run (?:-s )?manage --/g, `npx --no-install ${name}`));
  }
  const main = join(folder, 'manage/main.mjs');
  writeFileSync(main, `#!/usr/bin/env node\n${readFileSync(main, 'utf8')}`);
  chmodSync(main, 0o755);
  return packagesIn(metafile);
}

/**
 * As deep below the root as `cdk synth` bundles: source maps have relative paths, and assets are named by their
 * content.
 */
function packFunctions(folder: string): readonly string[] {
  const bundles = mkdtempSync(join(dist, 'bundles-'));
  try {
    const metafile = writeBundles(allDeclarations, bundles);
    writeFileSync(join(folder, archiveName), packFolder(bundles));
    return packagesIn(metafile);
  } finally {
    rmSync(bundles, { recursive: true });
  }
}

/** By their names in the package. */
const publicTypes = {
  'transactional-email': 'index',
  'email-organization': 'email-organization',
} as const;
const foreignImport =
  /from '(?!aws-cdk-lib|constructs'|\.\/settings\.js'|\.\/email-organization\.js')[^']*'/;

/** Declared by TypeScript; the settings' declaration is replaced by one without zod. */
function writeTypes(folder: string): void {
  const draft = mkdtempSync(join(dist, 'types-'));
  try {
    const config = join(draft, 'tsconfig.json');
    const compilerOptions = {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      // Only these files, whose exports have their types written down: else TypeScript also writes the declarations of
      // all that they import, down to each endpoint.
      noResolve: true,
      isolatedDeclarations: true,
      outDir: draft,
      rootDir: root,
    };
    const files = Object.keys(publicTypes).map((source) => join(root, `infra/${source}.ts`));
    const extended = join(root, 'tsconfig.json');
    writeFileSync(
      config,
      JSON.stringify({ extends: extended, compilerOptions, include: [], files }),
    );
    // `tsc` checks separately whether the code compiles.
    const tsc = [join(root, 'node_modules/typescript/lib/tsc.js'), '-p', config, '--noCheck'];
    execFileSync(process.execPath, tsc, { stdio: 'inherit' });
    for (const [source, target] of Object.entries(publicTypes)) {
      const types = readFileSync(join(draft, `infra/${source}.d.ts`), 'utf8');
      const own = types
        .replaceAll("'./settings/declaration.ts'", "'./settings.js'")
        .replaceAll("'./email-organization.ts'", "'./email-organization.js'");
      const foreign = foreignImport.exec(own);
      if (foreign !== null)
        throw new Error(
          `The public types of ${source} use ${foreign[0]}, which the package lacks: declare the type in a public file`,
        );
      writeFileSync(join(folder, `${target}.d.ts`), own);
    }
    writeFileSync(join(folder, 'settings.d.ts'), settingsTypes());
  } finally {
    rmSync(draft, { recursive: true });
  }
}

await buildPackage(resolve(process.argv[2] ?? dist));
