import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  beginMaking,
  endMaking,
  isBeingMade,
  publishFolder,
} from '../../infra/constructs/shared-folder.ts';

const run = promisify(execFile);

export type Package = {
  /** What is in the archive. */
  readonly folder: string;
  readonly tarball: string;
};

/** Makes what `npm run package` makes, and installs it into an app's folder. */
export async function installPackage(app: string): Promise<Package> {
  const made = await makePackage(app);
  const [tarball = ''] = globSync(join(made, '*.tgz'));
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

/**
 * `SHARED_PACKAGE` names a folder for several processes that test the package of the same sources, as `.ci/run` starts:
 * the first makes it there, and the others wait.
 */
async function makePackage(app: string): Promise<string> {
  const shared = process.env['SHARED_PACKAGE'];
  if (shared === undefined) return buildPackage(join(app, 'made'));
  for (; !existsSync(shared); await sleep(100)) {
    if (!beginMaking(shared) && isBeingMade(shared)) continue;
    try {
      publishFolder(await buildPackage(mkdtempSync(`${shared}-`)), shared);
    } finally {
      endMaking(shared);
    }
  }
  return shared;
}

async function buildPackage(folder: string): Promise<string> {
  await run(process.execPath, ['infra/package/build-package.ts', folder]);
  return folder;
}
