import { describe, expect, it } from 'vitest';
import { sesEventsOf } from '../../../../infra/local/ses/events.ts';
import { type SentEmail, sendEmailRequest } from '../../../../infra/local/ses/mail.ts';

const sentAt = new Date('2026-01-01T00:00:00.000Z');
const now = new Date('2026-01-01T00:00:00.250Z');

const sentEmail = (
  destination: Readonly<Record<string, readonly string[]>>,
  request: Readonly<Record<string, unknown>> = {},
): SentEmail => ({
  messageId: 'ses-1',
  sentAt,
  request: sendEmailRequest.parse({
    FromEmailAddress: 'Example <hello@mail.example.com>',
    Destination: destination,
    Content: {
      Simple: {
        Subject: { Data: 'Receipt' },
        Headers: [{ Name: 'List-Unsubscribe', Value: '<https://example.com/u>' }],
      },
    },
    EmailTags: [
      { Name: 'feedback-id', Value: 'snd_1' },
      { Name: 'ses:feedback-id-a', Value: 'snd_1' },
      { Name: 'ses:feedback-id-b', Value: 'org_1' },
    ],
    ConfigurationSetName: 'local',
    ...request,
  }),
});

const typesOf = (email: SentEmail) => sesEventsOf(email, now).map(({ eventType }) => eventType);

describe('SES events', () => {
  it('are Send and Delivery for ordinary recipients', () => {
    const events = sesEventsOf(sentEmail({ ToAddresses: ['Ann <ann@example.com>'] }), now);

    expect(events).toMatchObject([
      { eventType: 'Send', send: {} },
      {
        eventType: 'Delivery',
        delivery: {
          timestamp: '2026-01-01T00:00:00.250Z',
          processingTimeMillis: 250,
          recipients: ['ann@example.com'],
          smtpResponse: expect.stringMatching(/^250 /),
          reportingMTA: expect.any(String),
        },
      },
    ]);
  });

  it('repeat the email in their mail object', () => {
    const email = sentEmail({
      ToAddresses: ['ann@example.com'],
      CcAddresses: ['bob@example.com'],
      BccAddresses: ['carol@example.com'],
    });

    const [send] = sesEventsOf(email, now);

    expect(send?.mail).toEqual({
      timestamp: '2026-01-01T00:00:00.000Z',
      source: 'Example <hello@mail.example.com>',
      sourceArn: 'arn:aws:ses:us-east-1:000000000000:identity/mail.example.com',
      sendingAccountId: '000000000000',
      messageId: 'ses-1',
      destination: ['ann@example.com', 'bob@example.com', 'carol@example.com'],
      headersTruncated: false,
      headers: [
        { name: 'From', value: 'Example <hello@mail.example.com>' },
        { name: 'To', value: 'ann@example.com' },
        { name: 'Cc', value: 'bob@example.com' },
        { name: 'Subject', value: 'Receipt' },
        { name: 'MIME-Version', value: '1.0' },
        { name: 'List-Unsubscribe', value: '<https://example.com/u>' },
        { name: 'Feedback-ID', value: 'snd_1:org_1:1.us-east-1.local:AmazonSES' },
      ],
      commonHeaders: {
        from: ['Example <hello@mail.example.com>'],
        to: ['ann@example.com'],
        cc: ['bob@example.com'],
        messageId: 'ses-1',
        subject: 'Receipt',
      },
      tags: {
        'ses:configuration-set': ['local'],
        'ses:source-ip': ['127.0.0.1'],
        'ses:from-domain': ['mail.example.com'],
        'ses:caller-identity': ['local-twin'],
        'feedback-id': ['snd_1'],
        'ses:feedback-id-a': ['snd_1'],
        'ses:feedback-id-b': ['org_1'],
      },
    });
  });

  it.each([
    ['success', ['Send', 'Delivery']],
    ['bounce', ['Send', 'Bounce']],
    ['complaint', ['Send', 'Delivery', 'Complaint']],
    ['suppressionlist', ['Send', 'Bounce']],
    ['ooto', ['Send', 'Delivery', 'Bounce']],
  ])('of %s@simulator.amazonses.com, labelled or not, are %j', (name, types) => {
    const plain = sentEmail({ ToAddresses: [`${name}@simulator.amazonses.com`] });
    const labelled = sentEmail({ ToAddresses: [`${name}+order-1@simulator.amazonses.com`] });

    expect(typesOf(plain)).toEqual(types);
    expect(typesOf(labelled)).toEqual(types);
  });

  it.each([
    ['bounce', 'Permanent', 'General'],
    ['suppressionlist', 'Permanent', 'Suppressed'],
    ['ooto', 'Transient', 'General'],
  ])('classify the bounce of %s@ as %s/%s', (name, bounceType, bounceSubType) => {
    const address = `${name}+x@simulator.amazonses.com`;

    const events = sesEventsOf(sentEmail({ ToAddresses: [address] }), now);

    expect(events.at(-1)).toMatchObject({
      bounce: { bounceType, bounceSubType, bouncedRecipients: [{ emailAddress: address }] },
    });
  });

  it.each([
    ['account', 'BOUNCE', { bounce: { bounceSubType: 'OnAccountSuppressionList' } }],
    ['tenant', 'BOUNCE', { bounce: { bounceSubType: 'OnTenantSuppressionList' } }],
    ['account', 'COMPLAINT', { complaint: { complaintSubType: 'OnAccountSuppressionList' } }],
    ['tenant', 'COMPLAINT', { complaint: { complaintSubType: 'OnTenantSuppressionList' } }],
  ] as const)(
    'report who the %s list holds back for a %s, whatever happens to other recipients',
    (scope, reason, expected) => {
      const email = sentEmail({
        ToAddresses: ['ann@example.com', 'bounce@simulator.amazonses.com', 'ben@example.com'],
      });

      const events = sesEventsOf(email, now, (address) =>
        address === 'ben@example.com' ? undefined : { scope, reason },
      );

      expect(events).toMatchObject([
        { eventType: 'Send' },
        { delivery: { recipients: ['ben@example.com'] } },
        { bounce: { bounceSubType: 'General' } },
        expected,
      ]);
    },
  );

  it('report which recipients of one message were reached and which bounced', () => {
    const email = sentEmail({
      ToAddresses: ['ann@example.com'],
      CcAddresses: ['bounce@simulator.amazonses.com'],
      BccAddresses: ['bounce+2@simulator.amazonses.com', 'carol@example.com'],
    });

    const events = sesEventsOf(email, now);

    expect(events).toMatchObject([
      { eventType: 'Send' },
      { delivery: { recipients: ['ann@example.com', 'carol@example.com'] } },
      {
        bounce: {
          bouncedRecipients: [
            { emailAddress: 'bounce@simulator.amazonses.com' },
            { emailAddress: 'bounce+2@simulator.amazonses.com' },
          ],
        },
      },
    ]);
  });
});
