import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mailboxesIn } from '#shared/contacts/mailbox';
import {
  batchForms,
  postmarkEmailSchema,
  postmarkTemplateEmailSchema,
  readPostmarkBatch,
  readPostmarkEmail,
} from '#shared/postmark/email-request';
import { faultsInPostmarkNames } from '#shared/postmark/field-names';
import { fingerprintOf } from '#shared/sending/fingerprint';

const email = {
  From: 'Northwind <hello@northwind.example>',
  To: 'ann@example.com',
  Subject: 'Hello',
  TextBody: 'Hello Ann',
};
const byTemplate = { From: email.From, To: email.To, TemplateAlias: 'welcome' };

const received = (value: unknown) => ({ ok: true, value }) as const;

const read = (fields: object) =>
  readPostmarkEmail(postmarkEmailSchema, received({ ...email, ...fields }), undefined).request;
const readTemplate = (fields: object) =>
  readPostmarkEmail(postmarkTemplateEmailSchema, received({ ...byTemplate, ...fields }), undefined)
    .request;

const file = (Name: string, fields: object) => ({ Name, Content: 'aGk=', ...fields });

function requestOf(request: ReturnType<typeof read>) {
  if (!request.ok) throw request.error;
  return request.value;
}
const faultsOf = (request: ReturnType<typeof read>) =>
  request.ok ? [] : faultsInPostmarkNames(request.error);

describe('an email of Postmark’s API', () => {
  it('becomes one of ours, field by field', () => {
    const request = requestOf(
      read({
        To: '"Lee, Ann" <ann@example.com>, bob@example.com',
        Cc: 'carl@example.com',
        ReplyTo: 'help@northwind.example',
        HtmlBody: '<img src="cid:a">',
        Tag: 'welcome',
        Metadata: { order: '7' },
        Headers: [
          { Name: 'X-Order', Value: '7' },
          { Name: 'Message-ID', Value: '<1@host>' },
        ],
        Attachments: [{ Name: 'a.txt', Content: 'aG\r\nk=', ContentID: 'cid:a' }],
        TrackOpens: true,
        TrackLinks: 'None',
        MessageStream: 'broadcast',
      }),
    );

    expect(request).toMatchObject({
      to: { address: 'ann@example.com', name: 'Lee, Ann' },
      moreTo: [{ address: 'bob@example.com' }],
      cc: [{ address: 'carl@example.com' }],
      replyTo: ['help@northwind.example'],
      htmlContent: '<img src="cid:a">',
      headers: { 'X-Order': '7' },
      tags: { tag: 'welcome' },
      metadata: { order: '7' },
      attachments: [{ contentId: 'a', content: { kind: 'inline', base64: 'aGk=' } }],
      tracking: { opens: true, clicks: false },
      policyKey: 'bulk',
    });
    expect(request.headers).toEqual({ 'X-Order': '7' });
  });

  it('may have null, empty texts and PHP’s empty lists where it has nothing', () => {
    const nothing = {
      ...{ Cc: '', Bcc: null, ReplyTo: '', HtmlBody: null, Tag: '', MessageStream: '' },
      ...{ Metadata: [], Headers: [], Attachments: [], TrackOpens: null, TrackLinks: null },
    };

    const plain = fingerprintOf('send', requestOf(read({})));

    expect(fingerprintOf('send', requestOf(read(nothing)))).toBe(plain);
    expect(fingerprintOf('send', requestOf(read({ TrackLinks: '' })))).toBe(plain);
  });

  it('keeps an ID of an attachment that its HTML shows, by either name, and drops the others', () => {
    const request = requestOf(
      read({
        HtmlBody: '<img src="cid:logo"> <img src="cid:map.png">',
        Attachments: [
          file('logo.png', { ContentId: 'cid:logo' }),
          file('map.png', { ContentId: 'map.png' }),
          file('a b.pdf', { ContentId: 'a b.pdf' }),
          file('a.pdf', { ContentID: 'a.pdf' }),
        ],
      }),
    );

    expect(request.attachments.map(({ contentId }) => contentId)).toEqual([
      ...['logo', 'map.png', undefined, undefined],
    ]);
  });

  it('shows an image whose ID is longer than ours may be, as Rails makes them', () => {
    const long = `${'a'.repeat(80)}@host.mail`;

    const request = requestOf(
      read({
        HtmlBody: `<img src="cid:${long}">`,
        Attachments: [file('logo.png', { ContentID: `cid:${long}` })],
      }),
    );

    const [image] = request.attachments;
    expect(image?.contentId).toBeDefined();
    expect(request).toMatchObject({ htmlContent: `<img src="cid:${image?.contentId}">` });
  });

  it('has no attachment inside a text alone', () => {
    const request = requestOf(read({ Attachments: [file('a.png', { ContentID: 'a' })] }));

    expect(request.attachments).toMatchObject([{ filename: 'a.png', contentId: undefined }]);
  });

  it.each<[fields: object, path: string, message: RegExp]>([
    [{ To: 'ann@example.com, bob' }, 'To.1', /email address/],
    [{ To: ' , ' }, 'To', /required/],
    [{ From: '' }, 'From', /email address/],
    [{ Subject: null }, 'Subject', /required/],
    [{ TextBody: '' }, 'TextBody', /is required unless HtmlBody is set/],
    [{ Tag: 'two words' }, 'Tag', /letters, digits/],
    [{ HtmlBody: '<a href="{{{ pm:unsubscribe }}}">' }, 'HtmlBody', /pm:….*remove it.*bulk/],
    [{ TextBody: 'Leave: {{{pm:unsubscribe_url}}}' }, 'TextBody', /pm:….*remove it.*bulk/],
    [{ TrackLinks: 'TextOnly' }, 'TrackLinks', /HtmlOnly/],
    [{ Headers: [{ Name: 'X-PM-Tag', Value: 'a' }] }, 'Headers.0.Name', /not supported/],
    [{ Headers: [1, 2].map((n) => ({ Name: 'X-A', Value: `${n}` })) }, 'Headers.1.Name', /twice/],
    [{ Attachments: [{ Name: '', Content: 'aGk=' }] }, 'Attachments.0.Name', /./],
    [{ TemplateAlias: 'welcome' }, 'TemplateAlias', /unknown field/],
    [{ constructor: 1 }, 'constructor', /unknown field/],
  ])('is refused with %o by its own name', (fields, path, message) => {
    expect(faultsOf(read(fields))).toEqual([{ path, message: expect.stringMatching(message) }]);
  });
});

describe('an email by template of Postmark’s API', () => {
  it.each([
    { TemplateAlias: 'welcome' },
    { TemplateAlias: '', TemplateId: `tpl_${'a'.repeat(32)}` },
  ])('names it by %o', (name) => {
    const request = requestOf(readTemplate({ ...name, TemplateModel: { name: 'Ann' } }));

    expect(request.template?.asked).toMatchObject({
      name: name.TemplateId ?? name.TemplateAlias,
      variables: { name: 'Ann' },
    });
  });

  it('has an alias beside the number 0, which PHP’s models write for no ID', () => {
    const request = requestOf(readTemplate({ TemplateId: 0 }));

    expect(request.template?.asked).toMatchObject({ name: 'welcome' });
  });

  it('keeps the IDs of attachments, which the template may show, but for names as PHP gives them', () => {
    const request = requestOf(
      readTemplate({
        Attachments: [
          file('logo.png', { ContentID: 'cid:logo.png' }),
          file('map.png', { ContentId: 'cid:map.png' }),
          file('a b.pdf', { ContentId: 'a b.pdf' }),
        ],
      }),
    );

    expect(request.attachments.map(({ contentId }) => contentId)).toEqual([
      ...['logo.png', 'map.png', undefined],
    ]);
  });

  it.each<[fields: object, path: string, message: RegExp]>([
    [{ TemplateAlias: null }, 'TemplateAlias', /required/],
    [{ TemplateAlias: null, TemplateId: 0 }, 'TemplateAlias', /required/],
    [{ TemplateId: 7 }, 'TemplateId', /tpl_/],
    [{ InlineCss: true }, 'InlineCss', /not supported here/],
    [{ Subject: 'Hello' }, 'Subject', /unknown field/],
  ])('is refused with %o by its own name', (fields, path, message) => {
    expect(faultsOf(readTemplate(fields))).toEqual([
      { path, message: expect.stringMatching(message) },
    ]);
  });
});

describe('a batch of Postmark’s API', () => {
  it.each([
    ['no email', []],
    ['too many', Array.from({ length: 101 }, () => email)],
    ['no list', { emails: [email] }],
  ])('is refused with %s', (_, body) => {
    const { batch } = readPostmarkBatch(batchForms.list, received(body), undefined);

    expect(batch).toMatchObject({ ok: false, error: { code: 'validation_failed' } });
  });
});

describe('a list of mailboxes', () => {
  const name = fc.string({ minLength: 1, maxLength: 9 }).map((text) => text.trim());
  const quoted = name.map((text) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`);
  const entry = quoted.map((text) => `${text} <ann@example.com>`);

  it('is divided at commas that no quotes enclose', () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1 }), (entries) => {
        expect(mailboxesIn(entries.join(' , '))).toEqual(entries);
      }),
    );
  });

  it('takes no longer than its text, however its quotes stand', () => {
    const list = '"\\'.repeat(1_000_000);

    expect(mailboxesIn(list)).toEqual([list]);
  });
});
