import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { putApiKey } from '#shared/access/api-key-store';
import { newRequestContext } from '#shared/access/request-context';
import { readRequestQuota } from '#shared/access/request-quota-store';
import { putOrganization } from '#shared/organizations/organization-store';
import { getTimeline } from '#shared/send-history/timeline-store';
import { contentPlace } from '#shared/sending/later/send-later';
import type { SendToWake } from '#shared/sending/later/send-queue';
import { parseSendRequest } from '#shared/sending/request/send-request';
import { factsOf } from '#shared/sending/send';
import { toSendItem } from '#shared/sending/send-items';
import { sendOnce } from '#shared/sending/send-once';
import { getKeyedSend } from '#shared/sending/send-store';
import {
  newNonce,
  newOrganizationId,
  newWebhookId,
  type SendId,
  slotIdOf,
} from '#shared/tokens/resource-id';
import { buildApiKey } from '../../../support/api-key-builder.ts';
import { buildAttachmentField } from '../../../support/attachment-builder.ts';
import { memoryContents } from '../../../support/memory-contents.ts';
import { openMemoryTable } from '../../../support/memory-table/memory-table.ts';
import { buildOrganization } from '../../../support/organization-builder.ts';
import { recordLog } from '../../../support/recorded-log.ts';
import { buildSendBody } from '../../../support/send-body-builder.ts';
import { startOfWorld as now, sendingOn } from '../../../support/send-world.ts';
import { serviceErrorOf } from '../../../support/service-error.ts';

const failure = { attempt: 1, at: now, reason: 'MessageRejected' };

type Step = <Answer>(name: string, apply: () => Promise<Answer>) => Promise<Answer>;

/** Requests to send an email later, over one table and bucket. Each of their calls passes `step`. */
async function requestsOf({
  waitingBytesPerDay = 10_000,
  eventTypes,
  step = (_, apply) => apply(),
}: {
  readonly waitingBytesPerDay?: number;
  /** What the organization's endpoint wants, if it has one. */
  readonly eventTypes?: string[] | undefined;
  readonly step?: Step;
} = {}) {
  let isWatched = false;
  const passing: Step = (name, apply) => (isWatched ? step(name, apply) : apply());
  const { table } = openMemoryTable({ intercept: (call, run) => passing(call.operation, run) });
  const contents = memoryContents();
  const woken: SendToWake[] = [];
  const id = newOrganizationId();
  const organization = buildOrganization({
    id,
    webhooks: eventTypes ? { [newWebhookId(id)]: { eventTypes } } : {},
    limits: { waitingBytesPerDay },
    attachmentsEnabled: true,
  });
  const keys = {
    real: buildApiKey({ organizationId: id, lastUsedAt: now }),
    test: buildApiKey({ organizationId: id, test: true, lastUsedAt: now }),
  };
  await putOrganization(table, organization);
  for (const { apiKey } of [keys.real, keys.test]) await putApiKey(table, apiKey);
  const sending = sendingOn(table, {
    wakeSenders: async (sends) => void woken.push(...sends),
    contents: {
      put: (...content) => passing('contents.put', () => contents.put(...content)),
      remove: (place) => passing('contents.remove', () => contents.remove(place)),
    },
  });
  Object.assign(sending.attachments, {
    fetchFile: async () => ({
      kind: 'fetched',
      file: { bytes: Buffer.from('fetched'), contentType: 'image/png', filename: 'logo.png' },
    }),
  });
  isWatched = true;

  const store = (fields: Fields = {}, { text: credential } = keys.real) => {
    const body = bodyOf(fields);
    return sendOnce(
      {
        ...{ endpoint: 'send', credential, body },
        request: parseSendRequest(body, undefined),
        context: newRequestContext(recordLog().log),
      },
      sending,
    );
  };
  const unwatched = async <Value>(work: Promise<Value>): Promise<Value> => {
    isWatched = false;
    return work.finally(() => {
      isWatched = true;
    });
  };
  const readUse = (quota: 'WAITING' | 'TEST_WAITING' = 'WAITING') =>
    unwatched(readRequestQuota(table, id, quota, now));
  const readSend = async () => {
    const slotId = slotIdOf(id, 'key-1', { isTest: false });
    return (await unwatched(getKeyedSend(table, slotId, now)))?.send;
  };
  const readTypes = async (sendId: SendId) =>
    (await unwatched(getTimeline(table, sendId, now)))?.deliveries.map(({ type }) => type);
  /** Whether the content that a send names is there. */
  const hasContent = (contentId = '') => {
    const { kind, organizationId, name } = contentPlace(id, contentId);
    return contents.objects.has(`${kind}/${organizationId}/${name}`);
  };
  return { store, keys, woken, table, readUse, readSend, readTypes, hasContent, contents };
}

type Fields = Readonly<Record<string, unknown>>;

const bodyOf = (fields: Fields) =>
  buildSendBody({ mode: 'queued', idempotencyKey: 'key-1', ...fields });
const size = Buffer.byteLength(JSON.stringify(bodyOf({})));

describe('an email for later', () => {
  it.each([
    ['queued', {}, ['email.queued'], ['email.queued']],
    ['queued', {}, [], []],
    ['scheduled', { mode: undefined, sendAt: now + 60_000 }, [], ['email.scheduled']],
  ])(
    'that is %s %o is reported once to an endpoint that wants %j',
    async (_, plan, eventTypes, reported) => {
      const { store, readTypes } = await requestsOf({ eventTypes });

      const { response } = await store(plan);
      await store(plan);

      expect(await readTypes(response.sendId)).toEqual(reported);
    },
  );

  it('counts its bytes once, however often it is repeated', async () => {
    const { store, readUse, contents } = await requestsOf();

    const first = await store();
    const again = await store();

    expect(first).toMatchObject({ replayed: false, response: { status: 'queued' } });
    expect(again).toMatchObject({ replayed: true, response: { sendId: first.response.sendId } });
    expect(contents.objects.size).toBe(1);
    expect(await readUse()).toBe(size);
  });

  it('knows the size of its files behind URLs', async () => {
    const { store, readSend } = await requestsOf();

    await store({ attachments: [buildAttachmentField(), { url: 'https://a.example/b' }] });

    const attachmentBytes = 'Hello'.length + 'fetched'.length;
    expect(await readSend()).toMatchObject({ attachmentCount: 2, attachmentBytes });
  });

  it('wakes a worker for when it is due, if that is within 15 minutes', async () => {
    const { store, woken } = await requestsOf();

    await store();
    await store({ idempotencyKey: 'key-2', sendAt: now + 60_000, mode: undefined });
    await store({ idempotencyKey: 'key-3', sendAt: now + 900_001, mode: undefined });

    expect(woken).toMatchObject([{ delayMs: 0 }, { delayMs: 60_000 }]);
  });

  it('that exceeds the limit of that day is refused, and nothing of it is stored', async () => {
    const { store, readUse, contents } = await requestsOf({ waitingBytesPerDay: 2 * size - 1 });
    await store();

    const error = await serviceErrorOf(() => store({ idempotencyKey: 'key-2' }));

    expect(error.code).toBe('waiting_limit_reached');
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    expect(await store()).toMatchObject({ replayed: true });
    expect(contents.objects.size).toBe(1);
    expect(await readUse()).toBe(size);
  });

  it('that never fits is refused as too large', async () => {
    const { store, readUse } = await requestsOf({ waitingBytesPerDay: size - 1 });

    const error = await serviceErrorOf(store);

    expect(error).toMatchObject({ code: 'too_large', errors: [{ path: '' }] });
    expect(await readUse()).toBe(0);
  });

  it('of a test key uses nothing of the limit of real ones', async () => {
    const { store, keys, readUse } = await requestsOf({ waitingBytesPerDay: size });

    await store({}, keys.test);
    await store();

    expect([await readUse('TEST_WAITING'), await readUse()]).toEqual([size, size]);
  });

  it('whose claim is lost to another gives back what it took, and leaves no content', async () => {
    let isHeld = true;
    const second = Promise.withResolvers<void>();
    const { store, readUse, contents, readSend, hasContent } = await requestsOf({
      step: async (name, apply) => {
        const answer = await apply();
        // Both have stored their content before the first claims.
        if (name === 'contents.put' && isHeld) {
          isHeld = false;
          await second.promise;
        }
        return answer;
      },
    });

    const slow = store();
    const fast = await store();
    second.resolve();

    expect(await slow).toMatchObject({ replayed: true, response: fast.response });
    expect(contents.objects.size).toBe(1);
    expect(hasContent((await readSend())?.contentId)).toBe(true);
    expect(await readUse()).toBe(size);
  });

  it('waits again after a failure only if the send is as it was before its content was stored', async () => {
    let isChanged = false;
    const { store, table, readSend } = await requestsOf({
      step: async (name, apply) => {
        const answer = await apply();
        // While this one stores its content, another retry has made an attempt that failed too.
        if (name === 'contents.put' && isChanged) {
          isChanged = false;
          await store();
          await fail();
        }
        return answer;
      },
    });
    const fail = async () => {
      const send = await readSend();
      if (send === undefined) throw new Error('no send');
      const rest = factsOf(send);
      const attempt = send.attempt + 1;
      const attempts = [...send.attempts, { ...failure, attempt }];
      const failed = { ...rest, status: 'failed', attempt, attempts, claimId: newNonce() } as const;
      await table.client.send(new PutCommand({ TableName: table.name, Item: toSendItem(failed) }));
    };
    await store();
    await fail();
    isChanged = true;

    expect(await serviceErrorOf(store)).toMatchObject({ code: 'idempotency_in_progress' });
  });

  it.each(['dies', 'gets no answer'] as const)(
    'counts what may be stored, and keeps the content of its send, whose process %s at any call',
    async (fate) => {
      const made: string[] = [];
      const record: Step = (name, apply) => {
        made.push(name);
        return apply();
      };
      await (await requestsOf({ step: record })).store();
      for (const [at] of made.entries()) {
        let calls = 0;
        let isRetry = false;
        const { store, readUse, readSend, hasContent, contents } = await requestsOf({
          step: async (_, apply) => {
            if (isRetry) return apply();
            calls += 1;
            if (fate === 'dies' && calls > at) throw new Error('dead');
            const answer = await apply();
            if (calls === at + 1) throw new Error('lost');
            return answer;
          },
        });

        await store().catch(() => {});
        isRetry = true;
        await store().catch(() => {});

        const detail = `${fate} at ${made[at]}`;
        expect(hasContent((await readSend())?.contentId), detail).toBe(true);
        expect(await readUse(), detail).toBeGreaterThanOrEqual(contents.objects.size * size);
      }
    },
  );
});
