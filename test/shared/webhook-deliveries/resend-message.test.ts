import { describe, expect, it } from 'vitest';
import type { FilteredSend } from '#shared/organizations/webhook-subscriptions';
import { contactIdOf, newOrganizationId } from '#shared/tokens/resource-id';
import { deliveriesOf } from '#shared/webhook-deliveries/outbox';
import { resendMessage } from '#shared/webhook-deliveries/resend-message';
import type {
  EmailEventData,
  EmailEventType,
  WebhookEvent,
} from '#shared/webhook-deliveries/webhook-event';
import { buildEmailEvent } from '../../support/delivery-builder.ts';
import { newSendId } from '../../support/send-builder.ts';

const at = Date.parse('2026-11-23T10:00:00Z');
const organizationId = newOrganizationId();
const sendId = newSendId(organizationId);
const contactId = contactIdOf(organizationId, 'ann@example.com');
const send = { from: 'Shop <a@shop.example>', createdAt: at - 60_000, templateId: 'tpl_1' };
const data = {
  ...{ sendId, messageId: 'ses-1', to: 'ann@example.com', subject: 'Hi', policyKey: 'bulk' },
};
const common = {
  email_id: sendId,
  message_id: 'ses-1',
  created_at: '2026-11-23T09:59:00.000Z',
  from: 'Shop <a@shop.example>',
  to: ['ann@example.com'],
  subject: 'Hi',
  template_id: 'tpl_1',
};

const bodyOf = (event: WebhookEvent): unknown => {
  const body = resendMessage(event);
  return body === undefined ? undefined : JSON.parse(body);
};
const emailOf = (
  type: EmailEventType,
  { tags, ...facts }: Partial<EmailEventData> & FilteredSend = {},
) => bodyOf(buildEmailEvent({ type, at, data: { ...data, ...facts }, send: { ...send, tags } }));

describe('a message in Resend’s form', () => {
  it.each([
    ['email.sent', 'email.sent', {}, {}],
    ['email.delayed', 'email.delivery_delayed', { reason: 'x' }, {}],
    ['email.opened', 'email.opened', { machine: true }, {}],
    [
      'email.clicked',
      'email.clicked',
      { url: 'https://a.example/b', machine: false },
      {
        click: {
          ...{ ipAddress: '', userAgent: '' },
          link: 'https://a.example/b',
          timestamp: '2026-11-23T10:00:00.000Z',
        },
      },
    ],
    ['email.failed', 'email.failed', { reason: 'Reject' }, { failed: { reason: 'Reject' } }],
    [
      'email.bounced',
      'email.bounced',
      {
        reason: 'Permanent/NoEmail',
        recipients: [{ email: 'bob@example.com', diagnostic: 'smtp; 550' }],
      },
      {
        to: ['bob@example.com'],
        bounce: {
          ...{ type: 'Permanent', subType: 'NoEmail' },
          ...{ message: 'smtp; 550', diagnosticCode: ['smtp; 550'] },
        },
      },
    ],
    [
      'email.sent',
      'email.sent',
      { allTo: ['a@example.com', 'b@example.com'], cc: ['c@example.com'], tags: { a: '1' } },
      { to: ['a@example.com', 'b@example.com'], cc: ['c@example.com'], tags: { a: '1' } },
    ],
  ] as const)('for %s is %s: %j', (type, name, facts, expected) => {
    expect(emailOf(type, facts)).toEqual({
      type: name,
      created_at: '2026-11-23T10:00:00.000Z',
      data: { ...common, ...expected },
    });
  });

  it.each(['provider_suppressed', 'address_guess'])(
    'for a bounce with the reason %s says that SES blocked the email',
    (reason) => {
      const message = expect.stringContaining('SES did not send');

      expect(emailOf('email.bounced', { reason })).toMatchObject({
        data: {
          bounce: { type: 'Permanent', subType: 'Suppressed', message, diagnosticCode: [] },
        },
      });
    },
  );

  it.each([
    [{ reason: 'Permanent/General' }, 'Permanent', 'General'],
    [{ reason: 'Transient/MailboxFull' }, 'Transient', 'MailboxFull'],
    [{}, 'Undetermined', 'Undetermined'],
  ])('for any other bounce %o says that the server refused the email', (facts, type, subType) => {
    expect(emailOf('email.bounced', facts)).toMatchObject({
      data: { bounce: { type, subType, message: expect.stringContaining('server refused') } },
    });
  });

  it('for an email that SES blocked has SES’s own words', () => {
    const recipients = [{ email: 'ann@example.com', diagnostic: 'Amazon SES has suppressed' }];

    expect(emailOf('email.bounced', { reason: 'provider_suppressed', recipients })).toMatchObject({
      data: { bounce: { subType: 'Suppressed', message: 'Amazon SES has suppressed' } },
    });
  });

  it.each([
    ['bounce', 'previous_bounce'],
    ['complaint', 'previous_complaint'],
    ['manual', undefined],
  ])('for an email blocked by a %s says so', (reason, named) => {
    const message = emailOf('email.suppressed', {
      suppressedRecipients: [{ email: 'ann@example.com', reason }],
    });

    expect(message).toMatchObject({
      data: {
        suppressed: {
          type: 'OnAccountSuppressionList',
          message: expect.stringMatching(/\w/),
          diagnosticCode: [],
          ...(named !== undefined && { reason: named }),
        },
      },
    });
  });

  it('for a suppression has its origin', () => {
    const suppression = { contactId, email: 'ann@example.com', reason: 'bounce', at } as const;

    expect(bodyOf({ type: 'suppression.added', key: 'one', at, data: suppression })).toEqual({
      type: 'suppression.added',
      created_at: '2026-11-23T10:00:00.000Z',
      data: {
        ...{
          id: `bounce-${contactId}`,
          email: 'ann@example.com',
          origin: 'bounce',
          source_id: null,
        },
        created_at: '2026-11-23T10:00:00.000Z',
      },
    });
  });

  it.each<WebhookEvent>([
    {
      ...{ type: 'suppression.added', key: 'one', at },
      data: { contactId, email: 'a@b.example', reason: 'unsubscribe', at },
    },
    { type: 'suppression.removed', key: 'one', at, data: { contactId, reason: 'bounce', at } },
    { type: 'contact.unsubscribed', key: 'one', at, data: { contactId, email: 'a@b.example' } },
    { type: 'identity.active', key: 'one', at, data: { domain: 'a.example' } },
  ])('isn’t made of $type $data', (event) => {
    expect(bodyOf(event)).toBeUndefined();
  });
});

describe('an event subscribed to in both forms', () => {
  it('is one message to each, under one id', () => {
    const ownPart = organizationId.slice('org_'.length);
    const ids = ['a', 'b'].map((letter) => `whk_${ownPart}${letter.repeat(16)}`);
    const [one = '', other = ''] = ids;
    const parent = contactIdOf(organizationId, 'ann@example.com');
    const event = buildEmailEvent({ type: 'email.sent', at, data, send });

    const rows = deliveriesOf(
      event,
      { parent, expiresAt: 1 },
      { [one]: { eventTypes: [] }, [other]: { eventTypes: ['email.sent'], format: 'resend' } },
      at,
    );

    expect(new Set(rows.map(({ messageId }) => messageId)).size).toBe(1);
    const bodies = rows.map(({ body }): unknown => JSON.parse(body));
    expect(bodies).toEqual([
      { type: 'email.sent', timestamp: '2026-11-23T10:00:00.000Z', data },
      { type: 'email.sent', created_at: '2026-11-23T10:00:00.000Z', data: common },
    ]);
  });
});
