// Resend's MCP server, as released, asked as an assistant does, in lines of JSON-RPC: what it has tools for here.
import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { publish, startReceiver, until } from './surroundings.mjs';

const [folder] = process.argv.slice(2);

/** Starts it with a key. */
async function startServer(key) {
  const server = spawn(process.execPath, [join(folder, 'dist/index.js')], {
    env: { ...process.env, RESEND_API_KEY: key },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = new Map();
  createInterface({ input: server.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line);
    answers.get(id)?.(result ?? { isError: true, content: [{ text: JSON.stringify(error) }] });
  });
  const say = (message) =>
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let last = 0;
  const ask = (method, params) =>
    new Promise((resolve) => {
      last += 1;
      answers.set(last, resolve);
      say({ id: last, method, params });
    });
  const call = async (name, given) => {
    const { isError = false, content } = await ask('tools/call', { name, arguments: given });
    return { isError, words: content.map(({ text }) => text).join('\n') };
  };
  await ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'judge', version: '1' },
  });
  say({ method: 'notifications/initialized' });
  return {
    use: async (name, given = {}) => {
      const { isError, words } = await call(name, given);
      equal(isError, false, words);
      return words;
    },
    refused: async (expected, name, given = {}) => {
      const { isError, words } = await call(name, given);
      equal(isError, true, words);
      match(words, expected);
    },
    call,
    stop: () => server.kill(),
  };
}

const found = (pattern, words) => pattern.exec(words)?.[1] ?? '';
const sentId = (words) => found(/(snd_\w+)/, words);
const idIn = (words) => found(/ID: (\S+)/, words);

const { use, refused, call, stop } = await startServer(process.env.RESEND_API_KEY);

const from = 'Acme <onboarding@resend.dev>';
const email = { from, to: ['ann@example.com'], subject: 'Hello', text: 'Hello' };
const full = {
  ...{ ...email, cc: ['carl@example.com'], replyTo: ['help@example.com'] },
  html: '<p>Hello <img src="cid:logo"></p>',
  headers: { 'X-Order': '7' },
  tags: [{ name: 'kind', value: 'receipt' }],
  attachments: [
    { filename: 'a.txt', content: btoa('paid') },
    { filename: 'logo.png', content: 'iVBORw0KGgo=', contentId: 'logo' },
  ],
};
const id = sentId(await use('send-email', full));
const seen = await until(
  () => use('get-email', { id }),
  (words) => words.includes('delivered'),
);
match(seen, /ann@example\.com/);
match(seen, /carl@example\.com/);

const once = { ...email, idempotencyKey: 'mcp-once' };
const answers = await Promise.all(Array.from({ length: 30 }, () => call('send-email', once)));
const ids = new Set(answers.filter(({ isError }) => !isError).map(({ words }) => sentId(words)));
deepEqual([...ids], [sentId(await use('send-email', once))]);
for (const { isError, words } of answers)
  if (isError) match(words, /concurrent_idempotent_requests/);
await refused(/invalid_idempotent_request/, 'send-email', { ...once, subject: 'Other' });

const later = await use('send-email', { ...email, scheduledAt: 'tomorrow at 10am' });
const laterId = sentId(later);
const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
await use('update-email', { id: laterId, scheduledAt: inAnHour });
await use('cancel-email', { id: laterId });
match(await use('get-email', { id: laterId }), /canceled/);

match(await use('list-emails'), new RegExp(id));
await use('send-batch-emails', { emails: [email, email] });
const elsewhere = { ...email, from: 'a@elsewhere.example' };
await refused(/emails\.1/, 'send-batch-emails', { emails: [email, elsewhere] });

const words = { subject: 'Hello', html: '<p>Hello {{{NAME}}}</p>' };
const variables = [{ key: 'NAME', type: 'string', fallbackValue: 'you' }];
await use('create-template', { name: 'Assistant', alias: 'mcp', ...words, variables });
await use('publish-template', { id: 'mcp' });
match(await use('get-template', { id: 'mcp' }), /Status: published/);
await use('remove-template', { id: 'mcp' });

const created = await use('create-domain', { name: 'mcp.example.org' });
const domainId = idIn(created);
await publish(
  [
    ...created.matchAll(
      /\((\w+)\):\n {2}Name: (.+)\n {2}Value: (.+)\n.*\n.*(?:\n {2}Priority: (\d+))?/g,
    ),
  ].map(([, type, name, value, priority]) => ({ type, name, value, priority })),
);
await use('verify-domain', { id: domainId });
match(await use('get-domain', { id: domainId }), /Status: verified/);
match(await use('list-domains'), /mcp\.example\.org/);
const fromDomain = { ...email, from: 'a@mcp.example.org' };

const key = await use('create-api-key', { name: 'MCP', permission: 'sending_access', domainId });
const restricted = await startServer(found(/Token: (\S+)/, key));
await restricted.use('send-email', fromDomain);
await restricted.refused(/invalid_from_address/, 'send-email', email);
await restricted.refused(/restricted_api_key/, 'list-domains');
match(await use('list-api-keys'), new RegExp(idIn(key)));
await use('remove-api-key', { id: idIn(key) });
await restricted.refused(/invalid_api_key/, 'send-email', fromDomain);
restricted.stop();
await use('remove-domain', { id: domainId });

const receiver = await startReceiver();
const webhook = await use('create-webhook', { endpoint: receiver.url, events: ['email.sent'] });
const toldId = sentId(await use('send-email', email));
const told = await receiver.verified(toldId, found(/Signing Secret: (\S+)/, webhook));
equal(told.data.email_id, toldId);
const webhookId = idIn(webhook);
match(await use('list-webhook-events', { webhookId }), /email\.sent/);
await use('remove-webhook', { webhookId });
receiver.stop();

await refused(/active domain/, 'send-email', elsewhere);
const capped = await startServer(process.env.RESEND_CAPPED_KEY);
// Of three, two at least are in one minute.
const three = [];
for (let sends = 0; sends < 3; sends += 1) three.push(await capped.call('send-email', email));
notEqual(
  three.find(({ words: said }) => said.includes('rate_limit_exceeded')),
  undefined,
);
capped.stop();
stop();
