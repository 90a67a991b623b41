import { expect, it } from 'vitest';
import type { Event } from '#shared/events/event';
import { explainUnnamed } from '#shared/send-history/explain-send';
import { storeSendEvent } from '#shared/send-history/send-event-store';
import { getTimeline } from '#shared/send-history/timeline-store';
import type { VerdictCode } from '#shared/send-history/verdict';
import type { Send } from '#shared/sending/send';
import { endpoint as recipientEndpoint } from '../../functions/explain-recipient/explain-recipient.ts';
import { endpoint as sendEndpoint, toAnswer } from '../../functions/get-send/get-send.ts';
import { endpoint as listEndpoint } from '../../functions/list-sends/list-sends.ts';
import { whyOf } from '../../functions/show-console/app/emails/why.ts';
import { layOut } from '../../infra/manage/drawing/layout.ts';
import { drawTimeline } from '../../infra/manage/drawing/timeline.ts';
import { openAccount } from '../support/account.ts';
import { storeSend } from '../support/claim-builder.ts';
import { buildSend, newSendId } from '../support/send-builder.ts';
import { surroundings } from '../support/surroundings.ts';

const gone = 'erin@gone.example';
const bounce = (reason: string, diagnostic?: string): Omit<Event, 'ts'> => ({
  type: 'bounced',
  reason,
  recipients: [{ email: gone, diagnostic }],
});

type Case = readonly [code: VerdictCode, send: Partial<Send>, event?: Omit<Event, 'ts'>];

const hard = { status: 'sent', firstBounceAt: 5 } as const;
const soft = { status: 'sent', firstSoftBounceAt: 5 } as const;
const late = { status: 'sent', firstDelayAt: 5 } as const;
const failed = (reason: string): Partial<Send> => ({
  status: 'failed',
  attempts: [{ attempt: 1, at: 5, reason }],
});

const cases: readonly Case[] = [
  ['no_such_mailbox', hard, bounce('Permanent/General', '550 5.1.1 user unknown')],
  ['sender_not_authenticated', hard, bounce('Permanent/General', '550-5.7.26 no. - gsmtp')],
  ['ip_address_blocked', soft, bounce('Transient/General', '550 5.7.1 list (S3150).')],
  ['mailbox_full', soft, bounce('Transient/MailboxFull')],
  ['on_ses_list', hard, bounce('provider_suppressed')],
  [
    'ip_address_deferred',
    late,
    {
      type: 'delayed',
      reason: 'General',
      recipients: [{ email: gone, diagnostic: '421 4.7.0 [TSS04] deferred' }],
    },
  ],
  [
    'complained',
    { status: 'sent', firstComplaintAt: 5 },
    { type: 'complained', reason: 'abuse', recipients: [{ email: gone }] },
  ],
  ['ses_refused', failed('MessageRejected')],
  ['attachment_unavailable', failed('AttachmentUnavailable')],
  ['delivered', { status: 'sent', deliveredAt: 5 }],
];

it.each(cases.map(([code, given, event]) => ({ code, given, event })))(
  'list, email, address, command line and webhook say the same of $code',
  async ({ code, given, event }) => {
    const opened = await openAccount();
    const account = { ...opened, ...surroundings };
    const { table, organizationId, clock } = account;
    const send = buildSend({
      ...{ id: newSendId(organizationId), providerMessageId: 'm-1', toEmail: gone },
      claimedAt: clock.at - 1_000,
      ...given,
    });
    await storeSend(table, send);
    if (event) await storeSendEvent(table, send, { ...event, ts: 5, providerMessageId: 'm-1' });

    const list = await listEndpoint.run(
      { ...account, query: listEndpoint.query.parse({}) },
      account,
    );
    const timeline = await getTimeline(table, send.id, account.now());
    if (timeline === undefined) throw new Error('the send has no timeline');
    const answered = toAnswer(timeline, account.now());
    const email = sendEndpoint.answers[200].body.parse(answered);
    const explained = await recipientEndpoint.run(
      {
        ...account,
        path: recipientEndpoint.path.parse({ email: gone }),
        query: recipientEndpoint.query.parse({}),
      },
      { ...account, readProviderList: async () => undefined },
    );

    const address = recipientEndpoint.answers[200].body.parse(explained);
    const [row] = listEndpoint.answers[200].body.parse(list).data;
    const { verdict } = email;
    expect(verdict.code).toBe(code);
    expect(row?.verdict).toEqual(verdict);
    expect(address.emails.map((one) => one.verdict)).toEqual([verdict]);
    expect(email.recipients.map((one) => one.verdict)).toEqual([verdict]);
    const drawn = layOut(
      drawTimeline(email, (_, text) => text),
      Number.POSITIVE_INFINITY,
    );
    expect(drawn.split('\n')[0]).toBe(`${verdict.sentence}.`);
    const why = verdict.why ?? '';
    expect(row && whyOf(row)?.toLowerCase()).toBe(verdict.why?.toLowerCase());
    if (code !== 'complained') expect(verdict.sentence).toContain(why);
    const told = event && explainUnnamed({ ...event, ts: 5 });
    if (told) expect([told.code, told.next]).toEqual([code, verdict.next]);
  },
);
