import { mkdirSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { makeConsoleLink } from './console-link.ts';
import { instructions } from './instructions.ts';
import { openKeptData } from './kept-data.ts';
import { redirectOutput } from './service-log.ts';
import { type StackDescription, startLocalStack } from './stack.ts';
import { StartFailure } from './start-failure.ts';

const stackFile = '.local/stack.json';
const logFile = '.local/service.log';
const standardError = 2;

const startedAt = performance.now();
const print = redirectOutput(logFile);
let stop = async (): Promise<void> => {};
let stoppingSince: number | undefined;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, shutDown);
if (process.env['npm_lifecycle_event'] !== undefined) shutDownWithParent();

try {
  const port = readPort(process.env['PORT']);
  const isFresh = readArguments(process.argv.slice(2));
  const stack = await startLocalStack({
    port,
    openData: () => {
      rmSync(stackFile, { force: true });
      // A port of its own stands for a twin of its own.
      return openKeptData(`.local/data/${port}`, isFresh);
    },
  });
  stop = stack.stop;
  writeStackFile(stack.description);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  const consoleUrl = await makeConsoleLink(stack.description.baseUrl, stack.description.manageKey);
  print(instructions(stack.description, { seconds, consoleUrl, stackFile, logFile }));
} catch (error) {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  writeSync(standardError, `${error instanceof StartFailure ? error.message : detail}\n`);
  process.exit(1);
}

/** The second signal does not wait any more; whatever ends this process, Java ends with it. */
function shutDown(): void {
  const now = performance.now();
  if (stoppingSince === undefined) {
    stoppingSince = now;
    rmSync(stackFile, { force: true });
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
    return;
  }
  // One Ctrl-C arrives twice: from the terminal, and once more from npm.
  const isTheSameSignal = now - stoppingSince < 500;
  if (!isTheSameSignal) process.exit(1);
}

/** npm hands SIGTERM on to the shell it runs the script in, and the shell to nobody: it just ends. */
function shutDownWithParent(): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    shutDown();
  }, 250);
  watch.unref();
}

/** @returns whether the data of earlier starts is to be forgotten. */
function readArguments(given: readonly string[]): boolean {
  const unknown = given.find((argument) => argument !== '--fresh');
  if (unknown === undefined) return given.length > 0;
  throw new StartFailure(`Unknown argument ${unknown}. There is: npm start -- --fresh`);
}

function readPort(text = '3000'): number {
  const port = Number(text);
  const isPort = /^\d+$/.test(text) && port <= 65_535;
  if (!isPort) throw new StartFailure(`PORT must be a number up to 65535, not "${text}".`);
  return port;
}

/** Whole or not at all, and for nobody else: it holds keys. */
function writeStackFile(description: StackDescription): void {
  mkdirSync('.local', { recursive: true });
  const unfinished = `${stackFile}.unfinished`;
  writeFileSync(unfinished, `${JSON.stringify(description, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, stackFile);
}
