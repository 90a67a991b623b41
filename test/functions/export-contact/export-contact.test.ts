import { describe, expect, it } from 'vitest';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { appendAuditEntry } from '#shared/audit/audit-store';
import { ensureContact, eraseContact } from '#shared/contacts/contact-store';
import { storeSendEvent } from '#shared/send-history/send-event-store';
import { suppressAddress } from '#shared/suppressions/suppression-store';
import { deliveryIdOf } from '#shared/tokens/delivery-id';
import { contactIdOf, newWebhookId, newWebhookMessageId } from '#shared/tokens/resource-id';
import { createDeliveries } from '#shared/webhook-deliveries/delivery-store';
import { endpoint } from '../../../functions/export-contact/export-contact.ts';
import { toExportedEmail } from '../../../functions/export-contact/exported-record.ts';
import { buildDelivery } from '../../shared/webhooks/webhook-builder.ts';
import { openAccount } from '../../support/account.ts';
import { storeSend } from '../../support/claim-builder.ts';
import { buildSend, newSendId } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

const ann = 'ann@example.com';
const other = 'zoe@example.com';

async function openExport() {
  const account = { ...(await openAccount()), ...surroundings };
  const { organizationId } = account;
  const contactId = contactIdOf(organizationId, ann);
  const page = (cursor?: string, email = ann) =>
    endpoint.run(
      {
        ...account,
        path: endpoint.path.parse({ email }),
        query: endpoint.query.parse(cursor === undefined ? {} : { cursor }),
      },
      account,
    );
  /** All pages. */
  async function read(email = ann) {
    const records: Awaited<ReturnType<typeof page>>['data'] = [];
    let pages = 0;
    for (let cursor: string | undefined, more = true; more; pages += 1) {
      const { data, nextCursor } = await page(cursor, email);
      records.push(...data);
      more = nextCursor !== null;
      cursor = nextCursor ?? undefined;
      expect(pages).toBeLessThan(20);
    }
    return { records, pages };
  }
  return { ...account, contactId, page, read };
}

type World = Awaited<ReturnType<typeof openExport>>;

const emailTo = async ({ table, organizationId, clock }: World, given: object = {}) => {
  const send = buildSend({
    id: newSendId(organizationId),
    status: 'sent',
    providerMessageId: 'm-1',
    toEmail: ann,
    claimedAt: clock.at,
    ...given,
  });
  await storeSend(table, send);
  return send;
};

describe('the export of a person', () => {
  it('has the contact, its suppressions, its emails with events, and what was changed', async () => {
    const world = await openExport();
    const { table, organizationId, contactId, read, now, caller, clock } = world;
    await ensureContact(table, organizationId, ann, now());
    const details = { diagnostic: '550 5.1.1 no' };
    const suppressed = { identity: ann, reason: 'bounce', details } as const;
    await suppressAddress(table, organizationId, suppressed, now());
    const send = await emailTo(world, { firstBounceAt: 5, tags: { kind: 'reset' } });
    const recipients = [{ email: ann, diagnostic: '550 5.1.1 no' }];
    await storeSendEvent(table, send, {
      ...{ type: 'bounced', ts: 5, providerMessageId: 'm-1' },
      ...{ reason: 'Permanent/General', recipients },
    });
    const lifted = { action: 'suppression.lifted', target: contactId };
    await appendAuditEntry(table, newAuditEntry(organizationId, caller.actor, lifted, now()));
    const elsewhere = { action: 'policy.created', target: 'bulk' };
    await appendAuditEntry(table, newAuditEntry(organizationId, caller.actor, elsewhere, now()));
    clock.at += 1_000;

    const { records } = await read();

    expect(records).toMatchObject(
      [
        { kind: 'contact', contact: { email: ann } },
        { kind: 'suppression', suppression: { reason: 'bounce' } },
        {
          kind: 'email',
          email: {
            ...{ sendId: send.id, field: 'to', outcome: 'bounced', tags: { kind: 'reset' } },
            verdict: { code: 'no_such_mailbox' },
            events: expect.arrayContaining([expect.objectContaining({ type: 'bounced' })]),
          },
        },
        // Newest first.
        { kind: 'change', change: { action: 'contact.exported' } },
        { kind: 'change', change: { action: 'suppression.lifted' } },
      ].toSorted((one, two) => order(one.kind) - order(two.kind)),
    );
  });

  it('names no other recipient of an email', () => {
    const people = { toEmail: other, cc: [ann], bcc: ['eve@example.com'] };
    const send = buildSend({ status: 'sent', ...people });
    const recipients = [
      { email: other, diagnostic: `550 5.1.1 <${other}> unknown` },
      { email: ann },
    ];
    const events = [{ type: 'complained', ts: 5, recipients } as const];

    const email = toExportedEmail({ send, events, messages: [], deliveries: [] }, ann, 9);
    const shown = endpoint.answers[200].body.parse({
      data: [{ kind: 'email', email }],
      nextCursor: null,
    });

    expect(shown.data).toMatchObject([
      { email: { field: 'cc', events: [{ recipients: [{ email: ann }] }] } },
    ]);
    expect(JSON.stringify(shown)).not.toMatch(/zoe@|eve@/);
  });

  it('has no address that SES names and the email doesn’t', () => {
    const send = buildSend({ status: 'sent', toEmail: ann, cc: [other] });
    const recipients = [{ email: 'zoes-forward@example.net' }, { email: ann }];
    const events = [{ type: 'bounced', ts: 5, recipients } as const];

    const email = toExportedEmail({ send, events, messages: [], deliveries: [] }, ann, 9);

    expect(email.events).toMatchObject([{ recipients: [{ email: ann }] }]);
    expect(email.events[0]?.recipients).toHaveLength(1);
  });

  it('has what was changed, not by whom', async () => {
    const world = await openExport();
    const { table, organizationId, contactId, caller, now, read } = world;
    const change = {
      action: 'suppression.created',
      target: contactId,
      after: { reason: 'manual' },
    };
    await appendAuditEntry(table, newAuditEntry(organizationId, caller.actor, change, now()));

    const { records } = await read();
    const shown = endpoint.answers[200].body.parse({ data: records, nextCursor: null });

    expect(shown.data).toEqual(
      expect.arrayContaining([
        {
          kind: 'change',
          change: { at: now(), action: 'suppression.created', after: { reason: 'manual' } },
        },
      ]),
    );
    expect(JSON.stringify(shown)).not.toContain(caller.apiKey.id);
  });

  it('has every webhook about the person once, some hundred at a time', async () => {
    const world = await openExport();
    const { table, organizationId, contactId, page, read, now } = world;
    const webhookId = newWebhookId(organizationId);
    const deliveries = Array.from({ length: 450 }, () => {
      const messageId = newWebhookMessageId(organizationId);
      const id = deliveryIdOf(contactId, messageId, webhookId);
      return { ...buildDelivery({ messageId, webhookId, createdAt: now() }), id };
    });
    await createDeliveries(table, deliveries);

    const { nextCursor } = await page();
    const { data } = await page(nextCursor ?? '');
    const { records } = await read();

    expect(data.length).toBeLessThanOrEqual(200);
    expect(records.filter(({ kind }) => kind === 'webhook')).toHaveLength(450);
  });

  it('has test emails, too', async () => {
    const world = await openExport();
    await emailTo(world, { test: true });

    const { records } = await world.read();

    expect(records).toMatchObject([{ email: { test: true } }, { kind: 'change' }]);
  });

  it('has every email once, over many pages, and one entry in the audit', async () => {
    const world = await openExport();
    const sent = new Set<string>();
    for (let number = 0; number < 45; number += 1) {
      world.clock.at += 1_000;
      sent.add((await emailTo(world)).id);
    }

    const { records, pages } = await world.read();

    const found = records.flatMap(({ email }) => email?.sendId ?? []);
    expect([...found].toSorted()).toEqual([...sent].toSorted());
    expect(pages).toBeGreaterThan(3);
    expect(records.filter(({ kind }) => kind === 'change')).toHaveLength(1);
  });

  it('of an erased person has what is left: suppressions and the audit', async () => {
    const world = await openExport();
    const { table, organizationId, contactId, caller, now, read } = world;
    await ensureContact(table, organizationId, ann, now());
    const suppressed = { identity: ann, reason: 'manual', details: {} } as const;
    await suppressAddress(table, organizationId, suppressed, now());
    const erased = { action: 'contact.erased', target: contactId };
    const entry = newAuditEntry(organizationId, caller.actor, erased, now());
    await eraseContact(table, contactId, now(), entry);

    const { records } = await read();

    expect(records.map(({ kind }) => kind)).toEqual(['suppression', 'change', 'change']);
  });

  it('of another organization’s address has nothing of that organization', async () => {
    const [own, stranger] = [await openExport(), await openExport()];
    await emailTo(own);

    const { records } = await stranger.read();

    expect(records).toMatchObject([{ change: { action: 'contact.exported' } }]);
  });

  it('doesn’t continue with the cursor of another address', async () => {
    const { page } = await openExport();
    const { nextCursor } = await page();

    const refused = await serviceErrorOf(() => page(nextCursor ?? '', other));

    expect(refused.code).toBe('validation_failed');
  });

  it.each(['ann@example.com\r\nBcc: eve@example.com', 'Ann <ann@example.com>', 'nobody', ''])(
    'refuses an address that isn’t one: %j',
    (email) => {
      expect(endpoint.path.safeParse({ email }).success).toBe(false);
    },
  );
});

const order = (kind: string) => ['contact', 'suppression', 'email', 'change'].indexOf(kind);
