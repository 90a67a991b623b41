import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { listen } from '../../infra/local/server.ts';
import { startLocalStack } from '../../infra/local/stack.ts';
import { ownDatabase } from '../support/own-database.ts';
import {
  codeBlocks,
  documentedCommands,
  printedPattern,
  shellScript,
} from '../support/readme-session.ts';

const stack = await startLocalStack({ quiet: true, env: ownDatabase().environment });
const checkout = mkdtempSync(join(tmpdir(), 'checkout-'));
mkdirSync(join(checkout, '.local'));
writeFileSync(join(checkout, '.local/stack.json'), JSON.stringify(stack.description));
for (const part of ['node_modules', 'package.json', 'infra', 'functions', 'shared']) {
  symlinkSync(resolve(part), join(checkout, part));
}
afterAll(async () => {
  await stack.stop();
  rmSync(checkout, { recursive: true });
});

it.each([
  // The command line says on standard error what is no data.
  ['README.md', /^BASE=/, ''],
  ['functions/README.md', /./, ''],
  ['infra/README.md', /^npm run -s manage/, expect.any(String)],
])('the commands of %s do what it says', async (file, ours, words) => {
  // The port of the receiver may be taken on this machine.
  const document = readFileSync(file, 'utf8').replaceAll(/\b4000\b/g, await freePort());
  const blocks = codeBlocks(document);
  const program = blocks.find(({ text }) => text.includes('standardwebhooks'));
  if (program !== undefined) writeFileSync(join(checkout, 'receiver.mjs'), program.text);
  const shell = blocks.filter(({ language, text }) => language === 'sh' && ours.test(text));
  const commands = shell.flatMap(({ text }) => documentedCommands(text));

  const { exitCode, printed, errors } = await run(shellScript(commands, mark));

  expect({ exitCode, errors, commands: printed.length }).toEqual({
    exitCode: 0,
    errors: words,
    commands: commands.length,
  });
  for (const [index, { command, printed: expected }] of commands.entries()) {
    const answer = printed[index]?.replaceAll(/\s/g, '');
    for (const line of expected) expect.soft(answer, command).toMatch(printedPattern(line));
  }
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
  const server = await listen(createServer(), 0);
  await server.stop();
  return new URL(server.url).port;
}
