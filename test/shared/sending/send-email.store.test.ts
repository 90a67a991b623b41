import { describe, expect, it } from 'vitest';
import { openApiKeyStore } from '#shared/access/api-key-store';
import { openContactStore } from '#shared/contacts/contact-store';
import type { ProviderOutcome } from '#shared/email/email-provider';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import type { SendResult } from '#shared/sending/claim';
import { parseSendRequest } from '#shared/sending/request/send-request';
import type { Send } from '#shared/sending/send';
import { sendEmail } from '#shared/sending/send-email';
import { openSendingStores, type Sending } from '#shared/sending/sending';
import { openSettlementStore } from '#shared/sending/settlement-store';
import { openTimelineStore } from '#shared/sends/timeline-store';
import { openSuppressionStore } from '#shared/suppressions/suppression-store';
import type { Table } from '#shared/table/table-client';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { openDisturbedTable } from '../../support/disturbed-table.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { buildSendBody } from '../../support/send-body-builder.ts';
import { doubtWindowMs } from '../../support/send-builder.ts';
import { fakeSending, type SendingOverrides, sendingNow } from '../../support/sending-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { unexpected } from '../../support/unexpected.ts';

const table = openStoreTable();
const sendingStores = openSendingStores(table);
const timelineStore = openTimelineStore(table);

const accepted = (providerMessageId: string): ProviderOutcome => ({
  kind: 'accepted',
  providerMessageId,
});
const refused: ProviderOutcome = { kind: 'rejected', reason: 'MessageRejected' };
const unknown: ProviderOutcome = { kind: 'unknown', cause: new Error('socket hang up') };

type Request = {
  readonly at: number;
  readonly outcome?: ProviderOutcome;
  readonly settlements?: Partial<Sending['settlements']>;
};

/** An organization that sends to Ann, under one idempotency key, by a clock that the test moves. */
async function openOrganization(on: Table = table) {
  const organizationId = newOrganizationId();
  const { text, apiKey } = buildApiKey({ organizationId });
  await Promise.all([
    openOrganizationStore(table).put(buildOrganization({ id: organizationId })),
    openApiKeyStore(table).put(apiKey),
    openContactStore(table).ensure(organizationId, 'ann@example.com', sendingNow),
  ]);
  const claimed: Send[] = [];
  let handedOver = 0;

  const send = ({ at, outcome, settlements }: Request): Promise<SendResult> => {
    const stores = openSendingStores(on);
    const overrides: SendingOverrides = {
      ...stores,
      now: () => at,
      // In 2125: what is expired by its own clock, DynamoDB Local may delete.
      sendRetentionDays: 36_500,
      claims: {
        ...stores.claims,
        claim: async (wanted, judge) => {
          const claim = await stores.claims.claim(wanted, judge);
          if (claim.kind === 'claimed') claimed.push(claim.send);
          return claim;
        },
      },
      settlements: { ...stores.settlements, ...settlements },
      callProvider: async () => {
        if (outcome === undefined) throw new Error('the test did not expect callProvider');
        handedOver += 1;
        return outcome;
      },
    };
    return sendEmail(
      {
        endpoint: 'send',
        credential: text,
        request: parseSendRequest(buildSendBody(), 'key-1'),
        log: recordLog().log,
        readBody: unexpected('readBody'),
        onKey: () => {},
        onRateLimit: () => {},
        onAttachments: () => {},
      },
      fakeSending({}, overrides).sending,
    );
  };
  const first = (): Send => {
    const [one] = claimed;
    if (one === undefined) throw new Error('nothing was claimed');
    return one;
  };
  return {
    organizationId,
    send,
    /** The send as its first attempt claimed it. */
    first,
    handedOver: () => handedOver,
    /** SES's event that it took a message of the send. */
    prove: (providerMessageId: string) =>
      openSettlementStore(table).commitAcceptance(
        first(),
        { providerMessageId, at: sendingNow },
        [],
      ),
  };
}

const windowEnd = sendingNow + doubtWindowMs;

const replayOf = ({ id }: Send, messageId: string) => ({
  response: { sendId: id, status: 'sent', messageId },
  replayed: true,
});

describe('a send to a known contact', () => {
  it('reads its context, claims its slot and commits: no call more', async () => {
    const operations: string[] = [];
    const counted = openDisturbedTable({
      before: async ({ operation }) => {
        operations.push(operation);
      },
    });
    const { send } = await openOrganization(counted);

    const { response } = await send({ at: sendingNow, outcome: accepted('message-1') });

    expect(response).toMatchObject({ status: 'sent', messageId: 'message-1' });
    expect(operations).toEqual(['BatchGetItem', 'PutItem', 'UpdateItem']);
  });

  it('is replayed by one read and one write that is refused', async () => {
    const operations: string[] = [];
    const counted = openDisturbedTable({
      before: async ({ operation }) => {
        operations.push(operation);
      },
    });
    const { send, first } = await openOrganization(counted);
    await send({ at: sendingNow, outcome: accepted('message-1') });
    operations.length = 0;

    const replay = await send({ at: sendingNow + 1_000 });

    expect(replay).toEqual(replayOf(first(), 'message-1'));
    expect(operations).toEqual(['BatchGetItem', 'PutItem']);
  });
});

describe('an attempt that was given up', () => {
  it('does not speak for its successor: the script of the email that was sent twice', async () => {
    const { send, first, handedOver } = await openOrganization();
    const frozen = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    // SES refuses attempt A, and the table is silent while A stores the failure: Lambda freezes it.
    const a = serviceErrorOf(() =>
      send({
        at: sendingNow,
        outcome: refused,
        settlements: {
          recordFailure: async (...args) => {
            reached.resolve();
            await frozen.promise;
            return sendingStores.settlements.recordFailure(...args);
          },
        },
      }),
    );
    await reached.promise;

    // A retry B takes the send over. Before it commits, A thaws and its write arrives.
    const b = await send({
      at: windowEnd,
      outcome: accepted('message-of-b'),
      settlements: {
        commitAcceptance: async (...args) => {
          frozen.resolve();
          await a;
          return sendingStores.settlements.commitAcceptance(...args);
        },
      },
    });
    const c = await send({ at: windowEnd + 1_000 });

    const { id: sendId } = first();
    expect((await a).code).toBe('provider_outcome_unknown');
    expect(b.response).toEqual({ sendId, status: 'sent', messageId: 'message-of-b' });
    expect(c).toEqual(replayOf(first(), 'message-of-b'));
    expect(handedOver()).toBe(2);
    const timeline = await timelineStore.read(sendId, windowEnd);
    expect(timeline?.messages).toMatchObject([{ providerMessageId: 'message-of-b' }]);
  });
});

describe('a send in doubt', () => {
  it('is sent under its own id by the first retry after its window', async () => {
    const { send, first, handedOver } = await openOrganization();
    await serviceErrorOf(() => send({ at: sendingNow, outcome: unknown }));

    const early = await serviceErrorOf(() => send({ at: windowEnd - 1 }));
    const late = await send({ at: windowEnd, outcome: accepted('message-2') });

    expect(early).toMatchObject({ code: 'idempotency_in_progress', retryAfterSeconds: 1 });
    expect(late).toEqual({
      response: { sendId: first().id, status: 'sent', messageId: 'message-2' },
      replayed: false,
    });
    expect(handedOver()).toBe(2);
  });

  it('is replayed when SES has told of it meanwhile', async () => {
    const { send, first, prove, handedOver } = await openOrganization();
    await serviceErrorOf(() => send({ at: sendingNow, outcome: unknown }));
    await prove('message-1');

    expect(await send({ at: windowEnd })).toEqual(replayOf(first(), 'message-1'));
    expect(handedOver()).toBe(1);
  });

  it('whose address its own bounce suppressed is answered `sent`, not `suppressed` for good', async () => {
    const { organizationId, send, first, prove } = await openOrganization();
    await serviceErrorOf(() => send({ at: sendingNow, outcome: unknown }));
    // The intake dies between the suppression and the acceptance, and comes again later.
    await openSuppressionStore(table).suppress(
      organizationId,
      'ann@example.com',
      'bounce',
      sendingNow,
    );

    const during = await serviceErrorOf(() => send({ at: windowEnd }));
    await prove('message-1');
    const after = await send({ at: windowEnd + 60_000 });

    expect(during).toMatchObject({
      code: 'provider_outcome_unknown',
      retryAfterSeconds: doubtWindowMs / 1000,
    });
    expect(after).toMatchObject({
      replayed: true,
      response: { sendId: first().id, status: 'sent', messageId: 'message-1' },
    });
  });

  it('whose takeover SES refuses is held, as SES may yet tell of the first attempt', async () => {
    const { send, first, prove } = await openOrganization();
    await serviceErrorOf(() => send({ at: sendingNow, outcome: unknown }));

    const takeover = await serviceErrorOf(() => send({ at: windowEnd, outcome: refused }));
    const waiting = await serviceErrorOf(() => send({ at: windowEnd + 60_000 }));
    await prove('message-1');
    const proven = await send({ at: windowEnd + 61_000 });

    expect(takeover).toMatchObject({
      code: 'provider_outcome_unknown',
      retryAfterSeconds: doubtWindowMs / 1000,
    });
    expect(waiting).toMatchObject({ code: 'idempotency_in_progress', retryAfterSeconds: 240 });
    expect(proven).toEqual(replayOf(first(), 'message-1'));
  });

  it('whose first attempt SES tells of after the takeover shows both messages, and replays one', async () => {
    const { send, first, prove } = await openOrganization();
    await serviceErrorOf(() => send({ at: sendingNow, outcome: unknown }));
    await send({ at: windowEnd, outcome: accepted('message-2') });

    await prove('message-1');

    expect(await send({ at: windowEnd + 1_000 })).toEqual(replayOf(first(), 'message-2'));
    const timeline = await timelineStore.read(first().id, windowEnd);
    expect(timeline?.messages.map(({ providerMessageId }) => providerMessageId)).toEqual([
      'message-1',
      'message-2',
    ]);
  });
});

describe('a failed send', () => {
  it('keeps its id and its failure when a retry sends it', async () => {
    const { send, first } = await openOrganization();
    const failure = await serviceErrorOf(() => send({ at: sendingNow, outcome: refused }));

    const retry = await send({ at: sendingNow + 5_000, outcome: accepted('message-2') });

    const { id: sendId } = first();
    expect(failure.code).toBe('provider_rejected');
    expect(retry).toEqual({
      response: { sendId, status: 'sent', messageId: 'message-2' },
      replayed: false,
    });
    expect(await timelineStore.read(sendId, sendingNow)).toMatchObject({
      send: {
        status: 'sent',
        attempt: 2,
        attempts: [{ attempt: 1, at: sendingNow, reason: 'MessageRejected' }],
      },
      messages: [{ providerMessageId: 'message-2' }],
    });
  });

  it('is sent by one of 8 retries at once', async () => {
    const { send, first, handedOver } = await openOrganization();
    await serviceErrorOf(() => send({ at: sendingNow, outcome: refused }));

    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () =>
        send({ at: sendingNow + 5_000, outcome: accepted('message-2') }),
      ),
    );

    const answered = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value.response.messageId] : [],
    );
    expect(new Set(answered)).toEqual(new Set(['message-2']));
    expect(handedOver()).toBe(2);
    expect(await send({ at: sendingNow + 6_000 })).toEqual(replayOf(first(), 'message-2'));
  });
});
