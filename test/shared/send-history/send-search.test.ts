import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdsText, searchFor } from '#shared/send-history/send-search';
import { searchedIn } from '#shared/sending/send-items';
import { buildSend } from '../../support/send-builder.ts';

const finds = (text: string, send: Parameters<typeof buildSend>[0]) =>
  holdsText(searchFor(text))(searchedIn(buildSend(send)));

describe('a search', () => {
  it('finds any part of a subject or address, ignoring case', () => {
    const piece = fc
      .tuple(fc.string(), fc.string({ minLength: 1 }), fc.string())
      .map(([before, text, after]) => ({ text, whole: before + text + after }));
    fc.assert(
      fc.property(piece, fc.boolean(), ({ text, whole }, isUpper) => {
        const typed = isUpper ? text.toUpperCase() : text.toLowerCase();
        return finds(typed, { subject: whole }) && finds(typed, { bcc: [whole] });
      }),
    );
  });

  it('finds words in any order, each where it is', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(words, fc.infiniteStream(fc.nat(2)), (all, places) => {
        const said = all.map((word) => ({ word, place: places.next().value }));
        const at = (place: number) =>
          said.flatMap((one) => (one.place === place ? [one.word] : [])).join('x');
        const send = { subject: at(0), cc: [`${at(1)}@example.com`], tags: { kind: at(2) } };
        return finds(all.toReversed().join(' '), send);
      }),
    );
  });

  it.each([
    ['Zoe\u0308', { subject: 'Welcome, Zoë' }],
    ['ΟΔΟΣ', { subject: 'η οδός, οδος' }],
    ['strasse', { subject: 'Straße' }],
    ['müller', { toEmail: 'ann@xn--mller-kva.example' }],
    ['xn--mller', { toEmail: 'ann@xn--mller-kva.example' }],
    ['🙂', { subject: 'Hello 🙂' }],
    ['ben@', { moreTo: ['ben@example.com'] }],
    ['ann reset', { toEmail: 'ann@example.com', subject: 'Reset your password' }],
    ['reset\u3000 ANN@', { toEmail: 'ann@example.com', subject: 'Reset your password' }],
    ['ann ben', { toEmail: 'ann@example.com', cc: ['ben@example.com'] }],
    ['ann kind:re', { toEmail: 'ann@example.com', tags: { kind: 'reset' } }],
  ])('finds %s in %o', (text, send) => {
    expect(finds(text, send)).toBe(true);
  });

  it.each([
    ['order-1', { idempotencyKey: 'order-17' }],
    ['ORDER-17', { idempotencyKey: 'order-17' }],
    ['.*', { subject: 'Anything' }],
    ['ann reset', { toEmail: 'ann@example.com', subject: 'Your receipt' }],
    ['annreset', { toEmail: 'ann@example.com', subject: 'Reset your password' }],
    ['ann order-17', { toEmail: 'ann@example.com', idempotencyKey: 'order-17' }],
    ['hello', { fromEmail: 'hello@example.com' }],
  ])("doesn't find %s in %o", (text, send) => {
    expect(finds(text, send)).toBe(false);
  });

  it.each([
    ['0100018c-1-000000', '0100018c-1-000000'],
    ['<0100018c-1-000000@email.amazonses.com>', '0100018c-1-000000'],
    ['0100018c-1-000000@us-gov-west-1.amazonses.com', '0100018c-1-000000'],
  ])('for %s looks for SES’s message id %s', (text, providerMessageId) => {
    expect(searchFor(text)).toMatchObject({ text, providerMessageId });
  });

  it.each([
    'bounce@simulator.amazonses.com',
    'ann@email.amazonses.com.example.org',
    'Reset your password',
    '漢'.repeat(998),
    'a'.repeat(998),
  ])("doesn't look for an SES message with %s", (text) => {
    expect(searchFor(text).providerMessageId).toBeUndefined();
  });

  it.each([
    ['order 17, again?', true],
    ['a'.repeat(255), true],
    ['a'.repeat(256), false],
    ['Zoë', false],
  ])('takes %s for an idempotency key: %s', (text, isKey) => {
    expect(searchFor(text).idempotencyKey).toBe(isKey ? text : undefined);
  });
});
