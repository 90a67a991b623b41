import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import * as z from 'zod';
import { openTable } from '#shared/table/table-client';
import { startMeteredStack } from '../bench/metered-stack.ts';
import { putTypicalOrganization, typicalEmail, typicalSender } from '../bench/sends.ts';
import { ownDatabase } from '../support/own-database.ts';

/** A send through Resend's or Postmark's API costs the same as one through ours. */
const { description, meter, stop } = await startMeteredStack({ database: ownDatabase() });
afterAll(stop);
const { baseUrl, tableName } = description;
const table = openTable(tableName);
const plain = await putTypicalOrganization(table);
const capped = await putTypicalOrganization(table, { perMinuteCap: 1_000 });
const subscribed = await putTypicalOrganization(table, { eventTypes: ['email.sent'] });

const { content, htmlContent, ...rest } = z
  .object({ content: z.string(), htmlContent: z.string(), to: z.string(), subject: z.string() })
  .parse(typicalEmail);
const from = typicalSender;
const ours = { ...rest, from, content, htmlContent };
const theirs = { ...rest, from, text: content, html: htmlContent };
const { to: To, subject: Subject } = rest;
const postmarks = { From: from, To, Subject, TextBody: content, HtmlBody: htmlContent };
const moment = new Date(Date.now() + 3_600_000).toISOString();

async function post(path: string, body: object, key: string, idempotencyKey: string) {
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
}

/** A request's calls to the table, in no order. */
async function costOf(path: string, body: object, key: string, idempotencyKey = randomUUID()) {
  meter.clear();
  await post(path, body, key, idempotencyKey);
  return meter.calls
    .map(({ operation, readUnits, writeUnits }) => `${operation} ${readUnits} ${writeUnits}`)
    .toSorted();
}

const our = '/api/v1/emails/send';
const resends = { path: '/resend/emails', email: theirs, validation: 'strict' };
const ofPostmark = { path: '/postmark/email', email: postmarks, validation: 'permissive' };

it.each([
  ['a send', resends, plain, {}, {}],
  ['a send whose key has a cap', resends, capped, {}, {}],
  ['a send that an endpoint hears of', resends, subscribed, {}, {}],
  ['a send for later', resends, plain, { sendAt: moment }, { scheduled_at: moment }],
  ['a send as with Postmark', ofPostmark, plain, {}, {}],
  ['a send as with Postmark whose key has a cap', ofPostmark, capped, {}, {}],
  ['a send as with Postmark that an endpoint hears of', ofPostmark, subscribed, {}, {}],
])(
  '%s costs the same calls and units as our own API',
  async (_, other, { sendKey }, ourFields, theirFields) => {
    const email = { ...other.email, ...theirFields };
    // Both then write to a known contact.
    await post(our, { ...ours, ...ourFields }, sendKey, randomUUID());

    const expected = await costOf(our, { ...ours, ...ourFields }, sendKey);
    const measured = await costOf(other.path, email, sendKey);

    expect(expected.length).toBeGreaterThan(0);
    expect(measured).toEqual(expected);
  },
);

it.each([resends, ofPostmark])(
  'a replay through $path costs the same calls and units',
  async (other) => {
    const [one, another] = [randomUUID(), randomUUID()];
    await post(our, ours, plain.sendKey, one);
    await post(other.path, other.email, plain.sendKey, another);

    const expected = await costOf(our, ours, plain.sendKey, one);
    const measured = await costOf(other.path, other.email, plain.sendKey, another);

    expect(measured).toEqual(expected);
  },
);

it.each([resends, ofPostmark])(
  'a batch through $path costs the same calls and units',
  async (other) => {
    const { path, email, validation } = other;
    const batch = { emails: [ours, ours], validation };
    const expected = await costOf('/api/v1/emails/batch', batch, plain.sendKey);
    const measured = await costOf(`${path}/batch`, [email, email], plain.sendKey);

    expect(measured).toEqual(expected);
  },
);
