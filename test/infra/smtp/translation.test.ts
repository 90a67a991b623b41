import * as fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { describe, expect, it } from 'vitest';
import { translate } from '../../../infra/smtp/translation.ts';

type Given = { readonly recipients?: readonly string[]; readonly body?: string };

async function translated(headers: readonly string[], { recipients, body = 'Hi' }: Given = {}) {
  const raw = Buffer.from([...headers, '', body].join('\r\n'));
  const mail = await simpleParser(raw, { keepCidLinks: true, skipHtmlToText: true });
  return translate({ raw, mail, recipients: recipients ?? ['ann@example.com'] });
}

async function requestFor(headers: readonly string[], given: Given = {}) {
  const translation = await translated(headers, given);
  if (!translation.ok) throw new Error(translation.code);
  return translation.request;
}

const keyFor = async (headers: readonly string[], given: Given = {}) =>
  (await requestFor(headers, given)).idempotencyKey;

const toAnn = 'To: Ann <ann@example.com>';
const both = ['ann@example.com', 'bob@example.com'];

describe('recipients', () => {
  it.each([
    [
      'one that To names keeps its name',
      [toAnn],
      ['ann@example.com'],
      { to: ['Ann <ann@example.com>'] },
    ],
    [
      'one that no header names is a blind copy',
      [toAnn],
      both,
      { to: ['Ann <ann@example.com>'], bcc: ['bob@example.com'] },
    ],
    [
      'one that is in a header only gets nothing',
      [toAnn, 'Cc: eve@example.com'],
      ['ann@example.com'],
      { to: ['Ann <ann@example.com>'] },
    ],
    [
      'Cc stands for To where no To is a recipient',
      ['Cc: ann@example.com'],
      both,
      { to: ['ann@example.com'], bcc: ['bob@example.com'] },
    ],
    [
      'a single one needs no header',
      ['To: undisclosed-recipients:;'],
      ['ann@example.com'],
      { to: ['ann@example.com'] },
    ],
    [
      'members of a group are people',
      ['To: Team: Ann <ann@example.com>;'],
      ['ann@example.com'],
      { to: ['Ann <ann@example.com>'] },
    ],
    [
      'case and IDN forms are the same',
      ['To: A@Bücher.example'],
      ['a@xn--bcher-kva.example'],
      { to: ['a@xn--bcher-kva.example'] },
    ],
    [
      'Bcc of the message is not trusted',
      [toAnn, 'Bcc: eve@example.com'],
      ['ann@example.com'],
      { to: ['Ann <ann@example.com>'] },
    ],
  ])('%s', async (_, headers, recipients, people) => {
    const { body } = await requestFor(headers, { recipients });

    const { to, cc, bcc } = body;
    expect(JSON.parse(JSON.stringify({ to, cc, bcc }))).toEqual(people);
  });

  it('are exactly those of RCPT TO, whatever the headers name', async () => {
    const address = fc.constantFrom('a@x.example', 'b@x.example', 'c@x.example', 'd@x.example');
    const some = fc.uniqueArray(address);
    await fc.assert(
      fc.asyncProperty(
        some,
        some,
        fc.uniqueArray(address, { minLength: 1 }),
        async (to, cc, recipients) => {
          const headers = [
            `To: ${to.join(', ') || 'nobody:;'}`,
            `Cc: ${cc.join(', ') || 'nobody:;'}`,
          ];

          const translation = await translated(headers, { recipients });

          if (!translation.ok) {
            expect(translation.code).toBe('no_visible_recipient');
            return;
          }
          const { body } = translation.request;
          const reached = [body['to'], body['cc'] ?? [], body['bcc'] ?? []].flat();
          expect(reached.toSorted()).toEqual(recipients.toSorted());
        },
      ),
      { numRuns: 60 },
    );
  });

  it('that are all blind are refused: To would reveal one to the others', async () => {
    expect(await translated([], { recipients: both })).toMatchObject({
      code: 'no_visible_recipient',
    });
  });
});

describe('the idempotency key', () => {
  it('is the Message-ID, or what Idempotency-Key says', async () => {
    const messageId = 'Message-ID: <1@example.com>';

    expect(await keyFor([toAnn, messageId])).toBe('1@example.com');
    expect(await keyFor([toAnn, messageId, 'Idempotency-Key: order-7'])).toBe('order-7');
  });

  it('differs between the parts of a message that is delivered to each of its recipients', async () => {
    const headers = ['To: ann@example.com, bob@example.com', 'Message-ID: <1@example.com>'];

    const parts = await Promise.all(both.map((one) => keyFor(headers, { recipients: [one] })));
    const again = await keyFor(headers, { recipients: ['ann@example.com'] });
    const whole = await keyFor(headers, { recipients: both.toReversed() });

    expect(new Set([...parts, whole]).size).toBe(3);
    expect(again).toBe(parts[0]);
    expect(whole).toBe('1@example.com');
  });

  it('is of the bytes and recipients where only a Date tells messages apart, and none without', async () => {
    const dated = [toAnn, 'Date: Mon, 23 Nov 2026 14:00:00 +0000'];

    const [first, same, other, undated] = [
      await keyFor(dated),
      await keyFor(dated),
      await keyFor(dated, { body: 'Other' }),
      await keyFor([toAnn]),
    ];

    expect(first).toBe(same);
    expect(other).not.toBe(first);
    expect(undated).toBeUndefined();
  });

  it.each([`<${'x'.repeat(900)}@example.com>`, '<ü@example.com>'])(
    'fits the API: %#',
    async (id) => {
      expect(await keyFor([toAnn, `Message-ID: ${id}`])).toMatch(/^[0-9a-f]{64}$/);
    },
  );
});

describe('headers', () => {
  it('of its own are passed on in one line, and those of transport and structure are not', async () => {
    const { body } = await requestFor([
      toAnn,
      'From: Northwind <hello@example.com>',
      'Sender: hello@example.com',
      'Received: from somewhere',
      'DKIM-Signature: v=1',
      'MIME-Version: 1.0',
      'Content-Language: de',
      'X-Order: 7',
      'References: <a@example.com>',
      '\t<b@example.com>',
      'X-Tag: kind:receipt',
      'X-Policy-Key: bulk',
    ]);

    expect(body).toMatchObject({
      from: 'Northwind <hello@example.com>',
      headers: { 'X-Order': '7', References: '<a@example.com> <b@example.com>' },
      tags: { kind: 'receipt' },
      policyKey: 'bulk',
    });
    expect(Object.keys(Object(body['headers']))).toEqual(['X-Order', 'References']);
  });

  it.each([
    ['several_senders', ['From: a@example.com, b@example.com']],
    ['several_senders', ['From: a@example.com', 'From: b@example.com']],
    ['header_given_twice', ['X-Order: 7', 'x-order: 8']],
    ['unalterable_message', ['Content-Type: multipart/encrypted; boundary=b']],
    ['unalterable_message', ['Content-Type: application/pkcs7-mime; name=smime.p7m']],
  ])('that cannot be passed on are refused: %s', async (code, headers) => {
    expect(await translated([toAnn, ...headers])).toMatchObject({ ok: false, code });
  });
});

describe('the content', () => {
  it('is a blank line where there is none, as attachments often come alone', async () => {
    const headers = [toAnn, 'Content-Type: multipart/mixed; boundary=b'];
    const body = [
      '--b',
      'Content-Type: message/rfc822',
      'Content-Disposition: attachment',
      '',
      'Subject: x',
      '',
      'y',
      '--b--',
    ];

    const request = await requestFor(headers, { body: body.join('\r\n') });

    expect(request.body).toMatchObject({
      content: '\n',
      attachments: [{ filename: 'attachment-1.eml', contentType: 'message/rfc822' }],
    });
  });

  it('has a contentId for images that the HTML shows only', async () => {
    const headers = [toAnn, 'Content-Type: multipart/related; boundary=b'];
    const image = (cid: string) => [
      '--b',
      `Content-ID: <${cid}>`,
      'Content-Type: image/png; name=a.png',
      '',
      'x',
    ];
    const body = [
      '--b',
      'Content-Type: text/html',
      '',
      '<img src="cid:shown">',
      ...image('shown'),
      ...image('other'),
      '--b--',
    ];

    const request = await requestFor(headers, { body: body.join('\r\n') });

    expect(request.body['htmlContent']).toContain('cid:shown');
    expect(request.body['attachments']).toMatchObject([{ contentId: 'shown' }, {}]);
    expect(JSON.stringify(request.body)).not.toContain('"other"');
  });
});
