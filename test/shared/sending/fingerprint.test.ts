import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '#shared/sending/fingerprint';
import { parseSendRequest, type SendRequest } from '#shared/sending/request/send-request';
import { base64OfLength, buildAttachments } from '../../support/attachment-builder.ts';
import { buildEmailAddress } from '../../support/email-address-builder.ts';
import { buildSendBody } from '../../support/send-body-builder.ts';
import { buildSendRequest } from '../../support/send-request-builder.ts';

/** Few values, so that equal requests occur too. */
const anyRequest: fc.Arbitrary<SendRequest> = fc.record({
  to: fc.constantFrom('ann@example.com', 'bob@example.com').map(buildEmailAddress),
  moreTo: fc
    .subarray(['cy@example.com', 'flo@example.com'])
    .map((list) => list.map(buildEmailAddress)),
  replyTo: fc.constantFrom(undefined, ['help@example.com'], ['a@example.com', 'b@example.com']),
  tags: fc.constantFrom(undefined, { kind: 'a' }, { kind: 'b' }, { a: 'kind' }),
  cc: fc.subarray(['cy@example.com', 'di@example.com']).map((list) => list.map(buildEmailAddress)),
  bcc: fc.subarray(['cy@example.com', 'di@example.com']).map((list) => list.map(buildEmailAddress)),
  subject: fc.constantFrom('a', 'ab', '"', '",'),
  content: fc.constantFrom('a', 'bc', 'c'),
  htmlContent: fc.constantFrom(undefined, 'null', 'a'),
  policyKey: fc.constantFrom('transactional', 'bulk'),
  attachments: fc.array(
    fc.record({
      filename: fc.constantFrom('a.txt', 'b.txt'),
      contentType: fc.constantFrom(undefined, 'null', 'text/plain'),
      contentId: fc.constantFrom(undefined, 'null', 'logo'),
      content: fc.oneof(
        fc.record({
          kind: fc.constant('inline' as const),
          base64: fc.constantFrom('YQ==', 'Yg=='),
        }),
        fc.record({
          kind: fc.constant('url' as const),
          url: fc.constantFrom('https://example.com/a', 'https://example.com/b'),
        }),
      ),
    }),
    { maxLength: 2 },
  ),
  idempotencyKey: fc.constantFrom(undefined, 'key-1', 'key-2'),
});

describe('fingerprintOf', () => {
  it('never changes for stored sends, so a retry after an upgrade is the same request', () => {
    const { to } = buildSendRequest();
    const request = { to, moreTo: [], cc: [], bcc: [], attachments: [], policyKey: undefined };
    const words = { subject: 'Hi', content: 'Hi Ann', htmlContent: undefined };

    expect(fingerprintOf('send', { ...request, ...words, idempotencyKey: undefined })).toBe(
      'qyTosPe3LHEfEjhbrYqANN',
    );
  });

  it('distinguishes a recipient with a name from the bare address, and from another name', () => {
    const { to } = buildSendRequest();
    const names = [{}, { name: 'Ann' }, { name: 'Ann Lee' }];
    const of = (name: object) =>
      fingerprintOf('send', buildSendRequest({ to: { ...to, ...name } }));

    expect(new Set(names.map(of)).size).toBe(3);
  });

  it("doesn't depend on how text is made from HTML", () => {
    const htmlContent = '<p>Hi</p>';
    const alone = fingerprintOf('send', buildSendRequest({ content: undefined, htmlContent }));

    expect(alone).toBe(
      fingerprintOf('send', buildSendRequest({ content: undefined, htmlContent })),
    );
    expect(alone).not.toBe(fingerprintOf('send', buildSendRequest({ content: 'Hi', htmlContent })));
  });

  it('is equal exactly when two requests ask for the same email', () => {
    fc.assert(
      fc.property(anyRequest, anyRequest, (one, other) => {
        const asksForTheSame =
          JSON.stringify({ ...one, idempotencyKey: 0 }) ===
          JSON.stringify({ ...other, idempotencyKey: 0 });

        const isEqual = fingerprintOf('send', one) === fingerprintOf('send', other);

        expect(isEqual).toBe(asksForTheSame);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each<[string, Partial<SendRequest>]>([
    ['to', { to: buildEmailAddress('bob@example.com') }],
    ['the case of the local part', { to: buildEmailAddress('Ann@example.com') }],
    ['cc', { cc: [buildEmailAddress('bob@example.com')] }],
    ['bcc', { bcc: [buildEmailAddress('bob@example.com')] }],
    ['subject', { subject: 'Another' }],
    ['content', { content: 'Another' }],
    ['htmlContent', { htmlContent: '<p>Another</p>' }],
    ['policyKey', { policyKey: 'bulk' }],
  ])('changes with %s', (_field, change) => {
    const changed = fingerprintOf('send', buildSendRequest(change));

    expect(changed).not.toBe(fingerprintOf('send', buildSendRequest()));
  });

  it("changes with an attachment's bytes, name, type or position", () => {
    const pair = [{ filename: 'a.txt' }, { filename: 'b.txt', contentBase64: 'AAAA' }];
    const lists = [
      [],
      [{}],
      [{}, {}],
      [{ contentBase64: 'SGVsbG8h' }],
      [{ contentBase64: 'SGVsbG9=' }],
      [{ filename: 'other.txt' }],
      [{ contentType: 'text/plain' }],
      [{ contentId: 'logo' }],
      [{ contentBase64: undefined, url: 'https://example.com/a' }],
      [{ contentBase64: undefined, url: 'https://example.com/b' }],
      [{ contentBase64: undefined, url: 'https://example.com/b', filename: undefined }],
      pair,
      pair.toReversed(),
    ];

    const fingerprints = lists.map((list) =>
      fingerprintOf('send', buildSendRequest({ attachments: buildAttachments(...list) })),
    );

    expect(new Set(fingerprints).size).toBe(lists.length);
  });

  it('changes with any byte of an attachment in many chunks', () => {
    const bytes = Buffer.alloc(300_000, 'attachment');
    const changedAt = [0, 49_151, 49_152, 150_000, bytes.length - 1, undefined];

    const fingerprints = changedAt.map((index) => {
      const changed = Buffer.from(bytes);
      if (index !== undefined) changed[index] = 0;
      const attachments = buildAttachments({ contentBase64: changed.toString('base64') });
      return fingerprintOf('send', buildSendRequest({ attachments }));
    });

    expect(new Set(fingerprints).size).toBe(changedAt.length);
  });

  it('hashes a chunked attachment to the same value as in one piece', () => {
    const attachments = buildAttachments({ contentBase64: base64OfLength(300_000) });

    expect(fingerprintOf('send', buildSendRequest({ attachments }))).toBe('17ItucWdED_Ei2-osTPwvi');
  });

  it('hashes a request without attachments to the same value as before attachments existed', () => {
    expect(fingerprintOf('send', buildSendRequest())).toBe('sKF5-JRcJmPaze5COX52Ki');
  });

  it('distinguishes a cc from a bcc and one field from the next', () => {
    const bob = [buildEmailAddress('bob@example.com')];
    const requests = [
      buildSendRequest({ cc: bob }),
      buildSendRequest({ bcc: bob }),
      buildSendRequest({ subject: 'ab', content: 'c' }),
      buildSendRequest({ subject: 'a', content: 'bc' }),
      buildSendRequest({ htmlContent: 'null' }),
      buildSendRequest({ htmlContent: undefined }),
    ];

    const fingerprints = requests.map((request) => fingerprintOf('send', request));

    expect(new Set(fingerprints).size).toBe(requests.length);
  });

  it('distinguishes the two endpoints', () => {
    const request = buildSendRequest();

    expect(fingerprintOf('send', request)).not.toBe(fingerprintOf('send-global', request));
  });

  it('ignores the idempotency key itself', () => {
    const [one, other] = ['key-1', 'key-2'].map((idempotencyKey) =>
      fingerprintOf('send', buildSendRequest({ idempotencyKey })),
    );

    expect(one).toBe(other);
  });

  it('ignores key order, defaults and spelling', () => {
    const fingerprintOfBody = (body: unknown) => {
      const parsed = parseSendRequest(body, undefined);
      if (!parsed.ok) throw parsed.error;
      return fingerprintOf('send', parsed.value);
    };
    const body = buildSendBody({ cc: ['bob@example.com'] });
    const same = [
      Object.fromEntries(Object.entries(body).reverse()),
      { ...body, policyKey: 'transactional', bcc: [], attachments: [] },
      { ...body, cc: 'bob@example.com' },
      { ...body, to: ' ann@EXAMPLE.com' },
      { ...body, cc: ['bob@example.com', 'ann@example.com'] },
      { ...body, to: '<ann@example.com>' },
      { ...body, idempotencyKey: 'key-1' },
    ];

    const fingerprints = same.map(fingerprintOfBody);

    expect(new Set(fingerprints)).toEqual(new Set([fingerprintOfBody(body)]));
  });
});
