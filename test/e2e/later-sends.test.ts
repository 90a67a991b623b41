import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createApiCaller } from '../support/api-caller.ts';
import { readInbox } from '../support/mailbox-inbox.ts';
import { patience } from '../support/patience.ts';
import { buildSendBody } from '../support/send-body-builder.ts';
import { useTwin } from '../support/twin.ts';

const { baseUrl, apiKey, manageKey, inboxUrl } = await useTwin();
const call = createApiCaller(baseUrl, manageKey);

const hour = 3_600_000;
/** By then a test has done its preparations, even on a busy machine. */
const soon = () => Date.now() + 30_000;

const send = (fields: object, key = apiKey) =>
  call('POST', '/api/v1/emails/send', { key, body: buildSendBody({ ...fields }) });

async function accepted(fields: object): Promise<string> {
  const { status, json } = await send(fields);
  expect(status, JSON.stringify(json)).toBe(202);
  return idIn(json);
}
const idIn = (json: unknown): string =>
  String(Object.entries(Object(json)).find(([name]) => name === 'sendId')?.[1]);

const cancel = (id: string) => call('POST', `/api/v1/sends/${id}/cancel`);
const move = (id: string, sendAt: number | string) =>
  call('PATCH', `/api/v1/sends/${id}`, { body: { sendAt } });
const timelineOf = async (id: string) => (await call('GET', `/api/v1/sends/${id}`)).json;

const arrivals = async (subject: string) =>
  (await readInbox(inboxUrl)).filter((email) => email.subject === subject);

const becomes = (id: string, status: string) =>
  vi.waitFor(
    async () => expect(await timelineOf(id)).toMatchObject({ send: { status } }),
    patience,
  );

/** Waits until workers and scheduled runs could have handled everything that was due. */
async function afterTheNextRuns(): Promise<void> {
  await becomes(await accepted({ subject: 'Marker', sendAt: Date.now() + 500 }), 'sent');
  await sleep(2_500);
}

describe('a queued send', () => {
  it('is accepted, and sent once however often the request is repeated', async () => {
    const fields = { subject: 'Queued', mode: 'queued', idempotencyKey: 'queued-1' };
    const first = await send(fields);
    const early = await send(fields);
    await becomes(idIn(first.json), 'sent');
    const late = await send(fields);
    await afterTheNextRuns();

    expect(first).toMatchObject({ status: 202, json: { status: 'queued', reused: false } });
    expect(early.json).toMatchObject({ sendId: idIn(first.json), reused: true });
    expect(late).toMatchObject({
      status: 200,
      json: { sendId: idIn(first.json), status: 'sent', reused: true },
    });
    expect(await arrivals('Queued')).toHaveLength(1);
  });

  it('can’t be canceled or moved once it was sent', async () => {
    const id = await accepted({ subject: 'Gone', mode: 'queued' });
    await becomes(id, 'sent');

    for (const answer of [await cancel(id), await move(id, Date.now() + hour)]) {
      expect(answer).toMatchObject({ status: 409, json: { code: 'send_not_waiting' } });
    }
  });
});

// In parallel, as each waits for its time.
describe('a scheduled send', { concurrent: true }, () => {
  it('is sent once, and not before its time', async () => {
    const sendAt = soon();
    const fields = { subject: 'Scheduled', sendAt, idempotencyKey: 'scheduled-1' };
    const { status, json } = await send(fields);
    const replayed = await send(fields);
    const other = await send({ ...fields, sendAt: sendAt + 1 });
    let earliest = 0;
    await vi.waitFor(async () => {
      const asked = await arrivals('Scheduled');
      earliest = Date.now();
      expect(asked).toHaveLength(1);
    }, patience);
    await becomes(idIn(json), 'sent');
    await afterTheNextRuns();

    expect({ status, json }).toMatchObject({ status: 202, json: { status: 'scheduled', sendAt } });
    expect(replayed).toMatchObject({
      status: 202,
      json: { sendId: idIn(json), status: 'scheduled', sendAt, reused: true },
    });
    expect(other).toMatchObject({ status: 422, json: { code: 'idempotency_key_reused' } });
    expect(earliest).toBeGreaterThanOrEqual(sendAt);
    expect(await arrivals('Scheduled')).toHaveLength(1);
  });

  it('is rejected for a time long past, unless it repeats an accepted request', async () => {
    const sendAt = Date.now() - hour;
    const id = await accepted({ subject: 'Moved', sendAt: Date.now() + hour });

    const answers = [await send({ sendAt }), await move(id, sendAt)];
    const nearly = await send({ subject: 'Just past', sendAt: Date.now() - 60_000 });

    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 400, json: { errors: [{ path: 'sendAt' }] } });
    }
    expect(nearly.status).toBe(202);
  });

  it('accepts ISO 8601, is listed under its status, and is rejected too far ahead', async () => {
    const sendAt = Date.now() + hour;
    const id = await accepted({ subject: 'ISO', sendAt: new Date(sendAt).toISOString() });
    const far = await send({ sendAt: Date.now() + 31 * 24 * hour });
    const farMove = await move(id, Date.now() + 31 * 24 * hour);
    const listed = await call('GET', '/api/v1/sends?status=scheduled');

    expect(await timelineOf(id)).toMatchObject({ send: { status: 'scheduled', sendAt } });
    expect(listed.json).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ _id: id })]),
    });
    for (const answer of [far, farMove]) {
      expect(answer).toMatchObject({ status: 400, json: { errors: [{ path: 'sendAt' }] } });
    }
  });

  it('is never sent once it is canceled', async () => {
    const fields = { subject: 'Canceled', sendAt: soon(), idempotencyKey: 'off-1' };
    const id = await accepted(fields);
    const canceled = await cancel(id);
    const again = await cancel(id);
    const replayed = await send(fields);
    const moved = await move(id, Date.now() + hour);
    await sleep(Math.max(0, fields.sendAt - Date.now()));
    await afterTheNextRuns();

    for (const answer of [canceled, again, replayed]) {
      expect(answer).toMatchObject({ status: 200, json: { sendId: id, status: 'canceled' } });
    }
    expect(moved).toMatchObject({ status: 409, json: { code: 'send_not_waiting' } });
    expect(await timelineOf(id)).toMatchObject({ send: { status: 'canceled' } });
    const audit = Object((await call('GET', '/api/v1/audit')).json).data;
    expect(audit.filter(({ target }: { target: string }) => target === id)).toMatchObject([
      { action: 'send.canceled' },
    ]);
    expect(await arrivals('Canceled')).toEqual([]);
  });

  it('is sent at the time it was moved to, earlier or later', async () => {
    const sendAt = soon();
    const early = await accepted({ subject: 'Earlier', sendAt: Date.now() + hour });
    const late = await accepted({ subject: 'Later', sendAt });
    const movedEarly = await move(early, Date.now() - 1_000);
    const movedLate = await move(late, sendAt + hour);

    expect(movedEarly).toMatchObject({ status: 200, json: { status: 'queued' } });
    expect(movedLate).toMatchObject({
      status: 200,
      json: { status: 'scheduled', sendAt: sendAt + hour },
    });
    await becomes(early, 'sent');
    await sleep(Math.max(0, sendAt - Date.now()));
    await afterTheNextRuns();
    expect(await arrivals('Earlier')).toHaveLength(1);
    expect(await arrivals('Later')).toEqual([]);
    expect(await timelineOf(late)).toMatchObject({ send: { status: 'scheduled' } });
  });

  it('is canceled when its recipient is erased', async () => {
    const sendAt = soon();
    const id = await accepted({ to: 'erased@example.com', subject: 'Erased', sendAt });
    // The index that finds an address's sends may lag a moment.
    await sleep(500);
    const { status } = await call('DELETE', '/api/v1/contacts/erased@example.com');
    await sleep(Math.max(0, sendAt - Date.now()));
    await afterTheNextRuns();

    expect(status).toBe(204);
    expect(await timelineOf(id)).toMatchObject({ send: { status: 'canceled' } });
    expect(JSON.stringify(await timelineOf(id))).not.toContain('erased@example.com');
    expect(await arrivals('Erased')).toEqual([]);
  });

  it('drops an erased person from its cc, and no longer stores the address', async () => {
    const to = ['ann@example.com', 'gone1@example.com'];
    const copies = { cc: 'gone2@example.com', bcc: ['gone3@example.com', 'ben@example.org'] };
    const id = await accepted({ subject: 'Copies', to, ...copies, sendAt: Date.now() + hour });
    for (const name of ['gone1', 'gone2', 'gone3']) {
      await call('DELETE', `/api/v1/contacts/${name}@example.com`);
    }
    await move(id, Date.now());
    await becomes(id, 'sent');

    expect(await arrivals('Copies')).toMatchObject([
      { destination: { to: ['ann@example.com'], cc: [], bcc: ['ben@example.org'] } },
    ]);
    expect(JSON.stringify(await timelineOf(id))).not.toMatch(/gone\d@/);
  });

  it('is unknown under another id', async () => {
    const unknown = `snd_${'a'.repeat(10)}`;

    for (const answer of [await cancel(unknown), await move(unknown, Date.now())]) {
      expect(answer).toMatchObject({ status: 404, json: { code: 'send_not_found' } });
    }
  });
});

describe('a test key', { concurrent: true }, () => {
  const newTestKey = async () =>
    String(
      Object((await call('POST', '/api/v1/api-keys', { body: { name: 'ci', test: true } })).json)
        .key,
    );

  it.each([
    ['Test later', 'scheduled', () => ({ sendAt: soon() })],
    ['Test queued', 'queued', () => ({ mode: 'queued' })],
  ])('%s: waits like a real email, and is sent to nobody', async (subject, status, fields) => {
    const to = 'bounce@simulator.amazonses.com';
    const key = await newTestKey();
    const answer = await send({ to, subject, ...fields() }, key);

    expect(answer).toMatchObject({ status: 202, json: { status, test: true } });
    await becomes(idIn(answer.json), 'sent');
    await vi.waitFor(
      async () =>
        expect(await timelineOf(idIn(answer.json))).toMatchObject({
          send: { test: true },
          events: [{ type: 'sent' }, { type: 'bounced' }],
        }),
      patience,
    );
    expect(await arrivals(subject)).toEqual([]);
  });

  it('can move and cancel test emails, but no real ones', async () => {
    const key = await newTestKey();
    const sendAt = Date.now() + hour;
    const real = await accepted({ subject: 'Real', sendAt });
    const test = idIn((await send({ subject: 'Test', sendAt }, key)).json);
    const moveAs = (id: string) =>
      call('PATCH', `/api/v1/sends/${id}`, { key, body: { sendAt: sendAt + 1 } });
    const cancelAs = (id: string) => call('POST', `/api/v1/sends/${id}/cancel`, { key });

    expect(await moveAs(test)).toMatchObject({ status: 200, json: { sendAt: sendAt + 1 } });
    expect(await cancelAs(test)).toMatchObject({ status: 200, json: { status: 'canceled' } });
    for (const answer of [await moveAs(real), await cancelAs(real)]) {
      expect(answer).toMatchObject({ status: 404, json: { code: 'send_not_found' } });
    }
    expect(await timelineOf(real)).toMatchObject({ send: { status: 'scheduled' } });
  });
});
