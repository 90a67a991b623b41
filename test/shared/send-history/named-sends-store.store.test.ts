import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import {
  findSendById,
  findSendByIdempotencyKey,
  findSendByMessage,
  findSendByMessageFrom,
} from '#shared/send-history/named-sends-store';
import { readOutcomeCauses } from '#shared/send-history/outcome-cause';
import { storeSendEvent } from '#shared/send-history/send-event-store';
import { factsOf, type Send } from '#shared/sending/send';
import { keyOf, toSendItem } from '#shared/sending/send-items';
import { commitAcceptance, freeKey, getKeyedSend } from '#shared/sending/send-store';
import { domainKey } from '#shared/table/keys';
import { maxExamined } from '#shared/table/list-search';
import {
  newNonce,
  newOrganizationId,
  type OrganizationId,
  organizationIdOf,
  sendIdOf,
  slotIdIn,
  slotIdOf,
} from '#shared/tokens/resource-id';
import { buildClaim, claimNow, claimSend } from '../../support/claim-builder.ts';
import { farExpiry } from '../../support/delivery-builder.ts';
import { doBefore, openDisturbedTable } from '../../support/disturbed-table.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { sesMessageId } from '../../support/ses-event-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const real = { isTest: false };
const endOf = ({ expiresAt }: Send) => (expiresAt + 1) * 1_000;
const newMessageId = () => `0100-${newNonce()}`;

const itemOf = async (send: Send) =>
  (await table.client.send(new GetCommand({ TableName: table.name, Key: keyOf(send) }))).Item;

/** A send that SES took as this message. */
async function sent(organizationId: OrganizationId, providerMessageId = newMessageId()) {
  const claim = buildClaim({ organizationId, idempotencyKey: 'key-1' });
  await claimSend(table, claim);
  const acceptance = { providerMessageId, at: claimNow };
  const { send } = await commitAcceptance(table, claim, acceptance, []);
  return { send, claim, providerMessageId };
}

describe('a send', () => {
  it('is found by each of its names, only in its organization, until it expires', async () => {
    const owner = newOrganizationId();
    const { send, providerMessageId } = await sent(owner);
    const byEach = (organizationId: OrganizationId, now: number) =>
      Promise.all([
        findSendById(table, organizationId, send.id, now),
        findSendById(table, organizationId, send.feedbackId, now),
        findSendByMessage(table, organizationId, providerMessageId, now),
        findSendByIdempotencyKey(table, organizationId, 'key-1', real, now),
      ]);

    expect(await byEach(owner, claimNow)).toEqual([send, send, send, send]);
    const none = [undefined, undefined, undefined, undefined];
    expect(await byEach(newOrganizationId(), claimNow)).toEqual(none);
    expect(await byEach(owner, endOf(send))).toEqual(none);
  });

  it("isn't found by another id in its slot or by something that isn't a message id", async () => {
    const owner = newOrganizationId();
    const { send } = await sent(owner);
    const other = sendIdOf(slotIdIn(send.id), newNonce());

    expect(await findSendById(table, owner, other, claimNow)).toBeUndefined();
    expect(await findSendByMessage(table, owner, newMessageId(), claimNow)).toBeUndefined();
    expect(
      await findSendByIdempotencyKey(table, owner, 'key-1', { isTest: true }, claimNow),
    ).toBeUndefined();
  });

  it('is found by a further message, too', async () => {
    const owner = newOrganizationId();
    const { send, claim } = await sent(owner);
    const providerMessageId = newMessageId();
    await commitAcceptance(table, claim, { providerMessageId, at: claimNow + 1 }, []);

    expect(await findSendByMessage(table, owner, providerMessageId, claimNow)).toMatchObject({
      id: send.id,
    });
  });

  it('is found without an index entry by a message id that contains its creation time', async () => {
    const owner = newOrganizationId();
    const { send } = await sent(owner, sesMessageId(claimNow + 120));
    const { send: late } = await sent(newOrganizationId(), sesMessageId(claimNow + 60_000));

    expect(await itemOf(send)).not.toHaveProperty('gsi1pk');
    expect(await itemOf(late)).toHaveProperty('gsi1pk');
    const domain = `${newNonce()}.example.com`;
    const owned = {
      ...domainKey(domain),
      domain,
      organizationId: owner,
      proof: 'record',
      claimedAt: claimNow,
    };
    await table.client.send(new PutCommand({ TableName: table.name, Item: owned }));
    const byDomain = (name: string | undefined, one: Send) =>
      findSendByMessageFrom(table, name, one.providerMessageId ?? '', claimNow);
    expect(await byDomain(domain, send)).toEqual(send);
    expect(await byDomain(undefined, late)).toEqual(late);
    expect(await byDomain(undefined, send)).toBeUndefined();
    expect(await byDomain('nobody.example.com', send)).toBeUndefined();
    for (const one of [send, late]) {
      const byMessage = (by: OrganizationId) =>
        findSendByMessage(table, by, one.providerMessageId ?? '', claimNow);
      expect(await byMessage(organizationIdOf(one.id))).toEqual(one);
      expect(await byMessage(newOrganizationId())).toBeUndefined();
    }
    expect(await findSendByMessage(table, owner, sesMessageId(claimNow), claimNow)).toBeUndefined();
  });

  it('is found among more sends of the same second than one search reads', async () => {
    const owner = newOrganizationId();
    const providerMessageId = sesMessageId(claimNow + 120);
    const crowd = openMemoryTable().table;
    for (let index = 0; index <= maxExamined; index += 1) {
      const Item = toSendItem({
        ...buildClaim({ organizationId: owner, idempotencyKey: `key-${index}` }),
        ...{ createdAt: claimNow + index, status: 'sent', sentAt: claimNow + index },
        ...{ dueAt: undefined, waitingKey: undefined, provenAt: undefined },
        providerMessageId: index === 0 ? providerMessageId : sesMessageId(claimNow + 120),
      });
      await crowd.client.send(new PutCommand({ TableName: crowd.name, Item }));
    }
    expect(await findSendByMessage(crowd, owner, providerMessageId, claimNow)).toMatchObject({
      providerMessageId,
    });
  });

  it("isn't found by its message once another send has claimed the slot", async () => {
    const owner = newOrganizationId();
    const { send, providerMessageId } = await sent(owner);
    const later = endOf(send);
    const successor = buildClaim({
      ...factsOf(send),
      ...{ id: sendIdOf(slotIdIn(send.id), newNonce()), claimId: newNonce() },
      ...{ claimedAt: later, expiresAt: farExpiry },
    });
    const disturbed = openDisturbedTable(
      doBefore('BatchGetItem', 0, () => claimSend(table, successor)),
    );

    const found = findSendByMessage(disturbed, owner, providerMessageId, later);

    expect(await found).toBeUndefined();
  });

  it('is found by its freed key until another send takes the key', async () => {
    const owner = newOrganizationId();
    const { send } = await sent(owner);
    const keyed = await getKeyedSend(table, slotIdOf(owner, 'key-1'), claimNow);
    if (keyed === undefined) throw new Error('no send');
    await freeKey(table, keyed, undefined);
    const named = async () =>
      (await findSendByIdempotencyKey(table, owner, 'key-1', real, claimNow))?.id;

    expect(await named()).toBe(send.id);
    const next = buildClaim({ organizationId: owner, idempotencyKey: 'key-1' });
    const outcome = await claimSend(table, next);
    expect(outcome).toMatchObject({ kind: 'claimed' });
    expect(await named()).toBe(outcome.kind === 'claimed' && outcome.send.id);
  });
});

describe("an outcome's cause", () => {
  const ts = claimNow + 1_000;
  const diagnostic = 'smtp; 550 5.1.1 user unknown';
  const recipients = [{ email: 'ann@example.com' }, { email: 'ben@example.com', diagnostic }];

  it.each([
    ['bounced', 'Permanent/General'],
    ['bounced', 'Transient/MailboxFull'],
    ['complained', 'abuse'],
    ['delayed', 'MailboxFull'],
  ] as const)('is the one reported first: %s, %s', async (type, reason) => {
    const owner = newOrganizationId();
    const { send, providerMessageId } = await sent(owner);
    await storeSendEvent(table, send, { type, ts, reason, recipients, providerMessageId });
    const existing = await findSendById(table, owner, send.id, claimNow);

    const causeOf = await readOutcomeCauses(table, existing ? [existing] : [], claimNow);
    const forgotten = await readOutcomeCauses(table, existing ? [existing] : [], endOf(send));

    const email = 'ben@example.com';
    expect(causeOf(send.id)).toEqual({ reason, email, diagnostic, isPossible: true });
    expect(forgotten(send.id)).toBeUndefined();
  });

  it("isn't looked up where the outcome needs none", async () => {
    const { send } = await sent(newOrganizationId());
    const causeOf = await readOutcomeCauses({ ...table, name: 'no such table' }, [send], claimNow);

    expect(causeOf(send.id)).toBeUndefined();
  });
});
