import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprintOf, judgeStanding, nextAttempt } from '#shared/sending/idempotency';
import { parseSendRequest, type SendRequest } from '#shared/sending/request/send-request';
import { isTakeover, type Send, sendStatuses } from '#shared/sending/send';
import { base64OfLength, buildAttachments } from '../../support/attachment-builder.ts';
import { buildClaim } from '../../support/claim-builder.ts';
import { buildEmailAddress } from '../../support/email-address-builder.ts';
import { buildSendBody } from '../../support/send-body-builder.ts';
import { doubtWindowMs } from '../../support/send-builder.ts';
import { buildSendRequest } from '../../support/send-request-builder.ts';

const now = 1_750_000_000_000;
const isOver = { claimedAt: now - doubtWindowMs };
const isOpen = { claimedAt: now - 10_000 };
const failure = { attempt: 1, at: now - 5_000, reason: 'MessageRejected' };

const build = (overrides: Partial<Send>) =>
  buildClaim({ fingerprint: 'this-request', ...overrides });

const asking = (fingerprint: string) => ({ fingerprint, apiKeyId: undefined });

describe('judgeStanding', () => {
  const accepted = { status: 'sent', providerMessageId: 'message-1', sentAt: now - 9_000 } as const;
  const failed = { status: 'failed', attempts: [failure] } as const;
  const proven = { provenAt: now - 5_000 };

  it.each<[string, Partial<Send>, string, string]>([
    ['sent', { ...isOpen, ...accepted }, 'replay', 'key_reused'],
    ['sent, long ago', { ...isOver, ...accepted }, 'replay', 'key_reused'],
    ['suppressed', { ...isOpen, status: 'suppressed' }, 'replay', 'key_reused'],
    ['suppressed, long ago', { ...isOver, status: 'suppressed' }, 'replay', 'key_reused'],
    ['under way', isOpen, 'in_progress', 'key_reused'],
    ['under way, proven', { ...isOpen, ...proven }, 'in_progress', 'key_reused'],
    ['in doubt, its window over', isOver, 'next_attempt', 'key_reused'],
    ['in doubt, proven', { ...isOver, ...proven }, 'replay', 'key_reused'],
    ['failed', { ...isOpen, ...failed }, 'next_attempt', 'next_attempt'],
    ['failed, long ago', { ...isOver, ...failed }, 'next_attempt', 'next_attempt'],
    ['failed, but proven', { ...isOpen, ...failed, ...proven }, 'replay', 'key_reused'],
    ['held, its window open', { ...isOpen, attempts: [failure] }, 'in_progress', 'key_reused'],
    ['held, its window over', { ...isOver, attempts: [failure] }, 'next_attempt', 'next_attempt'],
    [
      'held, its window over, but proven',
      { ...isOver, attempts: [failure], ...proven },
      'replay',
      'key_reused',
    ],
    [
      'taken over and in doubt again, its window over',
      { ...isOver, attempt: 2, attempts: [{ ...failure, reason: 'Unanswered' }] },
      'next_attempt',
      'key_reused',
    ],
  ])('of a send that is %s says %3$s, and %4$s to another request', (_state, ...row) => {
    const [overrides, same, other] = row;
    const send = build(overrides);

    expect(judgeStanding(send, asking('this-request'), now).kind).toBe(same);
    expect(judgeStanding(send, asking('another-request'), now).kind).toBe(other);
  });

  it('replays the first answer', () => {
    const suppressedRecipients = [{ email: 'bob@example.com', reason: 'bounce' }];
    const send = build({ ...accepted, suppressedRecipients, missingVariables: ['name'] });

    expect(judgeStanding(send, asking('this-request'), now)).toEqual({
      kind: 'replay',
      response: {
        sendId: send.id,
        status: 'sent',
        messageId: 'message-1',
        suppressedRecipients,
        missingVariables: ['name'],
      },
    });
  });

  it('replays a send that was proven as sent, though its message id is not known', () => {
    const send = build({ ...isOver, ...proven });

    expect(judgeStanding(send, asking('this-request'), now)).toEqual({
      kind: 'replay',
      response: { sendId: send.id, status: 'sent' },
    });
  });

  it('tells a duplicate to come back in a second while the attempt may still run', () => {
    const send = build({ claimedAt: now - 29_999 });

    expect(judgeStanding(send, asking('this-request'), now)).toEqual({
      kind: 'in_progress',
      retryAt: now + 1_000,
    });
  });

  it("tells a retry to wait for the window's end when the attempt can no longer run", () => {
    const send = build({ claimedAt: now - 30_000 });

    expect(judgeStanding(send, asking('this-request'), now)).toEqual({
      kind: 'in_progress',
      retryAt: send.leaseExpiresAt,
    });
  });

  it('never lets a duplicate wait longer than the window', () => {
    const send = build({ claimedAt: now, leaseExpiresAt: now + 200 });

    expect(judgeStanding(send, asking('this-request'), now)).toEqual({
      kind: 'in_progress',
      retryAt: now + 200,
    });
  });

  it('lets a retry make the next attempt from the moment the window ends', () => {
    const send = build({ leaseExpiresAt: now });

    expect(judgeStanding(send, asking('this-request'), now - 1).kind).toBe('in_progress');
    expect(judgeStanding(send, asking('this-request'), now)).toEqual({ kind: 'next_attempt' });
  });

  it('never sends again what SES is known to have taken, or what may be under way', () => {
    fc.assert(
      fc.property(anyState, fc.boolean(), (state, isSameRequest) => {
        const send = build(state);
        const { kind } = judgeStanding(
          send,
          asking(isSameRequest ? 'this-request' : 'another'),
          now,
        );

        const isTaken = send.status === 'sent' || send.provenAt !== undefined;
        const isUnderWay = send.status === 'sending' && now < send.leaseExpiresAt;
        if (isTaken || isUnderWay) expect(kind).not.toBe('next_attempt');
        if (!isSameRequest) expect(['key_reused', 'next_attempt']).toContain(kind);
      }),
    );
  });
});

/** A send that was made some time within two windows of now, in any state. */
const anyState: fc.Arbitrary<Partial<Send>> = fc
  .record({
    status: fc.constantFrom(...sendStatuses),
    claimedAt: fc.integer({ min: now - 2 * doubtWindowMs, max: now }),
    isProven: fc.boolean(),
  })
  .map(({ status, claimedAt, isProven }) => ({
    status,
    claimedAt,
    ...(status === 'failed' && { attempts: [failure] }),
    ...(status === 'sent' && { providerMessageId: 'message-1', sentAt: claimedAt }),
    ...(isProven && { provenAt: claimedAt }),
  }));

describe('nextAttempt', () => {
  const buildWanted = (overrides: Partial<Send> = {}) =>
    build({ claimedAt: now, fingerprint: 'another-request', ...overrides });

  it('keeps the id of the send and when it was made, and counts up', () => {
    const standing = build({ ...isOver, attempt: 3 });

    const next = nextAttempt(standing, buildWanted());

    expect(next).toMatchObject({
      id: standing.id,
      feedbackId: standing.feedbackId,
      createdAt: standing.createdAt,
      attempt: 4,
    });
  });

  it('is all else of its own request', () => {
    const standing = build({ ...isOver, status: 'failed', attempts: [failure] });
    const wanted = buildWanted({
      fromEmail: 'new@mail.example.com',
      toEmail: 'bob@example.com',
      cc: ['cy@example.com'],
      subject: 'Rendered anew',
      suppressedRecipients: [{ email: 'di@example.com', reason: 'complaint' }],
      expiresAt: standing.expiresAt + 1,
    });

    const { id, feedbackId, createdAt } = standing;
    expect(nextAttempt(standing, wanted)).toEqual({
      ...wanted,
      id,
      feedbackId,
      createdAt,
      attempt: 2,
      attempts: [failure],
    });
  });

  it('knows nothing of the message that SES rejected, except as a failed attempt', () => {
    const message = { providerMessageId: 'message-1', sentAt: now - 9_000 };
    const rejection = { ...failure, ...message };
    const standing = build({ status: 'failed', attempts: [rejection], ...message });

    const next = nextAttempt(standing, buildWanted());

    expect(next.attempts).toEqual([rejection]);
    expect(next).not.toHaveProperty('providerMessageId');
    expect(next).not.toHaveProperty('sentAt');
    expect(next).not.toHaveProperty('doubtUntil');
  });

  it('is readable by its id alone only when every attempt was made with a key without scopes', () => {
    const readable = [
      [true, true],
      [true, false],
      [false, true],
    ].map(([first = false, second = false]) => {
      const standing = build({ ...isOver, isReadableById: first });
      return nextAttempt(standing, buildWanted({ isReadableById: second })).isReadableById;
    });

    expect(readable).toEqual([true, false, false]);
  });

  it('is forgotten no sooner than the one before, though its request was held up for long', () => {
    const wanted = buildWanted();
    const newer = build({ ...isOver, expiresAt: wanted.expiresAt + 600 });
    const older = build({ ...isOver, expiresAt: wanted.expiresAt - 600 });

    expect(nextAttempt(newer, wanted).expiresAt).toBe(newer.expiresAt);
    expect(nextAttempt(older, wanted).expiresAt).toBe(wanted.expiresAt);
  });

  it('that takes over is in doubt for the length of its own window', () => {
    const next = nextAttempt(build(isOver), buildWanted());

    expect(next.doubtUntil).toBe(now + doubtWindowMs);
    expect(isTakeover(next)).toBe(true);
  });

  it('that takes over notes that nobody answered the one before, at the end of its window', () => {
    const standing = build({ ...isOver, attempt: 2, attempts: [failure] });

    const next = nextAttempt(standing, buildWanted());

    const unanswered = { attempt: 2, at: standing.leaseExpiresAt, reason: 'Unanswered' };
    expect(next.attempts).toEqual([failure, unanswered]);
  });

  it('that follows a failed one is in no doubt', () => {
    const standing = build({ ...isOpen, status: 'failed', attempts: [failure] });

    const next = nextAttempt(standing, buildWanted());

    expect(next.doubtUntil).toBeUndefined();
    expect(isTakeover(next)).toBe(false);
  });

  it('that follows a takeover which failed is in doubt as long as that one was', () => {
    const doubtUntil = now + 60_000;
    const standing = build({
      attempt: 2,
      attempts: [{ ...failure, attempt: 2 }],
      status: 'failed',
      doubtUntil,
    });

    const next = nextAttempt(standing, buildWanted());

    expect(next.doubtUntil).toBe(doubtUntil);
    expect(isTakeover(next)).toBe(false);
  });

  it('that follows a takeover of which nobody knows takes over from it as well', () => {
    const standing = build({ ...isOver, attempt: 2, attempts: [failure], doubtUntil: now });

    const next = nextAttempt(standing, buildWanted());

    expect(next.doubtUntil).toBe(now + doubtWindowMs);
    expect(isTakeover(next)).toBe(true);
  });

  it('whose address is suppressed is complete when no earlier attempt is in doubt', () => {
    const standing = build({ ...isOpen, status: 'failed', attempts: [failure] });

    const next = nextAttempt(standing, buildWanted({ status: 'suppressed' }));

    expect(next).toMatchObject({ status: 'suppressed', attempts: [failure] });
  });

  it('whose address is suppressed waits for an earlier one in doubt, whose bounce it may be', () => {
    const next = nextAttempt(build(isOver), buildWanted({ status: 'suppressed' }));

    expect(next).toMatchObject({
      status: 'sending',
      attempts: [
        { attempt: 1, reason: 'Unanswered' },
        { attempt: 2, at: now, reason: 'Suppressed' },
      ],
      doubtUntil: now + doubtWindowMs,
    });
  });

  it('keeps the last failures, so that a client that never stops does not fill the item', () => {
    let send = build({});
    for (let attempt = 1; attempt <= 100; attempt += 1) {
      const failed = { ...failure, attempt };
      send = nextAttempt(
        { ...send, status: 'failed', attempts: [...send.attempts, failed] },
        buildWanted(),
      );
    }

    expect(send.attempt).toBe(101);
    expect(send.attempts).toHaveLength(20);
    expect(send.attempts.at(-1)?.attempt).toBe(100);
  });
});

/** Few values, so that equal requests come up too. */
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
  it('stays what it was for the sends that are stored: a retry after an upgrade is no other request', () => {
    const { to } = buildSendRequest();
    const request = { to, moreTo: [], cc: [], bcc: [], attachments: [], policyKey: undefined };
    const words = { subject: 'Hi', content: 'Hi Ann', htmlContent: undefined };

    expect(fingerprintOf('send', { ...request, ...words, idempotencyKey: undefined })).toBe(
      'qyTosPe3LHEfEjhbrYqANN',
    );
  });

  it('tells a recipient with a name from the bare address, and from another name', () => {
    const { to } = buildSendRequest();
    const names = [{}, { name: 'Ann' }, { name: 'Ann Lee' }];
    const of = (name: object) =>
      fingerprintOf('send', buildSendRequest({ to: { ...to, ...name } }));

    expect(new Set(names.map(of)).size).toBe(3);
  });

  it('does not depend on how the text of HTML is made', () => {
    const htmlContent = '<p>Hi</p>';
    const alone = fingerprintOf('send', buildSendRequest({ content: undefined, htmlContent }));

    expect(alone).toBe(
      fingerprintOf('send', buildSendRequest({ content: undefined, htmlContent })),
    );
    expect(alone).not.toBe(fingerprintOf('send', buildSendRequest({ content: 'Hi', htmlContent })));
  });

  it('is equal exactly when two requests ask for the same', () => {
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

  it('changes with any byte, name, type or place of an attachment', () => {
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

  it('changes with any byte of an attachment of many pieces', () => {
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

  it('is for a request with an attachment what it was when that was hashed at once', () => {
    const attachments = buildAttachments({ contentBase64: base64OfLength(300_000) });

    expect(fingerprintOf('send', buildSendRequest({ attachments }))).toBe('17ItucWdED_Ei2-osTPwvi');
  });

  it('is for a request without attachments what it was before there were any', () => {
    expect(fingerprintOf('send', buildSendRequest())).toBe('sKF5-JRcJmPaze5COX52Ki');
  });

  it('tells a cc from a bcc and one field from the next', () => {
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

  it('tells the two endpoints apart', () => {
    const request = buildSendRequest();

    expect(fingerprintOf('send', request)).not.toBe(fingerprintOf('send-global', request));
  });

  it('does not count the idempotency key itself', () => {
    const [one, other] = ['key-1', 'key-2'].map((idempotencyKey) =>
      fingerprintOf('send', buildSendRequest({ idempotencyKey })),
    );

    expect(one).toBe(other);
  });

  it('does not depend on the order of keys, on defaults or on spelling', () => {
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
