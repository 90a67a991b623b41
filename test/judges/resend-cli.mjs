// Resend's command line, as released: what it has commands for here.
import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publish, startReceiver, until } from './surroundings.mjs';

const [folder] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'judge-'));
const write = (name, content) => {
  writeFileSync(join(work, name), content);
  return join(work, name);
};

/** Runs it. */
const run = (...given) =>
  new Promise((resolve) => {
    const program = join(folder, 'dist/cli.cjs');
    const env = { ...process.env, RESEND_NO_UPDATE_NOTIFIER: '1', RESEND_TELEMETRY_DISABLED: '1' };
    const command = [program, '--json', ...given];
    execFile(process.execPath, command, { env }, (error, stdout, stderr) =>
      resolve({ status: error?.code ?? 0, stdout, stderr }),
    );
  });

/** Reads what it prints for programs. */
async function resend(...given) {
  const { status, stdout, stderr } = await run(...given);
  equal(status, 0, `${given.join(' ')}: ${stdout}${stderr}`);
  return JSON.parse(stdout);
}

async function refused(words, ...given) {
  const { status, stdout, stderr } = await run(...given);
  notEqual(status, 0, stdout);
  match(`${stdout}${stderr}`, words);
}

const to = (address, sender = 'Acme <onboarding@resend.dev>') => [
  ...['emails', 'send', '--from', sender, '--to', address],
  ...['--subject', 'Hello', '--text', 'Hello'],
];
const email = to('ann@example.com');

const sent = await resend(
  ...[...email, '--cc', 'carl@example.com', '--reply-to', 'help@example.com'],
  ...['--html', '<p>Hello <img src="cid:logo"></p>', '--headers', 'X-Order=7'],
  ...['--tags', 'kind=receipt', '--attachment', write('a.txt', 'paid')],
  `${write('logo.png', Buffer.from('iVBORw0KGgo=', 'base64'))};cid=logo`,
);
const seen = await until(
  () => resend('emails', 'get', sent.id),
  ({ last_event }) => last_event === 'delivered',
);
deepEqual([seen.to, seen.cc], [['ann@example.com'], ['carl@example.com']]);

const once = [...email, '--idempotency-key', 'cli-once'];
deepEqual(await resend(...once), await resend(...once));
await refused(/already used|another|different/i, ...once, '--cc', 'carl@example.com');

const later = await resend(...email, '--scheduled-at', 'in 1 hour');
await resend('emails', 'update', later.id, '--scheduled-at', 'in 2 hours');
await resend('emails', 'cancel', later.id);
equal((await resend('emails', 'get', later.id)).last_event, 'canceled');

const one = { from: 'onboarding@resend.dev', to: ['b@example.com'], subject: 'Hi', text: 'Hi' };
const wrong = write('wrong.json', JSON.stringify([one, { ...one, to: ['nobody'] }]));
const both = write('both.json', JSON.stringify([one, { ...one, to: ['c@example.com'] }]));
equal((await resend('emails', 'batch', '--file', both)).length, 2);
await refused(/emails\.1\.to/, 'emails', 'batch', '--file', wrong);
const permissive = ['--batch-validation', 'permissive'];
const { data, errors } = await resend('emails', 'batch', '--file', wrong, ...permissive);
deepEqual([data.length, errors[0].index], [1, 1]);

equal((await resend('emails', 'list', '--limit', '2')).data.length, 2);

const html = [
  '--subject',
  'Hello',
  '--html',
  '<p>Hello {{{NAME}}}</p>',
  '--var',
  'NAME:string:you',
];
await resend('templates', 'create', '--name', 'Command line', '--alias', 'cli', ...html);
await resend('templates', 'publish', 'cli');
await resend(
  'emails',
  'send',
  '--to',
  'ann@example.com',
  '--template',
  'cli',
  ...email.slice(2, 4),
);
equal((await resend('templates', 'get', 'cli')).name, 'Command line');
await resend('templates', 'delete', 'cli', '--yes');

const domain = await resend('domains', 'create', '--name', 'cli.example.org');
await publish(domain.records);
await resend('domains', 'verify', domain.id);
equal((await resend('domains', 'get', domain.id)).status, 'verified');
await resend(...to('ann@example.com', 'a@cli.example.org'));

const sending = ['--permission', 'sending_access', '--domain-id', domain.id];
const { id: keyId, token } = await resend('api-keys', 'create', '--name', 'CLI', ...sending);
const byKey = ['--api-key', token];
await resend(...byKey, ...to('ann@example.com', 'a@cli.example.org'));
await refused(/send_email|scope|permission/, ...byKey, 'domains', 'list');
await resend('api-keys', 'delete', keyId, '--yes');
await refused(/API key/i, ...byKey, ...to('ann@example.com', 'a@cli.example.org'));
equal((await resend('domains', 'delete', domain.id, '--yes')).deleted, true);

const receiver = await startReceiver();
const endpoint = ['--endpoint', receiver.url, '--events', 'email.sent'];
const webhook = await resend('webhooks', 'create', ...endpoint);
const { id } = await resend(...email);
const told = await receiver.verified(id, webhook.signing_secret);
deepEqual([told.type, told.data.email_id], ['email.sent', id]);
equal((await resend('webhooks', 'events', 'list', webhook.id)).data[0].type, 'email.sent');
equal((await resend('webhooks', 'delete', webhook.id, '--yes')).deleted, true);
receiver.stop();

await refused(/`to/, ...to('nobody'));
await refused(/API key/i, '--api-key', 're_123', ...email);
