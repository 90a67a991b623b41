import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openApiKeyStore } from '#shared/access/api-key-store';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { readBatch } from '#shared/sending/batch/batch-request';
import type { Outcome } from '#shared/sending/batch/judged-email';
import { sendBatch } from '#shared/sending/batch/send-batch';
import type { Send } from '#shared/sending/send';
import { openSendingStores } from '#shared/sending/sending';
import { openSettlementStore } from '#shared/sending/settlement-store';
import type { Table } from '#shared/table/table-client';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { buildApiKey } from '../../../support/api-key-builder.ts';
import { openMemoryTable } from '../../../support/memory-table/memory-table.ts';
import { buildOrganization } from '../../../support/organization-builder.ts';
import { recordLog } from '../../../support/recorded-log.ts';
import { buildSendBody } from '../../../support/send-body-builder.ts';
import { doubtWindowMs } from '../../../support/send-builder.ts';
import { fakeSending, sendingNow } from '../../../support/sending-builder.ts';

const size = 5;
const emails = Array.from({ length: size }, (_, place) =>
  buildSendBody({ to: `n${place}@example.com` }),
);

class Death extends Error {}

/** When a process dies: before or after its effect of this number, which is a write or a call to SES. */
type DeathAt = { readonly effect: number; readonly when: 'before' | 'after' };

/** A process that lives until then. All that it tries afterwards has no effect. */
function openProcess(death: DeathAt | undefined) {
  let effects = 0;
  let isDead = false;
  return async <Result>(run: () => Promise<Result>): Promise<Result> => {
    effects += 1;
    if (isDead || (death?.when === 'before' && effects === death.effect)) {
      isDead = true;
      throw new Death();
    }
    const result = await run();
    if (isDead || (death?.when === 'after' && effects >= death.effect)) {
      isDead = true;
      throw new Death();
    }
    return result;
  };
}

/** An organization, its table and its mailbox; each request runs in a process of its own. */
async function openWorld() {
  const memory = openMemoryTable();
  const organizationId = newOrganizationId();
  const { text, apiKey } = buildApiKey({ organizationId });
  await openOrganizationStore(memory.table).put(buildOrganization({ id: organizationId }));
  await openApiKeyStore(memory.table).put(apiKey);
  const mailbox: { readonly to: string; readonly send: Send; readonly messageId: string }[] = [];

  const request = (at: number, death?: DeathAt): Promise<readonly Outcome[]> => {
    const living = openProcess(death);
    const table = livingTable(memory.open(), living);
    const claimed = new Map<string, Send>();
    const stores = openSendingStores(table);
    const { sending } = fakeSending(
      {},
      {
        ...stores,
        now: () => at,
        claims: {
          ...stores.claims,
          claim: async (wanted, judge) => {
            const outcome = await stores.claims.claim(wanted, judge);
            if (outcome.kind === 'claimed') claimed.set(outcome.send.feedbackId, outcome.send);
            return outcome;
          },
        },
        callProvider: ({ feedbackId, to: [first] }) =>
          living(async () => {
            const send = claimed.get(feedbackId);
            if (send === undefined || first === undefined) throw new Error('not claimed');
            const messageId = `message-${mailbox.length}`;
            mailbox.push({ to: first.address, send, messageId });
            await sleep(0);
            return { kind: 'accepted', providerMessageId: messageId };
          }),
      },
    );
    const { log } = recordLog();
    return sendBatch(
      {
        credential: text,
        batch: readBatch(() => ({ emails }), 'digest'),
        log,
        logOf: () => log,
        onKey: () => {},
        onRateLimit: () => {},
        onAttachments: () => {},
      },
      sending,
    );
  };

  /** SES's events of all that it took. */
  const deliverEvents = async (at: number) => {
    const { commitAcceptance } = openSettlementStore(memory.table);
    for (const { send, messageId } of mailbox) {
      await commitAcceptance(send, { providerMessageId: messageId, at }, []);
    }
  };
  return { request, deliverEvents, mailbox };
}

const writes = new Set(['PutItem', 'UpdateItem', 'TransactWriteItems', 'DeleteItem']);

function livingTable(table: Table, living: ReturnType<typeof openProcess>): Table {
  table.client.middlewareStack.add(
    (next, context) => async (args) => {
      const operation = `${context.commandName}`.replace(/Command$/, '');
      return writes.has(operation) ? living(() => next(args)) : next(args);
    },
    { step: 'initialize', name: 'living' },
  );
  return table;
}

const recipientsOf = (mailbox: readonly { readonly to: string }[]) =>
  mailbox.map(({ to }) => to).toSorted();
const eachOnce = emails.map(({ to }) => to);

// A claim, a call to SES, a commit and a contact for each email, and the death after the last of them.
const deaths = Array.from({ length: 4 * size + 1 }, (_, index) => index + 1).flatMap((effect) => [
  { effect, when: 'before' as const },
  { effect, when: 'after' as const },
]);

describe('a batch whose process dies', () => {
  it.each(deaths)('$when effect $effect, and is repeated, is each email once', async (death) => {
    const { request, deliverEvents, mailbox } = await openWorld();
    await request(sendingNow, death).catch(() => []);

    // At once: what may be out isn't sent again.
    await request(sendingNow + 1_000);
    expect(new Set(recipientsOf(mailbox)).size).toBe(mailbox.length);

    await deliverEvents(sendingNow + 2_000);
    await request(sendingNow + doubtWindowMs + 2_000);
    const outcomes = await request(sendingNow + doubtWindowMs + 3_000);

    expect(recipientsOf(mailbox)).toEqual(eachOnce);
    expect(outcomes.map((outcome) => outcome.ok && outcome.response.status)).toEqual(
      emails.map(() => 'sent'),
    );
  });
});

describe('two batches of one key at once', () => {
  it('are each email once', async () => {
    const { request, mailbox } = await openWorld();

    const [one, other] = await Promise.all([request(sendingNow), request(sendingNow)]);

    expect(recipientsOf(mailbox)).toEqual(eachOnce);
    for (const [place, outcome] of one.entries()) {
      const both = [outcome, other[place]].filter((each) => each?.ok);
      expect(both.length).toBeGreaterThan(0);
    }
    expect((await request(sendingNow + 1_000)).every((each) => each.ok && each.replayed)).toBe(
      true,
    );
  });
});
