import { describe, expect, it } from 'vitest';
import { ServiceError } from '#shared/errors/service-error';
import { putOrganization } from '#shared/organizations/organization-store';
import { readSendContent } from '#shared/send-history/send-content';
import { anonymiseSend } from '#shared/send-history/send-erasure-store';
import { findSendsTo } from '#shared/send-history/send-list-store';
import { getSend, getTimeline } from '#shared/send-history/timeline-store';
import { contentPlaceOf, type KeptContent, keepCopy } from '#shared/sending/kept-content';
import { contentPlace } from '#shared/sending/later/send-later';
import { cancelWaiting } from '#shared/sending/later/waiting-store';
import type { Send } from '#shared/sending/send';
import { newSealKey } from '#shared/stored-content/content-store';
import type { Table } from '#shared/table/table-client';
import {
  contactIdOf,
  newNonce,
  newOrganizationId,
  newWebhookId,
  organizationIdOf,
  slotIdIn,
} from '#shared/tokens/resource-id';
import { contentErasureFrom } from '../../../functions/erase-contact/erase-contact.ts';
import { buildClaim, claimSend } from '../../support/claim-builder.ts';
import { Death, dyingTable } from '../../support/disturbed-table.ts';
import { keptFor, memoryContents } from '../../support/memory-contents.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { ann, buildEmail, erasedAt, storeEmail } from '../../support/recipient-builder.ts';
import { asWaiting } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { writesOfAnonymisation } from './anonymisation.ts';

const words: KeptContent = {
  subject: 'Your receipt',
  content: 'Dear Ann',
  attachments: [{ filename: 'a.txt', size: 5 }],
};
const content: KeptContent = { ...words, hasFiles: true };
const files = [Buffer.from('Hello')];

function placeOf(send: Send) {
  const place = contentPlaceOf(send);
  if (place === undefined) throw new Error('The send keeps no content');
  return place;
}

/** A sent email to Ann, and its content. */
async function prepare(...faults: ('remove' | 'get')[]) {
  const { table, open } = openMemoryTable();
  const contents = memoryContents((effect) => {
    if (effect !== faults[0]) return;
    faults.shift();
    throw new Error('S3 answered 503');
  });
  const organizationId = newOrganizationId();
  const send = await storeEmail(table, organizationId, { ...keptFor(7), attachmentCount: 1 });
  const store = ({ contentKey = '', ...one }: Send = send) =>
    keepCopy(contents, { place: placeOf(one), content: words, files, sealKey: contentKey });
  await store();
  const anonymise = (on: Table = table, identity = ann) =>
    anonymiseSend(
      on,
      contentErasureFrom(contents),
      slotIdIn(send.id),
      { identity, expires: false },
      erasedAt,
    );
  const read = (one = send, now = erasedAt) =>
    readSendContent(organizationIdOf(one.id), one.id, {
      table,
      now: () => now,
      contents,
    });
  const find = () =>
    findSendsTo(table, contactIdOf(organizationId, ann), {
      before: undefined,
      limit: 10,
    });
  return { table, open, send, contents, store, anonymise, read, find };
}

describe('the content of a send to an erased person', () => {
  it('is deleted, and the send says so', async () => {
    const { contents, anonymise, read } = await prepare();
    const before = await read();

    await anonymise();

    expect(before.content).toEqual(content);
    expect(contents.objects.size).toBe(0);
    expect(await serviceErrorOf(read)).toMatchObject({ code: 'content_not_kept' });
  });

  it.each(Array.from({ length: writesOfAnonymisation }, (_, index) => index + 1))(
    'is gone after a repetition when the process died before write %d',
    async (death) => {
      const { open, contents, anonymise, read, find } = await prepare();

      await expect(anonymise(dyingTable(death, open))).rejects.toThrow(Death);
      const isReadable = await read().then(
        () => true,
        () => false,
      );
      const left = contents.objects.size;
      const found = await find();
      await anonymise();

      // The first write takes address and key off the send; the bucket follows.
      expect([isReadable, left]).toEqual(death === 1 ? [true, 2] : [false, 0]);
      expect(found).toHaveLength(1);
      expect(contents.objects.size).toBe(0);
      expect(await find()).toEqual([]);
    },
  );

  it('becomes unreadable when the bucket fails, and is deleted when the erasure is repeated', async () => {
    const { contents, anonymise, read, find } = await prepare('remove');

    const fault = await serviceErrorOf(() => anonymise());
    const left = contents.objects.size;
    const found = await find();
    const reading = await serviceErrorOf(read);
    await anonymise();

    expect(fault).toMatchObject({ code: 'erasure_unfinished', retryAfterSeconds: 5 });
    expect([left, found.length, reading.code]).toEqual([2, 1, 'content_not_kept']);
    expect(contents.objects.size).toBe(0);
    expect(await find()).toEqual([]);
  });

  it('is unreadable when a process stores it only after the erasure', async () => {
    const { table, send, store, contents, anonymise, read } = await prepare();

    await anonymise();
    await store();
    const stored = await getSend(table, send.feedbackId, erasedAt);

    expect(contents.objects.size).toBe(2);
    expect(await serviceErrorOf(read)).toMatchObject({ code: 'content_not_kept' });
    expect(stored?.contentDays).toBe(7);
    expect(stored).not.toHaveProperty('contentKey');
  });

  it('stays when another person is erased', async () => {
    const { anonymise, read } = await prepare();

    await anonymise(undefined, 'zoe@example.com');

    expect((await read()).content).toEqual(content);
  });
});

describe('the content of a send', () => {
  it.each([
    ['has no days', {}, erasedAt],
    ['is over', keptFor(1), erasedAt + 86_400_000],
  ])('is unreadable when it %s', async (_what, kept, now) => {
    const { table, read } = await prepare();
    const send = await storeEmail(table, newOrganizationId(), kept);

    const fault = await serviceErrorOf(() => read(send, now));

    expect(fault).toBeInstanceOf(ServiceError);
    expect(fault.code).toBe('content_not_kept');
  });

  it('is missing when its write failed beside the commit', async () => {
    const { table, read } = await prepare();
    const send = await storeEmail(table, newOrganizationId(), keptFor(7));

    expect(await serviceErrorOf(() => read(send))).toMatchObject({ code: 'content_not_kept' });
  });

  it('is unreadable before SES has taken the email', async () => {
    const { table, store, read } = await prepare();
    const send = buildEmail(newOrganizationId(), keptFor(7));
    await claimSend(table, send);
    await store(send);

    expect(await serviceErrorOf(() => read(send))).toMatchObject({ code: 'content_not_kept' });
  });
});

describe('a waiting send to an erased person', () => {
  async function wait() {
    const { table, open } = openMemoryTable();
    const contents = contentErasureFrom(memoryContents());
    const id = newOrganizationId();
    const webhooks = { [newWebhookId(id)]: { eventTypes: [] } };
    await putOrganization(table, buildOrganization({ id, webhooks }));
    const send = buildEmail(id, {
      ...{ status: 'scheduled', attempt: 0, dueAt: erasedAt + 1 },
      suppressedRecipients: [],
    });
    await claimSend(table, send);
    const erase = (expires: boolean, on = table) =>
      anonymiseSend(on, contents, slotIdIn(send.id), { identity: ann, expires }, erasedAt);
    const rows = async () => (await getTimeline(table, send.id, erasedAt - 1))?.deliveries;
    return { open, send, erase, rows };
  }

  it('is reported as canceled, once and without the address', async () => {
    const { send, erase, rows } = await wait();

    await erase(false);
    await erase(false);

    const deliveries = await rows();
    expect(deliveries?.map(({ type, status }) => [type, status])).toEqual([
      ['email.canceled', 'pending'],
    ]);
    expect(JSON.parse(deliveries?.[0]?.body ?? '')).toMatchObject({
      data: { sendId: send.id, to: 'erased', metadata: { customer: { email: 'erased' } } },
    });
    expect(deliveries?.[0]?.body.toLowerCase()).not.toContain(ann);
  });

  it('leaves the address in no row, wherever the process dies', async () => {
    for (let death = 1; death <= writesOfAnonymisation; death += 1) {
      const { open, erase, rows } = await wait();

      await erase(false, dyingTable(death, open)).catch(() => {});

      for (const { body } of (await rows()) ?? []) expect(body.toLowerCase()).not.toContain(ann);
    }
  });

  it("isn't reported any more once it has expired", async () => {
    const { erase, rows } = await wait();

    await erase(true);

    expect((await rows()) ?? []).toEqual([]);
  });
});

describe('the request of a waiting send to several people', () => {
  const ben = 'ben@example.com';
  const cleo = 'cleo@example.com';
  const body = { to: ['dan@example.com', ben], cc: cleo, subject: `Hello ${cleo} and ${ben}` };

  type Meanwhile = {
    readonly erase: (identity: string) => Promise<unknown>;
    /** As when a worker is done. */
    readonly end: () => Promise<void>;
  };

  async function wait(beforeFirstPut: (meanwhile: Meanwhile) => unknown) {
    const { table } = openMemoryTable();
    const contents = memoryContents();
    const organizationId = newOrganizationId();
    const waitingKey = newSealKey();
    const send = buildClaim({
      ...{ organizationId, status: 'scheduled', attempt: 0, dueAt: erasedAt + 1 },
      ...{ contentId: 'one', waitingKey },
      ...{ toEmail: 'dan@example.com', moreTo: [ben], cc: [cleo] },
    });
    await claimSend(table, send);
    const place = contentPlace(organizationId, 'one');
    await contents.put(place, body, waitingKey);
    let isFirst = true;
    const intercepted: typeof contents = {
      ...contents,
      put: async (...content) => {
        const isDue = isFirst;
        isFirst = false;
        if (isDue) await beforeFirstPut({ erase: (identity) => erase(identity, contents), end });
        await contents.put(...content);
      },
    };
    const erase = (identity: string, on = intercepted) =>
      anonymiseSend(
        table,
        contentErasureFrom(on),
        slotIdIn(send.id),
        { identity, expires: false },
        erasedAt,
      );
    const stored = () => getSend(table, send.feedbackId, erasedAt);
    const end = async () => {
      const existing = await stored();
      if (existing) {
        await cancelWaiting(table, asWaiting(existing), { claimId: newNonce(), now: erasedAt });
      }
      await contents.remove(place);
    };
    return { erase, read: () => contents.get(place, waitingKey), stored };
  }

  it('no longer contains the person, and stays due', async () => {
    const { erase, read, stored } = await wait(() => {});

    await erase(ben);

    expect(await read()).toEqual({
      to: ['dan@example.com'],
      cc: [cleo],
      subject: `Hello ${cleo} and erased`,
    });
    expect(await stored()).toMatchObject({ status: 'scheduled', moreTo: ['erased'], cc: [cleo] });
  });

  it('no longer contains two people who are erased at once', async () => {
    const { erase, read } = await wait((meanwhile) => meanwhile.erase(cleo));

    await erase(ben);

    expect(await read()).toEqual({ to: ['dan@example.com'], subject: 'Hello erased and erased' });
  });

  it('is deleted even if it’s changed just after a worker is done with it', async () => {
    const { erase, read, stored } = await wait((meanwhile) => meanwhile.end());

    await erase(ben);

    expect(await stored()).toMatchObject({ status: 'canceled', moreTo: ['erased'] });
    expect(await read()).toBeUndefined();
  });

  it('no longer contains the person after a repetition when the bucket failed', async () => {
    const { erase, read } = await wait(() => {
      throw new Error('S3 answered 503');
    });

    const fault = await serviceErrorOf(() => erase(ben));
    const outcome = await erase(ben);

    expect(fault).toMatchObject({ code: 'erasure_unfinished', retryAfterSeconds: 5 });
    expect(outcome).toEqual({ kind: 'anonymised' });
    expect(JSON.stringify(await read())).not.toContain(ben);
  });
});
