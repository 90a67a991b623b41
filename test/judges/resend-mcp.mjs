// Resend's MCP server, as released, asked as an assistant does: lines of JSON-RPC.
import { equal, match } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const [folder] = process.argv.slice(2);
const server = spawn(process.execPath, [join(folder, 'dist/index.js')], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const answers = new Map();
createInterface({ input: server.stdout }).on('line', (line) => {
  const { id, result, error } = JSON.parse(line);
  answers.get(id)?.(result ?? { isError: true, content: [{ text: JSON.stringify(error) }] });
});

const say = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
let last = 0;
const ask = (method, params) =>
  new Promise((resolve) => {
    last += 1;
    answers.set(last, resolve);
    say({ id: last, method, params });
  });

async function use(name, given) {
  const { isError = false, content } = await ask('tools/call', { name, arguments: given });
  return { isError, words: content.map(({ text }) => text).join('\n') };
}

await ask('initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'judge', version: '1' },
});
say({ method: 'notifications/initialized' });

const from = 'Acme <onboarding@resend.dev>';
const email = { from, to: ['ann@example.com'], subject: 'Hello', text: 'Hello' };
const sent = await use('send-email', email);
equal(sent.isError, false, sent.words);
const [id] = /snd_\w+/.exec(sent.words) ?? [];
match((await use('get-email', { id })).words, /ann@example\.com/);

const later = await use('send-email', { ...email, scheduledAt: 'tomorrow at 10am' });
const [laterId] = /snd_\w+/.exec(later.words) ?? [];
const canceled = await use('cancel-email', { id: laterId });
equal(canceled.isError, false, canceled.words);
match((await use('get-email', { id: laterId })).words, /canceled/);

match((await use('list-emails', {})).words, new RegExp(id));
const batch = await use('send-batch-emails', { emails: [email, email] });
equal(batch.isError, false, batch.words);

const refused = await use('send-email', { ...email, from: 'a@elsewhere.example' });
match(refused.words, /active domain/);
server.kill();
