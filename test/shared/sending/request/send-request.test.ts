import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FieldError } from '#shared/errors/service-error';
import { parseSendRequest, type SendRequest } from '#shared/sending/request/send-request';
import { buildAttachmentField } from '../../../support/attachment-builder.ts';
import { buildSendBody } from '../../../support/send-body-builder.ts';

function accept(body: unknown, headerKey?: string): SendRequest {
  const parsed = parseSendRequest(body, headerKey);
  if (parsed.ok && 'subject' in parsed.value) return parsed.value;
  throw new Error(`refused: ${JSON.stringify(parsed)}`);
}

function faultsOf(body: unknown, headerKey?: string): readonly FieldError[] {
  const parsed = parseSendRequest(body, headerKey);
  if (parsed.ok) throw new Error('accepted');
  expect(parsed.error.code).toBe('validation_failed');
  return parsed.error.errors ?? [];
}

const pathsOf = (body: unknown, headerKey?: string) =>
  faultsOf(body, headerKey).map(({ path }) => path);

const addressesOf = ({ to, cc, bcc }: SendRequest) =>
  [[to], cc, bcc].map((list) => list.map(({ address }) => address));

const manyAddresses = (count: number) =>
  Array.from({ length: count }, (_, index) => `user${index}@example.com`);

describe('parseSendRequest', () => {
  it('needs only to, subject and content', () => {
    const request = accept({ to: 'ann@example.com', subject: 'Hello', content: 'Hi Ann' });

    expect(request).toEqual({
      to: { address: 'ann@example.com', identity: 'ann@example.com' },
      moreTo: [],
      cc: [],
      bcc: [],
      subject: 'Hello',
      content: 'Hi Ann',
      htmlContent: undefined,
      attachments: [],
      idempotencyKey: undefined,
    });
  });

  it('reports each missing field as required', () => {
    expect(faultsOf({})).toEqual([
      { path: 'to', message: 'is required' },
      { path: 'subject', message: 'is required' },
      { path: 'content', message: expect.stringMatching(/^is required/) },
    ]);
  });

  it("doesn't require content beside htmlContent, from which it makes the text", () => {
    const body = { to: 'ann@example.com', subject: 'Hello', htmlContent: '<p>Hi</p>' };

    expect(accept(body)).toMatchObject({ content: undefined, htmlContent: '<p>Hi</p>' });
    expect(pathsOf({ ...body, htmlContent: undefined })).toEqual(['content']);
  });

  it('reads every field', () => {
    const request = accept({
      to: 'ann@example.com',
      subject: 'Hello',
      content: 'Hi',
      htmlContent: '<p>Hi</p>',
      cc: ['bob@example.com'],
      bcc: ['cy@example.com'],
      attachments: [{ filename: 'a.txt', contentBase64: 'YQ==' }],
      policyKey: 'bulk',
      idempotencyKey: 'key-1',
    });

    expect(request).toMatchObject({
      subject: 'Hello',
      content: 'Hi',
      htmlContent: '<p>Hi</p>',
      policyKey: 'bulk',
      attachments: [
        { filename: 'a.txt', contentType: undefined, content: { kind: 'inline', base64: 'YQ==' } },
      ],
      idempotencyKey: 'key-1',
    });
    expect(addressesOf(request)).toEqual([
      ['ann@example.com'],
      ['bob@example.com'],
      ['cy@example.com'],
    ]);
  });

  it('normalises every address', () => {
    const request = accept(
      buildSendBody({ to: ' Ann@EXAMPLE.com', cc: 'Bob@MÜNCHEN.de', bcc: ['Cy@Example.ORG '] }),
    );

    expect(addressesOf(request)).toEqual([
      ['Ann@example.com'],
      ['Bob@xn--mnchen-3ya.de'],
      ['Cy@example.org'],
    ]);
  });

  it.each(['cc', 'bcc'])('accepts %s as a string or an array', (field) => {
    const asString = accept(buildSendBody({ [field]: 'bob@example.com' }));
    const asArray = accept(buildSendBody({ [field]: ['bob@example.com'] }));

    expect(asString).toEqual(asArray);
    expect(addressesOf(asString).flat()).toContain('bob@example.com');
  });

  it.each([
    ['idempotency_key', 'use idempotencyKey, or the header Idempotency-Key'],
    ['policykey', 'use policyKey'],
    ['attachment', 'did you mean attachments?'],
    ['html', 'use htmlContent'],
    ['text', 'use content'],
    ['template_id', 'use templateId'],
  ])('rejects %s and suggests the intended field', (field, advice) => {
    const fault = { path: field, message: `unknown field: ${advice}` };

    expect(faultsOf(buildSendBody({ [field]: 'x' }))).toEqual([fault]);
    expect(faultsOf({ [field]: null })).toContainEqual(fault);
  });

  it("doesn't suggest a field that the template sets to a request by template", () => {
    const body = { to: 'ann@example.com', templateId: `tpl_${'a'.repeat(32)}`, html: '<p>Hi</p>' };

    expect(faultsOf(body)).toEqual([
      { path: 'html', message: expect.stringContaining('leave it out') },
    ]);
  });

  it('names twenty unknown fields and counts the rest', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`z${index}`, 1]));

    const faults = faultsOf(buildSendBody(many));

    expect(faults).toHaveLength(21);
    expect(faults.at(-1)).toEqual({ path: 'body', message: 'has 4980 more unknown fields' });
  });

  it('shortens the name of an unknown field', () => {
    expect(pathsOf(buildSendBody({ ['x'.repeat(1_000_000)]: 1 }))).toEqual(['x'.repeat(64)]);
  });

  it('counts recipients even when other fields are invalid', () => {
    const cc = [...manyAddresses(49), 'no'];

    expect(pathsOf({ to: 'ann@example.com', subject: '', cc })).toEqual(
      expect.arrayContaining(['subject', 'content', 'cc.49', 'to']),
    );
  });

  it("reports an attachment's missing fields beside its other errors", () => {
    const attachments = [{ contentType: 'pdf' }];

    expect(pathsOf(buildSendBody({ attachments }))).toEqual([
      'attachments.0.contentType',
      'attachments.0.filename',
      'attachments.0.contentBase64',
    ]);
  });

  it.each([
    ['Ann <Ann@example.com>', 'Ann'],
    ['"Lee, Ann" <Ann@example.com>', 'Lee, Ann'],
    ['Ann@example.com', undefined],
    // Shown nowhere, but the email is sent.
    [`${'n'.repeat(101)} <Ann@example.com>`, undefined],
    ['\u202eann <Ann@example.com>', undefined],
  ])('accepts %j with the name that the email shows', (to, name) => {
    const bare = { address: 'Ann@example.com', identity: 'ann@example.com' };
    const named = { ...bare, ...(name !== undefined && { name }) };

    const request = accept(buildSendBody({ to: ['bob@example.com', to] }));

    expect(request.moreTo).toEqual([named]);
    expect(accept(buildSendBody({ to: 'bob@example.com', cc: to, bcc: [to] })).cc).toEqual([named]);
  });

  it('accepts a list of recipients, each once, and names the invalid one', () => {
    const list = ['Ann@example.com', 'bob@example.com', 'ann@example.com'];
    const request = accept(buildSendBody({ to: list, cc: ['BOB@example.com', 'cy@example.com'] }));

    expect([request.to, ...request.moreTo, ...request.cc].map(({ address }) => address)).toEqual([
      'Ann@example.com',
      'bob@example.com',
      'cy@example.com',
    ]);
    expect(accept(buildSendBody({ to: ['ann@example.com'] }))).toEqual(
      accept(buildSendBody({ to: 'ann@example.com' })),
    );
    expect(pathsOf(buildSendBody({ to: ['ann@example.com', 'bob'] }))).toEqual(['to.1']);
    expect(pathsOf(buildSendBody({ to: [] }))).toEqual(['to']);
    expect(pathsOf(buildSendBody({ to: Array(51).fill('ann@example.com') }))).toEqual(['to']);
  });

  it('accepts a sender, with an optional name', () => {
    const { from } = accept(buildSendBody({ from: 'Northwind <Billing@Northwind.example>' }));

    expect(from).toEqual({
      name: 'Northwind',
      address: {
        address: 'Billing@northwind.example',
        identity: 'billing@northwind.example',
      },
    });
    expect(pathsOf(buildSendBody({ from: 'Northwind' }))).toEqual(['from']);
  });

  it.each([
    ['from', 'Northwind hello@northwind.example'],
    ['to', 'Ann Lee ann@example.com'],
    ['replyTo', 'Help help@example.com'],
  ])('reports missing angle brackets in %s %j', (field, value) => {
    expect(faultsOf(buildSendBody({ [field]: value }))).toEqual([
      {
        path: expect.stringMatching(new RegExp(`^${field}`)),
        message: 'must have its address in angle brackets: Name <name@example.com>',
      },
    ]);
  });

  it('explains the expected form when a sender is an object', () => {
    expect(faultsOf(buildSendBody({ from: { email: 'hello@northwind.example' } }))).toEqual([
      { path: 'from', message: 'must be text: name@example.com, or Name <name@example.com>' },
    ]);
  });

  it.each([
    ['to', 'ann@example.com, bob@example.com'],
    ['cc', 'Ann <ann@example.com>; Bob <bob@example.com>'],
  ])("reports that %s can't be %j", (field, value) => {
    expect(faultsOf(buildSendBody({ [field]: value }))[0]?.message).toBe(
      'must be one address; several are an array of strings',
    );
  });

  it('reads a megabyte of separators in linear time', () => {
    expect(pathsOf(buildSendBody({ to: `@${','.repeat(1_000_000)}` }))).toEqual(['to']);
  });

  it("doesn't report missing brackets for an address with a separator outside", () => {
    for (const to of [',a@b@example', 'a@b@c,', 'a,@example']) {
      expect(faultsOf(buildSendBody({ to }))[0]?.message).not.toContain('several');
    }
  });

  it.each([
    ['to', ''],
    ['to', null],
    ['to', 7],
    ['to', { email: 'ann@example.com' }],
    ['to', 'Ann <ann@example.com>, Bob <bob@example.com>'],
    ['to', 'ann@example.com\r\nBcc: eve@example.com'],
    ['subject', ''],
    ['subject', null],
    ['subject', 7],
    ['subject', 'Hello\r\nBcc: eve@example.com'],
    ['subject', 'Hello\nthere'],
    ['subject', 'Hello\rthere'],
    ['subject', 'Hello\u0000'],
    ['subject', 'Hello\u2028there'],
    ['content', ''],
    ['content', null],
    ['content', { text: 'Hi' }],
    ['htmlContent', ''],
    ['htmlContent', null],
    ['htmlContent', ['<p>']],
    ['cc', null],
    ['cc', 7],
    ['cc', { 0: 'bob@example.com' }],
    ['bcc', true],
    ['attachments', null],
    ['attachments', 'YQ=='],
    ['attachments', { 0: {} }],
    ['policyKey', ''],
    ['policyKey', null],
    ['policyKey', ['bulk']],
    ['idempotencyKey', null],
    ['idempotencyKey', 7],
  ])('rejects as %s the value %j', (field, value) => {
    expect(pathsOf(buildSendBody({ [field]: value }))).toEqual([field]);
  });

  it.each([
    ['', null],
    ['', 'YQ=='],
    ['.filename', { filename: undefined }],
    ['.filename', { filename: '../a.txt' }],
    ['.filename', { filename: 'run.exe' }],
    ['.contentBase64', { contentBase64: undefined }],
    ['.contentBase64', { contentBase64: null }],
    ['.contentBase64', { contentBase64: ['YQ=='] }],
    ['.contentBase64', { uploadId: `upl_${'a'.repeat(38)}` }],
    ['.uploadId', { uploadId: 'upl_../../other', contentBase64: undefined }],
    ['.contentType', { contentType: 'pdf' }],
    ['.contentType', { contentType: null }],
    ['.contentId', { contentId: 'cid:logo' }],
    ['.url', { url: '', contentBase64: undefined }],
  ])('names the field %j of an invalid attachment', (field, fault) => {
    const faulty =
      typeof fault === 'object' && fault !== null ? buildAttachmentField(fault) : fault;

    const paths = pathsOf(buildSendBody({ attachments: [buildAttachmentField(), faulty] }));

    expect(paths).toEqual([`attachments.1${field}`]);
  });

  it('leaves base64 and the number of attachments to the later check', () => {
    const many = Array.from({ length: 50 }, () => buildAttachmentField({ contentBase64: '!' }));

    expect(accept(buildSendBody({ attachments: many })).attachments).toHaveLength(50);
  });

  it('checks at most a hundred attachments', () => {
    const thousands = Array.from({ length: 5_000 }, () => ({}));

    const paths = pathsOf(buildSendBody({ attachments: thousands }));

    expect(paths).toContain('attachments.99.filename');
    expect(paths).not.toContain('attachments.100.filename');
  });

  it("names the entry of a list that isn't a string", () => {
    expect(pathsOf(buildSendBody({ cc: ['bob@example.com', 7] }))).toEqual(['cc.1']);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a string', '{"to":"ann@example.com"}'],
    ['a number', 1],
    ['an array', [buildSendBody()]],
  ])('rejects %s as a body, and says that the body is wrong', (_what, body) => {
    expect(pathsOf(body)).toEqual(['body']);
  });

  it.each([
    { field: 'subject', max: 998 },
    { field: 'content', max: 2_000_000 },
    { field: 'htmlContent', max: 2_000_000 },
    { field: 'policyKey', max: 64 },
  ])('accepts $max characters of $field and no more', ({ field, max }) => {
    expect(accept(buildSendBody({ [field]: 'x'.repeat(max) }))).toMatchObject({
      [field]: 'x'.repeat(max),
    });
    expect(pathsOf(buildSendBody({ [field]: 'x'.repeat(max + 1) }))).toEqual([field]);
  });

  it('quotes nothing from a megabyte subject in its answer', () => {
    const [fault] = faultsOf(buildSendBody({ subject: 'x'.repeat(1_000_000) }));

    expect(fault?.path).toBe('subject');
    expect(fault?.message.length).toBeLessThan(200);
  });

  it('keeps unicode and line breaks in text and HTML', () => {
    const fields = { subject: 'Größe 😀', content: 'a\r\n\tb', htmlContent: '<p>\n漢字</p>' };

    expect(accept(buildSendBody(fields))).toMatchObject(fields);
  });

  it('accepts 50 recipients in to, cc and bcc together', () => {
    const [to, ...others] = manyAddresses(50);

    const request = accept(buildSendBody({ to, cc: others.slice(0, 20), bcc: others.slice(20) }));

    expect(addressesOf(request).flat()).toHaveLength(50);
  });

  it.each([
    ['spread over cc and bcc', 25, 25],
    ['in cc', 50, 0],
    ['in bcc', 0, 50],
  ])('rejects a 51st recipient, %s', (_where, ccCount, bccCount) => {
    const others = manyAddresses(50);
    const body = buildSendBody({
      cc: others.slice(0, ccCount),
      bcc: others.slice(ccCount, ccCount + bccCount),
    });

    const faults = faultsOf(body);

    expect(faults).toHaveLength(1);
    expect(faults[0]?.message).toContain('at most 50');
  });

  it.each([{ to: ['nobody'] }, { cc: ['nobody'] }, { to: ['nobody', 'no one'] }])(
    "reports only each address's own error: %j",
    (lists) => {
      const expected = Object.entries(lists).flatMap(([name, list]) =>
        list.map((_, at) => `${name}.${at}`),
      );

      expect(pathsOf(buildSendBody(lists))).toEqual(expected);
    },
  );

  it('rejects a list of thousands', () => {
    expect(pathsOf(buildSendBody({ bcc: manyAddresses(10_000) }))).toEqual(['bcc']);
  });

  it("keeps only the first of an address's several occurrences", () => {
    const request = accept(
      buildSendBody({
        to: 'ann@example.com',
        cc: ['Ann@Example.com', 'bob@example.com', 'BOB@example.com'],
        bcc: ['bob@EXAMPLE.com', 'cy@example.com', 'cy@example.com', 'ann@example.com'],
      }),
    );

    expect(addressesOf(request)).toEqual([
      ['ann@example.com'],
      ['bob@example.com'],
      ['cy@example.com'],
    ]);
  });

  it('never throws on any JSON, and returns either invalid fields or a request', () => {
    const anyBody = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          to: fc.oneof(fc.emailAddress(), fc.jsonValue()),
          subject: fc.jsonValue(),
          content: fc.oneof(fc.string(), fc.jsonValue()),
          htmlContent: fc.jsonValue(),
          cc: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
          bcc: fc.jsonValue(),
          attachments: fc.jsonValue(),
          policyKey: fc.jsonValue(),
          idempotencyKey: fc.jsonValue(),
          ['__proto__']: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
    );

    fc.assert(
      fc.property(
        anyBody,
        fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined }),
        (body, key) => {
          const parsed = parseSendRequest(body, key);

          return parsed.ok || (parsed.error.errors?.length ?? 0) > 0;
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('the idempotency key', () => {
  it.each([
    ['1 character', 'k'],
    ['255 characters', 'k'.repeat(255)],
    ['printable ASCII', ' !"#$%&\'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~'],
  ])('may be %s', (_what, key) => {
    expect(accept(buildSendBody(), key).idempotencyKey).toBe(key);
    expect(accept(buildSendBody({ idempotencyKey: key })).idempotencyKey).toBe(key);
  });

  it.each([
    ['empty', ''],
    ['256 characters', 'k'.repeat(256)],
    ['of non-ASCII characters', 'schlüssel'],
    ['with a line break', 'key\r\nX-Evil: 1'],
    ['with a trailing line break', 'key\n'],
    ['with a tab', 'a\tb'],
    ['with DEL', 'a\u007fb'],
  ])('may not be %s', (_what, key) => {
    expect(pathsOf(buildSendBody(), key)).toEqual(['Idempotency-Key']);
    expect(pathsOf(buildSendBody({ idempotencyKey: key }))).toEqual(['idempotencyKey']);
  });

  it('may be in both header and body if it is the same', () => {
    expect(accept(buildSendBody({ idempotencyKey: 'key-1' }), 'key-1').idempotencyKey).toBe(
      'key-1',
    );
  });

  it('that differs between header and body is rejected, beside every other error', () => {
    const fault = {
      path: 'idempotencyKey',
      message: 'differs from the header Idempotency-Key: send only one, or the same in both',
    };

    expect(faultsOf(buildSendBody({ idempotencyKey: 'body' }), 'header')).toEqual([fault]);
    expect(faultsOf({ idempotencyKey: 'body' }, 'header')).toContainEqual(fault);
  });
});
