import * as fc from 'fast-check';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { contentIdFault } from '#shared/attachments/content-id';
import { maxHeaderValueLength } from '#shared/sending/request/send-fields';
import { parseMessage } from '../../../infra/smtp/parsing.ts';
import { translate } from '../../../infra/smtp/translation.ts';

type Given = { readonly recipients?: readonly string[]; readonly body?: string };

async function translated(headers: readonly string[], { recipients, body = 'Hi' }: Given = {}) {
  const raw = Buffer.from([...headers, '', body].join('\r\n'));
  const mail = await parseMessage(raw);
  if (mail === undefined) throw new Error('It is not valid MIME');
  return translate({ raw, mail, recipients: recipients ?? ['ann@example.com'] });
}

async function requestFor(headers: readonly string[], given: Given = {}) {
  const translation = await translated(headers, given);
  if (!translation.ok) throw new Error(translation.code);
  return translation.request;
}

const keyFor = async (headers: readonly string[], given: Given = {}) =>
  (await requestFor(headers, given)).idempotencyKey;

const base64 = (text: string) => Buffer.from(text).toString('base64');
/** RFC 2047. */
const encoded = (text: string) => `=?UTF-8?B?${base64(text)}?=`;
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
      'an emoji domain is ASCII, as the API takes it',
      ['To: Ann <ann@xn--ls8h.la>', 'Reply-To: help@xn--ls8h.la'],
      ['ann@💩.la'],
      { to: ['Ann <ann@xn--ls8h.la>'], replyTo: ['help@xn--ls8h.la'] },
    ],
    [
      'an emoji domain is ASCII for a blind copy, too',
      [toAnn],
      ['ann@example.com', 'bob@💩.la'],
      { to: ['Ann <ann@example.com>'], bcc: ['bob@xn--ls8h.la'] },
    ],
    [
      'a name of several lines is one line',
      [`To: ${encoded('Ann\r\nLee')} <ann@example.com>`],
      ['ann@example.com'],
      { to: ['Ann Lee <ann@example.com>'] },
    ],
    [
      'Bcc of the message is not trusted',
      [toAnn, 'Bcc: eve@example.com'],
      ['ann@example.com'],
      { to: ['Ann <ann@example.com>'] },
    ],
  ])('%s', async (_, headers, recipients, people) => {
    const { body } = await requestFor(headers, { recipients });

    const { to, cc, bcc, replyTo } = body;
    expect(JSON.parse(JSON.stringify({ to, cc, bcc, replyTo }))).toEqual(people);
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

  it('that are all blind copies are refused, as To would reveal one to the others', async () => {
    expect(await translated([], { recipients: both })).toMatchObject({
      code: 'no_visible_recipient',
    });
  });
});

describe('the idempotency key', () => {
  it('is the Message-ID, unless Idempotency-Key overrides it', async () => {
    const messageId = 'Message-ID: <1@example.com>';

    expect(await keyFor([toAnn, messageId])).toBe('1@example.com');
    expect(await keyFor([toAnn, messageId, 'Idempotency-Key: order-7'])).toBe('order-7');
  });

  it('differs between transactions of one message to different recipients', async () => {
    const headers = ['To: ann@example.com, bob@example.com', 'Message-ID: <1@example.com>'];

    const parts = await Promise.all(both.map((one) => keyFor(headers, { recipients: [one] })));
    const again = await keyFor(headers, { recipients: ['ann@example.com'] });
    const whole = await keyFor(headers, { recipients: both.toReversed() });

    expect(new Set([...parts, whole]).size).toBe(3);
    expect(again).toBe(parts[0]);
    expect(whole).toBe('1@example.com');
  });

  it.each([
    ['no header', []],
    ['an empty group', ['To: undisclosed-recipients:;']],
  ])('differs between separately delivered blind copies: %s', async (_, headers) => {
    const message = [...headers, 'Message-ID: <1@example.com>'];

    const [ann, bob, again] = [
      await keyFor(message, { recipients: ['ann@example.com'] }),
      await keyFor(message, { recipients: ['bob@example.com'] }),
      await keyFor(message, { recipients: ['ann@example.com'] }),
    ];

    expect(ann).not.toBe(bob);
    expect(again).toBe(ann);
  });

  it('is a digest of bytes and recipients if only a Date identifies the message, and absent without one', async () => {
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
  it('are passed on unfolded, except those of transport and structure', async () => {
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

  it('keep the first and last references of a long thread', async () => {
    const lengths = fc.array(fc.nat(200), { minLength: 2, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(lengths, async (each) => {
        const ids = each.map((length, index) => `<${index}${'x'.repeat(length)}@example.com>`);

        const { body } = await requestFor([toAnn, `References: ${ids.join('\r\n ')}`]);

        const { References } = z.object({ References: z.string() }).parse(body['headers']);
        const [first, ...last] = References.split(' ');
        expect(References.length).toBeLessThanOrEqual(maxHeaderValueLength);
        expect(first).toBe(ids[0]);
        expect(last).toEqual(ids.slice(-last.length));
        const next = ids.at(-last.length - 1) ?? '';
        const isWhole = last.length === ids.length - 1;
        expect(isWhole || `${References} ${next}`.length > maxHeaderValueLength).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['several_senders', ['From: a@example.com, b@example.com']],
    ['several_senders', ['From: a@example.com', 'From: b@example.com']],
    ['header_given_twice', ['X-Order: 7', 'x-order: 8']],
    ['unalterable_message', ['Content-Type: multipart/encrypted; boundary=b']],
    ['unalterable_message', ['Content-Type: application/pkcs7-mime; name=smime.p7m']],
  ])("are refused if they can't be passed on: %s", async (code, headers) => {
    expect(await translated([toAnn, ...headers])).toMatchObject({ ok: false, code });
  });
});

/** What the service gets for a message of these parts. */
async function contentOf(type: string, ...parts: readonly (readonly string[])[]) {
  const body = [...parts.flatMap((part) => ['--b', ...part]), '--b--'].join('\r\n');
  return (await requestFor([toAnn, `Content-Type: ${type}; boundary=b`], { body })).body;
}

/** What the service gets for a message that `nodemailer` makes. */
async function contentOfMail(mail: SendMailOptions) {
  const transport = createTransport({ streamTransport: true, buffer: true });
  const { message } = await transport.sendMail({ to: 'ann@example.com', ...mail });
  const [head = '', ...body] = message.toString().split('\r\n\r\n');
  return (await requestFor(head.split('\r\n'), { body: body.join('\r\n\r\n') })).body;
}

describe('the subject', () => {
  it.each([
    ['is none', []],
    ['is empty', ['Subject: ']],
    ['has control characters only', [`Subject: ${encoded('\r\n\0')}`]],
  ])('has a placeholder where it %s', async (_, headers) => {
    expect((await requestFor([toAnn, ...headers])).body['subject']).toBe('(no subject)');
  });

  it('is one line without control characters from encoded words', async () => {
    const { body } = await requestFor([toAnn, `Subject: ${encoded('Order\r\n7\u2028\0paid\n')}`]);

    expect(body['subject']).toBe('Order 7 paid');
  });
});

const readAttachments = (given: unknown) =>
  z.array(z.object({ contentId: z.optional(z.string()) })).parse(given);

const html = ['Content-Type: text/html', '', '<p>Hello</p>'];
const text = ['Content-Type: text/plain', '', 'Hello'];

describe('the content', () => {
  it('is a blank line if the message has only attachments', async () => {
    const pdf = ['Content-Type: application/pdf; name=a.pdf', '', 'x'];

    expect(await contentOf('multipart/mixed', pdf)).toMatchObject({
      content: '\n',
      attachments: [{ filename: 'a.pdf', contentType: 'application/pdf' }],
    });
  });

  it('has a contentId only for images that the HTML shows', async () => {
    const image = (cid: string) => [
      `Content-ID: <${cid}>`,
      ...['Content-Type: image/png; name=a.png', '', 'x'],
    ];
    const shown = ['Content-Type: text/html', '', '<img src="cid:shown">'];

    const body = await contentOf('multipart/related', shown, image('shown'), image('other'));

    const [first, second] = readAttachments(body['attachments']);
    expect(first?.contentId).toBeDefined();
    expect(body['htmlContent']).toContain(`<img src="cid:${first?.contentId}">`);
    expect(second).not.toHaveProperty('contentId');
    expect(JSON.stringify(body)).not.toContain('"other"');
  });

  it('is stable when a program generates new image IDs or names for each rendering', async () => {
    const rendered = (ids: readonly [string, string], name: string) =>
      contentOfMail({
        html: ids.map((cid) => `<img src="cid:${cid}">`).join(),
        attachments: [
          { filename: 'logo.png', cid: ids[0], content: 'logo' },
          { filename: name, cid: ids[1], content: 'photo', contentType: 'image/png' },
        ],
      });

    const [first, second] = [
      await rendered(['1@mac.example', 'a@app.example'], 'Xk3jdf82ka'),
      await rendered(['2@mac.example', 'b@app.example'], 'p0Qz7tRw1c'),
    ];

    expect(second).toEqual(first);
    expect(first['attachments']).toMatchObject([
      { filename: 'logo.png' },
      { filename: expect.stringMatching(/^image-\w+\.png$/) },
    ]);
  });

  it('shows both of two identical images', async () => {
    const image = (cid: string) => ({ filename: `${cid}.png`, cid, content: 'same' });

    const body = await contentOfMail({
      html: '<img src="cid:one"> <img src="cid:two">',
      attachments: [image('one'), image('two')],
    });

    const [first, second] = readAttachments(body['attachments']);
    expect(second?.contentId).not.toBe(first?.contentId);
    expect(body['htmlContent']).toBe(
      `<img src="cid:${first?.contentId}"> <img src="cid:${second?.contentId}">`,
    );
  });

  it('shows images with an invalid or duplicate Content-ID', async () => {
    const long = `${'x'.repeat(80)}@example.com`;
    const image = (filename: string, cid: string) => ({ filename, cid, content: filename });

    const body = await contentOfMail({
      html: `<img src="cid:${long}"> <img src="cid:twice">`,
      attachments: [image('a.png', long), image('b.png', 'twice'), image('c.png', 'twice')],
    });

    const [first, second, third] = readAttachments(body['attachments']);
    expect(contentIdFault(first?.contentId ?? '')).toBeUndefined();
    expect(body['htmlContent']).toContain(`<img src="cid:${first?.contentId}">`);
    expect(body['htmlContent']).toContain(`<img src="cid:${second?.contentId}">`);
    expect(third).not.toHaveProperty('contentId');
  });

  it('attaches a text file with inline disposition', async () => {
    const log = { filename: 'log.txt', content: 'A line', contentDisposition: 'inline' } as const;

    const body = await contentOfMail({ html: '<p>Hello</p>', attachments: [log] });

    expect(body).not.toHaveProperty('content');
    expect(body).toMatchObject({
      htmlContent: '<p>Hello</p>',
      attachments: [{ filename: 'log.txt', contentBase64: base64('A line') }],
    });
  });

  it('attaches an HTML file with inline disposition, next to the text', async () => {
    const report = {
      ...{ filename: 'Bericht für Ann.html', content: '<p>Report</p>' },
      contentDisposition: 'inline',
    } as const;

    const body = await contentOfMail({ text: 'Report attached', attachments: [report] });

    expect(body).not.toHaveProperty('htmlContent');
    expect(body).toMatchObject({
      content: 'Report attached',
      attachments: [{ filename: 'Bericht für Ann.html', contentType: 'text/html' }],
    });
  });

  it('attaches a text file without a disposition', async () => {
    const log = ['Content-Type: text/plain; name=log.txt', '', 'A line'];

    expect(await contentOf('multipart/mixed', html, log)).toMatchObject({
      htmlContent: '<p>Hello</p>',
      attachments: [{ filename: 'log.txt', contentBase64: base64('A line') }],
    });
  });

  it.each([
    [
      'the only part',
      'multipart/mixed',
      [['Content-Type: text/plain; name=body.txt', '', 'Hello']],
    ],
    [
      'alternatives',
      'multipart/alternative',
      [text, ['Content-Type: text/html; name=body.html', '', '<p>Hello</p>']],
    ],
  ])('keeps a body part that has a file name: %s', async (_, type, parts) => {
    const body = await contentOf(type, ...parts);

    expect(body).toMatchObject({ content: 'Hello' });
    expect(body).not.toHaveProperty('attachments');
  });

  it.each([
    ['HTML, then text', [html, ['', 'A line']], /Hello.*A line/s],
    ['text, then HTML', [['', 'A line'], html], /A line.*Hello/s],
  ])(
    'has the complete body in the HTML, and drops an incomplete text: %s',
    async (_, parts, words) => {
      const body = await contentOf('multipart/mixed', ...parts);

      expect(body['htmlContent']).toMatch(words);
      expect(body).not.toHaveProperty('content');
    },
  );

  it.each([
    ['Invoice 2026/07.pdf', '07.pdf'],
    [String.raw`C:\temp\a.pdf`, 'a.pdf'],
    ['two\nlines.pdf', 'two lines.pdf'],
    ['scans/', 'attachment-1'],
    ['a/..', 'attachment-1'],
  ])("passes the file %j in the API's form", async (filename, taken) => {
    const body = await contentOfMail({ attachments: [{ filename, content: 'x' }] });

    expect(body['attachments']).toMatchObject([{ filename: taken }]);
  });

  it('has the footer that a mailing list adds in both alternatives', async () => {
    const alternatives = [
      ...['Content-Type: multipart/alternative; boundary=c', ''],
      ...['--c', ...text, '--c', ...html, '--c--'],
    ];

    const body = await contentOf('multipart/mixed', alternatives, ['', 'You <get> this']);

    expect(body['content']).toMatch(/Hello\s+You <get> this/);
    expect(body['htmlContent']).toMatch(/<p>Hello<\/p>.*You &lt;get&gt; this/s);
  });
});

/** As old programs send it. */
async function bodyOfBytes(bytes: Buffer) {
  const mail = await parseMessage(bytes);
  if (mail === undefined) throw new Error('It is not valid MIME');
  const translation = translate({ raw: bytes, mail, recipients: ['ann@example.com'] });
  if (!translation.ok) throw new Error(translation.code);
  return translation.request.body;
}

describe('non-ASCII text without a charset', () => {
  const message = (...lines: readonly string[]) =>
    [toAnn, 'From: Jürgen <hello@example.com>', 'Subject: Grüße', ...lines].join('\r\n');
  const whole = {
    ...{ from: 'Jürgen <hello@example.com>', subject: 'Grüße' },
    content: expect.stringMatching(/^Größe\s*$/),
  };

  it.each([
    ['no MIME', message('', 'Größe'), 'latin1'],
    ['no charset', message('Content-Type: text/plain', '', 'Größe'), 'latin1'],
    ['ASCII', message('Content-Type: text/plain; charset=us-ascii', '', 'Größe'), 'latin1'],
    [
      'ASCII by the name of cron',
      message('Content-Type: text/plain; charset=ANSI_X3.4-1968', '', 'Größe'),
      'utf8',
    ],
    [
      'a charset for the words only',
      message('Content-Type: text/plain; charset=iso-8859-1', '', 'Größe'),
      'latin1',
    ],
    ['UTF-8 that says so nowhere', message('', 'Größe'), 'utf8'],
    [
      'quoted-printable',
      message(
        'Content-Type: text/plain',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        'Gr=F6=DF=\r\ne',
      ),
      'latin1',
    ],
    [
      'base64',
      message('Content-Type: text/plain', 'Content-Transfer-Encoding: base64', '', 'R3L232U='),
      'latin1',
    ],
  ] as const)('is decoded: %s', async (_, text, encoding) => {
    expect(await bodyOfBytes(Buffer.from(text, encoding))).toMatchObject(whole);
  });

  it("uses the body's charset in headers, and each part's own in bodies and file names", async () => {
    const body = await bodyOfBytes(
      Buffer.from(
        [
          ...[toAnn, 'Subject: \xb1', 'Content-Type: multipart/mixed; boundary=b', ''],
          ...['--b', 'Content-Type: text/plain; charset=iso-8859-2', '', '\xb1'],
          ...['--b', 'Content-Type: text/html', '', '<p>\xfc</p>'],
          ...['--b', 'Content-Type: text/csv; name="\xb1.csv"', '', '\xb1', '--b--'],
        ].join('\r\n'),
        'latin1',
      ),
    );

    expect(body).toMatchObject({
      subject: 'ą',
      htmlContent: expect.stringMatching(/&aogon;.*<p>ü<\/p>/s),
      attachments: [{ filename: 'ą.csv', contentBase64: Buffer.from([0xb1]).toString('base64') }],
    });
  });
});

describe('an attached email', () => {
  const inner = ['Subject: Inner', '', 'Words of the inner one'];

  it.each([
    [['Content-Type: message/rfc822'], 'attachment-2.eml'],
    [['Content-Type: message/rfc822', 'Content-Disposition: inline'], 'attachment-2.eml'],
    [['Content-Type: message/rfc822; name=orig.eml'], 'orig.eml'],
    [['Content-Type: application/octet-stream; name=orig.eml'], 'orig.eml'],
    [['Content-Type: message/delivery-status'], 'attachment-2.txt'],
  ])('has a type that the API accepts: %j', async (headers, filename) => {
    const pdf = ['Content-Type: application/pdf; name=a.pdf', '', 'x'];

    const body = await contentOf('multipart/mixed', text, pdf, [...headers, '', ...inner]);

    expect(body).toMatchObject({
      content: 'Hello',
      attachments: [
        {},
        {
          ...{ filename, contentType: 'application/octet-stream' },
          contentBase64: base64(inner.join('\r\n')),
        },
      ],
    });
  });
});
