import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { functionCatalogue } from '../../infra/constructs/function-catalogue.ts';
import { listen } from '../../infra/local/server.ts';
import { bundledPackages } from '../../infra/release.ts';
import { installPackage, type Package } from '../support/installed-package.ts';
import { unvalidated } from '../support/unvalidated-synthesis.ts';

// What `npm run package` makes, used as an app outside this repository does.

const root = join(import.meta.dirname, '../..');
const binaries = join(root, 'node_modules/.bin');
const app = mkdtempSync(join(tmpdir(), 'package-user-'));
const run = promisify(execFile);
const node = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  run(process.execPath, [...args], {
    cwd: app,
    env: { PATH: process.env['PATH'], ...environment },
  });

let made: Package;

beforeAll(async () => {
  made = await installPackage(app);
  const readme = readFileSync(join(root, 'infra/package/README.md'), 'utf8');
  const [, example = ''] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  writeFileSync(join(app, 'app.ts'), example);
}, 600_000);
afterAll(() => rmSync(app, { recursive: true, force: true }));

/** Each file below a folder, and what is in it. */
const contentsOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return `${path.slice(folder.length)} ${hash('sha256', readFileSync(path))}`;
    })
    .toSorted();

describe('the package in another app', () => {
  it('depends on no other package, and so not on esbuild', () => {
    const installed = readdirSync(join(app, 'node_modules')).filter(
      (name) => !name.startsWith('.'),
    );

    expect(installed).toEqual(['aws-cdk-lib', 'constructs', 'transactional-email-service']);
  });

  it("synthesises its README's app, identically each time, with the code of every function", async () => {
    for (const folder of ['first', 'second']) {
      await node(['app.ts'], { ...unvalidated, CDK_OUTDIR: folder });
    }

    const first = contentsOf(join(app, 'first'));
    expect(contentsOf(join(app, 'second'))).toEqual(first);
    expect(first.filter((file) => file.includes('/index.mjs '))).toHaveLength(
      functionCatalogue.length,
    );
  }, 600_000);

  it('can be required by CommonJS', async () => {
    writeFileSync(
      join(app, 'app.cjs'),
      "console.log(typeof require('transactional-email-service').TransactionalEmail);",
    );

    const { stdout } = await node(['app.cjs']);

    expect(stdout).toBe('function\n');
  });

  it('has types that know each setting, and no other', async () => {
    const typed = `import { RetentionDays } from 'aws-cdk-lib/aws-logs';
      import { RemovalPolicy, Stack } from 'aws-cdk-lib';
      import type { IGrantable } from 'aws-cdk-lib/aws-iam';
      import type { IHostedZone } from 'aws-cdk-lib/aws-route53';
      import { type EmailDomain, TransactionalEmail, type TransactionalEmailProps } from 'transactional-email-service';
      export const props: TransactionalEmailProps = {
        logRetentionDays: RetentionDays.ONE_WEEK, organizationLimits: { apiKeys: 5 }, sesSuppresses: 'bounces',
        alarmEmail: ['on-call@example.com'],
      };
      export function declare(stack: Stack, zone: IHostedZone, sender: IGrantable): EmailDomain {
        const email = new TransactionalEmail(stack, 'Email', props);
        const shop = email.organization('Shop', { senderName: 'Shop', removalPolicy: RemovalPolicy.DESTROY });
        email.grantSend(sender, { organization: shop });
        return shop.domain(zone, { adopt: true, waitMinutes: 14 });
      }
      // @ts-expect-error a misspelt one
      export const misspelt: TransactionalEmailProps = { logRetentionDay: 7 };`;
    writeFileSync(join(app, 'typed.ts'), typed);

    const check = run(
      join(binaries, 'tsc'),
      [
        '--noEmit --strict --skipLibCheck --module nodenext --types node --typeRoots'.split(' '),
        join(root, 'node_modules/@types'),
        'app.ts',
        'typed.ts',
      ].flat(),
      { cwd: app },
    );

    await expect(check).resolves.toMatchObject({ stdout: '' });
  }, 600_000);

  it("contains no code from a package that the release doesn't list", async () => {
    const notice = readFileSync(
      join(app, 'node_modules/transactional-email-service/NOTICE'),
      'utf8',
    );
    const known = await bundledPackages(root);

    const named = notice.matchAll(/^(\S+ \d\S*) \(\S.*\)$/gm).map(([, one]) => one);

    const released = known.map(({ name, version }) => `${name} ${version}`);
    expect(released).toEqual(expect.arrayContaining([...named]));
  });

  // The name is free on npm.
  it('lets nobody install or run what others may publish under its name', () => {
    const folder = join(app, 'node_modules/transactional-email-service');
    const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(md|mjs)$/.test(path))
      .map((path) => readFileSync(join(folder, path), 'utf8'));

    expect(texts.join()).toContain('npx --no-install transactional-email-service');
    for (const text of texts) {
      expect(text).not.toMatch(/(npx|npm (i|install)) transactional-email-service/);
    }
  });

  it('has a manage command that finds a stack in AWS', async () => {
    const refusal =
      '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id Email does not exist</Message></Error></ErrorResponse>';
    const { url, stop } = await listen(
      createServer((_, response) => response.writeHead(400).end(refusal)),
      0,
    );

    const command = ['--no-install', 'transactional-email-service', 'doctor', '--stack', 'Email'];
    const doctor = run('npx', command, {
      cwd: app,
      env: {
        PATH: `${binaries}:${process.env['PATH']}`,
        AWS_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
        AWS_ENDPOINT_URL: url,
      },
    });

    await expect(doctor).rejects.toMatchObject({
      stderr: expect.stringContaining('AWS refused: Stack with id Email does not exist'),
    });
    await stop();
  });

  it('passes publint and arethetypeswrong', async () => {
    const judging = Promise.all([
      run(join(binaries, 'publint'), ['--strict', made.folder]),
      run(join(binaries, 'attw'), [made.tarball]),
    ]);

    await expect(judging).resolves.toBeDefined();
  }, 600_000);
});
