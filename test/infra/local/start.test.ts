import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { listen } from '../../../infra/local/server.ts';
import { bareEnvironment } from '../../support/bare-environment.ts';

const script = join(import.meta.dirname, '../../../infra/local/start.ts');

type Cleanup = Pick<TestContext, 'onTestFinished'>;

function temporaryFolder({ onTestFinished }: Cleanup): string {
  const folder = mkdtempSync(join(tmpdir(), 'start-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const ofOtherTwin = 'of the other twin';

/** Returns what reads them again. */
function writeFiles(folder: string, files: readonly string[]): () => readonly string[] {
  const paths = files.map((file) => join(folder, file));
  for (const path of paths) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, ofOtherTwin);
  }
  return () => paths.map((path) => readFileSync(path, 'utf8'));
}

type StartOptions = { readonly folder?: string; readonly given?: readonly string[] };

/** Runs the start script in a folder of its own until it ends. */
async function start(
  test: Cleanup,
  environment: Readonly<Record<string, string>>,
  { folder = temporaryFolder(test), given = [] }: StartOptions = {},
) {
  // Nothing else is inherited: a twin takes the endpoints that it is given.
  const child = spawn(process.execPath, [script, ...given], {
    cwd: folder,
    env: { ...bareEnvironment(), PORT: '0', ...environment },
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const exitCode = await new Promise((resolve) => child.once('close', resolve));
  return { exitCode, output, errors };
}

describe.concurrent('npm start', () => {
  it('fails with one line without Java, and keeps the files of a twin on another port', async (test) => {
    const folder = temporaryFolder(test);
    const readFiles = writeFiles(folder, ['.local/stack.json']);

    // It has its port, and fails after that.
    const { exitCode, output, errors } = await start(test, { PATH: '/nowhere' }, { folder });

    expect(errors).toMatch(
      /^DynamoDB Local needs Java, which is not installed: install Java 17 .*\n$/,
    );
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: '' });
    expect(existsSync(join(folder, '.local/stack-0.json'))).toBe(false);
    expect(readFiles()).toEqual([ofOtherTwin]);
  });

  it('fails with one line if Java is too old', async (test) => {
    const folder = temporaryFolder(test);
    const java = join(folder, 'java');
    writeFileSync(
      java,
      // It takes its time: its guard, which finds no command on this PATH either, must let it.
      `#!/bin/sh
/bin/sleep 1
echo 'Error: LinkageError occurred while loading main class' >&2
echo '	java.lang.UnsupportedClassVersionError: Main (class file version 61.0)' >&2
exit 1
`,
    );
    chmodSync(java, 0o755);

    const { exitCode, errors } = await start(test, { PATH: folder });

    expect(errors).toMatch(/^DynamoDB Local needs a newer Java: install Java 17 .*\n$/);
    expect(exitCode).toBe(1);
  });

  it("fails with one line if its port is in use, and keeps that twin's files", async (test) => {
    const squatter = await listen(createServer(), 0);
    test.onTestFinished(squatter.stop);
    const { port } = new URL(squatter.url);
    const folder = temporaryFolder(test);
    const readFiles = writeFiles(folder, [
      `.local/stack-${port}.json`,
      `.local/service-${port}.log`,
      `.local/data/${port}/secrets.json`,
    ]);

    const { exitCode, errors } = await start(test, { PORT: port }, { folder, given: ['--fresh'] });

    expect(errors).toMatch(new RegExp(`^Port ${port} is in use: .*\\n$`));
    expect(exitCode).toBe(1);
    expect(readFiles()).toEqual([ofOtherTwin, ofOtherTwin, ofOtherTwin]);
  });

  it('fails with one line that names an unknown argument', async (test) => {
    const given = ['--frsh'];

    const { exitCode, errors } = await start(test, {}, { given });

    expect(errors).toBe(
      'Unknown argument --frsh. Known ones: npm start -- --fresh --new-account\n',
    );
    expect(exitCode).toBe(1);
  });

  it("fails with one line if PORT isn't a port", async (test) => {
    const { exitCode, errors } = await start(test, { PORT: 'three thousand' });

    expect(errors).toBe('PORT must be a number up to 65535, not "three thousand".\n');
    expect(exitCode).toBe(1);
  });
});
