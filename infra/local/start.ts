import { mkdirSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { roles } from '#shared/access/roles';
import { linkMs } from '#shared/access/sign-in';
import { newAccount, throttleOfRoute } from './account.ts';
import { makeConsoleLink } from './console-link.ts';
import { onInterruption } from './interruption.ts';
import { StartFailure } from './server.ts';
import { type StackDescription, startLocalStack } from './stack.ts';
import { defaultPort, openKeptData, twinFilesOf } from './twin-files.ts';

const standardError = 2;

const fresh = '--fresh';
const inNewAccount = '--new-account';

const startedAt = performance.now();
/**
 * Deletes the file that tells `manage` where the twin is. Does nothing until the port is ours: it may be another
 * twin's.
 */
let forget = (): void => {};
let stop = async (): Promise<void> => {};
let stoppingSince: number | undefined;

onInterruption(shutDown);

try {
  const port = readPort(process.env['PORT']);
  const { stackFile, logFile, dataFolder } = twinFilesOf(`${port}`);
  const print = redirectOutput(logFile);
  const { isFresh, isNewAccount } = readArguments(process.argv.slice(2));
  const stack = await startLocalStack({
    port,
    account: isNewAccount ? newAccount : undefined,
    withPeople: true,
    withIssuer: process.env['OIDC'] === '1',
    openData: () => {
      forget = () => rmSync(stackFile, { force: true });
      forget();
      // Another port means another twin.
      return openKeptData(dataFolder, isFresh);
    },
  });
  stop = stack.stop;
  writeStackFile(stackFile, stack.description);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  const manage = `${`${port}` === defaultPort ? '' : `PORT=${port} `}npm run manage --`;
  const consoleUrl = await makeConsoleLink(stack.description.baseUrl, stack.description.manageKey);
  print(
    instructions(
      stack.description,
      { seconds, consoleUrl, stackFile, logFile, manage },
      isNewAccount,
    ),
  );
} catch (error) {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  writeSync(standardError, `${error instanceof StartFailure ? error.message : detail}\n`);
  process.exit(1);
}

/** A second signal exits at once; Java always ends with this process. */
function shutDown(): void {
  const now = performance.now();
  if (stoppingSince === undefined) {
    stoppingSince = now;
    forget();
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
    return;
  }
  // One Ctrl-C arrives twice: from the terminal, and from npm.
  const isTheSameSignal = now - stoppingSince < 500;
  if (!isTheSameSignal) process.exit(1);
}

function readArguments(given: readonly string[]) {
  const unknown = given.find((argument) => argument !== fresh && argument !== inNewAccount);
  if (unknown !== undefined) {
    throw new StartFailure(
      `Unknown argument ${unknown}. Known ones: npm start -- ${fresh} ${inNewAccount}`,
    );
  }
  return { isFresh: given.includes(fresh), isNewAccount: given.includes(inNewAccount) };
}

function readPort(text = defaultPort): number {
  const port = Number(text);
  const isPort = /^\d+$/.test(text) && port <= 65_535;
  if (!isPort) throw new StartFailure(`PORT must be a number up to 65535, not "${text}".`);
  return port;
}

/** Written atomically, and readable only by the user, because it contains keys. */
function writeStackFile(stackFile: string, description: StackDescription): void {
  mkdirSync('.local', { recursive: true });
  const unfinished = `${stackFile}.unfinished`;
  writeFileSync(unfinished, `${JSON.stringify(description, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, stackFile);
}

/**
 * From now on, stdout and stderr go to the file, like a Lambda's go to CloudWatch.
 *
 * @returns a function that still writes to the terminal.
 */
function redirectOutput(file: string): (text: string) => void {
  // Opened on the first line, so that a twin whose port is taken doesn't touch the other twin's log.
  let log: number | undefined;
  const openLog = (): number => {
    mkdirSync(dirname(file), { recursive: true });
    return openSync(file, 'w');
  };
  const writeToTerminal = process.stdout.write.bind(process.stdout);
  for (const stream of [process.stdout, process.stderr]) {
    stream.write = (chunk: string | Uint8Array): boolean => {
      log ??= openLog();
      writeSync(log, typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
      return true;
    };
  }
  return (text) => {
    writeToTerminal(text);
  };
}

function instructions(
  { baseUrl, apiKey, manageKey, testKey, issuerUrl }: StackDescription,
  {
    seconds,
    consoleUrl,
    stackFile,
    logFile,
    manage,
  }: Record<'seconds' | 'consoleUrl' | 'stackFile' | 'logFile' | 'manage', string>,
  isNewAccount: boolean,
): string {
  return `
The email service is running on this machine (ready in ${seconds} s). No email leaves it.
${isNewAccount ? limitsOfNewAccount() : ''}
Send an email:

  curl -i ${baseUrl}/api/v1/emails/send \\
    -H 'Authorization: Bearer ${apiKey}' \\
    -H 'Content-Type: application/json' \\
    -d '{"to": "ada@example.com", "subject": "Hello", "content": "It works."}'

Or run a program that was written for Resend, after these two lines:

  export RESEND_BASE_URL=${baseUrl}/resend
  export RESEND_API_KEY=re_${manageKey}

The inbox, with what happened to each email:

  ${baseUrl}

Open the console. This link works once, within ${linkMs / 60_000} minutes; ${manage} console link prints another:

  ${consoleUrl}

Or sign in as somebody with a role:

${[...roles, 'operator'].map((role) => `  ${baseUrl}/_local/sign-in/${role}`).join('\n')}
${issuerUrl === undefined ? '' : `\nOr with the issuer on this machine (${issuerUrl}):\n\n  ${baseUrl}/console/oidc/sign-in\n`}
Send to bounce@, ooto@ (a soft bounce), complaint@ or suppressionlist@simulator.amazonses.com to see those happen.
Resend's own addresses (bounced@, complained@, suppressed@ and delivered@resend.dev) only do so with a test key. Its
emails don't reach the inbox; find them in the console under "Emails", "Test":

  export RESEND_API_KEY=re_${testKey}

Organizations, keys, From addresses: ${manage} --help

Keys, secrets and endpoints   ${stackFile}
Function logs                 ${logFile}

Ctrl-C stops everything. The next start keeps the organization, keys and data, but has an empty inbox.
Start over with: npm start -- ${fresh}${isNewAccount ? '' : `\nTry the limits of a new AWS account with: npm start -- ${inNewAccount}`}
`;
}

function limitsOfNewAccount(): string {
  const { rateLimit, burstLimit } = throttleOfRoute('POST /api/v1/emails/send', newAccount);
  return `
As in a new AWS account: ${newAccount.lambdaConcurrency} functions at once, and above that 503; on a route that sends, ${rateLimit} requests a
second after the first ${burstLimit}, on others fewer, and above that 429. Both mean that nothing ran: try again.
`;
}
