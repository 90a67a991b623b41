import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { listenFrom } from '../support/listen-from.ts';
import { codeBlocks, commandsOf, printedPattern, shellScript } from '../support/readme-session.ts';
import { hasTool } from '../support/tools.ts';
import { useTwin } from '../support/twin.ts';

const stack = await useTwin({ hasStream: true });
const checkout = mkdtempSync(join(tmpdir(), 'checkout-'));
mkdirSync(join(checkout, '.local'));
writeFileSync(join(checkout, '.local/stack.json'), JSON.stringify(stack));
for (const part of ['node_modules', 'package.json', 'infra', 'functions', 'shared']) {
  symlinkSync(resolve(part), join(checkout, part));
}
afterAll(async () => {
  rmSync(checkout, { recursive: true });
});

const guides = 'functions/show-docs/guides';
const hasPython = hasTool('python3');
const runnable = new Set(['sh', 'js', ...(hasPython ? ['python'] : [])]);

const [start] = codeBlocks(readFileSync(`${guides}/start.md`, 'utf8'));

type Session = {
  readonly file: string;
  /** Its commands that run on the twin: other blocks are about an AWS account. */
  readonly ours?: RegExp;
  /** The command line prints everything but data to standard error. */
  readonly talks?: true;
  /** The receiver is the one in Python. */
  readonly inPython?: true;
};

const sessions: readonly Session[] = [
  { file: 'README.md', ours: /^BASE=/ },
  { file: 'functions/README.md' },
  { file: `${guides}/recipients.md` },
  { file: `${guides}/start.md` },
  { file: `${guides}/verify-webhooks.md` },
  ...(hasPython ? [{ file: `${guides}/verify-webhooks.md`, inPython: true } as const] : []),
  { file: `${guides}/people.md`, talks: true },
  { file: `${guides}/retries.md` },
  { file: `${guides}/templates.md` },
  { file: `${guides}/webhooks.md` },
  { file: `${guides}/organizations.md` },
  { file: `${guides}/leave-the-sandbox.md`, talks: true },
  { file: `${guides}/custom-domain.md` },
  // Read after it: by then the default domain has changed.
  { file: `${guides}/move-from-resend.md` },
  { file: 'infra/README.md', ours: /^npm run -s manage/, talks: true },
  { file: 'infra/RUNBOOK.md', talks: true },
];

it.each(sessions)('the commands in $file do what it says', async (session) => {
  const { file, ours = /./, talks, inPython } = session;
  // The receiver's port may be taken on this machine.
  const document = readFileSync(file, 'utf8')
    .replaceAll(/\b4000\b/g, await freePort())
    .replace('node receiver.mjs', inPython ? 'python3 receiver.py' : '$&');
  const blocks = codeBlocks(document);
  for (const { file: name, text } of blocks) {
    if (name !== undefined) writeFileSync(join(checkout, name), text);
  }
  const needsStart = file.startsWith('functions/') && !file.endsWith('/start.md');
  const commands = [...(needsStart && start ? [start] : []), ...blocks]
    .filter(({ language, file: name }) => runnable.has(language) && name === undefined)
    .filter(({ text }) => ours.test(text))
    .flatMap(commandsOf);

  const { exitCode, printed, errors } = await run(shellScript(commands, mark));

  expect({ exitCode, errors, commands: printed.length }).toEqual({
    exitCode: 0,
    errors: talks ? expect.any(String) : '',
    commands: commands.length,
  });
  for (const [index, { command, printed: expected }] of commands.entries()) {
    const answer = printed[index]?.replaceAll(/\s/g, '');
    for (const line of expected) expect.soft(answer, command).toMatch(printedPattern(line));
  }
});

it('every guide is listed as having commands that run on the twin or not', () => {
  const run = new Set(sessions.map(({ file }) => file));
  // These are about an account of AWS, but for the relay: `test/infra/smtp` runs it, and `restore.test.ts` the program
  // of that guide.
  const others = ['go-live', 'upgrade', 'remove', 'restore', 'pipeline', 'smtp'];
  const notRun = others.map((name) => `${guides}/${name}.md`);

  const files = globSync(`${guides}/*.md`);

  expect(files.filter((file) => !run.has(file)).toSorted()).toEqual(notRun.toSorted());
});

const mark = '--- next command ---';

async function run(script: string) {
  const shell = spawn('bash', ['-c', script], { cwd: checkout, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [exitCode]] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    once(shell, 'exit'),
  ]);
  return { exitCode, errors, printed: output.split(mark).slice(0, -1) };
}

async function freePort(): Promise<string> {
  const server = await listenFrom(createServer(), 4_000);
  await server.stop();
  return new URL(server.url).port;
}
