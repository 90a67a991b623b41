import { execFile } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type Package = {
  /** What is in the archive. */
  readonly folder: string;
  readonly tarball: string;
};

/** Makes what `npm run package` makes, and installs it into an app's folder. */
export async function installPackage(app: string): Promise<Package> {
  const made = join(app, 'made');
  const { stdout } = await run(process.execPath, ['infra/package/build-package.ts', made]);
  const tarball = join(made, stdout.trim());
  writeFileSync(join(app, 'package.json'), '{"private": true, "type": "module"}');
  // CDK is its only dependency, and is too large to install here.
  await run(
    'npm',
    ['install', tarball, '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps'],
    { cwd: app },
  );
  for (const name of ['aws-cdk-lib', 'constructs']) {
    symlinkSync(resolve('node_modules', name), join(app, 'node_modules', name));
  }
  return { folder: join(made, 'package'), tarball };
}
