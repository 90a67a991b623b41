// Resend's command line, as released.
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);

/** Runs it, and reads what it prints for programs. */
function resend(...given) {
  const program = join(folder, 'dist/cli.cjs');
  const env = { ...process.env, RESEND_NO_UPDATE_NOTIFIER: '1', RESEND_TELEMETRY_DISABLED: '1' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--json', ...given], {
    env,
    encoding: 'utf8',
  });
  return { status, stderr, json: stdout.trim() === '' ? undefined : JSON.parse(stdout) };
}

const from = ['--from', 'Acme <onboarding@resend.dev>'];
const email = [...from, '--to', 'ann@example.com', '--subject', 'Hello', '--text', 'Hello'];

const sent = resend('emails', 'send', ...email);
equal(sent.status, 0, sent.stderr);
match(sent.json.id, /^snd_/);

const seen = resend('emails', 'get', sent.json.id);
equal(seen.status, 0, seen.stderr);
deepEqual(seen.json.to, ['ann@example.com']);

const later = resend('emails', 'send', ...email, '--scheduled-at', 'in 1 hour');
equal(later.status, 0, later.stderr);
const moved = resend('emails', 'update', later.json.id, '--scheduled-at', 'in 2 hours');
equal(moved.status, 0, moved.stderr);
const canceled = resend('emails', 'cancel', later.json.id);
equal(canceled.status, 0, canceled.stderr);
equal(resend('emails', 'get', later.json.id).json.last_event, 'canceled');

const file = join(mkdtempSync(join(tmpdir(), 'judge-')), 'emails.json');
const one = { from: 'onboarding@resend.dev', to: ['b@example.com'], subject: 'Hi', text: 'Hi' };
writeFileSync(file, JSON.stringify([one, { ...one, to: ['c@example.com'] }]));
const batch = resend('emails', 'batch', '--file', file);
equal(batch.status, 0, batch.stderr);

const list = resend('emails', 'list', '--limit', '2');
equal(list.status, 0, list.stderr);
equal(list.json.data.length, 2);

const wrong = resend('emails', 'send', ...email.slice(0, 2), '--to', 'nobody', ...email.slice(4));
ok(wrong.status !== 0);
match(`${JSON.stringify(wrong.json)}${wrong.stderr}`, /`to/);
