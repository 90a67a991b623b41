import { describe, expect, it } from 'vitest';
import { openWaitingQuotas, readDayQuota } from '#shared/access/day-quota-store';
import { contentPlace, sendLater } from '#shared/sending/later/send-later';
import type { SendToWake } from '#shared/sending/later/send-queue';
import type { SendRequest } from '#shared/sending/request/send-request';
import { openSendingStores } from '#shared/sending/sending';
import { getTimeline } from '#shared/sends/timeline-store';
import { newOrganizationId, newWebhookId, type SendId, slotIdOf } from '#shared/tokens/resource-id';
import { buildAdmission } from '../../../support/admission-builder.ts';
import { buildApiKey } from '../../../support/api-key-builder.ts';
import { buildAttachments } from '../../../support/attachment-builder.ts';
import { memoryContents } from '../../../support/memory-contents.ts';
import { openMemoryTable } from '../../../support/memory-table/memory-table.ts';
import { buildOrganization } from '../../../support/organization-builder.ts';
import { recordLog } from '../../../support/recorded-log.ts';
import { buildSendBody } from '../../../support/send-body-builder.ts';
import { buildSend } from '../../../support/send-builder.ts';
import { buildSendRequest } from '../../../support/send-request-builder.ts';
import { fakeSending, sendingNow } from '../../../support/sending-builder.ts';
import { serviceErrorOf } from '../../../support/service-error.ts';

const failure = { attempt: 1, at: sendingNow, reason: 'MessageRejected' };

type Step = <Answer>(name: string, apply: () => Promise<Answer>) => Promise<Answer>;

/** Requests to schedule an email, over one table and bucket. Each of their calls goes through `step`. */
function requestsOf({
  waitingBytesPerDay = 10_000,
  eventTypes,
  step = (_, apply) => apply(),
}: {
  readonly waitingBytesPerDay?: number;
  /** What the organization's endpoint subscribes to, if it has one. */
  readonly eventTypes?: string[] | undefined;
  readonly step?: Step;
} = {}) {
  let isPrepared = false;
  const passing =
    <Args extends readonly unknown[]>(
      name: string,
      apply: (...args: Args) => Promise<void>,
    ): ((...args: Args) => Promise<void>) =>
    async (...args) => {
      await step(name, () => apply(...args));
    };
  const memory = openMemoryTable({
    intercept: (call, run) => (isPrepared ? step(call.operation, run) : run()),
  });
  const contents = memoryContents();
  const { log, lines } = recordLog();
  const woken: SendToWake[] = [];
  const id = newOrganizationId();
  const webhooks = eventTypes ? { [newWebhookId(id)]: { eventTypes } } : {};
  const organization = buildOrganization({ id, webhooks, limits: { waitingBytesPerDay } });
  const { sending: fake } = fakeSending();
  const sending = {
    ...fake,
    ...openSendingStores(memory.table),
    dayQuotas: openWaitingQuotas(memory.table),
    wakeSenders: async (sends: readonly SendToWake[]) => void woken.push(...sends),
    contents: {
      ...fake.contents,
      put: passing('contents.put', contents.put),
      remove: passing('contents.remove', contents.remove),
    },
  };
  isPrepared = true;
  const store = (plan: Partial<SendRequest> = {}, { isTest = false } = {}) => {
    const fields = { idempotencyKey: 'key-1', mode: 'queued', ...plan } as const;
    const { apiKey } = buildApiKey({
      organizationId: organization.id,
      ...(isTest && { test: true as const }),
    });
    const request = buildSendRequest(fields);
    const { length: count } = request.attachments;
    const admission = {
      ...buildAdmission({ apiKey, organization, request }),
      // Attachments that the tests have inline.
      attachments: { count, totalBytes: count === 0 ? 0 : 5 },
    };
    return sendLater({ endpoint: 'send', admission, log, body: bodyOf(fields) }, sending);
  };
  const readUse = async (quota: 'WAITING' | 'TEST_WAITING' = 'WAITING') => {
    isPrepared = false;
    const used = await readDayQuota(memory.table, organization.id, quota, sendingNow);
    isPrepared = true;
    return used;
  };
  const readSend = async () => {
    isPrepared = false;
    const slotId = slotIdOf(organization.id, 'key-1', { isTest: false });
    const send = await sending.claims.get(slotId, sendingNow);
    isPrepared = true;
    return send;
  };
  const readTypes = async (sendId: SendId | undefined) => {
    isPrepared = false;
    const timeline = sendId && (await getTimeline(memory.table, sendId, sendingNow));
    isPrepared = true;
    return timeline?.deliveries.map(({ type }) => type);
  };
  /** Whether the content that a send names exists. */
  const hasContent = (contentId = '') => {
    const { kind, organizationId, name } = contentPlace(organization.id, contentId);
    return contents.objects.has(`${kind}/${organizationId}/${name}`);
  };
  return { store, woken, sending, readUse, readSend, readTypes, hasContent, contents, lines };
}

const bodyOf = ({ mode, idempotencyKey, content = 'Thank you.' }: Partial<SendRequest>) =>
  buildSendBody({ mode, idempotencyKey, content });

const sizeOf = (content: string) =>
  Buffer.byteLength(JSON.stringify(bodyOf({ mode: 'queued', idempotencyKey: 'key-1', content })));
const size = sizeOf('Thank you.');

describe('a scheduled email', () => {
  it.each([
    ['queued', {}, ['email.queued'], ['email.queued']],
    ['queued', {}, [], []],
    ['scheduled', { sendAt: sendingNow + 60_000 }, [], ['email.scheduled']],
  ])(
    'that is %s %o is reported to an endpoint that subscribes to %j',
    async (_, plan, eventTypes, told) => {
      const { store, readSend, readTypes } = requestsOf({ eventTypes });

      await store(plan);
      await store(plan);

      expect(await readTypes((await readSend())?.id)).toEqual(told);
    },
  );

  it('counts its bytes once, however often the request is repeated', async () => {
    const { store, readUse, contents } = requestsOf();

    const first = await store();
    const again = await store();

    expect(first).toMatchObject({ replayed: false, response: { status: 'queued' } });
    expect(again).toMatchObject({ replayed: true, response: { sendId: first.response.sendId } });
    expect(contents.objects.size).toBe(1);
    expect(await readUse()).toBe(size);
  });

  it('includes the size of its files behind URLs', async () => {
    const { store, readSend } = requestsOf();
    const attachments = buildAttachments(
      {},
      { contentBase64: undefined, url: 'https://a.example/b' },
    );

    await store({ attachments });

    const attachmentBytes = 'Hello'.length + 'fetched'.length;
    expect(await readSend()).toMatchObject({ attachmentCount: 2, attachmentBytes });
  });

  it('wakes a worker for its due time if that is within 15 minutes', async () => {
    const { store, woken } = requestsOf();

    await store();
    await store({ idempotencyKey: 'key-2', sendAt: sendingNow + 60_000 });
    await store({ idempotencyKey: 'key-3', sendAt: sendingNow + 900_001 });

    expect(woken).toMatchObject([{ delayMs: 0 }, { delayMs: 60_000 }]);
  });

  it("is refused when the day's storage is full, and nothing of it is stored", async () => {
    const { store, readUse, contents } = requestsOf({ waitingBytesPerDay: 2 * size - 1 });
    await store();

    const error = await serviceErrorOf(() => store({ idempotencyKey: 'key-2' }));

    expect(error.code).toBe('waiting_limit_reached');
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    expect(await store()).toMatchObject({ replayed: true });
    expect(contents.objects.size).toBe(1);
    expect(await readUse()).toBe(size);
  });

  it('is refused as too large when it can never fit', async () => {
    const { store, readUse } = requestsOf({ waitingBytesPerDay: size - 1 });

    const error = await serviceErrorOf(store);

    expect(error).toMatchObject({ code: 'too_large', errors: [{ path: '' }] });
    expect(await readUse()).toBe(0);
  });

  it('with a test key takes no storage from real ones', async () => {
    const { store, readUse } = requestsOf({ waitingBytesPerDay: size });

    await store({}, { isTest: true });
    await store();

    expect([await readUse('TEST_WAITING'), await readUse()]).toEqual([size, size]);
  });

  it('that loses its claim to another gives back its bytes and leaves no content', async () => {
    let isHeld = true;
    const second = Promise.withResolvers<void>();
    const { store, readUse, contents, readSend, hasContent } = requestsOf({
      step: async (name, apply) => {
        const answer = await apply();
        // Both have stored their content before the first one claims.
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

  it('waits again after a failure only if the send is unchanged since before its content was stored', async () => {
    const { store, sending } = requestsOf();
    const failed = buildSend({ status: 'failed', attempts: [failure], idempotencyKey: 'key-1' });
    sending.claims.get = async () => failed;
    const verdicts: unknown[] = [];
    sending.claims.claim = async (wanted, judge) => {
      const attempts = [failure, { ...failure, attempt: 2 }];
      const changed = { ...failed, claimId: 'another', attempt: 2, attempts };
      verdicts.push(judge(failed, wanted).kind, judge(changed, wanted).kind);
      return { kind: 'in_progress', retryAt: wanted.claimedAt + 1_000 };
    };

    expect(await serviceErrorOf(store)).toMatchObject({ code: 'idempotency_in_progress' });

    expect(verdicts).toEqual(['next_attempt', 'in_progress']);
  });

  it('keeps its content and count when its claim was stored after all and has gone on since', async () => {
    const { store, sending, readUse, contents } = requestsOf();
    const { claim } = sending.claims;
    sending.claims.claim = async (wanted, ...judging) => {
      await claim(wanted, ...judging);
      return { kind: 'in_progress', retryAt: wanted.leaseExpiresAt };
    };

    expect(await serviceErrorOf(store)).toMatchObject({ code: 'idempotency_in_progress' });

    expect(contents.objects.size).toBe(1);
    expect(await readUse()).toBe(size);
  });

  it.each(['dies', 'gets no answer'] as const)(
    "counts stored bytes and keeps the send's content when its process %s at any call",
    async (fate) => {
      const made: string[] = [];
      const record: Step = (name, apply) => {
        made.push(name);
        return apply();
      };
      await requestsOf({ step: record }).store();
      for (const [at] of made.entries()) {
        let calls = 0;
        let isRetry = false;
        const { store, readUse, readSend, hasContent, contents } = requestsOf({
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
