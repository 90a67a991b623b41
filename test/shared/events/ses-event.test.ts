import { describe, expect, it } from 'vitest';
import { readSesEvent, subjectOf } from '#shared/events/ses-event';
import { feedbackIdOf, newOrganizationId } from '#shared/tokens/resource-id';
import { newSendId } from '../../support/send-builder.ts';
import {
  buildSesBounce,
  buildSesComplaint,
  buildSesEvent,
  buildSesMail,
  type SesEventType,
} from '../../support/ses-event-builder.ts';

const feedbackId = feedbackIdOf(newSendId(newOrganizationId()));
const taggedMail = buildSesMail({ tags: { 'feedback-id': [feedbackId] } });

const readTagged = (eventType: SesEventType) =>
  readSesEvent(buildSesEvent(eventType, { mail: taggedMail }));

/** When SES took the message: every event about it tells, whatever else it reports. */
const acceptedAt = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const occurrence = {
  providerMessageId: '0102019a-message',
  feedbackId,
  acceptedAt,
  mailedTo: ['ann@example.com'],
  domain: 'mail.example.com',
};

describe('readSesEvent', () => {
  it('reads Send as acceptance at the time of the message', () => {
    expect(readTagged('Send')).toEqual({
      kind: 'accepted',
      ...occurrence,
      at: acceptedAt,
    });
  });

  it('reads Reject as a rejection with its reason', () => {
    expect(readTagged('Reject')).toEqual({
      kind: 'rejected',
      ...occurrence,
      at: acceptedAt,
      reason: 'Bad content',
    });
  });

  it.each([
    ['Delivery', 'delivered', Date.UTC(2026, 0, 2, 3, 4, 7)],
    ['Open', 'opened', Date.UTC(2026, 0, 2, 3, 5)],
    ['Click', 'clicked', Date.UTC(2026, 0, 2, 3, 6)],
  ] as const)('reads %s as %s, which suppresses nobody', (eventType, type, at) => {
    expect(readTagged(eventType)).toMatchObject({
      kind: 'happened',
      ...occurrence,
      type,
      at,
      reason: undefined,
      recipients: [],
      suppression: undefined,
    });
  });

  it('reads a permanent bounce as suppression of every bounced recipient', () => {
    expect(readTagged('Bounce')).toEqual({
      kind: 'happened',
      ...occurrence,
      type: 'bounced',
      at: Date.UTC(2026, 0, 2, 3, 4, 8),
      reason: 'Permanent/General',
      recipients: [{ email: 'ann@example.com', diagnostic: 'smtp; 550 5.1.1 user unknown' }],
      suppression: { reason: 'bounce', addresses: ['ann@example.com'], isPossible: false },
    });
  });

  it('reads a delay, which suppresses nobody, with who waits', () => {
    expect(readTagged('DeliveryDelay')).toEqual({
      kind: 'happened',
      ...occurrence,
      type: 'delayed',
      at: Date.UTC(2026, 0, 2, 3, 34, 5),
      reason: 'TransientCommunicationFailure',
      recipients: [{ email: 'ann@example.com' }],
      suppression: undefined,
    });
  });

  it('reads a complaint as suppression of every complaining recipient', () => {
    expect(readTagged('Complaint')).toEqual({
      kind: 'happened',
      ...occurrence,
      type: 'complained',
      at: Date.UTC(2026, 0, 2, 3, 4, 9),
      reason: 'abuse',
      recipients: [{ email: 'ann@example.com' }],
      suppression: { reason: 'complaint', addresses: ['ann@example.com'], isPossible: false },
    });
  });

  it.each(['Rendering Failure', 'Subscription'] as const)('ignores %s', (type) => {
    expect(readTagged(type)).toEqual({ kind: 'ignored', eventType: type });
  });

  it('ignores a type that SES may add', () => {
    expect(readSesEvent({ eventType: 'Teleported', mail: null })).toEqual({
      kind: 'ignored',
      eventType: 'Teleported',
    });
  });

  it.each([
    ['no event at all', {}],
    ['a notification of another kind', { notificationType: 'Bounce' }],
    ['no object', 'Send'],
    ['null', null],
    ['a Send without mail', { eventType: 'Send' }],
    [
      'a Send without a message id',
      buildSesEvent('Send', { mail: buildSesMail({ messageId: '' }) }),
    ],
    ['a Bounce without its details', buildSesEvent('Bounce', { bounce: {} })],
    [
      'a Delivery with a broken time',
      buildSesEvent('Delivery', { delivery: { timestamp: 'now' } }),
    ],
  ])('throws on %s, so that it is looked at', (_what, json) => {
    expect(() => readSesEvent(json)).toThrow();
  });

  it('reads an event without any tags or headers', () => {
    const mail = { timestamp: '2026-01-02T03:04:05.678Z', messageId: 'message-1' };

    expect(readSesEvent({ eventType: 'Send', mail, send: {} })).toMatchObject({
      kind: 'accepted',
      providerMessageId: 'message-1',
      feedbackId: undefined,
      domain: undefined,
    });
  });

  it.each(['mail.example.com', 'ann@mail.example.com'])('knows the domain of %s', (identity) => {
    const sourceArn = `arn:aws-cn:ses:cn-north-1:123456789012:identity/${identity}`;
    const mail = buildSesMail({ sourceArn });

    expect(readSesEvent(buildSesEvent('Send', { mail }))).toMatchObject({
      domain: 'mail.example.com',
    });
  });
});

describe('a bounce', () => {
  const readBounce = (bounce: Record<string, unknown>, destination = ['ann@example.com']) =>
    readSesEvent(
      buildSesEvent('Bounce', {
        mail: buildSesMail({ destination }),
        bounce: buildSesBounce(bounce),
      }),
    );

  it.each([
    ['Transient', 'MailboxFull'],
    ['Transient', 'General'],
    ['Undetermined', 'Undetermined'],
  ])('%s/%s suppresses nobody, yet is in the timeline', (bounceType, bounceSubType) => {
    expect(readBounce({ bounceType, bounceSubType })).toMatchObject({
      kind: 'happened',
      type: 'bounced',
      reason: `${bounceType}/${bounceSubType}`,
      suppression: undefined,
    });
  });

  it('names each recipient without a display name, and 1,000 characters of what its server said', () => {
    const bouncedRecipients = [
      { emailAddress: '"Ann" <ann@example.com>', diagnosticCode: 'x'.repeat(1_001) },
      { emailAddress: 'bob@example.com', diagnosticCode: `${'x'.repeat(999)}😀` },
      { emailAddress: 'no address', diagnosticCode: null },
    ];

    expect(readBounce({ bouncedRecipients }, ['ann@example.com', 'bob@example.com'])).toMatchObject(
      {
        recipients: [
          { email: 'ann@example.com', diagnostic: 'x'.repeat(1_000) },
          { email: 'bob@example.com', diagnostic: 'x'.repeat(999) },
          { email: 'no address' },
        ],
        suppression: { addresses: ['ann@example.com', 'bob@example.com'] },
      },
    );
  });

  it.each([
    ['Suppressed', 'provider_suppressed'],
    ['OnAccountSuppressionList', 'provider_suppressed'],
    ['OnTenantSuppressionList', 'provider_suppressed'],
    ['EmailValidationSuppressed', 'address_guess'],
  ])('Permanent/%s of SES itself suppresses nobody, and is reported as %s', (subType, reason) => {
    expect(readBounce({ bounceSubType: subType })).toMatchObject({
      type: 'bounced',
      reason,
      recipients: [{ email: 'ann@example.com' }],
      suppression: undefined,
    });
  });

  it('suppresses each of several recipients by the normalised address', () => {
    const bouncedRecipients = [
      { emailAddress: 'Ann@EXAMPLE.com', status: '5.1.1' },
      { emailAddress: 'bob@münchen.de' },
    ];

    expect(
      readBounce({ bouncedRecipients }, [
        'bob@xn--mnchen-3ya.de',
        'ann@example.com',
        'eve@x.example',
      ]),
    ).toMatchObject({
      suppression: { addresses: ['bob@xn--mnchen-3ya.de', 'ann@example.com'] },
    });
  });

  it.each([
    ['"Ann" <ann@example.com>'],
    ['Ann Smith <Ann@Example.com>'],
    ['<ann@example.com>'],
    ['"a <b> c" <ann@example.com> '],
  ])('finds the address in %s', (emailAddress) => {
    expect(readBounce({ bouncedRecipients: [{ emailAddress }] })).toMatchObject({
      suppression: { addresses: ['ann@example.com'] },
    });
  });

  it('suppresses nobody but those whom the email went to, whom a stranger’s report may name', () => {
    const bouncedRecipients = [
      { emailAddress: 'ceo@customer.example' },
      { emailAddress: 'bob@example.com' },
    ];

    expect(readBounce({ bouncedRecipients }, ['ann@example.com', 'bob@example.com'])).toMatchObject(
      { suppression: { addresses: ['bob@example.com'] } },
    );
    expect(readBounce({ bouncedRecipients }, ['ann@example.com', 'eve@example.com'])).toMatchObject(
      { suppression: { addresses: [] } },
    );
  });

  it('suppresses the others when one recipient is no address', () => {
    const bouncedRecipients = [
      { emailAddress: 'undisclosed' },
      { emailAddress: 'ann@example.com' },
    ];

    expect(readBounce({ bouncedRecipients }, ['ann@example.com', 'bob@example.com'])).toMatchObject(
      { suppression: { addresses: ['ann@example.com'] } },
    );
  });
});

describe('a complaint', () => {
  const readComplaint = (complaint: Record<string, unknown>, destination = ['ann@example.com']) =>
    readSesEvent(
      buildSesEvent('Complaint', {
        mail: buildSesMail({ destination }),
        complaint: buildSesComplaint(complaint),
      }),
    );

  it('that says not-spam is the opposite of one and ignored', () => {
    expect(readComplaint({ complaintFeedbackType: 'not-spam' })).toEqual({
      kind: 'ignored',
      eventType: 'Complaint/not-spam',
    });
  });

  it.each([undefined, null])('without a feedback type (%s) suppresses', (complaintFeedbackType) => {
    expect(readComplaint({ complaintFeedbackType })).toMatchObject({
      type: 'complained',
      reason: undefined,
      suppression: { addresses: ['ann@example.com'] },
    });
  });

  it('that names several recipients is possible for each of them, and certain for a single one', () => {
    const named = (...addresses: readonly string[]) =>
      readComplaint({ complainedRecipients: addresses.map((emailAddress) => ({ emailAddress })) }, [
        'ann@example.com',
        'bob@example.com',
      ]);

    expect(named('ann@example.com', 'Bob <bob@example.com>')).toMatchObject({
      suppression: { addresses: ['ann@example.com', 'bob@example.com'], isPossible: true },
    });
    expect(named('ann@example.com')).toMatchObject({ suppression: { isPossible: false } });
  });

  it.each(['OnAccountSuppressionList', 'OnTenantSuppressionList'])(
    'of subtype %s is an email that SES did not send: a bounce that suppresses nobody',
    (complaintSubType) => {
      expect(readComplaint({ complaintSubType })).toMatchObject({
        type: 'bounced',
        reason: 'provider_suppressed',
        suppression: undefined,
      });
    },
  );

  it.each(['abuse', 'fraud', 'virus', 'other', 'auth-failure'])('of type %s suppresses', (type) => {
    expect(readComplaint({ complaintFeedbackType: type })).toMatchObject({
      reason: type,
      suppression: { addresses: ['ann@example.com'] },
    });
  });
});

describe('the feedback id', () => {
  const other = feedbackIdOf(newSendId(newOrganizationId()));
  const readWith = (mail: Record<string, unknown>) =>
    readSesEvent(buildSesEvent('Send', { mail: buildSesMail(mail) }));

  it('comes from the tag before the header', () => {
    const headers = [{ name: 'Feedback-ID', value: `${other}:org_x:AmazonSES` }];

    expect(readWith({ tags: { 'feedback-id': [feedbackId] }, headers })).toMatchObject({
      feedbackId,
    });
  });

  it.each([
    ['Feedback-ID', `${feedbackId}:org_x:1.eu-west-1.abc=:AmazonSES`],
    ['feedback-id', ` ${feedbackId} : org_x`],
    ['FEEDBACK-ID', `org_x:${feedbackId}`],
  ])('comes from the header %s when no tag has it', (name, value) => {
    const headers = [
      { name: 'From', value: 'hello@mail.example.com' },
      { name, value },
    ];

    expect(readWith({ tags: {}, headers })).toMatchObject({ feedbackId });
  });

  it('comes from the header when the tag is none of ours', () => {
    const headers = [{ name: 'Feedback-ID', value: feedbackId }];

    expect(readWith({ tags: { 'feedback-id': ['campaign-7'] }, headers })).toMatchObject({
      feedbackId,
    });
  });

  it('is unknown when neither holds one of ours', () => {
    const headers = [{ name: 'Feedback-ID', value: 'campaign:customer:AmazonSES' }];

    expect(readWith({ tags: { 'ses:source-ip': ['192.0.2.1'] }, headers })).toMatchObject({
      feedbackId: undefined,
    });
  });

  it.each([
    ['without a time', { timestamp: undefined }],
    ['without a message id', { messageId: null }],
    ['with malformed tags', { tags: [1] }],
    ['with malformed headers', { headers: 'none', tags: { 'feedback-id': [feedbackId] } }],
  ])('is read of an event %s, which cannot be recorded', (_what, change) => {
    const headers = [{ name: 'Feedback-ID', value: feedbackId }];
    const mail = buildSesMail({ headers, tags: {}, ...change });

    expect(subjectOf(buildSesEvent('Send', { mail }))).toMatchObject({ feedbackId });
  });

  it.each([
    [null],
    ['Send'],
    [{ eventType: 'Send' }],
    [{ eventType: 'Send', mail: { tags: { 'feedback-id': ['campaign-7'] } } }],
    [{ eventType: 'Rendering Failure', mail: { tags: { 'feedback-id': [feedbackId] } } }],
  ])('is not read of %j, which proves nothing about a send of ours', (json) => {
    expect(subjectOf(json)).toBeUndefined();
  });

  it("is never SES's own feedback id of a bounce", () => {
    const fact = readSesEvent(
      buildSesEvent('Bounce', {
        bounce: buildSesBounce({ feedbackId: other }),
        mail: buildSesMail({ tags: {}, headers: [] }),
      }),
    );

    expect(fact).toMatchObject({ kind: 'happened', feedbackId: undefined });
  });
});
