import { describe, expect, it } from 'vitest';
import { readResendEmail } from '#shared/resend/email-request';
import { faultsOfEmail } from '#shared/resend/field-names';
import { fingerprintOf } from '#shared/sending/fingerprint';

const now = Date.parse('2026-11-23T10:00:00Z');
const email = {
  from: 'Northwind <hello@northwind.example>',
  to: 'ann@example.com',
  subject: 'Hello',
  text: 'Hello Ann',
};
const read = (fields: object, at = now, key?: string) =>
  readResendEmail({ ok: true, value: { ...email, ...fields } }, key, at);

function requestOf(fields: object, at = now) {
  const { request } = read(fields, at);
  if (!request.ok) throw request.error;
  return request.value;
}

function faultsOf(fields: object) {
  const { request } = read(fields);
  return request.ok ? [] : faultsOfEmail(request.error);
}

describe('an email of Resend’s API', () => {
  it('becomes one of ours, field by field', () => {
    const request = requestOf({
      cc: ['carl@example.com'],
      reply_to: ['help@northwind.example'],
      html: '<p>Hello</p>',
      headers: { 'X-Order': '7' },
      tags: [{ name: 'kind', value: 'receipt' }],
      attachments: [
        { filename: 'a.txt', content: { type: 'Buffer', data: [104, 105] } },
        { filename: 'c.txt', content: [104, 105] },
        { filename: 'd.bin', content: [0, 255] },
        { path: 'https://files.example.com/b.png', content_id: 'b', content_type: 'image/png' },
      ],
    });

    expect(request).toMatchObject({
      to: { address: 'ann@example.com' },
      cc: [{ address: 'carl@example.com' }],
      replyTo: ['help@northwind.example'],
      content: 'Hello Ann',
      htmlContent: '<p>Hello</p>',
      headers: { 'X-Order': '7' },
      tags: { kind: 'receipt' },
      attachments: [
        { filename: 'a.txt', content: { kind: 'inline', base64: 'aGk=' } },
        { filename: 'c.txt', content: { kind: 'inline', base64: 'aGk=' } },
        { filename: 'd.bin', content: { kind: 'inline', base64: 'AP8=' } },
        { contentId: 'b', contentType: 'image/png', content: { kind: 'url' } },
      ],
    });
  });

  it('takes calendars as text, as Laravel writes them', () => {
    const content = '\nBEGIN:VCALENDAR\r\nSUMMARY:Fête\r\nEND:VCALENDAR\r\n';
    const { attachments } = requestOf({ attachments: [{ filename: 'invite.ics', content }] });

    const base64 = Buffer.from(content).toString('base64');
    expect(attachments).toMatchObject([{ content: { kind: 'inline', base64 } }]);
  });

  it('takes the older name of an attachment’s ID where there is no newer one', () => {
    const path = 'https://files.example.com/b.png';
    const { attachments } = requestOf({
      attachments: [
        { path, inline_content_id: 'old' },
        { path, inline_content_id: 'old', content_id: 'new' },
        { path, inline_content_id: 'older', content_id: null },
      ],
    });

    expect(attachments.map(({ contentId }) => contentId)).toEqual(['old', 'new', 'older']);
  });

  it('may have null, and PHP’s empty lists, where it has nothing', () => {
    const nothing = { html: null, cc: [], bcc: null, reply_to: [], headers: [], tags: null };

    expect(fingerprintOf('send', requestOf(nothing))).toBe(fingerprintOf('send', requestOf({})));
  });

  it('takes subject and sender from a template', () => {
    const request = requestOf({
      ...{ from: undefined, subject: undefined, text: undefined },
      template: { id: 'welcome', variables: { name: 'Ann' } },
    });

    expect(request.template?.asked).toMatchObject({ name: 'welcome', variables: { name: 'Ann' } });
  });

  it('is the same request when a relative moment comes again', () => {
    const inAMinute = { scheduled_at: 'in 1 min' };

    const [first, again] = [requestOf(inAMinute), requestOf(inAMinute, now + 5_000)];

    expect(first.sendAt).toBe(now + 60_000);
    expect(again.sendAt).toBe(now + 65_000);
    expect(fingerprintOf('send', again)).toBe(fingerprintOf('send', first));
    expect(fingerprintOf('send', requestOf({ scheduled_at: 'in 2 min' }))).not.toBe(
      fingerprintOf('send', first),
    );
  });

  it.each([
    [{ subject: undefined }, 'subject', 'is required'],
    [{ to: undefined }, 'to', 'is required'],
    [{ from: null }, 'from', 'is required'],
    [{ to: 'nobody' }, 'to', expect.any(String)],
    [{ text: undefined }, 'text', expect.stringContaining('is required unless html is set')],
    [{ replyTo: 'a@b.example' }, 'replyTo', expect.stringContaining('reply_to')],
    [{ scheduled_at: 'next week' }, 'scheduled_at', expect.stringContaining('tomorrow at 9am')],
    [{ topic_id: 'top_1' }, 'topic_id', expect.stringContaining('not supported')],
    [
      {
        tags: [
          { name: 'a', value: '1' },
          { name: 'a', value: '2' },
        ],
      },
      'tags.1.name',
      'is given twice',
    ],
    [{ headers: { 'Message-ID': 'x' } }, 'headers.Message-ID', expect.any(String)],
    [{ attachments: [{ filename: 'a', content: 7 }] }, 'attachments.0.content', expect.any(String)],
    [
      { attachments: [{ filename: 'a', content: [256] }] },
      'attachments.0.content.0',
      'must be at most 255',
    ],
    [{ attachments: [{ content: 'aGk=' }] }, 'attachments.0.filename', 'is required'],
  ])('is refused by Resend’s name of the field: %j', (fields, path, message) => {
    expect(faultsOf(fields)).toContainEqual({ path, message });
  });
});
