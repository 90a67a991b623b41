import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { putApiKey } from '#shared/access/api-key-store';
import { newRequestContext } from '#shared/access/request-context';
import { longestAttemptMs } from '#shared/config/send-attempt-time';
import { erasedAddress } from '#shared/contacts/erased-address';
import type { EmailProvider, OutgoingEmail, ProviderOutcome } from '#shared/email/email-provider';
import { createRefusals } from '#shared/email/refusals';
import type { Organization } from '#shared/organizations/organization';
import { putOrganization } from '#shared/organizations/organization-store';
import { getTimeline } from '#shared/send-history/timeline-store';
import { sendWaiting, type WaitingSending } from '#shared/sending/later/send-waiting';
import { dueSends, getSendInSlot } from '#shared/sending/later/waiting-store';
import { parseSendRequest, type SendRequest } from '#shared/sending/request/send-request';
import type { Send } from '#shared/sending/send';
import { keyOf } from '#shared/sending/send-items';
import { sendOnce } from '#shared/sending/send-once';
import { commitAcceptance } from '#shared/sending/send-store';
import { suppressAddress } from '#shared/suppressions/suppression-store';
import { findDueOwners } from '#shared/table/due-index';
import { organizationKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { createTemplate } from '#shared/templates/template-store';
import { dayOf } from '#shared/timing/day';
import { createSemaphore } from '#shared/timing/semaphore';
import {
  newOrganizationId,
  newTemplateId,
  newWebhookId,
  slotIdIn,
} from '#shared/tokens/resource-id';
import { buildApiKey } from '../../../support/api-key-builder.ts';
import { anyEntry } from '../../../support/audit-entry-builder.ts';
import { otherDigestKey, useDigestKey } from '../../../support/digest-key.ts';
import { memoryContents } from '../../../support/memory-contents.ts';
import { openMemoryTable } from '../../../support/memory-table/memory-table.ts';
import { buildOrganization } from '../../../support/organization-builder.ts';
import { recordLog } from '../../../support/recorded-log.ts';
import { buildSendBody } from '../../../support/send-body-builder.ts';
import { leaseMs } from '../../../support/send-builder.ts';
import { sendingOn, startOfWorld } from '../../../support/send-world.ts';
import { buildTemplate } from '../../../support/template-builder.ts';

/** What happens to one of the process's calls, counted from 0. */
type Fault = {
  readonly call: number;
  readonly kind: 'dies before' | 'dies after' | 'request lost' | 'answer lost';
};

type Wake = { readonly slotId: string; readonly delayMs: number };

const messageId = 'message-1';
const accepted: ProviderOutcome = { kind: 'accepted', providerMessageId: messageId };

/** A send that waits and is due, with everything its worker uses. Each of its calls may go wrong. */
async function waitWith({
  plan = { mode: 'queued' },
  words = {},
  cc = [],
  isTest = false,
  hasTurn = true,
  provider = accepted,
  memory = createSemaphore(1),
  onCall = () => {},
  onAnswer = () => {},
}: {
  readonly plan?: Pick<SendRequest, 'mode' | 'sendAt'>;
  /** The stored body, if it isn't the one that was read from it. */
  readonly words?: object;
  readonly cc?: readonly string[];
  readonly isTest?: boolean;
  readonly hasTurn?: boolean;
  readonly provider?: ProviderOutcome;
  readonly memory?: WaitingSending['memory'];
  readonly onCall?: (name: string) => void;
  readonly onAnswer?: (name: string) => void;
} = {}) {
  let fault: Fault | undefined;
  let calls = 0;
  let isDead = false;
  let now = startOfWorld;
  const made: string[] = [];
  const step = async <Answer>(name: string, apply: () => Promise<Answer>): Promise<Answer> => {
    if (isDead) return new Promise(() => {});
    const kind = fault?.call === calls ? fault.kind : undefined;
    calls += 1;
    made.push(name);
    onCall(name);
    if (kind === 'dies before') throw die();
    if (kind === 'request lost') throw new Error('lost');
    const answer = await apply();
    onAnswer(name);
    if (kind === 'dies after') throw die();
    if (kind === 'answer lost') throw new Error('lost');
    return answer;
  };
  let onDeath: (error: Error) => void = () => {};
  const die = () => {
    isDead = true;
    const error = new Error('died');
    onDeath(error);
    return error;
  };

  const database = openMemoryTable({
    intercept: (call, run) => step(call.operation, run),
  });
  const organization = buildOrganization();
  const webhookId = newWebhookId(organization.id);
  Object.assign(organization, { webhooks: { [webhookId]: { eventTypes: [] } } });
  await putOrganization(database.table, organization);
  const contents = memoryContents();
  const { log, lines } = recordLog();
  const woken: Wake[] = [];
  const handedOver: string[] = [];
  const emails: OutgoingEmail[] = [];
  const providing =
    (name: string, outcome: ProviderOutcome): EmailProvider =>
    (email, { beginsBefore }) =>
      step(name, async () => {
        if (now >= beginsBefore) return { kind: 'unreachable', cause: new Error('too late') };
        if (outcome.kind === 'accepted') handedOver.push(name);
        emails.push(email);
        return outcome;
      });
  let meanwhile = async (): Promise<unknown> => undefined;
  const sending: WaitingSending & Parameters<typeof sendOnce>[1] = {
    ...sendingOn(database.table),
    now: () => now,
    contents: {
      ...contents,
      get: (...place) => step('contents.get', () => contents.get(...place)),
      remove: (place) => step('contents.remove', () => contents.remove(place)),
    },
    wakeSenders: (sends) =>
      step('wakeSenders', async () => void woken.push(...sends)).catch((error: unknown) => {
        if (isDead) throw error;
      }),
    wakeWebhooks: async () => {
      const happens = meanwhile;
      meanwhile = async () => undefined;
      await happens();
    },
    takeTurn: async () => {
      made.push('takeTurn');
      return hasTurn;
    },
    memory,
    until: startOfWorld + 400 * 86_400_000,
    email: {
      send: providing('SES', provider),
      sendTest: providing('simulator', provider),
      refusals: createRefusals(),
    },
  };

  const { text: credential, apiKey } = buildApiKey({
    ...{ organizationId: organization.id, lastUsedAt: now },
    ...(isTest && { test: true as const }),
  });
  await putApiKey(database.table, apiKey);
  const body = buildSendBody({ idempotencyKey: 'key-1', cc, ...plan });
  const ask = () =>
    sendOnce(
      {
        ...{ endpoint: 'send', credential, context: newRequestContext(log) },
        request: parseSendRequest(body, undefined),
        body: { ...body, ...words },
      },
      sending,
    );
  const { response } = await ask();
  const slotId = slotIdIn(response.sendId);
  woken.length = 0;
  made.length = 0;

  /** One invocation of a worker. It ends with the process. */
  const work = async (planned?: Fault, isRepeated?: true) => {
    fault = planned;
    calls = 0;
    isDead = false;
    const death = new Promise<never>((_, reject) => {
      onDeath = reject;
    });
    death.catch(() => {});
    try {
      return await Promise.race([sendWaiting({ slotId, isRepeated }, sending, log), death]);
    } catch (error) {
      return error instanceof Error ? error.message : 'error';
    } finally {
      fault = undefined;
    }
  };
  const read = async (): Promise<Send> => {
    isDead = false;
    const send = await getSendInSlot(database.table, slotId, now);
    if (send === undefined) throw new Error('gone');
    return send;
  };
  return {
    work,
    read,
    ask,
    /** What happens while a worker wakes the webhook queue. */
    whileWaking: (happens: () => Promise<unknown>) => {
      meanwhile = happens;
    },
    ...{ table: database.table, organization, emails },
    ...{ made, woken, handedOver, lines, contents, slotId },
    pass: (ms: number) => {
      now += ms;
    },
    /** The Send event: SES took the email. */
    settle: async () => {
      await commitAcceptance(
        database.table,
        await read(),
        { providerMessageId: messageId, at: now },
        [],
      );
    },
  };
}

const recipientsOf = ({ to, cc, bcc }: OutgoingEmail) =>
  [...to, ...cc, ...bcc].map(({ address }) => address);

/** The send as an erasure leaves it. */
const nameOnly = (
  { id }: Send,
  names: Readonly<Record<string, unknown>>,
  { client, name }: Table,
) =>
  client.send(
    new UpdateCommand({
      TableName: name,
      Key: keyOf({ id }),
      UpdateExpression: `SET ${Object.keys(names).map((one) => `${one} = :${one}`)}`,
      ExpressionAttributeValues: Object.fromEntries(
        Object.entries(names).map(([one, value]) => [`:${one}`, value]),
      ),
    }),
  );

/** The number of calls that a successful attempt makes. */
async function callsOfSuccess(): Promise<number> {
  const { work, made } = await waitWith();
  expect(await work()).toBe('sent');
  return made.filter((name) => name !== 'takeTurn').length;
}

async function replaceOrganization(organization: Organization, table: Table) {
  const Key = organizationKey(organization.id);
  await table.client.send(new DeleteCommand({ TableName: table.name, Key }));
  await putOrganization(table, organization);
}

/** Her address is suppressed since. */
const bounceAnn = ({ id }: Organization, table: Table) =>
  suppressAddress(table, id, { identity: 'ann@example.com', reason: 'bounce' }, startOfWorld);

describe('a worker', () => {
  it('sends an email whose sendAt was accepted under older rules', async () => {
    const plan = { sendAt: startOfWorld };
    const { work } = await waitWith({ plan, words: { sendAt: '2026-02-30T09:00:00Z' } });

    expect(await work()).toBe('sent');
  });

  it('keeps an email that a newer version accepted until that version is back', async () => {
    const { work, read, contents, pass } = await waitWith({ words: { importance: 'high' } });

    expect(await work()).toBe('postponed');
    pass(86_400_000);
    expect(await work()).toBe('postponed');

    expect(await read()).toMatchObject({
      status: 'queued',
      attempts: [{ reason: 'RequestUnreadable' }, { reason: 'RequestUnreadable' }],
    });
    for (const [place, stored] of contents.objects) {
      contents.objects.set(place, { ...stored, content: buildSendBody() });
    }
    pass(300_000);
    expect(await work()).toBe('sent');
  });

  it('sends an email with headers accepted under older rules, without those that servers set', async () => {
    const headers = { 'Resent-From': 'ann@example.com', 'X-Order': '42' };
    const { work, emails } = await waitWith({ words: { headers } });

    expect(await work()).toBe('sent');

    const names = emails.flatMap((email) => email.headers.map(({ name }) => name));
    expect(names).toContain('X-Order');
    expect(names).not.toContain('Resent-From');
  });

  describe('with an email by template', () => {
    /** For an organization that may send from the template's address only, at a limited rate. */
    async function waitForTemplate(template: string) {
      const waiting = await waitWith();
      const { contents, made, organization, table } = waiting;
      const { identity, ...others } = organization;
      await replaceOrganization(
        { ...others, domains: identity && [identity], limits: { sendsPerSecond: 1 } },
        table,
      );
      made.length = 0;
      for (const [place, stored] of contents.objects) {
        contents.objects.set(place, { ...stored, content: { to: 'ann@example.com', template } });
      }
      return waiting;
    }

    it('waits when the template was deleted until its alias leads to one again, and uses up no limit', async () => {
      const { work, read, table, organization, made, pass } = await waitForTemplate('receipt');
      const id = newTemplateId(organization.id);

      expect(await work()).toBe('held_up');
      pass(86_400_000);
      expect(await read()).toMatchObject({
        status: 'queued',
        attempts: [{ reason: 'TemplateUnusable' }],
      });
      expect(made).not.toContain('UpdateItem');
      const template = { id, alias: 'receipt', from: 'Shop <hello@mail.example.com>' };
      await createTemplate(table, buildTemplate(template), anyEntry());

      expect(await work()).toBe('sent');
    });

    it('fails when the template was deleted and named by its id, which is never reused', async () => {
      const { work, read, contents } = await waitForTemplate(newTemplateId(newOrganizationId()));

      expect(await work()).toBe('refused');

      expect(await read()).toMatchObject({
        status: 'failed',
        attempts: [{ reason: 'TemplateGone' }],
      });
      expect(contents.objects.size).toBe(0);
    });
  });

  it('sends what is due, then deletes its content', async () => {
    const { work, read, made, handedOver, contents, woken } = await waitWith();

    expect(await work()).toBe('sent');

    expect(handedOver).toEqual(['SES']);
    expect(made.at(-1)).toBe('contents.remove');
    expect(contents.objects.size).toBe(0);
    expect(woken).toEqual([]);
    expect(await read()).toMatchObject({ status: 'sent', attempt: 1 });
  });

  it('takes a send that expired in doubt out of the index of due ones', async () => {
    const unknown = { kind: 'unknown', cause: new Error('no answer') } as const;
    const { work, read, table, pass, slotId } = await waitWith({ provider: unknown });
    await work();
    pass(leaseMs);
    const send = await read();
    await nameOnly(send, { expiresAt: Math.floor(startOfWorld / 1_000) }, table);
    const findDue = async () => {
      const shards = Array.from({ length: dueSends.shards }, (_, shard) => shard);
      const pages = shards.map((shard) =>
        findDueOwners(table, dueSends, shard, send.dueAt ?? 0, undefined),
      );
      return (await Promise.all(pages)).flatMap(({ firstPages }) => firstPages);
    };
    expect(await findDue()).toMatchObject([{ page: { entries: [{ id: slotId }] } }]);

    expect(await work()).toBe('over');

    expect(await findDue()).toEqual([]);
  });

  const kinds = ['dies before', 'dies after', 'request lost', 'answer lost'] as const;
  it.each(kinds)(
    'that %s any one of its calls sends one email, and leaves no content',
    async (kind) => {
      const count = await callsOfSuccess();
      for (let call = 0; call < count; call += 1) {
        const { work, read, handedOver, contents, made, settle, pass } = await waitWith();

        await work({ call, kind });
        // The event for what SES took comes within the lease, and what is due or requested is looked at after it.
        if (handedOver.length > 0) await settle();
        for (let look = 0; look < 3; look += 1) {
          pass(leaseMs + 1_000);
          await work();
        }

        const detail = `${kind} call ${call}: ${made.join(', ')}`;
        expect(handedOver, detail).toEqual(['SES']);
        expect(await read(), detail).toMatchObject({ status: 'sent' });
        expect(contents.objects.size, detail).toBe(0);
      }
    },
  );

  const refused = { kind: 'refused', reason: 'MessageRejected' } as const;

  it("deletes its failed attempt's content even if a retry has queued the send again in between", async () => {
    const { work, read, ask, whileWaking, contents } = await waitWith({ provider: refused });
    const [first] = contents.objects.keys();
    whileWaking(ask);

    await work();

    expect([...contents.objects.keys()]).toHaveLength(1);
    expect([...contents.objects.keys()]).not.toContain(first);
    expect(await read()).toMatchObject({ status: 'queued' });
  });

  it("that dies before deleting its failed attempt's content leaves that to the retry", async () => {
    const usual = await waitWith({ provider: refused });
    await usual.work();
    const call = usual.made.filter((name) => name !== 'takeTurn').lastIndexOf('contents.remove');
    const { work, read, ask, contents } = await waitWith({ provider: refused });
    const [first] = contents.objects.keys();
    await work({ call, kind: 'dies before' });
    expect(await read()).toMatchObject({ status: 'failed' });
    expect([...contents.objects.keys()]).toEqual([first]);

    await ask();

    expect([...contents.objects.keys()]).toHaveLength(1);
    expect([...contents.objects.keys()]).not.toContain(first);
  });

  it.each<[string, ProviderOutcome | undefined]>([
    ['sent', accepted],
    ['refused', refused],
  ])("that is done with a %s one leaves the send without its content's key", async (...row) => {
    const [outcome, provider = accepted] = row;
    const { work, read, contents } = await waitWith({ provider });
    const [stored] = contents.objects.values();
    expect(stored?.sealKey).toBe((await read()).waitingKey);

    expect(await work()).toBe(outcome);

    expect(stored?.sealKey).toMatch(/^[\w-]{43}$/);
    expect((await read()).waitingKey).toBeUndefined();
  });

  it("asks for another look when it can't delete the content, until it can", async () => {
    const { work, made, contents, woken, slotId, lines } = await waitWith();
    const last = (await callsOfSuccess()) - 1;

    expect(await work({ call: last, kind: 'request lost' })).toBe('sent');
    expect(made.at(-2)).toBe('contents.remove');
    expect(woken).toEqual([{ slotId, delayMs: 60_000 }]);
    expect(lines.map(({ message }) => message)).toContain('content not deleted');

    // SQS redelivers the message.
    expect(await work({ call: 1, kind: 'request lost' })).toBe('lost');
    expect(contents.objects.size).toBe(1);
    expect(await work()).toBe('over');
    expect(contents.objects.size).toBe(0);
  });

  it('returns at the end of the lease when its attempt is in doubt, as an event may have settled it', async () => {
    const unknown = { kind: 'unknown', cause: new Error('no answer') } as const;
    const { work, read, contents, woken, slotId, settle, pass } = await waitWith({
      provider: unknown,
    });

    expect(await work()).toBe('in_doubt');
    expect(woken).toEqual([{ slotId, delayMs: leaseMs + 1_000 }]);
    await settle();
    expect(contents.objects.size).toBe(1);
    pass(leaseMs + 1_000);

    expect(await work()).toBe('over');
    expect(contents.objects.size).toBe(0);
    expect(await read()).toMatchObject({ status: 'sent' });
  });

  it.each<[string, ProviderOutcome, Partial<Send>, number]>([
    ['refused', { kind: 'refused', reason: 'MessageRejected' }, { status: 'failed' }, 0],
    ['failed', { kind: 'refused', reason: 'AccessDeniedException' }, { status: 'failed' }, 0],
    ['postponed', { kind: 'throttled' }, { status: 'queued' }, 1],
    ['postponed', { kind: 'unreachable', cause: new Error() }, { status: 'queued' }, 1],
  ])('reports %s when SES answers %o, and keeps what is still to be sent', async (...row) => {
    const [outcome, provider, expected, kept] = row;
    const { work, read, contents } = await waitWith({ provider });

    expect(await work()).toBe(outcome);

    const send = await read();
    expect(send).toMatchObject(expected);
    expect(send.dueAt === undefined).toBe(kept === 0);
    expect(contents.objects.size).toBe(kept);
  });

  it.each<[string, Partial<Organization>, string, string, readonly string[]]>([
    ['tenant_paused', { paused: true }, 'refused', 'failed', ['email.failed']],
    ['no_active_identity', { identity: undefined }, 'refused', 'failed', ['email.failed']],
    [
      'daily_recipients_exhausted',
      {
        limits: { recipientsPerDay: 1 },
        dayUse: { day: dayOf(startOfWorld), recipients: 1, stored: 1 },
      },
      'held_up',
      'queued',
      [],
    ],
  ])('checks the organization as of now, and hands nothing over: %s', async (...row) => {
    const [reason, change, outcome, status, reported] = row;
    const { work, read, handedOver, contents, table, organization } = await waitWith();
    await replaceOrganization({ ...organization, ...change }, table);

    expect(await work()).toBe(outcome);

    const send = await read();
    expect(send).toMatchObject({ status, attempt: 1, attempts: [{ attempt: 1, reason }] });
    expect(handedOver).toEqual([]);
    expect(contents.objects.size).toBe(status === 'queued' ? 1 : 0);
    const timeline = await getTimeline(table, send.id, startOfWorld);
    expect(timeline?.deliveries.map(({ type }) => type)).toEqual(reported);
  });

  it('hands nothing over to an address suppressed since the request, and reports it', async () => {
    const { work, read, handedOver, contents, table, organization } = await waitWith();
    await bounceAnn(organization, table);

    expect(await work()).toBe('suppressed');

    const send = await read();
    expect(send).toMatchObject({ status: 'suppressed', attempt: 1 });
    expect(handedOver).toEqual([]);
    expect(contents.objects.size).toBe(0);
    const timeline = await getTimeline(table, send.id, startOfWorld);
    expect(timeline?.deliveries.map(({ type }) => type)).toEqual(['email.suppressed']);
  });

  it('is as patient with an email that it reaches hours late', async () => {
    const { work, read, pass } = await waitWith({ provider: { kind: 'throttled' } });
    pass(5 * 3_600_000);

    expect(await work()).toBe('postponed');

    expect((await read()).giveUpAt).toBe(startOfWorld + 6 * 3_600_000);
  });

  it('reports throttling until its patience has ended', async () => {
    const { work, read, table, pass } = await waitWith({ provider: { kind: 'throttled' } });
    expect(await work()).toBe('postponed');
    pass(3_600_000);

    expect(await work()).toBe('failed');

    const timeline = await getTimeline(table, (await read()).id, startOfWorld);
    expect(timeline?.deliveries.map(({ type }) => type)).toEqual(['email.failed']);
  });

  it('hands nothing over to an address suppressed since an attempt in doubt, and leaves it in doubt', async () => {
    const unknown = { kind: 'unknown', cause: new Error('no answer') } as const;
    const { work, read, made, table, organization, pass } = await waitWith({ provider: unknown });
    await work();
    await bounceAnn(organization, table);
    pass(leaseMs);

    expect(await work()).toBe('in_doubt');

    expect(made.filter((name) => name === 'SES')).toHaveLength(1);
    expect(await read()).toMatchObject({ status: 'sending', attempt: 2 });
  });

  it('leaves out recipients whom the send no longer names, even if its content does', async () => {
    const cc = ['cy@example.com', 'di@example.com'];
    const { work, read, table, emails } = await waitWith({ cc });
    await nameOnly(await read(), { cc: ['di@example.com', erasedAddress] }, table);

    expect(await work()).toBe('sent');

    expect(emails.map(recipientsOf)).toEqual([['ann@example.com', 'di@example.com']]);
  });

  it('sends to the others even if an address was removed from the request that the key names', async () => {
    const cc = ['cy@example.com', 'di@example.com'];
    const words = { idempotencyKey: 'report-for-cy@example.com' };
    const { work, read, table, emails } = await waitWith({ cc, words });
    const names = { cc: [erasedAddress, 'di@example.com'], idempotencyKey: 'report-for-erased' };
    await nameOnly(await read(), names, table);

    expect(await work()).toBe('sent');

    expect(emails.map(recipientsOf)).toEqual([['ann@example.com', 'di@example.com']]);
    expect(await read()).toMatchObject({ idempotencyKey: 'report-for-erased' });
  });

  it('hands nothing over if the recipient was erased', async () => {
    const { work, read, table, made, contents } = await waitWith();
    await nameOnly(await read(), { toEmail: erasedAddress }, table);

    expect(await work()).toBe('refused');

    expect((await read()).attempts).toMatchObject([{ reason: 'RecipientErased' }]);
    expect(made).not.toContain('SES');
    expect(made).not.toContain('contents.get');
    expect(contents.objects.size).toBe(0);
  });

  it('waits for its turn at SES’s rate before it checks and claims', async () => {
    const { work, made } = await waitWith();

    await work();

    expect(made.indexOf('takeTurn')).toBe(1);
    expect(made.indexOf('PutItem')).toBeGreaterThan(1);
  });

  it('leaves a due send unchanged if its turn would come too late', async () => {
    const { work, read, made, contents } = await waitWith({ hasTurn: false });
    const before = await read();
    made.length = 0;

    expect(await work()).toBe('no_turn');

    expect(made).toEqual(['GetItem', 'takeTurn']);
    expect(await read()).toEqual(before);
    expect(contents.objects.size).toBe(1);
  });

  type Attached = { readonly attachmentCount: number; readonly attachmentBytes: number };

  /** Works on an email of each size at once, and returns the peak number in memory. */
  async function busiestWith(attached: readonly Attached[]): Promise<number> {
    const memory = createSemaphore(20_000_000);
    let loaded = 0;
    let busiest = 0;
    const onCall = (name: string) => {
      if (name === 'contents.get') loaded += 1;
      if (name === 'SES') loaded -= 1;
      busiest = Math.max(busiest, loaded);
    };
    const workers = await Promise.all(
      attached.map(async (names) => {
        const worker = await waitWith({ memory, onCall });
        if (names.attachmentCount > 0) await nameOnly(await worker.read(), names, worker.table);
        return worker;
      }),
    );
    const outcomes = await Promise.all(workers.map(({ work }) => work()));
    expect(outcomes).toEqual(attached.map(() => 'sent'));
    return busiest;
  }

  it.each([
    ['two of five large emails', 10_000_000, 2],
    ['one of five that are larger than the memory', 25_000_000, 1],
    ['all of five small ones', 50_000, 5],
  ])('holds at once %s', async (_, attachmentBytes, most) => {
    const attached = Array.from({ length: 5 }, () => ({ attachmentCount: 1, attachmentBytes }));

    expect(await busiestWith(attached)).toBe(most);
  });

  it('lets an email without attachments overtake those that wait for memory', async () => {
    const large = { attachmentCount: 1, attachmentBytes: 15_000_000 };

    expect(await busiestWith([large, large, { attachmentCount: 0, attachmentBytes: 0 }])).toBe(2);
  });

  it.each([false, true])(
    'leaves a due send unchanged while others use the memory, and claims none after its time (test email: %s)',
    async (isTest) => {
      const memory = createSemaphore(1);
      const { promise: others, resolve: leave } = Promise.withResolvers<void>();
      void memory.run(1, () => others);
      const { work, read, made, table, pass } = await waitWith({ memory, isTest, hasTurn: false });
      await nameOnly(await read(), { attachmentCount: 1, attachmentBytes: 100_000 }, table);
      const before = await read();
      made.length = 0;

      const outcome = work();
      await new Promise(setImmediate);
      expect(made).toEqual(['GetItem']);
      pass(500 * 86_400_000);
      leave();

      expect(await outcome).toBe('no_turn');
      expect(made).not.toContain('contents.get');
      pass(-500 * 86_400_000);
      expect(await read()).toEqual(before);
    },
  );

  it('leaves a due send unchanged while its content can’t be read, for as long as it takes', async () => {
    const { work, read, pass, made } = await waitWith();
    const before = await read();
    pass(7 * 86_400_000);

    await work({ call: 1, kind: 'request lost' });

    expect(made.at(-1)).toBe('contents.get');
    expect(await read()).toEqual(before);
    expect(await work()).toBe('sent');
  });

  it.each([otherDigestKey, undefined])(
    'leaves a due send unchanged until its organization’s digest key is back: %s',
    async (wrongKey) => {
      const key = 'a'.repeat(64);
      useDigestKey(key);
      const { work, read } = await waitWith();
      const before = await read();

      useDigestKey(wrongKey);
      expect(await work()).toMatch(/^Nothing was done: the organization/);

      expect(await read()).toEqual(before);
      useDigestKey(key);
      expect(await work()).toBe('sent');
    },
  );

  it('deletes the content of a send that expired while due, then removes it from the index', async () => {
    const { work, handedOver, contents, made, pass } = await waitWith();
    pass(365 * 86_400_000);

    expect(await work()).toBe('over');

    expect(handedOver).toEqual([]);
    expect(contents.objects.size).toBe(0);
    expect(made.slice(-2)).toEqual(['contents.remove', 'UpdateItem']);
    expect(await work()).toBe('over');
    expect(made.at(-1)).toBe('contents.remove');
  });

  it('deletes the content of a send that was settled, and expired before its dead worker’s message came back', async () => {
    const usual = await waitWith();
    await usual.work();
    const { work, contents, made, pass } = await waitWith();
    const call = usual.made.filter((name) => name !== 'takeTurn').lastIndexOf('contents.remove');
    await work({ call, kind: 'dies before' });
    expect(contents.objects.size).toBe(1);
    pass(365 * 86_400_000);

    expect(await work()).toBe('over');

    expect(contents.objects.size).toBe(0);
    expect(made.at(-1)).toBe('contents.remove');
  });

  it('sends nothing on an outdated verdict after being frozen, as an address may have been suppressed since', async () => {
    let freeze = () => {};
    const { work, read, handedOver, pass } = await waitWith({
      onAnswer: (name) => {
        if (name === 'BatchGetItem') freeze();
      },
    });
    freeze = () => pass(longestAttemptMs);

    expect(await work()).toBe('postponed');

    expect(handedOver).toEqual([]);
    expect(await read()).toMatchObject({ attempts: [{ reason: 'Unreachable' }] });
  });

  it('looks again once at the due time if it comes too early, as another copy’s worker may die', async () => {
    const plan = { sendAt: startOfWorld + 60_000 };
    const { work, woken, slotId } = await waitWith({ plan });

    expect(await work()).toBe('too_early');
    expect(woken).toEqual([{ slotId, delayMs: 60_000, isRepeated: true }]);

    expect(await work(undefined, true)).toBe('too_early');
    expect(woken).toHaveLength(1);
  });

  it('does nothing before the due time or after expiry', async () => {
    const { work, handedOver, pass } = await waitWith({
      plan: { sendAt: startOfWorld + 60_000 },
    });

    expect(await work()).toBe('too_early');
    pass(60_000);
    expect(await work()).toBe('sent');
    expect(await work()).toBe('over');
    expect(handedOver).toEqual(['SES']);
  });

  it('lets only one of two concurrent workers hand the email over', async () => {
    const { work, handedOver, woken, slotId } = await waitWith();

    const outcomes = await Promise.all([work(), work()]);

    expect(outcomes.toSorted()).toEqual(['lost', 'sent']);
    expect(handedOver).toEqual(['SES']);
    // The winner may have been an event, which deletes no content.
    expect(woken).toEqual([{ slotId, delayMs: leaseMs + 1_000 }]);
  });

  it('returns later when it finds another’s attempt under way, in case that one died', async () => {
    const { work, contents, woken, slotId, settle, pass } = await waitWith();
    await work({ call: 4, kind: 'dies after' });

    expect(await work()).toBe('under_way');
    expect(woken).toEqual([{ slotId, delayMs: leaseMs + 1_000 }]);
    await settle();
    pass(leaseMs + 1_000);
    expect(await work()).toBe('over');
    expect(contents.objects.size).toBe(0);
  });

  it('asks for a later look when it postpones, as a copy of its message may continue and die', async () => {
    const { work, woken, slotId } = await waitWith({ provider: { kind: 'throttled' } });

    expect(await work()).toBe('postponed');

    expect(woken).toEqual([{ slotId, delayMs: 900_000 }]);
  });

  it('sends a test email to nobody, and takes no turn at SES for it', async () => {
    const { work, read, handedOver, made } = await waitWith({ isTest: true });

    expect(await work()).toBe('simulated');

    expect(handedOver).toEqual(['simulator']);
    expect(made).not.toContain('takeTurn');
    const send = await read();
    expect(send).toMatchObject({ status: 'sent', test: true });
    expect(send.hasNewRecipients).toBeUndefined();
  });
});
