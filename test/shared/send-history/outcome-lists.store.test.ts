import { describe, expect, it } from 'vitest';
import type { Outcome } from '#shared/send-history/outcome';
import { countOpen, markFirst } from '#shared/send-history/send-event-store';
import { readSends } from '#shared/send-history/send-list-store';
import { cancelWaiting } from '#shared/sending/later/waiting-store';
import type { Send } from '#shared/sending/send';
import { toSend } from '#shared/sending/send-items';
import {
  commitAcceptance,
  listAsDoubtful,
  putNextAttempt,
  recordFailure,
  recordProof,
  recordRejection,
} from '#shared/sending/send-store';
import { getItem } from '#shared/table/reads';
import { sendKey } from '#shared/table/send-keys';
import {
  newNonce,
  newOrganizationId,
  organizationIdOf,
  slotIdIn,
} from '#shared/tokens/resource-id';
import { buildClaim, claimNow, claimSend } from '../../support/claim-builder.ts';
import { asClaimed, asWaiting } from '../../support/send-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const now = claimNow + 1_000;
const message = '0100018c2f6b6e5c-1f8b6a0e-000000';
const acceptance = { providerMessageId: message, at: now };
const person = (at: number) => ({ at, isMachine: false });

async function claimed(given: Parameters<typeof buildClaim>[0] = {}): Promise<Send> {
  const send = buildClaim({ organizationId: newOrganizationId(), ...given });
  await claimSend(table, send);
  return send;
}

async function reread({ id }: Send): Promise<Send> {
  const item = await getItem(table, sendKey(slotIdIn(id)));
  return toSend(item ?? {});
}

const indexKeysOf = async ({ id }: Send) =>
  Object.keys((await getItem(table, sendKey(slotIdIn(id)))) ?? {}).filter((name) =>
    name.startsWith('gsi4'),
  );

/** The outcomes in whose lists the send is, by then. */
async function listsOf(send: Send, at = send.leaseExpiresAt + 60_000): Promise<Outcome[]> {
  const all = ['suppressed', 'failed', 'canceled', 'opened', 'clicked'] as const;
  const lists = await Promise.all(
    all.map(async (outcome) => {
      const selection = { limit: 10, outcomes: [outcome] };
      const page = await readSends(table, organizationIdOf(send.id), selection, () => at);
      return page.found.map((): Outcome => outcome);
    }),
  );
  return lists.flat();
}

describe('a send is in the list of its outcome', () => {
  it('when its address is suppressed', async () => {
    expect(await listsOf(await claimed({ status: 'suppressed' }))).toEqual(['suppressed']);
  });

  it('when it was canceled', async () => {
    const send = await claimed({ status: 'queued', dueAt: now });

    await cancelWaiting(table, asWaiting(send), { claimId: newNonce(), now });

    expect(await listsOf(send)).toEqual(['canceled']);
  });

  it('when SES refused it, until a retry begins', async () => {
    const send = await claimed();

    await recordFailure(table, send, 'MessageRejected', now);
    const afterFailure = await listsOf(send);
    const failed = await reread(send);
    const retry = { ...send, attempt: 2, claimId: newNonce() };
    await putNextAttempt(table, asClaimed(retry), failed, []);

    expect(afterFailure).toEqual(['failed']);
    expect(await indexKeysOf(send)).toEqual([]);
  });

  it('when SES rejected its content', async () => {
    const send = await claimed();
    await commitAcceptance(table, send, acceptance, []);

    await recordRejection(table, await reread(send), acceptance, 'Bad content');

    expect(await listsOf(send)).toEqual(['failed']);
  });

  it('when SES gave no answer, once its lease is over', async () => {
    const send = await claimed();

    await listAsDoubtful(table, send);

    expect(await listsOf(send, now)).toEqual([]);
    expect(await listsOf(send)).toEqual(['failed']);
  });

  it('until SES’s event shows that it was sent', async () => {
    const send = await claimed();
    await listAsDoubtful(table, send);

    await commitAcceptance(table, send, acceptance, []);

    expect(await indexKeysOf(send)).toEqual([]);
    expect(await listsOf(send)).toEqual([]);
  });

  it('once a person opened it, at the first time', async () => {
    const send = await claimed();
    await commitAcceptance(table, send, acceptance, []);
    const sent = await reread(send);

    await countOpen(table, sent, { at: now, isMachine: true });
    const afterMachine = await listsOf(send);
    await countOpen(table, sent, person(now + 1));
    await countOpen(table, sent, person(now + 2));

    expect(afterMachine).toEqual([]);
    expect(await listsOf(send)).toEqual(['opened']);
  });

  it('once a person clicked, whichever came first', async () => {
    for (const isOpenFirst of [true, false]) {
      const send = await claimed();
      await commitAcceptance(table, send, acceptance, []);
      const sent = await reread(send);

      if (isOpenFirst) await countOpen(table, sent, person(now));
      await markFirst(table, sent, 'clicked', now + 1);
      await countOpen(table, sent, person(now + 2));

      expect(await listsOf(send)).toEqual(['clicked']);
    }
  });

  it('when an open proves it, and the commit comes later', async () => {
    const send = await claimed();
    await listAsDoubtful(table, send);

    await recordProof(table, send, now);
    await countOpen(table, send, person(now));
    const proven = await listsOf(send);
    // The commit read it before the open.
    await commitAcceptance(table, send, acceptance, []);

    expect(proven).toEqual(['opened']);
    expect(await listsOf(send)).toEqual(['opened']);
  });
});
