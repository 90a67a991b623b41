import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyAt, maxEmails, readBatch } from '#shared/sending/batch/batch-request';
import { buildSendBody } from '../../../support/send-body-builder.ts';

const mail = buildSendBody();
const read = (body: unknown, key?: string) => readBatch({ ok: true, value: body }, key);

function emailsOf(body: unknown, key?: string) {
  const batch = read(body, key);
  if (!batch.ok) throw batch.error;
  return batch.value.emails;
}

const keysOf = (body: unknown, key?: string) =>
  emailsOf(body, key).map((email) => (email.ok ? email.value.idempotencyKey : email.error.errors));

function pathsOf(body: unknown, key?: string) {
  const batch = read(body, key);
  return batch.ok ? [] : batch.error.errors?.map(({ path }) => path);
}

describe('a batch', () => {
  it('is permissive by default', () => {
    expect(read({ emails: [mail] })).toMatchObject({ ok: true, value: { isStrict: false } });
    expect(read({ emails: [mail], validation: 'strict' })).toMatchObject({
      value: { isStrict: true },
    });
  });

  it('keeps an invalid email in its place, with the error that a single send gets', () => {
    const [first, second] = emailsOf({ emails: [mail, { ...mail, to: 'nobody' }] });

    expect(first?.ok).toBe(true);
    expect(second).toMatchObject({ ok: false, error: { errors: [{ path: 'to' }] } });
  });

  it.each<[string, unknown, string[]]>([
    ['a list', [mail], ['body']],
    ['nothing in it', { emails: [] }, ['emails']],
    ['no list', { emails: mail }, ['emails']],
    ['one too many', { emails: Array.from({ length: maxEmails + 1 }, () => mail) }, ['emails']],
    ['another mode', { emails: [mail], validation: 'lax' }, ['validation']],
    ['a key in the body', { emails: [mail], idempotencyKey: 'a' }, ['idempotencyKey']],
  ])('is refused with %s', (_what, body, paths) => {
    expect(pathsOf(body)).toEqual(paths);
  });

  it('sent as a bare list gets an error that names the list emails', () => {
    const batch = read([mail]);

    expect(batch.ok ? [] : batch.error.errors).toEqual([
      { path: 'body', message: 'must be an object with the list emails' },
    ]);
  });

  it.each(['', 'schlüssel', 'x'.repeat(253)])('rejects the key %j', (key) => {
    expect(pathsOf({ emails: [mail] }, key)).toEqual(['Idempotency-Key']);
  });

  it('never throws on any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (email, body) => {
        expect(read({ emails: [mail, email] }).ok).toBe(true);
        expect(read(body).ok).toBe(false);
      }),
      { numRuns: 100 },
    );
  });
});

describe("the keys of a batch's emails", () => {
  it("are given, or derived from the batch's key and their positions", () => {
    const emails = [mail, { ...mail, idempotencyKey: 'own' }, mail];

    expect(keysOf({ emails }, 'digest')).toEqual(['digest:0', 'own', 'digest:2']);
    expect(keysOf({ emails })).toEqual([undefined, 'own', undefined]);
  });

  it('have at most 255 characters at any position', () => {
    const emails = Array.from({ length: maxEmails }, () => mail);

    expect(keysOf({ emails }, 'x'.repeat(252)).at(-1)).toHaveLength(255);
  });

  it('differ for every other batch and position', () => {
    const place = fc.nat({ max: maxEmails - 1 });
    const key = fc.stringMatching(/^[a:0-9]{1,6}$/);
    fc.assert(
      fc.property(key, place, key, place, (oneKey, onePlace, otherKey, otherPlace) => {
        const isSame = keyAt(oneKey, onePlace) === keyAt(otherKey, otherPlace);
        expect(isSame).toBe(oneKey === otherKey && onePlace === otherPlace);
      }),
    );
  });

  it('belong to the first email that uses them, and later ones are errors', () => {
    const own = { ...mail, idempotencyKey: 'digest:0' };
    const fault = [expect.objectContaining({ path: 'idempotencyKey' })];

    expect(keysOf({ emails: [mail, own, own] }, 'digest')).toEqual(['digest:0', fault, fault]);
  });
});
